"""Every rule of the checker: what it must accept and what it must refuse, and that no schema is false."""

import copy
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from arcproof.properties.proving.checker.expressions import Expression, listed, read, word
from arcproof.properties.proving.checker.obligation import read_obligation
from arcproof.properties.proving.checker.proof import Checking, check, rules
from arcproof.properties.proving.checker.schemata import Schema, instance, schemata
from arcproof.properties.proving.checker.terms import Refused, Sort, Term, apply, joined, operator

DECLARED = {
    **dict.fromkeys("pqrs", ((), "Bool")),
    **dict.fromkeys("abc", ((), "Int")),
    **dict.fromkeys("PQ", (("Int",), "Bool")),
    "R": (("Int", "Int"), "Bool"),
    "f": (("Int",), "Int"),
}
VARIABLES = ("x", "y", "z")
UNFINISHED = ("the last step does not say false", "an assumption is still open at the end")


@cache
def instances() -> dict[str, list[list[Expression]]]:
    """The right and the wrong ones."""
    entries = read((Path(__file__).parent / "instances.txt").read_text(encoding="utf-8"))
    middle = entries.index("wrong")
    return {"right": [listed(e) for e in entries[:middle]], "wrong": [listed(e) for e in entries[middle + 1 :]]}


def text(expression: Expression) -> str:
    """As a proof writes it."""
    return expression if isinstance(expression, str) else f"({' '.join(map(text, expression))})"


def smt(expression: Expression) -> str:
    """As an obligation writes it."""
    match expression:
        case str():
            return _number(expression.removeprefix("@"))
        case [str(quantifier), ["@list", *bound], body] if quantifier in ("forall", "exists"):
            return f"({quantifier} ({' '.join(f'({smt(x)} Int)' for x in bound)}) {smt(body)})"
    return f"({' '.join(map(smt, expression))})"


def _number(literal: str) -> str:
    numerator, slash, denominator = literal.partition("/")
    if literal.startswith("-") and literal != "-":
        return f"(- {_number(literal[1:])})"
    return f"(/ {numerator}.0 {denominator}.0)" if slash and denominator else literal


def declarations() -> list[str]:
    """Of all symbols."""
    return [f"(declare-fun {name} ({' '.join(sorts)}) {sort})" for name, (sorts, sort) in DECLARED.items()]


def tried(entry: list[Expression]) -> str | None:
    """Why the step is refused, after its premises were assumed; None if it is not."""
    name, arguments, premises, conclusion = word(entry[0]), listed(entry[1]), listed(entry[2]), entry[3]
    obligation = [*declarations(), "(check-sat)"]
    proof = [f'(define @{x} () (@var "{x}" Int))' for x in VARIABLES]
    proof += [f"(assume-push @p{number} {text(premise)})" for number, premise in enumerate(premises)]
    names = " ".join(f"@p{number}" for number in range(len(premises)))
    options = (f" :premises ({names})" if premises else "") + (f" :args {text(arguments)}" if arguments else "")
    proof.append(f"(step @last {text(conclusion)} :rule {name}{options})")
    with pytest.raises(Refused) as refused:
        check("\n".join(obligation), f"({' '.join(proof)})")
    return None if str(refused.value) in UNFINISHED else str(refused.value)


@pytest.mark.parametrize("kind", ["right", "wrong"])
def test_every_rule_has_a_right_and_a_wrong_instance(kind: str) -> None:
    assert {word(entry[0]) for entry in instances()[kind]} == set(rules())


@pytest.mark.parametrize("entry", instances()["right"], ids=text)
def test_right_instances_are_accepted(entry: list[Expression]) -> None:
    assert tried(entry) is None


@pytest.mark.parametrize("entry", instances()["wrong"], ids=text)
def test_wrong_instances_are_refused(entry: list[Expression]) -> None:
    assert str(tried(entry)).startswith(f"step @last, by {word(entry[0])}: ")


