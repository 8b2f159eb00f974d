"""What training produces and parsing needs: the program of the figure, a feature model with its vocabulary, a
classifier and its classes.

`beam` is how many runs of a sentence are followed at a time; with 1 the best transition is taken each time.
`tags` is the column of the tags that a figure assigns.

`description` is what a model file says about it, apart from the classifier itself.
"""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arcproof import native
from arcproof.classifiers.features.model import Program, program, read_model
from arcproof.classifiers.features.vocabulary import STATIC, Vocabulary, Whole
from arcproof.classifiers.learners.expansion import all_pairs
from arcproof.classifiers.learners.learner import Classifier
from arcproof.classifiers.learners.svc import KernelClassifier
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.native import native_runner
from arcproof.generators.formats import TAG_COLUMNS, TagColumn
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.execute import Situation, evaluate
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System, load, most_transitions

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import Runner

MOST_BEAM: Final = 1024
MOST_CELLS: Final = 32_000_000
"""The greatest size in bytes of all configurations in memory at a time."""
MOST_TEXT: Final = 1_000_000
"""The most characters that the figure in a model may have."""


@dataclass(frozen=True)
class TrainedModel:
    """Everything needed for parsing."""

    runner: "Runner"
    program: Program
    vocabulary: Vocabulary
    classifier: Classifier
    classes: list[Transition]
    fallback_labels: dict[str, str | None]
    root_label: str
    beam: int = 1
    tags: TagColumn = "upos"

    @cached_property
    def class_codes(self) -> Whole:
        """The code of each class."""
        return np.array([self.runner.code(transition) for transition in self.classes], dtype=np.int64)

    @cached_property
    def class_labels(self) -> Whole:
        """The number of the label of each class."""
        return np.array([self.vocabulary.label(transition.label) for transition in self.classes], dtype=np.int64)

    @cached_property
    def known(self) -> Whole:
        """The codes that occur, ascending."""
        return np.unique(self.class_codes)

    @cached_property
    def class_places(self) -> Whole:
        """The index of each class's code in `known`."""
        return np.searchsorted(self.known, self.class_codes)

    @cached_property
    def default(self) -> int:
        """The number of the figure's default transition, or -1."""
        name = self.runner.system.figure.default
        return -1 if name is None else self.runner.names.index(name)

    @native.cached_structure
    def _classes(self) -> Any:
        """The classes, as native code takes them."""
        names = [self.label_of(code) for code in range(len(self.runner.names))]
        return native.structure(
            "classes", count=len(self.classes), codes=native.pointer(self.class_codes), labels=native.pointer(self.class_labels),
            places=native.pointer(self.class_places), known=native.pointer(self.known), known_count=len(self.known),
            name_labels=native.pointer(np.array(names, dtype=np.int64)), default_name=self.default,
        )  # fmt: skip

    def structure(self, linear: Any = None) -> Any:
        """The model as native code takes it, with weights if native code is to score the classes."""
        linear = native.ffi.NULL if linear is None else linear
        return native.structure("model", features=self.program.structure(), classes=self._classes, linear=linear)

    @cached_property
    def _shown(self) -> dict[tuple[int, int], Transition]:
        return {}

    def transition(self, step: tuple[int, int]) -> Transition:
        """The transition with this code and number of a label."""
        if step not in self._shown:
            code, label = step
            self._shown[step] = self.runner.transition(code, self.vocabulary.labels[label - 1] if label else None)
        return self._shown[step]

    @property
    def missing_label(self) -> str:
        """The label of an arc that was built without one: where one case of a transition takes a label and another does
        not, a class without a label may be taken in the former.
        """
        labels = self.vocabulary.labels if self.runner.system.figure.labels_arcs else ()
        return labels[0] if labels else "_"

    def label_of(self, code: int) -> int:
        """The number of the label for a transition that was not predicted."""
        name = self.runner.transition(code).name
        if all(rule.label is None for rule in self.runner.system.transitions[name]):
            return 0
        return self.vocabulary.label(self.fallback_labels.get(name)) or (1 if self.vocabulary.labels else 0)

    def most(self, words: int) -> int:
        """The number of transitions after which a run is stopped."""
        return longest_run(self.runner.system, words)


class NoRoom(Exception):
    """A permissible transition leads to a configuration for which there is no room."""


class GrowsWithoutEnd(ArcproofError, ValueError):
    """The configurations of a figure need more memory than a parser may use."""


def roomier(model: TrainedModel, words: int, configurations: int = 1) -> TrainedModel:
    """The model with more room for configurations of this length, this many at a time; `GrowsWithoutEnd` where that
    would be too much.
    """
    assert model.runner.system.figure.shared, "a permitted transition was refused"
    runner = model.runner.roomier
    cells = runner.capacity(words) * len(runner.system.figure.state) * configurations
    if cells > MOST_CELLS:
        raise GrowsWithoutEnd(
            f"{runner.system.name}: the sequences of a run over {counted(words, 'word')} have more than {model.runner.capacity(words)} nodes; "
            "there is no room to parse with a figure whose sequences grow like that"
        )
    return replace(model, runner=runner)


