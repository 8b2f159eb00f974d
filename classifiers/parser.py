"""The trained parser: a system, a feature model and a classifier that stands in for the oracle.

Parsing is the PARSE loop of Nivre 2008 with the classifier's choice.  All sentences of a batch advance together, one transition each at a time, so that
the classifier scores them in one go.  Two policies of the papers say what happens to a choice that is not permissible:
- `permissible`: the best of the permissible transitions is taken;
- `default`: the figure's `default` transition is taken instead; where that is not permissible either, the best permissible one, and this is counted.
A sentence ends in a terminal configuration, where nothing is permissible, or after the number of transitions that the figure claims to be enough
(without such a claim, after `most_transitions`); the latter two are counted.

*Bootstrapping* (Choi & Palmer 2011, section 3): after training on the oracle's runs the parser parses its own training data, and is trained again on what the oracle
would have done in the configurations it went through; `bootstrap` is how often at most, and cross-validation stops it earlier.

*Root attachment*: every word without head becomes a dependent of 0 with the label that most dependents of 0 have in the training data.
A forest becomes a tree by this, and a projective forest a projective tree: none of its words without head is covered by an arc.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, fields, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np
from arcproof.classifiers import model_file
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.features.model import (
    FeatureModel,
    Program,
    Vocabulary,
    Whole,
    load_model,
    program,
    read_model,
    suggested_model,
)
from arcproof.classifiers.instances import Instances, Trained, corrected, instances, together
from arcproof.classifiers.learners import KINDS, LEARN, WITH_JOINS, Kind
from arcproof.classifiers.learners.learner import Classifier, Data, Settings
from arcproof.classifiers.learners.split import split
from arcproof.classifiers.model_file import BadModel
from arcproof.classifiers.native import CannotBeTrained, native_runner, proceeding
from arcproof.classifiers.projectivity import SCHEMES, Scheme, decode, encode, is_marked
from arcproof.classifiers.scores import evaluate
from arcproof.classifiers.watching import NOBODY, Watcher
from arcproof.generators.treebank import Sentence, Token, read
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import ArcproofError, BadGraph
from arcproof.transitions.execute import Situation
from arcproof.transitions.execute import evaluate as evaluate_term
from arcproof.transitions.graph import ROOT, graph_of
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.system import System, load, most_transitions

from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import Runner

Policy: TypeAlias = Literal["permissible", "default"]
POLICIES: Final = get_args(Policy)
BATCH_SENTENCES: Final = 512
BATCH_WORDS: Final = 30_000
FOLDS: Final = 5
_OF_LEARNER: Final = "settings__"
Treebank: TypeAlias = "Iterable[Sentence] | str | Path"


class NotTrained(ArcproofError, ValueError):
    """A parser that was asked to parse before it was trained."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tree of a sentence, the heads before root attachment (None means no head), and the transitions taken."""

    heads: tuple[int, ...]
    labels: tuple[str, ...]
    before: tuple[int | None, ...]
    transitions: tuple[Transition, ...]
    is_terminal: bool


@dataclass
class Counts:
    """What happened while parsing."""

    sentences: int = 0
    words: int = 0
    transitions: int = 0
    not_permissible: int = 0
    default_refused: int = 0
    nothing_known: int = 0
    not_ended: int = 0
    attached: int = 0


