"""Ctrl-C and time limits.

Both raise a `KeyboardInterrupt` in whatever runs at that moment.  Where Python cannot raise, in a callback of the garbage collector or of
native code and in `__del__`, it drops the exception and hands it to `sys.unraisablehook`: `watch` has it raised again a moment later, where it counts.
Where a library catches it, `go_on` raises it again: whoever shows progress asks there.  `what_ended` is for
whoever really ends the work.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN_AFTER: Final = 0.05


class TimeIsOver(KeyboardInterrupt):
    """A time limit interrupts; the message is for the reader."""


_asked: list[KeyboardInterrupt] = []


def go_on() -> None:
    """Raise an interruption that nobody has heeded."""
    if _asked:
        raise _asked[0]


def what_ended(interruption: KeyboardInterrupt) -> str:
    """What ended the work, to be followed by `before …` or a colon; with this it is heeded."""
    _asked.clear()
    return str(interruption) or "interrupted"


def watch() -> None:
    """From now on an interruption that is dropped is raised again; where Ctrl-C is ignored, it still is."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda _, __: _stop(KeyboardInterrupt()))
    before = sys.unraisablehook

    def dropped(unraisable: "UnraisableHookArgs") -> None:
        if issubclass(unraisable.exc_type, TimeIsOver):
            signal.setitimer(signal.ITIMER_REAL, AGAIN_AFTER)
        elif issubclass(unraisable.exc_type, KeyboardInterrupt):
            _asked.append(KeyboardInterrupt())
            again = threading.Timer(AGAIN_AFTER, _interrupt)
            again.daemon = True
            again.start()
        else:
            before(unraisable)

    sys.unraisablehook = dropped


def _stop(interruption: KeyboardInterrupt) -> None:
    _asked.append(interruption)
    raise interruption


def _interrupt() -> None:
    """As if Ctrl-C were pressed, if it has not been heeded since."""
    if not _asked:
        return
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Interrupt the block, as Ctrl-C would, when the time is over; without effect where there are no signals."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def over(number: int, frame: object) -> None:  # noqa: ARG001
        _stop(TimeIsOver(f"the time limit of {seconds:g} s was over"))

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def out_of_reach() -> Iterator[None]:
    """Worker processes of joblib that are started in the block never see Ctrl-C: who started them ends them.  Here it is held back until the block is left.

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
