"""Training with exploration: the parser makes its own choices on the training data, and a dynamic oracle says what
would have been free there (Goldberg & Nivre 2012, 2013).

The first rounds learn from the rows of the static oracle, as without exploration.  From then on the parser follows its
own best transition with probability `explore`, else the best free one, and learns in every configuration that it meets
(`arcproof/native/explore.c`).  With `explore` 0 it takes only free ones, like a static oracle that is not
deterministic.

Gold trees are those that the static oracle derives, some of them lifted.  Where nothing is free, the cheapest
transitions count as free. Classes, columns and joins are those of the static oracle's runs; a run ends early where no
known class is permissible.

Costs are rows of the figure's program; where there is no program for them, the interpreter says what each costs.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arcproof import native
from arcproof.classifiers.codes import ASKED, UNKNOWN_COST
from arcproof.classifiers.features.model import Program
from arcproof.classifiers.features.vocabulary import Vocabulary, Whole
from arcproof.classifiers.instances import Explored, Instances, gold_labels
from arcproof.classifiers.learners.averaged import Averaged
from arcproof.classifiers.learners.expansion import checked
from arcproof.classifiers.learners.fast import rounds
from arcproof.classifiers.learners.learner import Classifier, Data, Settings
from arcproof.classifiers.native import CannotBeTrained
from arcproof.classifiers.trained_model import longest_run
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph
from arcproof.transitions.machine.codes import FINISHED, PAUSED

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import ArrayState, Runner

FIRST_ROUNDS: Final = 1
PIECE: Final = 500
"""The number of transitions that native code takes before it returns, so that Ctrl-C can take effect in between."""


@dataclass(frozen=True)
class Lessons:
    """Sentences to explore, with their gold trees; `structures` are the same as native code takes them, which live as
    long as these.
    """

    golds: tuple[Graph, ...]
    starts: "dict[int, ArrayState]"
    """The initial configuration by the number of words."""
    rows: list[tuple[Whole, Whole]]
    """The attributes of words, and the gold data."""
    limits: dict[int, int]
    """The most transitions of a run by the number of words."""

    @staticmethod
    def of(runner: "Runner", vocabulary: Vocabulary, sentences: Sequence[tuple[Sentence, Graph]]) -> "Lessons":
        """The lessons of sentences with the trees that are to be learned."""
        lengths = sorted({gold.words for _, gold in sentences})
        return Lessons(
            tuple(gold for _, gold in sentences),
            {words: runner.state(words) for words in lengths},
            [
                (vocabulary.tokens(sentence.tokens), runner.gold(gold, gold_labels(vocabulary, gold)))
                for sentence, gold in sentences
            ],
            {words: longest_run(runner.system, words) for words in lengths},
        )

    @native.cached_structure
    def structures(self) -> Any:
        """The lessons as native code takes them."""
        return native.ffi.new(
            "struct lesson[]",
            [
                ((self.starts[gold.words].structure[0], native.pointer(tokens)), native.pointer(rows), self.limits[gold.words])
                for gold, (tokens, rows) in zip(self.golds, self.rows, strict=True)
            ],
        )  # fmt: skip


@dataclass(frozen=True)
class Explorer:
    """A figure with a dynamic oracle, the features, and the classes: for each class the place of its code, and its
    label.

    `silence` says why the figure's program cannot compute costs; None if it can.
    """

    runner: "Runner"
    oracle: s.DynamicOracle
    silence: str | None
    program: Program
    vocabulary: Vocabulary
    known: Whole
    places: Whole
    labels: Whole

    @staticmethod
    def of(
        runner: "Runner", oracle: s.DynamicOracle, program: Program, vocabulary: Vocabulary, found: Instances
    ) -> "Explorer":
        """The explorer that knows the classes of the static oracle's runs."""
        priced, silence = with_costs(runner, oracle)
        codes = np.array([runner.code(transition) for transition in found.classes], dtype=np.int64)
        labels = np.array([vocabulary.label(transition.label) for transition in found.classes], dtype=np.int64)
        known, places = np.unique(codes, return_inverse=True)
        places = places.reshape(-1).astype(np.int64)
        return Explorer(priced, oracle, silence, program, vocabulary, known, places, labels)

    def lessons(self, sentences: Sequence[tuple[Sentence, Graph]]) -> Lessons:
        """The lessons of sentences with the trees that are to be learned."""
        return Lessons.of(self.runner, self.vocabulary, sentences)

    @native.cached_structure
    def _classes(self) -> Any:
        """The classes, as native code takes them."""
        return native.structure(
            "classes", count=len(self.places), codes=native.pointer(self.known[self.places]), labels=native.pointer(self.labels),
            places=native.pointer(self.places), known=native.pointer(self.known), known_count=len(self.known), default_name=-1,
        )  # fmt: skip

    def round(
        self, lessons: Lessons, order: Whole, learned: Averaged, explore: float, most: float, seed: int
    ) -> "Round":
        """Explore sentences in this order, and learn from them unless `most` is 0."""
        state = self.runner.state(max(lessons.starts, default=0))
        room = _Room.of(self, state)
        model = native.structure(
            "model", features=self.program.structure(), classes=self._classes, linear=learned.structure
        )
        exploring = native.structure(
            "exploring", model=model, lessons=lessons.structures, order=native.pointer(order), count=len(order),
            sentence=state.sentence(), is_priced=self.silence is None, explore=explore, max_change=most,
            allowed=native.pointer(room.allowed), words=native.pointer(room.words), costs=native.pointer(room.costs),
            step=learned.step, chance=seed,
        )  # fmt: skip
        while (code := checked(native.library.explore(exploring, PIECE))) in (PAUSED, ASKED):
            if code == ASKED:
                gold = lessons.golds[order[exploring.done]]
                self._ask(room.state_of(gold.words), gold, room)
        if code != FINISHED:
            raise CannotBeTrained(
                f"{self.runner.system.name}: a run that the parser explores has sequences that grow too long; "
                "leave out explore"
            )
        learned.step = exploring.step
        return Round(exploring.transitions, exploring.astray, exploring.nothing_free, room)

    def _ask(self, state: "ArrayState", gold: Graph, room: "_Room") -> None:
        """Ask the interpreter what the permissible classes cost."""
        system, c = self.runner.system, state.configuration()
        notions, labelled = system.gold(gold), any(line.label is not None for line in self.oracle.lines)
        labels = [None, *self.vocabulary.labels]
        right = gold_labels(self.vocabulary, gold)
        said: dict[Transition, int] = {}
        for k in np.flatnonzero(room.allowed[self.places]).tolist():
            place, label = int(self.places[k]), int(self.labels[k])
            transition = self.runner.transition(int(self.known[place]), labels[label] if labelled else None)
            if transition not in said:
                cost = system.cost(c, transition, notions, self.oracle)
                said[transition] = UNKNOWN_COST if cost is None else max(-UNKNOWN_COST, min(cost, UNKNOWN_COST))
            word = int(room.words[place])
            room.costs[k] = said[transition] + (not labelled and word >= 0 and right[word - 1] != label)