@dataclass
class Parser:
    """A dependency parser to be trained; used like an estimator of scikit-learn.

    `system` and `features` are names on board or files; without `features` a model on board that goes with the figure is taken.
    """

    system: str | System
    features: str | None = None
    learner: Kind = "fast"
    oracle: str | None = None
    policy: Policy = "permissible"
    pseudo_projective: Scheme | None = None
    skip_nonprojective: bool = False
    split: str | None = None
    bootstrap: int = 0
    settings: Settings = field(default_factory=Settings)
    counts: Counts = field(default_factory=Counts, init=False, repr=False)
    _model: "_Model | None" = field(default=None, init=False, repr=False)
    _instances: Instances | None = field(default=None, init=False, repr=False)

    # --- as scikit-learn has it ----------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name; `deep`, also those of the learner, as `settings__epochs`."""
        own = {setting.name: getattr(self, setting.name) for setting in fields(self) if setting.init}
        of_learner = {f"{_OF_LEARNER}{name}": value for name, value in asdict(self.settings).items()} if deep else {}
        return own | of_learner

    def set_params(self, **parameters: Any) -> "Parser":
        """Change settings by name."""
        unknown = set(parameters) - set(self.get_params())
        if unknown:
            raise CannotBeTrained(f"a parser has no setting `{min(unknown)}`; it has {', '.join(self.get_params())}")
        of_learner = {name: value for name, value in parameters.items() if name.startswith(_OF_LEARNER)}
        for name in parameters.keys() - of_learner.keys():
            setattr(self, name, parameters[name])
        self.settings = replace(self.settings, **{n.removeprefix(_OF_LEARNER): v for n, v in of_learner.items()})
        return self

    def __sklearn_clone__(self) -> "Parser":
        """The same settings, not trained; they are never changed in place, so that they need not be copied."""
        return Parser(**self.get_params(deep=False))

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return self._model is not None

    def __sklearn_tags__(self) -> Any:
        """Neither classifier nor regressor: it takes sentences, which have their trees with them."""
        from sklearn.utils import InputTags, Tags, TargetTags

        inputs = InputTags(two_d_array=False)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=inputs)

    def fit(self, sentences: Treebank, y: None = None, watch: Watcher = NOBODY) -> "Parser":  # noqa: ARG002 - scikit-learn's signature
        """Train on gold trees: sentences, a file, or a treebank on board."""
        self.check()
        gold = _sentences(sentences, gold=True)
        stages = self._stages(gold, watch) if self.bootstrap else 0
        return self._fit(gold, stages, watch)

    def check(self) -> None:
        """Whatever does not go together is noticed before any work is done."""
        self._check_choices()
        system = self._loaded_system()
        if self.oracle is not None:
            system.oracle(self.oracle)
        if self.bootstrap and not system.figure.oracles:
            raise CannotBeTrained(
                f"{system.name} has no oracle, so that nothing says what would have been right where the parser went; leave out bootstrapping"
            )
        model = load_model(self.features or suggested_model(system))
        self._check_contradictions(model)
        program(system, model, Vocabulary.of([]))

    def _check_contradictions(self, model: FeatureModel) -> None:
        """A setting that another one makes meaningless is refused, not ignored."""
        if self.skip_nonprojective and self.pseudo_projective is not None:
            raise CannotBeTrained(
                f"the pseudo-projective scheme {self.pseudo_projective} makes every tree projective, so that skip-nonprojective leaves out none; choose one of them"
            )
        if model.joins and self.learner not in WITH_JOINS:
            raise CannotBeTrained(
                f"the feature model {model.name} names its joins, which the learner {self.learner} does not look at; take {' or '.join(WITH_JOINS)}, or a model without join lines"
            )
        if self.learner != "fast" and self.settings.epochs != Settings().epochs:
            raise CannotBeTrained(
                f"the learner {self.learner} has no epochs; leave out epochs {self.settings.epochs}, or take the learner fast"
            )

    def _loaded_system(self) -> System:
        return self.system if isinstance(self.system, System) else load(self.system)

    def _fit(self, given: list[Sentence], stages: int, watch: Watcher = NOBODY) -> "Parser":
        """Train on the oracle's runs, then this many times on the parser's own."""
        for _ in islice(self._trainings(given, watch), stages + 1):
            pass
        return self

    def _trainings(self, given: list[Sentence], watch: Watcher) -> Iterator["Parser"]:
        """The parser trained on the oracle's runs, then again and again on its own."""
        system = self._loaded_system()
        compiled = native_runner(system)
        gold = [_encoded(sentence, self.pseudo_projective) for sentence in given]
        model = load_model(self.features or suggested_model(system))
        vocabulary = Vocabulary.of(gold)
        extracting = program(system, model, vocabulary)
        found = instances(compiled, extracting, vocabulary, gold, self.oracle, self.skip_nonprojective, watch)
        root_label = _root_label(gold)
        while True:
            classifier = self._learn(found, extracting, watch)
            self._instances = found
            self._model = _Model(
                compiled, extracting, vocabulary, classifier, found.classes, _fallback_labels(found), root_label
            )  # fmt: skip
            yield self
            found = self._corrected(gold, found)

    def _corrected(self, gold: list[Sentence], before: Instances) -> Instances:
        """What the oracle would have done where the parser of the stage before went."""
        model = self._trained()
        left_out = set(before.left_out)
        kept = [sentence for place, sentence in enumerate(gold, start=1) if place not in left_out]
        kept = [replace(sentence, gold=graph) for sentence, graph in zip(kept, before.derived, strict=True)]
        runs: list[Trained] = []
        for batch in _batches(kept):
            for sentence, parsed in zip(batch, _parse(model, batch, self.policy, Counts()), strict=True):
                runs.append(
                    corrected(model.runner, model.program, model.vocabulary, sentence, parsed.transitions, self.oracle)
                )
        lengths = [(s.words, len(r.codes)) for s, r in zip(kept, runs, strict=True)]
        result = replace(before, lengths=lengths, stages=before.stages + 1)
        return together(model.runner, model.vocabulary, runs, result)

    def _stages(self, gold: list[Sentence], watch: Watcher = NOBODY) -> int:
        """How many times training on automatic parses pays: as long as cross-validation says that the score still rises."""
        folds = [_fold(gold, number) for number in range(min(FOLDS, len(gold)))] if len(gold) > 1 else []
        parsers = [
            Parser(**{**self.get_params(deep=False), "bootstrap": 0})._trainings(rest, watch) for rest, _ in folds
        ]
        best, found = -1.0, 0
        for stages in range(self.bootstrap + 1):
            scores = [next(parser).score(held) for parser, (_, held) in zip(parsers, folds, strict=True)]
            mean = sum(scores) / len(scores) if scores else 0.0
            if mean <= best:
                break
            best, found = mean, stages
        return found

    def _check_choices(self) -> None:
        for name, allowed in (("learner", KINDS), ("policy", POLICIES), ("pseudo_projective", (None, *SCHEMES))):
            if getattr(self, name) not in allowed:
                choice = ", ".join(map(str, allowed))
                raise CannotBeTrained(f"{name} is one of {choice}, not `{getattr(self, name)}`")

    def _learn(self, found: Instances, extracting: Program, watch: Watcher) -> Classifier:
        data = Data(found.rows, found.targets, len(found.classes), extracting.columns, extracting.joins)
        feature = self._split_feature(found, extracting)
        if feature is None:
            return LEARN[self.learner](data, self.settings, watch)
        return split(LEARN[self.learner], data, feature, self.settings, watch)

    def _split_feature(self, found: Instances, extracting: Program) -> int | None:
        """The part of speech of the first word of the buffer, unless it is always the same; the fast learners are not split."""
        if self.split == "none" or (self.split is None and self.learner in ("fast", "liblinear")):
            return None
        names = [str(feature) for feature in extracting.model.features]
        wanted = ["fpos(buffer[0])", "cpos(buffer[0])"] if self.split is None else [self.split]
        for name in wanted:
            if name in names and len(np.unique(found.rows[:, names.index(name)])) > 2:
                return names.index(name)
        if self.split is not None and self.split not in names:
            raise CannotBeTrained(f"the feature model has no {self.split} to split by; it has {', '.join(names)}")
        return None

    def predict(self, sentences: Treebank) -> list[Parsed]:
        """The trees of the sentences, in order."""
        return list(self.parse(_sentences(sentences, gold=False)))

    def parse(self, sentences: Iterable[Sentence]) -> Iterator[Parsed]:
        """The trees of the sentences, batch by batch."""
        return (parsed for _, parsed in self.parse_with(sentences))

    def parse_with(self, sentences: Iterable[Sentence]) -> Iterator[tuple[Sentence, Parsed]]:
        """Each sentence with its tree; no more than a batch of them is in memory."""
        self._check_choices()
        model = self._trained()
        for batch in _batches(sentences):
            for sentence, parsed in zip(batch, _parse(model, batch, self.policy, self.counts), strict=True):
                yield sentence, self._decoded(parsed)

    def knows(self, token: Token) -> bool:
        """Whether training had the part of speech of a word: its cpos or its fpos, as far as the feature model looks at them."""
        model = self._trained()
        looked_at = {feature.attribute for feature in model.program.model.features}
        return model.vocabulary.knows(token, looked_at & {"cpos", "fpos"})

    def score(self, sentences: Treebank, y: None = None) -> float:  # noqa: ARG002 - scikit-learn's signature
        """The labelled attachment score without punctuation, between 0 and 1."""
        gold = _sentences(sentences, gold=True)
        return evaluate(gold, [(p.heads, p.labels) for p in self.predict(gold)]).las

    def set_parameters(self, values: Mapping[str, str]) -> "Parser":
        """Let parameters of the figure have other values in parsing than they had in training, such as the maximum degree d of Nivre 2007."""
        model = self._trained()
        system = model.runner.system.with_parameters(values)
        self._model = replace(model, runner=native_runner(system))
        return self

    def _trained(self) -> "_Model":
        if self._model is None:
            raise NotTrained("this parser is not trained; call fit, or load a model")
        return self._model

    def _decoded(self, parsed: Parsed) -> Parsed:
        if self.pseudo_projective is None:
            return parsed
        heads, labels = decode(parsed.heads, parsed.labels, self.pseudo_projective)
        return replace(parsed, heads=heads, labels=labels)

    # --- what was learned ----------------------------------------------------------------------------------------------

    @property
    def trained_on(self) -> Instances | None:
        """The instances of the last `fit`; None after `load`."""
        return self._instances

    @property
    def trained_system(self) -> System:
        """The system that was trained."""
        return self._trained().runner.system

    @property
    def feature_model(self) -> FeatureModel:
        """The feature model that it was trained with."""
        return self._trained().program.model

    @property
    def classes(self) -> list[Transition]:
        """The transitions that can be predicted."""
        return self._trained().classes

    @property
    def root_label(self) -> str:
        """The label of the words that are attached to 0 because they have no head."""
        return self._trained().root_label

    def save(self, path: str | Path) -> None:
        """Write the model; the specification, the feature model and everything else that parsing needs is inside."""
        model = self._trained()
        system = model.runner.system
        description = {
            "system": {"name": system.figure.name, "text": system.text, "parameters": {k: str(v) for k, v in system.parameters.items()}},
            "features": model.program.model.text,
            "learner": self.learner,
            "policy": self.policy,
            "pseudo_projective": self.pseudo_projective,
            "settings": {name: value for name, value in asdict(self.settings).items() if name != "memory"},
            "vocabulary": {"values": model.vocabulary.values, "labels": model.vocabulary.labels},
            "classes": [[c.name, c.label, list(c.choice)] for c in model.classes],
            "fallback_labels": model.fallback_labels,
            "root_label": model.root_label,
        }  # fmt: skip
        model_file.write(path, description, model.classifier)

    @staticmethod
    def load(path: str | Path) -> "Parser":
        """A model that was saved; `BadModel` if the file is damaged or something else."""
        description, classifier = model_file.read(path)
        try:
            return _loaded(description, classifier)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise BadModel(f"{path}: a damaged model ({type(error).__name__}: {error})") from None


