"""What `verify` and `prove` say of a figure, compared with what is true of it.

A claim that is `exhausted` up to n words must hold for every length up to that, one that is `proved` for every length
that can be judged; one that is `refuted` must be false for as many words as its counterexample has, and for no fewer.
Whoever does not know is right.  A sentence has at least one word.
"""

import os
import pickle
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, TypeVar

from arcproof.process.progress import silent
from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.checks.oracle_invariant import OracleInvariance, all_oracle_invariants
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Exhausted, Refuted
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.meaning.bridge import first_difference
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.prove import Task
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search import second_opinion
from arcproof.properties.proving.search.thinning import thinned
from arcproof.properties.proving.supervised import TimeLimits, prove_supervised
from arcproof.properties.proving.theorem import Hindrance, Theorem, Topic, not_proved
from arcproof.properties.proving.trusted.calls import SolverCalls
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.problem import Problem
from arcproof.properties.proving.trusted.solvers import Result, ask_cvc5
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import class_text, statement_text
from arcproof.transitions.system import System, load
from tests.independent import interpreter
from tests.independent.claims import Space, holds_for, invariant_holds, oracle_correct, oracle_invariant_holds
from tests.independent.interpreter import NotJudged

FEW_CANDIDATES = 15
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
            return Disagreement(
                type(asked).__name__, name, f"{verdict} {words} words", f"it is false for {false} words"
            )
        return None


def verified(truth: Truth, engine: EngineName, tally: "Counter[str] | None" = None) -> Iterator[Disagreement]:
    """The verdicts of `verify` that are not true; `tally` counts verdicts."""
    system = truth.system
    effort = Effort(truth.words, NO_SAMPLES, MEMORY, in_depth=False, engine=engine)
    report = verify_system(system, effort)
    for finding in (*report.claims, *report.checks):
        asked = finding.asked
        if not isinstance(asked, Asked):
            continue
        evidence = finding.evidence[0]
        if tally is not None:
            tally[f"{type(asked).__name__} {finding.decided.value}"] += 1
        match evidence:
            case Exhausted(words=words):
                wrong = truth.disagreement(asked, "exhausted up to", words)
            case Refuted():
                wrong = truth.disagreement(asked, "refuted", evidence.words)
            case _:
                continue
        if wrong is not None:
            yield wrong


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


def proved(truth: Truth, seconds: float, tally: "Counter[str] | None" = None) -> Iterator[Disagreement]:
    """The verdicts of `prove`, with so many seconds for each claim, that are not true."""
    tasks: list[Task] = list(topics_of(truth.system))
    report, _ = prove_supervised(truth.system, tasks, silent, lambda _: None, limits=TimeLimits(each=seconds))
    for theorem in report.theorems:
        asked, found = asked_of(theorem.about), theorem.counterexample
        if tally is not None:
            tally[f"{type(asked).__name__} {theorem.verdict.value}"] += 1
        wrong = None
        if theorem.verdict is Verdict.PROVED:
            wrong = truth.disagreement(asked, "proved", truth.words)
        elif found is not None:
            wrong = truth.disagreement(asked, "refuted", found.words)
        if wrong is not None:
            yield wrong


@dataclass
class GoalsAlone(Prover):
    """A prover that shows whether the goals of a claim are right: it proves what it can, but does not first try to
    refute the claim by running the figure, which would hide wrong goals.

    It is hasty: few candidates for an invariant, Z3 alone, no explanation of what fails.
    """

    rlimit: int = 200_000

    def __post_init__(self) -> None:
        """Leave cvc5 out."""
        super().__post_init__()
        self.__dict__["calls"] = Z3Alone()

    @cached_property
    def meanings(self) -> Meanings:
        """The symbolic meaning, compared with the interpreter in few configurations."""
        meanings = meanings_of(self.system)
        wrong = first_difference(meanings, 2, 8, 8)
        if wrong is not None:
            raise WrongMeaning(wrong)
        return meanings

    @cached_property
    def candidates(self) -> list[Candidate]:
        """A few of the candidates, always the same of one figure."""
        every = self.every_candidate
        few = Random(len(every)).sample(every, min(FEW_CANDIDATES, len(every)))
        return thinned(few, self.meanings.before, self.spaces[:2])

    def confronted(self, problem: Problem, watched: object) -> Problem:  # noqa: ARG002
        """The problem as it is: goals about steps may be true in a configuration that an earlier step has spoilt."""
        return problem

    def _refuted(self, about: Topic, asked: object) -> None:  # noqa: ARG002
        return None

    def _open(self, about: Topic, found: object, argument: object, oracle: str | None) -> Theorem:  # noqa: ARG002
        return not_proved(about, Hindrance.NOT_PRESERVED, "")


class Z3Alone(SolverCalls):
    """Calls of solvers in which cvc5 knows nothing."""

    def result(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of Z3."""
        nothing = Result("cvc5", "unknown", 0.0, "not asked")
        if function is ask_cvc5:
            return nothing
        return (nothing, ()) if function is second_opinion._ask else function(*arguments)


def proved_by_goals_alone(
    truth: Truth, topic: Topic, seconds: float, tally: "Counter[str] | None" = None
) -> Disagreement | None:
    """Whether a claim that is false is proved where nobody tries to refute it."""
    prover = GoalsAlone(truth.system)

    verdict = within(seconds, lambda: prover.about(topic).verdict)
    asked = asked_of(topic)
    if tally is not None:
        tally[f"{type(asked).__name__} {'cut short' if verdict is None else verdict.value}"] += 1
    false = truth.false_for(asked)
    if verdict is Verdict.PROVED and false is not None:
        return Disagreement(
            type(asked).__name__, text_of(asked), "proved by its goals", f"it is false for {false} words"
        )
    return None


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
