"""Every claim, every engine, one report.

For each claim of a figure: the exhaustive engine up to `words` words, then random runs and graphs beyond, then the proof for sentences of
every length: one that is kept, or a new one, as `Effort.proofs` says.  Besides the claims, what a
researcher asks first: which class is this, are the oracles correct and shortest, is anything in the figure superfluous.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, Literal

from arcproof.generators.classes import contains
from arcproof.properties.checks.class_of import ClassRelation, check_class
from arcproof.properties.checks.oracle_correct import check_oracle, complete_classes
from arcproof.properties.checks.oracle_quality import OracleQuality, check_shortest
from arcproof.properties.checks.preconditions import Need, check_preconditions
from arcproof.properties.checks.terminal_closed import check_terminal_closed
from arcproof.properties.checks.useful import Use, check_useful
from arcproof.properties.claims.dead_ends import check_dead_ends, check_default
from arcproof.properties.claims.invariant import check_invariant, invariant_text
from arcproof.properties.claims.same_behaviour import difference
from arcproof.properties.claims.terminates import check_terminates
from arcproof.properties.dispatch import check_statement, run_check
from arcproof.properties.engines.engine import EngineName, counted, default_engine, engine_for
from arcproof.properties.engines.exploration import configurations_in
from arcproof.properties.engines.levels import Levels, ReplayFailed, Skipped
from arcproof.properties.engines.sampled import ENGINE as SAMPLER
from arcproof.properties.engines.sampled import (
    GraphCheck,
    Sampling,
    sample_graphs,
    sample_runs,
)
from arcproof.properties.engines.search import ArcsAreRemoved, shortest_derivation
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.studies.counts import LevelSummary
from arcproof.properties.verdict import Counterexample, Finding, Outcome, Verdict, unknown
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError, Contradiction, NotDerivable
from arcproof.transitions.graph import Heads, format_heads, graph_of
from arcproof.transitions.printing.notation import claim_text, class_text, statement_text
from arcproof.transitions.system import System, load

from arcproof.process.interruption import what_ended

if TYPE_CHECKING:
    from arcproof.properties.proving.prove import Memory, Prover, Theorem
    from arcproof.properties.proving.redundancy import Redundancies

WORDS_FOR_PRECONDITIONS: Final = 4
FEW_WORDS: Final = 3
MOST_SEARCHED: Final = 20_000
MOST_SEARCHED_WORDS: Final = 7


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: words for the exhaustive engine, samples beyond, bytes of memory, who explores, how many workers, which proofs.

    Proofs: `none`; `kept`, those in the cache, which takes no time; `certified`, also those with a certificate on file, which both solvers check; `new`, where
    none is kept it is tried, which may take minutes; `afresh`, without the cache.
    """

    words: int = 5
    sampling: Sampling = field(default_factory=Sampling)
    memory: int | None = None
    in_depth: bool = True
    engine: EngineName = field(default_factory=default_engine)
    jobs: int = 1
    proofs: "ProofSource" = "none"


ProofSource = Literal["none", "kept", "certified", "new", "afresh"]


