"""Planar graphs by rank, also acyclic or connected ones, with few heads or a single root.

The nodes 0..n stand in a line.  A graph on an *interval* of nodes i..j without crossings falls into smaller ones: the
arcs between i and j, if any, cross nothing; without them, i has no arcs (*alone*) and the rest is a graph on i+1..j, or
k < j is the farthest node that shares an arc with i, and there is a graph on i..k with such an arc (*closed*) beside
one on k..j.

What the conditions require of the whole graph is decided at the ends of the intervals.  The *type* of a graph on i..j
says whether i →* j or j →* i, whether all its nodes are connected or fall into those of i and those of j, how many
heads i and j have, and how many dependents 0 has; distinctions that do not matter for the conditions are not made.  So
graphs are counted by type, and the types that may occur at an end are few: open(i..j) = alone(any(i+1..j)) + Σ_k
closed(i..k) any(k..j), closed = open with one of three pairs of arcs, any = open + closed. Arcs from 0 have one
direction; all others have either direction or both.  The order is: graphs without the outer arc before those with it, i
alone before the nearest k, then types in the order in which they are found, then the left part before the right one.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from arcproof.generators.enumeration import check_rank, check_words
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import HeadSets

FORWARD, BACKWARD, BOTH = 1, 2, 3
"""The arcs between i and j, as bits: from i to j, from j to i."""


class Type(NamedTuple):
    """Everything that matters about a graph on an interval."""

    reach: int
    """`FORWARD` if the left end dominates the right one, `BACKWARD` if it is the other way round, 0 if neither; used
    only where graphs must be acyclic.
    """
    connected: bool
    heads: tuple[int, int]
    """The number of heads of the left end and of the right end, within the interval."""
    roots: int
    """The number of dependents of 0, if 0 is the left end."""


POINT: Final = Type(0, True, (0, 0), 0)
"""An interval of one node."""

Counts: TypeAlias = dict[Type, int]


@dataclass(frozen=True, slots=True)
class Conditions:
    """Requirements on planar graphs; `heads` is None if any number of heads will do."""

    acyclic: bool = False
    connected: bool = False
    heads: int | None = None
    single_root: bool = False

    def alone(self, rest: Type) -> Type | None:
        """The type of a graph whose left end has no arcs, given the type of the rest; None if the conditions
        forbid it.
        """
        if self.connected and not rest.connected:
            return None
        return Type(0, not self.connected, (0, rest.heads[1]), 0)

    def closed(self, inside: Type, arcs: int, from_root: bool) -> Type | None:
        """The type after these arcs between the ends are added; None if the conditions forbid them."""
        if self.acyclic and (arcs == BOTH or inside.reach | arcs == BOTH):
            return None
        left, right = inside.heads[0] + (arcs >> 1), inside.heads[1] + (arcs & 1)
        roots = inside.roots + from_root
        if (self.heads is not None and max(left, right) > self.heads) or (self.single_root and roots > 1):
            return None
        return Type(
            arcs if self.acyclic else 0,
            True,
            (left, right) if self.heads is not None else (0, 0),
            roots if self.single_root else 0,
        )

    def beside(self, left: Type, right: Type) -> Type | None:
        """The type of a graph with arcs between its ends, joined to one that begins where it ends; None if the
        conditions forbid it.
        """
        if self.heads is not None and left.heads[1] + right.heads[0] > self.heads:
            return None
        return Type(left.reach & right.reach, right.connected, (left.heads[0], right.heads[1]), left.roots)

    def accepts(self, whole: Type) -> bool:
        """Whether a graph of this type on all nodes meets the conditions."""
        return whole.connected and (not self.single_root or whole.roots == 1)


class Alone(NamedTuple):
    """A left end without arcs, and the type of the rest."""

    rest: Type


class Beside(NamedTuple):
    """The farthest node that shares an arc with the left end, and the types on both sides of it."""

    nodes: int
    left: Type
    right: Type


class Closed(NamedTuple):
    """Arcs between the ends, and the type of the graph without them."""

    inside: Type
    arcs: int


Way: TypeAlias = Alone | Beside | Closed


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways in which graphs of one type arise, in rank order, and how many graphs come before each."""

    ways: tuple[Way, ...]
    before: tuple[int, ...]

    def find(self, rank: int) -> tuple[Way, int]:
        """The way that a rank falls into, and what remains of the rank."""
        place = bisect_right(self.before, rank) - 1
        return self.ways[place], rank - self.before[place]


class Table(NamedTuple):
    """The numbers of graphs of each type on an interval: without the outer arc, with it, and both together."""

    open: Counts
    closed: Counts
    any: Counts


def _sums(ways: Iterator[tuple[Type, Way, int]]) -> Counts:
    found: Counts = {}
    for type_, _, count in ways:
        found[type_] = found.get(type_, 0) + count
    return found


def _by_type(ways: Iterator[tuple[Type, Way, int]]) -> dict[Type, Ways]:
    grouped: dict[Type, list[tuple[Way, int]]] = {}
    for type_, way, count in ways:
        grouped.setdefault(type_, []).append((way, count))
    return {
        type_: Ways(tuple(way for way, _ in found), tuple(accumulate((count for _, count in found), initial=0))[:-1])
        for type_, found in grouped.items()
    }


