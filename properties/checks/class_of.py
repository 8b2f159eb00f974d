"""Which class is this?  The outputs of a system compared with every known class, up to n words.

For each class: `equal`, `contains` (all graphs of the class are outputs, and more), `contained` (all outputs are in the class, and it has more),
`neither`; with the smallest graph on each side.  An output that is not well-formed is outside every class.  In a system without node 0 words without head count as dependents of 0 in classes of
trees.
"""

from typing import Final, Literal

from arcproof.generators.classes import known_classes
from arcproof.properties.claims.complete import missing_in
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.outputs import heads_of, members
from arcproof.transitions.graph import Graph, Heads
from arcproof.transitions.syntax import GraphClass

from arcproof.process.lazy_dataclass import dataclass

MOST_WORDS: Final = 6  # beyond, writing out forty classes takes longer than everything else

Relation = Literal["equal", "contains", "contained", "neither"]


@dataclass(frozen=True, slots=True)
class ClassRelation:
    """A class, how the outputs relate to it, the smallest output outside it and the smallest member not output."""

    graphs: GraphClass
    relation: Relation
    outside: Graph | None
    missing: Heads | None
    words: int


def check_class(levels: Levels) -> list[ClassRelation]:
    """Compare with every known class, the closest relations first; nothing where there are no outputs to compare."""
    if not levels.some_run_ends():
        return []
    order: list[Relation] = ["equal", "contains", "contained", "neither"]
    relations = [_relation(levels, graphs) for graphs in known_classes() if _is_inhabited(graphs, levels.words)]
    return sorted(relations, key=lambda found: order.index(found.relation))


def _is_inhabited(graphs: GraphClass, words: int) -> bool:
    """A class without graphs up to this many words is contained in everything, which says nothing."""
    return any(len(members(graphs, n)) for n in range(1, min(words, MOST_WORDS) + 1))


def _relation(levels: Levels, graphs: GraphClass) -> ClassRelation:
    outside: Graph | None = None
    missing: Heads | None = None
    for space in levels.spaces():
        if space.words == 0:
            continue
        if space.words > MOST_WORDS:
            break
        if outside is None:
            derived = space.outputs.for_class(space.system, graphs)
            outside = derived.outside(graphs).least
        if missing is None:
            lacking = missing_in(space, graphs)
            missing = heads_of(lacking[0], space.words) if len(lacking) else None
        if outside is not None and missing is not None:
            break
    relation: Relation
    if outside is None:
        relation = "equal" if missing is None else "contained"
    else:
        relation = "contains" if missing is None else "neither"
    return ClassRelation(graphs, relation, outside, missing, min(levels.reached, MOST_WORDS))
