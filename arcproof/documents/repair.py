"""`arcproof repair --json`."""

from typing import TYPE_CHECKING, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import CounterexampleJson, Natural, Positive, Seconds, Sha256, counterexample
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.printing.notation import claim_text

if TYPE_CHECKING:
    from arcproof.properties.finding import Finding
    from arcproof.properties.studies.changes import Change
    from arcproof.properties.studies.repair import Repairs
    from arcproof.properties.studies.trials import Suggestion


@dataclass(frozen=True)
class RefutedJson:
    """A claim of the figure that is false, or a failed check that counts."""

    claim: str
    counterexample: CounterexampleJson | None


@dataclass(frozen=True)
class ChangeJson:
    """A line that is changed, and the part of it that differs; null if there is no such line or part."""

    where: str
    """The transition, the oracle, or `start`, `final`, `default`."""
    line_before: str | None
    line_after: str | None
    before: str | None
    after: str | None


@dataclass(frozen=True)
class SuggestionJson:
    """A nearby figure of which no claim is refuted."""

    edits: Positive
    changes: tuple[ChangeJson, ...]
    words: Natural
    """The number of words up to which the figure was verified."""
    graphs: Natural
    """How many graphs of this many words the figure derives."""
    left_open: tuple[str, ...]
    """Claims that are not refuted, but not decided either."""
    unused: tuple[str, ...]
    """Transitions that occur in no run of up to this many words that ends."""
    alike: tuple[tuple[ChangeJson, ...], ...]
    """The changes of other figures that behave the same with a few words."""
    specification: str


@dataclass(frozen=True)
class RepairJson:
    """What is refuted, and the nearest figures that meet every claim, best first."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    words: Natural
    refuted: tuple[RefutedJson, ...]
    claims_that_hold: tuple[str, ...]
    """What may be claimed instead of a refuted `sound` or `complete`, up to this many words."""
    suggestions: tuple[SuggestionJson, ...]
    tried: tuple[Natural, ...]
    """How many figures were tried one edit away, two edits away, and so on."""
    complete: bool
    """Whether all figures of the greatest of these distances were tried."""
    seconds: Seconds
    ended_by: str | None


DOCUMENT: TypeAlias = RepairJson


def document(repairs: "Repairs") -> RepairJson:
    """Return the document for a search for repairs."""
    return RepairJson(
        arcproof=__version__,
        system=repairs.system.name,
        spec_sha256=repairs.system.sha256,
        words=repairs.words,
        refuted=tuple(map(_refuted, repairs.refuted)),
        claims_that_hold=tuple(map(claim_text, repairs.claims_that_hold)),
        suggestions=suggestions(repairs),
        tried=repairs.tried,
        complete=repairs.complete,
        seconds=round(repairs.seconds, 3),
        ended_by=repairs.ended_by,
    )


def suggestions(repairs: "Repairs") -> tuple[SuggestionJson, ...]:
    """The suggestions, best first."""
    return tuple(_suggestion(repairs, suggestion) for suggestion in repairs.suggestions)


def _refuted(finding: "Finding") -> RefutedJson:
    return RefutedJson(finding.text, counterexample(finding.counterexample))


def _suggestion(repairs: "Repairs", suggestion: "Suggestion") -> SuggestionJson:
    from arcproof.properties.studies.changes import changes

    figure = repairs.system.figure
    return SuggestionJson(
        edits=len(suggestion.edits),
        changes=tuple(map(_change, suggestion.changes)),
        words=suggestion.words,
        graphs=suggestion.graphs,
        left_open=tuple(finding.text for finding in suggestion.left_open),
        unused=suggestion.unused,
        alike=tuple(tuple(map(_change, changes(figure, other.figure))) for other in suggestion.alike),
        specification=suggestion.system.text,
    )


def _change(change: "Change") -> ChangeJson:
    return ChangeJson(change.where, change.line_before, change.line_after, change.before, change.after)
