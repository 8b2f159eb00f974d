"""Dropping what a library prints, whether Python or native code prints it."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress


@contextmanager
def quiet(*numbers: int) -> Iterator[None]:
    """Drop what is written to these file descriptors in the block."""
    with ExitStack() as stack:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        stack.callback(os.close, nowhere)
        _flush()
        for number in filter(_is_open, numbers):
            saved = os.dup(number)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, number)
            os.dup2(nowhere, number)
        stack.callback(_flush)
        yield


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _flush() -> None:
    """Flush Python's streams and those of C, which would otherwise be written after the block."""
    import ctypes

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).fflush(None)
