"""A small first-order language with integers: the language of the proofs.

A term is an integer or a truth value.  The nodes are data only; the meanings are functions: `to_smt` prints plain
SMT-LIB 2.6 that every solver reads, `evaluation.to_python` gives a function that computes the value of a term in a
finite model, `wording.to_text` prints for people. Functions are uninterpreted and take integers; there are no arrays,
no lambdas, no recursive definitions.

The constructors simplify: sums are kept in a normal form, so that `h - 2 + 1` is `h - 1`, and a comparison that such
arithmetic decides is `TRUE` or `FALSE`.  Bound variables have numbers of their own, so that no substitution can capture
them; the printers name them by the order in which they occur, so that equal formulas have equal texts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal, TypeAlias, TypeVar, assert_never

R = TypeVar("R")
Sort: TypeAlias = Literal["Int", "Bool"]


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class TruthValue:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class BoundVariable:
    """An integer variable of a quantifier."""

    number: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """An uninterpreted function of this many integers; without arguments it is a constant."""

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
    """An interpreted operation; `=` and `<=` compare integers, `iff` compares truth values, `ite` chooses between
    integers.
    """

    operator: Operator
    arguments: tuple["Term", ...]


Quantifier: TypeAlias = Literal["forall", "exists"]


@dataclass(frozen=True, slots=True)
class QuantifiedTerm:
    """A formula about all integers, or about some."""

    quantifier: Quantifier
    variables: tuple[BoundVariable, ...]
    body: "Term"


Term: TypeAlias = Integer | TruthValue | BoundVariable | Apply | Operation | QuantifiedTerm
Function: TypeAlias = Callable[[Term], Term]
Relation: TypeAlias = Callable[[Term, Term], Term]

MOST_REMEMBERED: Final = 20_000
TRUE: Final = TruthValue(True)
FALSE: Final = TruthValue(False)
_numbers: Final = count()


def _worked_out_once(function: Callable[["Term"], R]) -> Callable[["Term"], R]:
    """The function with a cache of recent results, by term.

    A term is identified by its address and kept alive, since comparing terms would take longer.
    """
    known: dict[int, tuple[Term, R]] = {}

    def remembered(term: Term) -> R:
        found = known.get(id(term))
        if found is None:
            if len(known) == MOST_REMEMBERED:
                known.clear()
            found = known[id(term)] = term, function(term)
        return found[1]

    return remembered


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
        case Integer(value):
            return {}, value
        case Operation("+", parts):
            return _linear_sum(linear(part) for part in parts)
        case Operation("*", (Integer(factor), part)):
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
    parts = [t if c == 1 else Operation("*", (Integer(c), t)) for t, c in terms.items()]
    if number or not parts:
        parts.append(Integer(number))
    return parts[0] if len(parts) == 1 else Operation("+", tuple(parts))


def add(*parts: Term | int) -> Term:
    """A sum."""
    return from_linear(_linear_sum(linear(integer(part)) for part in parts))


def integer(value: Term | int) -> Term:
    """A number as a term."""
    return Integer(value) if isinstance(value, int) else value


def times(factor: int, term: Term) -> Term:
    """A term multiplied by a number."""
    terms, number = linear(term)
    return from_linear(({t: factor * c for t, c in terms.items() if factor * c}, factor * number))


def product(left: Term, right: Term) -> Term:
    """A product, linear if one side is a number."""
    match left, right:
        case Integer(value), _:
            return times(value, right)
        case _, Integer(value):
            return times(value, left)
    return Operation("*", (left, right))


def subtract(left: Term | int, right: Term | int) -> Term:
    """A difference."""
    return add(left, times(-1, integer(right)))


def _difference(left: Term | int, right: Term | int) -> int | None:
    """left - right, if that is a number; otherwise None."""
    terms, number = linear(integer(left))
    others, other = linear(integer(right))
    return number - other if terms == others else None


def equal(left: Term | int, right: Term | int) -> Term:
    """Equality of integers."""
    known = _difference(left, right)
    return Operation("=", (integer(left), integer(right))) if known is None else TruthValue(known == 0)


def differ(left: Term | int, right: Term | int) -> Term:
    """Inequality of integers."""
    return negation(equal(left, right))


def at_most(left: Term | int, right: Term | int) -> Term:
    """left <= right."""
    known = _difference(left, right)
    return Operation("<=", (integer(left), integer(right))) if known is None else TruthValue(known <= 0)


def less(left: Term | int, right: Term | int) -> Term:
    """left < right."""
    return at_most(add(left, 1), right)


def within(low: Term | int, term: Term, high: Term | int) -> Term:
    """low <= term < high."""
    return conjunction(at_most(low, term), less(term, high))


def negation(term: Term) -> Term:
    """Not."""
    match term:
        case TruthValue(value):
            return TruthValue(not value)
        case Operation("not", (inner,)):
            return inner
    return Operation("not", (term,))


def conjunction(*parts: Term) -> Term:
    """And."""
    return _joined("and", parts, FALSE, TRUE)


def disjunction(*parts: Term) -> Term:
    """Or."""
    return _joined("or", parts, TRUE, FALSE)


def _joined(operator: Literal["and", "or"], parts: Iterable[Term], absorbing: TruthValue, neutral: TruthValue) -> Term:
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
        case (TruthValue(True), _) | (_, TruthValue(True)):
            return conclusion
        case TruthValue(False), _:
            return TRUE
        case _, TruthValue(False):
            return negation(premise)
    return Operation("=>", (premise, conclusion))


def equivalent(left: Term, right: Term) -> Term:
    """The equivalence of two truth values."""
    match left, right:
        case TruthValue(value), other:
            return other if value else negation(other)
        case other, TruthValue(value):
            return other if value else negation(other)
    return TRUE if left == right else Operation("iff", (left, right))


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """An integer by cases."""
    if isinstance(condition, TruthValue):
        return then if condition.value else otherwise
    return then if then == otherwise else Operation("ite", (condition, then, otherwise))


def case_of(condition: Term, then: Term, otherwise: Term) -> Term:
    """A truth value by cases."""
    return conjunction(implies(condition, then), implies(negation(condition), otherwise))


def for_all(body: Callable[..., Term]) -> Term:
    """The formula that all integers satisfy the body; it has as many variables as the function has parameters:
    `for_all(lambda x, y: …)`.
    """
    return _quantified("forall", body)


def exists(body: Callable[..., Term]) -> Term:
    """The formula that some integers satisfy the body."""
    return _quantified("exists", body)


def _quantified(quantifier: Quantifier, body: Callable[..., Term]) -> Term:
    variables = tuple(fresh() for _ in range(body.__code__.co_argcount))
    return quantified(quantifier, variables, body(*variables))


def fresh() -> BoundVariable:
    """A variable that occurs nowhere else."""
    return BoundVariable(next(_numbers))


def quantified(quantifier: Quantifier, variables: tuple[BoundVariable, ...], body: Term) -> Term:
    """A quantifier over variables that occur in the body."""
    return body if isinstance(body, TruthValue) else QuantifiedTerm(quantifier, variables, body)


def is_truth(term: Term) -> bool:
    """Whether a term is a truth value rather than an integer."""
    match term:
        case TruthValue() | QuantifiedTerm():
            return True
        case Integer() | BoundVariable():
            return False
        case Apply(symbol, _):
            return symbol.sort == "Bool"
        case Operation(operator, _):
            return operator not in ("+", "*", "ite")
        case _:
            assert_never(term)


# --- walking ---------------------------------------------------------------------------------------------------------


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything in it, from left to right."""
    waiting = [term]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case Apply(_, parts) | Operation(_, parts):
                waiting.extend(reversed(parts))
            case QuantifiedTerm(_, _, body):
                waiting.append(body)


