"""Is an oracle shortest: does it take a shortest derivation for every graph of the class?"""

from dataclasses import dataclass

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.exhausted import Levels
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.syntax import GraphClass


@dataclass(frozen=True, slots=True)
class OracleQuality:
    """The smallest graph for which the oracle takes more transitions than needed, or None up to so many words."""

    oracle: str
    graphs: GraphClass
    longer_on: Heads | None
    taken: int
    needed: int
    words: int
    derived: int


def check_shortest(levels: Levels, oracle: str, graphs: GraphClass) -> OracleQuality:
    """Compare the oracle's derivation of every graph with a shortest one."""
    bounded = levels.system.class_with_parameters(graphs)
    derived = 0
    for space in levels.spaces():
        for heads in all_graphs(bounded, space.words):
            try:
                derivation = levels.system.derive(graph_of(heads), oracle)
            except NotDerivable:
                continue
            derived += space.words > 0
            needed = len(space.run_to(space.outputs[derivation.graph.heads]))
            if len(derivation) > needed:
                return OracleQuality(oracle, bounded, heads, len(derivation), needed, space.words, derived)
    return OracleQuality(oracle, bounded, None, 0, 0, levels.reached, derived)
