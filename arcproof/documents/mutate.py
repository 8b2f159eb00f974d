"""`arcproof mutate --json`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import CounterexampleJson, Natural, Positive, Seconds, Sha256, Share, counterexample
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.studies.mutation import Judged, MutationReport


@dataclass(frozen=True)
class MutantJson:
    """A change to the figure, and the bucket it is in, with what kills or distinguishes it."""

    number: Positive
    operator: str
    where: str
    change: str
    bucket: Literal["killed", "equivalent", "alternative", "undecided", "invalid"]
    words: Natural
    """How many words were tried, or were needed to kill the mutant."""
    claim: str | None
    """The claim that kills the mutant."""
    reason: str
    """Why the mutant is in its bucket."""
    remark: str | None
    witness: CounterexampleJson | None


@dataclass(frozen=True)
class KilledJson(MutantJson):
    """A mutant of which a claim is false."""

    bucket: Literal["killed"]
    claim: str
    witness: CounterexampleJson


@dataclass(frozen=True)
class AlternativeJson(MutantJson):
    """A mutant that meets every claim, but is a different system."""

    bucket: Literal["alternative"]
    witness: CounterexampleJson


@dataclass(frozen=True)
class NotShownJson(MutantJson):
    """A mutant that cannot be distinguished from the original, was not decided, or is not a figure."""

    bucket: Literal["equivalent", "undecided", "invalid"]


@dataclass(frozen=True)
class CountsJson:
    """How many mutants there are, and how many are in each bucket."""

    total: Natural
    killed: Natural
    equivalent: Natural
    alternative: Natural
    undecided: Natural
    invalid: Natural


@dataclass(frozen=True)
class MutatedJson:
    """The mutants of one system."""

    system: str
    spec_sha256: Sha256
    words: Natural
    """The number of words up to which everything was tried."""
    seconds: Seconds
    interrupted: bool
    note: str | None
    claims: tuple[str, ...]
    """The claims that are checked for the mutants."""
    not_met: tuple[str, ...]
    """Claims that the figure itself does not meet, and that are therefore not checked."""
    counts: CountsJson
    score: Share | None
    """The share of killed mutants among those that are figures and not equivalent."""
    mutants: tuple[MutantJson, ...]


@dataclass(frozen=True)
class MutationJson:
    """The mutants of the systems, and their buckets."""

    arcproof: str
    systems: tuple[MutatedJson, ...]


DOCUMENT: TypeAlias = MutationJson


def document(reports: "Iterable[MutationReport]") -> MutationJson:
    """Return the document for all systems."""
    return MutationJson(__version__, tuple(map(_mutated, reports)))


def _mutated(report: "MutationReport") -> MutatedJson:
    from arcproof.reports.mutation import texts

    return MutatedJson(
        system=report.system.name,
        spec_sha256=report.system.sha256,
        words=report.words,
        seconds=round(report.seconds, 3),
        interrupted=report.interrupted,
        note=report.note,
        claims=tuple(texts(report, report.claims)),
        not_met=tuple(texts(report, report.not_met)),
        counts=CountsJson(report.total, **report.counts),
        score=report.score,
        mutants=tuple(_mutant(report, judged) for judged in report.mutants),
    )


def _mutant(report: "MutationReport", judged: "Judged") -> MutantJson:
    from arcproof.reports.mutation import claim_text, reason_text

    kinds: dict[str, type[MutantJson]] = {"killed": KilledJson, "alternative": AlternativeJson}
    kind = kinds.get(judged.bucket, NotShownJson)
    return kind(
        number=judged.number,
        operator=judged.mutant.operator,
        where=judged.mutant.where,
        change=judged.mutant.change,
        bucket=judged.bucket,
        words=judged.words,
        claim=claim_text(report, judged),
        reason=reason_text(judged),
        remark=judged.remark,
        witness=counterexample(judged.witness),
    )
