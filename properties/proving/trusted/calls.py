"""Solver calls that are started before their answers are needed, in other processes.

A solver's answer depends on the question alone.  So it does not matter where it is asked, nor whether the answer is
needed in the end: the result is the same however many processes there are.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from arcproof.process.forks import Copies, CopyEnded, can_fork
from arcproof.properties.proving.trusted.solvers import import_solvers
from arcproof.transitions.errors import ArcproofError

R = TypeVar("R")
Call: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
MOST_WAITING: Final = 32


class WorkerEnded(ArcproofError):
    """Answers are missing because a process was killed, perhaps for lack of memory."""


@contextmanager
def saying_who_ended() -> Iterator[None]:
    """Raise `WorkerEnded`, with advice, if a worker process ended."""
    try:
        yield
    except CopyEnded as error:
        raise WorkerEnded(
            "a solver process ended unexpectedly, perhaps for lack of memory; use fewer processes: --jobs 1"
        ) from error


@dataclass
class SolverCalls:
    """Processes that ask solvers, as many as there are jobs; none with one job, or if no process can be forked."""

    jobs: int = 1
    _copies: "Copies[Call, Any] | None" = None
    _waiting: deque[Call] = field(default_factory=deque)
    _done: dict[Call, Any] = field(default_factory=dict)

    @property
    def side_by_side(self) -> bool:
        """Whether there are other processes."""
        return self.jobs > 1 and can_fork()

    def begin(self, function: Callable[..., R], *arguments: Any) -> None:
        """Start a call whose answer may be needed."""
        call = function, arguments
        if not self.side_by_side or self._is_begun(call) or len(self._waiting) >= MOST_WAITING:
            return
        self._waiting.append(call)
        self._send()

    def result(self, function: Callable[..., R], *arguments: Any) -> R:
        """The answer, from any process; a call not yet started is made in this one."""
        call = function, arguments
        while self._copies is not None and (call in self._done or call in self._copies.busy):
            if call in self._done:
                answer: R = self._done.pop(call)
                return answer
            self._receive()
        if call in self._waiting:
            self._waiting.remove(call)
        return function(*arguments)

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        if self._copies is not None:
            self._copies.end()
        self._copies = None

    def _is_begun(self, call: Call) -> bool:
        return call in self._done or call in self._waiting or (self._copies is not None and call in self._copies.busy)

    def _send(self) -> None:
        if self._copies is None:
            import_solvers()
            self._copies = Copies(_called, self.jobs)
        while self._copies.ready():
            self._receive()
        self._ask()

    def _receive(self) -> None:
        assert self._copies is not None
        with saying_who_ended():
            call, answer = self._copies.next()
        self._done[call] = answer
        self._ask()

    def _ask(self) -> None:
        """Start as many waiting calls as there are idle processes."""
        assert self._copies is not None
        with saying_who_ended():
            while self._waiting and self._copies.ask(self._waiting[0]):
                self._waiting.popleft()


def _called(call: Call) -> object:
    function, arguments = call
    return function(*arguments)
