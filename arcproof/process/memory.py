"""How much memory may be used by default, and how to keep freed memory from being returned too eagerly."""

import sys
from functools import cache
from typing import Final

from arcproof.process import available

_KEPT: Final = {"M_TRIM_THRESHOLD": (-1, 2**31 - 1), "M_TOP_PAD": (-2, 2**26), "M_MMAP_THRESHOLD": (-3, 2**25)}
"""The parameters and values passed to the GNU C library with `mallopt`."""
IN_THE_ENVIRONMENT: Final = {f"MALLOC_{name[2:]}_": str(value) for name, (_, value) in _KEPT.items()}
"""The same as an environment variable, for processes started later."""


def half_of_the_memory() -> int:
    """Half of the memory that this process may use, in bytes."""
    return available.memory() // 2


@cache
def keep_memory() -> None:
    """From now on, keep freed memory that a solver will request again a moment later.

    The GNU C library would return it to the system; with any other C library, nothing happens.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    try:
        tell = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    for parameter, value in _KEPT.values():
        tell(parameter, value)
