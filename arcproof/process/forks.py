"""Forked processes: each knows everything its parent knew when it was forked, so little has to be sent to it.

`Copies` answer questions in parallel.  On a platform without fork there are none, and the caller does the work.
"""

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from types import TracebackType
from typing import Any, Final, Generic, TypeVar

PR_SET_PDEATHSIG: Final = 1
Q = TypeVar("Q")
R = TypeVar("R")


class CopyEnded(Exception):
    """A copy ended before it had answered, perhaps for lack of memory."""


def can_fork() -> bool:
    """Whether processes can be forked here."""
    return "fork" in multiprocessing.get_all_start_methods()


def forked(
    serve: "Callable[[Connection[Any, Any]], None]", *, daemon: bool
) -> "tuple[ForkProcess, Connection[Any, Any]]":
    """Fork a process that serves the other end of a connection until that is closed; Ctrl-C does not reach it.

    It ends with this process, however that ends and whatever it is doing, where the system supports that (Linux).
    """
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    # the system asks for the thread that forked: one that ends earlier than the process must not take others with it
    owner = os.getpid() if threading.current_thread() is threading.main_thread() else None
    process = context.Process(target=_served, args=(serve, there, here, owner), daemon=daemon)
    if sys.stdout is not None:
        sys.stdout.flush()
    with warnings.catch_warnings(), _held_back():
        # the threads that may run beside are those of the progress bar, which a forked process never shows, and the one
        # that listens to SIGTERM, which a forked process does not need: there the signal ends it
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    return process, here


@contextmanager
def _held_back() -> Iterator[None]:
    """Hold back signals until the block is left: a freshly forked process would handle them as if it were this one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGALRM])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _served(
    serve: "Callable[[Connection[Any, Any]], None]",
    connection: "Connection[Any, Any]",
    other: "Connection[Any, Any]",
    owner: int | None,
) -> None:
    if owner is not None:
        _end_with(owner)
    gc.freeze()  # existing objects are not scanned again, nor copied for that
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)  # until it is needed: a wake-up may come too early
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM, signal.SIGALRM])
    other.close()
    try:
        serve(connection)
    except (EOFError, OSError):
        return


def _end_with(owner: int) -> None:
    """Have this process killed when the one that started it ends; without effect where the system cannot do that."""
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != owner:
        os._exit(1)


def called_from(owner: int, function: Callable[..., R], *arguments: Any) -> R:
    """Call a function; a worker process that `owner` started ends with it, even while busy."""
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid == owner:
        _end_with(owner)
    return function(*arguments)


class Copies(Generic[Q, R]):
    """Copies of this process, each of which answers one question at a time; created with the first question."""

    def __init__(self, answer: Callable[[Q], R], most: int) -> None:
        """The number of copies."""
        self._answer = answer
        self._most = most
        self._processes: dict[Connection[Any, Any], ForkProcess] = {}
        self._busy: dict[Connection[Any, Any], Q] = {}
        self._end = weakref.finalize(self, _ended, self._processes, os.getpid())

    def __enter__(self) -> "Copies[Q, R]":
        """Prepare the copies; nothing is forked yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End the copies."""
        self.end()

    def end(self) -> None:
        """End the copies, whatever they are doing."""
        self._end()

    @property
    def busy(self) -> list[Q]:
        """The questions that are being answered."""
        return list(self._busy.values())

    def ask(self, question: Q) -> bool:
        """Ask a question; False if every copy is busy, `CopyEnded` if an idle one has ended."""
        idle = next((one for one in self._processes if one not in self._busy), None)
        if idle is None and len(self._processes) < self._most:
            process, idle = forked(self._serve, daemon=True)
            self._processes[idle] = process
        if idle is None:
            return False
        try:
            idle.send(question)
        except OSError as lost:
            raise CopyEnded from lost
        self._busy[idle] = question
        return True

    def ready(self) -> bool:
        """Whether an answer is available without waiting."""
        return bool(self._busy and wait(list(self._busy), 0))

    def next(self) -> tuple[Q, R]:
        """Wait for an answer; exceptions are re-raised here."""
        ready = wait(list(self._busy))[0]
        assert isinstance(ready, Connection)
        question = self._busy.pop(ready)
        try:
            answer, error = ready.recv()
        except (EOFError, OSError) as lost:
            raise CopyEnded from lost
        if error is not None:
            raise error
        return question, answer

    def _serve(self, connection: "Connection[Any, Any]") -> None:
        for other in self._processes:
            other.close()  # of an older copy: it must notice when the asking end is closed
        while True:
            question = connection.recv()
            try:
                reply: tuple[R | None, Exception | None] = self._answer(question), None
            except Exception as error:
                reply = None, error
            connection.send(reply)


def _ended(processes: "dict[Connection[Any, Any], ForkProcess]", owner: int) -> None:
    if os.getpid() != owner:
        return  # a copy does not end the others
    for connection, process in processes.items():
        process.kill()
        connection.close()
    for process in processes.values():
        process.join()


def in_copies(answer: Callable[[Q], R], questions: Sequence[Q], jobs: int) -> Iterator[R]:
    """Yield the answers in the order of the questions, while later ones are computed; copies know the questions."""
    if jobs == 1 or len(questions) < 2 or not can_fork():
        yield from map(answer, questions)
        return

    def numbered(number: int) -> R:
        return answer(questions[number])

    yield from sent_to_copies(numbered, range(len(questions)), min(jobs, len(questions)), len(questions))


def sent_to_copies(answer: Callable[[Q], R], questions: Iterable[Q], jobs: int, ahead: int) -> Iterator[R]:
    """Like `in_copies`, for questions that are taken one by one, at most `ahead` of the answer that comes next."""

    def numbered(asked: tuple[int, Q]) -> R:
        return answer(asked[1])

    found: dict[int, R] = {}
    remaining = enumerate(questions)
    waiting = next(remaining, None)
    with Copies(numbered, jobs) as copies:
        for number in count():
            while number not in found:
                while waiting is not None and waiting[0] < number + ahead and copies.ask(waiting):
                    waiting = next(remaining, None)
                if not copies.busy:
                    return
                (done, _), what = copies.next()
                found[done] = what
            yield found.pop(number)