@dataclass(frozen=True, slots=True)
class SystemReport:
    """What was found out about one system; `levels` are the numbers of each level that was explored, `ended_by` says what interrupted the work."""

    system: System
    words: int
    claims: tuple[Finding, ...]
    checks: tuple[Finding, ...]
    classes: tuple[ClassRelation, ...]
    qualities: tuple[OracleQuality, ...]
    uses: tuple[Use, ...]
    needs: tuple[Need, ...]
    seconds: float
    skipped: tuple[Skipped, ...] = ()
    note: str | None = None
    redundancies: "Redundancies | None" = None
    effort: Effort = field(default_factory=Effort)
    levels: tuple[LevelSummary, ...] = ()
    ended_by: str | None = None
    looked_at: bool = True

    @property
    def interrupted(self) -> bool:
        """Whether the work was ended before its time."""
        return self.ended_by is not None

    @property
    def stopped_at(self) -> int | None:
        """The number of words at which a limit ended the exhaustive search; None if it went as far as asked."""
        reached = [
            f.words for f in self.claims if f.kind == "plain" and f.verdict is Verdict.EXHAUSTED and f.words is not None
        ]
        return min(reached) if reached and min(reached) < self.words else None

    def summary(self, required: Verdict) -> str:
        """The status in a few words."""
        status = self.status(required)
        if not self.looked_at:
            return "inconclusive: not looked at"
        if status == "met":
            return "every claim is met"
        if not self.claims:
            return "inconclusive: nothing is claimed"
        if status == "inconclusive" and self.stopped_at is not None:
            by_memory = any(left_out.words == self.stopped_at + 1 for left_out in self.skipped)
            cause = "--memory ended the search" if by_memory or self.ended_by is None else self.ended_by
            return f"inconclusive: {cause} at {self.stopped_at} of {self.words} words"
        return status

    def status(self, required: Verdict) -> Literal["met", "refuted", "inconclusive"]:
        """Whether every claim is met at the required level; where nothing is claimed nothing is."""
        if any(finding.met is False for finding in (*self.claims, *self.checks) if counts(finding)):
            return "refuted"
        if not self.claims or not self.looked_at or self.stopped_at is not None:
            return "inconclusive"
        weak = [f for f in self.claims if f.met is None or (f.kind == "plain" and f.verdict < required)]
        return "inconclusive" if weak else "met"


