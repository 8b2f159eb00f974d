"""Whole runs of one sentence in arrays, each led by a policy or an oracle: the numbers that Python and native code
exchange about them (`arcproof/native/whole_runs.c`).

The program is loose (`arrays.kernel`).  A run ends in a terminal configuration, in a dead end, or is cut off: after as
many transitions as there is room for, or, if the policy says so, when it reaches a configuration for the second time.
It is abandoned where it takes an irregular transition or does not fit into the arrays; only the interpreter knows what
a figure means there.

A *policy* has a kind.  Some kinds have two orders, the place of each transition's name.
- `PREFER`: the transition whose name comes first in the current order, and of its instances the first or, if it
  `takes_last`, the last.  From step `switch_at` on, unless that is -1, the second order applies.  A draw of 32 random
  bits for each step decides whether the order is followed, in `steadiness` of 256 cases, or which of all transitions is
  taken.
- `IN_TURN`: at step k the name at place k of the order, or the first one after it that is permissible.
- `LOOK_AHEAD`: the transition after which a sequence, `measure`, is longest, or for -1 there are the most arcs; with
  `sign` -1, shortest or fewest.
- `FOLLOW`: the transition that an `oracle` takes towards the gold graph.

The *facts* about a run are how it ended, its length, the most space that a configuration takes, the longest sequence,
the arcs at the end, and signs as in `packed.signs`.  Besides, it is counted how often each transition was taken.
"""

from typing import Final

MAX_PERMITTED: Final = 4_096  # in one configuration; where there are more, the run is abandoned

# Kinds of policies.
PREFER: Final = 0
IN_TURN: Final = 1
LOOK_AHEAD: Final = 2
FOLLOW: Final = 3

# How a run ends.
GOES_ON: Final = -1
AT_TERMINAL: Final = 0
AT_DEAD_END: Final = 1
CUT_OFF: Final = 2
GIVEN_UP: Final = 3
NO_LINE_MATCHES: Final = 4
NOT_PERMISSIBLE: Final = 5

# Kinds of components.
SEQUENCE: Final = 0
SET: Final = 1
NUMBER: Final = 2
BUFFER: Final = 3
TURNED_BUFFER: Final = 4  # its front is on the right
