"""What runs on a cluster worker: showing that it has the same code, making a call, giving up a call.

Each process makes one call at a time, whatever the number of its threads: our code is not thread-safe.
"""

import ctypes
import platform
import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from arcproof.process.code_digest import code_digest
from arcproof.process.lazy_dataclass import dataclass

CODE: Final = tuple(
    f"arcproof.{name}" for name in ("process", "transitions", "generators", "properties", "classifiers")
)
LIBRARIES: Final = (
    "numpy", "numba", "llvmlite", "networkx", "z3-solver", "cvc5", "scikit-learn", "scipy", "hypothesis", "cloudpickle",
    "distributed",
)  # fmt: skip
"""The libraries on which results or their serialisation may depend."""

_one_at_a_time = threading.RLock()
_guard = threading.Lock()
_running: dict[str, set[int]] = {}
_given_up: set[str] = set()


class OtherCode(Exception):
    """A worker has a different version of arcproof or of a library."""


class CallGivenUp(BaseException):
    """Nobody is waiting for the call any longer; no error handler catches this."""


@cache
def identity() -> tuple[tuple[str, str], ...]:
    """What must be the same wherever calls are made: Python, arcproof's own files, the libraries."""
    python = ".".join(platform.python_version_tuple()[:2])
    return (("Python", python), *((name, _version(name)) for name in LIBRARIES), ("arcproof", code_digest(CODE)[:12]))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def difference(here: tuple[tuple[str, str], ...], there: tuple[tuple[str, str], ...]) -> str | None:
    """Describe how two identities differ; None if they do not."""
    pairs = [(name, mine, dict(there).get(name, "missing")) for name, mine in here]
    found = [f"{name} {theirs} instead of {mine}" for name, mine, theirs in pairs if mine != theirs]
    return ", ".join(found) or None


class Arguments:
    """The arguments of a call, wrapped so that Dask does not look into them."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        """Wrap these values."""
        self.values = values


@dataclass(frozen=True)
class RemoteRun:
    """The name of a run, and the code that its calls must be made with."""

    name: str
    code: tuple[tuple[str, str], ...]


def received(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function unchanged: on the worker, it is ready to be called."""
    return function


def called(run: RemoteRun, function: Callable[..., Any], given: Arguments) -> Any:
    """Make a call whose arguments came wrapped."""
    return done(run, function, *given.values)


def done(run: RemoteRun, function: Callable[..., Any], *arguments: Any) -> Any:
    """Make a call that belongs to a run, unless the run was given up; `OtherCode` if this worker has different code."""
    different = difference(run.code, identity())
    if different is not None:
        raise OtherCode(different)
    me = threading.get_ident()
    with _one_at_a_time:
        with _guard:
            if run.name in _given_up:
                raise CallGivenUp
            _running.setdefault(run.name, set()).add(me)
        try:
            return function(*arguments)
        finally:
            with _guard:
                _running[run.name].discard(me)


def give_up(run: str) -> None:
    """End the calls of a run at their next step in Python, and start no more."""
    with _guard:
        _given_up.add(run)
        for thread in _running.get(run, ()):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(CallGivenUp))
