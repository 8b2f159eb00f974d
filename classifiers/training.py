"""Training: from gold trees to models, on the oracle's runs and then on the parser's own.

*Bootstrapping* (Choi & Palmer 2011, section 3): after training on the oracle's runs the parser parses its own training
data, and is trained again on what the oracle would have done in the configurations it went through; cross-validation
says how often this is worthwhile.

*Exploration* is in `exploration`: there the parser makes its own choices while it learns.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from arcproof.classifiers.exploration import Explorer, learn_exploring, lessons_of
from arcproof.classifiers.features.model import FeatureModel, Program, program
from arcproof.classifiers.features.vocabulary import Vocabulary
from arcproof.classifiers.graph_scores import evaluate_graphs
from arcproof.classifiers.instances import Instances, Trained, corrected, instances, tags_of, together
from arcproof.classifiers.learners import LEARN, Kind
from arcproof.classifiers.learners.learner import Classifier, Constant, Data, Settings
from arcproof.classifiers.native import CannotBeTrained, native_runner
from arcproof.classifiers.parsing import Counts, Parsed, Policy, batches, decoded, parse
from arcproof.classifiers.projectivity import Scheme, encode, is_marked
from arcproof.classifiers.scores import evaluate
from arcproof.classifiers.trained_model import TrainedModel
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.formats import TagColumn
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, graph_of
from arcproof.transitions.system import System

FOLDS: Final = 5


@dataclass(frozen=True)
class Trainer:
    """How models are trained.

    `explore` is how often a parser makes its own choices, None for never; `dynamic` names the dynamic oracle, None
    means the first.  `tags` is the column from which a figure that assigns tags learns them.
    """

    system: System
    features: FeatureModel
    learner: Kind
    oracle: str | None
    policy: Policy
    pseudo_projective: Scheme | None
    skip_nonprojective: bool
    settings: Settings
    explore: float | None = None
    dynamic: str | None = None
    beam: int = 1
    tags: TagColumn = "upos"

    def models(self, given: Sequence[Sentence], watch: Watcher = SILENT) -> Iterator[tuple[TrainedModel, Instances]]:
        """The model learned from the oracle's runs, then repeatedly a model learned from the runs of the previous one;
        each with its instances.
        """
        runner = native_runner(self.system)
        gold = [_encoded(sentence, self.pseudo_projective) for sentence in given]
        vocabulary = Vocabulary.of(gold, tags_of(self.system, gold, self.tags), self.features.spells)
        extracting = program(self.system, self.features, vocabulary)
        found = instances(runner, extracting, vocabulary, gold, self.oracle, self.skip_nonprojective, watch, self.tags)
        root_label = _root_label(gold)
        while True:
            if self.explore is None:
                classifier = self.learn(found, extracting, watch)
            else:
                explorer = Explorer.of(runner, self.system.dynamic_oracle(self.dynamic), extracting, vocabulary, found)
                classifier = self._explored(explorer, self.explore, gold, found, watch)
            model = TrainedModel(
                runner, extracting, vocabulary, classifier, found.classes, _fallback_labels(found), root_label, self.beam,
                self.tags,
            )  # fmt: skip
            if self.beam > 1:
                model = self._with_beam(model, gold, found, watch)
            yield model, found
            found = self._corrected(model, gold, found)

    def stages(self, gold: list[Sentence], most: int, watch: Watcher = SILENT) -> int:
        """The number of times that training on automatic parses is worthwhile, up to this limit: as long as the
        cross-validation score still rises.
        """
        folds = [_fold(gold, number) for number in range(min(FOLDS, len(gold)))] if len(gold) > 1 else []
        trainings = [self.models(rest, watch) for rest, _ in folds]
        best, found = -1.0, 0
        for stages in range(most + 1):
            scores = [self.score(next(training)[0], held) for training, (_, held) in zip(trainings, folds, strict=True)]
            mean = sum(scores) / len(scores) if scores else 0.0
            if mean <= best:
                break
            best, found = mean, stages
        return found

    def score(self, model: TrainedModel, gold: list[Sentence]) -> float:
        """The score of the model's parses, by `score_of`."""
        runs = (parsed for batch in batches(gold) for parsed in parse(model, batch, self.policy, Counts()))
        return score_of(gold, [decoded(parsed, self.pseudo_projective) for parsed in runs])

    def _with_beam(
        self, model: TrainedModel, gold: Sequence[Sentence], found: Instances, watch: Watcher
    ) -> TrainedModel:
        """The model with weights for its beam."""
        from arcproof.classifiers.beam import learn_with_beam

        runs = np.split(found.targets, np.cumsum([length for _, length in found.lengths])[:-1])
        return learn_with_beam(model, found.rows, _derived(gold, found), runs, self.settings, watch)

    def learn(self, found: Instances, extracting: Program, watch: Watcher = SILENT) -> Classifier:
        """The classifier learned from these instances; for a beam it is learned later."""
        if self.beam > 1:
            return Constant(len(found.classes), 0)
        return LEARN[self.learner](self._data(found, extracting), self.settings, watch)

    def _explored(
        self, explorer: Explorer, explore: float, gold: Sequence[Sentence], found: Instances, watch: Watcher
    ) -> Classifier:
        """The classifier trained with exploration."""
        lessons, data = explorer.lessons(lessons_of(gold, found)), self._data(found, explorer.program)
        classifier, found.explored = learn_exploring(explorer, lessons, data, explore, self.settings, watch)
        return classifier

    def _data(self, found: Instances, extracting: Program) -> Data:
        return Data(found.rows, found.targets, len(found.classes), extracting.columns, extracting.joins)

    def _corrected(self, model: TrainedModel, gold: list[Sentence], before: Instances) -> Instances:
        """What the oracle would have done in the configurations of the previous stage's parser."""
        kept = _derived(gold, before)
        runs: list[Trained] = []
        for batch in batches(kept):
            for sentence, parsed in zip(batch, parse(model, batch, self.policy, Counts()), strict=True):
                runs.append(
                    corrected(
                        model.runner,
                        model.program,
                        model.vocabulary,
                        sentence,
                        parsed.transitions,
                        self.oracle,
                        self.tags,
                    )
                )
        lengths = [(s.words, len(r.codes)) for s, r in zip(kept, runs, strict=True)]
        result = replace(before, lengths=lengths, stages=before.stages + 1)
        return together(model.runner, model.vocabulary, runs, result)


