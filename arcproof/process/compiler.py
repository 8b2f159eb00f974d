"""Finding out whether a compiler is available, and telling the user when compiling takes long."""

import importlib.util
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from arcproof.process.extras import install

SECONDS_OF_SILENCE: Final = 1.0


class NoCompiler(Exception):
    """numba is not installed."""


def need_compiler() -> None:
    """Raise `NoCompiler` if numba is not installed."""
    if importlib.util.find_spec("numba") is None:
        raise NoCompiler(f"numba is not installed; {install('speed')}")


@contextmanager
def announced(message: str) -> Iterator[None]:
    """Print a message to the terminal if the block takes long."""
    timer = threading.Timer(SECONDS_OF_SILENCE, _to_terminal, [message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _to_terminal(message: str) -> None:
    """Print to the terminal only: if standard error goes elsewhere, the message would end up in the output."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr, flush=True)
