"""Parse with a beam, and learn weights for it (`arcproof/native/beam.c` says what is searched and when weights
change).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from arcproof import native
from arcproof.classifiers.codes import SEARCH_FALLBACK, SEARCH_STAYS
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.averaged import Averaged
from arcproof.classifiers.learners.expansion import Expansion, checked
from arcproof.classifiers.learners.fast import LEAST
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.trained_model import NoRoom, TrainedModel, roomier
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.codes import DOES_NOT_FIT

PASSES: Final = 4


@dataclass(frozen=True)
class Searched:
    """The codes and labels of the best run, the tree it built, and whether it ended."""

    run: list[tuple[int, int]]
    tree: Whole
    is_terminal: bool


@dataclass(frozen=True)
class Beam:
    """Searches with a model of the figure and the features, and with weights as native code takes them."""

    model: TrainedModel
    weights: Any

    def parse(self, sentence: Sentence) -> Searched:
        """The best run."""
        state = self.model.runner.state(sentence.words)
        try:
            search = self._search(sentence, state.sentence(), limit=self.model.most(sentence.words))
        except NoRoom:
            return self._roomier(sentence.words).parse(sentence)
        run = native.owned(search.run, search.length, np.int64).tolist()
        taken = [self._step(by) for by in run if by != SEARCH_STAYS]
        return Searched(taken, state.tree, bool(search.is_terminal))

    def learn(self, sentence: Sentence, right: Whole, step: int) -> bool:
        """Search with the classes of the right run known; return whether weights were changed."""
        state = self.model.runner.state(sentence.words)
        try:
            search = self._search(sentence, state.sentence(), limit=len(right), right=native.pointer(right), step=step)
        except NoRoom:
            return self._roomier(sentence.words).learn(sentence, right, step)
        return bool(search.is_changed)

    def _roomier(self, words: int) -> "Beam":
        return replace(self, model=roomier(self.model, words, 2 * self.model.beam))

    def _step(self, by: int) -> tuple[int, int]:
        code = int(self.model.class_codes[by]) if by >= 0 else SEARCH_FALLBACK - by
        return code, int(self.model.class_labels[by]) if by >= 0 else self.model.label_of(code)

    def _search(self, sentence: Sentence, configuration: Any, **fields: Any) -> Any:
        tokens = self.model.vocabulary.tokens(sentence.tokens)
        search = native.structure(
            "search", model=self.model.structure(self.weights), sentence=configuration, tokens=native.pointer(tokens),
            width=self.model.beam, **fields,
        )  # fmt: skip
        if checked(native.library.search(search)) == DOES_NOT_FIT:
            raise NoRoom
        return search


def learn_with_beam(
    model: TrainedModel, rows: Rows, sentences: Sequence[Sentence], runs: Sequence[Whole], settings: Settings, watch: Watcher = SILENT
) -> TrainedModel:  # fmt: skip
    """The model with an averaged perceptron of whole runs, in an order fixed by the seed; `runs` are the classes of the
    right runs, and `rows` their features.

    A sentence causes at most one update per pass, so an epoch goes through all of them `PASSES` times.
    """
    expansion = Expansion.of(rows, model.program.columns, LEAST, model.program.joins)
    learned = Averaged.of(expansion, len(model.classes), 0, settings)
    beam = Beam(model, learned.structure)
    chance = np.random.default_rng(settings.seed)
    passes = PASSES * settings.epochs
    watch.begin("learning", passes)
    for _ in range(passes):
        watch.advance()
        for k in chance.permutation(len(sentences)):
            beam.learn(sentences[k], runs[k], learned.step)
            learned.step += 1
    return replace(model, classifier=learned.classifier())
