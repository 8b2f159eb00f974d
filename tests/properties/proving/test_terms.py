"""The language of the proofs: values in finite models, and how it is printed."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Model, to_python
from arcproof.properties.proving.language.terms import BoundVariable, Term
from arcproof.properties.proving.library.instances import candidates
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.state import symbol_name
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import ask_cvc5, ask_z3
from arcproof.properties.proving.trusted.witness import definition
from arcproof.transitions.system import load

F, R, P, K = t.function("f"), t.relation("r"), t.predicate("p"), t.constant("k")


def meaning(term: Term, model: Model, integers: range, values: dict[BoundVariable, int]) -> object:
    """The value of a term by its definition: quantifiers try everything."""

    def of(part: Term) -> object:
        return meaning(part, model, integers, values)

    match term:
        case t.Integer(value) | t.TruthValue(value):
            return value
        case BoundVariable():
            return values[term]
        case t.Apply(symbol, arguments):
            found = model[symbol.name]
            return found(*map(of, arguments)) if callable(found) else found
        case t.QuantifiedTerm(quantifier, variables, body):
            tried = (
                bool(meaning(body, model, integers, {**values, **dict(zip(variables, chosen, strict=True))}))
                for chosen in product(integers, repeat=len(variables))
            )
            return all(tried) if quantifier == "forall" else any(tried)
        case t.Operation(operator, arguments):
            parts = [of(part) for part in arguments]
            return OPERATIONS[operator](*parts)


OPERATIONS: dict[str, Callable[..., object]] = {
    "+": lambda *parts: sum(parts),
    "*": lambda x, y: x * y,
    "=": lambda x, y: x == y,
    "iff": lambda x, y: bool(x) == bool(y),
    "<=": lambda x, y: x <= y,
    "not": lambda x: not x,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "=>": lambda x, y: not x or y,
    "ite": lambda x, y, z: y if x else z,
}


def integers_of(variables: list[Term]) -> st.SearchStrategy[Term]:
    leaves = st.sampled_from([*variables, K, *map(t.Integer, (-1, 0, 1, 2))])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(t.add, inner, inner),
            st.builds(F, inner),
            st.builds(t.choose, st.builds(P, inner), inner, inner),
        ),
        max_leaves=4,
    )


def conditions(variables: list[Term], depth: int) -> st.SearchStrategy[Term]:
    number = integers_of(variables)
    atoms = st.one_of(
        st.builds(t.equal, number, number),
        st.builds(t.at_most, number, number),
        st.builds(R, number, number),
        st.builds(P, number),
    )
    if not depth:
        return atoms
    inner = conditions(variables, depth - 1)
    bound = [[t.BoundVariable(1000 + 10 * depth + k) for k in range(size)] for size in (1, 2)]
    quantified = st.one_of(
        *(
            st.builds(t.QuantifiedTerm, st.sampled_from(["forall", "exists"]), st.just(tuple(names)), conditions([*variables, *names], depth - 1))
            for names in bound
        )
    )  # fmt: skip
    return st.one_of(
        atoms,
        quantified,
        st.builds(t.negation, inner),
        st.builds(t.conjunction, inner, inner, inner),
        st.builds(t.disjunction, inner, inner),
        st.builds(t.implies, inner, inner),
        st.builds(t.equivalent, inner, inner),
    )


MODELS = st.fixed_dictionaries(
    {
        "f": st.lists(st.integers(-1, 3), min_size=5, max_size=5).map(lambda values: lambda x: values[x % 5]),
        "r": st.frozensets(st.tuples(st.integers(-1, 3), st.integers(-1, 3))).map(lambda pairs: lambda x, y: (x, y) in pairs),
        "p": st.frozensets(st.integers(-1, 3)).map(lambda members: lambda x: x in members),
        "k": st.integers(-1, 3),
    }
)  # fmt: skip


@pytest.mark.long
@given(conditions([], 3), MODELS)
def test_the_value_of_a_term_is_that_of_its_definition(term: Term, model: dict[str, object]) -> None:
    integers = range(-1, 3)
    computed = to_python(term)

    assert bool(computed(model, integers)) == bool(meaning(term, model, integers, {}))
    assert bool(computed(model, integers)) == bool(meaning(term, model, integers, {})), "it can be asked again"


def test_the_candidates_have_the_value_of_their_definition() -> None:
    meanings = meanings_of(load("arc-eager"))
    start = load("arc-eager").start(2)
    model = model_of(meanings.system, start)
    for candidate in candidates(meanings.before, meanings.start):
        formula = candidate.formula(meanings.before)
        assert bool(to_python(formula)(model, domain(2))) == bool(meaning(formula, model, domain(2), {}))


def test_a_formula_may_be_nested_deeper_than_python_reads() -> None:
    """Python reads 200 parentheses and 20 loops in one another; a rule that moves 230 nodes has as many cases."""
    cases: Term = t.Integer(-1)
    for number in range(300):
        cases = t.choose(t.equal(K, number), F(t.Integer(number)), cases)
    variables = tuple(t.fresh() for _ in range(25))
    same = t.quantified("exists", variables, t.conjunction(*(t.equal(v, K) for v in variables)))

    assert [to_python(cases)({"k": k, "f": lambda x: 2 * x}, range(1)) for k in (0, 7, 299, 300)] == [0, 14, 598, -1]
    assert [bool(to_python(same)({"k": k}, range(3))) for k in (2, 3)] == [True, False]


PRIMED = """system primed
  cite "in no paper"
  state stack σ', buffer β', flag e'
  start [0], [1..n], false
  final β' = []

  SHIFT   σ', i'|β', _  =>  σ'|i', β', true
  ARC(l)  σ'|i', j'|β', true  =>  σ'|i', β', true   add i' -l-> j'

  oracle none

  claims
    length = n
"""


@pytest.mark.solver
@pytest.mark.parametrize("solver", [ask_z3, ask_cvc5])
def test_primes_in_names_are_read_by_both_solvers(solver: Callable[[Obligation], object]) -> None:
    c = meanings_of(load(PRIMED)).before
    goal = t.for_all(lambda x: t.implies(t.equal(c.cells["σ'"](x), 0), t.at_most(c.cells["σ'"](x), c.heights["σ'"])))
    obligation = Obligation("primes", (("height", t.at_most(0, c.heights["σ'"])), ("flag", c.flags["e'"])), goal)

    assert "cell_sigma. " in obligation.text
    assert getattr(solver(obligation), "answer", None) == "unsat"


def test_names_stay_apart_as_symbols() -> None:
    names = ["σ", "σ'", "σ''", "sigma1", "λ1", "λ1'"]

    assert len({symbol_name(name) for name in names}) == len(names)


def test_a_definition_has_a_value_below_the_nodes_too() -> None:
    """The number of words without a head up to k is 0 for every k < 0; it was said to be that of all words."""
    system = load("arc-eager")
    headless = next(one for one in t.symbols([meanings_of(system).before.headless(K)]) if one.arity == 1)
    body = definition(headless, model_of(system, system.start(3)), 3)

    assert "(ite (< a0 0) 0 3)" in body
