"""What the engines find about a question, as data.

A piece of evidence is what one engine did: it *refuted* the statement with a counterexample, looked at *samples*,
*exhausted* all sentences of up to n words, *proved* it for every length, or left it *open* for a reason.  Everything
said about a finding (its verdict, whether the claim is met, the exit code, the mark in a table, every sentence) is a
function of its evidence; nothing is parsed from text.  Sentences are made in `arcproof.reports`.

The reason in a counterexample is the only text that is stored: it is worded next to the definition that is violated, by
the property that knows it.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.verdict import Verdict
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph

if TYPE_CHECKING:
    from arcproof.properties.proving.theorem import Theorem


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Why a claim is false: the graph at fault, the run where there is one, and the reason in words.

    `other` is a second run, if two are needed.  If the graph is a gold graph, `other` leads to an output as close to it
    as any that could be reached, and `best` is that output.
    """

    words: int
    graph: Graph | None
    transitions: tuple[Transition, ...] | None
    reason: str
    other: tuple[Transition, ...] | None = None
    best: Graph | None = None


@dataclass(frozen=True, slots=True)
class Cases:
    """How many cases were examined, and what they are: `38 terminal configurations`, `with every run to them`."""

    count: int
    what: str
    along: str | None = None


# --- why a question is open ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NothingExplored:
    """No sentence with words could be explored within the limit."""


@dataclass(frozen=True, slots=True)
class NoCase:
    """There is nothing to check up to this many words, so nothing was checked."""

    what: str
    words: int


@dataclass(frozen=True, slots=True)
class NoRunEnds:
    """No run ends up to this many words, so nothing was checked."""

    words: int


@dataclass(frozen=True, slots=True)
class NoSampleEnds:
    """None of the runs that were drawn came to an end."""

    cases: Cases
    words: int


@dataclass(frozen=True, slots=True)
class Underived:
    """No oracle derives this graph, and searching for any run that does would take too long."""

    graph: Graph


@dataclass(frozen=True, slots=True)
class NoOracle:
    """Longer graphs of this class are not sampled: the figure has no oracle that would show that they are outputs."""

    graphs: str


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The question has no answer here: it is not defined for the figure, or an error ended the check.

    The text comes from the code that knows the reason.
    """

    because: str


@dataclass(frozen=True, slots=True)
class CutShort:
    """The check was interrupted before the question was checked, or before it was checked further."""

    by: str
    further: bool = False


@dataclass(frozen=True, slots=True)
class NoProof:
    """The prover was asked and did not decide it."""

    theorem: "Theorem"


WhyOpen: TypeAlias = (
    NothingExplored | NoCase | NoRunEnds | NoSampleEnds | Underived | NoOracle | NoAnswer | CutShort | NoProof
)


# --- evidence --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refuted:
    """There is a counterexample; `cases` were examined before it was found, and `seed` is the seed if they were
    samples.
    """

    verdict: ClassVar[Verdict] = Verdict.REFUTED
    engine: str
    counterexample: Counterexample
    cases: int
    seed: int | None = None

    @property
    def words(self) -> int:
        """The number of words of the sentence that refutes the statement."""
        return self.counterexample.words


@dataclass(frozen=True, slots=True)
class Sampled:
    """No counterexample among samples of up to this many words; there is no seed if Hypothesis drew them."""

    verdict: ClassVar[Verdict] = Verdict.SAMPLED
    engine: str
    words: int
    cases: Cases
    seed: int | None


@dataclass(frozen=True, slots=True)
class Exhausted:
    """No counterexample among all cases of up to this many words; `limit` is the reason for stopping there, if it was
    not memory or time.
    """

    verdict: ClassVar[Verdict] = Verdict.EXHAUSTED
    engine: str
    words: int
    cases: Cases
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Proved:
    """A theorem for sentences of every length."""

    verdict: ClassVar[Verdict] = Verdict.PROVED
    theorem: "Theorem"
    engine: str = "prover"


@dataclass(frozen=True, slots=True)
class Open:
    """Nothing was found; `engine` is the engine that looked, None if the question was not reached."""

    engine: str | None
    why: WhyOpen

    @property
    def verdict(self) -> Verdict:
        """Unknown, unless the prover says otherwise."""
        return self.why.theorem.verdict if isinstance(self.why, NoProof) else Verdict.UNKNOWN


Evidence: TypeAlias = Refuted | Sampled | Exhausted | Proved | Open


def verdict_of(evidence: Iterable[Evidence]) -> Verdict:
    """The verdict on the statement itself: a counterexample decides, otherwise the strongest evidence does."""
    verdicts = [piece.verdict for piece in evidence]
    return Verdict.REFUTED if Verdict.REFUTED in verdicts else max(verdicts, default=Verdict.UNKNOWN)


def counterexample_of(evidence: Iterable[Evidence]) -> Counterexample | None:
    """The counterexample to the statement, if there is one."""
    return next((piece.counterexample for piece in evidence if isinstance(piece, Refuted)), None)


def theorem_of(evidence: Iterable[Evidence]) -> "Theorem | None":
    """The prover's answer, if it was asked."""
    for piece in evidence:
        match piece:
            case Proved(theorem) | Open(_, NoProof(theorem)):
                return theorem
    return None
