"""What `explore` says of one level: counts, lengths, dead ends, and how many derivations an output has."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

from arcproof.properties.engines.engine import Counted, Engine
from arcproof.properties.engines.spaces import OutOfBounds


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """The numbers of one level; without them `reason` says why it was left out, and `known` how many configurations were known by then."""

    words: int
    counted: Counted | None
    reason: str | None = None
    known: int = 0

    @property
    def complete(self) -> bool:
        """Whether every configuration was visited."""
        return self.counted is not None


def explore_level(engine: Engine, words: int, memory: int | None = None) -> LevelSummary:
    """Explore one level; one that needs more memory is left out."""
    try:
        return LevelSummary(words, engine.count(words, memory))
    except OutOfBounds as error:
        return LevelSummary(words, None, str(error), error.configurations)


def fitting_polynomial(values: Sequence[int]) -> tuple[Fraction, ...] | None:
    """Coefficients (constant first) of a polynomial of degree at most 2 through all values at 1, 2, 3, …; None if there is none.

    A conjecture, and only offered when there are more values than coefficients.

    >>> fitting_polynomial([2, 6, 12, 20])
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 1))
    """
    for degree in (0, 1, 2):
        if len(values) < degree + 2:
            return None
        coefficients = _through(values[: degree + 1])
        if all(_at(coefficients, n) == value for n, value in enumerate(values, start=1)):
            return coefficients
    return None


def _through(values: Sequence[int]) -> tuple[Fraction, ...]:
    """The polynomial of least degree through the values at 1, 2, …, by Newton's differences."""
    differences: list[list[Fraction]] = [[Fraction(value) for value in values]]
    while len(differences[-1]) > 1:
        last = differences[-1]
        differences.append([b - a for a, b in pairwise(last)])
    result = [Fraction(0)] * len(values)
    basis = [Fraction(1)]
    for k, row in enumerate(differences):
        for power, coefficient in enumerate(basis):
            result[power] += row[0] * coefficient
        # the next basis polynomial is this one times (n - 1 - k) / (k + 1)
        grown = [Fraction(0), *basis]
        for power, coefficient in enumerate(basis):
            grown[power] -= coefficient * (k + 1)
        basis = [coefficient / (k + 1) for coefficient in grown]
    return tuple(result)


def _at(coefficients: Sequence[Fraction], n: int) -> Fraction:
    return sum((c * n**k for k, c in enumerate(coefficients)), Fraction(0))


def show_polynomial(coefficients: Sequence[Fraction]) -> str:
    """As a formula in n.

    >>> show_polynomial((Fraction(0), Fraction(3, 2), Fraction(1, 2)))
    '(n^2 + 3n)/2'
    """
    scale = 1
    for coefficient in coefficients:
        scale = lcm(scale, coefficient.denominator)
    terms: list[str] = []
    for power in reversed(range(len(coefficients))):
        number = int(coefficients[power] * scale)
        if number == 0 and (power > 0 or terms):
            continue
        name = {0: "", 1: "n"}.get(power, f"n^{power}")
        size = "" if abs(number) == 1 and name else str(abs(number))
        sign = ("-" if number < 0 else "") if not terms else (" - " if number < 0 else " + ")
        terms.append(f"{sign}{size}{name}")
    text = "".join(terms)
    return text if scale == 1 else f"({text})/{scale}"
