"""Mutants on the terminal.  Surviving mutants are always shown, each with its reason and its
witness.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from arcproof.properties.property import Question, text_of
from arcproof.properties.studies.mutants import OPERATORS
from arcproof.properties.studies.mutation import BUCKETS, Bucket, Judged, MutationReport
from arcproof.reports.findings import counterexample_lines
from arcproof.reports.sentences import detail_text
from arcproof.transitions.printing.escape import display_width, for_terminal, padded

if TYPE_CHECKING:
    from rich.console import Console

COLOURS: Final[dict[Bucket, str]] = {
    "killed": "green",
    "equivalent": "dim",
    "alternative": "cyan",
    "undecided": "yellow",
    "invalid": "dim",
}


# --- words -----------------------------------------------------------------------------------------------------------


def texts(report: MutationReport, questions: Iterable[Question]) -> list[str]:
    """The texts of questions, as the figure writes them."""
    return [text_of(report.system, question) for question in questions]


def claim_text(report: MutationReport, judged: Judged) -> str | None:
    """The claim that kills a mutant."""
    return None if judged.claim is None else text_of(report.system, judged.claim)


def reason_text(judged: Judged) -> str:
    """Why a mutant is in its bucket; if claims are open, which ones and why."""
    if not judged.left_open:
        return judged.reason
    return "; ".join(f"`{finding.title}` is open: {detail_text(finding)}" for finding in judged.left_open)


def score_text(report: MutationReport) -> str:
    """The score as in `68 of 68 killed (100 %)`, counting mutants that are figures and not equivalent."""
    counts = report.counts
    rest = counts["killed"] + counts["alternative"] + counts["undecided"]
    if report.score is None:
        return "no score: " + ("no mutant was tried" if not report.mutants else "no mutant could be killed")
    more = f", {report.total - len(report.mutants)} not tried" if report.interrupted else ""
    return f"{counts['killed']} of {rest} killed ({percent(report.score)}){more}"


def percent(share: float) -> str:
    """A percentage, rounded down so that 100 % means all.

    >>> percent(0.9999)
    '99.9 %'
    """
    tenths = int(share * 1000 + 1e-9)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths / 10} %"


def counts_text(report: MutationReport) -> str:
    """The counts as in `70 mutants: 68 killed, 1 equivalent, 0 alternative, 0 undecided, 1 invalid`."""
    shown = ", ".join(f"{count} {bucket}" for bucket, count in report.counts.items())
    return f"{report.total} mutants: {shown}"


def killers(report: MutationReport) -> list[tuple[str, int]]:
    """The claims, with the number of mutants each was the first to refute, including claims that killed none."""
    found = Counter(judged.claim for judged in report.of("killed"))
    return [(text_of(report.system, claim), found[claim]) for claim in report.claims]


def by_operator(report: MutationReport) -> list[tuple[str, dict[Bucket, int]]]:
    """For each operator that produced mutants, how many are in each bucket."""
    rows = []
    for operator in OPERATORS:
        found = Counter(judged.bucket for judged in report.mutants if judged.mutant.operator == operator)
        if found:
            rows.append((operator, {bucket: found[bucket] for bucket in BUCKETS}))
    return rows


def remarks(report: MutationReport) -> list[str]:
    """Say what was not checked, or not tried."""
    lines = [] if report.note is None else [report.note]
    if report.words < 1:
        lines.append("nothing was tried: not even sentences of one word were explored")
    if report.not_met:
        lines.append(
            "not checked for mutants, because the figure itself does not meet it: "
            f"{', '.join(texts(report, report.not_met))}"
        )
    if report.interrupted:
        lines.append(f"{report.ended_by or 'interrupted'}: {report.total - len(report.mutants)} mutants were not tried")
    return lines


def sentence(judged: Judged) -> str:
    """Say why a mutant is in its bucket, in one sentence."""
    reason = reason_text(judged)
    return reason if judged.remark is None else f"{reason}; {judged.remark}"


# --- terminal --------------------------------------------------------------------------------------------------------


def print_mutation(report: MutationReport, console: "Console", everything: bool) -> None:
    """Format one system; with `everything`, also the killed mutants, one per line."""
    from rich.text import Text

    def line(text: str, style: str = "") -> None:
        console.print(Text(text, style=style), soft_wrap=True)

    console.print(Text(report.system.name, style="bold") + Text(f"  {report.seconds:.1f} s", style="dim"))
    line(f"  up to {report.words} words: {score_text(report)}", "bold")
    line(f"  {counts_text(report)}")
    for remark in remarks(report):
        line(f"  {for_terminal(remark)}", "yellow")
    rows = [["operator", *BUCKETS], *([name, *map(str, row.values())] for name, row in by_operator(report))]
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for row in rows if report.mutants else ():
        line("    " + "  ".join(map(padded, row, widths)).rstrip(), "dim")
    for claim, count in killers(report):
        line(f"    {for_terminal(claim)}: kills {count}", "dim")
    for judged in report.mutants:
        if everything or judged.bucket not in ("killed", "invalid"):
            _print_judged(judged, line)
    console.print()


def _print_judged(judged: Judged, line: Callable[[str, str], None]) -> None:
    title = f"  {judged.bucket}  {judged.number}  {judged.mutant.operator}, {judged.mutant.description}"
    line(for_terminal(title), COLOURS[judged.bucket])
    line(f"      {for_terminal(sentence(judged))}", "")
    if judged.witness is not None and judged.bucket != "killed":
        for drawn in counterexample_lines(judged.witness):
            line(f"      {drawn}", "")
    elif judged.witness is not None and judged.witness.transitions is not None:
        line(f"      run: {' '.join(t.instance for t in judged.witness.transitions) or '(no transition)'}", "")