@pytest.mark.parametrize("entry", instances()["right"], ids=text)
def test_no_right_instance_has_more_premises_or_arguments_than_its_rule(entry: list[Expression]) -> None:
    name, arguments, premises, conclusion = entry
    if name not in ("and_intro", "trans", "arith_sum_ub"):
        assert str(tried([name, arguments, [*listed(premises), "p"], conclusion])).startswith("step @last, by ")
    assert str(tried([name, [*listed(arguments), "p"], premises, conclusion])).startswith("step @last, by ")


@pytest.mark.solver
@pytest.mark.parametrize("kind", ["right", "wrong"])
def test_right_instances_are_true_and_wrong_ones_are_not(kind: str) -> None:
    in_smt = [e for e in instances()[kind] if "@quantifiers_skolemize" not in text(e) and "@purify" not in text(e)]
    found = [text(e) for e in in_smt if (answer([*listed(e[2]), e[3]]) == "unsat") != (kind == "right")]
    assert not found, "\n".join(found)


@pytest.mark.solver
def test_whatever_a_rule_accepts_is_true() -> None:
    """Parts of the instances are exchanged at random; where the rule still finds that something follows, it does
    follow.
    """
    chance = random.Random(0)
    accepted = Counter[str]()
    false = []
    for entry in [*instances()["right"], *instances()["wrong"]] * 8:
        changed = [entry[0], *exchanged(entry[1:3], chance)]
        conclusion = concluded(changed)
        if (
            conclusion is None
            or "@purify" in text(changed)
            or "@quantifiers_skolemize" in f"{text(changed)}{conclusion}"
        ):
            continue
        accepted[word(entry[0])] += 1
        if answer([*listed(changed[2]), *read(str(conclusion))]) == "sat":
            false.append(f"{text(changed)} gives {conclusion}")
    assert false == []
    assert len(accepted) > 0.9 * len(rules())


def exchanged(parts: Sequence[Expression], chance: random.Random) -> list[Expression]:
    """One part of an expression put in place of another, or one of a few small terms, once or twice."""
    found = copy.deepcopy(list(parts))
    few: list[Expression] = ["p", "q", "a", "b", "0", "1", "-1", "true", "false", "@x", "@y", ["not", "p"]]
    for _ in range(chance.choice((1, 1, 2))):
        places = [place for part in found for place in _places(listed(part), 0)]
        if places:
            (whole, place), (other, there) = chance.choice(places), chance.choice(places)
            whole[place] = copy.deepcopy(chance.choice([other[there], other[there], chance.choice(few)]))
    return found


def _places(whole: list[Expression], first: int) -> Iterator[tuple[list[Expression], int]]:
    for place in range(first, len(whole)):
        yield whole, place
        part = whole[place]
        if isinstance(part, list):
            yield from _places(part, 1)


def concluded(entry: list[Expression]) -> Term | None:
    """What a rule finds that follows."""
    name, arguments, premises = word(entry[0]), listed(entry[1]), listed(entry[2])
    checking = Checking(read_obligation("\n".join([*declarations(), "(check-sat)"])))
    try:
        for x in VARIABLES:
            checking.obey(["define", f"@{x}", [], ["@var", f'"{x}"', "Int"]])
        for number, premise in enumerate(premises):
            checking.obey(["assume-push", f"@p{number}", premise])
        names: list[Expression] = [f"@p{number}" for number in range(len(premises))]
        checking.obey(["step", "@last", ":rule", name, ":premises", names, ":args", arguments])
    except Refused:
        return None
    return checking.shown["@last"]


def answer(formulas: list[Expression]) -> str:
    """What Z3 says of all formulas with the last one denied."""
    import z3

    script = [*declarations(), *(f"(declare-fun {x} () Int)" for x in VARIABLES)]
    script += [f"(assert {smt(formula)})" for formula in formulas[:-1]] + [f"(assert (not {smt(formulas[-1])}))"]
    solver = z3.Solver()
    solver.set("rlimit", 2_000_000)
    solver.from_string("\n".join(script))
    return str(solver.check())


# --- schemata are true, whatever their variables stand for -----------------------------------------------------------

