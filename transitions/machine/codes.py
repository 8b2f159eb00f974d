"""Numbers that packed configurations and running parsers have in common: codes of transitions, rows of gold data."""

from typing import Final

# The code of a transition: the number of its name in the lowest bits, then one more than each length that is chosen.
NAME_BITS: Final = 8
NAME_MASK: Final = (1 << NAME_BITS) - 1

# One more than the head of each word, or 0; the place of each node in the projective order; its projective component.
GOLD_HEADS: Final = 0
GOLD_ORDER: Final = 1
GOLD_COMPONENTS: Final = 2

ROWS_OF_GOLD_FUNCTIONS: Final = {"mpc": GOLD_COMPONENTS}
