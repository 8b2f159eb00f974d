"""The smallest input that still fails in the same way: pieces are left out as long as it does (delta debugging).

Lines first, then tokens, then characters; what cannot be cut at these places is cut in halves of bytes.
"""

import re
import time
from collections.abc import Callable, Sequence

CUTS = (rb"[^\n]*\n?", rb"\s+|\w+|[^\w\s]", rb"[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*|[\x80-\xbf]")


def minimised(data: bytes, fails: Callable[[bytes], bool], seconds: float = 30.0) -> bytes:
    """The data without what can be left out; `fails` is asked until the time is over."""
    end = time.monotonic() + seconds
    for cut in CUTS:
        pieces = [piece for piece in re.findall(cut, data, re.DOTALL if cut is CUTS[2] else 0) if piece]
        data = b"".join(_smaller(pieces, fails, end))
    return data


def _smaller(pieces: Sequence[bytes], fails: Callable[[bytes], bool], end: float) -> Sequence[bytes]:
    size = max(1, len(pieces) // 2)
    while pieces and time.monotonic() < end:
        shorter = None
        for start in range(0, len(pieces), size):
            rest = [*pieces[:start], *pieces[start + size :]]
            if time.monotonic() >= end:
                return pieces
            if fails(b"".join(rest)):
                shorter = rest
                break
        if shorter is not None:
            pieces = shorter
            size = min(size, max(1, len(pieces)))
        elif size == 1:
            return pieces
        else:
            size //= 2
    return pieces
