"""An oracle followed to many gold graphs, by native code.

Graphs are rows of one number for each word: one more than its head, or 0 for a word without head.  `rows_of_trees` and `rows_of_forests` make the rows
of a range of ranks, in the order of `generators.enumeration`, without anything else in memory.
"""

from collections.abc import Iterable

import numpy as np

from arcproof.transitions.compiled import kernel
from arcproof.transitions.compiled.emit import most_successors
from arcproof.transitions.compiled.jit import compiled
from arcproof.transitions.compiled.layout import Words64
from arcproof.transitions.compiled.module import Native
from arcproof.transitions.graph import Heads
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


def rows_of(graphs: Iterable[Heads], words: int) -> Words64:
    """The rows of graphs."""
    flat = [0 if head is None else head + 1 for heads in graphs for head in heads]
    return np.array(flat, dtype=np.int64).reshape(-1, words)


@compiled("void(int64, int64, int64, boolean, int64[:, ::1])")
def _unrank(words: int, first: int, base: int, forests: bool, rows: Words64) -> None:
    code = np.empty(words, dtype=np.int64)
    waiting = np.empty(words + 1, dtype=np.int64)
    for k in range(rows.shape[0]):
        rank = first + k
        code[words - 1] = 1
        if forests:
            code[words - 1] = 1 - rank % 2
            rank //= 2
        for place in range(words - 2, -1, -1):
            digit = rank % base
            rank //= base
            code[place] = 0 if digit > words else digit + 1
        waiting[:] = 0
        for place in range(words):
            waiting[max(0, code[place] - 1)] += 1
        entry = 0
        for word in range(words, 0, -1):
            leaf = word
            while leaf >= word and waiting[leaf] == 0:
                rows[k, leaf - 1] = code[entry]
                leaf = max(0, code[entry] - 1)
                waiting[leaf] -= 1
                entry += 1


@compiled("int64(int64[::1], int64, int64, boolean)")
def count_trees(codes: Words64, words: int, bits: int, rooted: bool) -> int:
    """How many of the packed heads are trees; if not `rooted`, words without head count as dependents of 0."""
    found = 0
    for k in range(len(codes)):
        good = True
        for word in range(1, words + 1):
            node = word
            for _ in range(words):
                if node == 0:
                    break
                node = ((codes[k] >> ((words - node) * bits)) & ((1 << bits) - 1)) - 1
                if node < 0:
                    node = -1 if rooted else 0
                    break
            if node != 0:
                good = False
                break
        if good:
            found += 1
    return found


def rows_of_trees(words: int, ranks: range) -> Words64:
    """The trees of these ranks."""
    return _rows(words, ranks, words + 1, forests=False)


def rows_of_forests(words: int, ranks: range) -> Words64:
    """The forests of these ranks."""
    return _rows(words, ranks, words + 2, forests=True)


def _rows(words: int, ranks: range, base: int, forests: bool) -> Words64:
    rows = np.empty((len(ranks), words), dtype=np.int64)
    if words:
        _unrank(words, ranks.start, base, forests, rows)
    return rows