def score_of(gold: Sequence[Sentence], parsed: Sequence[Parsed]) -> float:
    """The labelled attachment score without punctuation, or the labelled F of the arcs of graphs, between 0 and 1."""
    graphs = [found.graph for found in parsed if found.graph is not None]
    if graphs:
        return evaluate_graphs(gold, graphs).labelled.f or 0.0
    return evaluate(gold, [(tree.heads, tree.labels) for tree in parsed]).las


def _derived(gold: Sequence[Sentence], found: Instances) -> list[Sentence]:
    """The sentences that instances were made from, with the trees that were derived."""
    left_out = set(found.left_out)
    kept = [sentence for place, sentence in enumerate(gold, start=1) if place not in left_out]
    return [replace(sentence, gold=graph) for sentence, graph in zip(kept, found.derived, strict=True)]


def _fold(gold: list[Sentence], number: int) -> tuple[list[Sentence], list[Sentence]]:
    """Split sentences into those to train on and those held out, which are every fifth one."""
    return [sentence for k, sentence in enumerate(gold) if k % FOLDS != number], gold[number::FOLDS]


def _encoded(sentence: Sentence, scheme: Scheme | None) -> Sentence:
    if scheme is None:
        return sentence
    try:
        return replace(sentence, gold=graph_of(*encode(sentence.heads, sentence.labels, scheme)))
    except BadGraph as problem:
        word = next((k for k, label in enumerate(sentence.labels, start=1) if is_marked(label)), 1)
        raise CannotBeTrained(f"{sentence.place(word)}: {problem}") from None


def _fallback_labels(found: Instances) -> dict[str, str | None]:
    """The most frequent label of each transition, as a fallback."""
    counts: dict[str, Counter[str | None]] = {}
    for transition, count in zip(found.classes, np.bincount(found.targets, minlength=len(found.classes)), strict=True):
        counts.setdefault(transition.name, Counter())[transition.label] += int(count)
    return {name: labels.most_common(1)[0][0] for name, labels in counts.items()}


def _root_label(gold: Sequence[Sentence]) -> str:
    labels = Counter(arc.label or "_" for sentence in gold for arc in sentence.graph.sorted_arcs() if arc.head == ROOT)
    return labels.most_common(1)[0][0] if labels else "ROOT"
