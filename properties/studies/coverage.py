"""Coverage: which sentences and arcs of a treebank a system derives, and how its graphs spread over classes and
degrees.

A sentence is covered if one of the figure's oracles leads to its gold graph; if the oracles are not complete for the
system, it could derive more than that.  The gold graph of a system with `several heads` is that of DEPS or of an
SDP-style file, and has its own spread (`GraphSpread`); that of every other system is a tree.  For a sentence that is
not covered, the arcs are counted that the best oracle has built when it stops.  The spread is that of Nivre 2007,
section 2: sentences and arcs by degree.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import partial

from arcproof.generators.classes import ADJECTIVES, edge_degree_2007, gap_degree, is_projective, nonprojective_arcs
from arcproof.generators.graph_classes import GRAPH_ADJECTIVES, contains_sets, most_heads
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.side_by_side import in_chunks
from arcproof.properties.checks.oracle_correct import complete_classes
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Graph, head_sets
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Restriction
from arcproof.transitions.system import System


@dataclass(slots=True)
class Spread:
    """Statistics of all sentences: how many are projective, and how many have each degree."""

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
class GraphSpread:
    """Statistics of all graphs: their number by the greatest number of heads of a word, and in each class; and the
    number of words with several heads.
    """

    asked: tuple[GraphClass, ...]
    sentences: int = 0
    arcs: int = 0
    words: int = 0
    words_with_several: int = 0
    heads: Counter[int] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)

    @property
    def names(self) -> list[str]:
        """The classes that were requested."""
        return list(map(_class_name, self.asked))

    @staticmethod
    def of(systems: Iterable[System]) -> "GraphSpread":
        """The statistics for each restriction that applies to graphs, and for each class for which the systems claim to
        be complete.
        """
        words = [GraphClass((Restriction(name),), "graphs") for name in GRAPH_ADJECTIVES]
        claimed = [
            system.class_with_parameters(graphs)
            for system in systems
            for graphs in complete_classes(system)
            if graphs.base == "graphs"
        ]
        return GraphSpread(tuple(dict.fromkeys([*words, *claimed])))

    def add(self, sentence: Sentence) -> None:
        """Count one more sentence."""
        sets = head_sets(sentence.graph)
        self.sentences += 1
        self.arcs += len(sentence.graph.arcs)
        self.words += sentence.words
        self.words_with_several += sum(heads.bit_count() > 1 for heads in sets)
        self.heads[most_heads(sets)] += 1
        self.classes.update(_class_name(asked) for asked in self.asked if contains_sets(asked, sets))


def _class_name(asked: GraphClass) -> str:
    """The name of a class of graphs: only its adjectives, if it has any."""
    return class_text(asked).removesuffix(f" {asked.base}")


@dataclass(frozen=True, slots=True)
class Missed:
    """A sentence that is not derived: its number in the file, the line of its first word, and the line where it
    begins.
    """

    number: int
    line: int
    first_line: int


@dataclass(slots=True)
class Covered:
    """For one system: the sentences and arcs that it derives, and the first sentence that it does not."""

    system: str
    sentences: int = 0
    arcs: int = 0
    first_missed: Missed | None = None

    def add(self, sentence: Sentence, built: int) -> None:
        """Count one more sentence, with this many arcs built."""
        self.arcs += built
        if built == len(sentence.graph.arcs):
            self.sentences += 1
        elif self.first_missed is None:
            self.first_missed = Missed(sentence.number, sentence.line, sentence.first_line)


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


def cover(systems: Sequence[System], sentences: Iterable[Sentence]) -> tuple[Spread, list[Covered]]:
    """Try every sentence with every system; raises `UnknownOracle` if a system has no oracle to try."""
    spread = Spread()
    return spread, count_all(systems, sentences, spread)


def count_all(
    systems: Sequence[System], sentences: Iterable[Sentence], spread: Spread | GraphSpread | None, jobs: int = 1
) -> list[Covered]:
    """What each system derives; the spread, if given, is updated too."""
    for system in systems:
        system.oracle()
    covered = [Covered(system.name) for system in systems]
    kept: deque[Sentence] = deque()
    for built in in_chunks(
        partial(_built_by_all, systems), ((kept_in(kept, sentence).graph,) for sentence in sentences), jobs
    ):
        sentence = kept.popleft()
        if spread is not None:
            spread.add(sentence)
        for count, arcs in zip(covered, built, strict=True):
            count.add(sentence, arcs)
    return covered


def kept_in(kept: deque[Sentence], sentence: Sentence) -> Sentence:
    """The sentence, examined again now that it is known which of its arcs are built."""
    kept.append(sentence)
    return sentence


def _built_by_all(systems: Sequence[System], gold: Graph) -> list[int]:
    """The number of gold arcs that each system builds."""
    return [len(_built(system, gold)) for system in systems]
