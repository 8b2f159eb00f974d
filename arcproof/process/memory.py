"""How much memory there is, and keeping what was asked for."""

import os
import sys
from functools import cache
from typing import Final

_KEPT: Final = {"M_TRIM_THRESHOLD": (-1, 2**31 - 1), "M_TOP_PAD": (-2, 2**26), "M_MMAP_THRESHOLD": (-3, 2**25)}
"""The numbers and values of what the GNU C library is told with `mallopt`."""
IN_THE_ENVIRONMENT: Final = {f"MALLOC_{name[2:]}_": str(value) for name, (_, value) in _KEPT.items()}
"""The same for processes that are yet to be started."""


def half_of_the_memory() -> int:
    """Half of the machine's memory, in bytes; 4 GB where that cannot be found out."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30


@cache
def keep_memory() -> None:
    """From now on, do not give memory back at once which a solver asks for again a moment later.

    The GNU C library would; where there is another, nothing happens.
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
