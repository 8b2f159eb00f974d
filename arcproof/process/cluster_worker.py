"""What a worker of a cluster does for us: it shows that it has the same code, makes a call, and gives a call up.

Calls are made one at a time in each process, whatever the number of its threads: nothing of ours is made for several.
"""

import ctypes
import hashlib
import platform
import threading
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from arcproof.process.lazy_dataclass import dataclass

FOLDERS: Final = (
    "arcproof",
    "arcproof.transitions",
    "arcproof.generators",
    "arcproof.properties",
    "arcproof.classifiers",
)
LIBRARIES: Final = ("numpy", "numba", "z3-solver", "cvc5", "scikit-learn", "hypothesis", "cloudpickle", "distributed")
"""Those on which what is found, or how it travels, may depend."""
DATA: Final = {".py", ".lark", ".tsys", ".lemmas", ".features", ".conllu", ".txt"}

_one_at_a_time = threading.RLock()
_guard = threading.Lock()
_running: dict[str, set[int]] = {}
_given_up: set[str] = set()


class OtherCode(Exception):
    """A worker has another version of arcproof, or of what it uses."""


class CallGivenUp(BaseException):
    """Nobody waits for the call any more; no handler of errors catches this."""


@cache
def identity() -> tuple[tuple[str, str], ...]:
    """What must be the same wherever calls are made: Python, arcproof's own files, the libraries."""
    digest = hashlib.sha256()
    for name in FOLDERS:
        root = Path(str(import_module(name).__file__)).parent
        for path in sorted(path for path in root.rglob("*") if path.suffix in DATA):
            digest.update(f"{name}/{path.relative_to(root).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return (("Python", python), *((name, _version(name)) for name in LIBRARIES), ("arcproof", digest.hexdigest()[:12]))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def difference(here: tuple[tuple[str, str], ...], there: tuple[tuple[str, str], ...]) -> str | None:
    """What is not the same; None if everything is."""
    pairs = [(name, mine, dict(there).get(name, "missing")) for name, mine in here]
    found = [f"{name} {theirs} instead of {mine}" for name, mine, theirs in pairs if mine != theirs]
    return ", ".join(found) or None


class Arguments:
    """The arguments of a call; Dask is not to look into them."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        """As they are."""
        self.values = values


@dataclass(frozen=True)
class RemoteRun:
    """What calls belong to, and the code that must answer them."""

    name: str
    code: tuple[tuple[str, str], ...]


def received(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function, where it can be called."""
    return function


def called(run: RemoteRun, function: Callable[..., Any], given: Arguments) -> Any:
    """A call whose arguments came with it."""
    return done(run, function, *given.values)


def done(run: RemoteRun, function: Callable[..., Any], *arguments: Any) -> Any:
    """Make a call that belongs to a run, unless the run is given up; `OtherCode` where other code would answer."""
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
    """End the calls of a run at their next step in Python, and begin none any more."""
    with _guard:
        _given_up.add(run)
        for thread in _running.get(run, ()):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(CallGivenUp))
