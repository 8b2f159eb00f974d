"""Terms printed for people: `place(x) = 0` is `x ∈ σ`, bound variables are letters in the order in which they occur."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final, assert_never

from arcproof.properties.proving.language.terms import (
    Apply,
    BoundVariable,
    Integer,
    Operation,
    QuantifiedTerm,
    Term,
    TruthValue,
)

_LETTERS: Final = "xyzuvwpqrst"
_TEXT: Final = {"+": " + ", "*": "·", "and": " ∧ ", "or": " ∨ ", "=": " = ", "iff": " ⇔ ", "<=": " ≤ ", "=>": " ⇒ "}
_NAMES: Final = {
    "arc": "{} → {}",
    "reaches": "{} →* {}",
    "linked": "{} ↔* {}",
    "headed": "HEAD({})",
    "arcs": "|A|",
    "second_plane": "{} has its arc in the second plane",
    "gold": "{} →G {}",
    "gold_reaches": "{} →G* {}",
}


@dataclass(frozen=True)
class Wording:
    """How to write functions, by name, and how to write that a function equals a number or is at least one: `place(x) =
    0` is `x ∈ σ`.
    """

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

    def text(self, term: Term, names: Mapping[BoundVariable, str]) -> str:
        """A term in which the bound variables have these names."""
        words = self.wording

        def inner(part: Term) -> str:
            return self.text(part, names)

        match term:
            case Integer(value):
                return str(value)
            case TruthValue(value):
                return "true" if value else "false"
            case BoundVariable():
                return names[term]
            case Apply(symbol, arguments):
                if symbol.name in words.functions:
                    return words.functions[symbol.name].format(*map(inner, arguments))
                return symbol.name + (f"({', '.join(map(inner, arguments))})" if arguments else "")
            case Operation("=", (Apply(symbol, (argument,)), Integer(value))) if self._worded(term):
                return words.values[symbol.name, value].format(inner(argument))
            case Operation("<=", (Integer(value), Apply(symbol, (argument,)))) if (symbol.name, value) in words.least:
                return words.least[symbol.name, value].format(inner(argument))
            case Operation("not", (Operation("=", (left, right)) as part,)) if not self._worded(part):
                return f"{inner(left)} ≠ {inner(right)}"
            case Operation("not", (part,)):
                text = inner(part)
                return f"¬({text})" if " " in text else f"¬{text}"
            case Operation("<=", (Operation("+", (left, Integer(1))), right)):
                return f"{inner(left)} < {inner(right)}"
            case Operation("+", arguments):
                return inner(arguments[0]) + "".join(self._summand(part, names) for part in arguments[1:])
            case Operation("ite", (condition, then, otherwise)):
                return f"({inner(then)} if {inner(condition)} else {inner(otherwise)})"
            case Operation("and", arguments):
                return " ∧ ".join(self._chained(arguments, names))
            case Operation(operator, arguments):
                return _TEXT[operator].join(self._bracketed(a, names) for a in arguments)
            case QuantifiedTerm(quantifier, variables, body):
                here = {**names, **{v: _letter(next(self.fresh)) for v in variables}}
                sign = "∀" if quantifier == "forall" else "∃"
                return f"{sign}{','.join(here[v] for v in variables)}: {self.text(body, here)}"
            case _:
                assert_never(term)

    def _worded(self, term: Term) -> bool:
        match term:
            case Operation("=", (Apply(symbol, (_,)), Integer(value))):
                return (symbol.name, value) in self.wording.values
        return False

    def _chained(self, parts: tuple[Term, ...], names: Mapping[BoundVariable, str]) -> list[str]:
        """The parts of a conjunction; `0 ≤ x` followed by `x < y` becomes `0 ≤ x < y`."""
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

    def _summand(self, part: Term, names: Mapping[BoundVariable, str]) -> str:
        match part:
            case Integer(value) if value < 0:
                return f" - {-value}"
            case Operation("*", (Integer(-1), rest)):
                return f" - {self.text(rest, names)}"
        return f" + {self.text(part, names)}"

    def _bracketed(self, term: Term, names: Mapping[BoundVariable, str]) -> str:
        text = self.text(term, names)
        joins = isinstance(term, Operation) and term.operator in ("and", "or", "=>", "iff")
        return f"({text})" if joins or isinstance(term, QuantifiedTerm) else text


def _ends(term: Term) -> tuple[Term, str, Term] | None:
    """The two sides of an inequality and the sign between them."""
    match term:
        case Operation("<=", (Operation("+", (left, Integer(1))), right)):
            return left, "<", right
        case Operation("<=", (left, right)):
            return left, "≤", right
    return None


def _letter(number: int) -> str:
    return _LETTERS[number % len(_LETTERS)] + ("" if number < len(_LETTERS) else str(number // len(_LETTERS)))
