"""Verdicts, counterexamples and findings: what is said about a claim.

A finding says what was done and what was not.  The verdicts, weakest to strongest:
`refuted`: there is a counterexample, and the interpreter has replayed it;
`unknown`: nothing was found out, for the reason given;
`unreached`: an induction step fails, but no run reaches the state in which it does;
`sampled`: no counterexample among so many samples of this seed and length;
`exhausted`: no counterexample among all sentences of up to so many words;
`proved`: for sentences of every length, by the solvers named, under the assumptions named.
"""

from dataclasses import dataclass
from enum import Enum
from functools import total_ordering
from typing import TYPE_CHECKING

from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph

if TYPE_CHECKING:
    from arcproof.properties.proving.prove import Theorem


@total_ordering
class Verdict(Enum):
    """Weakest first."""

    REFUTED = "refuted"
    UNKNOWN = "unknown"
    UNREACHED = "unreached"
    SAMPLED = "sampled"
    EXHAUSTED = "exhausted"
    PROVED = "proved"

    def __lt__(self, other: object) -> bool:
        """By strength."""
        if not isinstance(other, Verdict):
            return NotImplemented
        order = list(Verdict)
        return order.index(self) < order.index(other)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Why a claim is false: the graph at fault, the run where there is one, and the reason in words."""

    words: int
    graph: Graph | None
    transitions: tuple[Transition, ...] | None
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one engine found out about one statement.

    `cases` is how many runs, configurations or graphs were looked at; `detail` says it in words.
    """

    verdict: Verdict
    words: int | None
    engine: str
    cases: int
    detail: str
    counterexample: Counterexample | None = None
    seed: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its verdict.

    `kind` is that of the claim: of a negated claim the verdict is about the negation; a published claim that is marked as
    refuted is met when it is refuted.  `met` is None when the verdict leaves it open.  `theorem` is what the prover says, where it was asked.
    """

    claim: str
    of: str | None
    kind: str
    text: str
    verdict: Verdict
    words: int | None
    engine: str
    detail: str
    met: bool | None
    seconds: float
    seed: int | None = None
    solvers: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    theorem: "Theorem | None" = None


def refuted(engine: str, words: int, cases: int, counterexample: Counterexample, seed: int | None = None) -> Outcome:
    """A counterexample was found."""
    return Outcome(Verdict.REFUTED, words, engine, cases, counterexample.reason, counterexample, seed)


def unknown(engine: str, reason: str) -> Outcome:
    """Nothing was found out."""
    return Outcome(Verdict.UNKNOWN, None, engine, 0, reason)
