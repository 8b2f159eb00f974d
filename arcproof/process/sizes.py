"""Sizes and durations as people write them: `8G`, `500M` or a number of bytes; `90s`, `5m`, `1h` or a number of
seconds.
"""

from math import inf
from typing import Final

UNITS: Final = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
LARGEST_SIZE: Final = 2**63 - 1
"""What the operating system can count."""
TIMES: Final = {"s": 1, "m": 60, "h": 3600}


def bytes_in(text: str) -> int | None:
    """The number of bytes; None if it is not a size."""
    text = text.strip().upper().removesuffix("B")
    factor = UNITS.get(text[-1:], 1)
    try:
        size = int(float(text[:-1] if factor > 1 else text) * factor)
    except (ValueError, OverflowError):
        return None
    return size if size >= 0 else None


def seconds_in(text: str) -> float | None:
    """The number of seconds; None if it is not a duration."""
    text = text.strip().lower()
    factor = TIMES.get(text[-1:])
    try:
        seconds = float(text if factor is None else text[:-1]) * (factor or 1)
    except ValueError:
        return None
    return seconds if 0 <= seconds < inf else None
