"""`arcproof why --json`."""

from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import CounterexampleJson, Natural, Sha256, Verdict, counterexample
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.proving.theorem import Theorem
    from arcproof.properties.studies import why


@dataclass(frozen=True)
class ProofJson:
    """Whether a precondition follows from the others for sentences of every length."""

    verdict: Verdict
    solvers: tuple[str, ...]
    assumptions: tuple[str, ...]
    detail: str


@dataclass(frozen=True)
class PreconditionJson:
    """What dropping one precondition does."""

    precondition: str
    status: Literal["needed", "redundant", "free", "unknown"]
    breaks: str | None
    """The claim or check that fails without it."""
    words: Natural
    """The number of words up to which everything was tried."""
    counterexample: CounterexampleJson | None
    proof: ProofJson | None
    """The proof attempt; null if there was nothing to prove, or it was not requested."""
    problem: str | None = None
    """Why the figure without it is not valid."""
    line: Natural | None = None
    """The line of its case, if the transition has several."""


@dataclass(frozen=True)
class NeededJson(PreconditionJson):
    """A precondition without which a claim fails."""

    status: Literal["needed"]
    breaks: str
    counterexample: CounterexampleJson


@dataclass(frozen=True)
class NotNeededJson(PreconditionJson):
    """A precondition without which no claim fails, as far as was tried."""

    status: Literal["redundant", "free", "unknown"]


@dataclass(frozen=True)
class WhyJson:
    """Why a transition has its preconditions."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    transition: str
    words: Natural
    preconditions: tuple[PreconditionJson, ...]
    """The preconditions that were examined."""
    ended_by: str | None = None
    """What ended the work before all preconditions were examined."""


DOCUMENT: TypeAlias = WhyJson


def document(found: "why.Why") -> WhyJson:
    """Return the document about the preconditions of one transition."""
    return WhyJson(
        arcproof=__version__,
        system=found.system.name,
        spec_sha256=found.system.sha256,
        transition=found.transition,
        words=max(0, found.words),
        preconditions=tuple(map(_precondition, found.reasons)),
        ended_by=found.ended_by,
    )


def _precondition(reason: "why.Reason") -> PreconditionJson:
    need = reason.need
    kind: type[PreconditionJson] = NeededJson if need.status == "needed" else NotNeededJson
    return kind(
        precondition=need.precondition,
        status=need.status,
        breaks=need.breaks,
        words=need.words,
        counterexample=counterexample(need.counterexample),
        proof=None if reason.proof is None else _proof(reason.proof),
        problem=need.problem,
        line=need.line,
    )


def _proof(theorem: "Theorem") -> ProofJson:
    from arcproof.reports.proofs import theorem_text

    return ProofJson(theorem.verdict.value, theorem.solvers, theorem.assumptions, theorem_text(theorem))
