"""Every tree and forest by its rank.

An `Enumeration` numbers the graphs of n words from 0 to count(n) - 1, each once, so a piece of work is a range of
ranks, described by just two numbers.  In all four orders, rank 0 attaches every word to 0.

**Trees and forests** are numbered by a code in the manner of Prüfer: remove the greatest word without dependents, write
down its head, and continue until no word is left.  The last word removed is attached to 0 (or is headless, in a
forest); every other entry of the code is free.  So a tree is n - 1 digits of base n + 1, a forest n - 1 digits of base
n + 2 (the digit n + 1 is "no head") and a last one of base 2, which gives (n + 1)^(n - 1) trees and 2 (n + 2)^(n - 1)
forests.  The rank is the code read as a number, the first entry being the most significant.

**Projective trees and forests** fall into pieces of neighbouring words.  A *row* of m words is a sequence of trees
that follow one another (as the dependents of 0 are), a *subtree* of k words is a row, the root, and another row:
    rows(0) = 1,  rows(m) = Σ_k subtrees(k) rows(m - k),  subtrees(k) = Σ_p rows(p) rows(k - 1 - p).
A projective tree is a row; a projective forest is the row under 0 followed by the row of headless words' trees.  Rows
are ordered by the size of their first tree, then that tree, then the rest; subtrees by the number of words before the
root, then the row before, then the row after; forests by the number of words not under 0, then the row under 0, then
the other. There are C(3n, n) / (2n + 1) projective trees and C(3n + 1, n) / (n + 1) projective forests.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import comb
from typing import Final, Generic, TypeVar

from arcproof.generators.classes import (
    bound_of,
    requirement_of,
    requirements_of,
)
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import ROOT, Heads
from arcproof.transitions.syntax import Base, GraphClass, Restriction

G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class Enumeration(Generic[G]):
    """The graphs of a class by rank: `unrank(n, ·)` makes each graph of n words from one of 0 … count(n) - 1."""

    graph_class: GraphClass
    count: Callable[[int], int]
    unrank: Callable[[int, int], G]

    def graphs(self, words: int, ranks: range | None = None) -> Iterator[G]:
        """The graphs with these ranks, or all of them, in this order."""
        for rank in range(self.count(words)) if ranks is None else ranks:
            yield self.unrank(words, rank)


def check_words(words: int) -> None:
    """Raise `ValueError` for a negative number."""
    if words < 0:
        raise ValueError(f"the number of words must not be negative, but is {words}")


def check_rank(words: int, rank: int, count: int) -> None:
    """Raise `ValueError` for a rank that no graph has."""
    if not 0 <= rank < count:
        raise ValueError(f"there is no rank {rank}: the graphs of {words} words have ranks 0 to {count - 1}")


# --- trees and forests -----------------------------------------------------------------------------------------------


def count_trees(words: int) -> int:
    """The number of trees: (n + 1)^(n - 1).

    >>> [count_trees(n) for n in range(6)]
    [1, 1, 3, 16, 125, 1296]
    """
    check_words(words)
    return (words + 1) ** (words - 1) if words else 1


def count_forests(words: int) -> int:
    """The number of forests: 2 (n + 2)^(n - 1).

    >>> [count_forests(n) for n in range(6)]
    [1, 2, 8, 50, 432, 4802]
    """
    check_words(words)
    return 2 * (words + 2) ** (words - 1) if words else 1


def unrank_tree(words: int, rank: int) -> Heads:
    """The tree of this rank.

    >>> unrank_tree(3, 0), unrank_tree(3, 15)
    ((0, 0, 0), (3, 3, 0))
    """
    check_rank(words, rank, count_trees(words))
    code: list[int | None] = [ROOT] * words
    for k in range(words - 2, -1, -1):
        rank, code[k] = divmod(rank, words + 1)
    return _decode(code)


def unrank_forest(words: int, rank: int) -> Heads:
    """The forest of this rank.

    >>> [unrank_forest(1, rank) for rank in range(2)]
    [(0,), (None,)]
    """
    check_rank(words, rank, count_forests(words))
    if not words:
        return ()
    rank, last = divmod(rank, 2)
    code: list[int | None] = [None if last else ROOT] * words
    for k in range(words - 2, -1, -1):
        rank, digit = divmod(rank, words + 2)
        code[k] = None if digit > words else digit
    return _decode(code)


def _decode(code: Sequence[int | None]) -> Heads:
    """The heads for a code."""
    waiting = [0] * (len(code) + 1)
    for head in code:
        waiting[head or ROOT] += 1
    heads: list[int | None] = [None] * len(code)
    entries = iter(code)
    for word in range(len(code), 0, -1):
        leaf = word
        while leaf >= word and not waiting[leaf]:
            head = next(entries)
            heads[leaf - 1] = head
            leaf = head or ROOT
            waiting[leaf] -= 1
    return tuple(heads)


# --- projective trees and forests ------------------------------------------------------------------------------------


def count_projective_trees(words: int) -> int:
    """The number of projective trees: C(3n, n) / (2n + 1), the rows of n words.

    >>> [count_projective_trees(n) for n in range(6)]
    [1, 1, 3, 12, 55, 273]
    """
    check_words(words)
    return comb(3 * words, words) // (2 * words + 1)


def count_projective_forests(words: int) -> int:
    """The number of projective forests: C(3n + 1, n) / (n + 1), the pairs of rows that have n words together.

    >>> [count_projective_forests(n) for n in range(6)]
    [1, 2, 7, 30, 143, 728]
    """
    check_words(words)
    return comb(3 * words + 1, words) // (words + 1)


_rows = cache(count_projective_trees)


@cache
def _subtrees(words: int) -> int:
    return count_projective_forests(words - 1)


@lru_cache(maxsize=256)
def _rows_before(words: int) -> tuple[int, ...]:
    """For each k, the number of rows of this many words whose first tree has at most k words."""
    return tuple(accumulate((_subtrees(k) * _rows(words - k) for k in range(1, words + 1)), initial=0))


@lru_cache(maxsize=256)
def _pairs_before(words: int) -> tuple[int, ...]:
    """For each p, the number of pairs of rows with this many words together whose first row has fewer than p words."""
    return tuple(accumulate((_rows(p) * _rows(words - p) for p in range(words + 1)), initial=0))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A row or a subtree: its number of words, and its rank among those of that size."""

    words: int
    rank: int


