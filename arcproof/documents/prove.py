"""`arcproof prove --json`; `verify` has the same theorems."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import CounterexampleJson, Natural, Positive, Sha256, Solver, counterexample
from arcproof.documents.wire import Limits
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.proving import redundancy
    from arcproof.properties.proving import theorem as t
    from arcproof.properties.proving.explanation import Explanation
    from arcproof.properties.proving.proof_objects import ProofObjects
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.proving.search.induction import Failure
    from arcproof.properties.proving.trusted.discharge import Discharged
    from arcproof.transitions.system import System


@dataclass(frozen=True)
class ConjunctJson:
    """One conjunct of an invariant."""

    name: str
    formula: str
    given: bool
    """Whether the specification supplies the conjunct."""


@dataclass(frozen=True)
class ResultJson:
    """What a solver said about an obligation."""

    solver: Solver
    answer: Literal["unsat", "sat", "unknown"]
    seconds: float
    reason: str


@dataclass(frozen=True)
class ObligationJson:
    """One obligation."""

    name: str
    sha256: Sha256
    """The hash of the SMT-LIB text."""
    results: tuple[ResultJson, ...]


@dataclass(frozen=True)
class FiringJson:
    """A configuration in which the premises hold and a transition can fire, so that the proof is not vacuous."""

    move: str
    words: int
    configuration: str | None


@dataclass(frozen=True)
class FailureJson:
    """A weakness of an invariant: a configuration in which a goal fails."""

    goal: str
    words: Positive
    configuration: str
    gold: str | None
    """The gold graph."""
    reached: bool
    """Whether a run reaches the configuration."""


@dataclass(frozen=True)
class ExplanationJson:
    """What blocks a claim that is open; only with `--explain`."""

    about: str
    """What is open: the claim, or something that it rests on."""
    goals: tuple[str, ...]
    configuration: str | None
    """The smallest configuration that blocks the first of the goals."""
    gold: str | None
    """The gold graph of the run to that configuration."""
    reached: bool | None
    excluders: tuple[str, ...]
    """Conditions of the language that hold in short runs but are false there."""
    oracle: str | None
    """The oracle that takes these runs."""
    unproved: tuple[str, ...]
    """Conditions of the prover that hold in short runs, are false there, and were not proved to be preserved."""
    lost: str | None
    """One of these conditions, and the move that does not preserve it."""
    lost_configuration: str | None
    """The smallest configuration in which the condition is lost."""
    lost_gold: str | None
    lost_excluders: tuple[str, ...]
    """Conditions of the language that would exclude that configuration."""
    candidates: int
    """How many conditions were tried."""
    shapes: tuple[str, ...]
    """The terms whose sums were tried as functions."""


@dataclass(frozen=True)
class TheoremJson:
    """A claim, and how far it is proved."""

    claim: str
    verdict: Annotated[str, Limits(one_of=("refuted", "unknown", "unreached", "proved"))]
    scope: Literal["all n"] | None
    """The scope of the proof; null unless the claim is proved."""
    detail: str
    seconds: float
    kept: bool
    """Whether it was proved earlier and taken from the cache."""
    stored: Natural
    """How many obligations were discharged by solver answers that an earlier run had stored."""
    solvers: tuple[Solver, ...]
    """The solvers that discharged every obligation."""
    assumptions: tuple[str, ...]
    """Assumptions that were not shown."""
    invariant: tuple[ConjunctJson, ...]
    lemmas: tuple[str, ...]
    """The lemmas that were proved on the way."""
    obligations: tuple[ObligationJson, ...]
    witnesses: tuple[FiringJson, ...]
    failure: FailureJson | None
    counterexample: CounterexampleJson | None
    every_step_checked: bool | None = None
    """Whether the checker accepted a proof of every obligation; only if proof objects were requested."""
    witness: CounterexampleJson | None = None
    """The run or graph that shows that something fails, if the claim is that it fails."""
    given: tuple[str, ...] | None = None
    """The lines of the specification that the proof uses: invariants, measures, lemmas."""
    next: tuple[str, ...] | None = None
    """What to do about a claim that is open."""
    explanation: ExplanationJson | None = None
    """What blocks the claim, if requested."""
    convention: str | None = None
    """What the verdict takes for granted about words without a head; left out if it does not matter."""


@dataclass(frozen=True)
class ProvedPreconditionJson:
    """Whether a precondition follows from the others, for sentences of every length."""

    transition: str
    precondition: str
    status: Literal["necessary", "redundant", "open"]
    solvers: tuple[Solver, ...]
    witness: str | None
    """A reachable configuration in which this precondition alone blocks the transition."""
    line: Natural | None = None
    """The line of its case, if the transition has several."""


@dataclass(frozen=True)
class SufficientSetJson:
    """Preconditions of one transition from which the others follow."""

    transition: str
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    minimal: bool
    """Whether none of the preconditions that are kept could be dropped as well."""
    line: Natural | None = None
    """The line of the case, if the transition has several."""


@dataclass(frozen=True)
class RedundanciesJson:
    """Which preconditions follow from the others."""

    preconditions: tuple[ProvedPreconditionJson, ...]
    sufficient: tuple[SufficientSetJson, ...]


@dataclass(frozen=True)
class SolversJson:
    """The versions of the solvers."""

    z3: str
    cvc5: str


@dataclass(frozen=True)
class ProvedSystemJson:
    """What was proved about one system."""

    system: str
    spec_sha256: Sha256
    solvers: SolversJson
    seconds: float
    theorems: tuple[TheoremJson, ...]
    redundancies: RedundanciesJson | None
    """What is redundant; null if not requested."""


@dataclass(frozen=True)
class ProofsJson:
    """Proofs for every sentence length."""

    arcproof: str
    systems: tuple[ProvedSystemJson, ...]


DOCUMENT: TypeAlias = ProofsJson


def document(reports: "Iterable[ProofReport]", proofs: "ProofObjects | None" = None) -> ProofsJson:
    """Return the document for all systems, with the requested proof objects."""
    return ProofsJson(__version__, tuple(_system(report, proofs) for report in reports))


def _system(report: "ProofReport", proofs: "ProofObjects | None") -> ProvedSystemJson:
    from arcproof.properties.proving.trusted.solvers import cvc5_version, z3_version

    return ProvedSystemJson(
        system=report.system.name,
        spec_sha256=report.system.sha256,
        solvers=SolversJson(z3_version(), cvc5_version()),
        seconds=round(report.seconds, 2),
        theorems=tuple(theorem(report.system, found, proofs) for found in report.theorems),
        redundancies=redundancies(report.redundancies),
    )


def theorem(system: "System", found: "t.Theorem", proofs: "ProofObjects | None" = None) -> TheoremJson:
    """One theorem."""
    from arcproof.properties.property import convention_of
    from arcproof.properties.verdict import Verdict
    from arcproof.reports.proofs import remedy_text, theorem_text

    return TheoremJson(
        claim=found.claim,
        verdict=found.verdict.value,
        scope="all n" if found.verdict is Verdict.PROVED else None,
        detail=theorem_text(found),
        seconds=round(found.seconds, 2),
        kept=found.kept,
        stored=found.stored,
        solvers=found.solvers,
        assumptions=found.believed,
        invariant=tuple(ConjunctJson(one.name, one.formula, one.given is not None) for one in found.invariant),
        lemmas=found.lemmas,
        obligations=tuple(map(_obligation, found.obligations)),
        witnesses=tuple(FiringJson(one.move, one.words, one.configuration) for one in found.witnesses),
        failure=None if found.failure is None else _failure(found.failure),
        counterexample=counterexample(found.counterexample),
        every_step_checked=None if proofs is None else _is_checked(found, proofs),
        witness=counterexample(found.witness),
        given=found.given or None,
        next=tuple(map(remedy_text, found.remedies)) or None,
        explanation=None if found.explanation is None else _explanation(found.explanation),
        convention=convention_of(system, found.about),
    )


def _explanation(found: "Explanation") -> ExplanationJson:
    blocked, lost = found.blocked, found.lost
    gold = None if blocked is None or blocked.gold is None else str(blocked.gold)
    return ExplanationJson(
        about=found.about,
        goals=found.goals,
        configuration=None if blocked is None else str(blocked.configuration),
        gold=gold,
        reached=None if blocked is None else blocked.reached,
        excluders=found.excluders,
        oracle=found.oracle,
        unproved=found.unproved,
        lost=None if lost is None else f"{lost.condition}, by {lost.move}",
        lost_configuration=None if lost is None else str(lost.blocked.configuration),
        lost_gold=None if lost is None or lost.blocked.gold is None else str(lost.blocked.gold),
        lost_excluders=() if lost is None else lost.excluders,
        candidates=found.candidates,
        shapes=found.shapes,
    )


def _is_checked(found: "t.Theorem", proofs: "ProofObjects") -> bool:
    from arcproof.properties.proving.proof_objects import every_step_is_checked

    return every_step_is_checked(found, proofs)


def _failure(found: "Failure") -> FailureJson:
    return FailureJson(found.goal, found.words, found.configuration, found.gold, found.reached)


def _obligation(done: "Discharged") -> ObligationJson:
    results = tuple(ResultJson(one.solver, one.answer, round(one.seconds, 3), one.reason) for one in done.results)
    return ObligationJson(done.obligation.name, done.obligation.digest, results)


def redundancies(found: "redundancy.Redundancies | None") -> RedundanciesJson | None:
    """Return the part of the document about preconditions, for sentences of every length."""
    if found is None:
        return None
    sets = (SufficientSetJson(one.transition, one.kept, one.dropped, one.minimal, one.line) for one in found.sets)
    return RedundanciesJson(tuple(map(_precondition, found.preconditions)), tuple(sets))


def _precondition(found: "redundancy.Precondition") -> ProvedPreconditionJson:
    return ProvedPreconditionJson(
        transition=found.transition,
        precondition=found.precondition,
        status="redundant" if found.redundant else "necessary" if found.witness else "open",
        solvers=found.theorem.solvers if found.theorem is not None and found.redundant else (),
        witness=found.witness,
        line=found.line,
    )
