"""The report as one self-contained HTML page: figures, verdicts with what was done, counterexamples drawn, a derivation of each system.

Everything that comes from a specification or a treebank is escaped by the template engine.
"""

import shlex
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arcproof import __version__
from arcproof.properties.verdict import Counterexample, Finding
from arcproof.properties.verify import Report, SystemReport
from arcproof.reports import arc_diagram
from arcproof.reports.examples import example_derivation
from arcproof.reports.findings import notes, verdict_text
from arcproof.transitions.configuration import Configuration, show_value
from arcproof.transitions.figure import Sheet, sheet
from arcproof.transitions.notation import TEXT


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration of a derivation."""

    transition: str
    cells: tuple[str, ...]
    arcs: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One claim or check: its verdict, what was done, and the counterexample drawn."""

    text: str
    kind: str
    verdict: str
    colour: str
    engine: str
    detail: str
    seconds: str
    picture: Markup | None
    run: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """Everything the page says of one system."""

    name: str
    reference: str
    sha256: str
    words: int
    sheet: Sheet
    components: tuple[str, ...]
    findings: tuple[FindingRow, ...]
    notes: tuple[tuple[str, list[str]], ...]
    picture: Markup | None
    rows: tuple[Row, ...]


def report_html(report: Report) -> str:
    """The page."""
    environment = Environment(
        loader=PackageLoader("arcproof.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sections = [_section(system) for system in report.systems]
    template = environment.get_template("report.html")
    return template.render(sections=sections, interrupted=report.interrupted, version=__version__)


def _section(report: SystemReport) -> Section:
    figure = report.system.figure_with_parameters
    picture, rows = _derivation(report)
    return Section(
        report.system.name,
        shlex.quote(report.system.reference),
        report.system.sha256,
        report.words,
        sheet(figure, TEXT),
        tuple(component.name for component in figure.state),
        tuple(map(_finding_row, (*report.claims, *report.checks))),
        tuple(notes(report)),
        picture,
        tuple(rows),
    )


def _derivation(report: SystemReport) -> tuple[Markup | None, list[Row]]:
    shown = example_derivation(report.system)
    if shown is None:
        return None, []
    example, derivation = shown
    rows = [Row("", _cells(derivation.initial), "")]
    for step in derivation.steps:
        rows.append(Row(str(step.transition), _cells(step.configuration), ", ".join(map(str, step.added))))
    return _drawn(arc_diagram.to_svg(derivation.graph, example.words)), rows


def _drawn(svg: str) -> Markup:
    """Mark a picture as safe: `to_svg` has escaped what is in it."""
    return Markup(svg)


def _cells(c: Configuration) -> tuple[str, ...]:
    return tuple(map(show_value, c.values))


def _finding_row(finding: Finding) -> FindingRow:
    found = finding.counterexample
    run = None
    if found is not None and found.transitions is not None:
        run = " ".join(transition.instance for transition in found.transitions) or "(no transition)"
    return FindingRow(
        finding.text,
        finding.kind,
        verdict_text(finding),
        _colour(finding),
        finding.engine,
        finding.detail,
        f"{finding.seconds:.2f}",
        _counterexample(found),
        run,
    )


def _counterexample(found: Counterexample | None) -> Markup | None:
    if found is None or found.graph is None or not found.words:
        return None
    return _drawn(arc_diagram.to_svg(found.graph, title=f"Counterexample: {found.reason}"))


def _colour(finding: Finding) -> str:
    if finding.met is None:
        return "open"
    return "good" if finding.met else "bad" if finding.kind != "check" else "note"
