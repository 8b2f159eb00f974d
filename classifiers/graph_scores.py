"""Scores of graphs in which a word may have several heads.

- An arc is right if the gold graph has an arc with the same head and dependent (unlabelled), and the same label
  (labelled).  Precision is the share of predicted arcs that are right, recall the share of gold arcs that were found, F
  their harmonic mean.  Every arc counts: those from 0, and those into punctuation too.
- *Exact match*: all arcs of a sentence are right, and none is missing.
- McNemar's test on arcs asks which gold arcs were found with their label; on sentences, it asks which are exact.  The
  randomisation test exchanges the graphs of whole sentences at random, and counts how often labelled F differs at least
  as much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Final

from arcproof.classifiers.scores import NotTheSameSentences, Retrieval, length_name
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import Arc, Graph

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

TRIALS: Final = 10_000


@dataclass
class GraphScores:
    """Counts of a whole treebank."""

    sentences: int = 0
    labelled: Retrieval = field(default_factory=Retrieval)
    unlabelled: Retrieval = field(default_factory=Retrieval)
    exact_labelled: int = 0
    exact_unlabelled: int = 0
    by_label: dict[str, Retrieval] = field(default_factory=dict)
    by_length: dict[str, Retrieval] = field(default_factory=dict)
    found_arcs: list[bool] = field(default_factory=list)
    right_sentences: list[bool] = field(default_factory=list)
    by_sentence: list[tuple[int, int]] = field(default_factory=list)
    """For each sentence, the number of labelled arcs that are right, and the total number of gold and predicted
    arcs.
    """

    @property
    def exact(self) -> float:
        """The share of sentences that are right, labels included."""
        return self.exact_labelled / self.sentences if self.sentences else 0.0

    def add(self, sentence: Sentence, graph: Graph) -> None:
        """Count one more sentence."""
        gold = sentence.graph
        if graph.words != gold.words:
            raise NotTheSameSentences(
                f"sentence {sentence.number} has {gold.words} words, but {graph.words} were predicted"
            )
        _compare(self.labelled, gold.arcs, graph.arcs)
        _compare(self.unlabelled, _ends(gold), _ends(graph))
        self._by_kind(gold, graph)
        self.sentences += 1
        self.exact_labelled += gold.arcs == graph.arcs
        self.exact_unlabelled += _ends(gold) == _ends(graph)
        self.found_arcs += [arc in graph.arcs for arc in gold.sorted_arcs()]
        self.right_sentences.append(gold.arcs == graph.arcs)
        self.by_sentence.append((len(gold.arcs & graph.arcs), len(gold.arcs) + len(graph.arcs)))

    def _by_kind(self, gold: Graph, graph: Graph) -> None:
        """Count labelled arcs by label and unlabelled ones by length."""
        for label in {arc.label for arc in gold.arcs | graph.arcs}:
            kept = [frozenset(arc for arc in some.arcs if arc.label == label) for some in (gold, graph)]
            _compare(self.by_label.setdefault(label or "_", Retrieval()), *kept)
        for name in {length_name(arc.head, arc.dependent) for arc in gold.arcs | graph.arcs}:
            ends = [frozenset(end for end in _ends(some) if length_name(*end) == name) for some in (gold, graph)]
            _compare(self.by_length.setdefault(name, Retrieval()), *ends)


def _ends(graph: Graph) -> frozenset[tuple[int, int]]:
    return frozenset((arc.head, arc.dependent) for arc in graph.arcs)


def _compare(
    found: Retrieval, gold: frozenset[Arc] | frozenset[tuple[int, int]], predicted: frozenset[Arc] | frozenset[tuple[int, int]]
) -> None:  # fmt: skip
    right = len(gold & predicted)
    found.gold += len(gold)
    found.predicted += len(predicted)
    found.right += right
    found.found += right


def evaluate_graphs(gold: Iterable[Sentence], graphs: Iterable[Graph]) -> GraphScores:
    """The scores of predicted graphs."""
    scores = GraphScores()
    predicted = iter(graphs)
    for sentence in gold:
        graph = next(predicted, None)
        if graph is None:
            raise NotTheSameSentences(f"there is no predicted graph for sentence {sentence.number}")
        scores.add(sentence, graph)
    if next(predicted, None) is not None:
        raise NotTheSameSentences(f"there are more predicted graphs than the {scores.sentences} gold ones")
    return scores


def randomisation_of_f(
    first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]], trials: int = TRIALS, seed: int = 1
) -> float:
    """The probability that the difference in labelled F is at least as large if it does not matter which parser
    produced the graph of each sentence.
    """
    import numpy as np

    one, other = np.array(first, dtype=np.int64).reshape(-1, 2), np.array(second, dtype=np.int64).reshape(-1, 2)
    if len(one) != len(other):
        raise NotTheSameSentences(
            f"{len(one)} sentences against {len(other)}; both parsers must be scored on the same ones"
        )
    chance = np.random.default_rng(seed)
    observed = abs(_f(one.sum(axis=0)) - _f(other.sum(axis=0)))
    reached = 0
    for _ in range(trials):
        exchanged = chance.random((len(one), 1)) < 0.5
        left, right = np.where(exchanged, other, one).sum(axis=0), np.where(exchanged, one, other).sum(axis=0)
        reached += abs(_f(left) - _f(right)) >= observed - 1e-12
    return (reached + 1) / (trials + 1)


def _f(counts: "NDArray[int64]") -> float:
    right, both = counts.tolist()
    return 2 * right / both if both else 0.0
