"""Repairs of a figure: what is refuted, and the nearest figures that meet every claim, as differences from the
figure.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.finding import Finding
from arcproof.properties.studies.changes import Change, changes
from arcproof.reports.sentences import reason_text
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.notation import claim_text
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.properties.studies.repair import Repairs
    from arcproof.properties.studies.trials import Suggestion

MOST_ALIKE = 3
DISTANCES = ("one edit", "two edits")


def change_text(suggestion: "Suggestion") -> str:
    """A change, as in `REDUCE: `head(h)` → `head(i)``."""
    return "; ".join(map(str, suggestion.changes))


def meets(suggestion: "Suggestion") -> str:
    """Say which claims a suggestion meets, and which are open."""
    if not suggestion.left_open:
        return "meets every claim"
    left = ", ".join(finding.title for finding in suggestion.left_open)
    return f"meets every claim that is decided (open: {left})"


@dataclass(frozen=True, slots=True)
class Nearest:
    """The best suggestion in brief: its distance, its changes, what it meets, and how many others there are."""

    distance: str
    changes: tuple[Change, ...]
    meets: str
    others: int


def nearest(repairs: "Repairs") -> Nearest | None:
    """Summarize the repairs that were found; None if there are none."""
    if not repairs.suggestions:
        return None
    best = repairs.suggestions[0]
    return Nearest(f"{DISTANCES[len(best.edits) - 1]} away", best.changes, meets(best), len(repairs.suggestions) - 1)


def nearest_text(repairs: "Repairs") -> str | None:
    """The best suggestion, as in `one edit away: REDUCE: `head(h)` → `head(i)` meets every claim`; None without one."""
    found = nearest(repairs)
    if found is None:
        return None
    others = f"; so do {found.others} other figures (arcproof repair)" if found.others > 1 else ""
    others = "; so does another figure (arcproof repair)" if found.others == 1 else others
    return f"{found.distance}: {'; '.join(map(str, found.changes))} {found.meets}{others}"


def tried_text(repairs: "Repairs") -> str:
    """Say what was tried, and what was not."""
    tried = [
        f"{count} {'figure' if count == 1 else 'figures'} {DISTANCES[place]} away"
        for place, count in enumerate(repairs.tried)
    ]
    text = f"tried: {' and '.join(tried)}" if tried else "nothing was tried"
    if repairs.complete and repairs.ended_by is None:
        return text
    them = "the latter" if len(tried) > 1 else "them"
    if repairs.suggestions:
        return f"{text}; not all of {them}, because some that work were found first"
    why = repairs.ended_by or f"the {repairs.limit:g} s allowed by --time ran out"
    return f"{text}; {why} before all of {them} were tried" if tried else f"{text}: {why}"


def refuted_text(finding: Finding) -> str:
    """A refuted claim, and why it is refuted."""
    found = finding.counterexample
    return finding.title if found is None else f"{finding.title}: {reason_text(finding)}"


def to_text(repairs: "Repairs") -> str:
    """List what is refuted, then the suggestions, best first."""
    name = repairs.system.name
    if not repairs.refuted and repairs.ended_by is not None:
        return for_terminal(f"{name}: {repairs.ended_by} before it was known whether anything is refuted") + "\n"
    if not repairs.refuted:
        return (
            for_terminal(
                f"{name}: nothing is refuted up to {counted(repairs.words, 'word')}; there is nothing to repair"
            )
            + "\n"
        )
    found = [finding.counterexample for finding in repairs.refuted]
    longest = max((shown.words for shown in found if shown is not None), default=0)
    by = "by samples of more than" if longest > repairs.words else "up to"
    lines = [f"{name}: refuted {by} {counted(repairs.words, 'word')}"]
    lines += [f"  {refuted_text(finding)}" for finding in repairs.refuted]
    if repairs.claims_that_hold:
        claims = " and ".join(f"`{claim_text(claim)}`" for claim in repairs.claims_that_hold)
        holds = "holds" if len(repairs.claims_that_hold) == 1 else "hold"
        lines += ["", f"perhaps a claim is wrong: up to {counted(repairs.words, 'word')} {claims} {holds}"]
    if not repairs.suggestions:
        lines += ["", f"no repair was found; {tried_text(repairs)}"]
    else:
        lines += ["", tried_text(repairs)]
    for number, suggestion in enumerate(repairs.suggestions, start=1):
        lines += ["", *_suggested(repairs, suggestion, number)]
    return "\n".join(map(for_terminal, lines)) + "\n"


def _suggested(repairs: "Repairs", suggestion: "Suggestion", number: int) -> Iterator[str]:
    edits = DISTANCES[len(suggestion.edits) - 1]
    yield f"{number}. {edits} away: {change_text(suggestion)}"
    for change in suggestion.changes:
        within = "" if change.oracle is None else f"  (in oracle {change.oracle})"
        if change.line_before is not None:
            yield f"   - {change.line_before}{within}"
        if change.line_after is not None:
            yield f"   + {change.line_after}{within}"
    graphs = f"{counted(suggestion.graphs, 'graph')} of {counted(suggestion.words, 'word')}"
    yield f"   {meets(suggestion)} up to {counted(suggestion.words, 'word')}; it derives {graphs}"
    if suggestion.unused:
        yield f"   never used in a run that ends: {', '.join(suggestion.unused)}"
    for other in suggestion.alike[:MOST_ALIKE]:
        alike = "; ".join(map(str, changes(repairs.system.figure, other.figure)))
        yield f"   behaves the same on short sentences: {alike}"
    if len(suggestion.alike) > MOST_ALIKE:
        yield f"   and {len(suggestion.alike) - MOST_ALIKE} more behave the same on short sentences"