def unrank_projective_tree(words: int, rank: int) -> Heads:
    """The projective tree of this rank.

    >>> [unrank_projective_tree(2, rank) for rank in range(3)]
    [(0, 0), (0, 1), (2, 0)]
    """
    check_rank(words, rank, count_projective_trees(words))
    heads: list[int | None] = [None] * words
    _place_row(heads, ROOT, 1, _Ranked(words, rank))
    return tuple(heads)


def unrank_projective_forest(words: int, rank: int) -> Heads:
    """The projective forest of this rank.

    >>> [unrank_projective_forest(1, rank) for rank in range(2)]
    [(0,), (None,)]
    """
    check_rank(words, rank, count_projective_forests(words))
    headless, rest = _find(_pairs_before(words), rank)
    under_root, other = divmod(rest, _rows(headless))
    heads: list[int | None] = [None] * words
    _place_row(heads, ROOT, 1, _Ranked(words - headless, under_root))
    _place_row(heads, None, words - headless + 1, _Ranked(headless, other))
    return tuple(heads)


def _find(before: tuple[int, ...], rank: int) -> tuple[int, int]:
    """The last place with at most this rank before it, and what remains of the rank there."""
    place = bisect_right(before, rank) - 1
    return place, rank - before[place]


def _place_row(heads: list[int | None], head: int | None, first_word: int, row: _Ranked) -> None:
    """Fill in the heads of a row that begins at this word and whose roots have this head."""
    waiting = [(head, first_word, row)]
    while waiting:
        head, start, row = waiting.pop()
        while row.words:
            before, rest = _find(_rows_before(row.words), row.rank)
            size = before + 1
            subtree, rest = divmod(rest, _rows(row.words - size))
            left, inside = _find(_pairs_before(size - 1), subtree)
            left_rank, right_rank = divmod(inside, _rows(size - 1 - left))
            root = start + left
            heads[root - 1] = head
            waiting.append((root, start, _Ranked(left, left_rank)))
            waiting.append((root, root + 1, _Ranked(size - 1 - left, right_rank)))
            start, row = start + size, _Ranked(row.words - size, rest)


