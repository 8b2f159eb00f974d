"""Sizes as people write them: `8G`, `500M`, or a number of bytes."""

from typing import Final

UNITS: Final = {"K": 2**10, "M": 2**20, "G": 2**30}


def bytes_in(text: str) -> int | None:
    """The number of bytes; None if it is not a size."""
    text = text.strip().upper().removesuffix("B")
    factor = UNITS.get(text[-1:], 1)
    try:
        size = int(float(text[:-1] if factor > 1 else text) * factor)
    except (ValueError, OverflowError):
        return None
    return size if size >= 0 else None
