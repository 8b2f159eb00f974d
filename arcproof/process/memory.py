"""How much memory there is."""

import os


def half_of_the_memory() -> int:
    """Half of the machine's memory, in bytes; 4 GB where that cannot be found out."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30
