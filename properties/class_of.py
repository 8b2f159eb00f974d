"""Which class is this?  The outputs of a system compared with every known class, up to n words.

For each class: `equal`, `contains` (all graphs of the class are outputs, and more), `contained` (all outputs are in the class, and it has more),
`neither`; with the smallest graph on each side.  An output that is not well-formed is outside every class.  In a system without node 0 words without head count as dependents of 0 in classes of
trees.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from arcproof.generators.classes import known_classes
from arcproof.generators.enumeration import all_graphs
from arcproof.properties.complete import least_graph, outputs_for
from arcproof.properties.exhausted import Levels
from arcproof.properties.exploration import StateSpace
from arcproof.transitions.graph import Graph, Heads, graph_of
from arcproof.transitions.syntax import GraphClass

Relation = Literal["equal", "contains", "contained", "neither"]


@dataclass(frozen=True, slots=True)
class ClassRelation:
    """A class, how the outputs relate to it, the smallest output outside it and the smallest member that is no output."""

    graphs: GraphClass
    relation: Relation
    outside: Graph | None
    missing: Heads | None
    words: int


@cache
def members(graphs: GraphClass, words: int) -> frozenset[Heads]:
    """All graphs of a class, kept because every system is compared with every class."""
    return frozenset(all_graphs(graphs, words))


def check_class(levels: Levels) -> list[ClassRelation]:
    """Compare with every known class, the closest relations first; nothing where there are no outputs to compare."""
    if not levels.some_run_ends():
        return []
    order: list[Relation] = ["equal", "contains", "contained", "neither"]
    relations = [_relation(levels, graphs) for graphs in known_classes() if _is_inhabited(graphs, levels.words)]
    return sorted(relations, key=lambda found: order.index(found.relation))


def _is_inhabited(graphs: GraphClass, words: int) -> bool:
    """A class without graphs up to so many words is contained in everything, which says nothing."""
    return any(members(graphs, n) for n in range(1, words + 1))


def _outside(space: StateSpace, beyond: set[Heads]) -> Graph | None:
    """An output that is not well-formed, or else the least beyond the class."""
    for output in space.outputs:
        if not isinstance(output, tuple):
            return Graph(space.words, output)
    least = least_graph(beyond)
    return None if least is None else graph_of(least)


def _relation(levels: Levels, graphs: GraphClass) -> ClassRelation:
    outside: Graph | None = None
    missing: Heads | None = None
    for space in levels.spaces():
        if space.words == 0:
            continue
        derived = outputs_for(space, graphs)
        class_members = members(graphs, space.words)
        outside = outside if outside is not None else _outside(space, derived - class_members)
        missing = missing if missing is not None else least_graph(class_members - derived)
        if outside is not None and missing is not None:
            break
    relation: Relation
    if outside is None:
        relation = "equal" if missing is None else "contained"
    else:
        relation = "contains" if missing is None else "neither"
    return ClassRelation(graphs, relation, outside, missing, levels.reached)
