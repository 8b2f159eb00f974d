"""Experiments: variants of parsers by treebanks, each cell is trained, parsed, checked and scored once, and stored.

A *variant* is a system with techniques after colons: `arc-eager`, `arc-eager:head+path`, `swap:oracle=lazy`,
`covington:parse.d=1`, `choi-palmer:svc:features=choi-palmer-2011`.  `TECHNIQUES` lists them; `parse.NAME=VALUE`
is for Nivre 2007, where the maximum degree in parsing differs from that in training.

A *treebank* is a path without its ending: `danish_ddt` stands for `danish_ddt-train.conllu` and
`danish_ddt-test.conllu`; `artificial` is built in.

A cell is stored under the hash of everything it depends on, including the code that learns and parses, so that an
interrupted experiment resumes, and an extended one computes only what is new.  It is stored in the folder of the
experiment.  Every parse of every cell is replayed by the interpreter (`replay`).  Seconds are CPU time, without reading
files and without compiling.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import asdict, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from arcproof.classifiers.artificial import SIZES, on_board
from arcproof.classifiers.features.model import load_model, suggested_model
from arcproof.classifiers.learners import KINDS
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.native import CannotBeTrained
from arcproof.classifiers.parser import Parser
from arcproof.classifiers.parsing import Counts
from arcproof.classifiers.projectivity import SCHEMES
from arcproof.classifiers.replay import problems
from arcproof.classifiers.scores import Scores, evaluate, holm, interval, mcnemar, pearson, randomisation_of_means
from arcproof.generators.classes import nonprojective_arcs
from arcproof.generators.treebank import Sentence, read
from arcproof.process.cluster import chosen
from arcproof.process.code_digest import code_digest, versions_of
from arcproof.process.codec import NotOfThisType, decoded
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.replacing import replaced
from arcproof.process.run_store import key_of
from arcproof.process.side_by_side import in_processes
from arcproof.process.suggestions import perhaps
from arcproof.transitions.errors import ArcproofError, UnreadableFile
from arcproof.transitions.reading.files import bytes_of, opened
from arcproof.transitions.system import load

MOST_PROBLEMS: Final = 5
BUCKET: Final = 10
STAGES: Final = 5
EXPLORE: Final = 1.0
BEAM: Final = 8
ENDINGS: Final = (".conllu", ".conll")
CELL_FORMAT: Final = "cell 3"
KIND: Final = "cell"
CODE: Final = (
    "arcproof.native",
    "arcproof.process",
    "arcproof.transitions",
    "arcproof.generators",
    "arcproof.classifiers",
)
"""The code that learns and parses."""
RUNS_ON: Final = ("numpy", "scikit-learn", "scipy")
PARSING: Final = "parse."

Cell: TypeAlias = dict[str, Any]
Points: TypeAlias = Sequence[tuple[int, int]]


class DuplicateName(ArcproofError, ValueError):
    """A variant or treebank given twice; the table would have two rows or columns of the same name."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A system with techniques."""

    text: str
    system: str
    options: tuple[tuple[str, Any], ...]
    parsing: tuple[tuple[str, str], ...]

    def parser(self, settings: Settings) -> Parser:
        """A parser to be trained."""
        return Parser(load(self.system), settings=settings, **dict(self.options))

    def check(self) -> None:
        """Report incompatible settings before hours of work."""
        system = load(self.system).with_parameters(dict(self.parsing))
        if system.figure.several_heads:
            raise CannotBeTrained(
                f"in {system.name} a word may have several heads, and an experiment scores trees; "
                "use train, parse and evaluate --graphs"
            )
        self.parser(Settings()).check()

    @property
    def files(self) -> list[str]:
        """What may be files of the user: the system, and the feature model if one is named."""
        return [self.system, *(value for name, value in self.options if name == "features")]

    @property
    def features(self) -> str:
        """The text of the feature model."""
        chosen = dict(self.options).get("features") or suggested_model(load(self.system))
        return load_model(chosen).text


