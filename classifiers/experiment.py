"""Experiments: variants of parsers by treebanks, each cell trained, parsed, checked and scored once and kept.

A *variant* is a system with techniques after colons: `arc-eager`, `arc-eager:head+path`, `swap:oracle=lazy`, `covington:parse.d=1`, `choi-palmer:liblinear:features=choi-palmer-2011`.
Techniques are a learner (`fast`, `svc`, `explicit`, `liblinear`), a pseudo-projective scheme, `bootstrap`, `skip-nonprojective`, the policy `default`, `oracle=NAME`, `features=NAME`,
and `parse.NAME=VALUE`, a parameter of the figure that has another value in parsing than in training (Nivre 2007: maximum degree).

A *treebank* is a path without its ending: `danish_ddt` stands for `danish_ddt-train.conllu` and `danish_ddt-test.conllu`; `artificial` is on board.

A cell is kept under the hash of everything it depends on, so that an experiment that was interrupted goes on, and one that is extended computes what is new.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arcproof._version import __version__
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.checking import problems
from arcproof.classifiers.learners import KINDS, Settings
from arcproof.classifiers.parser import CannotBeTrained, Parser
from arcproof.classifiers.projectivity import SCHEMES
from arcproof.classifiers.scores import Scores, evaluate, holm, interval, mark, mcnemar, pearson, through_origin
from arcproof.classifiers.treebank import Sentence, read
from arcproof.generators.classes import nonprojective_arcs
from arcproof.transitions.errors import UnreadableFile
from arcproof.transitions.system import load

MOST_CHECKED: Final = 100
BUCKET: Final = 10


@dataclass(frozen=True, slots=True)
class Variant:
    """A system with techniques."""

    text: str
    system: str
    options: tuple[tuple[str, Any], ...]
    parsing: tuple[tuple[str, str], ...]

    def parser(self) -> Parser:
        """A parser to be trained."""
        return Parser(load(self.system), settings=Settings(), **dict(self.options))


def variant(text: str) -> Variant:
    """Read `swap:oracle=lazy`; `CannotBeTrained` names a technique that is not known."""
    system, *techniques = text.split(":")
    options: dict[str, Any] = {}
    parsing: dict[str, str] = {}
    for technique in techniques:
        name, _, value = technique.partition("=")
        if technique in KINDS:
            options["learner"] = technique
        elif technique in SCHEMES:
            options["pseudo_projective"] = technique
        elif technique == "bootstrap":
            options["bootstrap"] = 5
        elif technique == "skip-nonprojective":
            options["skip_nonprojective"] = True
        elif technique == "default":
            options["policy"] = "default"
        elif name in ("oracle", "features") and value:
            options[name] = value
        elif name.startswith("parse.") and value:
            parsing[name.removeprefix("parse.")] = value
        else:
            known = ", ".join(
                [
                    *KINDS,
                    *SCHEMES,
                    "bootstrap",
                    "skip-nonprojective",
                    "default",
                    "oracle=NAME",
                    "features=NAME",
                    "parse.NAME=VALUE",
                ]
            )
            raise CannotBeTrained(f"there is no technique `{technique}` in `{text}`; there are {known}")
    return Variant(text, system, tuple(options.items()), tuple(parsing.items()))


def files_of(treebank: str) -> tuple[Path, Path]:
    """The train and test file of a treebank."""
    found = []
    for part in ("train", "test"):
        path = on_board(f"{treebank}-{part}") or Path(f"{treebank}-{part}.conllu")
        if not path.is_file():
            raise UnreadableFile(
                f"{path}: no such file; a treebank is named by its path without -train.conllu and -test.conllu"
            )
        found.append(path)
    return found[0], found[1]


def _key(chosen: Variant, paths: tuple[Path, Path], sentences: int | None) -> str:
    parts = [__version__, chosen.text, load(chosen.system).sha256, str(sentences)]
    parts += [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def cell(chosen: Variant, treebank: str, folder: Path, sentences: int | None = None) -> dict[str, Any]:
    """The result of one variant on one treebank: kept, or computed now."""
    paths = files_of(treebank)
    place = folder / "cells" / f"{_key(chosen, paths, sentences)}.json"
    if place.is_file():
        kept: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        return kept
    result = _computed(chosen, treebank, paths, sentences)
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_suffix(".part")
    temporary.write_text(json.dumps(result, ensure_ascii=False), encoding="utf-8")
    temporary.replace(place)
    return result


def _computed(chosen: Variant, treebank: str, paths: tuple[Path, Path], sentences: int | None) -> dict[str, Any]:
    train, test = (list(read(path)) for path in paths)
    train = train[:sentences]
    parser = chosen.parser()
    started = time.process_time()
    parser.fit(train)
    learning = time.process_time() - started
    if chosen.parsing:
        parser.set_parameters(dict(chosen.parsing))
    started = time.process_time()
    parsed = parser.predict(test)
    parsing = time.process_time() - started
    checked = [
        problem
        for sentence, p in list(zip(test, parsed, strict=True))[:MOST_CHECKED]
        for problem in problems(parser, sentence, p)
    ]
    scores = evaluate(test, [(p.heads, p.labels) for p in parsed])
    found = parser.trained_on
    assert found is not None
    taken = [(sentence.words, len(p.transitions)) for sentence, p in zip(test, parsed, strict=True)]
    return {
        "variant": chosen.text, "treebank": Path(treebank).name, "sentences": len(train), "words": scores.words,
        "las": scores.las, "uas": scores.uas, "la": scores.la, "exact": scores.exact, "interval": list(interval(scores.by_sentence)),
        "nonprojective": [scores.nonprojective.precision, scores.nonprojective.recall, scores.nonprojective.gold],
        "share_nonprojective": _share(test), "lifted": found.lifted, "left_out": len(found.left_out), "classes": len(found.classes),
        "learning_seconds": learning, "parsing_seconds": parsing, "problems": checked[:5], "checked": min(MOST_CHECKED, len(parsed)),
        "not_ended": parser.counts.not_ended, "not_permissible": parser.counts.not_permissible,
        "default_refused": parser.counts.default_refused, "oracle_slope": through_origin(found.lengths),
        "classifier_slope": through_origin(taken), "transitions_by_length": _by_length(taken), "right": _bits(scores),
        "right_sentences": "".join("01"[right] for right in scores.right_sentences),
    }  # fmt: skip


def _bits(scores: Scores) -> str:
    return "".join("01"[right] for right in scores.right_words)


def _share(sentences: Sequence[Sentence]) -> float:
    arcs = sum(sentence.words for sentence in sentences)
    return sum(len(nonprojective_arcs(sentence.heads)) for sentence in sentences) / arcs if arcs else 0.0


def _by_length(points: Sequence[tuple[int, int]]) -> dict[str, float]:
    """The mean number of transitions of sentences of 1-10, 11-20, … words."""
    buckets: dict[int, list[int]] = {}
    for words, taken in points:
        buckets.setdefault((words - 1) // BUCKET, []).append(taken)
    return {f"{BUCKET * k + 1}-{BUCKET * (k + 1)}": sum(t) / len(t) for k, t in sorted(buckets.items())}


# --- tables --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """All cells, by variant and treebank, in the order asked for."""

    variants: tuple[str, ...]
    treebanks: tuple[str, ...]
    cells: dict[tuple[str, str], dict[str, Any]]

    def differences(self) -> dict[tuple[str, str], float]:
        """McNemar on words against the first variant, corrected after Holm over the whole table."""
        places, values = [], []
        for name in self.variants[1:]:
            for treebank in self.treebanks:
                one, base = self.cells.get((name, treebank)), self.cells.get((self.variants[0], treebank))
                if one is not None and base is not None:
                    places.append((name, treebank))
                    values.append(
                        mcnemar([bit == "1" for bit in one["right"]], [bit == "1" for bit in base["right"]]).p
                    )
        return dict(zip(places, holm(values), strict=True))

    def rows(self) -> list[list[str]]:
        """LAS by variant and treebank; + and ++ where it differs from the first variant."""
        differences = self.differences()
        rows = [["LAS", *self.treebanks, "mean"]]
        for name in self.variants:
            row, values = [name], []
            for treebank in self.treebanks:
                found = self.cells.get((name, treebank))
                if found is None:
                    row.append("-")
                    continue
                values.append(found["las"])
                row.append(f"{100 * found['las']:.2f}{mark(differences.get((name, treebank), 1.0))}")
            complete = len(values) == len(self.treebanks)
            rows.append([*row, f"{100 * sum(values) / len(values):.2f}" if complete and values else "-"])
        return rows

    def details(self) -> list[list[str]]:
        """Everything else, a line for each cell."""
        rows = [[
            "variant", "treebank", "LAS", "95 %", "UAS", "LA", "exact", "non-projective P", "R", "lifted", "left out", "learning s", "parsing s",
            "oracle m/n", "R²", "classifier m/n", "R²", "not ended", "problems",
        ]]  # fmt: skip
        for (name, treebank), c in sorted(
            self.cells.items(), key=lambda item: (self.treebanks.index(item[0][1]), self.variants.index(item[0][0]))
        ):
            low, high = c["interval"]
            precision, recall, _ = c["nonprojective"]
            rows.append([
                name, treebank, f"{100 * c['las']:.2f}", f"{100 * low:.1f}-{100 * high:.1f}", f"{100 * c['uas']:.2f}", f"{100 * c['la']:.2f}",
                f"{100 * c['exact']:.1f}", _percent(precision), _percent(recall), str(c["lifted"]), str(c["left_out"]),
                f"{c['learning_seconds']:.1f}", f"{c['parsing_seconds']:.2f}", *(f"{v:.3f}" for v in (*c["oracle_slope"], *c["classifier_slope"])),
                str(c["not_ended"]), str(len(c["problems"])),
            ])  # fmt: skip
        return rows

    def lengths(self) -> list[list[str]]:
        """The mean number of transitions by sentence length, systems side by side."""
        buckets = {bucket for c in self.cells.values() for bucket in c["transitions_by_length"]}
        ordered = sorted(buckets, key=lambda bucket: int(bucket.split("-")[0]))
        rows = [["words", *self.variants]]
        for bucket in ordered:
            row = [bucket]
            for name in self.variants:
                values = [
                    c["transitions_by_length"][bucket]
                    for (v, _), c in self.cells.items()
                    if v == name and bucket in c["transitions_by_length"]
                ]
                row.append(f"{sum(values) / len(values):.1f}" if values else "-")
            rows.append(row)
        return rows

    def correlation(self, name: str) -> float | None:
        """Pearson's r of the gain over the first variant and the share of non-projective arcs."""
        both = [t for t in self.treebanks if (name, t) in self.cells and (self.variants[0], t) in self.cells]
        if len(both) < 3:
            return None
        gains = [self.cells[name, t]["las"] - self.cells[self.variants[0], t]["las"] for t in both]
        return pearson(gains, [self.cells[name, t]["share_nonprojective"] for t in both])

    def markdown(self) -> str:
        """The tables as Markdown."""
        parts = [
            "# Experiment",
            f"`+` and `++`: differs from `{self.variants[0]}`, McNemar on words with Holm's correction, p < 0.05 and p < 0.01.",
        ]
        for title, rows in (
            ("Labelled attachment score", self.rows()),
            ("Details", self.details()),
            ("Transitions by sentence length", self.lengths()),
        ):
            parts += [f"## {title}", _markdown(rows)]
        found = [(name, r) for name in self.variants[1:] if (r := self.correlation(name)) is not None]
        if found:
            parts += [
                "## Gain and share of non-projective arcs (Pearson's r)",
                *(f"- {name}: {r:.2f}" for name, r in found),
            ]
        return "\n\n".join(parts) + "\n"

    def csv(self) -> str:
        """The details as comma-separated values."""
        import csv
        import io

        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self.details())
        return text.getvalue()

    def html(self) -> str:
        """The tables as a page without anything from outside."""
        from html import escape

        def table(rows: list[list[str]]) -> str:
            head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
            body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:])
            return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

        style = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .6em;border-bottom:1px solid #999;text-align:right}td:first-child,th:first-child{text-align:left}"
        parts = [
            f"<h2>{title}</h2>{table(rows)}"
            for title, rows in (
                ("Labelled attachment score", self.rows()),
                ("Details", self.details()),
                ("Transitions by sentence length", self.lengths()),
            )
        ]
        return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Experiment</title><style>{style}</style><h1>Experiment</h1>{"".join(parts)}</html>\n'


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _markdown(rows: list[list[str]]) -> str:
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in escaped]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def run(
    variants: Sequence[str], treebanks: Sequence[str], folder: Path, sentences: int | None = None, say: Callable[[str, dict[str, Any] | None], None] = lambda _, __: None,
) -> Table:  # fmt: skip
    """All cells; the tables are written again after each."""
    chosen = [variant(text) for text in variants]
    names = tuple(Path(treebank).name for treebank in treebanks)
    for treebank in treebanks:
        files_of(treebank)
    table = Table(tuple(variants), names, {})
    folder.mkdir(parents=True, exist_ok=True)
    for treebank, name in zip(treebanks, names, strict=True):
        for one in chosen:
            say(f"{one.text} on {name}", None)
            table.cells[one.text, name] = cell(one, treebank, folder, sentences)
            say(f"{one.text} on {name}", table.cells[one.text, name])
            write(table, folder)
    return table


def write(table: Table, folder: Path) -> None:
    """`table.md`, `table.csv` and `table.html`."""
    for name, text in (("table.md", table.markdown()), ("table.csv", table.csv()), ("table.html", table.html())):
        (folder / name).write_text(text, encoding="utf-8")
