"""What `verify` and the prover say of a figure, compared with what is true of it.

A claim that is `exhausted` up to n words must hold for every length up to that, one that is `proved` for every length
that can be judged; one that is `refuted` must be false for as many words as its counterexample has, and for no fewer.
Whoever does not know is right.  A sentence has at least one word.
"""

import os
import pickle
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf
from typing import TypeVar
from unittest.mock import patch

from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.checks.oracle_invariant import OracleInvariance, all_oracle_invariants
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Exhausted, Refuted
from arcproof.properties.proving.methods import completeness
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import Topic
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import class_text, statement_text
from arcproof.transitions.system import System, load
from tests.independent import interpreter
from tests.independent.claims import Space, holds_for, invariant_holds, oracle_correct, oracle_invariant_holds
from tests.independent.interpreter import NotJudged

MEMORY = 2**28
NO_SAMPLES = Sampling(0)
OTHER = "other.tsys"
"""The file by which a figure's claims name another figure; its text follows after a line with `SEPARATOR`."""
SEPARATOR = "-- other.tsys"

Asked = s.Statement | LeadsTo | Invariance | OracleInvariance
R = TypeVar("R")


@dataclass(frozen=True)
class Disagreement:
    """A verdict that is not true."""

    kind: str
    statement: str
    verdict: str
    truth: str

    def __str__(self) -> str:
        """What it is about comes first, by which the torture suite tells findings apart."""
        return f"{self.kind} is not {self.verdict.split()[0]}: {self.statement}: {self.verdict}, but {self.truth}"


def loaded(text: str) -> System:
    """The figure, and perhaps another that its claims name."""
    first, separator, second = text.partition(SEPARATOR + "\n")
    system = load(first + "\n")
    return replace(system, others={OTHER: load(second + "\n")}) if separator else system


@dataclass
class Truth:
    """What holds of a figure, worked out once for each statement and number of words."""

    system: System
    words: int
    judged: dict[tuple[Asked, int], bool | None] = field(default_factory=dict)
    tally: Counter[str] = field(default_factory=Counter)
    """How many verdicts were compared with the truth, by the kind of claim and the verdict."""

    def holds(self, asked: Asked, words: int) -> bool | None:
        """Whether it holds for this many words; None if that cannot be judged."""
        if (asked, words) not in self.judged:
            self.judged[asked, words] = self._decided(asked, words)
        return self.judged[asked, words]

    @cached_property
    def independent(self) -> interpreter.System:
        figure, parameters = self.system.figure, self.system.parameters
        named = {name: self.system.other(name) for claim in figure.claims for name in s.references(claim)}
        others = {name: interpreter.System(other.figure, other.parameters) for name, other in named.items()}
        return interpreter.System(figure, parameters, others)

    def _decided(self, asked: Asked, words: int) -> bool | None:
        try:
            match asked:
                case LeadsTo(oracle, graphs):
                    return oracle_correct(self.independent, oracle, graphs, words)
                case Invariance(condition):
                    return invariant_holds(Space(self.independent, words), condition)
                case OracleInvariance(given, graphs):
                    return oracle_invariant_holds(self.independent, given, graphs, words)
                case _:
                    return holds_for(asked, self.independent, words)
        except NotJudged:
            return None

    def false_for(self, asked: Asked) -> int | None:
        """The fewest words for which it is known to be false."""
        return next((words for words in range(1, self.words + 1) if self.holds(asked, words) is False), None)

    def compared(self, asked: Asked, verdict: str, words: int) -> Iterator[Disagreement]:
        """Count a verdict if it can be judged, and yield it if it is not true."""
        if self.holds(asked, max(1, min(words, self.words))) is not None:
            self.tally[f"{type(asked).__name__} {verdict}"] += 1
        wrong = self.disagreement(asked, verdict, words)
        if wrong is not None:
            yield wrong

    def disagreement(self, asked: Asked, verdict: str, words: int) -> Disagreement | None:
        """Whether `exhausted` up to so many words, `proved`, or `refuted` with so many words is untrue."""
        name = text_of(asked)
        false = self.false_for(asked)
        if verdict == "refuted":
            if words <= self.words and self.holds(asked, words) is True:
                return Disagreement(type(asked).__name__, name, f"refuted with {words} words", f"it holds for {words}")
            if false is not None and false < words:
                return Disagreement(
                    type(asked).__name__, name, f"refuted with {words} words", f"it is false for {false}"
                )
        elif false is not None and false <= words:
            upto = "" if verdict == "proved" else f" up to {words} words"
            return Disagreement(type(asked).__name__, name, verdict + upto, f"it is false for {false} words")
        return None


