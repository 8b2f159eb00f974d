"""The numeric codes of feature models: where a node is, which attribute of it is used, how values are counted.

`features.model` writes them, native code reads them (`arcproof/native/features.c`).
"""

from typing import Final

FROM_HEAD: Final = 0
FROM_TAIL: Final = 1
HEAD_OF: Final = 2
LEFTMOST_OF: Final = 3
RIGHTMOST_OF: Final = 4
BESIDE: Final = 5
CONTEXT: Final = 6

DEPREL: Final = -1
VALENCY_LEFT: Final = -2
VALENCY_RIGHT: Final = -3
DISTANCE: Final = -4
VALUE_OF: Final = -5
HEADS_OF: Final = -6
TAG_OF: Final = -7
MOST_VALENCY: Final = 6
MOST_VALUE: Final = 15
NEAR: Final = 5
FAR: Final = 10