def counts(finding: Finding) -> bool:
    """Whether a finding decides the exit code: claims do, and whether the figure's own oracles and invariants are correct."""
    return finding.kind != "check" or finding.claim == "oracle correct" or finding.claim.startswith("invariant ")


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about several systems, those that were not looked at included."""

    systems: tuple[SystemReport, ...]

    @property
    def interrupted(self) -> bool:
        """Whether the work was ended before its time."""
        return any(system.interrupted for system in self.systems)

    @property
    def ended_by(self) -> str | None:
        """What interrupted the work, if anything did, and which systems it did not come to."""
        causes = [system.ended_by for system in self.systems if system.ended_by is not None]
        if not causes:
            return None
        left = [system.system.name for system in self.systems if not system.looked_at]
        text = f"{causes[0]}: what was not reached by then is open"
        return f"{text}; not looked at: {', '.join(left)}" if left else text

    def exit_code(self, required: Verdict) -> int:
        """0 every claim met at the required level, 1 something refuted, 3 inconclusive."""
        statuses = {report.status(required) for report in self.systems}
        if "refuted" in statuses:
            return 1
        return 3 if "inconclusive" in statuses or self.interrupted else 0


def verify(
    system: str | System, words: int = 5, samples: int = 50, seed: int = 0, engine: EngineName | None = None, jobs: int = 1,
    proofs: ProofSource = "none",
) -> Report:  # fmt: skip
    """Check every claim of a system, given as for `load`."""
    loaded = system if isinstance(system, System) else load(system)
    effort = Effort(words, Sampling(samples, seed=seed), engine=engine or default_engine(), jobs=jobs, proofs=proofs)
    return Report((verify_system(loaded, effort),))


def verify_system(system: System, effort: Effort, progress: Callable[[str], None] = lambda _: None) -> SystemReport:
    """Check one system; `progress` is told what comes next.  Ctrl-C ends the work with what is known by then."""
    work = _Work(system, effort, progress)
    began = time.perf_counter()
    try:
        work.do()
    except KeyboardInterrupt as interruption:
        work.ended_by = what_ended(interruption)
    return work.report(time.perf_counter() - began)


def not_looked_at(system: System, effort: Effort, ended_by: str) -> SystemReport:
    """The report on a system that an interruption left no time for: every claim is open."""
    return replace(_Work(system, effort, lambda _: None, ended_by=ended_by).report(0), looked_at=False)


@dataclass
class _Work:
    """The checks of one system, in order; what is done when it is interrupted is kept."""

    system: System
    effort: Effort
    progress: Callable[[str], None]
    first: dict[str, Finding] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    sampled: dict[str, Outcome] = field(default_factory=dict)
    theorems: "dict[str, Theorem]" = field(default_factory=dict)
    checks: list[Finding] = field(default_factory=list)
    classes: tuple[ClassRelation, ...] = ()
    qualities: tuple[OracleQuality, ...] = ()
    uses: tuple[Use, ...] = ()
    needs: tuple[Need, ...] = ()
    redundancies: "Redundancies | None" = None
    counts: tuple[LevelSummary, ...] = ()
    ended_by: str | None = None
    levels: Levels | None = None

    def do(self) -> None:
        """Claims first, then what every figure is asked."""
        system, effort = self.system, self.effort
        engine = engine_for(system, effort.engine, effort.jobs, self.progress)
        levels = self.levels = Levels(system, effort.words, effort.memory, engine)
        self._few_words_first(levels)
        for claim in system.figure.claims:
            self.findings.append(check_claim(levels, claim, self.progress))
        if effort.sampling.samples:
            self.sampled = sample_claims(system, effort.sampling, self.findings, self.progress)
        if effort.proofs != "none":
            self._prove()
        for finding in _checks(levels, self.progress):
            self.checks.append(with_theorem(finding, self.theorems.get(finding.text)))
        if effort.in_depth:
            self._in_depth(levels)

    def _few_words_first(self, levels: Levels) -> None:
        """The plain claims with a few words and then some more: what is known if the rest takes too long."""
        plain = {claim_text(claim): claim for claim in self.system.figure.claims if claim.kind == "plain"}
        for words in range(FEW_WORDS, self.effort.words, 2):
            first = levels.up_to(words)
            for text, claim in plain.items():
                if text not in self.first or self.first[text].verdict is not Verdict.REFUTED:
                    self.first[text] = check_claim(first, claim, self.progress)

    def _prove(self) -> None:
        """Proofs of the plain claims; one that is refuted is not tried, but a proof of it that is kept would be a contradiction."""
        prover = self._prover
        for claim, finding in zip(self.system.figure.claims, self.findings, strict=True):
            if claim.kind == "plain":
                text = claim_text(claim)
                beyond = self.sampled.get(text)
                refuted = Verdict.REFUTED in (finding.verdict, None if beyond is None else beyond.verdict)
                self._theorem(text, None if refuted else partial(prover.claim, claim))
        for condition in self.system.figure.invariants:
            self._theorem(invariant_text(condition), partial(prover.invariant, condition))

    def _theorem(self, text: str, proved: "Callable[[], Theorem] | None") -> None:
        """A theorem, proved as far as the effort goes; what has no certificate is as if it had not been tried."""
        from arcproof.properties.proving.prove import recalled

        memory = self._memory()
        if proved is None or self.effort.proofs == "kept":
            theorem = None if memory is None else memory.recall(self.system, text)
        else:
            theorem = recalled(self.system, text, memory, proved)
        if theorem is not None and (self.effort.proofs != "certified" or theorem.verdict is Verdict.PROVED):
            self.theorems[text] = theorem

    @cached_property
    def _prover(self) -> "Prover":
        from arcproof.properties.proving.certificates.files import on_file
        from arcproof.properties.proving.prove import Prover

        certificates = on_file(self.system.name) if self.effort.proofs == "certified" else None
        return Prover(self.system, self.progress, certificates=certificates, jobs=self.effort.jobs)

    def _in_depth(self, levels: Levels) -> None:
        self.progress("which class is this")
        self.classes = tuple(check_class(levels))
        self.progress("how long are the runs")
        self.counts = tuple(LevelSummary(space.words, counted(space)) for space in levels.spaces() if space.words)
        self.progress("are the oracles shortest")
        if self.effort.words < 1:
            return
        self.qualities = tuple(
            check_shortest(levels, oracle.name, graphs)
            for oracle in self.system.figure.oracles
            for graphs in complete_classes(self.system)
        )
        levels.forget()
        words = min(self.effort.words, WORDS_FOR_PRECONDITIONS)
        with levels.beside(self.system, f"{self.system.name} and its variants, by the interpreter", words) as small:
            self.progress("is every transition useful")
            self.uses = tuple(check_useful(small))
            self.progress("is every precondition needed")
            self.needs = tuple(check_preconditions(small))
        if self.theorems:
            self.progress("do preconditions follow from the others")
            self.redundancies = self._redundancies()

    def _redundancies(self) -> "Redundancies | None":
        """Which preconditions are redundant for all n; where proofs are only recalled, this is too."""
        from arcproof.properties.proving.meaning.state import Unsupported
        from arcproof.properties.proving.redundancy import redundancies

        try:
            return redundancies(self._prover, self._memory(), self.effort.proofs == "kept")
        except Unsupported:
            return None

    def _memory(self) -> "Memory | None":
        """Where theorems are kept; that a certificate is missing is nothing to keep."""
        from arcproof.properties.proving.store import OnlyProved, default_store

        store = None if self.effort.proofs == "afresh" else default_store()
        return OnlyProved(store) if store is not None and self.effort.proofs == "certified" else store

    def report(self, seconds: float) -> SystemReport:
        """What is known; claims that were not reached are open."""
        claims = []
        for count, claim in enumerate(self.system.figure.claims):
            if count < len(self.findings):
                finding = combined(self.findings[count], self.sampled.get(claim_text(claim)))
                claims.append(with_theorem(finding, self.theorems.get(claim_text(claim))))
            else:
                claims.append(self._by_then(claim))
        return SystemReport(
            self.system, self.effort.words, tuple(claims), tuple(self.checks), self.classes, self.qualities, self.uses, self.needs,
            seconds, () if self.levels is None else self.levels.all_skipped,
            None if self.levels is None else "; ".join(self.levels.notes) or None, self.redundancies, self.effort, self.counts,
            self.ended_by,
        )  # fmt: skip

    def _by_then(self, claim: s.Claim) -> Finding:
        """What was known of a claim when the work was ended."""
        first = self.first.get(claim_text(claim))
        if first is None or first.met is None:
            return _finding(self.system, claim, unknown(self.effort.engine, f"{self.ended_by} before it was checked"))
        more = "" if first.verdict is Verdict.REFUTED else f"; {self.ended_by} before more was checked"
        return replace(first, detail=f"{first.detail}{more}")


# --- claims ----------------------------------------------------------------------------------------------------------


def check_claim(levels: Levels, claim: s.Claim, progress: Callable[[str], None] = lambda _: None) -> Finding:
    """What the exhaustive engine finds out about one claim."""
    progress(claim_text(claim))
    began = time.perf_counter()
    try:
        outcome = check_statement(levels, claim.statement) if claim.witness is None else _witnessed(levels, claim)
    except ArcproofError as error:
        outcome = levels.unknown(str(error))
    return _finding(levels.system, claim, replace(outcome, seconds=time.perf_counter() - began))


def _witnessed(levels: Levels, claim: s.Claim) -> Outcome:
    """Search for the witness: it refutes completeness if it is in the class and has no derivation."""
    assert claim.witness is not None
    assert isinstance(claim.statement, s.CompleteFor)
    graphs = levels.system.class_with_parameters(claim.statement.graphs)
    heads, words = claim.witness, len(claim.witness)
    if not contains(graphs, heads):
        return levels.unknown(f"the witness {format_heads(heads)} is not among the {class_text(graphs)}")
    try:
        found = shortest_derivation(
            levels.system, graph_of(heads), None if levels.memory is None else configurations_in(levels.memory)
        )
    except (ArcsAreRemoved, OutOfBounds) as error:
        return levels.unknown(f"the witness could not be searched: {error}")
    if found is not None:
        return levels.unknown(
            f"the witness {format_heads(heads)} is derived by {' '.join(map(str, found.transitions))}"
        )
    reason = f"{format_heads(heads)} is among the {class_text(graphs)} but is not the output of any run"
    return levels.refuted(words, 1, Counterexample(words, graph_of(heads), None, reason))


def _finding(system: System, claim: s.Claim, outcome: Outcome) -> Finding:
    name, of = _parts(system, claim.statement)
    verdict, met = _judged(claim, outcome)
    return Finding(
        name if claim.kind != "negated" else f"not {name}",
        of,
        claim.kind,
        claim_text(claim),
        verdict,
        outcome.words,
        outcome.engine,
        outcome.detail,
        met,
        outcome.seconds,
        outcome.seed,
        counterexample=outcome.counterexample,
    )


def _judged(claim: s.Claim, outcome: Outcome) -> tuple[Verdict, bool | None]:
    """The verdict on the claim as it is made, and whether it is met."""
    is_refuted = outcome.verdict is Verdict.REFUTED
    if claim.kind == "plain":
        return outcome.verdict, (False if is_refuted else None if outcome.verdict <= Verdict.UNREACHED else True)
    if claim.kind == "refuted":
        return (Verdict.REFUTED, True) if is_refuted else (Verdict.UNKNOWN, None)
    return (Verdict.EXHAUSTED, True) if is_refuted and outcome.words else (Verdict.UNKNOWN, None)


def _parts(system: System, statement: s.Statement) -> tuple[str, str | None]:
    """The claim's name and what it is about, as the JSON contract splits them."""
    match statement:
        case s.Sound(graphs):
            return "sound", class_text(system.class_with_parameters(graphs))
        case s.CompleteFor(graphs):
            return "complete", class_text(system.class_with_parameters(graphs))
        case s.SameTransitions(reference, graphs):
            return f"like {reference}", class_text(graphs)
        case s.SameOutputs(reference):
            return "equivalent", reference
        case s.LengthBound() | s.SpaceBound() | s.CountBound():
            name, _, bound = statement_text(statement).partition(" ")
            return name, bound
    return statement_text(statement), None