def symbols(terms: Iterable[Term]) -> list[Symbol]:
    """The functions that occur, sorted by name."""
    found = frozenset[Symbol]().union(*map(_symbols, terms))
    return sorted(found, key=lambda symbol: symbol.name)


@_worked_out_once
def _symbols(term: Term) -> frozenset[Symbol]:
    return frozenset(node.symbol for node in subterms(term) if isinstance(node, Apply))


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction."""
    if isinstance(term, Operation) and term.operator == "and":
        return tuple(part for argument in term.arguments for part in conjuncts(argument))
    return () if term == TRUE else (term,)


# --- SMT-LIB ---------------------------------------------------------------------------------------------------------

_SMT: Final = {"iff": "="}


@_worked_out_once
def to_smt(term: Term) -> str:
    """The term in SMT-LIB 2.6."""
    return _smt(term, {}, count())


def _smt(term: Term, names: Mapping[BoundVariable, str], fresh: Iterator[int]) -> str:
    match term:
        case Integer(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case TruthValue(value):
            return "true" if value else "false"
        case BoundVariable():
            return names[term]
        case Apply(symbol, ()):
            return symbol.name
        case Apply(symbol, arguments):
            return f"({symbol.name} {' '.join(_smt(a, names, fresh) for a in arguments)})"
        case Operation(operator, arguments):
            return f"({_SMT.get(operator, operator)} {' '.join(_smt(a, names, fresh) for a in arguments)})"
        case QuantifiedTerm(quantifier, variables, body):
            inner = {**names, **{v: f"x{next(fresh)}" for v in variables}}
            declared = " ".join(f"({inner[v]} Int)" for v in variables)
            return f"({quantifier} ({declared}) {_smt(body, inner, fresh)})"
        case _:
            assert_never(term)


def declaration(symbol: Symbol) -> str:
    """The line that declares a function."""
    return f"(declare-fun {symbol.name} ({' '.join(['Int'] * symbol.arity)}) {symbol.sort})"
