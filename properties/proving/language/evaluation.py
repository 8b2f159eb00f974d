"""The value of a term in a finite model: a term becomes a Python function, and a quantifier becomes loops that look for
a witness.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never

from arcproof.properties.proving.language.terms import (
    Apply,
    BoundVariable,
    Integer,
    Operation,
    QuantifiedTerm,
    Term,
    TruthValue,
    subterms,
)

Model: TypeAlias = Mapping[str, object]
Evaluate: TypeAlias = Callable[[Model, range], object]

_INFIX: Final = {"and": " and ", "or": " or ", "+": " + ", "*": " * ", "=": " == ", "iff": " == ", "<=": " <= "}
MOST_LOOPS: Final = 10
"""Python allows up to 20 nested loops."""
_DOMAIN: Final = "d"
"""The integers that quantifiers range over."""


def to_python(term: Term) -> Evaluate:
    """A function of a model and of the integers that quantifiers range over.

    The model gives each constant its value and each function a Python function, which must have a value for every
    integer.  The function is made when it is called for the first time.
    """
    made: list[Evaluate] = []

    def evaluate(model: Model, integers: range) -> object:
        if not made:
            made.append(_Program().made(term))
        return made[0](model, integers)

    return evaluate


class _Program:
    """Writes Python for a term: one function for each quantifier, whose parameters are whatever occurs in it.

    A quantifier is a search for a witness (of the negated body, for `forall`); each part of the conjunction is tried as
    soon as its variables have values, so that most of the search is pruned.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._variables: dict[BoundVariable, str] = {}
        self._functions: list[str] = []

    def made(self, term: Term) -> Evaluate:
        """The function of a term without free variables."""
        value = self._value(term)
        known = [f"    {local} = m[{name!r}]" for name, local in self._names.items()]
        scope: dict[str, Any] = {"__builtins__": {}}
        text = "\n".join((*self._functions, f"def evaluate(m, {_DOMAIN}):", *known, f"    return {value}"))
        exec(text, scope)  # numbers and names invented here; those of a figure are quoted keys of `m`
        found: Evaluate = scope["evaluate"]
        return found

    def _value(self, term: Term) -> str:
        match term:
            case Integer(value):
                return str(value) if value >= 0 else f"({value})"
            case TruthValue(value):
                return str(value)
            case BoundVariable():
                return self._variables.setdefault(term, f"x{len(self._variables)}")
            case Apply(_, arguments):
                name = self._name(term)
                return f"{name}({', '.join(map(self._value, arguments))})" if arguments else name
            case Operation("not", (part,)):
                return f"(not {self._value(part)})"
            case Operation("=>", (premise, conclusion)):
                return f"(not {self._value(premise)} or {self._value(conclusion)})"
            case Operation("ite"):
                return f"({self._choice(term)})"
            case Operation(operator, arguments):
                return f"({_INFIX[operator].join(map(self._value, arguments))})"
            case QuantifiedTerm(quantifier, variables, body):
                exists = self._search(variables, _both(body, quantifier == "exists"))
                return exists if quantifier == "exists" else f"(not {exists})"
            case _:
                assert_never(term)

    def _choice(self, term: Term) -> str:
        """Cases written one after another without parentheses, which Python limits to 200 levels."""
        cases: list[str] = []
        while isinstance(term, Operation) and term.operator == "ite":
            condition, then, term = term.arguments
            cases.append(f"{self._value(then)} if {self._value(condition)} else ")
        return "".join((*cases, self._value(term)))

    def _name(self, term: Apply) -> str:
        return self._names.setdefault(term.symbol.name, f"f{len(self._names)}")

    def _search(self, variables: Sequence[BoundVariable], parts: list[Term]) -> str:
        """Whether some values of the variables make all parts true: a call of a function that is written for this
        search.
        """
        variables, parts = _in_few_loops(tuple(variables), parts)
        inside = [node for part in parts for node in subterms(part)]
        bound = {*variables, *(v for node in inside if isinstance(node, QuantifiedTerm) for v in node.variables)}
        known_here = [node for node in inside if isinstance(node, BoundVariable) and node not in bound]
        names = [self._name(node) for node in inside if isinstance(node, Apply)]
        waiting = [(_unknown(part, variables), self._value(part)) for part in sorted(parts, key=_size)]
        lines: list[str] = []
        for known in range(len(variables) + 1):
            if known:
                lines.append(f"{'    ' * known}for {self._value(variables[known - 1])} in {_DOMAIN}:")
            left = set(variables[known:])
            ready = [value for unknown, value in waiting if unknown.isdisjoint(left)]
            waiting = [(unknown, value) for unknown, value in waiting if not unknown.isdisjoint(left)]
            if known == len(variables):
                lines.append(f"{'    ' * (known + 1)}if {' and '.join(ready) or True}: return True")
            elif ready:
                over = "continue" if known else "return False"
                lines.append(f"{'    ' * (known + 1)}if not ({' and '.join(ready)}): {over}")
        parameters = ", ".join(dict.fromkeys((_DOMAIN, *names, *map(self._value, known_here))))
        call = f"q{len(self._functions)}({parameters})"
        self._functions.append("\n".join((f"def {call}:", *lines, "    return False")))
        return call


def _size(term: Term) -> int:
    return sum(1 for _ in subterms(term))


def _unknown(part: Term, variables: Sequence[BoundVariable]) -> set[BoundVariable]:
    return {node for node in subterms(part) if isinstance(node, BoundVariable) and node in variables}


def _in_few_loops(
    variables: tuple[BoundVariable, ...], parts: list[Term]
) -> tuple[tuple[BoundVariable, ...], list[Term]]:
    """The same search for the first variables only; the parts about the other variables become a search of their
    own.
    """
    first, others = variables[:MOST_LOOPS], variables[MOST_LOOPS:]
    if not others:
        return variables, parts
    inside = [part for part in parts if _unknown(part, others)]
    rest = [part for part in parts if part not in inside]
    return first, [*rest, QuantifiedTerm("exists", others, Operation("and", tuple(inside)))] if inside else rest


def _both(term: Term, wanted: bool) -> list[Term]:
    """Terms that are all true if and only if the term has the desired truth value."""
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