def combined(finding: Finding, sampled: Outcome | None) -> Finding:
    """The exhaustive finding, with what was sampled beyond; a sampled counterexample refutes."""
    if (
        sampled is None
        or sampled.verdict is Verdict.UNKNOWN
        or finding.kind != "plain"
        or finding.verdict is Verdict.REFUTED
    ):
        return finding
    if sampled.verdict is Verdict.REFUTED:
        if finding.verdict is Verdict.EXHAUSTED and (sampled.words or 0) <= (finding.words or 0):
            raise ReplayFailed(
                f"{finding.text}: exhausted up to {finding.words} words, but a sample says: {sampled.detail}"
            )
        return replace(
            finding, verdict=Verdict.REFUTED, words=sampled.words, engine=sampled.engine, detail=sampled.detail, met=False,
            seed=sampled.seed, counterexample=sampled.counterexample,
        )  # fmt: skip
    both = f"{finding.engine}, {sampled.engine}"
    if finding.verdict is Verdict.UNKNOWN:
        return replace(
            finding, verdict=sampled.verdict, words=sampled.words, engine=both, met=True, seed=sampled.seed,
            detail=f"{finding.detail}; sampled: {sampled.detail}",
        )  # fmt: skip
    return replace(
        finding, engine=both, seed=sampled.seed, detail=f"{finding.detail}; beyond that sampled: {sampled.detail}"
    )


