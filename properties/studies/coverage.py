"""Coverage: which sentences and arcs of a treebank a system derives, and how its graphs spread over classes and degrees.

A sentence is covered if one of the figure's oracles leads to its gold graph: where the oracles are not complete for the system, that is less
than the system could derive.  Of a sentence that is not covered, the arcs count that the best oracle has built when it stops.  The spread is that of Nivre 2007, section 2: sentences and arcs by degree.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import field

from arcproof.generators.classes import ADJECTIVES, edge_degree_2007, gap_degree, is_projective, nonprojective_arcs
from arcproof.generators.treebank import Sentence
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Graph
from arcproof.transitions.system import System

from arcproof.process.lazy_dataclass import dataclass


@dataclass(slots=True)
class Spread:
    """Of all sentences: how many are projective, and how many have each degree."""

    sentences: int = 0
    arcs: int = 0
    nonprojective_sentences: int = 0
    nonprojective_arcs: int = 0
    edge_degrees: Counter[int] = field(default_factory=Counter)
    gap_degrees: Counter[int] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)

    def add(self, sentence: Sentence) -> None:
        """Count one more sentence."""
        heads = sentence.graph.heads
        self.sentences += 1
        self.arcs += len(sentence.graph.arcs)
        self.nonprojective_sentences += not is_projective(heads)
        self.nonprojective_arcs += len(nonprojective_arcs(heads))
        self.edge_degrees[edge_degree_2007(heads)] += 1
        self.gap_degrees[gap_degree(heads)] += 1
        self.classes.update(name for name, contains in ADJECTIVES.items() if contains(heads))


@dataclass(slots=True)
class Covered:
    """Of one system: the sentences and arcs it derives, and the first sentence it does not."""

    system: str
    sentences: int = 0
    arcs: int = 0
    first_missed: Sentence | None = None

    def add(self, sentence: Sentence, system: System) -> None:
        """Try one more sentence."""
        built = _built(system, sentence.graph)
        self.arcs += len(built)
        if len(built) == len(sentence.graph.arcs):
            self.sentences += 1
        elif self.first_missed is None:
            self.first_missed = sentence


def _built(system: System, gold: Graph) -> frozenset[object]:
    """The gold arcs that the oracles build: all of them if one oracle succeeds."""
    best: frozenset[object] = frozenset()
    for oracle in system.figure.oracles:
        try:
            system.derive(gold, oracle.name)
        except NotDerivable as failure:
            built = gold.arcs - frozenset(failure.missing)
            best = best if len(best) >= len(built) else built
        else:
            return gold.arcs
    return best


def cover(systems: Iterable[System], sentences: Iterable[Sentence]) -> tuple[Spread, list[Covered]]:
    """Try every sentence with every system; `UnknownOracle` if a system has no oracle to try it with."""
    spread = Spread()
    loaded = list(systems)
    for system in loaded:
        system.oracle()
    covered = [Covered(system.name) for system in loaded]
    for sentence in sentences:
        spread.add(sentence)
        for count, system in zip(covered, loaded, strict=True):
            count.add(sentence, system)
    return spread, covered
