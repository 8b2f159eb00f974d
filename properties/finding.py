"""A question about a system, with all available evidence.

The evidence is in the order in which it was found: first that of the exhaustive engine, then the samples, then the
proof.  Everything else about a finding is a function of the evidence.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithPicture
from arcproof.properties.engines.spaces import ReplayFailed
from arcproof.properties.evidence import (
    Counterexample,
    Evidence,
    Exhausted,
    NoOracle,
    NoProof,
    Open,
    Proved,
    Refuted,
    Sampled,
    Underived,
    counterexample_of,
    theorem_of,
    verdict_of,
)
from arcproof.properties.property import Asked, Question, asked_of, convention_of, counts, parts_of, qualified, text_of
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.theorem import Theorem

Kind = Literal["plain", "negated", "refuted", "check"]


class ProofOfAFalsehood(Contradiction):
    """A claim is proved although a run or a graph refutes it."""


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Shown, WithPicture):
    """What was found about a claim of a figure, or about something that is checked for every figure."""

    system: System
    question: Question
    evidence: tuple[Evidence, ...]
    seconds: float = 0.0

    # --- the question ------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> Asked:
        """The statement, whether it is claimed or denied."""
        return asked_of(self.question)

    @property
    def kind(self) -> Kind:
        """The kind of the claim; `check` if nothing is claimed."""
        return self.question.kind if isinstance(self.question, s.Claim) else "check"

    @property
    def text(self) -> str:
        """The claim as the figure writes it, or the name of the check."""
        return text_of(self.system, self.question)

    @property
    def convention(self) -> str | None:
        """What the verdict takes for granted about words without a head."""
        return convention_of(self.system, self.question)

    @property
    def title(self) -> str:
        """The claim as reports print it, with what the verdict takes for granted."""
        return qualified(self.text, self.convention)

    @property
    def claim(self) -> str:
        """The name of the property, after `not` if the claim is negated."""
        return parts_of(self.system, self.question).name

    @property
    def of(self) -> str | None:
        """What the question is about apart from the system."""
        return parts_of(self.system, self.question).of

    @property
    def counts(self) -> bool:
        """Whether the finding decides the exit code."""
        return counts(self.question)

    # --- the answer --------------------------------------------------------------------------------------------------

    @property
    def decided(self) -> Verdict:
        """The verdict on the statement itself."""
        return verdict_of(self.evidence)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim as it is made: for a negated claim, the verdict on the negation."""
        if self.kind in ("plain", "check"):
            return self.decided
        if self.decided is not Verdict.REFUTED:
            return Verdict.UNKNOWN
        return Verdict.REFUTED if self.kind == "refuted" else Verdict.EXHAUSTED

    @property
    def met(self) -> bool | None:
        """Whether the claim is met, or None if that is open; a published claim that is marked as refuted is met if it
        is refuted.
        """
        verdict = self.verdict
        if verdict is Verdict.REFUTED:
            return self.kind == "refuted"
        return None if verdict <= Verdict.UNREACHED else True

    @property
    def deciding(self) -> Evidence | None:
        """The piece of evidence that the verdict rests on."""
        return next((piece for piece in self.evidence if piece.verdict is self.decided), None)

    @property
    def words(self) -> int | None:
        """The number of words up to which the verdict holds, or with which it was refuted; None if it holds for every
        length, or if nothing is known.
        """
        deciding = self.deciding
        return deciding.words if isinstance(deciding, Refuted | Sampled | Exhausted) else None

    @property
    def engine(self) -> str:
        """The engine that looked; for a sampled counterexample, the one that found it."""
        deciding = self.deciding
        if isinstance(deciding, Refuted) and deciding.seed is not None:
            return deciding.engine
        return ", ".join(dict.fromkeys(piece.engine for piece in self.evidence if piece.engine is not None))

    @property
    def seed(self) -> int | None:
        """The seed of the samples, if there are any."""
        seeds = (piece.seed for piece in self.evidence if isinstance(piece, Refuted | Sampled))
        return next((seed for seed in seeds if seed is not None), None)

    @property
    def counterexample(self) -> Counterexample | None:
        """The counterexample to the statement, if there is one."""
        return counterexample_of(self.evidence)

    @property
    def theorem(self) -> "Theorem | None":
        """The prover's answer, if it was asked."""
        return theorem_of(self.evidence)

    @property
    def solvers(self) -> tuple[str, ...]:
        """The solvers that proved it."""
        return next((theorem.solvers for theorem in self._proofs()), ())

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the proof rests on."""
        return next((theorem.believed for theorem in self._proofs()), ())

    @property
    def values(self) -> tuple[str, ...]:
        """The parameter values for which it is proved, if it is not proved for all."""
        return next((theorem.values for theorem in self._proofs()), ())

    def _proofs(self) -> "Iterator[Theorem]":
        return (piece.theorem for piece in self.evidence if isinstance(piece, Proved))

    @property
    def exhausted_to(self) -> int:
        """The number of words up to which everything was tried without finding a counterexample."""
        return max((piece.words for piece in self.evidence if isinstance(piece, Exhausted)), default=-1)

    # --- more evidence -----------------------------------------------------------------------------------------------

    def with_samples(self, sampled: Evidence | None) -> "Finding":
        """The finding with the samples added, or with the graphs that were not sampled; other questions that samples
        leave open add nothing, and a refuted claim needs no samples.
        """
        if sampled is None or self.kind != "plain" or self.decided is Verdict.REFUTED:
            return self
        if isinstance(sampled, Open) and not isinstance(sampled.why, NoOracle | Underived):
            return self
        if isinstance(sampled, Refuted):
            self._confront(sampled.counterexample, "a sample says")
        return replace(self, evidence=(*self.evidence, sampled))

    def with_theorem(self, theorem: "Theorem | None") -> "Finding":
        """The finding with the prover's answer; a proof of a statement that has a counterexample is a contradiction."""
        if theorem is None:
            return self
        finding = replace(self, seconds=self.seconds + (0 if theorem.kept else theorem.seconds))
        refuted = self.counterexample
        if theorem.verdict is Verdict.PROVED:
            if refuted is not None:
                solvers = " and ".join(theorem.solvers)
                raise ProofOfAFalsehood(f"{self.title}: proved by {solvers}, but {refuted.reason}")
            return replace(finding, evidence=(*self.evidence, Proved(theorem)))
        if refuted is not None:
            return finding
        found = theorem.counterexample
        if found is not None:
            self._confront(found, "the prover says")
            by_the_prover = (Refuted("prover", found, 1), Open(None, NoProof(theorem)))
            return replace(finding, evidence=(*self.evidence, *by_the_prover))
        return replace(finding, evidence=(*self.evidence, Open(None, NoProof(theorem))))

    def _confront(self, found: Counterexample, says: str) -> None:
        """Raise an error if there is a counterexample where everything was tried: two engines contradict each other."""
        if found.words <= self.exhausted_to:
            to = f"exhausted up to {self.exhausted_to} words"
            raise ReplayFailed(f"{self.title}: {to}, but {says}: {found.reason}")
