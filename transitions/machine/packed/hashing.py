"""The hash of a packed configuration, which says where to look for it but never whether two are equal; the sizes of
tables.
"""

from typing import Final

from arcproof.process.jit import in_place

PARTS: Final = 64
FULL: Final = 0.8
SLOT_BYTES: Final = 5


@in_place
def hashed(w0: int, w1: int) -> int:
    """A number that looks random, for packed words."""
    h = w0 * -7046029254386353131 + (w1 ^ 0x1F83D9ABFB41BD6B) * -4658895280553007687
    h ^= (h >> 32) & 0xFFFFFFFF
    h *= -4417276706812531889
    return h ^ ((h >> 29) & 0x7FFFFFFFF)
