"""A small first-order language with integers: the language of the proofs.

A term is an integer or a truth value.  The nodes are data only; the meanings are functions: `to_smt` prints plain SMT-LIB 2.6 that
every solver reads, `to_python` gives a function that computes the value of a term in a finite model, `to_text` prints for people.
Functions are uninterpreted, of integers; there are no arrays, no lambdas, no recursive definitions.

The constructors simplify: sums are kept in a normal form, so that `h - 2 + 1` is `h - 1`, and what is decided by such
arithmetic is `TRUE` or `FALSE`.  Bound variables have numbers of their own, so that no substitution can capture them; the
printers name them by the order in which they occur, so that equal formulas have equal texts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from math import prod
from operator import itemgetter
from typing import Any, Final, Literal, TypeAlias, assert_never

Sort: TypeAlias = Literal["Int", "Bool"]


@dataclass(frozen=True, slots=True)
class Number:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """An integer variable of a quantifier."""

    number: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """An uninterpreted function of so many integers; without arguments it is a constant."""

    name: str
    arity: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class Apply:
    """A function with its arguments."""

    symbol: Symbol
    arguments: tuple["Term", ...]


Operator: TypeAlias = Literal["+", "*", "=", "<=", "not", "and", "or", "=>", "iff", "ite"]


@dataclass(frozen=True, slots=True)
class Operation:
    """An interpreted operation; `=` and `<=` compare integers, `iff` truth values, `ite` chooses between integers."""

    operator: Operator
    arguments: tuple["Term", ...]


Quantifier: TypeAlias = Literal["forall", "exists"]


@dataclass(frozen=True, slots=True)
class Quantified:
    """For all, or for some, integers."""

    quantifier: Quantifier
    variables: tuple[Bound, ...]
    body: "Term"


Term: TypeAlias = Number | Truth | Bound | Apply | Operation | Quantified
Function: TypeAlias = Callable[[Term], Term]
Relation: TypeAlias = Callable[[Term, Term], Term]

TRUE: Final = Truth(True)
FALSE: Final = Truth(False)
_numbers: Final = count()


# --- building --------------------------------------------------------------------------------------------------------


def constant(name: str) -> Term:
    """An integer constant."""
    return Apply(Symbol(name, 0, "Int"), ())


def proposition(name: str) -> Term:
    """A truth value."""
    return Apply(Symbol(name, 0, "Bool"), ())


def function(name: str) -> Function:
    """A function of integers."""
    symbol = Symbol(name, 1, "Int")
    return lambda x: Apply(symbol, (x,))


def binary(name: str) -> Relation:
    """A function of two integers."""
    symbol = Symbol(name, 2, "Int")
    return lambda x, y: Apply(symbol, (x, y))


def predicate(name: str) -> Function:
    """A set of integers."""
    symbol = Symbol(name, 1, "Bool")
    return lambda x: Apply(symbol, (x,))


def relation(name: str) -> Relation:
    """A relation between integers."""
    symbol = Symbol(name, 2, "Bool")
    return lambda x, y: Apply(symbol, (x, y))


Linear: TypeAlias = tuple[dict[Term, int], int]


def linear(term: Term) -> Linear:
    """A term as a sum of other terms with coefficients, and a number."""
    match term:
        case Number(value):
            return {}, value
        case Operation("+", parts):
            return _linear_sum(linear(part) for part in parts)
        case Operation("*", (Number(factor), part)):
            terms, rest = linear(part)
            return {t: factor * c for t, c in terms.items()}, factor * rest
    return {term: 1}, 0


def _linear_sum(parts: Iterable[Linear]) -> Linear:
    terms: dict[Term, int] = {}
    number = 0
    for part, rest in parts:
        number += rest
        for term, coefficient in part.items():
            terms[term] = terms.get(term, 0) + coefficient
    return {term: c for term, c in terms.items() if c}, number


def from_linear(form: Linear) -> Term:
    """The term of a sum."""
    terms, number = form
    parts = [t if c == 1 else Operation("*", (Number(c), t)) for t, c in terms.items()]
    if number or not parts:
        parts.append(Number(number))
    return parts[0] if len(parts) == 1 else Operation("+", tuple(parts))


def add(*parts: Term | int) -> Term:
    """A sum."""
    return from_linear(_linear_sum(linear(integer(part)) for part in parts))


def integer(value: Term | int) -> Term:
    """A number as a term."""
    return Number(value) if isinstance(value, int) else value


def times(factor: int, term: Term) -> Term:
    """A multiple by a number."""
    terms, number = linear(term)
    return from_linear(({t: factor * c for t, c in terms.items() if factor * c}, factor * number))


def product(left: Term, right: Term) -> Term:
    """A product, linear if one side is a number."""
    match left, right:
        case Number(value), _:
            return times(value, right)
        case _, Number(value):
            return times(value, left)
    return Operation("*", (left, right))


def subtract(left: Term | int, right: Term | int) -> Term:
    """A difference."""
    return add(left, times(-1, integer(right)))


def _difference(left: Term | int, right: Term | int) -> int | None:
    """left - right where it is a number."""
    terms, number = linear(subtract(left, right))
    return None if terms else number


def equal(left: Term | int, right: Term | int) -> Term:
    """Equality of integers."""
    known = _difference(left, right)
    return Operation("=", (integer(left), integer(right))) if known is None else Truth(known == 0)


def differ(left: Term | int, right: Term | int) -> Term:
    """Inequality of integers."""
    return negation(equal(left, right))


def at_most(left: Term | int, right: Term | int) -> Term:
    """left <= right."""
    known = _difference(left, right)
    return Operation("<=", (integer(left), integer(right))) if known is None else Truth(known <= 0)


def less(left: Term | int, right: Term | int) -> Term:
    """left < right."""
    return at_most(add(left, 1), right)


def within(low: Term | int, term: Term, high: Term | int) -> Term:
    """low <= term < high."""
    return conjunction(at_most(low, term), less(term, high))


def negation(term: Term) -> Term:
    """Not."""
    match term:
        case Truth(value):
            return Truth(not value)
        case Operation("not", (inner,)):
            return inner
    return Operation("not", (term,))


def conjunction(*parts: Term) -> Term:
    """And."""
    return _joined("and", parts, FALSE, TRUE)


def disjunction(*parts: Term) -> Term:
    """Or."""
    return _joined("or", parts, TRUE, FALSE)


def _joined(operator: Literal["and", "or"], parts: Iterable[Term], absorbing: Truth, neutral: Truth) -> Term:
    flat: dict[Term, None] = {}
    for part in parts:
        inner = part.arguments if isinstance(part, Operation) and part.operator == operator else (part,)
        flat.update(dict.fromkeys(inner))
    if absorbing in flat:
        return absorbing
    kept = [part for part in flat if part != neutral]
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else Operation(operator, tuple(kept))


def implies(premise: Term, conclusion: Term) -> Term:
    """If … then …"""
    match premise, conclusion:
        case (Truth(True), _) | (_, Truth(True)):
            return conclusion
        case Truth(False), _:
            return TRUE
        case _, Truth(False):
            return negation(premise)
    return Operation("=>", (premise, conclusion))


def equivalent(left: Term, right: Term) -> Term:
    """If and only if."""
    match left, right:
        case Truth(value), other:
            return other if value else negation(other)
        case other, Truth(value):
            return other if value else negation(other)
    return TRUE if left == right else Operation("iff", (left, right))


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """An integer by cases."""
    if isinstance(condition, Truth):
        return then if condition.value else otherwise
    return then if then == otherwise else Operation("ite", (condition, then, otherwise))


def case_of(condition: Term, then: Term, otherwise: Term) -> Term:
    """A truth value by cases."""
    return conjunction(implies(condition, then), implies(negation(condition), otherwise))


def for_all(body: Callable[..., Term]) -> Term:
    """For all integers, as many as the function has arguments: `for_all(lambda x, y: …)`."""
    return _quantified("forall", body)


def exists(body: Callable[..., Term]) -> Term:
    """For some integers."""
    return _quantified("exists", body)


def _quantified(quantifier: Quantifier, body: Callable[..., Term]) -> Term:
    variables = tuple(fresh() for _ in range(body.__code__.co_argcount))
    return quantified(quantifier, variables, body(*variables))


def fresh() -> Bound:
    """A variable that occurs nowhere else."""
    return Bound(next(_numbers))


def quantified(quantifier: Quantifier, variables: tuple[Bound, ...], body: Term) -> Term:
    """A quantifier over variables that occur in the body."""
    return body if isinstance(body, Truth) else Quantified(quantifier, variables, body)


def is_truth(term: Term) -> bool:
    """Whether a term is a truth value rather than an integer."""
    match term:
        case Truth() | Quantified():
            return True
        case Number() | Bound():
            return False
        case Apply(symbol, _):
            return symbol.sort == "Bool"
        case Operation(operator, _):
            return operator not in ("+", "*", "ite")
        case _:
            assert_never(term)


# --- walking ---------------------------------------------------------------------------------------------------------


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything in it."""
    yield term
    match term:
        case Apply(_, parts) | Operation(_, parts):
            for part in parts:
                yield from subterms(part)
        case Quantified(_, _, body):
            yield from subterms(body)


