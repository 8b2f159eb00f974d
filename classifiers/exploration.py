"""Training with exploration: the parser makes its own choices on the training data, and a dynamic oracle says what
would have been free there (Goldberg & Nivre 2012, 2013).

The first rounds learn from the rows of the static oracle, as without exploration.  From then on the parser follows its
own best transition with probability `explore`, else the best free one, and learns in every configuration that it meets
(`explored_runs`).  With `explore` 0 it takes only free ones, like a static oracle that is not deterministic.

Gold trees are those that the static oracle derives, some of them lifted.  Where nothing is free, the cheapest
transitions count as free. Classes, columns and joins are those of the static oracle's runs; a run ends early where no
known class is permissible.

Costs are rows of the figure's program; where there is no program for them, the interpreter says what each costs.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from arcproof.classifiers.features.model import Program
from arcproof.classifiers.features.vocabulary import Vocabulary, Whole
from arcproof.classifiers.instances import Explored, Instances, Rows, gold_labels
from arcproof.classifiers.learners.averaged import Averaged
from arcproof.classifiers.learners.fast import rounds
from arcproof.classifiers.learners.learner import Classifier, Data, Settings
from arcproof.classifiers.native import (
    ASKED,
    ASTRAY,
    CHANCE,
    DONE_SENTENCES,
    ENDED,
    NEXT_STEP,
    NOTHING_FREE,
    PROGRESS,
    TRANSITIONS,
    UNKNOWN_COST,
    CannotBeTrained,
    exploring,
)
from arcproof.classifiers.parsing import flat
from arcproof.classifiers.trained_model import longest_run
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph
from arcproof.transitions.machine.arrays import kernel

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import ArrayState, Runner

FIRST_ROUNDS: Final = 1
Flat: TypeAlias = tuple[Whole, Whole]


@dataclass(frozen=True)
class Lessons:
    """Sentences to explore, with their gold trees: the input of `explored_runs`."""

    golds: tuple[Graph, ...]
    numbers: Whole
    """For each sentence: its number of words, the most transitions of a run, and the place of its initial
    configuration.
    """
    cells: Flat
    sizes: Whole
    trees: Flat
    gold_rows: Flat
    tokens: Flat

    @staticmethod
    def of(runner: "Runner", vocabulary: Vocabulary, sentences: Sequence[tuple[Sentence, Graph]]) -> "Lessons":
        """The lessons of sentences with the trees that are to be learned."""
        system = runner.system
        starts = {words: runner.state(words) for words in sorted({gold.words for _, gold in sentences})}
        places = {words: place for place, words in enumerate(starts)}
        most = {words: longest_run(system, words) for words in starts}
        return Lessons(
            tuple(gold for _, gold in sentences),
            np.array([(g.words, most[g.words], places[g.words]) for _, g in sentences], dtype=np.int64).reshape(-1, 3),
            flat([start.cells for start in starts.values()]),
            np.stack([start.size for start in starts.values()]),
            flat([start.tree for start in starts.values()]),
            flat([runner.gold(gold, gold_labels(vocabulary, gold)) for _, gold in sentences]),
            flat([vocabulary.tokens(sentence.tokens) for sentence, _ in sentences]),
        )


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

    @cached_property
    def _limits(self) -> Whole:
        """The greatest lengths that occur in codes."""
        limits = np.full(kernel.MOST_CHOICES, -1, dtype=np.int64)
        for code in self.known.tolist():
            for place, length in enumerate(self.runner.transition(code).choice):
                limits[place] = max(limits[place], length - 1)
        return limits

    def round(
        self, lessons: Lessons, order: Whole, learned: Averaged, explore: float, most: float, seed: int
    ) -> "Round":
        """Explore sentences in this order, and learn from them unless `most` is 0."""
        room = _Room.of(self, lessons, learned)
        progress = np.zeros(PROGRESS, dtype=np.int64)
        progress[NEXT_STEP], progress[CHANCE] = learned.step, seed
        expansion, program = learned.expansion, self.runner.program
        arrays = (
            program.rows, program.entries, self.runner.registers(), self.runner.registers(), order, lessons.numbers,
            *lessons.cells, lessons.sizes, *lessons.trees, *lessons.gold_rows, *lessons.tokens, room.cells, room.size,
            room.tree, room.scratch, self.program.addresses, self.program.features, room.nodes, room.row, self.known,
            self._limits, room.allowed, room.paid, room.costs, room.words, self.places, self.labels, expansion.columns,
            expansion.joins, learned.table, room.found, learned.weights, learned.sums, room.scores, most, self.silence
            is None,
        )  # fmt: skip
        answer = exploring()(*arrays, False, explore, progress)
        while answer == ASKED:
            place = int(order[progress[DONE_SENTENCES]])
            self._ask(room.state(self.runner, lessons.golds[place].words), lessons.golds[place], room)
            answer = exploring()(*arrays, True, explore, progress)
        if answer != ENDED:
            raise CannotBeTrained(
                f"{self.runner.system.name}: a run that the parser explores has sequences that grow too long; "
                "leave out explore"
            )
        learned.step = int(progress[NEXT_STEP])
        taken, astray, nothing_free = (int(progress[place]) for place in (TRANSITIONS, ASTRAY, NOTHING_FREE))
        return Round(taken, astray, nothing_free, room)

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
    """Working memory for native code: one configuration, with room for the longest sentence, and what is known about
    it.
    """

    cells: Whole
    size: Whole
    tree: Whole
    scratch: Whole
    nodes: Whole
    row: Rows
    allowed: Any
    paid: Whole
    costs: Whole
    words: Whole
    found: Whole
    scores: Any

    @staticmethod
    def of(explorer: Explorer, lessons: Lessons, learned: Averaged) -> "_Room":
        longest = int(lessons.numbers[:, 0].max(initial=0))
        start = explorer.runner.state(longest)
        codes, classes = len(explorer.known), len(explorer.places)
        numbers = (
            4 * longest + 32,
            len(explorer.program.addresses),
            codes,
            classes,
            codes,
            len(learned.expansion.joins),
        )
        scratch, nodes, paid, costs, words, found = (np.zeros(number, dtype=np.int64) for number in numbers)
        row, allowed = np.zeros((1, len(explorer.program.features)), dtype=np.int32), np.zeros(codes, dtype=np.bool_)
        scores = np.zeros(classes, dtype=np.float32)
        cells, tree = start.cells.reshape(-1), start.tree.reshape(-1)
        return _Room(cells, start.size, tree, scratch, nodes, row, allowed, paid, costs, words, found, scores)

    def state(self, runner: "Runner", words: int) -> "ArrayState":
        """The configuration of a sentence of this many words."""
        start = runner.state(words)
        cells, tree = self.cells[: start.cells.size], self.tree[: start.tree.size]
        return replace(
            start, cells=cells.reshape(start.cells.shape), size=self.size, tree=tree.reshape(start.tree.shape)
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