def _loaded(description: dict[str, Any], classifier: Classifier) -> Parser:
    given = description["system"]
    bare = load(given["text"] if "\n" in given["text"] else given["text"] + "\n")
    values = {name: float(value) if value == "inf" else int(value) for name, value in given["parameters"].items()}
    if set(values) != set(bare.parameters):
        raise ValueError("parameters that the figure does not have")
    system = replace(bare, parameters=values)
    features = read_model(description["features"], "feature model")
    vocabulary = Vocabulary(
        tuple(map(tuple, description["vocabulary"]["values"])), tuple(description["vocabulary"]["labels"])
    )
    classes = [Transition(name, label, tuple(choice)) for name, label, choice in description["classes"]]
    if any(transition.name not in system.transitions for transition in classes):
        raise ValueError("classes that are not transitions of the figure")
    parser = Parser(
        system=system, features=None, learner=description["learner"], policy=description["policy"],
        pseudo_projective=description["pseudo_projective"], settings=Settings(**description["settings"]),
    )  # fmt: skip
    parser._model = _Model(
        native_runner(system), program(system, features, vocabulary), vocabulary, classifier, classes,
        dict(description["fallback_labels"]), description["root_label"],
    )  # fmt: skip
    nothing = np.zeros((1, len(features.features)), dtype=np.int32)
    parts = model_file.parts(classifier)
    if any(part.number != len(classes) for part in parts) or any(
        part.scores(nothing).shape != (1, len(classes)) for part in parts
    ):
        raise ValueError("a classifier for other classes")
    return parser


