"""Every graph with several heads by its rank.

As in `enumeration`, an enumeration numbers the graphs of n words from 0 to count(n) - 1.

**Graphs** are n bits for each word, one for each node that may be its head: the *code*, read as a number, is the rank.
Bit (d - 1) n + h stands for the arc from h to d if h < d, and bit (d - 1) n + h - 1 if h > d, so that there are 2^(n²)
graphs.

**Graphs with heads <= k** are a digit for each word, the first word being the least significant: its heads among the
sets of at most k of n nodes, smaller sets first, sets of equal size in colexicographic order.  There are (Σ_{i ≤ k}
C(n, i))^n of them.

**Acyclic graphs** are an acyclic graph on the words (`layers`) together with the dependents of 0, any of 2^n sets.

**Planar graphs**, also acyclic or connected ones, with few heads, with a single root: `noncrossing`.

In **planar-words** graphs the arcs between words are a planar graph without arcs from 0, and 0 may have any dependents.
**single-root** graphs, and acyclic and planar-words ones, have n sets of dependents of 0 instead of 2^n.

Any other class is selected from the smallest of these around it; which that is may depend on the number of words.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from math import comb
from typing import Final, Protocol

from arcproof.generators.classes import bound_of
from arcproof.generators.enumeration import FORESTS, TREES, Enumeration, Selection, all_graphs, check_rank, check_words
from arcproof.generators.graph_classes import (
    requirement_of_sets,
    requirements_of_sets,
)
from arcproof.generators.layers import count_dags, unrank_dag, unrank_subset
from arcproof.generators.noncrossing import Conditions, PlanarGraphs
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import Graph, Heads, HeadSets, graph_of, graph_with, sets_of_heads
from arcproof.transitions.syntax import GraphClass, Number, Restriction

# --- all graphs: codes -----------------------------------------------------------------------------------------------


def count_graphs(words: int) -> int:
    """The number of graphs: 2^(n²).

    >>> [count_graphs(n) for n in range(5)]
    [1, 2, 16, 512, 65536]
    """
    check_words(words)
    return 1 << (words * words)


def sets_of_code(words: int, code: int) -> HeadSets:
    """The graph of a code."""
    check_rank(words, code, count_graphs(words))
    mask = (1 << words) - 1
    return tuple([_with(word, code >> ((word - 1) * words) & mask) for word in range(1, words + 1)])


def _with(node: int, bits: int) -> int:
    """The bits with a 0 inserted for a node."""
    return bits & ((1 << node) - 1) | bits >> node << (node + 1)


# --- few heads -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FewHeads:
    """Graphs in which no word has more than this many heads."""

    most: int

    def choices(self, words: int) -> int:
        """How many sets of heads a word may have."""
        return sum(comb(words, size) for size in range(min(self.most, words) + 1))

    def count(self, words: int) -> int:
        """How many graphs there are.

        >>> [FewHeads(1).count(n) for n in range(4)], FewHeads(2).count(2)
        ([1, 2, 9, 64], 16)
        """
        check_words(words)
        return int(self.choices(words) ** words)

    def unrank(self, words: int, rank: int) -> HeadSets:
        """The graph of this rank."""
        check_rank(words, rank, self.count(words))
        sets = []
        for word in range(1, words + 1):
            rank, digit = divmod(rank, self.choices(words))
            size = 0
            while digit >= comb(words, size):
                digit -= comb(words, size)
                size += 1
            sets.append(_with(word, unrank_subset(size, digit, words)))
        return tuple(sets)


# --- arcs between words, and arcs from 0 -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Between:
    """Graphs without arcs from 0, by rank."""

    count: Callable[[int], int]
    unrank: Callable[[int, int], HeadSets]


@dataclass(frozen=True, slots=True)
class Rooted:
    """Graphs as pairs: the arcs between words, and the dependents of 0, which are any set of words or a single word."""

    between: Between
    single_root: bool

    def count(self, words: int) -> int:
        """How many graphs there are."""
        check_words(words)
        return self.between.count(words) * self._roots(words)

    def _roots(self, words: int) -> int:
        return words if self.single_root else 1 << words

    def unrank(self, words: int, rank: int) -> HeadSets:
        """The graph of this rank."""
        check_rank(words, rank, self.count(words))
        rest, chosen = divmod(rank, self._roots(words))
        roots = 1 << chosen if self.single_root else chosen
        return tuple([heads | roots >> place & 1 for place, heads in enumerate(self.between.unrank(words, rest))])


def _count_any(words: int) -> int:
    return 1 << (words * (words - 1)) if words else 1


def _unrank_any(words: int, rank: int) -> HeadSets:
    mask = (1 << max(0, words - 1)) - 1
    return tuple([_with(word, (rank >> ((word - 1) * (words - 1)) & mask) << 1) for word in range(1, words + 1)])


# --- by class --------------------------------------------------------------------------------------------------------

_ANY: Final = Between(_count_any, _unrank_any)
_ACYCLIC: Final = Between(count_dags, unrank_dag)
_PLANAR_WORDS: Final = PlanarGraphs(Conditions(), between_words=True)
_ACYCLIC_PLANAR_WORDS: Final = PlanarGraphs(Conditions(acyclic=True), between_words=True)

GRAPHS: Final = Enumeration[HeadSets](GraphClass((), "graphs"), count_graphs, sets_of_code)


class _ByRank(Protocol):
    """The methods that make up an enumeration."""

    def count(self, words: int, /) -> int: ...

    def unrank(self, words: int, rank: int, /) -> HeadSets: ...


def _enumeration(by_rank: _ByRank, restrictions: Iterable[Restriction]) -> Enumeration[HeadSets]:
    return Enumeration[HeadSets](GraphClass(tuple(restrictions), "graphs"), by_rank.count, by_rank.unrank)


@dataclass(frozen=True, slots=True)
class _SingleHeads:
    """Forests or trees as graphs."""

    enumeration: Enumeration[Heads]

    def count(self, words: int) -> int:
        return self.enumeration.count(words)

    def unrank(self, words: int, rank: int) -> HeadSets:
        return sets_of_heads(self.enumeration.unrank(words, rank))


_ENTAILED: Final[dict[str, tuple[str, ...]]] = {
    "planar": ("planar-words", "1-endpoint-crossing", "2-planar", "1-endpoint-crossing-words", "2-planar-words"),
    "planar-words": ("1-endpoint-crossing-words", "2-planar-words"),
}
"""The restrictions that planar graphs satisfy anyway."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The restrictions of a class by name, and the least bound on heads."""

    names: frozenset[str]
    heads: int | None

    def meant(self, *names: str) -> Iterator[Restriction]:
        """The restrictions among these names that are asked for; `heads` with its bound."""
        for name in names:
            if name == "heads":
                yield from [] if self.heads is None else [Restriction(name, Number(self.heads))]
            elif name in self.names:
                yield Restriction(name)

    def enumerations(self) -> Iterator[Enumeration[HeadSets]]:
        """The enumerations that contain all graphs of the class."""
        single = "single-root" in self.names
        acyclic, connected = "acyclic" in self.names, "connected" in self.names
        if "planar" in self.names:
            conditions = Conditions(acyclic, connected, self.heads, single)
            yield _enumeration(
                _planar(conditions), self.meant("acyclic", "connected", "single-root", "planar", "heads")
            )
        if acyclic and self.heads == 1:
            kind, names = (TREES, ("acyclic", "connected", "heads")) if connected else (FORESTS, ("acyclic", "heads"))
            yield _enumeration(_SingleHeads(kind), self.meant(*names))
        if "planar-words" in self.names:
            planar = _ACYCLIC_PLANAR_WORDS if acyclic else _PLANAR_WORDS
            between = Between(planar.count, planar.unrank)
            yield _enumeration(Rooted(between, single), self.meant("acyclic", "single-root", "planar-words"))
        if acyclic:
            yield _enumeration(Rooted(_ACYCLIC, single), self.meant("acyclic", "single-root"))
        if self.heads is not None:
            yield _enumeration(FewHeads(self.heads), self.meant("heads"))
        yield _enumeration(Rooted(_ANY, True), self.meant("single-root")) if single else GRAPHS


