"""The measures of a figure: rankings that its author provides.

A measure is useful for a claim if it does what the claim requires of a ranking (`ranking.Demand`).  Whether it does so
in the steps of short sentences is checked directly; for all n it is proved like any other ranking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final, assert_never

from arcproof.properties.proving.goals.ranking import ARCS, Demand, Monomial, N, Observed, Ranking, Sizes
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import compare
from arcproof.transitions.system import System

_Terms = dict[Monomial, Fraction]


def ranking_of(term: s.Term, system: System) -> Ranking:
    """The ranking of a measure, multiplied out; raises `Unsupported` if the measure is infinite."""
    values = frozenset(c.name for c in system.figure.state if isinstance(c, s.ValueComponent))
    flags = {c.name for c in system.figure.state if c.kind == "flag"}
    found = _Reader(system.parameters, flags).terms(term)
    return Ranking({monomial: c for monomial, c in found.items() if c}, values)


@dataclass(frozen=True)
class _Reader:
    parameters: Mapping[str, float]
    flags: set[str]

    def terms(self, term: s.Term) -> _Terms:
        match term:
            case s.Number(value):
                return {(): Fraction(value)}
            case s.Parameter(name):
                if self.parameters[name] == inf:
                    raise Unsupported(f"a measure with {name} = ∞")
                return {(): Fraction(self.parameters[name])}
            case s.Words():
                return {(N,): Fraction(1)}
            case s.ArcCount():
                return {((ARCS,),): Fraction(1)}
            case s.Size(name) | s.CounterVariable(name) | s.FlagValue(name):
                return {((name,),): Fraction(1)}
            case s.Arithmetic("+" | "-" as sign, left, right):
                return _sum(self.terms(left), self.terms(right), 1 if sign == "+" else -1)
            case s.Arithmetic("*", left, right):
                return self._product(self.terms(left), self.terms(right))
            case s.Arithmetic("/", left, s.Number(value)):
                return {monomial: c / value for monomial, c in self.terms(left).items()}
            case s.Arithmetic("^", left, s.Number(value)):
                power: _Terms = {(): Fraction(1)}
                for _ in range(value):
                    power = self._product(power, self.terms(left))
                return power
            case s.Arithmetic() | s.Infinity() | s.Variable() | s.Degree() | s.GoldFunction() | s.Count():
                raise Unsupported("a measure is a polynomial in n, sizes, counters and flags")
            case _:
                assert_never(term)

    def _product(self, left: _Terms, right: _Terms) -> _Terms:
        found: _Terms = {}
        for one, c in left.items():
            for other, d in right.items():
                found = _sum(found, {self._joined(one, other): c * d}, 1)
        return found

    def _joined(self, one: Monomial, other: Monomial) -> Monomial:
        """The product of two monomials; a flag is its own square."""
        factors = sorted((*one, *other))
        return tuple(f for k, f in enumerate(factors) if not (f and f[0] in self.flags and f in factors[:k]))


def _sum(left: _Terms, right: _Terms, sign: int) -> _Terms:
    return {m: left.get(m, Fraction(0)) + sign * right.get(m, Fraction(0)) for m in dict.fromkeys((*left, *right))}


# --- in short sentences ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Misfit:
    """Sizes, or a step from them, at which a ranking does not meet a demand: what it was, and what it should be."""

    words: int
    sizes: str
    transition: str | None
    found: Fraction
    wanted: str

    def __str__(self) -> str:
        """The text in the report."""
        if self.transition is None:
            return f"with {self.sizes} it is {self.found}, not {self.wanted}"
        return f"with {self.sizes} {self.transition} lets it fall by {self.found}, not by {self.wanted}"


def misfit(ranking: Ranking, demand: Demand, seen: Observed) -> Misfit | None:
    """The smallest observed step or configuration in which the ranking does not meet the demand; None if it does
    everywhere.
    """
    monomials = list(ranking.coefficients)
    values = seen.values(monomials)

    def at(sizes: Sizes) -> Fraction:
        pairs = zip(ranking.coefficients.values(), values(sizes), strict=True)
        return sum((k * value for k, value in pairs), Fraction(0))

    def wrong(sizes: Sizes, transition: str | None, found: Fraction, wanted: str) -> Misfit:
        names = {place: name for name, place in seen.places.items()}
        shown = [f"n = {sizes[0]}", *(f"{ranking.size(names[k])} = {int(sizes[k])}" for k in sorted(names))]
        return Misfit(sizes[0], ", ".join(shown), transition, found, wanted)

    for before, after, name in seen.steps:
        fall, weight = at(before) - at(after), demand.weight(name)
        if not compare(weight, demand.relation, fall):
            return wrong(before, name, fall, f"{_TURNED[demand.relation]} {weight}")
    if demand.polynomial is None:
        everywhere = (*(before for before, _, _ in seen.steps), *seen.ends)
        negative = next((sizes for sizes in everywhere if at(sizes) < 0), None)
        return None if negative is None else wrong(negative, None, at(negative), "at least 0")
    for sizes in seen.ends:
        total, bound = at(seen.starts[sizes[0]]) - at(sizes), demand.bound_at(sizes[0])
        if not compare(total, demand.relation, bound):
            return wrong(sizes, "the whole run", total, f"{_BOUNDED[demand.relation]} {bound}")
    return None


_TURNED: Final[dict[s.Bounding, str]] = {"<=": "at least", ">=": "at most", "=": "exactly"}
_BOUNDED: Final[dict[s.Bounding, str]] = {"<=": "at most", ">=": "at least", "=": "exactly"}
