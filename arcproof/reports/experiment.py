"""The tables and plots of an experiment: HTML, CSV, JSON, SVG."""

import csv
import io
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from arcproof.classifiers.experiment import BUCKET, Cell, ResultTable, by_length
from arcproof.classifiers.scores import LENGTHS, mark, through_origin
from arcproof.reports.chart import Dots, Panel, to_svg

FILES: Final = ("table.csv", "table.html", "table.json", "running-time.svg", "transitions.svg")
STYLE: Final = (
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .6em;"
    "border-bottom:1px solid #999;text-align:right}td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}"
)
AXES: Final = ("words", "transitions")
Rows = list[list[str]]


def scores(table: ResultTable, title: str = "LAS", value: str = "las", cases: str = "right") -> Rows:
    """A table of one score by variant and treebank, with + and ++ where it differs from the first variant."""
    differences = table.differences(cases)
    rows = [[title, *table.treebanks, "mean"]]
    for name in table.variants:
        row, values = [name], []
        for treebank in table.treebanks:
            found = table.cells.get((name, treebank))
            if found is None:
                row.append("-")
                continue
            values.append(found[value])
            row.append(f"{100 * found[value]:.2f}{mark(differences.get((name, treebank), 1.0))}")
        complete = values and len(values) == len(table.treebanks)
        rows.append([*row, f"{100 * sum(values) / len(values):.2f}" if complete else "-"])
    return rows


def gains(table: ResultTable) -> Rows:
    """Compare the mean of each complete variant with that of the first."""
    rows = [[f"mean LAS against {table.variants[0]}", "gain", "p", "learning time"]]
    for name in table.variants[1:]:
        found = table.gain(name)
        if found is not None:
            rows.append([name, f"{100 * found.las:+.2f}", f"{found.p:.4f}", f"× {found.times:.2f}"])
    return rows


def details(table: ResultTable) -> Rows:
    """A table of everything else, with a line for each cell."""
    rows = [[
        "variant", "treebank", "sentences", "LAS", "95 %", "UAS", "LA", "exact", "non-projective P", "non-projective R", "root P", "root R", "lifted", "left out",
        "learning s", "parsing s", "words/s", "oracle m/n", "oracle R²", "classifier m/n", "classifier R²", "not permissible", "not ended", "checked", "wrong",
    ]]  # fmt: skip
    for c in table.in_order():
        low, high = c["interval"]
        slopes = (*through_origin(c["oracle_runs"]), *through_origin(c["classifier_runs"]))
        rows.append([
            c["variant"], c["treebank"], str(c["sentences"]), f"{100 * c['las']:.2f}", f"{100 * low:.1f}-{100 * high:.1f}", f"{100 * c['uas']:.2f}",
            f"{100 * c['la']:.2f}", f"{100 * c['exact']:.1f}", *map(_percent, (*c["nonprojective"][:2], *c["roots"][:2])), str(c["lifted"]),
            str(c["left_out"]), f"{c['learning_seconds']:.1f}", f"{c['parsing_seconds']:.2f}", f"{_speed(c):.0f}", *(f"{v:.3f}" for v in slopes),
            *(str(c[count]) for count in ("not_permissible", "not_ended", "checked", "wrong")),
        ])  # fmt: skip
    return rows


def _speed(cell: Cell) -> float:
    return float(cell["parsed_words"] / cell["parsing_seconds"]) if cell["parsing_seconds"] else 0.0


def lengths(table: ResultTable) -> Rows:
    """The mean number of transitions by sentence length, variants side by side.

    The mean is taken over the sentences of those treebanks that all variants parsed.
    """
    means = {name: by_length(_runs(table, name)) for name in table.variants}
    rows = [["words", *table.variants]]
    for first in sorted({first for found in means.values() for first in found}):
        row = [f"{means[name][first]:.1f}" if first in means[name] else "-" for name in table.variants]
        rows.append([f"{first}-{first + BUCKET - 1}", *row])
    return rows


def _runs(table: ResultTable, name: str) -> list[tuple[int, int]]:
    everywhere = [t for t in table.treebanks if all((v, t) in table.cells for v in table.variants)]
    return [(n, m) for treebank in everywhere for n, m in table.cells[name, treebank]["classifier_runs"]]


