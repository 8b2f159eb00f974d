"""numba, as the shared functions use it: compiled for one signature, kept on disk where that is possible."""

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """A decorator for functions that do not hold the interpreter's lock.

    Where machine code cannot be kept, or what was kept is damaged, it is compiled for this process alone.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return njit(signature, nogil=True, cache=True)(function)
        except Exception:
            return njit(signature, nogil=True)(function)

    return decorate
