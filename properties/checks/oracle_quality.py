"""Whether an oracle takes a shortest derivation for every graph of the class."""

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.engine import Followed
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import words_followed
from arcproof.properties.engines.spaces import Space
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import GraphClass


@dataclass(frozen=True, slots=True)
class OracleQuality:
    """The smallest graph for which the oracle takes more transitions than needed, or None up to this many words."""

    oracle: str
    graphs: GraphClass
    longer_on: Graph | None
    taken: int
    needed: int
    words: int
    derived: int


def _needed(space: Space, followed: Followed) -> list[int]:
    """The length of each shortest derivation, if the oracle has a derivation at all."""
    outputs = space.outputs.as_graphs() if followed.form == "graph" else space.outputs
    numbers = outputs.numbers_of_golds(space.system, followed.codes)
    pairs = zip(followed.lengths, numbers, strict=True)
    return [space.depth(number) if length >= 0 else 0 for length, number in pairs]


def check_shortest(levels: Levels, oracle: str, graphs: GraphClass) -> OracleQuality:
    """Compare the oracle's derivation of every graph with a shortest one."""
    bounded = levels.system.class_with_parameters(graphs)
    derived = 0
    for space in levels.spaces():
        if space.words > words_followed(bounded, space.words):
            return OracleQuality(oracle, bounded, None, 0, 0, space.words - 1, derived)
        for followed in levels.explorer.follow(oracle, bounded, space.words):
            needed = _needed(space, followed)
            taken = followed.lengths
            k = next((k for k, length in enumerate(taken) if length >= 0 and length > needed[k]), None)
            until = len(taken) if k is None else k + 1
            derived += sum(length >= 0 for length in taken[:until])
            if k is not None:
                graph = followed.graphs(k)
                return OracleQuality(oracle, bounded, graph, taken[k], needed[k], space.words, derived)
    return OracleQuality(oracle, bounded, None, 0, 0, levels.reached, derived)