_SWITCHES: Final[dict[str, tuple[str, Any]]] = {
    **{kind: ("learner", kind) for kind in KINDS},
    **{scheme: ("pseudo_projective", scheme) for scheme in SCHEMES},
    "bootstrap": ("bootstrap", STAGES),
    "explore": ("explore", EXPLORE),
    "skip-nonprojective": ("skip_nonprojective", True),
    "default": ("policy", "default"),
    "beam": ("beam", BEAM),
}
_MEANINGS: Final = {
    "learner": "the learner; fast if none is named",
    "pseudo_projective": "encode crossing arcs in labels, and decode them after parsing",
    "bootstrap": f"train again on automatic parses, at most {STAGES} times",
    "explore": f"train with exploration: follow own choices with probability {EXPLORE}, or P; needs a dynamic oracle",
    "skip_nonprojective": "leave out trees that the oracle does not derive, instead of lifting their arcs",
    "policy": "take the figure's default where the predicted transition is not permissible",
    "beam": f"follow the {BEAM} best runs of a sentence together, in training and in parsing",
}
TECHNIQUES: Final = {
    **{switch: _MEANINGS[setting] for switch, (setting, _) in _SWITCHES.items()},
    "explore=P": _MEANINGS["explore"],
    "oracle=NAME": "one of the figure's oracles",
    "features=NAME": "a built-in feature model or a file",
    "parse.NAME=VALUE": "a value of a parameter of the figure for parsing that differs from training",
}


def technique_lines() -> list[tuple[str, str]]:
    """The techniques and what they do; related techniques are listed together."""
    by_meaning: dict[str, list[str]] = {}
    for name, meaning in TECHNIQUES.items():
        by_meaning.setdefault(meaning, []).append(name)
    return [(", ".join(names), meaning) for meaning, names in by_meaning.items()]


def variant(text: str) -> Variant:
    """Read `swap:oracle=lazy`; `CannotBeTrained` names a technique that is unknown."""
    system, *techniques = text.split(":")
    options: dict[str, Any] = {}
    parsing: dict[str, str] = {}
    for technique in techniques:
        name, _, value = technique.partition("=")
        if technique in _SWITCHES:
            _put(options, *_SWITCHES[technique], text)
        elif name == "explore" and value:
            _put(options, name, _probability(value, text), text)
        elif name in ("oracle", "features") and value:
            _put(options, name, value, text)
        elif name.startswith(PARSING) and value:
            _put(parsing, name.removeprefix(PARSING), value, text)
        else:
            raise CannotBeTrained(
                f"`{technique}` in `{text}` is not a technique; the techniques are {', '.join(TECHNIQUES)}"
                f"{perhaps(technique, TECHNIQUES)}"
            )
    return Variant(text, system, tuple(options.items()), tuple(parsing.items()))


def _probability(value: str, text: str) -> float:
    with suppress(ValueError):
        found = float(value)
        if 0 <= found <= 1:
            return found
    raise CannotBeTrained(f"explore is a probability, between 0 and 1, not `{value}` in `{text}`")


def _put(chosen: dict[str, Any], name: str, value: Any, text: str) -> None:
    if name in chosen:
        raise CannotBeTrained(f"`{text}` gives its {name.replace('_', '-')} twice: {chosen[name]} and {value}")
    chosen[name] = value


def files_of(treebank: str) -> tuple[Path, Path]:
    """The train and test file of a treebank."""
    return _file_of(treebank, "train"), _file_of(treebank, "test")


def _file_of(treebank: str, part: str) -> Path:
    candidates = [on_board(f"{treebank}-{part}"), *(Path(f"{treebank}-{part}{ending}") for ending in ENDINGS)]
    for path in candidates:
        if path is not None and path.is_file():
            return path
    raise UnreadableFile(
        f"{treebank}-{part}{ENDINGS[0]}: no such file; a treebank is named by its path without -train.conllu "
        f"and -test.conllu{perhaps(treebank, {name.rpartition('-')[0] for name in SIZES})}"
    )


