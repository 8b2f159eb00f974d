"""Every claim, every engine, one report.

For each claim of a figure: the exhaustive engine up to `words` words, then random runs and graphs beyond, then the proof for sentences of
every length: one that is kept, or a new one, as `Effort.proofs` says.  Besides the claims, what a
researcher asks first: which class is this, are the oracles correct and shortest, is anything in the figure superfluous.

Each level of the figure is explored once, and everybody who asks about it looks at the same space.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from arcproof.properties.checks.class_of import check_class
from arcproof.properties.checks.oracle_correct import all_oracles
from arcproof.properties.checks.oracle_quality import check_shortest
from arcproof.properties.checks.preconditions import check_preconditions
from arcproof.properties.checks.useful import check_useful
from arcproof.properties.engines.engine import EngineName, counted, default_engine, engine_for
from arcproof.properties.engines.exhaustive import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import CutShort, Evidence, Open
from arcproof.properties.examine import check_claim, check_question, sample_claims
from arcproof.properties.finding import Finding
from arcproof.properties.property import checks_of
from arcproof.properties.report import Depth, Effort, ProofSource, Report, SystemReport
from arcproof.properties.studies.counts import LevelSummary
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load

from arcproof.process.interruption import what_ended
from arcproof.process.progress import Say, silent

if TYPE_CHECKING:
    from arcproof.properties.proving.proof_source import Proofs
    from arcproof.properties.proving.theorem import Theorem

WORDS_FOR_PRECONDITIONS: Final = 4
FEW_WORDS: Final = 3


def verify(
    system: str | System, words: int = 5, samples: int = 50, seed: int = 0, engine: EngineName | None = None, jobs: int = 1,
    proofs: ProofSource = "none",
) -> Report:  # fmt: skip
    """Check every claim of a system, given as for `load`."""
    loaded = system if isinstance(system, System) else load(system)
    effort = Effort(words, Sampling(samples, seed=seed), engine=engine or default_engine(), jobs=jobs, proofs=proofs)
    return Report((verify_system(loaded, effort),))


def verify_system(system: System, effort: Effort, progress: Say = silent) -> SystemReport:
    """Check one system; `progress` is told what comes next.  Ctrl-C ends the work with what is known by then."""
    work = _Work(system, effort, progress)
    began = time.perf_counter()
    ended_by = None
    try:
        work.do()
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    return work.report(time.perf_counter() - began, ended_by)


def not_looked_at(system: System, effort: Effort, ended_by: str) -> SystemReport:
    """The report on a system that an interruption left no time for: every claim is open."""
    return replace(_Work(system, effort, silent).report(0, ended_by), looked_at=False)


# --- the claims ------------------------------------------------------------------------------------------------------


@dataclass
class _Claims:
    """What is known of each claim: first with a few words, then in full, then what samples and proofs add."""

    early: dict[s.Claim, Finding] = field(default_factory=dict)
    found: dict[s.Claim, Finding] = field(default_factory=dict)
    sampled: dict[s.Claim, Evidence] = field(default_factory=dict)
    proved: "dict[s.Claim, Theorem]" = field(default_factory=dict)

    def check(self, levels: Levels, progress: Say) -> None:
        """The exhaustive engine: the plain claims with a few words and then some more, which is known if the rest takes too long; then all."""
        claims = levels.system.figure.claims
        for words in range(FEW_WORDS, levels.words, 2):
            few = levels.up_to(words)
            for claim in claims:
                known = self.early.get(claim)
                if claim.kind == "plain" and (known is None or known.decided is not Verdict.REFUTED):
                    self.early[claim] = check_claim(few, claim, progress)
        for claim in claims:
            self.found[claim] = check_claim(levels, claim, progress)

    def prove(self, proofs: "Proofs") -> None:
        """Proofs of the plain claims."""
        for claim in self.found:
            if claim.kind == "plain":
                refuted = self.finding(claim).decided is Verdict.REFUTED
                theorem = proofs.theorem(claim, refuted)
                if theorem is not None:
                    self.proved[claim] = theorem

    def finding(self, claim: s.Claim) -> Finding:
        """All that is known of a claim that was checked in full."""
        return self.found[claim].with_samples(self.sampled.get(claim)).with_theorem(self.proved.get(claim))

    def by_then(self, system: System, claim: s.Claim, engine: EngineName, ended_by: str) -> Finding:
        """What is known of a claim when the work is interrupted."""
        if claim in self.found:
            return self.finding(claim)
        early = self.early.get(claim)
        if early is None or early.met is None:
            return Finding(system, claim, (Open(engine, CutShort(ended_by)),))
        if early.decided is Verdict.REFUTED:
            return early
        return replace(early, evidence=(*early.evidence, Open(None, CutShort(ended_by, further=True))))


# --- one system ------------------------------------------------------------------------------------------------------


@dataclass
class _Work:
    """The checks of one system, in order; what is done when it is interrupted is kept."""

    system: System
    effort: Effort
    progress: Say
    claims: _Claims = field(default_factory=_Claims)
    checks: list[Finding] = field(default_factory=list)
    depth: Depth = field(default_factory=Depth)
    levels: Levels | None = None

    def do(self) -> None:
        """Claims first, then what every figure is asked, then the rest."""
        effort = self.effort
        engine = engine_for(self.system, effort.engine, effort.jobs, self.progress)
        levels = self.levels = Levels(self.system, effort.words, effort.memory, engine)
        self.claims.check(levels, self.progress)
        if effort.sampling.samples:
            findings = list(self.claims.found.values())
            self.claims.sampled = sample_claims(self.system, effort.sampling, findings, self.progress)
        if effort.proofs != "none":
            self.claims.prove(self._proofs)
        for question in checks_of(self.system):
            finding = check_question(levels, question, self.progress)
            self.checks.append(finding.with_theorem(self._theorem(finding)))
        if effort.in_depth:
            for depth in self._in_depth(levels):
                self.depth = depth

    @cached_property
    def _proofs(self) -> "Proofs":
        from arcproof.properties.proving.proof_source import Proofs

        assert self.levels is not None
        return Proofs(self.levels, self.effort, self.progress)

    def _theorem(self, finding: Finding) -> "Theorem | None":
        """Of what every figure is asked, the author's invariants are proved."""
        from arcproof.properties.checks.invariant import Invariance

        if self.effort.proofs == "none" or not isinstance(finding.question, Invariance):
            return None
        return self._proofs.theorem(finding.question, finding.decided is Verdict.REFUTED)

    def _in_depth(self, levels: Levels) -> Iterator[Depth]:
        """What is known, after each step."""
        self.progress("which class is this")
        yield (depth := Depth(tuple(check_class(levels))))
        self.progress("how long are the runs")
        numbers = tuple(LevelSummary(space.words, counted(space)) for space in levels.spaces() if space.words)
        yield (depth := replace(depth, levels=numbers))
        self.progress("are the oracles shortest")
        if self.effort.words < 1:
            return
        oracles = all_oracles(self.system)
        qualities = tuple(check_shortest(levels, asked.oracle, asked.graphs) for asked in oracles)
        yield (depth := replace(depth, qualities=qualities))
        levels.forget(beyond=WORDS_FOR_PRECONDITIONS)
        few = levels.up_to(min(self.effort.words, WORDS_FOR_PRECONDITIONS))
        self.progress("is every transition useful")
        yield (depth := replace(depth, uses=tuple(check_useful(few))))
        self.progress("is every precondition needed")
        yield (depth := replace(depth, needs=tuple(check_preconditions(few))))
        if self.claims.proved or any(check.theorem is not None for check in self.checks):
            self.progress("do preconditions follow from the others")
            yield replace(depth, redundancies=self._proofs.redundancies())

    def report(self, seconds: float, ended_by: str | None) -> SystemReport:
        """What is known; claims that were not reached are open."""
        claims = [
            self.claims.finding(claim)
            if ended_by is None
            else self.claims.by_then(self.system, claim, self.effort.engine, ended_by)
            for claim in self.system.figure.claims
        ]
        levels = self.levels
        skipped = () if levels is None else levels.all_skipped
        note = None if levels is None else "; ".join(levels.notes) or None
        checks = tuple(self.checks)
        return SystemReport(
            self.system, self.effort, tuple(claims), checks, self.depth, seconds, skipped, note, ended_by
        )  # fmt: skip


__all__ = ["Effort", "Report", "SystemReport", "not_looked_at", "verify", "verify_system"]
