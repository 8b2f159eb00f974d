"""Weights during training: a linear function for each class on the columns of an expansion, and sums for their mean."""

from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np

from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import NotEnoughMemory, Settings
from arcproof.classifiers.learners.places import EMPTY
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.printing.wording import size_text

Reals: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
PIECE: Final = 10_000
"""The number of instances that native code learns from before it returns."""


@dataclass
class Averaged:
    """Weights, a row for each column of the expansion; `step` is the number of the next step of learning."""

    expansion: Expansion
    number: int
    weights: Reals
    sums: Reals
    step: int = 1

    @staticmethod
    def of(expansion: Expansion, number: int, instances: int, settings: Settings) -> "Averaged":
        """Weights that are still zero; `NotEnoughMemory` if this many instances would take too much."""
        classes = max(number, 2)
        _check_memory(expansion, classes, instances, settings)
        weights = np.zeros((len(expansion.keys), classes), dtype=np.float32)
        return Averaged(expansion, number, weights, np.zeros_like(weights))

    @cached_property
    def table(self) -> Whole:
        """A hash table with each key of the expansion next to its number."""
        from arcproof.classifiers.learners import loops

        keys = self.expansion.keys
        table = np.full((1 << max(4, int(2 * len(keys)).bit_length()), 2), EMPTY, dtype=np.int64)
        loops.spread(keys, np.arange(len(keys), dtype=np.int64), table)
        return table

    def classifier(self) -> LinearClassifier:
        """The classifier of the mean weights, which overwrite the weights."""
        from arcproof.classifiers.learners import loops

        loops.average(self.weights, self.sums, self.step)
        return LinearClassifier.of(self.expansion, self.weights[:, : self.number])


def round_of_learning(learned: Averaged, expanded: Rows, targets: Whole, order: Whole, most: float) -> None:
    """Make one pass over the instances in this order, in pieces, so that Ctrl-C can take effect in between."""
    from arcproof.classifiers.learners import loops

    scores = np.zeros(learned.weights.shape[1], dtype=np.float32)
    for begin in range(0, len(order), PIECE):
        piece = order[begin : begin + PIECE]
        learned.step = loops.train(
            expanded, targets, piece, learned.weights, learned.sums, scores, most, learned.step
        )  # fmt: skip


def _check_memory(expansion: Expansion, classes: int, instances: int, settings: Settings) -> None:
    needed = 2 * 4 * len(expansion.keys) * classes + 4 * instances * len(expansion.joins)
    if settings.memory is not None and needed > settings.memory:
        raise NotEnoughMemory(
            f"learning {len(expansion.keys)} columns and pairs for {classes} classes takes {size_text(needed)}, "
            f"more than the {size_text(settings.memory)} of --memory; "
            "train on fewer sentences, or with a smaller feature model"
        )
