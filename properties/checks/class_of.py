"""Which class is this?  The outputs of a system compared with every known class, up to n words.

For each class: `equal`, `contains` (all graphs of the class are outputs, and more), `contained` (all outputs are in the
class, and it has more),
`neither`; with the smallest graph on each side.  An output that is not well-formed is outside every class.  With `root
none` words without a head count as dependents of 0 in classes of trees.  A figure with `several heads` is also compared
with the classes of graphs, up to the number of words at which there are still few enough.
"""

from typing import Final, Literal

from arcproof.generators.classes import known_classes
from arcproof.generators.graph_classes import known_graph_classes
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.claims.complete import least_missing
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import size_of
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import CompleteFor, GraphClass, Infinity, Restriction, Sound
from arcproof.transitions.system import System

MOST_WORDS: Final = 6  # beyond that, writing out forty classes takes longer than everything else
MOST_WORDS_OF_GRAPHS: Final = 4  # beyond that, there are 2^25 graphs

Relation = Literal["equal", "contains", "contained", "neither"]


@dataclass(frozen=True, slots=True)
class ClassRelation:
    """A class, how the outputs relate to it, the smallest output outside it, and the smallest member that is not an
    output.
    """

    graphs: GraphClass
    relation: Relation
    outside: Graph | None
    missing: Graph | None
    words: int


def check_class(levels: Levels) -> list[ClassRelation]:
    """Compare with every known class, the closest relations first; nothing where there are no outputs to compare."""
    if not levels.some_run_ends():
        return []
    order: list[Relation] = ["equal", "contains", "contained", "neither"]
    relations = [
        _relation(levels, graphs) for graphs in classes_for(levels.system) if _is_inhabited(graphs, levels.words)
    ]
    return sorted(relations, key=lambda found: order.index(found.relation))


def classes_for(system: System) -> tuple[GraphClass, ...]:
    """The classes that the outputs of a system are compared with: every known one, and those that it claims."""
    several = system.figure.several_heads
    known = (*known_graph_classes(), *known_classes()) if several else known_classes()
    statements = (claim.statement for claim in system.figure.claims)
    claimed = (system.class_with_parameters(s.graphs) for s in statements if isinstance(s, Sound | CompleteFor))
    classes = {_conditions(graphs): graphs for graphs in known}
    for graphs in claimed:
        if several or graphs.base != "graphs":
            classes.setdefault(_conditions(graphs), graphs)
    return tuple(classes.values())


def _conditions(graphs: GraphClass) -> tuple[str, frozenset[Restriction]]:
    """The conditions in no order, without bounds that exclude nothing."""
    return graphs.base, frozenset(one for one in graphs.restrictions if not isinstance(one.bound, Infinity))


def most_words(graphs: GraphClass) -> int:
    """The number of words up to which the graphs of a class are written out."""
    return MOST_WORDS_OF_GRAPHS if graphs.base == "graphs" else MOST_WORDS


def _is_inhabited(graphs: GraphClass, words: int) -> bool:
    """Whether a class has any graph of up to this many words; an empty one is contained in everything, which is
    uninformative.
    """
    return any(size_of(graphs, n) for n in range(1, min(words, most_words(graphs)) + 1))


def _relation(levels: Levels, graphs: GraphClass) -> ClassRelation:
    outside: Graph | None = None
    missing: Graph | None = None
    for space in levels.spaces():
        if space.words > most_words(graphs):
            break
        if outside is None:
            derived = space.outputs.for_class(space.system, graphs)
            outside = derived.outside(graphs).least
        if missing is None:
            missing = least_missing(space, graphs)
        if outside is not None and missing is not None:
            break
    relation: Relation
    if outside is None:
        relation = "equal" if missing is None else "contained"
    else:
        relation = "contains" if missing is None else "neither"
    return ClassRelation(graphs, relation, outside, missing, min(levels.reached, most_words(graphs)))
