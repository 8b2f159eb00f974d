"""The report as one self-contained HTML page: figures, a derivation of each system, and what was checked.

Everything that comes from a specification or a treebank is escaped by the template engine.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arcproof import __version__
from arcproof.properties.oracle_correct import OracleCheck, check_oracles
from arcproof.reports.arc_diagram import to_svg
from arcproof.reports.examples import example_derivation
from arcproof.transitions.configuration import Configuration, show_value
from arcproof.transitions.figure import Sheet, sheet
from arcproof.transitions.graph import format_heads
from arcproof.transitions.notation import TEXT, class_text
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration of a derivation."""

    transition: str
    cells: tuple[str, ...]
    arcs: str


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One oracle on one class."""

    oracle: str
    graphs: str
    verdict: str
    total: int
    per_words: str
    failure: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """Everything the page says of one system."""

    name: str
    sha256: str
    sheet: Sheet
    components: tuple[str, ...]
    picture: Markup | None
    rows: tuple[Row, ...]
    checks: tuple[CheckRow, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What the command prints when the page is written."""

    systems: int
    checks: int
    graphs: int
    failures: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        """In one or more lines."""
        lines = [
            f"{self.systems} systems, {self.checks} oracle checks, {self.graphs} derivations, "
            f"{len(self.failures)} failures, {self.seconds:.1f} s"
        ]
        return "\n".join([*lines, *self.failures])


def section_of(system: System, words: int) -> Section:
    """Check the oracles of a system and collect what is shown."""
    figure = system.figure_with_parameters
    shown = example_derivation(system)
    rows: list[Row] = []
    picture = None
    if shown is not None:
        example, derivation = shown
        picture = Markup(to_svg(derivation.graph, example.words))
        rows.append(Row("", _cells(derivation.initial), ""))
        rows += [
            Row(str(step.transition), _cells(step.configuration), ", ".join(map(str, step.added)))
            for step in derivation.steps
        ]
    return Section(
        system.name,
        system.sha256,
        sheet(figure, TEXT),
        tuple(component.name for component in figure.state),
        picture,
        tuple(rows),
        tuple(map(_check_row, check_oracles(system, words))),
    )


def _cells(c: Configuration) -> tuple[str, ...]:
    return tuple(map(show_value, c.values))


def _check_row(check: OracleCheck) -> CheckRow:
    failure = None
    if check.failure is not None:
        failure = f"{format_heads(check.failure.heads)}: {check.failure.reason}"
    return CheckRow(
        check.oracle,
        class_text(check.graphs, TEXT),
        "refuted" if failure else f"exhausted up to {check.words} words",
        sum(check.derived),
        ", ".join(f"{n}: {count}" for n, count in enumerate(check.derived)),
        failure,
    )


def render(systems: Iterable[System], words: int) -> tuple[str, Summary]:
    """The page, and its summary."""
    began = time.perf_counter()
    sections = [section_of(system, words) for system in systems]
    checks = [(section.name, check) for section in sections for check in section.checks]
    summary = Summary(
        len(sections),
        len(checks),
        sum(check.total for _, check in checks),
        tuple(f"refuted: {name}, oracle {check.oracle}: {check.failure}" for name, check in checks if check.failure),
        time.perf_counter() - began,
    )
    environment = Environment(
        loader=PackageLoader("arcproof.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("report.html")
    return template.render(sections=sections, summary=summary, words=words, version=__version__), summary
