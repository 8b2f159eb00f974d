"""Constants for the tables in which columns and joins are found (`loops`)."""

from typing import Final

SCATTER: Final = 0x5851F42D4C957F2D
EMPTY: Final = -1
COUNT_BITS: Final = 24