def by_arc_length(table: ResultTable) -> Rows:
    """Precision and recall of heads by the length of the arc, over all treebanks."""
    seen = {length for c in table.in_order() for length in c["lengths"]}
    names = [name for _, _, name in LENGTHS if name in seen]
    rows = [["precision / recall, mean of the treebanks", *names]]
    for name in table.variants:
        cells = table.of_variant(name)
        row = [name]
        for length in names:
            found = [c["lengths"][length] for c in cells if length in c["lengths"]]
            row.append(" / ".join(_percent(_mean([f[k] for f in found if f[k] is not None])) for k in (0, 1)))
        rows.append(row)
    return rows


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


# --- plots -----------------------------------------------------------------------------------------------------------


def running_time(table: ResultTable) -> str:
    """Plot transitions by words: the oracle on the training data in black, the classifier on the test data in white
    (Nivre 2009, Figure 5).
    """
    panels = []
    for c in table.in_order():
        dots = []
        for who, runs, filled in (("oracle", c["oracle_runs"], True), ("classifier", c["classifier_runs"], False)):
            slope, fit = through_origin(runs)
            caption = f"{who}: m = {slope:.2f} n (R² = {fit:.2f})"
            dots.append(Dots([(n, m) for n, m in runs], slope, caption, filled))
        panels.append(Panel.from_zero(f"{c['variant']}, {c['treebank']}", *AXES, tuple(dots)))
    return to_svg("Abstract running time: transitions by words of the sentence", panels)


def transitions(table: ResultTable) -> str:
    """Plot the mean number of transitions by sentence length, with a line for each variant."""
    lines = {}
    for name in table.variants:
        lines[name] = [(first + BUCKET / 2, mean) for first, mean in by_length(_runs(table, name)).items()]
    panel = Panel.from_zero("all treebanks", *AXES, (), {name: line for name, line in lines.items() if line})
    return to_svg("Transitions of the classifier by words of the sentence, mean", [panel])


# --- files -----------------------------------------------------------------------------------------------------------


def _tables(table: ResultTable) -> Iterator[tuple[str, Rows]]:
    yield "Labelled attachment score", scores(table)
    yield "Exact match", scores(table, "exact", "exact", "right_sentences")
    if len(means := gains(table)) > 1:
        yield "Means", means
    yield "Details", details(table)
    yield "Transitions by sentence length", lengths(table)
    yield "Heads by length of the arc", by_arc_length(table)
    found = [[name, f"{r:.2f}"] for name in table.variants[1:] if (r := table.correlation(name)) is not None]
    if found:
        yield "Gain and share of non-projective arcs", [["variant", "Pearson's r"], *found]


def _legend(table: ResultTable) -> str:
    return (
        f"+ and ++: differs from {table.variants[0]}, p < 0.05 and p < 0.01; McNemar on words (LAS) or on sentences (exact match), Holm's correction "
        "over the table; means: randomisation by sentences. m/n: slope of the number of transitions over the number of words, by least squares. "
        "lifted: training sentences whose arcs were lifted because the oracle does not derive them; what a pseudo-projective scheme lifts beforehand is not counted."
    )


def to_csv(table: ResultTable) -> str:
    """Format the details as comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(details(table))
    return text.getvalue()


def html(table: ResultTable) -> str:
    """Return the tables and plots as a self-contained page."""
    parts = [f"<p>{escape(_legend(table))}</p>"]
    for title, rows in _tables(table):
        head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:])
        parts.append(f"<h2>{title}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    parts += ["<h2>Plots</h2>", running_time(table), transitions(table)]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Experiment</title><style>{STYLE}</style>'
        f"<h1>Experiment</h1>{''.join(parts)}</html>\n"
    )


def write(table: ResultTable, folder: Path, as_json: str) -> None:
    """Write all tables and plots, and the document, to files."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = (
        to_csv(table), html(table), as_json, running_time(table), transitions(table),
    )  # fmt: skip
    for name, content in zip(FILES, contents, strict=True):
        (folder / name).write_text(content, encoding="utf-8")