def with_theorem(finding: Finding, theorem: "Theorem | None") -> Finding:
    """The finding, with what the prover says; a proof of what has a counterexample is a contradiction."""
    if theorem is None:
        return finding
    finding = replace(finding, seconds=finding.seconds + (0 if theorem.kept else theorem.seconds))
    if theorem.verdict is Verdict.PROVED:
        if finding.verdict is Verdict.REFUTED:
            raise ProofOfAFalsehood(f"{finding.text}: proved by {' and '.join(theorem.solvers)}, but {finding.detail}")
        return replace(
            finding, verdict=Verdict.PROVED, words=None, engine=f"{finding.engine}, prover", met=True, solvers=theorem.solvers,
            assumptions=theorem.assumptions, detail=f"{theorem.detail}; besides: {finding.detail}", theorem=theorem,
        )  # fmt: skip
    if finding.verdict is Verdict.REFUTED:
        return finding
    if theorem.verdict is Verdict.REFUTED:
        return _refuted_by_the_prover(finding, theorem)
    verdict = max(finding.verdict, theorem.verdict)
    return replace(finding, verdict=verdict, detail=f"{finding.detail}; no proof: {theorem.detail}", theorem=theorem)


def _refuted_by_the_prover(finding: Finding, theorem: "Theorem") -> Finding:
    found = theorem.counterexample
    assert found is not None, "the prover refutes with a run"
    if finding.verdict is Verdict.EXHAUSTED and found.words <= (finding.words or 0):
        raise ReplayFailed(
            f"{finding.text}: exhausted up to {finding.words} words, but the prover says: {found.reason}"
        )
    return replace(
        finding, verdict=Verdict.REFUTED, words=found.words, engine=f"{finding.engine}, prover", detail=found.reason, met=False,
        counterexample=found, theorem=theorem,
    )  # fmt: skip


