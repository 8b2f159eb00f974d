"""Acyclic graphs by rank, layer by layer; and sets by rank.

An acyclic graph on the words is decomposed into layers: its words without heads, those without heads when the former
are removed, and so on.  Suppose k of n words have no heads, and j of the rest have none once these are removed.  Then
each of these j has at least one of the k as a head, and all others may have any of them:

    dags(n, k) = C(n, k) Σ_j (2^k - 1)^j 2^(k (n - k - j)) dags(n - k, j),  dags(n, n) = 1  (Robinson 1973)

Graphs are ordered by the size of the first layer, then that layer, then the size of the next one, then the heads in the
first layer, then what remains without it.
"""

from functools import cache
from math import comb

from arcproof.transitions.graph import HeadSets, members

# --- sets by rank ----------------------------------------------------------------------------------------------------


def unrank_subset(size: int, rank: int, places: int) -> int:
    """The set with this size and rank, among this many places."""
    bits = 0
    place = places
    for number in range(size, 0, -1):
        place -= 1
        while comb(place, number) > rank:
            place -= 1
        rank -= comb(place, number)
        bits |= 1 << place
    return bits


# --- acyclic graphs --------------------------------------------------------------------------------------------------


@cache
def _dags(words: int, first: int) -> int:
    """The number of acyclic graphs on `words` words of which `first` have no heads."""
    return comb(words, first) * _below(words, first)


@cache
def _below(words: int, first: int) -> int:
    """The number of ways to place the other words once the words without heads are given."""
    if words == first:
        return 1
    return sum(_below_with(words, first, second) for second in range(1, words - first + 1))


def _below_with(words: int, first: int, second: int) -> int:
    return _digits(words, first, second) * _dags(words - first, second)


def _digits(words: int, first: int, second: int) -> int:
    """The number of ways to choose heads in the first layer for the other words, if `second` of them have no other
    heads.
    """
    return int(((1 << first) - 1) ** second) << (first * (words - first - second))


def count_dags(words: int) -> int:
    """The number of acyclic graphs on this many words, without 0.

    >>> [count_dags(n) for n in range(6)]
    [1, 1, 3, 25, 543, 29281]
    """
    return sum(_dags(words, first) for first in range(1, words + 1)) if words else 1


def unrank_dag(words: int, rank: int) -> HeadSets:
    """The acyclic graph of this rank."""
    sets = [0] * (words + 1)
    remaining, first = (1 << (words + 1)) - 2, 1
    if words:
        while rank >= _dags(words, first):
            rank -= _dags(words, first)
            first += 1
    layer, digits = 0, 0
    while remaining:
        size = remaining.bit_count()
        chosen, rank = divmod(rank, _below(size, first))
        above, layer = layer, _spread(unrank_subset(first, chosen, size), remaining)
        if above:
            _unrank_heads(sets, digits, above, remaining, layer)
        remaining ^= layer
        if remaining:
            second = 1
            while rank >= _below_with(size, first, second):
                rank -= _below_with(size, first, second)
                second += 1
            digits, rank = divmod(rank, _dags(size - first, second))
            first = second
    return tuple(sets[1:])


def _unrank_heads(sets: list[int], number: int, layer: int, others: int, second: int) -> None:
    for word in members(others):
        compulsory = second >> word & 1
        number, chosen = divmod(number, (1 << layer.bit_count()) - compulsory)
        sets[word] |= _spread(chosen + compulsory, layer)


def _spread(places: int, within: int) -> int:
    """The nodes at these places of a set, as bits."""
    return sum(1 << node for place, node in enumerate(members(within)) if places >> place & 1)