def longest_run(system: System, words: int) -> int:
    """The number of transitions that the figure claims to be enough; without such a claim, or if the claim allows more,
    `most_transitions`.
    """
    situation = Situation(Configuration(words, (), ()), {}, system.parameters)
    bounds = [
        int(evaluate(claim.statement.bound, situation))
        for claim in system.figure.claims
        if claim.kind == "plain"
        and isinstance(claim.statement, s.LengthBound)
        and claim.statement.relation in ("<=", "=")
        and not any(isinstance(part, s.Count) for part in s.walk(claim.statement.bound))
    ]
    return max(0, min([most_transitions(words), *bounds]))


def description(model: TrainedModel, settings: dict[str, Any]) -> dict[str, Any]:
    """What the model file says about the model and the settings it was trained with."""
    system = model.runner.system
    parameters = {name: str(value) for name, value in system.parameters.items()}
    return {
        "system": {"name": system.figure.name, "text": system.text, "parameters": parameters},
        "features": model.program.model.text,
        **settings,
        "vocabulary": {"values": model.vocabulary.values, "labels": model.vocabulary.labels},
        "classes": [[c.name, c.label, list(c.choice)] for c in model.classes],
        "fallback_labels": model.fallback_labels,
        "root_label": model.root_label,
        "beam": model.beam,
        "tags": model.tags,
    }


def described(description: dict[str, Any], classifier: Classifier) -> TrainedModel:
    """The model with this description; `ValueError` or the like if its parts are inconsistent."""
    system = _system(description["system"])
    features = read_model(_text(description["features"]), "feature model")
    vocabulary = _vocabulary(description["vocabulary"], features.spells)
    tags = description.get("tags", "upos")
    if tags not in TAG_COLUMNS:
        raise ValueError("tags of an unknown column")
    classes = [_transition(given) for given in description["classes"]]
    if any(transition.name not in system.transitions for transition in classes):
        raise ValueError("classes that are not transitions of the figure")
    fallback = {_text(name): _label(label) for name, label in description["fallback_labels"].items()}
    beam = description.get("beam", 1)
    if type(beam) is not int or not 1 <= beam <= MOST_BEAM:
        raise ValueError(f"a beam is a number from 1 to {MOST_BEAM}")
    model = TrainedModel(
        native_runner(system), program(system, features, vocabulary), vocabulary, classifier, classes,
        fallback, _text(description["root_label"]), beam, tags,
    )  # fmt: skip
    _check_classifier(model)
    return model


def _system(given: dict[str, Any]) -> System:
    text = _text(given["text"])
    if len(text) > MOST_TEXT:
        raise ValueError(f"a figure of more than {MOST_TEXT} characters")
    bare = load(text if "\n" in text else text + "\n")
    values = {_text(name): _text(value) for name, value in given["parameters"].items()}
    if set(values) != set(bare.parameters):
        raise ValueError("parameters that the figure does not have")
    return bare.with_parameters(values)


def _vocabulary(given: dict[str, Any], spells: bool) -> Vocabulary:
    values = tuple(tuple(map(_text, column)) for column in given["values"])
    labels = tuple(map(_text, given["labels"]))
    if len(values) != len(STATIC) or len(set(labels)) != len(labels):
        raise ValueError("a vocabulary with other columns, or with a label twice")
    return Vocabulary(values, labels, spells)


def _transition(given: Any) -> Transition:
    name, label, choice = given
    if not isinstance(choice, list) or any(type(number) is not int for number in choice):
        raise ValueError("a class whose choice is not a list of numbers")
    if len(choice) > kernel.MOST_CHOICES or not all(0 < number <= kernel.CHOICE_MASK for number in choice):
        raise ValueError("a class with a choice that no transition has")
    return Transition(_text(name), _label(label), tuple(choice))


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{type(given).__name__} where a text should be")
    return given


def _label(given: Any) -> str | None:
    return None if given is None else _text(given)


def _check_classifier(model: TrainedModel) -> None:
    """Check that the classifier fits these classes and features: native code relies on it."""
    number = len(model.classes)
    classifier = model.classifier
    if classifier.number != number:
        raise ValueError("the classifier is for other classes")
    _check_features(classifier, model.program)
    nothing = np.zeros((1, len(model.program.features)), dtype=np.int32)
    if classifier.scores(nothing).shape != (1, number):
        raise ValueError("the classifier is for other classes")
    if model.beam > 1 and not isinstance(classifier, LinearClassifier):
        raise ValueError("the classifier does not support a beam")


def _check_features(classifier: Classifier, program: Program) -> None:
    features = len(program.features)
    match classifier:
        case LinearClassifier():
            joins = all_pairs(features) if program.joins is None else program.joins
            if classifier.expansion.columns != program.columns or not np.array_equal(classifier.expansion.joins, joins):
                raise ValueError("the classifier is for other features")
        case KernelClassifier():
            if classifier.columns != program.columns or classifier.support.shape[1] != features:
                raise ValueError("the classifier is for other features")
        case _:
            pass