class ProofOfAFalsehood(Contradiction):
    """A claim is proved although a run or a graph refutes it."""


# --- samples ---------------------------------------------------------------------------------------------------------


def sample_claims(
    system: System, sampling: Sampling, findings: list[Finding], progress: Callable[[str], None] = lambda _: None
) -> dict[str, Outcome]:
    """What sampling finds out about the plain claims that the findings leave standing, by the text of the claim."""
    open_claims = [
        claim
        for claim, finding in zip(system.figure.claims, findings, strict=True)
        if claim.kind == "plain" and finding.verdict is not Verdict.REFUTED and not _counts_nothing(claim, finding)
    ]
    progress(f"{sampling.samples} samples of up to {sampling.words} words")
    checks = {claim_text(c): check for c in open_claims if (check := run_check(system, c.statement)) is not None}
    outcomes = sample_runs(system, checks, sampling) if checks else {}
    for claim in open_claims:
        try:
            found = _graph_check(system, claim.statement)
            if found is None:
                continue
            graphs, derives, undecided = found
            outcome = sample_graphs(graphs, {claim_text(claim): derives}, sampling)[claim_text(claim)]
        except ArcproofError as error:
            outcome, undecided = unknown(SAMPLER, str(error)), []
        if undecided and outcome.verdict is Verdict.SAMPLED:
            outcome = unknown(
                SAMPLER, f"no oracle derives {format_heads(undecided[0])}, and whether any run does is open"
            )
        outcomes[claim_text(claim)] = outcome
    return outcomes


def _counts_nothing(claim: s.Claim, finding: Finding) -> bool:
    """A count of a transition that never occurs stays open, however many runs are sampled without it."""
    return isinstance(claim.statement, s.CountBound) and finding.verdict is Verdict.UNKNOWN


def _graph_check(system: System, statement: s.Statement) -> tuple[s.GraphClass, GraphCheck, list[Heads]] | None:
    """The class to draw from, the check, and where it notes the graphs that it cannot decide."""
    undecided: list[Heads] = []
    match statement:
        case s.CompleteFor(graphs) if system.figure.oracles:
            return (
                system.class_with_parameters(graphs),
                lambda heads: not_an_output(system, heads, undecided),
                undecided,
            )
        case s.SameTransitions(reference, graphs):
            other = load(reference)
            return system.class_with_parameters(graphs), lambda heads: difference(system, other, heads), undecided
    return None


