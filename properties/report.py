"""What was found about systems, and how much effort went into it."""

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithPicture, WithTable
from arcproof.properties.checks.class_of import ClassRelation
from arcproof.properties.checks.oracle_quality import OracleQuality
from arcproof.properties.checks.preconditions import Need
from arcproof.properties.checks.useful import Use
from arcproof.properties.deepening import LEAST_WORDS, SECONDS, Deepened
from arcproof.properties.engines.engine import EngineName, default_engine
from arcproof.properties.engines.levels import Skipped
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Exhausted
from arcproof.properties.exit_code import Status, exit_code_of, status_of
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question
from arcproof.properties.studies.counts import LevelSummary
from arcproof.properties.verdict import Verdict
from arcproof.transitions.errors import BadArgument
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.redundancy import Redundancies
    from arcproof.properties.studies.repair import Repairs

ProofSource = Literal["none", "kept", "certified", "new", "afresh"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: words for the exhaustive engine, samples beyond that, bytes of memory, the engine, the number of
    workers, and which proofs.

    Without a number of words the search deepens on its own, for this many seconds beyond `LEAST_WORDS` words, or in all
    where the interpreter does the work (`properties.deepening`).

    Proofs: `none`; `kept`, those in the cache, which takes no time; `certified`, also those with a stored certificate,
    which both solvers check; `new`, which searches for every proof that is not cached and may take minutes; `afresh`,
    which does not use the cache.
    """

    words: int | None = None
    sampling: Sampling = field(default_factory=Sampling)
    memory: int | None = None
    in_depth: bool = True
    engine: EngineName = field(default_factory=default_engine)
    jobs: int = 1
    proofs: ProofSource = "none"
    seconds: float = SECONDS

    @property
    def least_words(self) -> int:
        """The number of words up to which everything is tried, whatever that costs."""
        return LEAST_WORDS if self.words is None else self.words


@dataclass(frozen=True, slots=True)
class Depth:
    """What researchers ask in addition: the class of the outputs, the lengths of runs and of oracles' derivations, what
    is superfluous, and what would repair a refuted claim.
    """

    classes: tuple[ClassRelation, ...] = ()
    levels: tuple[LevelSummary, ...] = ()
    qualities: tuple[OracleQuality, ...] = ()
    uses: tuple[Use, ...] = ()
    needs: tuple[Need, ...] = ()
    redundancies: "Redundancies | None" = None
    repairs: "Repairs | None" = None


@dataclass(frozen=True, slots=True, repr=False)
class SystemReport(Shown, WithPicture):
    """What was found about one system; `ended_by` says what interrupted the run."""

    system: System
    effort: Effort
    claims: tuple[Finding, ...]
    checks: tuple[Finding, ...]
    depth: Depth
    seconds: float
    skipped: tuple[Skipped, ...] = ()
    note: str | None = None
    ended_by: str | None = None
    looked_at: bool = True
    deepened: Deepened[Question | str] | None = None

    @property
    def words(self) -> int:
        """The number of words up to which everything was to be tried; for a deepening search, the number that it
        reached.
        """
        return self.effort.least_words if self.deepened is None else self.deepened.words

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted."""
        return self.ended_by is not None

    @property
    def stopped_at(self) -> int | None:
        """The number of words at which a limit ended the exhaustive search; None if it went as far as requested."""
        reached = [
            f.words for f in self.claims if f.kind == "plain" and f.verdict is Verdict.EXHAUSTED and f.words is not None
        ]
        return min(reached) if reached and min(reached) < self.effort.least_words else None

    @property
    def refuted_checks(self) -> tuple[Finding, ...]:
        """The checks that fail and count: what the figure says, apart from its claims, is false."""
        return tuple(check for check in self.checks if check.counts and check.met is False)

    def summary(self, required: Verdict) -> str:
        """The status in a few words."""
        status = self.status(required)
        if not self.looked_at:
            return "inconclusive: not examined"
        if status == "refuted" and self.refuted_checks:
            names = "; ".join(check.title for check in self.refuted_checks)
            told = f"{counted(len(self.refuted_checks), 'check')} refuted: {names}"
            return f"refuted; also {told}" if any(claim.met is False for claim in self.claims) else told
        if status == "met":
            return "every claim is met"
        if not self.claims:
            return "inconclusive: nothing is claimed"
        if status == "inconclusive" and self.stopped_at is not None:
            return f"inconclusive: {self._what_stopped(self.stopped_at)}"
        return status

    def _what_stopped(self, words: int) -> str:
        """What ended the exhaustive search at this many words."""
        of = f"of {counted(self.effort.least_words, 'word')}"
        by_memory = any(left_out.words == words + 1 for left_out in self.skipped)
        pieces = (piece for finding in self.claims for piece in finding.evidence if isinstance(piece, Exhausted))
        limit = next((piece.limit for piece in pieces if piece.words == words and piece.limit is not None), None)
        if limit is not None and not by_memory:
            return f"{limit} beyond {words} {of}"
        cause = "the search hit the --memory limit" if by_memory or self.ended_by is None else self.ended_by
        return f"{cause} at {words} {of}"

    def status(self, required: Verdict) -> Status:
        """Whether every claim is met at the required level (`exit_code`)."""
        return status_of(self, required)


@dataclass(frozen=True, slots=True, repr=False)
class Report(Shown, WithDocument, WithTable, WithPicture):
    """What was found about several systems, including those that were not examined."""

    systems: tuple[SystemReport, ...]

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted."""
        return any(system.interrupted for system in self.systems)

    @property
    def ended_by(self) -> str | None:
        """What interrupted the run, if anything, and the systems that were not reached."""
        causes = [system.ended_by for system in self.systems if system.ended_by is not None]
        if not causes:
            return None
        left = [system.system.name for system in self.systems if not system.looked_at]
        text = f"{causes[0]}: whatever was not reached by then is open"
        return f"{text}; not examined: {', '.join(left)}" if left else text

    def exit_code(self, required: Verdict | str = Verdict.SAMPLED) -> int:
        """0 every claim met at the required level, 1 something refuted, 3 inconclusive (`exit_code`).

        The level is the weakest verdict with which a claim counts as met: a `Verdict`, or "exhausted".
        """
        try:
            return exit_code_of(self.systems, Verdict(required))
        except ValueError:
            levels = ", ".join(level.value for level in Verdict)
            raise BadArgument(f"{required!r:.60} is not a verdict; the verdicts are {levels}") from None