class Interval(NamedTuple):
    """A graph on some nodes: the first node, how many more there are, whether the outer arc is allowed, the type, and
    the rank within that type.
    """

    first: int
    length: int
    may_close: bool
    type: Type
    rank: int


@dataclass(frozen=True)
class PlanarGraphs:
    """The planar graphs that meet some conditions, by rank; `between_words` leaves 0 out: it has no dependents, and the
    conditions ignore it.
    """

    conditions: Conditions
    between_words: bool = False

    def count(self, words: int) -> int:
        """The number of these graphs with this many words.

        >>> [PlanarGraphs(Conditions()).count(words) for words in range(5)]
        [1, 2, 16, 320, 9472]
        """
        check_words(words)
        return sum(count for _, count in self._accepted(words))

    def unrank(self, words: int, rank: int) -> HeadSets:
        """The graph of this rank.

        >>> PlanarGraphs(Conditions()).unrank(2, 0), PlanarGraphs(Conditions(connected=True)).unrank(2, 0)
        ((0, 0), (1, 2))
        """
        check_rank(words, rank, self.count(words))
        sets = [0] * (words + 1)
        for whole, count in self._accepted(words):
            if rank < count:
                first, last = self._ends(words)
                self._place(sets, Interval(first, last - first, True, whole, rank))
                break
            rank -= count
        return tuple(sets[1:])

    # --- counting ----------------------------------------------------------------------------------------------------

    def _accepted(self, words: int) -> Iterator[tuple[Type, int]]:
        first, last = self._ends(words)
        whole = self._any(last - first, from_root=first == 0)
        return ((type_, count) for type_, count in whole.items() if self.conditions.accepts(type_))

    def _ends(self, words: int) -> tuple[int, int]:
        return min(int(self.between_words), words), words

    @cached_property
    def _tables(self) -> dict[bool, list[Table]]:
        """The tables by length, for intervals that begin at 0 and for all others."""
        point = Table({}, {}, {POINT: 1})
        return {True: [point], False: [point]}

    @cached_property
    def _ways(self) -> dict[tuple[int, bool, bool], dict[Type, Ways]]:
        return {}

    def _table(self, length: int, from_root: bool) -> Table:
        for missing in range(len(self._tables[False]), length + 1):
            for beginning in (False, True):
                opened = _sums(self._open_ways(missing, beginning))
                closed = _sums(self._closed_ways(opened, beginning))
                every = {type_: opened.get(type_, 0) + closed.get(type_, 0) for type_ in opened | closed}
                self._tables[beginning].append(Table(opened, closed, every))
        return self._tables[from_root][length]

    def _any(self, length: int, from_root: bool) -> Counts:
        return self._table(length, from_root).any

    def _open_ways(self, length: int, from_root: bool) -> Iterator[tuple[Type, Way, int]]:
        for rest, count in self._any(length - 1, from_root=False).items():
            type_ = self.conditions.alone(rest)
            if type_ is not None:
                yield type_, Alone(rest), count
        for nodes in range(1, length):
            for left, lefts in self._table(nodes, from_root).closed.items():
                for right, rights in self._any(length - nodes, from_root=False).items():
                    type_ = self.conditions.beside(left, right)
                    if type_ is not None:
                        yield type_, Beside(nodes, left, right), lefts * rights

    def _closed_ways(self, opened: Counts, from_root: bool) -> Iterator[tuple[Type, Way, int]]:
        for inside, count in opened.items():
            for arcs in (FORWARD,) if from_root else (FORWARD, BACKWARD, BOTH):
                type_ = self.conditions.closed(inside, arcs, from_root)
                if type_ is not None:
                    yield type_, Closed(inside, arcs), count

    def _ways_to(self, length: int, from_root: bool, closed: bool, type_: Type) -> Ways:
        key = length, from_root, closed
        if key not in self._ways:
            opened = self._table(length, from_root).open
            made = self._closed_ways(opened, from_root) if closed else self._open_ways(length, from_root)
            self._ways[key] = _by_type(made)
        return self._ways[key][type_]

    # --- from a rank to a graph --------------------------------------------------------------------------------------

    def _place(self, sets: list[int], whole: Interval) -> None:
        """Fill in the arcs of a graph on an interval."""
        waiting = [whole]
        while waiting:
            waiting.extend(self._parts(sets, waiting.pop()))

    def _parts(self, sets: list[int], interval: Interval) -> Iterator[Interval]:
        first, length, may_close, type_, rank = interval
        if not length:
            return
        from_root = first == 0
        opened = self._table(length, from_root).open.get(type_, 0)
        if may_close and rank >= opened:
            way, rest = self._ways_to(length, from_root, True, type_).find(rank - opened)
        else:
            way, rest = self._ways_to(length, from_root, False, type_).find(rank)
        match way:
            case Closed(inside, arcs):
                last = first + length
                sets[last] |= (arcs & 1) << first
                sets[first] |= (arcs >> 1) << last
                yield Interval(first, length, False, inside, rest)
            case Alone(remaining):
                yield Interval(first + 1, length - 1, True, remaining, rest)
            case Beside(nodes, left, right):
                one, other = divmod(rest, self._any(length - nodes, from_root=False)[right])
                inner = self._table(nodes, from_root).open.get(left, 0)
                yield Interval(first, nodes, True, left, inner + one)
                yield Interval(first + nodes, length - nodes, True, right, other)
