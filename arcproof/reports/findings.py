"""Findings on the terminal."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from arcproof.properties.checks.class_of import ClassRelation
from arcproof.properties.checks.preconditions import Need
from arcproof.properties.checks.useful import Use
from arcproof.properties.engines.levels import Levels, Skipped
from arcproof.properties.evidence import Counterexample
from arcproof.properties.finding import Finding
from arcproof.properties.property import qualified
from arcproof.properties.report import SystemReport
from arcproof.properties.verdict import Verdict
from arcproof.reports import arc_diagram
from arcproof.reports.choices import choice_notes
from arcproof.reports.proofs import redundancy_lines, summary
from arcproof.reports.repair import nearest_text
from arcproof.reports.replaying import replay_lines
from arcproof.reports.sentences import (
    broken_text,
    how_far,
    need_text,
    quality_text,
    reason_text,
    short_text,
    verdict_text,
)
from arcproof.transitions.configuration import Transition
from arcproof.transitions.printing.escape import display_width, for_terminal, padded
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.printing.wording import case_text, counted

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = {
    Verdict.REFUTED: "red",
    Verdict.UNKNOWN: "yellow",
    Verdict.UNREACHED: "yellow",
    Verdict.SAMPLED: "cyan",
    Verdict.EXHAUSTED: "green",
    Verdict.PROVED: "bold green",
}


# --- words -----------------------------------------------------------------------------------------------------------


def run_text(run: Iterable[Transition]) -> str:
    """The transitions of a run without their labels."""
    return " ".join(transition.instance for transition in run) or "(no transition)"


def finding_lines(finding: Finding) -> list[str]:
    """The counterexample of a finding, with the commands that reproduce it."""
    found = finding.counterexample
    if found is None:
        return []
    notes = choice_notes(finding.system, (*(found.transitions or ()), *(found.other or ())))
    return [*counterexample_lines(found), *notes, *replay_lines(finding)]


def counterexample_lines(found: Counterexample) -> list[str]:
    """Draw the graph, and print the run below it."""
    lines: list[str] = []
    if found.graph is not None and found.words:
        lines += [] if found.best is None else [f"gold: {found.graph}"]
        lines += arc_diagram.to_text(found.graph).rstrip("\n").split("\n")
    if found.transitions is not None:
        lines.append(f"run: {run_text(found.transitions)}")
        lines += [] if found.other is None or found.best is not None else [f"and: {run_text(found.other)}"]
        lines += best_lines(found)
    return lines


def best_lines(found: Counterexample) -> list[str]:
    """A run to a nearest output, if there is one, and a drawing of the output."""
    if found.best is None or found.other is None:
        return []
    drawn = arc_diagram.to_text(found.best).rstrip("\n").split("\n") if found.words else []
    return [f"best: {run_text(found.other)}", *drawn]


SIDES: Final = (
    "(also …: a smallest output outside the class; not …: a smallest graph of the class that is not an output)"
)
"""The legend for the graphs that follow each class."""


def class_lines(report: SystemReport) -> list[str]:
    """Answer the question *which class is this* in a few lines."""
    by_relation: dict[str, list[ClassRelation]] = {}
    for relation in report.depth.classes:
        by_relation.setdefault(relation.relation, []).append(relation)
    lines = []
    for name in ("equal", "contains", "contained", "neither"):
        found = by_relation.get(name, [])
        if found:
            shown = ", ".join(map(_relation_text, found[:6]))
            more = f" and {len(found) - 6} more" if len(found) > 6 else ""
            lines.append(f"{name}: {shown}{more}")
    if any(relation.outside is not None or relation.missing is not None for relation in report.depth.classes):
        lines.append(SIDES)
    return lines


def _relation_text(relation: ClassRelation) -> str:
    """The class, with the smallest graph on each side, if any."""
    sides = []
    if relation.outside is not None:
        sides.append(f"also {relation.outside}")
    if relation.missing is not None:
        sides.append(f"not {relation.missing}")
    return class_text(relation.graphs) + (f" ({', '.join(sides)})" if sides else "")


def need_line(need: Need) -> str:
    """Say why a transition has a precondition."""
    return f"{case_text(need.transition, need.line)}: {need_text(need)}"


def use_line(use: Use) -> str:
    """Say what a case of a transition is needed for."""
    case, words = case_text(use.transition, use.line), counted(use.words, "word")
    if not use.occurs:
        return f"{use.transition} does not occur in any run that ends, up to {words}"
    if use.lost is not None:
        return f"{case} is needed for {use.lost}"
    if use.broken is not None:
        needed = "may be needed" if use.broken.counterexample is None else "is needed"
        return (
            f"{case} {needed} although the same graphs are derived up to {words}: without it {broken_text(use.broken)}"
        )
    return f"{case} can be left out, up to {words}: the same graphs are derived, and no claim or check breaks"


# --- terminal --------------------------------------------------------------------------------------------------------


def skipped_line(skipped: Skipped) -> str:
    """Say which level was not explored, and why."""
    further = " where runs continue past terminal configurations" if skipped.past_terminal else ""
    return f"{skipped.words} or more words{further}: {skipped.reason}"


def remarks(levels: Levels) -> list[str]:
    """Say what was not explored or not by the requested engine, and how words without a head are read."""
    told = (levels.explorer.note, levels.system.convention)
    return [skipped_line(skipped) for skipped in levels.skipped.values()] + [note for note in told if note is not None]


def print_report(report: SystemReport, console: "Console") -> None:
    """Print one system on the terminal; everything from a specification is printed as plain text."""
    from rich.text import Text

    console.print(Text(f"{report.system.name}", style="bold") + Text(f"  {report.seconds:.1f} s", style="dim"))
    rows = [
        (finding, for_terminal(finding.title), verdict_text(finding)) for finding in (*report.claims, *report.checks)
    ]
    claim_width = max((display_width(text) for _, text, _ in rows), default=0)
    verdict_width = max((display_width(verdict) for _, _, verdict in rows), default=0)
    for finding, text, verdict in rows:
        mark = {True: "✓", False: "✗" if finding.counts else "!", None: "?"}[finding.met]
        row = Text(f"  {mark}  ", style=_style(finding))
        row.append(padded(text, claim_width), style="dim" if finding.kind == "check" else "")
        row.append(f"  {padded(verdict, verdict_width)}", style=_style(finding))
        row.append(f"  {for_terminal(short_text(finding))}", style="dim")
        row.rstrip()
        console.print(row, soft_wrap=True)
    for finding in report.claims:
        if finding.counterexample is not None:
            reason = Text(f"    {for_terminal(finding.title)}: {for_terminal(reason_text(finding))}")
            console.print(reason, soft_wrap=True)
            for line in finding_lines(finding):
                console.print(Text(f"      {line}"), soft_wrap=True)
    for title, lines in notes(report):
        console.print(Text(f"    {title}", style="italic"))
        for line in lines:
            console.print(Text(f"      {for_terminal(line)}", style="dim"), soft_wrap=True)
    console.print()


def _style(finding: Finding) -> str:
    if finding.met and finding.verdict is Verdict.REFUTED:
        return "green"
    if finding.met is False and not finding.counts:
        return "yellow"
    return COLOURS[finding.verdict]


def notes(report: SystemReport) -> Iterable[tuple[str, list[str]]]:
    """Everything else that was found, as titled lists of sentences, with what was not done first."""
    if report.skipped:
        yield "levels left out", [skipped_line(skipped) for skipped in report.skipped]
    if report.deepened is not None and (far := how_far(report)):
        yield f"how far, within {report.deepened.seconds:g} s", far
    if report.note is not None:
        yield "engine", [report.note]
    repairs = report.depth.repairs
    if repairs is not None and (nearest := nearest_text(repairs)) is not None:
        yield "repair", [nearest]
    found = (*report.claims, *report.checks)
    proofs = [summary(finding.system, finding.theorem) for finding in found if finding.theorem is not None]
    if proofs:
        yield "proofs", proofs
    if report.depth.classes:
        asked = qualified("which class is this", report.system.convention)
        words = min(relation.words for relation in report.depth.classes)
        yield f"{asked}, up to {counted(words, 'word')}", class_lines(report)
    if report.depth.qualities:
        yield "oracles", [quality_text(quality) for quality in report.depth.qualities]
    if report.depth.uses:
        yield "transitions", [use_line(use) for use in report.depth.uses]
    if report.depth.needs:
        yield "preconditions", [need_line(need) for need in report.depth.needs]
    redundant = report.depth.redundancies
    if redundant is not None and (lines := redundancy_lines(redundant)):
        yield "preconditions, for all n", lines