VALUES: Mapping[Sort, tuple[object, ...]] = {
    "Bool": (False, True),
    "Int": (-1, 0, 1, 2),
    "Real": (Fraction(-1, 2), Fraction(0), Fraction(1, 2), Fraction(1)),
}


def sorted_instances(schema: Schema) -> Iterator[tuple[tuple[Term, ...], Term, dict[str, Sort]]]:
    """The premises and the conclusion for every sort of each variable and up to two terms for each list."""
    names = sorted({w for w in _words([*schema.arguments, *schema.premises]) if w.rstrip("*").isalpha()} - KNOWN)
    single = [name for name in names if name not in schema.lists]
    ways: tuple[Sort, ...] = ("Bool", "Int", "Real")
    for sorts in product(ways, repeat=len(single)):
        for lengths in product(range(3), repeat=len(schema.lists)):
            symbols = dict(zip(single, sorts, strict=True))
            lists = dict(zip(schema.lists, lengths, strict=True))
            symbols.update({f"{name[0]}{k}": "Bool" for name, length in lists.items() for k in range(length)})
            signature = {name: ((), sort) for name, sort in symbols.items()}
            binding = {name: (apply(name, (), signature),) for name in single}
            for name, length in lists.items():
                binding[name] = tuple(apply(f"{name[0]}{k}", (), signature) for k in range(length))
            try:
                premises = tuple(instance(p, binding) for p in schema.premises)
                arguments = tuple(_argument(pattern, schema.lists, binding) for pattern in schema.arguments)
                conclusion = schema(premises, arguments)
            except Refused:
                continue
            if all(premise.sort == "Bool" for premise in premises):
                yield premises, conclusion, symbols


KNOWN = {"true", "false", "not", "and", "or", "ite", "to"}


def _argument(pattern: Expression, lists: Mapping[str, str], binding: Mapping[str, tuple[Term, ...]]) -> Term:
    if isinstance(pattern, str) and pattern in lists:
        return operator(lists[pattern], *binding[pattern])
    return instance(pattern, binding)


def _words(expressions: list[Expression]) -> Iterator[str]:
    for expression in expressions:
        if isinstance(expression, str):
            yield expression
        else:
            yield from _words(expression)


def value(term: Term, model: Mapping[str, object]) -> object:
    """What a term is in a model; written here again, apart from the checker's own."""
    if term.kind in ("number", "truth"):
        return term.head == "true" if term.kind == "truth" else term.head
    if term.kind == "function":
        return model[str(term.head)]
    parts: list = [value(argument, model) for argument in term.arguments]  # type: ignore[type-arg]
    meaning = {
        "not": lambda a: not a,
        "and": lambda *a: all(a),
        "or": lambda *a: any(a),
        "=>": lambda a, b: b if a else True,
        "=": lambda a, b: a == b,
        "ite": lambda a, b, c: b if a else c,
        "+": lambda *a: sum(a),
        "-": lambda a, b=None: -a if b is None else a - b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
        "to_real": lambda a: a,
        "to_int": lambda a: a // 1,
    }
    return meaning[str(term.head)](*parts)


@pytest.mark.parametrize("name", schemata())
def test_schemata_are_true_for_all_truth_values_and_small_numbers(name: str) -> None:
    number = 0
    for premises, conclusion, symbols in sorted_instances(schemata()[name]):
        for values in product(*(VALUES[sort] for sort in symbols.values())):
            model = dict(zip(symbols, values, strict=True))
            if all(value(premise, model) for premise in premises):
                assert value(conclusion, model) is True, (str(conclusion), model)
                number += 1
    assert number or name == "contra"


def test_a_false_schema_would_be_found() -> None:
    false = Schema(("A",), (), ["=", ["not", "A"], "A"])
    found = [value(conclusion, dict.fromkeys(symbols, True)) for _, conclusion, symbols in sorted_instances(false)]
    assert found == [False]


def test_lists_of_a_schema_are_joined_by_its_operator() -> None:
    assert schemata()["bool-or-taut"].lists == {"xs*": "or", "ys*": "or", "zs*": "or"}
    assert str(joined("or", ())) == "false"