def verified(truth: Truth, engine: EngineName) -> Iterator[Disagreement]:
    """The verdicts of `verify` that are not true."""
    effort = Effort(truth.words, NO_SAMPLES, MEMORY, in_depth=False, engine=engine)
    report = verify_system(truth.system, effort)
    for finding in (*report.claims, *report.checks):
        asked, evidence = finding.asked, finding.evidence[0]
        if isinstance(asked, Asked) and isinstance(evidence, Exhausted | Refuted):
            yield from truth.compared(
                asked, "refuted" if isinstance(evidence, Refuted) else "exhausted", evidence.words
            )


# --- proofs ----------------------------------------------------------------------------------------------------------


def topics_of(system: System) -> list[Topic]:
    """What there is to prove that can be judged: claims and invariants."""
    plain = [claim for claim in system.figure.claims if claim.kind == "plain"]
    return [*plain, *map(Invariance, system.figure.invariants), *all_oracle_invariants(system)]


def asked_of(topic: Topic) -> Asked:
    """The statement of a claim, or the invariant."""
    found = topic.statement if isinstance(topic, s.Claim) else topic
    assert isinstance(found, Asked)
    return found


def text_of(asked: Asked) -> str:
    """The question in words."""
    match asked:
        case LeadsTo(oracle, graphs):
            return f"{oracle} leads to all {class_text(graphs)}"
        case Invariance() | OracleInvariance():
            return str(asked)
        case _:
            return statement_text(asked)


@contextmanager
def nobody_refutes() -> Iterator[None]:
    """The prover as it is, but nobody runs the figure to refute a claim or an oracle, which would hide wrong goals."""
    with (
        patch.object(Prover, "_refuted", lambda *_: None),
        patch.object(Prover, "_confronted", lambda _, _claim, theorem: theorem),
        patch.object(completeness, "_misled", lambda *_: None),
    ):
        yield


def proved(truth: Truth, seconds: float, whole: float = inf) -> Iterator[Disagreement]:
    """The verdicts of the prover that are not true, with so many seconds of the processor for each claim, until `whole`
    seconds have passed by the clock.

    False claims come first and get twice the time: only they can be proved wrongly.
    """
    prover, began = Prover(truth.system), time.monotonic()
    false = {topic: truth.false_for(asked_of(topic)) is not None for topic in topics_of(truth.system)}
    for topic in sorted(false, key=lambda one: not false[one]):
        if time.monotonic() - began > whole:
            return
        asked = asked_of(topic)
        truth.tally[f"{type(asked).__name__} given to the prover"] += 1
        truth.tally[f"{type(asked).__name__} given to the prover though false"] += false[topic]
        match within(seconds * (1 + false[topic]), partial(_verdict, prover, topic)):
            case Verdict.PROVED, _:
                yield from truth.compared(asked, "proved", truth.words)
            case _, int(words):
                yield from truth.compared(asked, "refuted", words)
            case None:
                truth.tally[f"{type(asked).__name__} cut short"] += 1


def _verdict(prover: Prover, topic: Topic) -> tuple[Verdict, int | None]:
    """The verdict, and the words of a counterexample."""
    theorem = prover.about(topic)
    return theorem.verdict, None if theorem.counterexample is None else theorem.counterexample.words


def within(seconds: float, work: Callable[[], R]) -> R | None:
    """What is worked out in a process of its own; None if it takes more than so many seconds of the processor."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        outcome: R | Exception
        try:
            outcome = work()
        except Exception as error:
            outcome = error
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(outcome, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    if not data:
        return None
    answer = pickle.loads(data)
    if isinstance(answer, Exception):
        raise answer
    return answer  # type: ignore[no-any-return]
