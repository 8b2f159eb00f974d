"""numba, as the shared functions use it: compiled for one signature, kept on disk where that is possible.

numba keeps machine code by the file of a function and does not see that a function which it calls stands in another file and has changed.
So what is kept here is also kept by the text of all files in the folder of the function and below it: functions that call each other across files
stand in one folder, the caller not below the one that is called, or name the other folder.
"""

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache
from numba.core.sigutils import normalize_signature
from numba.core.types import FunctionType


class _Kept(FunctionCache):
    """Machine code that goes with the text of all files that it may be made of."""

    def __init__(self, function: Callable[..., Any], folders: Sequence[Path]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._folders = (Path(function.__code__.co_filename).parent, *folders)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        key: tuple[Any, ...] = super()._index_key(sig, codegen)  # type: ignore[no-untyped-call]
        return (*key, *map(digest, self._folders))


@lru_cache
def digest(folder: Path) -> str:
    """A hash of all Python files in a folder and below it."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def compiled(signature: str, *taking: str, using: Sequence[ModuleType] = ()) -> Callable[[Callable[..., Any]], Any]:
    """A decorator for functions that do not hold the interpreter's lock.

    Before the parameters in the signature come functions with the signatures in `taking`.  Functions that are handed over are not compiled
    again with their callers.  `using` are modules in other folders whose numbers and inlined functions are used.  Where machine code cannot be kept, or what was kept is damaged, it is compiled for this process alone.
    """
    arguments, result = _parts(signature)
    functions = [FunctionType(r(*a)) for a, r in map(_parts, taking)]
    whole = result(*functions, *arguments)
    folders = [Path(module.__file__).parent for module in using if module.__file__ is not None]

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher: Any = njit(nogil=True)(function)
        try:
            dispatcher._cache = _Kept(function, folders)
            with _without_scipy():
                dispatcher.compile(whole)
            dispatcher.disable_compile()
        except Exception:
            return njit(whole, nogil=True)(function)
        return dispatcher

    return decorate


@contextmanager
def _without_scipy() -> Iterator[None]:
    """When numba compiles for the first time it looks for linear algebra in SciPy, which takes longer to import than all of numba; nothing here needs it."""
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]


def _parts(signature: str) -> tuple[Any, Any]:
    """The types of the parameters and of the result."""
    arguments, result = normalize_signature(signature)  # type: ignore[no-untyped-call]
    return arguments, result


def inlined(function: Callable[..., Any]) -> Any:
    """A decorator for functions that only compiled functions call: they are compiled, and kept, with their callers."""
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return njit(nogil=True, **options)(function)


def in_place(function: Callable[..., Any]) -> Any:
    """A decorator for small functions of which no call may remain: numba puts their text in place of it."""
    return njit(nogil=True, inline="always")(function)
