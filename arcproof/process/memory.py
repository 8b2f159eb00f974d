"""How much memory the machine has, and how to keep freed memory from being returned too eagerly."""

import os
import sys
from functools import cache
from typing import Final

_KEPT: Final = {"M_TRIM_THRESHOLD": (-1, 2**31 - 1), "M_TOP_PAD": (-2, 2**26), "M_MMAP_THRESHOLD": (-3, 2**25)}
"""The parameters and values passed to the GNU C library with `mallopt`."""
IN_THE_ENVIRONMENT: Final = {f"MALLOC_{name[2:]}_": str(value) for name, (_, value) in _KEPT.items()}
"""The same as an environment variable, for processes started later."""


def half_of_the_memory() -> int:
    """Half of the machine's memory, in bytes; 4 GB where that cannot be determined."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30


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