@cache
def _planar(conditions: Conditions) -> PlanarGraphs:
    return PlanarGraphs(conditions)


def _asked(graph_class: GraphClass) -> _Asked:
    bounds = [bound_of(r.name, r.bound) for r in graph_class.restrictions if r.name == "heads"]
    finite = [bound for bound in bounds if bound is not None]
    return _Asked(frozenset(r.name for r in graph_class.restrictions), min(finite, default=None))


@lru_cache(maxsize=1024)
def graph_selection(graph_class: GraphClass, words: int) -> Selection[HeadSets]:
    """A class of graphs within the smallest enumeration that contains it; `ValueError` as for `contains_sets`.

    >>> graph_selection(GraphClass((Restriction("planar"), Restriction("2-planar")), "graphs"), 4).is_exact
    True
    """
    requirements_of_sets(graph_class)
    smallest = min(_asked(graph_class).enumerations(), key=lambda enumeration: enumeration.count(words))
    met = _met_by(smallest.graph_class)
    others = [requirement_of_sets(r) for r in graph_class.restrictions if not _is_met(r, met)]
    return Selection[HeadSets](smallest, tuple(holds for holds in others if holds is not None))


def _met_by(graphs: GraphClass) -> _Asked:
    """The restrictions that all graphs of an enumeration satisfy."""
    asked = _asked(graphs)
    entailed = [name for known in asked.names for name in _ENTAILED.get(known, ())]
    return _Asked(asked.names.union(entailed), asked.heads)


def _is_met(restriction: Restriction, met: _Asked) -> bool:
    if restriction.name != "heads":
        return restriction.name in met.names
    bound = bound_of(restriction.name, restriction.bound)
    return bound is None or (met.heads is not None and met.heads <= bound)


def all_head_sets(graph_class: GraphClass, words: int, ranks: range | None = None) -> Iterator[HeadSets]:
    """Every graph of a class of graphs with this many words, each once, in the order of the enumeration.

    With `ranks`, only those whose rank in `graph_selection(graph_class, words).enumeration` is in the range.
    """
    return graph_selection(graph_class, words).graphs(words, ranks)


def all_graphs_of(graph_class: GraphClass, words: int) -> Iterator[Graph]:
    """Every graph of a class, of whatever base, with this many words, each once.

    >>> from arcproof.transitions.graph import format_arcs
    >>> [format_arcs(graph) for graph in all_graphs_of(GraphClass((Restriction("single-root"),), "graphs"), 1)]
    ['0>1']
    """
    if graph_class.base == "graphs":
        return map(graph_with, all_head_sets(graph_class, words))
    return map(graph_of, all_graphs(graph_class, words))