def _sentences(treebank: Treebank, gold: bool) -> list[Sentence]:
    if isinstance(treebank, str | Path):
        return list(read(on_board(str(treebank)) or treebank, gold=gold))
    return list(treebank)


def _fold(gold: list[Sentence], number: int) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences to train on, and every fifth, which is held out."""
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
    """For each transition the label it has most often, for want of a better one."""
    counts: dict[str, Counter[str | None]] = {}
    for transition, count in zip(found.classes, np.bincount(found.targets, minlength=len(found.classes)), strict=True):
        counts.setdefault(transition.name, Counter())[transition.label] += int(count)
    return {name: labels.most_common(1)[0][0] for name, labels in counts.items()}


def _root_label(gold: Sequence[Sentence]) -> str:
    labels = Counter(
        label for sentence in gold for head, label in zip(sentence.heads, sentence.labels, strict=True) if head == ROOT
    )
    return labels.most_common(1)[0][0] if labels else "ROOT"


@dataclass(frozen=True)
class _Model:
    """Everything that parsing needs."""

    runner: "Runner"
    program: Program
    vocabulary: Vocabulary
    classifier: Classifier
    classes: list[Transition]
    fallback_labels: dict[str, str | None]
    root_label: str

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
        """The place of each class's code among those."""
        return np.searchsorted(self.known, self.class_codes)

    @cached_property
    def default(self) -> int:
        """The number of the figure's default transition, or -1."""
        name = self.runner.system.figure.default
        return -1 if name is None else self.runner.names.index(name)

    def label_of(self, code: int) -> int:
        """The label for a transition that was not predicted."""
        name = self.runner.transition(code).name
        if all(rule.label is None for rule in self.runner.system.transitions[name]):
            return 0
        return self.vocabulary.label(self.fallback_labels.get(name)) or (1 if self.vocabulary.labels else 0)

    def most(self, words: int) -> int:
        """After how many transitions a run is stopped."""
        system = self.runner.system
        situation = Situation(Configuration(words, (), ()), {}, system.parameters)
        bounds = [
            int(evaluate_term(claim.statement.bound, situation))
            for claim in system.figure.claims
            if claim.kind == "plain"
            and isinstance(claim.statement, s.LengthBound)
            and claim.statement.relation in ("<=", "=")
            and not any(isinstance(part, s.Count) for part in s.walk(claim.statement.bound))
        ]
        return min(bounds, default=most_transitions(words))