@dataclass(frozen=True)
class Round:
    """The number of transitions taken, the number of those that were not free, how often none was free, and where the
    last run ended.
    """

    transitions: int
    astray: int
    nothing_free: int
    room: "_Room"


@dataclass(frozen=True)
class _Room:
    """Room for native code: one configuration, as long as the longest sentence needs, and what is known about it."""

    state: "ArrayState"
    allowed: Any
    words: Whole
    costs: Whole

    @staticmethod
    def of(explorer: Explorer, state: "ArrayState") -> "_Room":
        codes = len(explorer.known)
        words, costs = np.zeros(codes, dtype=np.int64), np.zeros(len(explorer.places), dtype=np.int64)
        return _Room(state, np.zeros(codes, dtype=np.bool_), words, costs)

    def state_of(self, words: int) -> "ArrayState":
        """The configuration, if it is that of a sentence of this many words."""
        start = self.state.runner.state(words)
        cells, tree = self.state.cells.reshape(-1)[: start.cells.size], self.state.tree.reshape(-1)[: start.tree.size]
        return replace(
            start, cells=cells.reshape(start.cells.shape), size=self.state.size, tree=tree.reshape(start.tree.shape)
        )


def with_costs(runner: "Runner", oracle: s.DynamicOracle) -> "tuple[Runner, str | None]":
    """The runner with costs in its program; or without them, and the reason why."""
    from arcproof.transitions.machine.meaning import NotAssembled

    try:
        return runner.with_costs(oracle), None
    except NotAssembled as reason:
        return runner.with_costs(None), str(reason)


def lessons_of(gold: Sequence[Sentence], found: Instances) -> list[tuple[Sentence, Graph]]:
    """The sentences that the static oracle derives, with the trees that it derives."""
    left_out = set(found.left_out)
    kept = (sentence for place, sentence in enumerate(gold, start=1) if place not in left_out)
    return list(zip(kept, found.derived, strict=True))


def learn_exploring(
    explorer: Explorer, lessons: Lessons, data: Data, explore: float, settings: Settings, watch: Watcher = SILENT
) -> tuple[Classifier, Explored]:  # fmt: skip
    """The classifier after the static oracle's rounds and then those with exploration; the seed fixes the order."""
    chance = np.random.default_rng(settings.seed)
    watch.begin("learning", settings.epochs)
    learned = rounds(data, settings, FIRST_ROUNDS, chance, watch)
    taken = astray = nothing_free = 0
    for _ in range(FIRST_ROUNDS, settings.epochs):
        watch.advance()
        order, seed = chance.permutation(len(lessons.golds)), int(chance.integers(1 << 62))
        found = explorer.round(lessons, order, learned, explore, settings.most, seed)
        taken, astray = taken + found.transitions, astray + found.astray
        nothing_free += found.nothing_free
    number = settings.epochs - FIRST_ROUNDS
    return learned.classifier(), Explored(explore, number, taken, astray, nothing_free, explorer.silence)
