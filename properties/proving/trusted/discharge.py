"""From the result of a search to a proof: every obligation is discharged again, individually, by both solvers.  A proof
by one solver alone says so.

A *certificate* says which premises are used for every goal, for every conjunct of the invariant at the start and after
every move, and for every lemma.  The obligations are built anew from the problem, so that a certificate can leave
nothing out and add nothing: it is checked to have an entry for everything that must be shown, and its premises are
picked by name from the axioms, the invariant and the premises of that very move.  A certificate may therefore come from
anywhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, Final, Protocol, TypeAlias

from arcproof.process.cluster import chosen
from arcproof.process.side_by_side import in_copies_or_elsewhere
from arcproof.properties.proving.trusted.calls import SolverCalls, saying_who_ended
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.obligation import Obligation, SolverScript, Written
from arcproof.properties.proving.trusted.problem import (
    AfterMove,
    AtStart,
    ForGoal,
    ForLemma,
    Key,
    Problem,
    key_shown,
    obligation_of,
)
from arcproof.properties.proving.trusted.solvers import (
    OUT_OF_TIME,
    RLIMIT,
    SEEDS,
    Clock,
    Result,
    ask_cvc5,
    ask_z3,
    import_solvers,
    z3_context,
)
from arcproof.transitions.errors import Contradiction

BATCH: Final = 8
"""The number of obligations that are discharged in sequence, in one context and by one process."""
EASY: Final = 10_000
"""The share of Z3's budget that an easy proof costs."""


class SolversDisagree(Contradiction):
    """One solver finds a proof, but another finds a counterexample."""


class NotAnswered(Contradiction):
    """An obligation was to be discharged, but a solver was not asked."""


@dataclass(frozen=True)
class Certificate:
    """The conjuncts of an invariant, the lemmas, and the premises used for every goal, every preservation and every
    lemma.
    """

    invariant: tuple[str, ...]
    lemmas: tuple[str, ...]
    cores: Mapping[Key, tuple[str, ...]]


class Incomplete(Exception):
    """A certificate that does not fit its problem."""


def obligations(problem: Problem, certificate: Certificate, candidates: Iterable[Candidate]) -> list[Obligation]:
    """The obligations of everything that must be shown; raises `Incomplete` if the certificate does not say how."""
    pool = {candidate.name: candidate for candidate in candidates}
    missing = [name for name in certificate.invariant if name not in pool]
    missing += [name for name in certificate.lemmas if name not in {lemma.name for lemma in problem.lemmas}]
    if missing:
        raise Incomplete(f"there is no candidate {missing[0]}")
    invariant = [pool[name] for name in certificate.invariant]
    found: list[Obligation] = []
    for key in required(problem, certificate):
        core = certificate.cores.get(key)
        if core is None:
            raise Incomplete(f"{key_shown(key)} is not shown")
        whole = obligation_of(problem, key, invariant, pool, certificate.lemmas)
        available = [name for name, _ in whole.premises]
        if len(set(available)) != len(available):
            raise Incomplete(f"two premises of {key_shown(key)} have the same name")
        if not set(core) <= set(available):
            raise Incomplete(f"{key_shown(key)} uses a premise that is not given")
        found.append(whole.only(core))
    return found


def required(problem: Problem, certificate: Certificate) -> list[Key]:
    """The goals, every conjunct at the start and after every move, and every lemma."""
    keys: list[Key] = [ForGoal(goal.name) for goal in problem.goals]
    for name in certificate.invariant:
        keys += [AtStart(name), *(AfterMove(name, move.name) for move in problem.moves)]
    return [*keys, *map(ForLemma, certificate.lemmas)]


@dataclass(frozen=True)
class Discharged:
    """An obligation with the solvers' answers; those of Z3 for each seed that is worth trying."""

    obligation: Obligation | Written
    results: tuple[Result, ...]

    def by(self, solver: str) -> bool:
        """Whether a solver discharged it each time it was asked."""
        own = [result for result in self.results if result.solver == solver]
        return bool(own) and all(result.answer == "unsat" for result in own)

    @property
    def stored(self) -> bool:
        """Whether an answer was taken from the run store."""
        return any(result.stored for result in self.results)

    @property
    def timed_out(self) -> bool:
        """Whether the clock ended a call."""
        return any(result.reason == OUT_OF_TIME for result in self.results)

    @property
    def seconds(self) -> float:
        """The time of all solvers."""
        return sum(result.seconds for result in self.results)


