"""Polynomials in n, the number of words, with rational coefficients: evaluated, printed, added, multiplied, fitted."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, zip_longest
from math import lcm

from arcproof.process.lazy_dataclass import dataclass

MOST_FITTED = 2


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial; `coefficients[k]` is the factor of n to the k."""

    coefficients: tuple[Fraction, ...] = ()

    @classmethod
    def of(cls, *coefficients: int | Fraction) -> "Polynomial":
        """The polynomial with these coefficients, the constant first."""
        return cls(tuple(map(Fraction, coefficients)))

    @classmethod
    def fitting(cls, values: Sequence[int], first: int = 1) -> "Polynomial | None":
        """The polynomial of degree at most 2 through all values at `first`, the next n, …; None if there is none.

        It is a conjecture, and offered only when there are more values than coefficients.

        >>> str(Polynomial.fitting([2, 6, 12, 20]))
        'n^2 + n'
        """
        for width in range(1, min(MOST_FITTED + 2, len(values))):
            found = _through(values[:width], first)
            if all(found.at(n) == value for n, value in enumerate(values, start=first)):
                return found
        return None

    def at(self, n: int) -> Fraction:
        """The value for n words."""
        return sum((c * n**k for k, c in enumerate(self.coefficients)), Fraction(0))

    def __add__(self, other: "Polynomial") -> "Polynomial":
        """The sum."""
        both = zip_longest(self.coefficients, other.coefficients, fillvalue=Fraction(0))
        return Polynomial(tuple(a + b for a, b in both))

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        """The difference."""
        return self + other.times(-1)

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        """The product."""
        found = [Fraction(0)] * max(len(self.coefficients) + len(other.coefficients) - 1, 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                found[i + j] += a * b
        return Polynomial(tuple(found))

    def times(self, factor: int | Fraction) -> "Polynomial":
        """A multiple."""
        return Polynomial(tuple(c * factor for c in self.coefficients))

    @property
    def constant(self) -> Fraction | None:
        """The value if it is the same for every n; otherwise None."""
        return None if any(self.coefficients[1:]) else self.at(0)

    def __str__(self) -> str:
        """The polynomial as a formula in n.

        >>> str(Polynomial.of(0, Fraction(3, 2), Fraction(1, 2)))
        '(n^2 + 3n)/2'
        """
        scale = lcm(*(coefficient.denominator for coefficient in self.coefficients))
        terms: list[str] = []
        for power in reversed(range(len(self.coefficients))):
            number = int(self.coefficients[power] * scale)
            if number == 0 and (power > 0 or terms):
                continue
            name = {0: "", 1: "n"}.get(power, f"n^{power}")
            size = "" if abs(number) == 1 and name else str(abs(number))
            sign = ("-" if number < 0 else "") if not terms else (" - " if number < 0 else " + ")
            terms.append(f"{sign}{size}{name}")
        text = "".join(terms) or "0"
        return text if scale == 1 else f"({text})/{scale}"


def conjecture(values: Sequence[int | None]) -> tuple[Polynomial, int] | None:
    """The polynomial through the values at 1, 2, 3, … and the n from which it holds: 1 or, as one word is often
    special, 2.

    A None among the values is one that is unknown or does not exist.

    >>> fit, first = conjecture([1, 4, 6, 8])
    >>> str(fit), first, conjecture([1, 4, None, 8])
    ('2n', 2, None)
    """
    for first in (1, 2):
        known = [value for value in values[first - 1 :] if value is not None]
        fit = Polynomial.fitting(known, first) if len(known) == len(values) - first + 1 else None
        if fit is not None:
            return fit, first
    return None


def _through(values: Sequence[int], first: int) -> Polynomial:
    """The polynomial of least degree through the values at `first`, …, by Newton's differences."""
    row, basis, found = [Fraction(value) for value in values], Polynomial.of(1), Polynomial()
    for k in range(1, len(values) + 1):
        found += basis.times(row[0])
        basis = (basis * Polynomial.of(1 - first - k, 1)).times(Fraction(1, k))
        row = [b - a for a, b in pairwise(row)]
    return found
