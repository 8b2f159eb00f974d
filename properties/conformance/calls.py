"""Calls to a driver, where raising, hanging or ending the process counts as an answer too.

Each call has a time limit, enforced by an alarm; where there are no alarms, or outside the main thread, there is no
limit.  Calls are numbered.  Before each call, its number and method are written to memory shared with the supervising
process (`apart`), which ends a call that ignores the alarm.  The run is then repeated without the calls known to end
badly (`known`).

A method that has failed to answer `MOST_HANGS` times is not called again.
"""

import mmap
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import Final, TypeVar

from arcproof.process.interruption import TimeIsOver
from arcproof.process.lazy_dataclass import dataclass

R = TypeVar("R")

MOST_HANGS: Final = 3
SECONDS: Final = 5.0
LONGEST_ERROR: Final = 200
PRIVATE: Final = "_arcproof_driver_"
"""The prefix of the name of a module that was read from a file; a hash and the file's name follow."""
ONLY_HERE: Final = re.compile(rf"{PRIVATE}[0-9a-f]{{8}}_| at 0x[0-9a-fA-F]+(?=>)")


class Failed(Exception):
    """A call that gave no answer: which method, how it failed, and after how long if that matters."""

    def __init__(self, method: str, how: str = "", seconds: float = 0.0) -> None:
        """Store the arguments."""
        super().__init__(f"{method}: {how}")
        self.method = method
        self.how = how
        self.seconds = seconds


class Raised(Failed):
    """The method raised an exception; `how` is its name and message."""


class Hung(Failed):
    """The method did not answer in time."""


class Crashed(Failed):
    """The method ended the process."""


class GivenUp(Failed):
    """The method has hung too often to be called again."""


class _Late(BaseException):
    """Raised by the alarm within a call; `except Exception` does not catch it."""


class Told:
    """The call in progress, in memory shared by a forked process and its supervisor.

    One process writes the call and the other asks it to stop, each in its own words of memory.  The version is odd
    while a call is being written: a reader that sees the same even version before and after has read a single call, not
    parts of two.
    """

    _STOPPED: Final = 0
    _VERSION: Final = 1
    _NUMBER: Final = 2
    _METHOD: Final = slice(24, 56)

    def __init__(self) -> None:
        """Start with no call in progress."""
        self._bytes = memoryview(mmap.mmap(-1, self._METHOD.stop))
        self._words = self._bytes[: self._METHOD.start].cast("q")

    def begins(self, number: int, method: str) -> None:
        """Record that this call has begun."""
        self._words[self._VERSION] += 1
        self._words[self._NUMBER] = number
        self._bytes[self._METHOD] = method.encode()[:32].ljust(32, b"\0")
        self._words[self._VERSION] += 1

    def ends(self) -> None:
        """Record that the call has ended."""
        self.begins(0, "")

    def stop(self) -> None:
        """Ask for no more calls."""
        self._words[self._STOPPED] = 1

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._words[self._STOPPED] == 1

    @property
    def call(self) -> tuple[int, str] | None:
        """The number and method of the call in progress; None if there is none, or while one is being written."""
        version = self._words[self._VERSION]
        number, method = self._words[self._NUMBER], bytes(self._bytes[self._METHOD])
        if version % 2 or version != self._words[self._VERSION] or not number:
            return None
        return number, method.rstrip(b"\0").decode()


@dataclass
class Calls:
    """Calls methods under a time limit per call and an overall deadline, skipping the calls known to end badly."""

    seconds: float = SECONDS
    ends: float | None = None
    known: Mapping[int, Failed] = field(default_factory=dict)
    told: Told | None = None
    number: int = 0
    _hung: Counter[str] = field(default_factory=Counter)
    _is_calling: bool = False
    _has_alarm: bool = False

    def ask(self, method: str, call: Callable[[], R]) -> R:
        """Return the answer; raise `Failed` if there is none, `TimeIsOver` if the overall time is up."""
        self._check_time()
        if self._hung[method] >= MOST_HANGS:
            raise GivenUp(method)
        self.number += 1
        if self.number in self.known:
            self._hung[method] += 1
            raise self.known[self.number]
        if self.told is None:
            return self._timed(method, call)
        self.told.begins(self.number, method)
        try:
            return self._timed(method, call)
        finally:
            self.told.ends()

    @property
    def given_up(self) -> tuple[str, ...]:
        """The methods that are no longer called."""
        return tuple(method for method, times in self._hung.items() if times >= MOST_HANGS)

    def _timed(self, method: str, call: Callable[[], R]) -> R:
        try:
            self._is_calling = True
            if self._has_alarm:
                signal.setitimer(signal.ITIMER_REAL, self.seconds, self.seconds)
            answer = call()
            self._is_calling = False
        except _Late:
            self._hung[method] += 1
            raise Hung(method, seconds=self.seconds) from None
        except TimeIsOver:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and self.told is None:
                raise  # Ctrl-C does not reach a forked process: there the driver has raised it
            raise Raised(method, shown(error)) from error
        finally:
            self._is_calling = False
            self._await_the_end()
        return answer

    def _await_the_end(self) -> None:
        """Set the alarm to the overall deadline, for the time between calls."""
        if self._has_alarm:
            left = 0.0 if self.ends is None else max(0.001, self.ends - time.monotonic())
            signal.setitimer(signal.ITIMER_REAL, left)

    def _over(self, number: int, frame: object) -> None:  # noqa: ARG002 - as signals want it
        if self._is_calling and not (self.told is not None and self.told.is_stopped):
            raise _Late
        self._check_time()

    def _check_time(self) -> None:
        if self.ends is not None and time.monotonic() > self.ends:
            raise TimeIsOver("timed out")
        if self.told is not None and self.told.is_stopped:
            raise TimeIsOver("interrupted")

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Install the alarm for the duration of a block, where alarms exist."""
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._over)
        self._has_alarm = True
        self._await_the_end()
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            self._has_alarm = False


def as_text(value: object) -> str:
    """Return what a driver returned as text for a message; only its type if it cannot be shown."""
    try:
        return public(repr(value))
    except Exception:
        return f"an object of type {type(value).__name__}"


def public(text: str) -> str:
    """Strip from a text of Python's what means something only here: addresses, and names of modules read from files."""
    return ONLY_HERE.sub("", text)


def shown(error: BaseException) -> str:
    """Return an error as `IndexError: list index out of range`, on one line; only its name if there is no usable
    message.

    Lone surrogates become `?`, so that reports can be written.
    """
    try:
        text = public(" ".join(str(error).split())).encode("utf-8", "replace").decode()
    except BaseException:
        text = ""
    short = text if len(text) <= LONGEST_ERROR else text[: LONGEST_ERROR - 1] + "…"
    return f"{type(error).__name__}: {short}" if short else type(error).__name__