# --- cells -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CellPlan:
    """What a cell is computed from: a variant, a treebank, how much of it, and the learner's settings."""

    variant: Variant
    treebank: str
    sentences: int | None
    settings: Settings

    @property
    def name(self) -> str:
        """The treebank without its folder."""
        return Path(self.treebank).name

    @property
    def key(self) -> str:
        """A hash of everything the result depends on."""
        return key_of(
            KIND,
            {
                "cell": CELL_FORMAT,
                "variant": self.variant.text,
                "figure": load(self.variant.system).tree_sha256,
                "features": self.variant.features,
                "sentences": self.sentences,
                "settings": asdict(self.settings),
                "files": [_digest(path) for path in files_of(self.treebank)],
                "code": code_digest(CODE),
                "runs on": versions_of(RUNS_ON),
            },
        )

    @property
    def training(self) -> "CellPlan":
        """This plan without the techniques that only affect parsing."""
        techniques = [part for part in self.variant.text.split(":") if not part.startswith(PARSING)]
        return replace(self, variant=replace(self.variant, text=":".join(techniques), parsing=()))


def _digest(path: Path) -> str:
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def cell(plan: CellPlan, folder: Path, fresh: bool = False) -> Cell:
    """The result of one variant on one treebank: stored in the folder, or computed now."""
    key = plan.key
    found = None if fresh else kept(plan, folder, key)
    return _write(computed(plan), plan, folder, key) if found is None else found


def kept(plan: CellPlan, folder: Path, key: str) -> Cell | None:
    """A result that is already in the folder; None if there is none."""
    with suppress(OSError, ValueError):
        return believed(json.loads(bytes_of(_place(folder, key), "result")), plan)
    return None


def _place(folder: Path, key: str) -> Path:
    return folder / "cells" / f"{key}.json"


def _write(result: Cell, plan: CellPlan, folder: Path, key: str) -> Cell:
    """Store a result, unless a file it was computed from has changed since the key was made."""
    if _is_still(plan, key):
        place = _place(folder, key)
        place.parent.mkdir(parents=True, exist_ok=True)
        replaced(place, json.dumps(result, ensure_ascii=False).encode(), 0o666)
    return result


def _is_still(plan: CellPlan, key: str) -> bool:
    with suppress(OSError, ArcproofError):
        return plan.key == key
    return False


_Number: TypeAlias = int | float
_Triple: TypeAlias = tuple[_Number | None, _Number | None, int]
_Pairs: TypeAlias = list[tuple[int, int]]
_PARTS: Final[dict[str, Any]] = {
    **dict.fromkeys(("variant", "treebank", "right", "right_sentences"), str),
    **dict.fromkeys(("las", "uas", "la", "share_nonprojective", "learning_seconds", "parsing_seconds"), _Number),
    **dict.fromkeys(("sentences", "words", "lifted", "left_out", "classes", "stages", "parsed_words", "checked", "wrong"), int),
    **dict.fromkeys(("not_ended", "not_permissible", "default_refused"), int),
    **dict.fromkeys(("nonprojective", "roots"), _Triple),
    **dict.fromkeys(("oracle_runs", "classifier_runs", "by_sentence"), _Pairs),
    "exact": _Number, "interval": tuple[_Number, _Number], "lengths": dict[str, _Triple], "problems": list[str],
}  # fmt: skip
"""The fields of a cell."""


def believed(value: Any, plan: CellPlan) -> Cell:
    """A stored cell; `NotOfThisType` if it does not belong to this plan."""
    if not isinstance(value, dict) or set(value) != set(_PARTS):
        raise NotOfThisType("this is not a cell")
    for name, kind in _PARTS.items():
        decoded(kind, value[name])
    if (value["variant"], value["treebank"]) != (plan.variant.text, plan.name):
        raise NotOfThisType("this is another cell")
    return value


@lru_cache(maxsize=1)
def _trained(plan: CellPlan, key: str) -> tuple[Parser, float]:  # noqa: ARG001 - the same plan with other files is not the same
    """The parser, and the seconds spent learning; the next cell reuses it if it differs only in parsing."""
    train = list(islice(read(files_of(plan.treebank)[0]), plan.sentences))
    with suppress(ArcproofError):
        plan.variant.parser(plan.settings).fit(train[:2])  # modules are imported before learning is measured
    parser = plan.variant.parser(plan.settings)
    started = time.process_time()
    parser.fit(train)
    return parser, time.process_time() - started


