"""Tasks in processes that can be ended at any moment, whatever they are doing.

A busy solver notices neither Ctrl-C nor a time limit.  So each task runs in a process of its own, which the caller can
kill.  A process keeps its intermediate results for its next task; a killed one is replaced.  Processes are forked; on a
platform without fork, tasks run here, one after the other, and only Ctrl-C ends them.
"""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, Final, Generic, TypeVar

from arcproof.process.forks import can_fork, forked
from arcproof.process.interruption import limit_reached
from arcproof.process.progress import Say

T = TypeVar("T")
R = TypeVar("R")

SAID: Final = "said"
DONE: Final = "done"
FAILED: Final = "failed"
SECONDS_TO_END: Final = 1.0


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The result of a task."""

    result: R


@dataclass(frozen=True, slots=True)
class Ended:
    """A task that was ended or never begun, the reason, and after how many seconds."""

    why: str
    seconds: float = field(default=0.0, compare=False)


@dataclass
class _Worker:
    """A process, the number of its current task, its deadline, and when it began."""

    process: ForkProcess
    connection: "Connection[Any, Any]"
    task: int
    ends: float | None
    began: float

    def take(self, task: int, ends: float | None) -> None:
        """Give it another task."""
        self.task, self.ends, self.began = task, ends, time.monotonic()
        self.connection.send(task)

    def ended(self, why: str) -> Ended:
        """The outcome of its unfinished task."""
        return Ended(why, time.monotonic() - self.began)

    def end(self) -> None:
        """End it immediately, together with everything it has started."""
        assert self.process.pid is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.connection.close()


def supervised(
    work: Callable[[T, Say], R],
    tasks: Sequence[T],
    say: Say,
    jobs: int = 1,
    whole: float | None = None,
    each: float | None = None,
) -> Generator[tuple[T, Done[R] | Ended], None, None]:
    """The tasks with their results, in the order in which they finish; all within `whole` seconds, each within `each`.

    Exceptions of a task are re-raised here.  An interruption ends every process.
    """
    if not can_fork():
        yield from ((task, Done(work(task, say))) for task in tasks)
        return
    over = None if whole is None else time.monotonic() + whole
    waiting = deque(range(len(tasks)))
    workers: list[_Worker] = []

    def limit() -> float | None:
        ends = [end for end in (over, None if each is None else time.monotonic() + each) if end is not None]
        return min(ends, default=None)

    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_started(work, tasks, waiting.popleft(), limit()))
            for worker in _heard(workers):
                kind, what = _message(worker)
                if kind == SAID:
                    say(what)
                    continue
                if kind == FAILED:
                    raise what
                yield tasks[worker.task], Done(what) if kind == DONE else worker.ended(what)
                if kind == DONE and waiting:
                    worker.take(waiting.popleft(), limit())
                else:
                    worker.end()
                    workers.remove(worker)
            for worker in [worker for worker in workers if worker.ends is not None and worker.ends <= time.monotonic()]:
                worker.end()
                workers.remove(worker)
                yield tasks[worker.task], worker.ended(_why(over, whole, each))
            if over is not None and over <= time.monotonic():
                yield from ((tasks[task], Ended(_why(over, whole, each))) for task in waiting)
                waiting.clear()
    finally:
        for worker in workers:
            worker.end()


def _why(over: float | None, whole: float | None, each: float | None) -> str:
    is_over = over is not None and over <= time.monotonic()
    return limit_reached(whole or 0) if is_over else f"the time limit of {each:g} s for a claim was reached"


def _heard(workers: Sequence[_Worker]) -> list[_Worker]:
    """Wait for workers to send something; none are returned when a deadline has passed."""
    ends = [worker.ends for worker in workers if worker.ends is not None]
    seconds = max(0.0, min(ends) - time.monotonic()) if ends else None
    ready = wait([worker.connection for worker in workers], seconds)
    return [worker for worker in workers if worker.connection in ready]


def _message(worker: _Worker) -> tuple[str, Any]:
    try:
        return worker.connection.recv()  # type: ignore[no-any-return]
    except EOFError:
        worker.process.join(SECONDS_TO_END)
        code = worker.process.exitcode
        return "lost", "its process ended unexpectedly" + (
            f", by signal {-code}" if code is not None and code < 0 else ""
        )


def _started(work: Callable[[T, Say], R], tasks: Sequence[T], first: int, ends: float | None) -> _Worker:
    process, connection = forked(partial(_serve, work, tasks), daemon=False)
    _lead_a_group(process.pid)
    connection.send(first)
    return _Worker(process, connection, first, ends, time.monotonic())


def _lead_a_group(process: int | None) -> None:
    """Put a process into a group of its own; both sides do so, because either may be too late."""
    assert process is not None
    with suppress(PermissionError, ProcessLookupError):
        os.setpgid(process, 0)


def _serve(work: Callable[[T, Say], R], tasks: Sequence[T], connection: "Connection[Any, Any]") -> None:
    """Do tasks until there are no more; the caller handles Ctrl-C."""
    _lead_a_group(0)
    with suppress(_Unheard):
        while True:
            connection.send(_outcome(work, tasks[connection.recv()], partial(_said, connection)))


class _Unheard(BaseException):
    """The parent process is gone."""


def _said(connection: "Connection[Any, Any]", text: str) -> None:
    try:
        connection.send((SAID, text))
    except OSError as error:
        raise _Unheard from error


def _outcome(work: Callable[[T, Say], R], task: T, say: Say) -> tuple[str, object]:
    try:
        return DONE, work(task, say)
    except Exception as error:
        return FAILED, error
