"""Checks a driver against a figure in a separate process, so that a call that ignores alarms or ends its process does
no further harm.

A call counts as hung once this process has seen it running for too long by its own clock, whatever start time the other
process reports.  Such a call is recorded by its number, and the comparison is repeated without it.  On platforms
without fork, everything runs in this process, guarded only by alarms.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from tempfile import TemporaryDirectory
from typing import Any, Final

from arcproof.process.cache import cache_folder
from arcproof.process.forks import can_fork, forked
from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.progress import Say
from arcproof.process.quiet import quiet
from arcproof.properties.conformance.calls import Calls, Crashed, Failed, Hung, Told, shown
from arcproof.properties.conformance.case import OneCase
from arcproof.properties.conformance.conform import Conformance, Extent, compare
from arcproof.properties.conformance.driver import DriverParts
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.system import System

PATIENCE: Final = 1.0
"""How many seconds a call may run past its alarm, and how many a process has to stop when asked."""
GLANCE: Final = 0.2
SAID: Final = "said"
DONE: Final = "done"
FAILED: Final = "failed"


def conform(
    system: System,
    name: str,
    parts: DriverParts[Any, Any],
    effort: Extent,
    say: Say = lambda _: None,
    case: OneCase | None = None,
) -> Conformance:
    """Check a driver against a figure, or one case only; if interrupted, return what is known by then."""
    if not can_fork():
        return compare(system, name, parts, effort, say=say, case=case)
    ends = None if effort.seconds is None else time.monotonic() + effort.seconds
    known: dict[int, Failed] = {}
    with _home() as home:
        while True:
            told = Told()
            calls = Calls(effort.call_seconds, ends, dict(known), told)
            work = partial(_at_home, home, partial(compare, system, name, parts, effort, calls, case=case))
            found = _attempt(work, told, effort, say)
            if isinstance(found, Conformance):
                return found
            if told.is_stopped:
                raise KeyboardInterrupt
            known |= found


@contextmanager
def _home() -> Iterator[str]:
    """Yield a folder for Hypothesis: in the cache, so that nothing is left behind if this process is killed, or a
    temporary one if there is no cache.
    """
    cached = cache_folder("hypothesis")
    if cached is not None:
        yield str(cached)
        return
    with TemporaryDirectory() as home:
        yield home


def _at_home(home: str, work: Callable[..., Conformance], say: Say) -> Conformance:
    """Run `work` with `home` as Hypothesis's folder, because Hypothesis would otherwise use the current directory."""
    from hypothesis.configuration import set_hypothesis_home_dir

    set_hypothesis_home_dir(home)
    return work(say=say)


def _attempt(work: Callable[..., Conformance], told: Told, effort: Extent, say: Say) -> Conformance | dict[int, Failed]:
    """Return the result, or the call during which the process had to be killed."""
    process, connection = forked(partial(_serve, work), daemon=True)
    lasting = Lasting()
    try:
        while True:
            try:
                found = _glanced(process, connection, told, lasting, effort, say)
            except KeyboardInterrupt as interruption:
                what_ended(interruption)
                told.stop()
                _wake(process)
                continue
            if found is not None:
                return found
    finally:
        process.kill()
        process.join()
        connection.close()


def _wake(process: ForkProcess) -> None:
    """Make the process check whether it should stop."""
    if process.pid is not None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGALRM)


@dataclass
class Lasting:
    """How long the current call has been observed."""

    number: int = 0
    since: float = 0.0

    def seconds(self, number: int, now: float) -> float:
        """Return the seconds since this call was first observed, with no other call observed in between."""
        if number != self.number:
            self.number, self.since = number, now
        return now - self.since


def _glanced(
    process: ForkProcess, connection: "Connection[Any, Any]", told: Told, lasting: Lasting, effort: Extent, say: Say
) -> Conformance | dict[int, Failed] | None:
    """Return the outcome of the process, if there is one yet."""
    if connection.poll(GLANCE):
        try:
            kind, what = connection.recv()
        except EOFError:
            return _crash(process, told)
        if kind == FAILED:
            raise what
        if kind == SAID:
            say(what)
            return None
        assert isinstance(what, Conformance)
        return what
    number, method = told.call or (0, "")
    limit = PATIENCE if told.is_stopped else 2 * effort.call_seconds + PATIENCE
    if lasting.seconds(number, time.monotonic()) > limit and number:
        return {number: Hung(method, seconds=effort.call_seconds)}
    return None


def _crash(process: ForkProcess, told: Told) -> dict[int, Failed]:
    process.join(PATIENCE)
    code = process.exitcode
    how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    call = told.call
    if call is None:
        raise RuntimeError(f"the comparison process ended unexpectedly, with {how}")
    return {call[0]: Crashed(call[1], how)}


def _serve(work: Callable[..., Conformance], connection: "Connection[Any, Any]") -> None:
    def say(text: str) -> None:
        connection.send((SAID, text))

    try:
        with quiet(1, 2):
            found = work(say=say)
        connection.send((DONE, found))
    except ArcproofError as error:
        connection.send((FAILED, error))
    except Exception as error:
        connection.send((FAILED, RuntimeError(shown(error))))