def symbols(terms: Iterable[Term]) -> list[Symbol]:
    """The functions that occur, by name."""
    found = {node.symbol for term in terms for node in subterms(term) if isinstance(node, Apply)}
    return sorted(found, key=lambda symbol: symbol.name)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction."""
    if isinstance(term, Operation) and term.operator == "and":
        return tuple(part for argument in term.arguments for part in conjuncts(argument))
    return () if term == TRUE else (term,)


# --- SMT-LIB ---------------------------------------------------------------------------------------------------------

_SMT: Final = {"iff": "="}


def to_smt(term: Term) -> str:
    """The term in SMT-LIB 2.6."""
    return _smt(term, {}, count())


def _smt(term: Term, names: Mapping[Bound, str], fresh: Iterator[int]) -> str:
    match term:
        case Number(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case Truth(value):
            return "true" if value else "false"
        case Bound():
            return names[term]
        case Apply(symbol, ()):
            return symbol.name
        case Apply(symbol, arguments):
            return f"({symbol.name} {' '.join(_smt(a, names, fresh) for a in arguments)})"
        case Operation(operator, arguments):
            return f"({_SMT.get(operator, operator)} {' '.join(_smt(a, names, fresh) for a in arguments)})"
        case Quantified(quantifier, variables, body):
            inner = {**names, **{v: f"x{next(fresh)}" for v in variables}}
            declared = " ".join(f"({inner[v]} Int)" for v in variables)
            return f"({quantifier} ({declared}) {_smt(body, inner, fresh)})"
        case _:
            assert_never(term)


def declaration(symbol: Symbol) -> str:
    """The line that declares a function."""
    return f"(declare-fun {symbol.name} ({' '.join(['Int'] * symbol.arity)}) {symbol.sort})"


# --- values in a finite model ----------------------------------------------------------------------------------------

Model: TypeAlias = Mapping[str, object]
Evaluate: TypeAlias = Callable[[Model, range], object]
_Frame: TypeAlias = list[Any]
_Value: TypeAlias = Callable[[_Frame], Any]
_DOMAIN: Final = 0
"""The place in a frame of the integers that quantifiers range over."""


def to_python(term: Term) -> Evaluate:
    """A function of a model and of the integers that quantifiers range over.

    The model gives each constant its value and each function a Python function, which must have a value for every integer.
    """
    compiler = _Compiler()
    value = compiler.value(term)
    names, fixed = list(compiler.names.items()), compiler.fixed()

    def evaluate(model: Model, integers: range) -> object:
        frame = fixed.copy()
        frame[_DOMAIN] = integers
        for name, place in names:
            frame[place] = model[name]
        return value(frame)

    return evaluate


class _Compiler:
    """Turns terms into closures over a frame: a list with a place for each function, each bound variable and each number.

    A quantifier is a search for a witness (of the negated body, for `forall`); each part of the conjunction is tried as soon as its
    variables have values, so that most of the search is never made.
    """

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self._numbers: dict[int, int] = {}
        self._variables: dict[Bound, int] = {}
        self._size = 1

    def fixed(self) -> _Frame:
        """A frame in which only the numbers are filled in."""
        frame: _Frame = [None] * self._size
        for number, place in self._numbers.items():
            frame[place] = number
        return frame

    def _place(self, table: dict[Any, int], key: object) -> int:
        if key not in table:
            table[key] = self._size
            self._size += 1
        return table[key]

    def _leaf(self, term: Term) -> int | None:
        """The place of a term that needs no calculation."""
        match term:
            case Number(value):
                return self._place(self._numbers, value)
            case Bound():
                return self._place(self._variables, term)
            case Apply(symbol, ()):
                return self._place(self.names, symbol.name)
        return None

    def value(self, term: Term) -> _Value:
        """The closure of a term."""
        leaf = self._leaf(term)
        if leaf is not None:
            return itemgetter(leaf)
        match term:
            case Truth(value):
                return lambda _: value
            case Apply(symbol, arguments):
                return self._applied(self._place(self.names, symbol.name), arguments)
            case Operation(operator, arguments):
                return self._operation(operator, arguments)
            case Quantified("exists", variables, body):
                return self._search(variables, _both(body, True))
            case Quantified("forall", variables, body):
                found = self._search(variables, _both(body, False))
                return lambda frame: not found(frame)
        raise AssertionError(term)

    def _applied(self, function: int, arguments: tuple[Term, ...]) -> _Value:
        places = [self._leaf(argument) for argument in arguments]
        match places, [self.value(argument) for argument in arguments]:
            case [int(p)], _:
                return lambda f: f[function](f[p])
            case [int(p), int(q)], _:
                return lambda f: f[function](f[p], f[q])
            case _, [first]:
                return lambda f: f[function](first(f))
            case _, [first, second]:
                return lambda f: f[function](first(f), second(f))
            case _, values:
                return lambda f: f[function](*(value(f) for value in values))

    def _operation(self, operator: Operator, arguments: tuple[Term, ...]) -> _Value:
        places = [self._leaf(argument) for argument in arguments]
        values = [self.value(argument) for argument in arguments]
        match operator, places, values:
            case "not", _, [part]:
                return lambda f: not part(f)
            case "=>", _, [premise, conclusion]:
                return lambda f: not premise(f) or conclusion(f)
            case "ite", _, [condition, then, otherwise]:
                return lambda f: then(f) if condition(f) else otherwise(f)
            case "and", _, _:
                return _conjunction(tuple(values))
            case "or", _, _:
                return lambda f: any(value(f) for value in values)
            case "+", [int(p), int(q)], _:
                return lambda f: f[p] + f[q]
            case "+", _, _:
                return lambda f: sum(value(f) for value in values)
            case "*", _, _:
                return lambda f: prod(value(f) for value in values)
            case "<=", [int(p), int(q)], _:
                return lambda f: f[p] <= f[q]
            case "<=", _, [left, right]:
                return lambda f: left(f) <= right(f)
            case "=", [int(p), int(q)], _:
                return lambda f: f[p] == f[q]
            case "=" | "iff", _, [left, right]:
                return lambda f: left(f) == right(f)
        raise AssertionError(operator)

    def _search(self, variables: tuple[Bound, ...], parts: list[Term]) -> _Value:
        """Whether some values of the variables make all parts true."""
        simple_first = sorted(parts, key=lambda part: sum(1 for _ in subterms(part)))
        waiting = [(self._unknown(part, variables), self.value(part)) for part in simple_first]
        places = [self._place(self._variables, variable) for variable in variables]
        tests: list[tuple[_Value, ...]] = []
        for known in range(len(variables) + 1):
            left = set(variables[known:])
            tests.append(tuple(value for names, value in waiting if names.isdisjoint(left)))
            waiting = [(names, value) for names, value in waiting if not names.isdisjoint(left)]
        return _searching(places, tests)

    @staticmethod
    def _unknown(part: Term, variables: tuple[Bound, ...]) -> set[Bound]:
        return {node for node in subterms(part) if isinstance(node, Bound) and node in variables}


def _searching(places: list[int], tests: list[tuple[_Value, ...]]) -> _Value:
    """Loops over the variables, innermost last; `tests[k]` need the first k of them."""
    found: _Value | None = None
    for place, after in zip(reversed(places), reversed(tests[1:]), strict=True):
        found = _loop(place, after if found is None else (*after, found))
    assert found is not None, "a quantifier has a variable"
    return _conjunction((*tests[0], found))


def _conjunction(tests: tuple[_Value, ...]) -> _Value:
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        one, other = tests
        return lambda frame: one(frame) and other(frame)
    return lambda frame: all(test(frame) for test in tests)


def _loop(place: int, tests: tuple[_Value, ...]) -> _Value:
    first, *others = tests or (lambda _: True,)
    others = [_conjunction(tuple(others))] if others else []

    def search(frame: _Frame) -> bool:
        for value in frame[_DOMAIN]:
            frame[place] = value
            if first(frame):
                return True
        return False

    def search_both(frame: _Frame) -> bool:
        rest = others[0]
        for value in frame[_DOMAIN]:
            frame[place] = value
            if first(frame) and rest(frame):
                return True
        return False

    return search_both if others else search


def _both(term: Term, wanted: bool) -> list[Term]:
    """Terms that are all true just if the term has the truth value wanted."""
    match term, wanted:
        case Operation("and", parts), True:
            return [one for part in parts for one in _both(part, True)]
        case Operation("or", parts), False:
            return [one for part in parts for one in _both(part, False)]
        case Operation("=>", (premise, conclusion)), False:
            return [*_both(premise, True), *_both(conclusion, False)]
        case Operation("not", (part,)), _:
            return _both(part, not wanted)
    return [term] if wanted else [Operation("not", (term,))]


# --- for people ------------------------------------------------------------------------------------------------------

_LETTERS: Final = "xyzuvwpqrst"
_TEXT: Final = {"+": " + ", "*": "·", "and": " ∧ ", "or": " ∨ ", "=": " = ", "iff": " ⇔ ", "<=": " ≤ ", "=>": " ⇒ "}
_NAMES: Final = {
    "arc": "{} → {}",
    "reaches": "{} →* {}",
    "linked": "{} ↔* {}",
    "headed": "HEAD({})",
    "arcs": "|A|",
    "gold": "{} →G {}",
    "gold_reaches": "{} →G* {}",
}


@dataclass(frozen=True)
class Wording:
    """How functions are written, by name, and what it means that a function is a number, or at least: `place(x) = 0` is `x ∈ σ`."""

    functions: Mapping[str, str] = field(default_factory=lambda: _NAMES)
    values: Mapping[tuple[str, int], str] = field(default_factory=dict)
    least: Mapping[tuple[str, int], str] = field(default_factory=dict)


def to_text(term: Term, wording: Wording | None = None) -> str:
    """The term for a reader."""
    return _Reader(wording or Wording(), count()).text(term, {})


@dataclass(frozen=True)
class _Reader:
    wording: Wording
    fresh: Iterator[int]

    def text(self, term: Term, names: Mapping[Bound, str]) -> str:
        """A term in which the bound variables have these names."""
        words = self.wording

        def inner(part: Term) -> str:
            return self.text(part, names)

        match term:
            case Number(value):
                return str(value)
            case Truth(value):
                return "true" if value else "false"
            case Bound():
                return names[term]
            case Apply(symbol, arguments):
                if symbol.name in words.functions:
                    return words.functions[symbol.name].format(*map(inner, arguments))
                return symbol.name + (f"({', '.join(map(inner, arguments))})" if arguments else "")
            case Operation("=", (Apply(symbol, (argument,)), Number(value))) if self._worded(term):
                return words.values[symbol.name, value].format(inner(argument))
            case Operation("<=", (Number(value), Apply(symbol, (argument,)))) if (symbol.name, value) in words.least:
                return words.least[symbol.name, value].format(inner(argument))
            case Operation("not", (Operation("=", (left, right)) as part,)) if not self._worded(part):
                return f"{inner(left)} ≠ {inner(right)}"
            case Operation("not", (part,)):
                text = inner(part)
                return f"¬({text})" if " " in text else f"¬{text}"
            case Operation("<=", (Operation("+", (left, Number(1))), right)):
                return f"{inner(left)} < {inner(right)}"
            case Operation("+", arguments):
                return inner(arguments[0]) + "".join(self._summand(part, names) for part in arguments[1:])
            case Operation("ite", (condition, then, otherwise)):
                return f"({inner(then)} if {inner(condition)} else {inner(otherwise)})"
            case Operation("and", arguments):
                return " ∧ ".join(self._chained(arguments, names))
            case Operation(operator, arguments):
                return _TEXT[operator].join(self._bracketed(a, names) for a in arguments)
            case Quantified(quantifier, variables, body):
                here = {**names, **{v: _letter(next(self.fresh)) for v in variables}}
                sign = "∀" if quantifier == "forall" else "∃"
                return f"{sign}{','.join(here[v] for v in variables)}: {self.text(body, here)}"
            case _:
                assert_never(term)

    def _worded(self, term: Term) -> bool:
        match term:
            case Operation("=", (Apply(symbol, (_,)), Number(value))):
                return (symbol.name, value) in self.wording.values
        return False

    def _chained(self, parts: tuple[Term, ...], names: Mapping[Bound, str]) -> list[str]:
        """The parts of a conjunction; `0 ≤ x` and `x < y` that follow each other become `0 ≤ x < y`."""
        written: list[str] = []
        last: Term | None = None
        for part in parts:
            ends = _ends(part)
            if ends is not None and last is not None and ends[0] == last:
                written[-1] += f" {ends[1]} {self.text(ends[2], names)}"
            else:
                written.append(self._bracketed(part, names))
            last = None if ends is None else ends[2]
        return written

    def _summand(self, part: Term, names: Mapping[Bound, str]) -> str:
        match part:
            case Number(value) if value < 0:
                return f" - {-value}"
            case Operation("*", (Number(-1), rest)):
                return f" - {self.text(rest, names)}"
        return f" + {self.text(part, names)}"

    def _bracketed(self, term: Term, names: Mapping[Bound, str]) -> str:
        text = self.text(term, names)
        joins = isinstance(term, Operation) and term.operator in ("and", "or", "=>", "iff")
        return f"({text})" if joins or isinstance(term, Quantified) else text


def _ends(term: Term) -> tuple[Term, str, Term] | None:
    """The two sides of an inequality, and its sign."""
    match term:
        case Operation("<=", (Operation("+", (left, Number(1))), right)):
            return left, "<", right
        case Operation("<=", (left, right)):
            return left, "≤", right
    return None


def _letter(number: int) -> str:
    return _LETTERS[number % len(_LETTERS)] + ("" if number < len(_LETTERS) else str(number // len(_LETTERS)))