Question: TypeAlias = tuple[str, str, int]
"""What is read (the digest of the commands), by which solver, and under which seed."""


def questions(obligation: Obligation, seeds: Sequence[int]) -> list[Question]:
    """The questions to Z3, one for each of these seeds, and one to cvc5."""
    asked = obligation.question
    return [*((asked, "z3", seed) for seed in seeds), (asked, "cvc5", 0)]


def worth_asking(first: Result, seeds: Sequence[int]) -> Sequence[int]:
    """The seeds under which Z3 is asked, given its answer under the first.

    An easy proof hardly ever depends on the seed, and cvc5 is asked about it too.
    """
    return seeds[:1] if first.answer == "unsat" and 0 < first.effort <= EASY else seeds


class AnswerStore(Protocol):
    """A store in which answers outlive the process that asked (`stored_answers`)."""

    def recall(self, question: Question) -> Result | None:
        """A solver's answer about exactly the same text, asked in exactly the same way."""

    def keep(self, question: Question, result: Result) -> None:
        """Store a solver's answer."""

    def opinions(self, solver: str) -> dict[Any, Any]:
        """A solver's answers in earlier searches, for use in the search alone."""


@dataclass(frozen=True)
class Answers:
    """The answers so far: identical questions are not asked twice."""

    known: dict[Question, Result] = field(default_factory=dict)
    store: AnswerStore | None = None

    def get(self, question: Question) -> Result | None:
        """The answer to a question, if it is known."""
        found = self.known.get(question)
        if found is None and self.store is not None:
            found = self.store.recall(question)
            if found is not None:
                self.known[question] = found
        return found

    def learn(self, question: Question, result: Result) -> None:
        """Remember an answer."""
        self.known[question] = result
        if self.store is not None:
            self.store.keep(question, result)

    def to(self, obligation: Obligation, seeds: Sequence[int]) -> Discharged | None:
        """The obligation with all answers, if they are known; raises `SolversDisagree` if one solver proves what
        another refutes.
        """
        first = self.get(questions(obligation, seeds)[0])
        if first is None:
            return None
        results = [self.get(question) for question in questions(obligation, worth_asking(first, seeds))]
        found = [result for result in results if result is not None]
        return _agreeing(obligation, found) if len(found) == len(results) else None

    def of(self, obligation: Obligation, seeds: Sequence[int]) -> Discharged:
        """The obligation with all answers; raises `NotAnswered` if one is missing."""
        found = self.to(obligation, seeds)
        if found is None:
            raise NotAnswered(f"{obligation.name}: a solver did not answer")
        return found

    def keep(self, done: Discharged, seeds: Sequence[int]) -> None:
        """Remember the answers about an obligation."""
        assert isinstance(done.obligation, Obligation)
        asked = questions(done.obligation, worth_asking(done.results[0], seeds))
        for question, result in zip(asked, done.results, strict=True):
            self.learn(question, result)


def discharge(obligation: Obligation, rlimit: int = RLIMIT, seeds: Sequence[int] = SEEDS) -> Discharged:
    """Ask every solver, Z3 under these seeds; raises `SolversDisagree` if one solver proves what another refutes."""
    return _agreeing(obligation, _answers(obligation, rlimit, seeds))


def _answers(
    obligation: Obligation | SolverScript, rlimit: int, seeds: Sequence[int], context: object = None
) -> list[Result]:
    first = _ask_z3(obligation, rlimit, seeds[0], context)
    others = worth_asking(first, seeds)[1:]
    return [first, *(_ask_z3(obligation, rlimit, seed) for seed in others), ask_cvc5(obligation, rlimit)]


def _answers_to_all(
    batch: Sequence[Obligation | SolverScript], rlimit: int, seeds: Sequence[int]
) -> list[list[Result]]:
    """The answers to a batch, in one context if Z3 is asked under a single seed."""
    context = z3_context() if len(seeds) == 1 else None
    return [_answers(obligation, rlimit, seeds, context) for obligation in batch]


def _agreeing(obligation: Obligation, results: Sequence[Result]) -> Discharged:
    if {"sat", "unsat"} <= {result.answer for result in results}:
        said = ", ".join(f"{result.solver}: {result.answer}" for result in results)
        raise SolversDisagree(f"{obligation.name}: {said}")
    return Discharged(obligation, tuple(results))


