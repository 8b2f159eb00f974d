"""The command line in the process of the tests: the same `main`, without Python's start-up and the imports.

The directory, the environment, the arguments, the three standard streams and the handlers of signals are the command's
own while it runs, and everything is as before when it ends.  Standard streams are replaced as file descriptors, so what
native code and worker processes print is seen too.  A process of its own is for tests of what only a process has:
signals, start-up, encodings, a closed standard output.
"""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

SETTINGS = {"COLUMNS": "100", "PYTHONUTF8": "1"}
"""What a command finds in its environment, in this process or in one of its own."""


@dataclass(frozen=True)
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def run_here(
    arguments: tuple[str, ...],
    folder: Path,
    stdin: str = "",
    environment: Mapping[str, str] = SETTINGS,
    merged: bool = False,
) -> Result:
    """Run `arcproof` with these arguments in the folder; `merged` is what a shell does for `2>&1`."""
    from arcproof.__main__ import main
    from arcproof.process import cache
    from arcproof.process.interruption import what_ended

    with ExitStack() as stack, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        stack.enter_context(chdir(folder))
        stack.enter_context(patch.dict(os.environ, environment))
        stack.enter_context(patch.object(sys, "argv", ["arcproof", *arguments]))
        stack.enter_context(patch.object(sys, "unraisablehook", sys.unraisablehook))
        stack.enter_context(patch.object(cache, "_told", set()))
        stack.enter_context(_handlers_kept())
        stack.enter_context(_standard_streams(stdin, out.fileno(), (out if merged else err).fileno()))
        stack.callback(_end_workers)
        stack.callback(what_ended, KeyboardInterrupt())
        try:
            main()
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        sys.stderr.flush()
        assert isinstance(code, int)
        return Result(code, _content(out.fileno()), _content(err.fileno()))


def _content(descriptor: int) -> str:
    """All that was written, with line ends as a text stream reads them."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, size, 0).decode().replace("\r\n", "\n")


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Ctrl-C is Python's own in the block; afterwards every handler is what it was."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _standard_streams(stdin: str, out: int, err: int) -> Iterator[None]:
    """Standard input, output and error, as descriptors and as Python's streams."""
    with ExitStack() as stack, tempfile.TemporaryFile() as given:
        given.write(stdin.encode())
        given.seek(0)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            getattr(sys, name).flush() if number else None
            saved = os.dup(number)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, number)
            os.dup2((given.fileno(), out, err)[number], number)
            mode, buffering = ("r" if number == 0 else "w"), (1 if number == 2 else -1)
            stream = stack.enter_context(open(number, mode, buffering, encoding="utf-8", closefd=False))
            stack.enter_context(patch.object(sys, name, stream))
        yield


def _end_workers() -> None:
    """Worker processes of joblib outlive a call; those of the next command must have its directory and its
    environment.
    """
    loaded = sys.modules.get("joblib.externals.loky.reusable_executor")
    if loaded is not None and loaded._executor is not None:
        loaded._executor.shutdown(wait=True, kill_workers=True)
