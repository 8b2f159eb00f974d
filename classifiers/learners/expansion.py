"""The columns of a row and the joins of two or three of them, numbered: the inputs that linear functions have weights
for.
"""

from dataclasses import field

import numpy as np

from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.learner import NotEnoughMemory
from arcproof.process.lazy_dataclass import dataclass


def all_pairs(features: int) -> Whole:
    """Every single feature, and every pair of them."""
    first, second = np.triu_indices(features, 1)
    joins = np.full((features + len(first), 3), -1, dtype=np.int64)
    joins[:features, 0] = np.arange(features)
    joins[features:, 0], joins[features:, 1] = first, second
    return joins


@dataclass(frozen=True)
class Expansion:
    """The columns and joins that a linear function has weights for, by their keys."""

    joins: Whole
    columns: int
    keys: Whole
    _table: tuple[Whole, Whole] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Build the table."""
        from arcproof.classifiers.learners import loops

        size = 1 << max(4, int(2 * len(self.keys)).bit_length())
        table, numbers = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
        loops.fill(self.keys, table, numbers)
        object.__setattr__(self, "_table", (table, numbers))

    @staticmethod
    def of(rows: Rows, columns: int, least: int, joins: Whole | None = None) -> "Expansion":
        """The columns and joins that occur at least this often in these rows, in the order of their keys; without
        `joins`, all pairs.
        """
        from arcproof.classifiers.learners import loops

        wide = np.ascontiguousarray(rows, dtype=np.int64)
        joined = all_pairs(rows.shape[1]) if joins is None else joins
        if (columns + 1) ** (3 if (joined[:, 2] >= 0).any() else 2) >= 2**62:
            raise NotEnoughMemory(f"{columns} columns are too many to join; leave out rare words")
        size = 1 << 16
        while True:
            keys, counts = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
            if loops.collect(wide, columns, joined, keys, counts) >= 0:
                return Expansion(joined, columns, np.sort(keys[counts >= least]))
            size *= 4

    def of_rows(self, rows: Rows) -> Rows:
        """The numbers of the columns and joins of each row; -1 for those without a weight."""
        from arcproof.classifiers.learners import loops

        expanded = np.empty((len(rows), len(self.joins)), dtype=np.int32)
        wide = np.ascontiguousarray(rows, dtype=np.int64)
        loops.look_up(wide, self.columns, self.joins, *self._table, expanded)
        return expanded
