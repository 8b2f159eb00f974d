"""Prove the claims of a figure for sentences of every length (`prover`), and anything else requested."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from arcproof.process.progress import Say, silent
from arcproof.process.shown import Shown, WithDocument, WithTable
from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.checks.oracle_invariant import all_oracle_invariants
from arcproof.properties.proving.certificates.files import Certificates
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.methods.lengths import best_length
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.recall import Memory, recalled
from arcproof.properties.proving.theorem import (
    LemmaHolds,
    MeasureFalls,
    Theorem,
    Topic,
    topic_text,
)
from arcproof.properties.verdict import Verdict
from arcproof.transitions.bounds import NotLinear
from arcproof.transitions.system import System, load

if TYPE_CHECKING:
    from arcproof.properties.proving.redundancy import Redundancies


@dataclass(frozen=True, repr=False)
class ProofReport(Shown, WithDocument, WithTable):
    """What was proved about one system."""

    system: System
    theorems: tuple[Theorem, ...]
    seconds: float
    redundancies: "Redundancies | None" = None
    certificates: Certificates = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0 if everything is proved, 1 if something is refuted, 3 if something is open."""
        verdicts = {theorem.verdict for theorem in self.theorems}
        if Verdict.REFUTED in verdicts:
            return 1
        return 0 if verdicts == {Verdict.PROVED} else 3


def prove(
    system: str | System,
    say: Say = silent,
    memory: Memory | None = None,
    preconditions: bool = False,
    certificates: Certificates | None = None,
    jobs: int = 1,
) -> ProofReport:
    """Prove every claim of a system, given as for `load`, and on request which preconditions are redundant.

    Theorems that are in the cache are not proved again.
    """
    began = time.perf_counter()
    loaded = system if isinstance(system, System) else load(system)
    prover = Prover(loaded, say, certificates=certificates, jobs=jobs)
    try:
        found = [answer(prover, task, memory) for task in tasks_of(loaded, preconditions)]
    finally:
        prover.calls.end()
    return report_of(loaded, found, time.perf_counter() - began, prover.found)


class Besides(Enum):
    """What is asked in addition to the claims: a better bound on the length, or which preconditions are redundant."""

    LENGTH = "a better bound on the length"
    PRECONDITIONS = "redundant preconditions"


Task: TypeAlias = Topic | Besides
Answer: TypeAlias = "Theorem | Redundancies | None"


def tasks_of(system: System, preconditions: bool = False) -> list[Task]:
    """What there is to prove: every claim and invariant of a figure, and anything else requested."""
    figure = system.figure
    topics: list[Task] = [*figure.claims, *map(Invariance, figure.invariants)]
    topics += [
        *all_oracle_invariants(system),
        *map(MeasureFalls, figure.measures),
        *map(LemmaHolds, figure.lemmas),
        Besides.LENGTH,
    ]
    return list(dict.fromkeys((*topics, *((Besides.PRECONDITIONS,) if preconditions else ()))))


def task_text(task: Task) -> str:
    """What a task is about, in words."""
    return task.value if isinstance(task, Besides) else topic_text(task)


def answer(prover: Prover, task: Task, memory: Memory | None) -> Answer:
    """Do one task; theorems that are in the cache are not proved again."""
    match task:
        case Besides.LENGTH:
            return _better_length(prover, memory)
        case Besides.PRECONDITIONS:
            return _redundancies(prover, memory)
        case _:
            return recalled(prover, task, memory, partial(Prover.about, topic=task))


def report_of(system: System, found: Iterable[Answer], seconds: float, certificates: Certificates) -> ProofReport:
    """The results of all tasks."""
    answers = [one for one in found if one is not None]
    theorems = tuple(one for one in answers if isinstance(one, Theorem))
    redundant = next((one for one in answers if not isinstance(one, Theorem)), None)
    return ProofReport(system, theorems, seconds, redundant, certificates)


def _better_length(prover: Prover, memory: Memory | None) -> Theorem | None:
    """A better bound on the length that is proved; it is shown only then, since it is not claimed."""
    try:
        better = best_length(prover)
        if better is None:
            return None
        theorem = recalled(prover, better, memory, partial(Prover.about, topic=better))
    except (Unsupported, NotLinear):
        return None
    return theorem if theorem.verdict is Verdict.PROVED else None


def _redundancies(prover: Prover, memory: Memory | None) -> "Redundancies | None":
    from arcproof.properties.proving.redundancy import redundancies

    try:
        return redundancies(prover, memory)
    except Unsupported:
        return None
