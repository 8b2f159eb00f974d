"""Whether an oracle takes a shortest derivation for every graph of the class."""

from arcproof.properties.engines.engine import Followed
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.outputs import as_output, words_followed
from arcproof.properties.engines.spaces import Space
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import GraphClass

from arcproof.process.arrays import np, npt
from arcproof.process.lazy_dataclass import dataclass


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


def _needed(space: Space, followed: Followed) -> npt.NDArray[np.int64]:
    """The length of each shortest derivation, if the oracle has a derivation at all."""
    outputs = space.outputs.as_graphs() if followed.form == "graph" else space.outputs
    numbers = outputs.numbers_of(as_output(space.system, followed.codes, space.words, followed.form))
    pairs = zip(followed.lengths, numbers, strict=True)
    return np.array([space.depth(int(number)) if length >= 0 else 0 for length, number in pairs], dtype=np.int64)


def check_shortest(levels: Levels, oracle: str, graphs: GraphClass) -> OracleQuality:
    """Compare the oracle's derivation of every graph with a shortest one."""
    bounded = levels.system.class_with_parameters(graphs)
    derived = 0
    for space in levels.spaces():
        if space.words > words_followed(bounded, space.words):
            return OracleQuality(oracle, bounded, None, 0, 0, space.words - 1, derived)
        for followed in levels.explorer.follow(oracle, bounded, space.words):
            needed = _needed(space, followed)
            longer = np.flatnonzero((followed.lengths >= 0) & (followed.lengths > needed))
            until = int(longer[0]) + 1 if len(longer) else len(followed.lengths)
            derived += int((followed.lengths[:until] >= 0).sum())
            if len(longer):
                k = int(longer[0])
                return OracleQuality(
                    oracle, bounded, followed.graphs(k), int(followed.lengths[k]), int(needed[k]), space.words, derived
                )
    return OracleQuality(oracle, bounded, None, 0, 0, levels.reached, derived)
