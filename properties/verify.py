"""Every claim, every engine, one report.

For each claim of a figure: the exhaustive engine up to `words` words, or as far as the time allows
(`properties.deepening`), then random runs and graphs beyond that, then the proof for sentences of every length: a
cached one, or a new one, as `Effort.proofs` says.  In addition to the claims, it answers what researchers ask first:
which class is this, are the oracles correct and shortest, is anything in the figure superfluous?

Each level of the figure is explored once, and all questions about it use the same space.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from arcproof.process.cluster import chosen
from arcproof.process.codec import encoded
from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.memory import half_of_the_memory
from arcproof.process.progress import Say, silent
from arcproof.process.run_store import StoreUse, current, in_worker
from arcproof.process.side_by_side import in_processes
from arcproof.properties.checks.class_of import MOST_WORDS as MOST_WORDS_OF_CLASSES
from arcproof.properties.checks.class_of import check_class
from arcproof.properties.checks.oracle_correct import all_oracles
from arcproof.properties.checks.oracle_quality import check_shortest
from arcproof.properties.checks.preconditions import check_preconditions
from arcproof.properties.checks.useful import check_useful
from arcproof.properties.deepening import SECONDS, Clock, Deepening, DeepeningIsOver, Task
from arcproof.properties.engines.engine import EngineName, counted, default_engine, engine_for
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import CutShort, Evidence, NoAnswer, Open
from arcproof.properties.examine import check_claim, check_question, sample_claims
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, checks_of
from arcproof.properties.proving.kept import some_are_kept
from arcproof.properties.report import Depth, Effort, ProofSource, Report, SystemReport
from arcproof.properties.stored import PieceClock, Pieces
from arcproof.properties.stored_depth import stored_classes, stored_needs, stored_quality, stored_uses
from arcproof.properties.studies.counts import LevelSummary
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load

if TYPE_CHECKING:
    from arcproof.properties.proving.proof_source import Proofs
    from arcproof.properties.proving.theorem import Theorem
    from arcproof.properties.studies.repair import Repairs

CONFIGURATIONS_FOR_VARIANTS: Final = 20_000
FEW_WORDS: Final = 3
WORDS_FOR_REPAIR: Final = 5
SECONDS_FOR_REPAIR: Final = 5.0
SECONDS_FOR_THE_REST: Final = 1.5


def verify(
    system: str | System, words: int | None = None, samples: int = 50, seed: int = 0, engine: EngineName | None = None,
    jobs: int = 1, proofs: ProofSource = "none", *, seconds: float = SECONDS, memory: int | None = None,
) -> Report:  # fmt: skip
    """Check every claim of a system, given as for `load`.

    As on the command line, the search deepens on its own unless a number of words is given: at least 4 words, and
    further as long as the next level is expected to end within `seconds` and to fit into `memory`, by default half of
    the machine's.  How far it gets depends on the machine; with `words` the report is the same everywhere.
    """
    loaded = system if isinstance(system, System) else load(system)
    sampling = Sampling(samples, seed=seed)
    memory = half_of_the_memory() if memory is None else memory
    effort = Effort(
        words, sampling, memory, engine=engine or default_engine(), jobs=jobs, proofs=proofs, seconds=seconds
    )
    return Report((verify_system(loaded, effort),))


def verify_system(
    system: System, effort: Effort, progress: Say = silent, clock: Clock = time.perf_counter
) -> SystemReport:
    """Check one system; `progress` is told what comes next.  Ctrl-C ends the run with what is known by then.

    The clock decides how far a self-deepening search goes.
    """
    work = _Work(system, effort, progress, clock)
    began = time.perf_counter()
    ended_by = None
    try:
        work.do()
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    return work.report(time.perf_counter() - began, ended_by)


def verify_systems(
    systems: Sequence[System], effort: Effort, tell: Callable[[SystemReport], None] = lambda _: None
) -> Report:
    """Check systems in parallel, each in its own process, those with the longest certificates first; `tell` is called
    with each as it finishes.

    After Ctrl-C, those that have not finished are open.
    """
    alone = replace(effort, jobs=1, memory=None if effort.memory is None else effort.memory // effort.jobs)
    in_turn = sorted(range(len(systems)), key=lambda place: _size_of_certificates(systems[place]), reverse=True)
    going = [place for place in in_turn if can_travel(systems[place], effort)]
    staying = [place for place in in_turn if place not in going]
    done: dict[int, SystemReport] = {}
    ended_by = "interrupted"
    try:
        store = current()
        shared = store if store is not None and store.is_ready and chosen() is None else None
        work = partial(in_worker, shared, verify_system)
        elsewhere = in_processes(work, ((systems[place], alone) for place in going), effort.jobs)
        here = ((verify_system(systems[place], alone), StoreUse()) for place in staying)
        for place, (report, use) in zip((*going, *staying), chain(elsewhere, here), strict=True):
            if store is not None:
                store.note(use)
            done[place] = replace(report, effort=effort)
            tell(report)
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    return Report(
        tuple(done.get(place) or not_looked_at(system, effort, ended_by) for place, system in enumerate(systems))
    )


def can_travel(system: System, effort: Effort) -> bool:
    """Whether a system can be verified in another process: always on this machine, but elsewhere only without cached
    proofs.
    """
    return chosen() is None or effort.proofs == "none" or (effort.proofs == "kept" and not some_are_kept(system))


def verify_elsewhere(systems: Sequence[System], effort: Effort) -> Iterator[SystemReport]:
    """Check systems on the cluster, in order."""
    for report in in_processes(verify_system, ((system, replace(effort, jobs=1)) for system in systems), effort.jobs):
        yield replace(report, effort=effort)


def _size_of_certificates(system: System) -> int:
    """A rough measure of how much there is to check."""
    from arcproof.properties.proving.certificates.files import file_of, folder

    path = file_of(system.name, folder())
    return path.stat().st_size if path.is_file() else 0


def not_looked_at(system: System, effort: Effort, ended_by: str) -> SystemReport:
    """The report on a system that was not reached before an interruption: every claim is open."""
    return replace(_Work(system, effort, silent).report(0, ended_by), looked_at=False)


# --- the claims ------------------------------------------------------------------------------------------------------


@dataclass
class _Claims:
    """What is known about each claim: first with a few words, then exhaustively, then with samples and proofs."""

    early: dict[s.Claim, Finding] = field(default_factory=dict)
    found: dict[s.Claim, Finding] = field(default_factory=dict)
    sampled: dict[s.Claim, Evidence] = field(default_factory=dict)
    proved: "dict[s.Claim, Theorem]" = field(default_factory=dict)

    def check(self, pieces: Pieces, levels: Levels, progress: Say) -> None:
        """Run the exhaustive engine: first on the plain claims with a few words and then some more, so that something
        is known if the rest takes too long; then on all claims.
        """
        claims = levels.system.figure.claims
        for words in range(FEW_WORDS, levels.words, 2):
            few = levels.up_to(words)
            for claim in claims:
                known = self.early.get(claim)
                if claim.kind == "plain" and (known is None or known.decided is not Verdict.REFUTED):
                    self.early[claim] = _claim(pieces, few, claim, progress)
        for claim in claims:
            self.found[claim] = _claim(pieces, levels, claim, progress)

    def check_again(self, levels: Levels, pieces: Pieces, claim: s.Claim, progress: Say) -> bool:
        """Run the exhaustive engine on one claim, perhaps further than before; return whether more words could change
        the answer.
        """
        self.found[claim] = _claim(pieces, levels, claim, progress)
        return claim.witness is None and _may_change(self.found[claim])

    def prove(self, proofs: "Proofs") -> None:
        """Prove the plain claims."""
        for claim in self.found:
            if claim.kind == "plain":
                refuted = self.finding(claim).decided is Verdict.REFUTED
                theorem = proofs.theorem(claim, refuted)
                if theorem is not None:
                    self.proved[claim] = theorem

    def finding(self, claim: s.Claim) -> Finding:
        """All that is known about a claim that was checked exhaustively."""
        return self.found[claim].with_samples(self.sampled.get(claim)).with_theorem(self.proved.get(claim))

    def by_then(self, system: System, claim: s.Claim, engine: EngineName, ended_by: str) -> Finding:
        """What is known about a claim when the run is interrupted."""
        if claim in self.found:
            return self.finding(claim)
        early = self.early.get(claim)
        if early is None or early.met is None:
            return Finding(system, claim, (Open(engine, CutShort(ended_by)),))
        if early.decided is Verdict.REFUTED:
            return early
        return replace(early, evidence=(*early.evidence, Open(None, CutShort(ended_by, further=True))))


def _claim(pieces: Pieces, levels: Levels, claim: s.Claim, progress: Say) -> Finding:
    return pieces.finding(levels, claim, lambda: check_claim(levels, claim, progress))


def _may_change(finding: Finding) -> bool:
    """Whether more words could change an answer: not if it is a counterexample, or if there is no answer."""
    answer = finding.evidence[0]
    has_answer = not isinstance(answer, Open) or not isinstance(answer.why, NoAnswer)
    return has_answer and finding.decided is not Verdict.REFUTED


# --- one system ------------------------------------------------------------------------------------------------------


@dataclass
class _Work:
    """The checks of one system, in order; what is done before an interruption is kept."""

    system: System
    effort: Effort
    progress: Say
    clock: Clock = time.perf_counter
    claims: _Claims = field(default_factory=_Claims)
    checks: dict[Question, Finding] = field(default_factory=dict)
    depth: Depth = field(default_factory=Depth)
    levels: Levels | None = None
    pieces: Pieces | None = None
    deepening: Deepening[Question | str] | None = None
    doing: str = ""
    left_out: list[str] = field(default_factory=list)

    def do(self) -> None:
        """Check the claims first, then what is checked for every figure, then the rest; all of it level by level if the
        search deepens on its own.
        """
        effort = self.effort
        engine = engine_for(self.system, effort.engine, effort.jobs)
        levels = self.levels = Levels(self.system, effort.least_words, effort.memory, engine)
        pieces = self.pieces = Pieces(levels, PieceClock(self.clock), deepens=effort.words is None)
        if effort.words is None:
            tasks = list(self._tasks(pieces))
            self.deepening = Deepening(levels, tasks, effort.seconds, pieces.clock, self.progress, pieces.level)
            levels = self.levels = self.deepening.run()
        else:
            self.claims.check(pieces, levels, self._say)
        if effort.sampling.samples:
            with self._in_time():
                self.claims.sampled = self._sampled(pieces, levels)
        if self._may_have_proofs:
            self.claims.prove(self._proofs)
        for question in checks_of(self.system):
            if effort.words is not None:
                self._check(levels, question)
            finding = self.checks[question]
            self.checks[question] = finding.with_theorem(self._theorem(finding))
        if effort.in_depth:
            if effort.words:  # without words there is nothing to ask about
                for ask in self._further().values():
                    ask(levels)
            with self._in_time():
                for depth in self._in_depth(levels):
                    self.depth = depth

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """End the block when the time of the interpreter is up, and note what it was about."""
        if self.deepening is None:
            yield
            return
        try:
            with self.deepening.in_time(SECONDS_FOR_THE_REST):
                yield
        except DeepeningIsOver as over:
            self.left_out.append(f"{what_ended(over)} during: {self.doing}")

    def _say(self, what: str) -> None:
        self.doing = what
        self.progress(what)

    def _sampled(self, pieces: Pieces, levels: Levels) -> dict[s.Claim, Evidence]:
        findings, sampling = list(self.claims.found.values()), self.effort.sampling
        about = {
            "words": levels.words,
            "sampling": repr(sampling),
            "findings": [[repr(finding.question), encoded(finding.evidence)] for finding in findings],
        }
        return pieces.samples(
            about, list(self.claims.found), lambda: sample_claims(levels, sampling, findings, self._say)
        )

    def _tasks(self, pieces: Pieces) -> Iterator[Task[Question | str]]:
        """Yield what is asked about each level again."""
        for claim in self.system.figure.claims:
            yield Task(claim, partial(self.claims.check_again, pieces=pieces, claim=claim, progress=self._say))
        for question in checks_of(self.system):
            yield Task(question, partial(self._check, question=question))
        if self.effort.in_depth:
            for what, ask in self._further().items():
                yield Task(what, ask)

    def _check(self, levels: Levels, question: Question) -> bool:
        assert self.pieces is not None
        self.checks[question] = self.pieces.finding(
            levels, question, lambda: check_question(levels, question, self._say)
        )
        return _may_change(self.checks[question])

    @cached_property
    def _may_have_proofs(self) -> bool:
        """Whether it makes sense to ask for proofs."""
        asked = self.effort.proofs
        return asked != "none" and (asked != "kept" or some_are_kept(self.system))

    @cached_property
    def _proofs(self) -> "Proofs":
        from arcproof.properties.proving.proof_source import Proofs

        assert self.levels is not None
        return Proofs(self.levels, self.effort, self._say)

    def _theorem(self, finding: Finding) -> "Theorem | None":
        """The theorem about a check: only the author's invariants are proved."""
        from arcproof.properties.checks.invariant import Invariance
        from arcproof.properties.checks.oracle_invariant import OracleInvariance

        if not self._may_have_proofs or not isinstance(finding.question, Invariance | OracleInvariance):
            return None
        return self._proofs.theorem(finding.question, finding.decided is Verdict.REFUTED)

    def _further(self) -> dict[str, Callable[[Levels], bool]]:
        """The further questions about each level; their answers are in `depth`."""
        return {
            "which class is this": self._classes,
            "how long are the runs": self._lengths,
            "are the oracles shortest": self._shortest,
        }

    def _classes(self, levels: Levels) -> bool:
        self._say("which class is this")
        assert self.pieces is not None
        found = stored_classes(self.pieces, levels, lambda: tuple(check_class(levels)))
        self.depth = replace(self.depth, classes=found)
        return levels.words < MOST_WORDS_OF_CLASSES

    def _lengths(self, levels: Levels) -> bool:
        self._say("how long are the runs")
        known = {level.words: level for level in self.depth.levels}

        def numbers() -> tuple[LevelSummary, ...]:
            spaces = levels.spaces()
            return tuple(known.get(space.words) or LevelSummary(space.words, counted(space)) for space in spaces)

        assert self.pieces is not None
        found = self.pieces.value("lengths", tuple[LevelSummary, ...], levels.words, numbers)
        self.depth = replace(self.depth, levels=found)
        return True

    def _shortest(self, levels: Levels) -> bool:
        self._say("are the oracles shortest")
        oracles = all_oracles(self.system)
        assert self.pieces is not None
        qualities = tuple(
            stored_quality(self.pieces, levels, asked, partial(check_shortest, levels, asked.oracle, asked.graphs))
            for asked in oracles
        )
        self.depth = replace(self.depth, qualities=qualities)
        return any(quality.longer_on is None for quality in qualities)

    def _in_depth(self, levels: Levels) -> Iterator[Depth]:
        """Yield what is known after each step for which a few words are enough."""
        if levels.words < 1:
            return
        yield (depth := replace(self.depth, repairs=self._repairs(levels)))
        pieces = self.pieces
        assert pieces is not None
        small = [words for words, size in pieces.sizes(levels) if size <= CONFIGURATIONS_FOR_VARIANTS]
        few = levels.up_to(max(small, default=0))
        levels.forget(beyond=few.words)
        self._say("is every transition useful")
        yield (depth := replace(depth, uses=stored_uses(pieces, few, lambda: tuple(check_useful(few)))))
        self._say("is every precondition needed")
        yield (depth := replace(depth, needs=stored_needs(pieces, few, lambda: tuple(check_preconditions(few)))))
        if self.claims.proved or any(check.theorem is not None for check in self.checks.values()):
            self._say("do preconditions follow from the others")
            yield replace(depth, redundancies=self._proofs.redundancies())

    def _repairs(self, levels: Levels) -> "Repairs | None":
        """The nearest figures that meet every claim, if some claims are refuted."""
        findings = [*map(self.claims.finding, self.system.figure.claims), *self.checks.values()]
        refuted = tuple(finding for finding in findings if finding.counts and finding.met is False)
        if not refuted:
            return None
        from arcproof.properties.studies.repair import repair_refuted
        from arcproof.properties.studies.trials import RepairEffort

        self._say("what would repair it")
        words = min(levels.words, WORDS_FOR_REPAIR)
        limits = RepairEffort(words, 1, SECONDS_FOR_REPAIR, engine=self.effort.engine, sampling=self.effort.sampling)
        return repair_refuted(self.system, refuted, limits)

    def report(self, seconds: float, ended_by: str | None) -> SystemReport:
        """The report on what is known; claims that were not reached are open."""
        claims = [
            self.claims.finding(claim)
            if ended_by is None
            else self.claims.by_then(self.system, claim, self.effort.engine, ended_by)
            for claim in self.system.figure.claims
        ]
        levels = self.levels
        skipped = () if levels is None else levels.all_skipped
        note = None if levels is None else "; ".join((*levels.notes, *self.left_out)) or None
        return SystemReport(
            self.system, self.effort, tuple(claims), tuple(self.checks.values()), self.depth, seconds, skipped, note,
            ended_by, deepened=None if self.deepening is None else self.deepening.deepened,
        )  # fmt: skip


__all__ = [
    "Effort",
    "Report",
    "SystemReport",
    "can_travel",
    "not_looked_at",
    "verify",
    "verify_elsewhere",
    "verify_system",
    "verify_systems",
]
