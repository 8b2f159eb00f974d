"""Proofs that can be stopped at any moment: each claim is proved in its own process, which ends at Ctrl-C or when its
time is up.

Results are shown as they are found, and those found by then are kept.  Claims are proved one after the other, so that
what is found does not depend on the number of processes; with several jobs, solvers run in parallel, also on questions
that may be needed only later.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from arcproof.process.forks import can_fork
from arcproof.process.interruption import TimeIsOver, what_ended
from arcproof.process.progress import Say
from arcproof.process.run_store import StoreUse, current
from arcproof.process.supervision import Done, Ended, supervised
from arcproof.properties.proving.certificates.files import Certificates
from arcproof.properties.proving.library.instances import read_library
from arcproof.properties.proving.prove import (
    Answer,
    Besides,
    ProofReport,
    Task,
    answer,
    report_of,
    task_text,
)
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.recall import Memory
from arcproof.properties.proving.theorem import Hindrance, Theorem, not_proved
from arcproof.properties.proving.trusted.discharge import Answers, Certificate, Question
from arcproof.properties.proving.trusted.obligation import Written
from arcproof.properties.proving.trusted.solvers import Result, import_solvers
from arcproof.transitions.system import System


@dataclass(frozen=True)
class TimeLimits:
    """Seconds for all claims of a system, and for each of them."""

    whole: float | None = None
    each: float | None = None


NO_LIMITS: Final = TimeLimits()


def prove_supervised(
    system: System,
    tasks: list[Task],
    say: Say,
    show: Callable[[Answer], None],
    memory: Memory | None = None,
    certificates: Certificates | None = None,
    jobs: int = 1,
    limits: TimeLimits = NO_LIMITS,
    explains: bool = False,
    solved: Answers | None = None,
) -> tuple[ProofReport, str | None]:
    """Do the tasks and show the answers in order, each as soon as it is available; return what ended the run early, if
    anything.

    `solved` holds the solvers' answers about other systems; those given here are added to it.
    """
    began = time.perf_counter()
    said = Answers() if solved is None else solved
    prover = Prover(system, certificates=certificates, jobs=jobs, explains=explains, answers=said)
    answers: dict[Task, Answer] = {}
    found: dict[str, Certificate] = {}
    ready_to_prove()

    store = current()

    def work(task: Task, say: Say) -> tuple[Answer, dict[str, Certificate], dict[Question, Result], StoreUse]:
        prover.say = say
        before = len(said.known)
        recalled = 0 if store is None else store.recalled
        done = answer(prover, task, memory)
        used = StoreUse() if store is None else StoreUse(store.recalled - recalled, store.problem)
        return _to_be_sent(done), prover.found, dict(islice(said.known.items(), before, None)), used

    unshown = deque(tasks)

    def take(task: Task, outcome: Answer) -> None:
        answers[task] = outcome
        while unshown and unshown[0] in answers:
            show(answers[unshown.popleft()])

    ended_by = None
    try:
        for task, outcome in supervised(work, tasks, say, 1, limits.whole, limits.each):
            match outcome:
                case Done((done, certified, new, used)):
                    found |= certified
                    if store is not None and can_fork():
                        store.note(used)
                    said.known.update(new)
                    take(task, done)
                case Ended(why, seconds):
                    take(task, _left(task, Hindrance.CUT_SHORT, why, seconds))
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
        by_a_limit = isinstance(interruption, TimeIsOver)
        for task in tasks:
            if task not in answers:
                take(task, _left(task, Hindrance.CUT_SHORT if by_a_limit else Hindrance.INTERRUPTED, ended_by))
    report = report_of(system, [answers.get(task) for task in tasks], time.perf_counter() - began, found)
    return report, ended_by


def ready_to_prove(several: bool = False) -> None:
    """Read and import what every process needs before any is forked; for several systems, also what most of them
    need.
    """
    read_library()
    import_solvers()
    if several:
        from arcproof.properties.engines import paths  # noqa: F401


def _left(task: Task, kind: Hindrance, why: str, seconds: float = 0.0) -> Answer:
    if isinstance(task, Besides):
        return None
    return replace(not_proved(task, kind, why), seconds=seconds)


def _to_be_sent(found: Answer) -> Answer:
    """The answer with obligations as text only: what they were made from is useful only in the process that made
    them.
    """
    if not isinstance(found, Theorem):
        return found
    written = (
        replace(d, obligation=Written(d.obligation.name, d.obligation.text, d.obligation.lemma))
        for d in found.obligations
    )
    return replace(found, obligations=tuple(written))


def named(tasks: list[Task], text: str | None) -> list[Task]:
    """The tasks whose text contains a given text; all tasks if there is none."""
    if text is None:
        return tasks
    return [task for task in tasks if not isinstance(task, Besides) and text in task_text(task)]
