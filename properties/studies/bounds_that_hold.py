"""The bounds that would hold, for a refuted claim about lengths, counts or space.

A bound goes through the extreme values of every number of words that was tried if a polynomial of degree at most 2
does; otherwise it is the multiple of n nearest to them.  It is a conjecture for longer sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from arcproof.properties.claims.length import SIGNS, own_weight
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import Heaviest, Space
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.reading.read import bound_term

Counts: TypeAlias = Mapping[str, Fraction]
Claimed: TypeAlias = s.LengthBound | s.CountBound | s.SpaceBound


def bounds_that_hold(levels: Levels, claimed: Claimed) -> Iterator[s.Claim]:
    """Yield the bounds that may be claimed instead, an equation first; whoever asks checks them."""
    try:
        counts = Bound.of(claimed.bound, levels.system).counts
    except NotLinear:
        return
    spaces = list(levels.spaces())
    if any(coefficient.denominator != 1 for coefficient in counts.values()):
        return
    fitted: dict[int, Polynomial] = {}
    for sign in SIGNS[claimed.relation]:
        values = [_extreme(space, claimed, counts, sign) for space in spaces]
        if not values or None in values:
            return
        fitted[sign] = _fitting([value for value in values if value is not None], sign)
    relations: dict[int, s.Bounding] = {1: "<=", -1: ">="}
    if claimed.relation == "=":
        yield _bounded(claimed, "=", fitted[1], counts)
    for sign, polynomial in fitted.items():
        if isinstance(claimed, s.SpaceBound) and sign < 0:
            continue  # lower bounds on space are not checked
        yield _bounded(claimed, relations[sign], polynomial, counts)


def _extreme(space: Space, claimed: Claimed, counts: Counts, sign: int) -> int | None:
    """The greatest value, or the least, of what is bounded minus the counts in the bound; None if there is none."""
    if isinstance(claimed, s.SpaceBound):
        return space.most_space()[0]
    own = own_weight(claimed)
    found = space.heaviest(lambda name: sign * int(own(name) - counts.get(name, 0)))
    return sign * found.weight if isinstance(found, Heaviest) else None


def _fitting(values: Sequence[int], sign: int) -> Polynomial:
    """A polynomial that the values do not exceed, or for sign -1 do not fall below."""
    multiple = max(ceil(Fraction(sign * value, words)) for words, value in enumerate(values, start=1))
    return Polynomial.fitting(values) or Polynomial.of(0, sign * multiple)


def _bounded(claimed: Claimed, relation: s.Bounding, polynomial: Polynomial, counts: Counts) -> s.Claim:
    bound = bound_term(polynomial)
    for name, coefficient in counts.items():
        size, count = abs(int(coefficient)), s.Count(name)
        times = count if size == 1 else s.Arithmetic("*", s.Number(size), count)
        bound = s.Arithmetic("-" if coefficient < 0 else "+", bound, times) if size else bound
    return s.Claim(replace(claimed, relation=relation, bound=bound))
