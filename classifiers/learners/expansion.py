"""The columns of a row and the joins of two or three of them, numbered: the inputs that linear functions have weights
for.

Columns and joins are found in a table by a key of their own, so that no two of them share a place.
"""

from functools import cached_property
from typing import Any, Final

import numpy as np

from arcproof import native
from arcproof.classifiers.codes import KEY_EMPTY
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.learner import NotEnoughMemory
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.codes import DOES_NOT_FIT, OUT_OF_MEMORY

PIECE: Final = 10_000
"""The number of rows that native code deals with before it returns, so that Ctrl-C can take effect in between."""


def all_pairs(features: int) -> Whole:
    """Every single feature, and every pair of them."""
    first, second = np.triu_indices(features, 1)
    joins = np.full((features + len(first), 3), -1, dtype=np.int64)
    joins[:features, 0] = np.arange(features)
    joins[features:, 0], joins[features:, 1] = first, second
    return joins


def have_keys(joins: Whole, columns: int) -> bool:
    """Whether the keys of these joins fit into machine words."""
    return bool((columns + 1) ** (3 if (joins[:, 2] >= 0).any() else 2) < 2**62)


def checked(answer: int) -> int:
    """What native code returned; `MemoryError` if it had no memory."""
    if answer == OUT_OF_MEMORY:
        raise MemoryError
    return answer


def rows_structure(rows: Rows) -> Any:
    """Rows of columns as native code takes them."""
    fitting = np.ascontiguousarray(rows, dtype=np.int32)
    return native.structure("rows", columns=native.pointer(fitting), count=len(rows), features=rows.shape[1])


def empty_table(span: int) -> Whole:
    """A table with this many places, a power of 2, for keys with their values; no more than half of it may be used."""
    return np.full((span, 2), KEY_EMPTY, dtype=np.int64)


def table_structure(table: Whole) -> Any:
    """A table as native code takes it."""
    slots = native.ffi.from_buffer("struct key_slot[]", table)
    return native.structure("key_table", slots=slots, span=len(table))


def table_of(keys: Whole, values: Whole) -> Whole:
    """A table of these keys with their values."""
    table = empty_table(1 << max(4, int(2 * len(keys)).bit_length()))
    native.library.enter_keys(table_structure(table), native.pointer(keys), native.pointer(values), len(keys))
    return table


@dataclass(frozen=True)
class Expansion:
    """The columns and joins that a linear function has weights for, by their keys."""

    joins: Whole
    columns: int
    keys: Whole

    @cached_property
    def table(self) -> Whole:
        """The table of the keys, with values as for weights that are all written out."""
        return table_of(self.keys, -1 - np.arange(len(self.keys), dtype=np.int64))

    @property
    def structure(self) -> Any:
        """The joins as native code takes them."""
        return _joins_structure(self.joins, self.columns)

    @staticmethod
    def of(rows: Rows, columns: int, least: int, joins: Whole | None = None) -> "Expansion":
        """The columns and joins that occur at least this often in these rows, in the order of their keys; without
        `joins`, all pairs.
        """
        joined = all_pairs(rows.shape[1]) if joins is None else joins
        if not have_keys(joined, columns):
            raise NotEnoughMemory(f"{columns} columns are too many to join; leave out rare words")
        span = 1 << 16
        while (table := _counted(rows, _joins_structure(joined, columns), span)) is None:
            span *= 4
        keys, counts = table.T
        return Expansion(joined, columns, np.sort(keys[counts >= least]))

    def of_rows(self, rows: Rows) -> Rows:
        """The numbers of the columns and joins of each row; -1 for those without a weight."""
        numbers = np.empty((len(rows), len(self.joins)), dtype=np.int32)
        joins, table = self.structure, table_structure(self.table)
        for begin in range(0, len(rows), PIECE):
            piece, part = rows_structure(rows[begin : begin + PIECE]), numbers[begin : begin + PIECE]
            checked(native.library.number_joins(joins, table, piece, native.pointer(part)))
        return numbers


def _joins_structure(joins: Whole, columns: int) -> Any:
    return native.structure("joins", places=native.pointer(joins), count=len(joins), columns=columns)


def _counted(rows: Rows, joins: Any, span: int) -> Whole | None:
    """A table of how often each column and join occurs; None if this span is too small."""
    table, used = empty_table(span), 0
    for begin in range(0, len(rows), PIECE):
        piece = rows_structure(rows[begin : begin + PIECE])
        used = checked(native.library.count_keys(joins, piece, table_structure(table), used))
        if used == DOES_NOT_FIT:
            return None
    return table