def _batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    waiting = iter(sentences)
    batch: list[Sentence] = []
    size = 0
    for sentence in waiting:
        batch.append(sentence)
        size += sentence.words
        if len(batch) == BATCH_SENTENCES or size >= BATCH_WORDS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _flat(arrays: Sequence[Whole]) -> tuple[Whole, Whole]:
    """Arrays one after the other, and where each begins."""
    ends = np.concatenate([[0], np.cumsum([array.size for array in arrays])]).astype(np.int64)
    return np.concatenate([array.ravel() for array in arrays]), ends


@dataclass
class _Batch:
    """Sentences that advance together."""

    cells: tuple[Whole, Whole]
    sizes: Whole
    trees: tuple[Whole, Whole]
    words: Whole
    tokens: tuple[Whole, Whole]

    @staticmethod
    def of(model: _Model, sentences: Sequence[Sentence]) -> "_Batch":
        states = [model.runner.state(sentence.words) for sentence in sentences]
        return _Batch(
            _flat([state.cells for state in states]),
            np.stack([state.size for state in states]),
            _flat([state.tree for state in states]),
            np.array([sentence.words for sentence in sentences], dtype=np.int64),
            _flat([model.vocabulary.tokens(sentence.tokens) for sentence in sentences]),
        )

    @property
    def states(self) -> tuple[Whole, Whole, Whole, Whole, Whole, Whole]:
        """The configurations of all sentences."""
        return *self.cells, self.sizes, *self.trees, self.words

    def tree(self, number: int) -> Whole:
        flat, at = self.trees
        return flat[at[number] : at[number + 1]].reshape(kernel.TREE_ROWS, -1)


