"""Ctrl-C, SIGTERM and time limits.

All raise a `KeyboardInterrupt` in whatever runs at that moment.  Where Python cannot raise, in a callback of the
garbage collector or of native code and in `__del__`, it drops the exception and hands it to `sys.unraisablehook`:
`watch` raises it again a moment later, where it takes effect. Where a library catches it, `go_on` raises it again;
progress displays call it.  `what_ended` is for code that really ends the run.

Native code notices nothing until it returns, and what is known may take long to show.  After SIGTERM the process ends
within seconds all the same, with what has been written by then (`_end_in_time`); `at_once` is for commands that have
nothing to show when they are interrupted.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN_AFTER: Final = 0.05
PATIENCE: Final = 0.5
"""Seconds for which `at_once` waits for native code."""


AT_ONCE: Final = 1e-6
"""Seconds for a timer that is to ring now; 0 would turn it off."""


SECONDS_TO_END: Final = 4.0
"""How long a command may go on after SIGTERM."""


def limit_reached(seconds: float) -> str:
    """The sentence about a time limit; what is left of a limit is not a round number."""
    return f"the time limit of {round(seconds, 1) or seconds:g} s was reached"


class TimeIsOver(KeyboardInterrupt):
    """A time limit was reached; the message is for the reader."""


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived; what is known is shown, as with Ctrl-C."""

    def __init__(self) -> None:
        """The message for the reader."""
        super().__init__("terminated")


_asked: list[KeyboardInterrupt] = []
_commands: list[None] = []
"""An entry for each command of this process; only tests run several."""


def go_on() -> None:
    """Raise an interruption that has not been handled."""
    if _asked:
        raise _asked[0]


def what_ended(interruption: KeyboardInterrupt) -> str:
    """Say what ended the run, to be followed by `before …` or a colon; this marks it as handled."""
    _asked.clear()
    return str(interruption) or "interrupted"


def watch() -> None:
    """From now on, raise dropped interruptions again; where Ctrl-C or SIGTERM is ignored, it still is."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stopped)
    _commands.append(None)
    if os.name == "posix":
        signal.set_wakeup_fd(_listener(), warn_on_full_buffer=False)
    before = sys.unraisablehook

    def dropped(unraisable: "UnraisableHookArgs") -> None:
        if issubclass(unraisable.exc_type, TimeIsOver):
            signal.setitimer(signal.ITIMER_REAL, AGAIN_AFTER)
        elif issubclass(unraisable.exc_type, KeyboardInterrupt):
            _asked.append(Terminated() if issubclass(unraisable.exc_type, Terminated) else KeyboardInterrupt())
            again = threading.Timer(AGAIN_AFTER, _interrupt)
            again.daemon = True
            again.start()
        else:
            before(unraisable)

    sys.unraisablehook = dropped


@cache
def _listener() -> int:
    """Start a thread that hears of signals when they arrive, whatever runs; the end of the pipe to it."""
    hears, told = _pipe()
    os.set_blocking(told, False)
    threading.Thread(target=_end_in_time, args=(hears,), daemon=True).start()
    return told


def _pipe() -> tuple[int, int]:
    """A pipe whose ends do not take the numbers of standard streams that are closed."""
    import fcntl

    ends = os.pipe()
    reads, writes = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3) for end in ends)
    for end in ends:
        os.close(end)
    return reads, writes


def _end_in_time(hears: int) -> None:
    """End the process some seconds after SIGTERM if the command that it was meant for still goes on."""
    while heard := os.read(hears, 1):
        if heard[0] == signal.SIGTERM:
            command = len(_commands)
            time.sleep(SECONDS_TO_END)
            if len(_commands) == command and signal.getsignal(signal.SIGTERM) is _stopped:
                _end_now(signal.SIGTERM)


def _end_now(number: int) -> None:
    cursor = b"\x1b[?25h" if os.isatty(2) else b""  # a progress bar hides it
    os.write(2, cursor + (b"terminated\n" if number == signal.SIGTERM else b"interrupted\n"))
    os._exit(3)


def _stopped(number: int, _: object) -> None:
    _stop(Terminated() if number == signal.SIGTERM else KeyboardInterrupt())


def _stop(interruption: KeyboardInterrupt) -> None:
    _asked.append(interruption)
    raise interruption


def _interrupt() -> None:
    """Raise the interruption again, as if the signal had come again, unless it has been handled since."""
    if not _asked:
        return
    number = signal.SIGTERM if isinstance(_asked[0], Terminated) else signal.SIGINT
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)
    else:
        signal.raise_signal(number)


@contextmanager
def at_once() -> Iterator[None]:
    """Let an interruption end the process within a second, whatever native code is doing.

    For a block that has nothing to show when it is interrupted, leaves nothing behind, and starts no processes.  A
    thread notices the signal as soon as it arrives; if the block has not been left soon after, it ends the process.
    """
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return
    hears, told = _pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    left = threading.Event()
    listener = threading.Thread(target=_listen, args=(hears, left), daemon=True)
    listener.start()
    try:
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(before)
        os.close(told)
        listener.join()
        os.close(hears)


def _listen(hears: int, left: threading.Event) -> None:
    while heard := os.read(hears, 1):
        number = heard[0]
        if (
            number in (signal.SIGINT, signal.SIGTERM)
            and signal.getsignal(number) is _stopped
            and not left.wait(PATIENCE)
        ):
            _end_now(number)


@contextmanager
def time_limit(seconds: float | None, over: TimeIsOver | None = None) -> Iterator[None]:
    """Interrupt the block, as Ctrl-C would, when the time is up, with this exception if one is given; without effect
    where there are no signals, and inside a limit that ends sooner.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not in_main_thread:
        yield
        return
    began = time.monotonic()
    outer, _ = signal.getitimer(signal.ITIMER_REAL)
    if 0 < outer <= seconds:
        yield
        return

    def stop(number: int, frame: object) -> None:  # noqa: ARG001
        _stop(over or TimeIsOver(limit_reached(seconds)))

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, AT_ONCE))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - began), AT_ONCE))


@contextmanager
def out_of_reach() -> Iterator[None]:
    """Keep Ctrl-C from the joblib workers that are started in the block: their parent ends them.  In this process it is
    held back until the block is left.

    The process that looks after their memory is started first, because that lets signals through again.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold back SIGTERM until the block is left.  Unlike a signal that is blocked, it still ends processes that are
    started here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if came:
            signal.raise_signal(signal.SIGTERM)
