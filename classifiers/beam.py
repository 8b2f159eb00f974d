"""Parse with a beam, and learn weights for it; `beam_search` says what is searched and when weights change."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from arcproof.classifiers.beam_search import FALLBACK, STAYS, search
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.averaged import Averaged
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.fast import LEAST
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.trained_model import NoRoom, TrainedModel, roomier
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.arrays import kernel

PASSES: Final = 4
NOTHING: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Weights:
    """Weights, and the table that says where those of a column or join are, as for `loops.score_row`; `totals` are the
    sums for their mean.
    """

    expansion: Expansion
    table: Whole
    classes: Any
    sparse: Any
    dense: Any
    totals: Any

    @staticmethod
    def of(classifier: LinearClassifier) -> "Weights":
        """The weights that were learned."""
        table, dense = classifier.lookup
        totals = np.zeros((0, 0), dtype=np.float32)
        return Weights(classifier.expansion, table, classifier.classes, classifier.weights, dense, totals)

    @staticmethod
    def in_training(learned: Averaged) -> "Weights":
        """The weights being learned, written out in full."""
        table = learned.table.copy()
        table[:, 1] = -1 - table[:, 1]
        none = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        return Weights(learned.expansion, table, *none, learned.weights, learned.sums)


@dataclass(frozen=True)
class Searched:
    """The codes and labels of the best run, the tree it built, and whether it ended."""

    run: list[tuple[int, int]]
    tree: Whole
    is_terminal: bool


@dataclass(frozen=True)
class Beam:
    """Searches with a model of the figure and the features, and with weights."""

    model: TrainedModel
    weights: Weights

    @cached_property
    def _labels(self) -> Whole:
        """The labels of the classes, then those of the names of transitions, for transitions without a class."""
        names = [self.model.label_of(code) for code in range(len(self.model.runner.names))]
        return np.concatenate([self.model.class_labels, np.array(names, dtype=np.int64)])

    def parse(self, sentence: Sentence) -> Searched:
        """The best run found."""
        try:
            return self._parse(sentence)
        except NoRoom:
            return self._roomier(sentence.words).parse(sentence)

    def _roomier(self, words: int) -> "Beam":
        return replace(self, model=roomier(self.model, words, 2 * self.model.beam))

    def _parse(self, sentence: Sentence) -> Searched:
        steps = self.model.most(sentence.words)
        run, room, length = np.zeros(steps + 2, dtype=np.int64), *self._room(sentence.words)
        done = self._search(sentence, steps, room, run)
        begin = int(run[done]) * length
        state = self.model.runner.state(sentence.words)
        tree = room[begin + length - state.tree.size : begin + length]
        taken = [self._step(by) for by in run[:done].tolist() if by != STAYS]
        return Searched(taken, tree.reshape(state.tree.shape), bool(run[done + 1]))

    def learn(self, sentence: Sentence, right: Whole, time: int) -> bool:
        """Search with the right run known; return whether weights were changed."""
        room, _ = self._room(sentence.words)
        try:
            return self._search(sentence, len(right), room, NOTHING, right, time) > 0
        except NoRoom:
            return self._roomier(sentence.words).learn(sentence, right, time)

    def _step(self, by: int) -> tuple[int, int]:
        code = int(self.model.class_codes[by]) if by >= 0 else FALLBACK - by
        return code, int(self.model.class_labels[by]) if by >= 0 else self.model.label_of(code)

    def _room(self, words: int) -> tuple[Whole, int]:
        """Room for the configurations of two beams, with the initial configuration in front; and the length of each
        configuration.
        """
        state = self.model.runner.state(words)
        start = np.concatenate([state.cells.ravel(), state.size, state.tree.ravel()])
        room = np.empty(2 * self.model.beam * len(start), dtype=np.int64)
        room[: len(start)] = start
        return room, len(start)

    def _search(
        self, sentence: Sentence, steps: int, room: Whole, run: Whole, right: Whole | None = None, time: int = 0
    ) -> int:
        model, weights, program = self.model, self.weights, self.model.program
        joins, width, words = weights.expansion.joins, self.model.beam, sentence.words
        columns = np.empty((0 if right is None else steps * width, len(joins)), dtype=np.int32)
        done = search(
            *model.runner.figure, model.runner.no_gold(words), model.runner.scratch(words),
            model.vocabulary.tokens(sentence.tokens), program.addresses, program.features, np.zeros(len(program.addresses), dtype=np.int64),
            np.zeros((1, len(program.features)), dtype=np.int32), model.known, np.empty(kernel.MOST_CHOICES, dtype=np.int64),
            np.zeros((1, len(model.known)), dtype=np.bool_), model.default, model.class_codes, model.class_places, self._labels,
            weights.expansion.columns, joins, weights.table, weights.classes, weights.sparse, weights.dense,
            np.empty((len(joins), 2), dtype=np.int64), np.empty(weights.dense.shape[1], dtype=np.float32), room,
            len(model.runner.system.figure.state), model.runner.capacity(words), np.empty((2, width)), *_whole((2, width), (steps, width), (steps, width)), run, right is not None,
            NOTHING if right is None else right, *_whole((steps,)), columns, *_whole((steps, width)), weights.totals, time,
        )  # fmt: skip
        if done < 0:
            raise NoRoom
        return int(done)


def _whole(*shapes: tuple[int, ...]) -> Iterator[Whole]:
    return (np.empty(shape, dtype=np.int64) for shape in shapes)


def learn_with_beam(
    model: TrainedModel, rows: Rows, sentences: Sequence[Sentence], runs: Sequence[Whole], settings: Settings, watch: Watcher = SILENT
) -> TrainedModel:  # fmt: skip
    """The model with an averaged perceptron of whole runs, in an order fixed by the seed; `runs` are the classes of the
    right runs, and `rows` their features.

    A sentence causes at most one update per pass, so an epoch goes through all of them `PASSES` times.
    """
    expansion = Expansion.of(rows, model.program.columns, LEAST, model.program.joins)
    learned = Averaged.of(expansion, len(model.classes), 0, settings)
    beam = Beam(model, Weights.in_training(learned))
    chance = np.random.default_rng(settings.seed)
    passes = PASSES * settings.epochs
    watch.begin("learning", passes)
    for _ in range(passes):
        watch.advance()
        for k in chance.permutation(len(sentences)):
            beam.learn(sentences[k], runs[k], learned.step)
            learned.step += 1
    return replace(model, classifier=learned.classifier())