def not_an_output(system: System, heads: Heads, undecided: list[Heads]) -> str | None:
    """Why no run has this graph as output; None if one has, or if that is too long to search, which is noted.

    An oracle that fails proves nothing about the system, so a run is searched then.
    """
    for oracle in system.figure.oracles:
        try:
            system.derive(graph_of(heads), oracle.name)
        except NotDerivable:
            continue
        return None
    try:
        limit = MOST_SEARCHED if len(heads) <= MOST_SEARCHED_WORDS else 0
        found = shortest_derivation(system, graph_of(heads), limit)
    except (ArcsAreRemoved, OutOfBounds):
        undecided.append(heads)
        return None
    return None if found is not None else f"{format_heads(heads)} is not the output of any run"


# --- checks that every figure gets -----------------------------------------------------------------------------------


def _checks(levels: Levels, progress: Callable[[str], None]) -> Iterator[Finding]:
    """Facts that no claim needs to ask for; they do not count as claims."""
    claimed = {type(claim.statement) for claim in levels.system.figure.claims}
    if s.Terminates not in claimed:
        yield _fact("terminates", None, progress, lambda: check_terminates(levels))
    if s.NoDeadEnds not in claimed:
        yield _fact("no dead ends", None, progress, lambda: check_dead_ends(levels))
    lengths = [
        c.statement
        for c in levels.system.figure.claims
        if c.kind == "plain" and isinstance(c.statement, s.LengthBound | s.CountBound)
    ]
    yield _fact("terminal is closed", None, progress, lambda: check_terminal_closed(levels, lengths))
    if levels.system.figure.invariants:
        words = min(levels.words, WORDS_FOR_PRECONDITIONS)
        with levels.beside(levels.system, "invariants, by the interpreter", words) as small:
            for condition in dict.fromkeys(levels.system.figure.invariants):
                yield _fact(invariant_text(condition), None, progress, partial(check_invariant, small, condition))
    if levels.system.figure.default is not None:
        default = levels.system.figure.default
        yield _fact("default always permissible", default, progress, lambda: check_default(levels))
    for oracle in levels.system.figure.oracles:
        for graphs in complete_classes(levels.system):
            of = f"{oracle.name} on {class_text(levels.system.class_with_parameters(graphs))}"

            def outcome(name: str = oracle.name, graphs: s.GraphClass = graphs) -> Outcome:
                return oracle_outcome(levels, name, graphs)

            yield _fact("oracle correct", of, progress, outcome)


def oracle_outcome(levels: Levels, oracle: str, graphs: s.GraphClass) -> Outcome:
    """Whether an oracle leads to every graph of a class."""
    words = levels.words if levels.explorer.goes_far else levels.explored()
    check = check_oracle(levels.system, oracle, graphs, words, levels.explorer)
    if check.failure is None:
        return levels.exhausted(words, sum(check.derived[1:]), "graphs")
    heads = check.failure.heads
    found = Counterexample(len(heads), graph_of(heads), None, check.failure.reason)
    return levels.refuted(len(heads), sum(check.derived) + 1, found)


def _fact(name: str, of: str | None, progress: Callable[[str], None], check: Callable[[], Outcome]) -> Finding:
    progress(name if of is None else f"{name}: {of}")
    began = time.perf_counter()
    outcome = check()
    met = False if outcome.verdict is Verdict.REFUTED else None if outcome.verdict is Verdict.UNKNOWN else True
    text = name if of is None else f"{name}: {of}"
    return Finding(
        name, of, "check", text, outcome.verdict, outcome.words, outcome.engine, outcome.detail, met,
        time.perf_counter() - began, outcome.seed, counterexample=outcome.counterexample,
    )  # fmt: skip