def _parse(model: _Model, sentences: Sequence[Sentence], policy: Policy, counts: Counts) -> Iterator[Parsed]:
    """The PARSE loop for a batch."""
    batch = _Batch.of(model, sentences)
    longest = int(batch.words.max())
    most = np.array([model.most(sentence.words) for sentence in sentences], dtype=np.int64)
    proceed, figure = proceeding(), model.runner.figure
    size = len(sentences)
    rows = np.zeros((size, len(model.program.features)), dtype=np.int32)
    allowed = np.zeros((size, len(model.known)), dtype=np.bool_)
    found, fallbacks, defaults = (np.zeros(size, dtype=np.int64) for _ in range(3))
    nodes = np.zeros(len(model.program.addresses), dtype=np.int64)
    gold = np.zeros((kernel.GOLD_ROWS, longest + 1), dtype=np.int64)
    scratch = np.zeros(4 * longest + 32, dtype=np.int64)
    limits = np.empty(kernel.MOST_CHOICES, dtype=np.int64)
    active = np.arange(size, dtype=np.int64)
    codes = labels = np.full(size, -1, dtype=np.int64)
    ended = np.zeros(size, dtype=np.bool_)
    taken: list[tuple[Whole, Whole, Whole]] = []
    while True:
        done = proceed(
            *figure, active, codes, labels, *batch.states, gold, scratch, *batch.tokens, model.program.addresses, model.program.features, nodes,
            rows, model.known, limits, allowed, model.default, policy == "default", found, fallbacks, defaults,
        )  # fmt: skip
        assert done, "a permitted transition was refused"
        ended[active[found[: len(active)] == -1]] = True
        going = (found[: len(active)] > 0) & (most[active] > len(taken))
        active = active[going]
        if not len(active):
            break
        kept = np.flatnonzero(going)
        codes, labels = _choose(model, rows[kept], allowed[kept], fallbacks[kept], defaults[kept], policy, counts)
        taken.append((active, codes, labels))
    counts.not_ended += int((~ended).sum())
    yield from _results(model, sentences, batch, taken, ended, counts)


def _choose(
    model: _Model, rows: Any, allowed: Any, fallbacks: Whole, defaults: Whole, policy: Policy, counts: Counts
) -> tuple[Whole, Whole]:
    """The code and the label to take in each row."""
    scores = model.classifier.scores(rows)
    permissible = allowed[:, model.class_places]
    best = np.where(permissible, scores, -np.inf).argmax(axis=1)
    codes, labels = model.class_codes[best], model.class_labels[best]
    predicted = scores.argmax(axis=1)
    each = np.arange(len(rows))
    refused = ~permissible[each, predicted]
    counts.not_permissible += int(refused.sum())
    other = ~permissible.any(axis=1)
    counts.nothing_known += int(other.sum())
    use = fallbacks
    if policy == "default":
        has_default = defaults >= 0
        counts.default_refused += int((refused & ~has_default).sum())
        use = np.where(refused & has_default, defaults, fallbacks)
        other = other | (refused & has_default)
    for k in np.flatnonzero(other):
        codes[k] = use[k]
        labels[k] = model.label_of(int(use[k]))
    return codes, labels


def _results(
    model: _Model,
    sentences: Sequence[Sentence],
    batch: _Batch,
    taken: list[tuple[Whole, Whole, Whole]],
    ended: Any,
    counts: Counts,
) -> Iterator[Parsed]:
    histories: list[list[tuple[int, int]]] = [[] for _ in sentences]
    for active, codes, labels in taken:
        for sentence, code, label in zip(active.tolist(), codes.tolist(), labels.tolist(), strict=True):
            histories[sentence].append((code, label))
    names = [None, *model.vocabulary.labels]
    shown: dict[tuple[int, int], Transition] = {}
    for number, run in enumerate(histories):
        tree = batch.tree(number)
        heads = tree[kernel.HEAD, 1:].tolist()
        labels = tree[kernel.LABEL, 1:].tolist()
        for step in run:
            if step not in shown:
                shown[step] = model.runner.transition(step[0], names[step[1]])
        counts.sentences += 1
        counts.words += len(heads)
        counts.transitions += len(run)
        counts.attached += sum(head < 0 for head in heads)
        yield Parsed(
            tuple(ROOT if head < 0 else head for head in heads),
            tuple(
                model.root_label if head < 0 else names[label] or "_" for head, label in zip(heads, labels, strict=True)
            ),
            tuple(None if head < 0 else head for head in heads),
            tuple(shown[step] for step in run),
            bool(ended[number]),
        )
