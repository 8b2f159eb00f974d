"""Rows of graphs by rank, made by native code.

A row has one number for each word: one more than its head, or 0 for a word without head.  `rows_of_trees` and `rows_of_forests` make the rows
of a range of ranks, in the order of `enumeration`, without anything else in memory.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from arcproof.transitions.graph import Heads

from arcproof.process.arrays import np
from arcproof.process.jit import compiled

Rows: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]


def rows_of(graphs: Iterable[Heads], words: int) -> Rows:
    """The rows of graphs."""
    flat = [0 if head is None else head + 1 for heads in graphs for head in heads]
    return np.array(flat, dtype=np.int64).reshape(-1, words)


@compiled("void(int64, int64, int64, boolean, int64[::1], int64[::1], int64[:, ::1])")
def _unrank(words: int, first: int, base: int, forests: bool, code: Rows, waiting: Rows, rows: Rows) -> None:
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
def count_trees(codes: Rows, words: int, bits: int, rooted: bool) -> int:
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


def rows_of_trees(words: int, ranks: range) -> Rows:
    """The trees of these ranks."""
    return _rows(words, ranks, words + 1, forests=False)


def rows_of_forests(words: int, ranks: range) -> Rows:
    """The forests of these ranks."""
    return _rows(words, ranks, words + 2, forests=True)


def _rows(words: int, ranks: range, base: int, forests: bool) -> Rows:
    rows = np.empty((len(ranks), words), dtype=np.int64)
    if words:
        code, waiting = np.empty(words, dtype=np.int64), np.empty(words + 1, dtype=np.int64)
        _unrank(words, ranks.start, base, forests, code, waiting, rows)
    return rows