def _for_parsing(plan: CellPlan, trained: Parser) -> Parser:
    parser = copy(trained)
    parser.counts = Counts()
    return parser.set_parameters(dict(plan.variant.parsing))


def computed(plan: CellPlan) -> Cell:
    """Train, parse, check and score."""
    test = list(read(files_of(plan.treebank)[1]))
    trained, learning = _trained(plan.training, plan.training.key)
    parser = _for_parsing(plan, trained)
    started = time.process_time()
    parsed = parser.predict(test)
    parsing = time.process_time() - started
    wrong = [problem for sentence, p in zip(test, parsed, strict=True) for problem in problems(parser, sentence, p)]
    scores = evaluate(test, [(p.heads, p.labels) for p in parsed])
    found = parser.trained_on
    assert found is not None
    return {
        "variant": plan.variant.text, "treebank": plan.name, "sentences": len(found.lengths) + len(found.left_out), "words": scores.words, **_scored(scores),
        "share_nonprojective": _share(test), "lifted": found.lifted, "left_out": len(found.left_out), "classes": len(found.classes), "stages": found.stages,
        "learning_seconds": learning, "parsing_seconds": parsing, "parsed_words": sum(sentence.words for sentence in test),
        "checked": len(parsed), "wrong": len(wrong), "problems": wrong[:MOST_PROBLEMS],
        "not_ended": parser.counts.not_ended, "not_permissible": parser.counts.not_permissible,
        "default_refused": parser.counts.default_refused, "oracle_runs": found.lengths,
        "classifier_runs": [(sentence.words, len(p.transitions)) for sentence, p in zip(test, parsed, strict=True)],
        "right": _bits(scores.right_words), "right_sentences": _bits(scores.right_sentences), "by_sentence": scores.by_sentence,
    }  # fmt: skip


def _scored(scores: Scores) -> Cell:
    return {
        "las": scores.las, "uas": scores.uas, "la": scores.la, "exact": scores.exact, "interval": list(interval(scores.by_sentence)),
        "nonprojective": [scores.nonprojective.precision, scores.nonprojective.recall, scores.nonprojective.gold],
        "roots": [scores.roots.precision, scores.roots.recall, scores.roots.gold],
        "lengths": {name: [found.precision, found.recall, found.gold] for name, found in scores.by_length.items()},
    }  # fmt: skip


def _bits(right: Sequence[bool]) -> str:
    return "".join("01"[one] for one in right)


def _share(sentences: Sequence[Sentence]) -> float:
    arcs = sum(sentence.words for sentence in sentences)
    return sum(len(nonprojective_arcs(sentence.heads)) for sentence in sentences) / arcs if arcs else 0.0


# --- tables ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gain:
    """The increase in mean LAS, its p (randomisation by sentences), and how many times longer learning takes."""

    las: float
    p: float
    times: float


@dataclass(frozen=True, slots=True)
class ResultTable:
    """All cells, by variant and treebank, in the requested order."""

    variants: tuple[str, ...]
    treebanks: tuple[str, ...]
    cells: dict[tuple[str, str], Cell]

    def in_order(self) -> Iterator[Cell]:
        """The available cells, treebank by treebank."""
        for treebank in self.treebanks:
            for name in self.variants:
                if (name, treebank) in self.cells:
                    yield self.cells[name, treebank]

    def of_variant(self, name: str) -> list[Cell]:
        """The cells of one variant."""
        return [self.cells[name, treebank] for treebank in self.treebanks if (name, treebank) in self.cells]

    def differences(self, cases: str = "right") -> dict[tuple[str, str], float]:
        """McNemar against the first variant, with Holm's correction over the whole table; on words (`right`) or on
        sentences (`right_sentences`).
        """
        places, values = [], []
        for name in self.variants[1:]:
            for treebank in self.treebanks:
                one, base = self.cells.get((name, treebank)), self.cells.get((self.variants[0], treebank))
                if one is not None and base is not None:
                    places.append((name, treebank))
                    values.append(mcnemar([bit == "1" for bit in one[cases]], [bit == "1" for bit in base[cases]]).p)
        return dict(zip(places, holm(values), strict=True))

    def gain(self, name: str) -> "Gain | None":
        """The mean LAS of a variant against that of the first; None while a treebank is missing."""
        if any((one, treebank) not in self.cells for one in (name, self.variants[0]) for treebank in self.treebanks):
            return None
        pairs = list(zip(self.of_variant(name), self.of_variant(self.variants[0]), strict=True))
        mean = sum(one["las"] - base["las"] for one, base in pairs) / len(pairs)
        p = randomisation_of_means([(one["by_sentence"], base["by_sentence"]) for one, base in pairs])
        seconds = [sum(cell["learning_seconds"] for cell in cells) for cells in zip(*pairs, strict=True)]
        return Gain(mean, p, seconds[0] / seconds[1] if seconds[1] else 0.0)

    def correlation(self, name: str) -> float | None:
        """Pearson's r between the gain over the first variant and the share of non-projective arcs; None for fewer than
        three treebanks.
        """
        both = [t for t in self.treebanks if (name, t) in self.cells and (self.variants[0], t) in self.cells]
        if len(both) < 3:
            return None
        gains = [self.cells[name, t]["las"] - self.cells[self.variants[0], t]["las"] for t in both]
        return pearson(gains, [self.cells[name, t]["share_nonprojective"] for t in both])


