"""The exit code of `verify`: what decides between 0, 1 and 3.

0: every claim is met at the required level.  1: something that counts is refuted: a claim, or a check whose property
says that it counts. 3: inconclusive; also if nothing is claimed, if a limit ended the search early, and after an
interruption. A page of `report` shows what is open, so only a refutation and an interruption count there. (2 is wrong
usage or input, 4 a contradiction between engines; both are errors, see `arcproof.__main__`.)
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof.properties.verdict import Verdict

if TYPE_CHECKING:
    from arcproof.properties.report import SystemReport

Status: TypeAlias = Literal["met", "refuted", "inconclusive"]


def status_of(report: "SystemReport", required: Verdict) -> Status:
    """Whether every claim is met at the required level; if nothing is claimed, nothing is met."""
    if any(finding.met is False for finding in (*report.claims, *report.checks) if finding.counts):
        return "refuted"
    if not report.claims or not report.looked_at or report.stopped_at is not None:
        return "inconclusive"
    weak = [f for f in report.claims if f.met is None or (f.kind == "plain" and f.verdict < required)]
    return "inconclusive" if weak else "met"


def exit_code_of(reports: Iterable["SystemReport"], required: Verdict) -> int:
    """The exit code for several systems: the worst of them decides."""
    reports = tuple(reports)
    statuses = {status_of(report, required) for report in reports}
    if "refuted" in statuses:
        return 1
    return 3 if "inconclusive" in statuses or any(report.interrupted for report in reports) else 0


def exit_code_of_page(reports: Iterable["SystemReport"], interrupted: bool) -> int:
    """1 if something is refuted, 3 if not everything was examined."""
    if any(status_of(report, Verdict.SAMPLED) == "refuted" for report in reports):
        return 1
    return 3 if interrupted else 0
