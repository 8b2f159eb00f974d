"""Numbers that Python and native code have in common."""

from typing import Final

# Tables of keys (`learners.expansion`): the factor that scatters keys, and the key of a free slot.  The value of a key
# with sparse weights has this many bits for how many there are.
KEY_SCATTER: Final = 0x5851F42D4C957F2D
KEY_EMPTY: Final = -1
KEY_COUNT_BITS: Final = 24

# Exploration (`exploration`): native code asks what transitions cost; what one costs of which nobody knows.
ASKED: Final = 3
UNKNOWN_COST: Final = 1 << 30

# What continues a run in beam search (`beam`), if not a class: nothing, or a transition that is not a class, as
# SEARCH_FALLBACK minus its code.
SEARCH_STAYS: Final = -1
SEARCH_FALLBACK: Final = -2
