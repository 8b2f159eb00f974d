"""Bounds as claims write them: a polynomial in n plus a linear combination of counts of transitions.

`2n + 2 #SWAP` is {n: 2n, SWAP: 2}.  A term that multiplies counts with each other has no such form.
"""

from collections.abc import Mapping
from fractions import Fraction

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import compare
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.system import System


class NotLinear(Exception):
    """A bound that is not linear in the counts of transitions."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A polynomial in n, and the coefficients of the transitions that are counted."""

    polynomial: Polynomial
    counts: Mapping[str, Fraction]

    @classmethod
    def of(cls, term: s.Term, system: System) -> "Bound":
        """The bound of a claim, with the system's parameters filled in; `NotLinear` if it has no such form."""
        return _bound(term, system)

    def at(self, words: int) -> Fraction:
        """The part without counts, for this many words."""
        return self.polynomial.at(words)

    def weight(self, name: str, own: int) -> Fraction:
        """What one transition adds to the left side minus the right side of the bound; `own` is what it adds to the
        left side.
        """
        return own - self.counts.get(name, Fraction(0))


def _bound(term: s.Term, system: System) -> Bound:
    match term:
        case s.Number(value):
            return Bound(Polynomial.of(value), {})
        case s.Words():
            return Bound(Polynomial.of(0, 1), {})
        case s.Parameter(name):
            given = system.parameters[name]
            if not isinstance(given, int):
                raise NotLinear(f"the parameter {name} is infinite")
            return Bound(Polynomial.of(given), {})
        case s.Count(transition):
            return Bound(Polynomial(), {transition: Fraction(1)})
        case s.Arithmetic(operator, left, right):
            return _combined(operator, _bound(left, system), _bound(right, system))
    raise NotLinear(f"{type(term).__name__} in a bound")


def _combined(operator: s.Operator, left: Bound, right: Bound) -> Bound:
    match operator:
        case "+" | "-":
            sign = 1 if operator == "+" else -1
            polynomial = left.polynomial + right.polynomial.times(sign)
            return Bound(polynomial, _sum_counts(left.counts, right.counts, sign))
        case "*":
            return _product(left, right)
        case "/":
            divisor = _constant(right)
            if divisor == 0:
                raise NotLinear("division by zero")
            return _scaled(left, 1 / divisor)
        case "^":
            power = Bound(Polynomial.of(1), {})
            for _ in range(int(_constant(right))):
                power = _product(power, left)
            return power


def _product(left: Bound, right: Bound) -> Bound:
    if not left.counts and not right.counts:
        return Bound(left.polynomial * right.polynomial, {})
    if right.counts:
        left, right = right, left
    return _scaled(left, _constant(right))


def _constant(bound: Bound) -> Fraction:
    value = bound.polynomial.constant
    if bound.counts or value is None:
        raise NotLinear("counts of transitions may only be multiplied by numbers")
    return value


def _scaled(bound: Bound, factor: Fraction) -> Bound:
    return Bound(bound.polynomial.times(factor), {name: c * factor for name, c in bound.counts.items()})


def _sum_counts(left: Mapping[str, Fraction], right: Mapping[str, Fraction], sign: int) -> dict[str, Fraction]:
    names = [*left, *(name for name in right if name not in left)]
    return {name: left.get(name, Fraction(0)) + sign * right.get(name, Fraction(0)) for name in names}


def holds_between(value: Fraction | int, relation: s.Bounding, limit: Fraction | int) -> bool:
    """Whether `value relation limit` holds."""
    return compare(value, relation, limit)
