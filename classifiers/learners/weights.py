"""Linear functions, one for each class, on columns and joins: sparse weights."""

from typing import Any, ClassVar, Final

import numpy as np

from arcproof import native
from arcproof.classifiers.codes import KEY_COUNT_BITS
from arcproof.classifiers.features.model import MAX_COLUMNS
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.expansion import (
    Expansion,
    checked,
    have_keys,
    rows_structure,
    table_of,
    table_structure,
)
from arcproof.classifiers.learners.learner import Arrays, Numbers
from arcproof.process.lazy_dataclass import dataclass

SPARSE: Final = 6
LANES: Final = 8


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
        if rows.shape[1] <= self.expansion.joins.max():
            raise ValueError("joins of features that do not exist")
        scores = np.empty((len(rows), self.number))
        checked(native.library.score(self.structure, rows_structure(rows), self.number, native.pointer(scores)))
        return scores

    @native.cached_structure
    def structure(self) -> Any:
        """The weights as native code takes them: those of columns and joins that have many are written out for every
        class.
        """
        counts = np.diff(self.starts)
        used, is_full = np.flatnonzero(counts), counts * SPARSE >= max(self.number, 1)
        many, in_full = np.flatnonzero(is_full), np.repeat(is_full, counts)
        full = np.zeros((len(many), -(-self.number // LANES) * LANES), dtype=np.float32)
        full[np.repeat(np.arange(len(many)), counts[many]), self.classes[in_full]] = self.weights[in_full]
        values = (self.starts[:-1] << KEY_COUNT_BITS) | counts
        values[many] = -1 - np.arange(len(many))
        return native.structure(
            "linear", joins=self.expansion.structure, table=table_structure(table_of(self.expansion.keys[used], values[used])),
            sparse=native.pointer(self.weights), classes=native.pointer(self.classes), full=native.pointer(full), width=full.shape[1],
        )  # fmt: skip

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
        if not (0 < columns < MAX_COLUMNS and 0 < number < 1 << KEY_COUNT_BITS):
            raise ValueError("too many columns or classes, or none")
        if not have_keys(joins, columns):
            raise ValueError("too many columns to join")
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
