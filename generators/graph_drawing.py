"""Build graphs of a class from arcs, in the order in which they are drawn (by `strategies`, for Hypothesis).

Most words for classes of graphs are *loose*: if they apply to a graph, they still apply when arcs are removed.  So arcs
are taken one by one, and those that would leave the class are left out; every graph of the class can be made that way,
from its own arcs.  `connected` and `single-root` require arcs: if such arcs are missing in the end, the least ones that
the loose words allow are added, and if there are none, the heads of a word are removed first.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from arcproof.generators.graph_classes import (
    ASKS_FOR_ARCS,
    SetMembership,
    component_of_root,
    contains_sets,
    requirement_of_sets,
    requirements_of_sets,
)
from arcproof.transitions.graph import ROOT, HeadSets, members
from arcproof.transitions.syntax import GraphClass


def _has_at_most_one_root(sets: HeadSets) -> bool:
    return sum(heads & 1 for heads in sets) <= 1


@lru_cache(maxsize=256)
def loose_requirements(graphs: GraphClass) -> tuple[SetMembership, ...]:
    """The requirements of the class that still hold when arcs are removed."""
    asked = [requirement_of_sets(r) for r in graphs.restrictions if r.name not in ASKS_FOR_ARCS]
    single = [_has_at_most_one_root] if any(r.name == "single-root" for r in graphs.restrictions) else []
    return (*single, *(holds for holds in asked if holds is not None))


def made_of(graphs: GraphClass, words: int, arcs: Iterable[tuple[int, int]]) -> HeadSets | None:
    """The graph of a class built from arcs, given as (head, dependent) and taken in this order; None if no member of
    this size is known.

    >>> from arcproof.transitions.syntax import Restriction
    >>> made_of(GraphClass((Restriction("acyclic"),), "graphs"), 2, [(1, 2), (2, 1), (0, 2)])
    (0, 3)
    """
    sets: HeadSets = (0,) * words
    for head, dependent in arcs:
        sets = _with_arc(graphs, sets, head, dependent) or sets
    mended = _mended(graphs, sets)
    return mended if contains_sets(graphs, mended) else plain_graph(graphs, words)


def _with_arc(graphs: GraphClass, sets: HeadSets, head: int, dependent: int) -> HeadSets | None:
    """The graph with one more arc; None if the loose words do not allow that."""
    more = (*sets[: dependent - 1], sets[dependent - 1] | 1 << head, *sets[dependent:])
    return more if all(holds(more) for holds in loose_requirements(graphs)) else None


def _mended(graphs: GraphClass, sets: HeadSets) -> HeadSets:
    """The graph with the missing arcs that its class requires added, as far as possible."""
    names = {restriction.name for restriction in graphs.restrictions}
    if "single-root" in names and sets and not any(heads & 1 for heads in sets):
        sets = _joined(graphs, sets, [(ROOT, word) for word in range(1, len(sets) + 1)], 1)
    if "connected" in names:
        for _ in sets:
            inside = component_of_root(sets)
            apart = next((word for word in range(1, len(sets) + 1) if not inside >> word & 1), None)
            if apart is None:
                break
            sets = _joined(graphs, sets, list(_bridges(inside, len(sets))), apart)
    return sets


def _bridges(inside: int, words: int) -> Iterator[tuple[int, int]]:
    """The arcs between nodes that are connected to 0 and nodes that are not: the shortest first, and arcs from
    connected nodes before others.
    """
    apart = [word for word in range(1, words + 1) if not inside >> word & 1]
    for word in apart:
        yield from ((node, word) for node in members(inside))
    for word in apart:
        yield from ((word, node) for node in members(inside) if node != ROOT)


def _joined(graphs: GraphClass, sets: HeadSets, arcs: list[tuple[int, int]], freed: int) -> HeadSets:
    """The graph with the first of these arcs that is allowed, if necessary after one word has lost its heads."""
    free = (*sets[: freed - 1], 0, *sets[freed:])
    for start in (sets, free):
        for head, dependent in arcs:
            more = _with_arc(graphs, start, head, dependent)
            if more is not None:
                return more
    return sets


@lru_cache(maxsize=4096)
def plain_graph(graphs: GraphClass, words: int) -> HeadSets | None:
    """A graph of the class with few arcs: none, one from 0, one from 0 to each word, or a chain; None if none of these
    is in the class.
    """
    requirements_of_sets(graphs)
    alone = (1, *(0,) * (words - 1)) if words else ()
    flat, chain = (1,) * words, tuple(1 << node for node in range(words))
    return next((sets for sets in ((0,) * words, alone, flat, chain) if contains_sets(graphs, sets)), None)
