"""Which classes of graphs a graph with several heads is in, computed efficiently from the heads of each word as bits.

A graph here is its `HeadSets`: any set of arcs between different nodes, none into 0, at most one from a node to
another. Two arcs with the same ends, i -> j and j -> i, are one span and do not cross.  `definitions` spells each word
out.

Why the shortcuts are right:
- A graph is acyclic iff words without remaining heads can be removed repeatedly until none are left.
- A set of nodes that begins with 0 and takes in every node that shares an arc with it is a component.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from arcproof.generators import spans
from arcproof.generators.classes import bound_of, contains
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import ROOT, Graph, HeadSets, head_sets, improper_arc, members
from arcproof.transitions.syntax import GraphClass, Number, Restriction

SetMembership: TypeAlias = Callable[[HeadSets], bool]


# --- cycles and components -------------------------------------------------------------------------------------------


def is_acyclic(sets: HeadSets) -> bool:
    """Whether there is no directed cycle.

    >>> is_acyclic((0b100, 0b001)), is_acyclic((0b100, 0b010))
    (True, False)
    """
    return not undecided(sets)


def undecided(sets: HeadSets) -> int:
    """The words that remain after words without remaining heads have been removed repeatedly: they include
    every cycle.
    """
    remaining = (1 << (len(sets) + 1)) - 2
    before = 0
    while remaining != before:
        before = remaining
        for word in members(before):
            if not sets[word - 1] & remaining:
                remaining ^= 1 << word
    return remaining


def cycle_among(sets: HeadSets) -> list[int] | None:
    """A cycle of words, each a head of the next; None if there is none.  It is found by going from head to head.

    >>> cycle_among((0b1000, 0b0010, 0b0100))
    [1, 2, 3]
    """
    remaining = undecided(sets)
    if not remaining:
        return None
    path: list[int] = []
    node = next(members(remaining))
    while node not in path:
        path.append(node)
        node = next(members(sets[node - 1] & remaining))
    cycle = path[path.index(node) :][::-1]
    least = cycle.index(min(cycle))
    return cycle[least:] + cycle[:least]


def is_connected(sets: HeadSets) -> bool:
    """Whether every node can be reached from every other over arcs taken in either direction.

    >>> is_connected((0b01, 0b010)), is_connected((0b01, 0b000))
    (True, False)
    """
    return component_of_root(sets) == (1 << (len(sets) + 1)) - 1


def component_of_root(sets: HeadSets) -> int:
    """The nodes connected to 0, as bits."""
    found, before = 1, 0
    while found != before:
        before = found
        for word, heads in enumerate(sets, start=1):
            if found >> word & 1:
                found |= heads
            elif heads & found:
                found |= 1 << word
    return found


def is_single_root(sets: HeadSets) -> bool:
    """Whether 0 has exactly one dependent."""
    return sum(heads & 1 for heads in sets) == 1


# --- crossing arcs ---------------------------------------------------------------------------------------------------


def spans_of(sets: HeadSets, root_arcs: bool) -> list[spans.Span]:
    """The arcs as distinct spans, ordered by their right ends.

    >>> spans_of((0b101, 0b010), root_arcs=True)
    [(0, 1), (1, 2)]
    """
    joined = list(sets)
    for word, heads in enumerate(sets, start=1):
        for head in members(heads >> (word + 1) << (word + 1)):
            joined[head - 1] |= 1 << word
    first = 0 if root_arcs else 1
    return [
        (left, right)
        for right, others in enumerate(joined, start=1)
        for left in members((others & ((1 << right) - 1)) >> first << first)
    ]


def _of_spans(holds: Callable[[list[spans.Span]], bool], *, root_arcs: bool) -> SetMembership:
    """What the arcs must be like, seen as spans; without `root_arcs`, only those between words count."""
    return lambda sets: holds(spans_of(sets, root_arcs))


# --- by name ---------------------------------------------------------------------------------------------------------


def most_heads(sets: HeadSets) -> int:
    """The greatest number of heads of a word.

    >>> most_heads((0b1101, 0, 0)), most_heads(())
    (3, 0)
    """
    return max(map(int.bit_count, sets), default=0)


GRAPH_ADJECTIVES: Final[dict[str, SetMembership]] = {
    "acyclic": is_acyclic,
    "connected": is_connected,
    "single-root": is_single_root,
    "planar": _of_spans(spans.do_not_cross, root_arcs=True),
    "planar-words": _of_spans(spans.do_not_cross, root_arcs=False),
    "1-endpoint-crossing": _of_spans(spans.are_1_endpoint_crossing, root_arcs=True),
    "1-endpoint-crossing-words": _of_spans(spans.are_1_endpoint_crossing, root_arcs=False),
    "2-planar": _of_spans(spans.are_2_planar, root_arcs=True),
    "2-planar-words": _of_spans(spans.are_2_planar, root_arcs=False),
}

ASKS_FOR_ARCS: Final = frozenset({"connected", "single-root"})
"""The adjectives that may stop applying when an arc is removed; all others survive that."""

GRAPH_MEASURES: Final[dict[str, Callable[[HeadSets], int]]] = {"heads": most_heads}


@dataclass(frozen=True, slots=True)
class _AtMost:
    """The requirement that a measure is within the bound."""

    measure: Callable[[HeadSets], int]
    bound: int

    def __call__(self, sets: HeadSets) -> bool:
        return self.measure(sets) <= self.bound


def requirement_of_sets(restriction: Restriction) -> SetMembership | None:
    """What a restriction requires of a graph; None if it requires nothing (a measure up to ∞); `ValueError` if it does
    not apply to graphs.
    """
    name, bound = restriction.name, restriction.bound
    if name in GRAPH_ADJECTIVES:
        if bound is not None:
            raise ValueError(f"{name!r} is not a measure and takes no bound")
        return GRAPH_ADJECTIVES[name]
    if name in GRAPH_MEASURES:
        limit = bound_of(name, bound)
        return None if limit is None else _AtMost(GRAPH_MEASURES[name], limit)
    known = ", ".join([*GRAPH_ADJECTIVES, *GRAPH_MEASURES])
    raise ValueError(f"{name!r} does not apply to graphs; what does: {known}")


@lru_cache(maxsize=256)
def requirements_of_sets(graph_class: GraphClass) -> tuple[SetMembership, ...]:
    """What a class of graphs requires; `ValueError` if it has another base, or a word does not apply to graphs."""
    if graph_class.base != "graphs":
        raise ValueError(f"the graphs of a class of {graph_class.base} have single heads")
    asked = map(requirement_of_sets, graph_class.restrictions)
    return tuple(holds for holds in asked if holds is not None)


def contains_sets(graph_class: GraphClass, sets: HeadSets) -> bool:
    """Whether the graph with these heads is in a class of graphs, forests or trees.

    >>> contains_sets(GraphClass((Restriction("heads", Number(2)),), "graphs"), (0b000, 0b011))
    True
    >>> contains_sets(GraphClass((), "forests"), (0b000, 0b011))
    False
    """
    if graph_class.base == "graphs":
        return all(holds(sets) for holds in requirements_of_sets(graph_class))
    if most_heads(sets) > 1:
        return False
    return contains(graph_class, tuple([heads.bit_length() - 1 if heads else None for heads in sets]))


def contains_graph(graph_class: GraphClass, graph: Graph) -> bool:
    """Whether a graph is in a class; it is in none if it has an arc into 0, one from a node to itself, or one arc with
    two labels.

    >>> from arcproof.transitions.graph import parse_arcs
    >>> contains_graph(GraphClass((Restriction("planar"),), "graphs"), parse_arcs("0>1 1>2 3>2 0>3"))
    True
    """
    return improper_arc(graph) is None and contains_sets(graph_class, head_sets(graph))


def dependents_of_root(sets: HeadSets) -> list[int]:
    """The words attached to 0, ascending."""
    return [word for word, heads in enumerate(sets, start=1) if heads >> ROOT & 1]


def known_graph_classes(bounds: Iterable[int] = (1, 2)) -> tuple[GraphClass, ...]:
    """The classes of graphs and of acyclic graphs, as they are and with each further word of the vocabulary; measures
    once with each bound.

    >>> from arcproof.transitions.printing.notation import class_text
    >>> [class_text(known) for known in known_graph_classes()][:3]
    ['graphs', 'connected graphs', 'single-root graphs']
    """
    further = [Restriction(name) for name in GRAPH_ADJECTIVES if name != "acyclic"]
    further += [Restriction(name, Number(bound)) for name in GRAPH_MEASURES for bound in bounds]
    return tuple(
        GraphClass((*before, *one), "graphs")
        for before in ((), (Restriction("acyclic"),))
        for one in ((), *((restriction,) for restriction in further))
    )
