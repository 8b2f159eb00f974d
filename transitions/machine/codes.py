"""Numbers that Python and native code have in common: codes of transitions, rows of gold data, how a call ends, what a
configuration costs.
"""

from typing import Final

# The code of a transition: the number of its name in the lowest bits, then one more than each length that is chosen.
NAME_BITS: Final = 8
NAME_MASK: Final = (1 << NAME_BITS) - 1

# One more than the head of each word, or 0; the place of each node in the projective order; its projective component.
GOLD_HEADS: Final = 0
GOLD_ORDER: Final = 1
GOLD_COMPONENTS: Final = 2

ROWS_OF_GOLD_FUNCTIONS: Final = {"mpc": GOLD_COMPONENTS}

# How a call ends; a program may also give up with DOES_NOT_FIT or SECOND_HEAD.
FINISHED: Final = 1
PAUSED: Final = 0
DOES_NOT_FIT: Final = -1
SECOND_HEAD: Final = -2
OUT_OF_MEMORY: Final = -3
DOES_NOT_CLIMB: Final = -4
CLIMBS_UNEVENLY: Final = -5
MANY: Final = 2  # several workers should share what comes next

# How arcs are packed (`packed.layout`).
AS_HEADS: Final = 0
AS_GRAPH: Final = 1
AS_MATRIX: Final = 2

# Bytes: besides the two words of a configuration that is kept, its signs, its parent and where its edges begin; memory
# for orders, lengths and numbers of runs afterwards; the target and the name of an edge; a slot of a hash table.
BYTES_KEPT: Final = 14
BYTES_ANALYSED: Final = 30
BYTES_AN_EDGE: Final = 5
SLOT_BYTES: Final = 8
MAX_NUMBERED: Final = 2**31 - 1  # configurations, and edges, which are counted by 32 bits