def is_discharged(
    obligation: Obligation,
    rlimit: int,
    seeds: Sequence[int],
    answers: Answers,
    clock: Clock,
    calls: SolverCalls | None = None,
) -> bool:
    """Whether every solver discharges it, Z3 under these seeds; stops as soon as one does not.

    The clock records the reason.  Raises `SolversDisagree` if one solver proves what another refutes.
    """
    results: list[Result] = []
    asking = calls or SolverCalls()
    begin(obligation, rlimit, seeds, answers, asking)
    waiting = questions(obligation, seeds[:1])
    while waiting:
        question = waiting.pop(0)
        result = answers.get(question)
        if result is None:
            function, *arguments = _call(question, obligation, rlimit)
            result = asking.result(function, *arguments)
            answers.learn(question, result)
        results.append(result)
        clock.see(results[-1].reason)
        if results[-1].answer != "unsat":
            break
        if len(results) == 1:
            waiting = questions(obligation, worth_asking(results[0], seeds))[1:]
    return solvers_of([_agreeing(obligation, results)]) == ("z3", "cvc5")


def begin(obligation: Obligation, rlimit: int, seeds: Sequence[int], answers: Answers, calls: SolverCalls) -> None:
    """Start solver calls in other processes, as far as they are sure to be needed."""
    if not calls.side_by_side:
        return
    first = answers.get(questions(obligation, seeds)[0])
    for question in questions(obligation, seeds[:1] if first is None else worth_asking(first, seeds)):
        if answers.get(question) is None:
            calls.begin(*_call(question, obligation, rlimit))


def _call(question: Question, obligation: Obligation, rlimit: int) -> tuple[Any, ...]:
    _, solver, seed = question
    script = SolverScript(obligation.name, obligation.commands)
    return (_ask_z3, script, rlimit, seed) if solver == "z3" else (ask_cvc5, script, rlimit)


def _ask_z3(obligation: Obligation | SolverScript, rlimit: int, seed: int, context: object = None) -> Result:
    """Run Z3 with model-based quantifier instantiation, then without; if either ran out of time, that is the reason.

    An obligation that is not proved in a shared context is tried again in a separate one.
    """
    if context is not None and (shared := ask_z3(obligation, rlimit, seed, context=context)).answer == "unsat":
        return shared
    first = ask_z3(obligation, rlimit, seed)
    if first.answer != "unknown":
        return first
    second = ask_z3(obligation, rlimit, seed, mbqi=False)
    return replace(second, reason=OUT_OF_TIME) if second.answer == "unknown" and first.reason == OUT_OF_TIME else second


def discharge_all(
    todo: Sequence[Obligation],
    say: Callable[[str], None] = lambda _: None,
    rlimit: int = RLIMIT,
    jobs: int = 1,
    seeds: Sequence[int] = SEEDS,
    done: Callable[[Discharged], None] = lambda _: None,
) -> list[Discharged]:
    """Discharge obligations in `jobs` parallel processes; the results are the same and in order, and `done` is called
    with each.
    """
    asked = todo if chosen() is None else [SolverScript(one.name, one.commands) for one in todo]
    batches = [asked[first : first + BATCH] for first in range(0, len(todo), BATCH)]
    if jobs > 1:
        import_solvers()
    ask = partial(_answers_to_all, rlimit=rlimit, seeds=seeds)
    answers = chain.from_iterable(in_copies_or_elsewhere(ask, batches, jobs))
    with saying_who_ended():
        return list(_told(todo, map(_agreeing, todo, answers), say, done))


def _told(
    todo: Sequence[Obligation],
    entries: Iterable[Discharged],
    say: Callable[[str], None],
    done: Callable[[Discharged], None],
) -> Iterator[Discharged]:
    for number, (obligation, entry) in enumerate(zip(todo, entries, strict=True), start=1):
        say(f"{number}/{len(todo)} {obligation.name}")
        done(entry)
        yield entry


def solvers_of(done: Sequence[Discharged]) -> tuple[str, ...]:
    """The solvers that discharged every obligation; none if there was nothing to discharge."""
    return tuple(name for name in ("z3", "cvc5") if done and all(entry.by(name) for entry in done))
