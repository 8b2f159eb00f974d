"""The value of a term in a finite model: terms become closures, a quantifier becomes a search for a witness."""

from collections.abc import Callable, Mapping
from math import prod
from operator import itemgetter
from typing import Any, Final, TypeAlias

from arcproof.properties.proving.language.terms import (
    Apply,
    BoundVariable,
    Integer,
    Operation,
    Operator,
    QuantifiedTerm,
    Term,
    TruthValue,
    subterms,
)

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
        self._variables: dict[BoundVariable, int] = {}
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
            case Integer(value):
                return self._place(self._numbers, value)
            case BoundVariable():
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
            case TruthValue(value):
                return lambda _: value
            case Apply(symbol, arguments):
                return self._applied(self._place(self.names, symbol.name), arguments)
            case Operation(operator, arguments):
                return self._operation(operator, arguments)
            case QuantifiedTerm("exists", variables, body):
                return self._search(variables, _both(body, True))
            case QuantifiedTerm("forall", variables, body):
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

    def _search(self, variables: tuple[BoundVariable, ...], parts: list[Term]) -> _Value:
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
    def _unknown(part: Term, variables: tuple[BoundVariable, ...]) -> set[BoundVariable]:
        return {node for node in subterms(part) if isinstance(node, BoundVariable) and node in variables}


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
