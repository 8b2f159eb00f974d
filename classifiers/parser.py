"""The trained parser: a system, a feature model and a classifier in place of the oracle; trained by `training`, parsing
by `parsing`.

`bootstrap` is the most times it is trained on its own runs; cross-validation may stop this earlier.  `explore` is the
probability with which it follows its own choice while it is trained with a dynamic oracle.  `beam` is how many runs of
a sentence are followed at a time.  `tags` is the column from which a figure that assigns tags learns them, and into
which it writes them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from arcproof.classifiers import model_file
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.exploration import FIRST_ROUNDS
from arcproof.classifiers.features.model import FeatureModel, load_model, program, suggested_model
from arcproof.classifiers.features.vocabulary import Vocabulary
from arcproof.classifiers.instances import Instances
from arcproof.classifiers.learners import KINDS, Kind
from arcproof.classifiers.learners.learner import Classifier, Settings
from arcproof.classifiers.model_file import DAMAGE, BadModel
from arcproof.classifiers.native import CannotBeTrained, native_runner
from arcproof.classifiers.parsing import POLICIES, Counts, Parsed, Policy, batches, decoded, parse
from arcproof.classifiers.projectivity import SCHEMES, Scheme
from arcproof.classifiers.scores import tagging_accuracy
from arcproof.classifiers.trained_model import MOST_BEAM, TrainedModel, described, description
from arcproof.classifiers.training import Trainer, score_of
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.formats import TAG_COLUMNS, TagColumn
from arcproof.generators.treebank import Sentence, Token, read
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Transition
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System, load

MOST_SAID: Final = 200
_OF_LEARNER: Final = "settings__"
GIVEN_UP: Final = ("explicit", "liblinear")
"""Learners of earlier versions."""
Treebank: TypeAlias = "Iterable[Sentence] | str | Path"


class NotTrained(ArcproofError, ValueError):
    """The parser was asked to parse before it was trained."""


@dataclass
class Parser:
    """A dependency parser to be trained; used like an estimator of scikit-learn.

    `system` and `features` are built-in names or files; without `features`, a built-in model that fits the figure is
    used.
    """

    system: str | System
    features: str | None = None
    learner: Kind = "fast"
    oracle: str | None = None
    policy: Policy = "permissible"
    pseudo_projective: Scheme | None = None
    skip_nonprojective: bool = False
    bootstrap: int = 0
    explore: float | None = None
    beam: int = 1
    tags: TagColumn = "upos"
    settings: Settings = field(default_factory=Settings)
    counts: Counts = field(default_factory=Counts, init=False, repr=False)
    _model: TrainedModel | None = field(default=None, init=False, repr=False)
    _instances: Instances | None = field(default=None, init=False, repr=False)

    # --- scikit-learn's interface ------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name; with `deep` also those of the learner, as `settings__epochs`."""
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
        """An untrained parser with the same settings; they are never changed in place, so they need not be copied."""
        return Parser(**self.get_params(deep=False))

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return self._model is not None

    def __sklearn_tags__(self) -> Any:
        """The tags of an estimator that is neither a classifier nor a regressor: it takes sentences, which carry their
        trees.
        """
        from sklearn.utils import InputTags, Tags, TargetTags

        inputs = InputTags(two_d_array=False)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=inputs)

    def fit(self, sentences: Treebank, y: None = None, watch: Watcher = SILENT) -> "Parser":  # noqa: ARG002 - scikit-learn's signature
        """Train on gold trees or graphs: sentences, a file, or a built-in treebank."""
        self.check()
        gold = self._sentences(sentences, gold=True)
        stages = self._trainer().stages(gold, self.bootstrap, watch) if self.bootstrap else 0
        return self._fit(gold, stages, watch)

    def _fit(self, gold: list[Sentence], stages: int, watch: Watcher = SILENT) -> "Parser":
        """Train on the oracle's runs, and then this many times on the parser's own."""
        for model, found in islice(self._trainer().models(gold, watch), stages + 1):
            self._model, self._instances = model, found
        return self

    def check(self) -> None:
        """Report incompatible settings before any work is done."""
        self._check_choices()
        system = self._loaded_system()
        static, _ = self._oracles(system)
        if static is not None:
            system.oracle(static)
        if self.bootstrap and not system.figure.oracles:
            raise CannotBeTrained(
                f"{system.name} has no oracle to say what would have been right where the parser went; leave "
                "out bootstrapping"
            )
        model = self._feature_model(system)
        self._check_contradictions(model)
        if self.pseudo_projective is not None and system.figure.several_heads:
            raise CannotBeTrained(
                f"in {system.name} a word may have several heads, and only trees are encoded; "
                f"leave out the pseudo-projective scheme {self.pseudo_projective}"
            )
        if self.explore is not None:
            self._check_exploration(system, self.explore)
        self._check_tagging(system)
        self._check_beam()
        program(system, model, Vocabulary.of([], spells=model.spells))

    def _oracles(self, system: System) -> tuple[str | None, str | None]:
        """The names of the static and the dynamic oracle; with exploration, `oracle` may name either."""
        dynamic = {oracle.name for oracle in system.figure.dynamic_oracles}
        is_dynamic = self.explore is not None and self.oracle in dynamic
        return (None, self.oracle) if is_dynamic else (self.oracle, None)

    def _check_exploration(self, system: System, explore: float) -> None:
        if not 0 <= explore <= 1:
            raise CannotBeTrained(f"explore is a probability, between 0 and 1, not {explore}")
        if self.learner != "fast":
            raise CannotBeTrained(f"the learner {self.learner} does not explore; use fast, or leave out explore")
        if self.bootstrap:
            raise CannotBeTrained("explore cannot be combined with bootstrap; choose one of them")
        if self.settings.epochs <= FIRST_ROUNDS:
            raise CannotBeTrained(
                f"exploration begins after {counted(FIRST_ROUNDS, 'epoch')}, so {self.settings.epochs} is too few; "
                "use more, or leave out explore"
            )
        if system.figure.several_heads or system.figure.assigns_tags:
            what = "words may have several heads" if system.figure.several_heads else "words are tagged"
            raise CannotBeTrained(f"--explore needs costs, which are undefined where {what}; leave it out")
        if not system.figure.dynamic_oracles:
            raise CannotBeTrained(
                f"{system.name} has no dynamic oracle to say what is free where the parser goes; "
                f"`arcproof oracle {system.name} --derive` looks for one to add to the figure; or leave out explore"
            )

    def _check_tagging(self, system: System) -> None:
        """Check that a figure that assigns tags has an oracle that says which ones."""
        if not system.figure.assigns_tags:
            if self.tags != "upos":
                raise CannotBeTrained(f"{system.name} assigns no tags; leave out tags {self.tags}")
            return
        if not system.figure.oracles:
            raise CannotBeTrained(f"{system.name} assigns tags and has no oracle that says which; give it one")
        if system.figure.several_heads:
            raise CannotBeTrained(f"{system.name} assigns tags and has several heads; no parser supports both")
        if self.explore is not None:
            raise CannotBeTrained(f"{system.name} assigns tags, which costs do not cover; leave out explore")

    def _check_contradictions(self, model: FeatureModel) -> None:
        """Refuse, rather than ignore, a setting that another one makes meaningless."""
        if self.skip_nonprojective and self.pseudo_projective is not None:
            raise CannotBeTrained(
                f"the pseudo-projective scheme {self.pseudo_projective} makes every tree projective, so "
                "skip-nonprojective would have no effect; choose one of them"
            )
        if model.joins and self.learner != "fast":
            raise CannotBeTrained(
                f"the feature model {model.name} names its joins, which the learner {self.learner} ignores; "
                "use fast, or a model without join lines"
            )
        if self.learner != "fast" and self.settings.epochs != Settings().epochs:
            raise CannotBeTrained(
                f"the learner {self.learner} has no epochs; leave out epochs {self.settings.epochs}, or use "
                "the learner fast"
            )

    def _check_beam(self) -> None:
        """Check the beam, which needs the fast learner and does its own search."""
        if not 1 <= self.beam <= MOST_BEAM:
            raise CannotBeTrained(f"beam is a number from 1 to {MOST_BEAM}, not {self.beam}")
        if self.beam == 1:
            return
        if self.learner != "fast":
            raise CannotBeTrained(f"the learner {self.learner} has no beam; leave out beam {self.beam}, or use fast")
        others = {
            "policy default": self.policy == "default",
            "bootstrap": self.bootstrap,
            "explore": self.explore is not None,
        }
        for name in (name for name, is_set in others.items() if is_set):
            raise CannotBeTrained(f"a beam cannot be combined with {name}; choose one of them")

    def _sentences(self, treebank: Treebank, gold: bool) -> list[Sentence]:
        if isinstance(treebank, str | Path):
            return list(read(on_board(str(treebank)) or treebank, gold=gold, graphs=self.reads_graphs))
        return list(treebank)

    @property
    def reads_graphs(self) -> bool:
        """Whether gold graphs are read from DEPS or an SDP-style file, because words may have several heads."""
        return self._loaded_system().figure.several_heads

    def _loaded_system(self) -> System:
        return self.system if isinstance(self.system, System) else load(self.system)

    def _feature_model(self, system: System) -> FeatureModel:
        return load_model(self.features or suggested_model(system))

    def _trainer(self) -> Trainer:
        system = self._loaded_system()
        static, dynamic = self._oracles(system)
        return Trainer(
            system, self._feature_model(system), self.learner, static, self.policy, self.pseudo_projective,
            self.skip_nonprojective, self.settings, self.explore, dynamic, self.beam, self.tags,
        )  # fmt: skip

    def _check_choices(self) -> None:
        for name, allowed in (
            ("learner", KINDS),
            ("policy", POLICIES),
            ("pseudo_projective", (None, *SCHEMES)),
            ("tags", TAG_COLUMNS),
        ):
            if getattr(self, name) not in allowed:
                choice = ", ".join(map(str, allowed))
                raise CannotBeTrained(f"{name} must be one of {choice}, not `{getattr(self, name)}`")

    def predict(self, sentences: Treebank) -> list[Parsed]:
        """The trees of the sentences, in order."""
        return list(self.parse(self._sentences(sentences, gold=False)))

    def parse(self, sentences: Iterable[Sentence]) -> Iterator[Parsed]:
        """The trees of the sentences, batch by batch."""
        return (parsed for _, parsed in self.parse_with(sentences))

    def parse_with(self, sentences: Iterable[Sentence]) -> Iterator[tuple[Sentence, Parsed]]:
        """Each sentence with its tree; no more than a batch of them is in memory."""
        self._check_choices()
        model = self._trained()
        for batch in batches(sentences):
            for sentence, parsed in zip(batch, parse(model, batch, self.policy, self.counts), strict=True):
                yield sentence, decoded(parsed, self.pseudo_projective)

    def knows(self, token: Token) -> bool:
        """Whether the part of speech of a word occurs in the training data: its cpos or its fpos, as far as the feature
        model looks at them.
        """
        model = self._trained()
        looked_at = {feature.attribute for feature in model.program.model.features}
        return model.vocabulary.knows(token, looked_at & {"cpos", "fpos"})

    def score(self, sentences: Treebank, y: None = None) -> float:  # noqa: ARG002 - scikit-learn's signature
        """The labelled attachment score without punctuation, or the labelled F of the arcs of graphs, between 0 and
        1.
        """
        gold = self._sentences(sentences, gold=True)
        return score_of(gold, self.predict(gold))

    def tagging_score(self, sentences: Treebank) -> float | None:
        """The share of words that get the right tag, punctuation included; None where there is nothing to compare."""
        gold = self._sentences(sentences, gold=True)
        return tagging_accuracy(gold, (p.tags for p in self.predict(gold)), self.tags)

    def set_parameters(self, values: Mapping[str, str]) -> "Parser":
        """Give parameters of the figure different values for parsing than for training, such as the maximum degree d of
        Nivre 2007.
        """
        model = self._trained()
        system = model.runner.system.with_parameters(values)
        self._model = replace(model, runner=native_runner(system))
        return self

    def _trained(self) -> TrainedModel:
        if self._model is None:
            raise NotTrained("this parser is not trained; call fit, or load a model")
        return self._model

    # --- what was learned --------------------------------------------------------------------------------------------

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

    @property
    def missing_label(self) -> str:
        """The label of an arc that was built without one."""
        return self._trained().missing_label

    def save(self, path: str | Path) -> None:
        """Write the model; it contains the specification, the feature model and everything else that parsing needs."""
        settings = {
            "learner": self.learner,
            "policy": self.policy,
            "pseudo_projective": self.pseudo_projective,
            "settings": {name: value for name, value in asdict(self.settings).items() if name != "memory"},
        }
        model = self._trained()
        model_file.write(path, description(model, settings), model.classifier)

    @staticmethod
    def load(path: str | Path) -> "Parser":
        """A saved model; `BadModel` if the file is damaged or not a model."""
        said, classifier = model_file.read(path)
        if said.get("learner") in GIVEN_UP:
            raise BadModel(f"{path}: a model of the learner {said['learner']}, which was given up; train it again")
        try:
            return _loaded(said, classifier)
        except DAMAGE as error:
            raise BadModel(f"{path}: a damaged model ({type(error).__name__}: {_first_line(error)})") from None


def _loaded(said: dict[str, Any], classifier: Classifier) -> Parser:
    model = described(said, classifier)
    parser = Parser(
        system=model.runner.system, features=None, learner=said["learner"], policy=said["policy"],
        pseudo_projective=said["pseudo_projective"], beam=model.beam, tags=model.tags,
        settings=Settings(**{name: value for name, value in said["settings"].items() if name != "least"}),
    )  # fmt: skip
    parser._check_choices()
    if any(type(value) not in (int, float) for value in asdict(parser.settings).values() if value is not None):
        raise ValueError("settings that are not numbers")
    parser._model = model
    return parser


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0][:MOST_SAID]