def by_length(points: Points) -> dict[int, float]:
    """The mean number of transitions for sentences of 1-10, 11-20, … words; the keys are 1, 11, …"""
    buckets: dict[int, list[int]] = {}
    for words, taken in points:
        buckets.setdefault((words - 1) // BUCKET, []).append(taken)
    return {BUCKET * k + 1: sum(t) / len(t) for k, t in sorted(buckets.items())}


def run(
    variants: Sequence[str], treebanks: Sequence[str], folder: Path, sentences: int | None = None, settings: Settings | None = None,
    jobs: int = 1, done: Callable[[ResultTable, Cell], None] = lambda _, __: None, fresh: bool = False,
) -> ResultTable:  # fmt: skip
    """All cells, this many at a time; `done` is called with each.  With `fresh`, stored cells are ignored."""
    names = tuple(Path(treebank).name for treebank in treebanks)
    for kind, given in (("variant", tuple(variants)), ("treebank", names)):
        doubled = [one for one in given if given.count(one) > 1]
        if doubled:
            raise DuplicateName(f"the {kind} {doubled[0]} is given twice; a table has one row or column for each name")
    chosen = [variant(text) for text in variants]
    plans = [CellPlan(one, treebank, sentences, settings or Settings()) for treebank in treebanks for one in chosen]
    for one in chosen:
        one.check()
    for treebank in treebanks:
        files_of(treebank)
    if folder.exists() and not folder.is_dir():
        raise UnreadableFile(f"{folder}: this is a file; an experiment is stored in a folder")
    table = ResultTable(tuple(variants), names, {})
    for plan, result in zip(plans, _cells(plans, folder, jobs, fresh), strict=True):
        table.cells[plan.variant.text, plan.name] = result
        done(table, result)
    return table


def _cells(plans: Sequence[CellPlan], folder: Path, jobs: int, fresh: bool) -> Iterator[Cell]:
    """The cells in order."""
    if chosen() is not None:
        yield from _from_elsewhere(plans, folder, fresh)
        return
    if jobs == 1:
        for plan in plans:
            yield cell(plan, folder, fresh)
        return
    yield from in_processes(cell, ((plan, folder, fresh) for plan in plans), jobs)


def _from_elsewhere(plans: Sequence[CellPlan], folder: Path, fresh: bool) -> Iterator[Cell]:
    """The cells, computed without access to the user's files or the folder; this process stores the results."""
    from arcproof.classifiers.travelling import Baggage, computed_there

    keys = {plan: plan.key for plan in plans}
    known = {} if fresh else {p: found for p, key in keys.items() if (found := kept(p, folder, key)) is not None}
    new = [plan for plan in plans if plan not in known]
    results = in_processes(partial(computed_there, Baggage.of(new)), ((plan,) for plan in new), 1)
    for plan in plans:
        yield known[plan] if plan in known else _write(next(results), plan, folder, keys[plan])
