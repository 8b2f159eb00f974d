"""Views of verdicts on claims, and of what is asked about a figure besides."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from arcproof.interface.views.view import DocumentTable, Picture, View, later, picture_of, run_text
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.commands import results
    from arcproof.properties.finding import Finding
    from arcproof.properties.report import Report, SystemReport
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.mutation import MutationReport
    from arcproof.properties.studies.reach import Reached
    from arcproof.properties.studies.repair import Repairs
    from arcproof.properties.studies.situation import Situated
    from arcproof.properties.studies.why import Reason, Why

_mutate = later("documents.mutate.document")
_compare = later("documents.compare.document")


# --- verify ----------------------------------------------------------------------------------------------------------


def _lines_of_system(report: "SystemReport") -> Iterator[str]:
    from arcproof.properties.verdict import Verdict

    met, refuted, left = (sum(f.met is is_met for f in report.claims) for is_met in (True, False, None))
    counts = f"{counted(len(report.claims), 'claim')}, {met} met, {refuted} refuted, {left} open"
    yield f"{report.system.name}: {report.summary(Verdict.SAMPLED)} ({counts})"
    for finding in (*report.claims, *report.refuted_checks):
        if finding.met is False:
            yield f"  ✗ {_finding_text(finding)}"


def _lines_of_report(report: "Report") -> Iterator[str]:
    for system in report.systems:
        yield from _lines_of_system(system)


def _finding_text(finding: "Finding") -> str:
    from arcproof.reports.sentences import reason_text, short_text, verdict_text

    why = reason_text(finding) if finding.counterexample is not None else short_text(finding)
    return f"{finding.title}: {verdict_text(finding)}; {why}"


def _counterexamples(findings: "Iterable[Finding]") -> Iterator[Picture]:
    for finding in findings:
        found = finding.counterexample
        if finding.met is False and found is not None and found.graph is not None:
            yield f"{finding.system.name}: {finding.title}: {found.graph}", found.graph, None


def _printed(reports: "Iterable[SystemReport]") -> str:
    """As on a terminal of unlimited width, without colours."""
    from io import StringIO

    from rich.console import Console

    from arcproof.reports.findings import print_report

    out = StringIO()
    console = Console(file=out, width=1000, no_color=True)
    for report in reports:
        print_report(report, console)
    return out.getvalue()


# --- mutate, why, repair, reach --------------------------------------------------------------------------------------


def _mutations(reports: "Callable[[Any], Sequence[MutationReport]]") -> View:
    def lines(found: Any) -> Iterator[str]:
        from arcproof.reports.mutation import score_text

        for report in reports(found):
            yield f"{report.system.name}: {score_text(report)}"
        if found.ended_by is not None:
            yield found.ended_by

    columns = ("number", "bucket", "operator", "where", "change", "claim", "words", "reason")
    table = DocumentTable(("systems", "mutants"), columns, repeated=("system",))
    return View(lines=lines, document=lambda found: _mutate(reports(found)), table=table)


def _need_text(reason: "Reason") -> str:
    from arcproof.reports.sentences import need_text

    return need_text(reason.need)


def _lines_of_why(found: "Why") -> Iterator[str]:
    yield f"{found.transition} of {found.system.name}, up to {counted(found.words, 'word')}"
    for reason in found.reasons:
        yield f"  {reason.need.status}: {_need_text(reason)}"


def _pictures_of_why(found: "Why") -> Iterator[Picture]:
    for reason in found.reasons:
        if reason.run is not None:
            yield _need_text(reason), reason.run.graph, None


def _lines_of_repairs(found: "Repairs") -> Iterator[str]:
    from arcproof.reports.repair import change_text

    refuted, suggested = counted(len(found.refuted), "claim"), counted(len(found.suggestions), "repair")
    yield f"{found.system.name}: {refuted} refuted, {suggested} found"
    for suggestion in found.suggestions:
        yield f"  {change_text(suggestion)}"


def _lines_of_reached(found: "Reached") -> Iterator[str]:
    from arcproof.reports.reach import sentence

    yield sentence(found)
    if found.run is not None:
        yield run_text(found.run.transitions)


# --- oracle, compare -------------------------------------------------------------------------------------------------


def _lines_of_costs(found: "CostStudy") -> Iterator[str]:
    yield f"{found.system.name}: costs up to {counted(found.words, 'word')}"
    for finding in found.findings:
        yield f"  {_finding_text(finding)}"
    if found.derived is not None:
        from arcproof.reports.costs import evidence

        yield f"  derived: {evidence(found.derived)}"


def _lines_of_situation(found: "Situated") -> Iterator[str]:
    from arcproof.reports.situation import loss_text

    yield f"{found.system.name}, gold {found.gold}, {found.configuration}"
    yield loss_text(found)


def _lines_of_comparison(found: "results.ComparedSystems") -> list[str]:
    from arcproof.commands.compare_command import lines_of

    return lines_of(found)


def _pictures_of_comparison(found: "results.ComparedSystems") -> Iterator[Picture]:
    one, other = (level.system.name for level in found.levels)
    for name, witness in ((one, found.result.only_first), (other, found.result.only_second)):
        if witness is not None:
            yield f"only {name}: {witness.graph}", witness.graph, None


VIEWS: Final = {
    "Finding": View(
        lines=lambda finding: [f"{finding.system.name}: {_finding_text(finding)}"],
        pictures=lambda finding: _counterexamples([finding]),
    ),
    "SystemReport": View(
        lines=_lines_of_system,
        text=lambda report: _printed([report]),
        pictures=lambda report: _counterexamples(report.claims),
    ),
    "Report": View(
        lines=_lines_of_report,
        text=lambda report: _printed(report.systems),
        document=later("documents.verify.document"),
        table=DocumentTable(
            ("systems", "claims"),
            ("text", "verdict", "met", "words", "engine", "seconds", "counterexample.heads", "detail"),
            repeated=("system",),
        ),
        pictures=lambda report: _counterexamples(f for system in report.systems for f in system.claims),
    ),
    "MutationReport": _mutations(lambda report: [report]),
    "Mutations": _mutations(lambda found: found.reports),
    "Why": View(
        lines=_lines_of_why,
        text=later("reports.why.to_text"),
        document=later("documents.why.document"),
        table=DocumentTable(("preconditions",), ("precondition", "status", "breaks", "words", "counterexample.reason")),
        pictures=_pictures_of_why,
    ),
    "Repairs": View(
        lines=_lines_of_repairs,
        text=later("reports.repair.to_text"),
        document=later("documents.repair.document"),
        table=DocumentTable(("suggestions",), ("edits", "changes", "words", "graphs", "left_open")),
    ),
    "Reached": View(
        lines=_lines_of_reached,
        text=later("reports.reach.to_text"),
        document=later("documents.reach.document"),
        pictures=lambda found: [] if found.run is None else [picture_of(found.run.graph)],
    ),
    "CostStudy": View(
        lines=_lines_of_costs,
        text=later("reports.costs.to_text"),
        document=later("documents.oracle.document"),
        table=DocumentTable(("verdicts",), ("claim", "met", "verdict", "detail")),
    ),
    "Situated": View(
        lines=_lines_of_situation,
        text=later("reports.situation.to_text"),
        document=later("documents.situation.document"),
        table=DocumentTable(("options",), ("transition", "label", "cost", "loss.exact", "said")),
        pictures=lambda found: [(f"gold: {found.gold}", found.gold, None)],
    ),
    "ComparedSystems": View(
        lines=_lines_of_comparison,
        text=lambda found: "\n".join(_lines_of_comparison(found)),
        document=lambda found: _compare(found.result, *found.levels),
        pictures=_pictures_of_comparison,
    ),
}
