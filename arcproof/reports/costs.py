"""What is known about costs: verdicts on dynamic oracles, or lines to paste into a figure."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from arcproof.properties.evidence import Refuted
from arcproof.properties.property import title_of
from arcproof.properties.studies.derivation import NAME
from arcproof.reports.findings import finding_lines
from arcproof.reports.sentences import evidence_text
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.notation import SOURCE, class_text, pattern_text
from arcproof.transitions.printing.source import dynamic_lines
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.properties.finding import Finding
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.derivation import Derived


def to_text(found: "CostStudy") -> str:
    """Name the system and the class; below them, the verdicts or the lines."""
    lines = [f"{found.system.name}, for gold graphs among the {class_text(found.graphs)}"]
    lines += [line for finding in found.findings for line in _finding(found, finding)]
    lines += [] if found.derived is None else _derived(found.derived)
    lines += ["  with more words there are too many situations to try them all"] if found.is_cut_short else []
    lines += [] if found.ended_by is None else [f"  {found.ended_by}: whatever was not reached by then is open"]
    return "\n".join(map(for_terminal, lines)) + "\n"


def _finding(found: "CostStudy", finding: "Finding") -> Iterator[str]:
    mark = {True: "✓", False: "✗", None: "?"}[finding.met]
    yield f"  {mark} {title_of(found.system, finding.question)}: {evidence_text(finding.evidence[0])}"
    if finding.counterexample is not None:
        yield from (f"      {line}" for line in finding_lines(finding))


def _derived(derived: "Derived") -> Iterator[str]:
    if derived.lines:
        yield from dynamic_lines(s.DynamicOracle(NAME, derived.lines))
    for one in derived.unfitted:
        pattern = ", ".join(pattern_text(part, SOURCE) for part in one.pattern)
        yield f"  no costs for {one.transition} ({pattern}): {one.why}"
    if derived.oracle is not None:
        where = "" if derived.is_exact else " after which a run can still end"
        yield f"  found from all situations up to {counted(derived.learned, 'word')}{where}; {evidence(derived)}"


def evidence(derived: "Derived") -> str:
    """Say how the costs that were found fared in the check."""
    assert derived.evidence is not None
    if isinstance(derived.evidence, Refuted):
        shown = derived.evidence.counterexample
        return f"with {counted(shown.words, 'word')} they are wrong: {shown.reason}"
    only = "; nothing was checked beyond those" if derived.is_exact and not derived.is_checked_beyond else ""
    return f"{'exact' if derived.is_exact else 'open'}: {evidence_text(derived.evidence)}{only}"
