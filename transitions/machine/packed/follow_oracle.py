"""An oracle followed to many gold graphs, by native code.

Graphs are rows of one number for each word: one more than its head, or 0 for a word without head.
"""

import numpy as np
from arcproof.transitions.machine.packed import kernel
from arcproof.transitions.machine.packed.emit import most_successors
from arcproof.transitions.machine.packed.layout import Words64
from arcproof.transitions.machine.packed.module import Native
from arcproof.transitions.system import most_transitions


def follow(native: Native, oracle: int, rows: Words64) -> Words64:
    """For each row the length of the oracle's derivation; -1 if there is none, -2 if that cannot be told here.

    `DoesNotFit` for too many words.
    """
    words = rows.shape[1]
    layout = native.layout(words)
    room = max(1, most_successors(native.system, words))
    scratch = [np.empty(room, dtype=np.int64) for _ in range(4)]
    gold = np.zeros((kernel.GOLD_ROWS, words + 1), dtype=np.int64)
    lengths = np.empty(len(rows), dtype=np.int64)
    w0, w1 = layout.pack(native.system.start(words))
    native.sweep(
        oracle, rows, w0, w1, layout.shape, native.system.has_root, most_transitions(words), *scratch, gold, lengths
    )  # fmt: skip
    return lengths
