"""Linear functions, one for each class, on columns and joins: sparse weights."""

from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Arrays, Numbers
from arcproof.classifiers.learners.places import COUNT_BITS, EMPTY
from arcproof.process.lazy_dataclass import dataclass

SPARSE: Final = 6
LANES: Final = 8
MOST_COLUMNS: Final = 1 << 31


@dataclass(frozen=True)
class LinearClassifier:
    """Sparse weights: those of column k begin at `starts[k]`, each with its class."""

    kind: ClassVar[str] = "linear"
    expansion: Expansion
    number: int
    starts: Whole
    classes: Rows
    weights: np.ndarray[Any, Any]

    def scores(self, rows: Rows) -> Numbers:
        """One linear function for each class."""
        from arcproof.classifiers.learners import loops

        scores = np.zeros((len(rows), self.number))
        joins = self.expansion.joins
        if rows.shape[1] <= joins.max():
            raise ValueError("joins of features that do not exist")
        table, dense = self.lookup
        loops.score(
            np.ascontiguousarray(rows, dtype=np.int64), self.expansion.columns, joins, table, self.classes, self.weights, dense,
            np.empty((len(joins), 2), dtype=np.int64), np.empty(dense.shape[1], dtype=dense.dtype), scores,
        )  # fmt: skip
        return scores

    @cached_property
    def lookup(self) -> tuple[Whole, np.ndarray[Any, Any]]:
        """A table of where the weights of each key are; and the weights of keys that have many, written out for every
        class.
        """
        from arcproof.classifiers.learners import loops

        counts = np.diff(self.starts)
        used, many = np.flatnonzero(counts), np.flatnonzero(counts * SPARSE >= max(self.number, 1))
        dense = np.zeros((len(many), -(-self.number // LANES) * LANES), dtype=self.weights.dtype)
        in_dense = np.repeat(counts * SPARSE >= max(self.number, 1), counts)
        dense[np.repeat(np.arange(len(many)), counts[many]), self.classes[in_dense]] = self.weights[in_dense]
        values = (self.starts[:-1] << COUNT_BITS) | counts
        values[many] = -1 - np.arange(len(many))
        table = np.full((1 << max(4, int(2 * len(used)).bit_length()), 2), EMPTY, dtype=np.int64)
        loops.spread(self.expansion.keys[used], values[used], table)
        return table, dense

    def arrays(self) -> Arrays:
        """The arrays, with 32-bit weights: they are rounded before they are first used."""
        return {
            "shape": np.array([self.expansion.columns, self.number]), "joins": self.expansion.joins, "keys": self.expansion.keys, "starts": self.starts, "classes": self.classes,
            "weights": self.weights,
        }  # fmt: skip

    @staticmethod
    def from_arrays(arrays: Arrays) -> "LinearClassifier":
        """The classifier from what `arrays` returned."""
        columns, number = map(int, arrays["shape"])
        joins = arrays["joins"].astype(np.int64)
        if joins.ndim != 2 or joins.shape[1] != 3 or not len(joins) or joins[:, 0].min() < 0:
            raise ValueError("the joins of features are invalid")
        if not (0 < columns < MOST_COLUMNS and 0 < number < 1 << COUNT_BITS):
            raise ValueError("too many columns or classes, or none")
        expansion = Expansion(joins, columns, arrays["keys"].astype(np.int64))
        starts, classes = arrays["starts"].astype(np.int64), arrays["classes"].astype(np.int64)
        ordered = len(starts) == len(expansion.keys) + 1 and starts[0] == 0 and (np.diff(starts) >= 0).all()
        known = ((classes >= 0) & (classes < number)).all() and (np.diff(starts) <= number).all()
        if not (ordered and known and starts[-1] == len(classes) == len(arrays["weights"])):
            raise ValueError("the weights are inconsistent")
        return LinearClassifier(
            expansion, number, starts, classes.astype(np.int32), arrays["weights"].astype(np.float32)
        )

    @staticmethod
    def of(expansion: Expansion, weights: np.ndarray[Any, Any]) -> "LinearClassifier":
        """The classifier from a full matrix, which has a row for each column and a column for each class."""
        rows, classes = np.nonzero(weights)
        starts = np.searchsorted(rows, np.arange(len(weights) + 1))
        rounded = weights[rows, classes].astype(np.float32)
        return LinearClassifier(expansion, weights.shape[1], starts.astype(np.int64), classes.astype(np.int32), rounded)