# --- by class --------------------------------------------------------------------------------------------------------

_PROJECTIVE: Final = (Restriction("projective"),)

TREES: Final = Enumeration(GraphClass((), "trees"), count_trees, unrank_tree)
FORESTS: Final = Enumeration(GraphClass((), "forests"), count_forests, unrank_forest)
PROJECTIVE_TREES: Final = Enumeration(GraphClass(_PROJECTIVE, "trees"), count_projective_trees, unrank_projective_tree)
PROJECTIVE_FORESTS: Final = Enumeration(
    GraphClass(_PROJECTIVE, "forests"), count_projective_forests, unrank_projective_forest
)
ENUMERATIONS: Final = {
    "trees": TREES,
    "forests": FORESTS,
    "projective trees": PROJECTIVE_TREES,
    "projective forests": PROJECTIVE_FORESTS,
}


@dataclass(frozen=True, slots=True)
class Selection(Generic[G]):
    """A class as part of an enumeration: its members are the graphs there that meet the remaining requirements."""

    enumeration: Enumeration[G]
    requirements: tuple[Callable[[G], bool], ...]

    @property
    def is_exact(self) -> bool:
        """Whether the enumeration has the members of the class and no others."""
        return not self.requirements

    def accepts(self, graph: G) -> bool:
        """Whether a graph of the enumeration is in the class."""
        return all(holds(graph) for holds in self.requirements)

    def graphs(self, words: int, ranks: range | None = None) -> Iterator[G]:
        """The members of the class among the graphs with these ranks, or among all."""
        return filter(self.accepts, self.enumeration.graphs(words, ranks))


@lru_cache(maxsize=256)
def selection_of(graph_class: GraphClass) -> Selection[Heads]:
    """The class within the smallest enumeration that contains it; `ValueError` as for `classes.contains`."""
    requirements_of(graph_class)
    if graph_class.base == "graphs":
        raise ValueError("graphs with several heads are not enumerated here; use `graph_enumeration`")
    projective = [r for r in graph_class.restrictions if _entails_projective(r, graph_class.base)]
    others = [requirement_of(r) for r in graph_class.restrictions if r not in projective]
    enumeration = ENUMERATIONS[f"projective {graph_class.base}" if projective else graph_class.base]
    return Selection(enumeration, tuple(holds for holds in others if holds is not None))


def _entails_projective(restriction: Restriction, base: Base) -> bool:
    """Whether the restriction means the same as `projective`: all measures do at 0, and for trees `planar` does."""
    if restriction.bound is not None:
        return bound_of(restriction.name, restriction.bound) == 0
    return restriction.name == "projective" or (restriction.name == "planar" and base == "trees")


def all_graphs(graphs: GraphClass | Enumeration[Heads], words: int, ranks: range | None = None) -> Iterator[Heads]:
    """Every graph of a class or enumeration with this many words, each once, in the order of the enumeration.

    With `ranks`, only those whose rank in `selection_of(graphs).enumeration` is in the range.

    >>> from arcproof.transitions.syntax import GraphClass, Restriction
    >>> list(all_graphs(GraphClass((Restriction("non-projective"),), "trees"), 3))
    [(3, 0, 0), (0, 0, 1), (2, 0, 1), (3, 0, 2)]
    """
    if isinstance(graphs, Enumeration):
        return graphs.graphs(words, ranks)
    return selection_of(graphs).graphs(words, ranks)
