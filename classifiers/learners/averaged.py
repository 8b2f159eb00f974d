"""Weights during training: a linear function for each class on the columns of an expansion, and sums for their mean."""

from typing import Any, TypeAlias

import numpy as np

from arcproof import native
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.expansion import PIECE, Expansion, checked, table_structure
from arcproof.classifiers.learners.learner import NotEnoughMemory, Settings
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.printing.wording import size_text

Reals: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]


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

    @native.cached_structure
    def structure(self) -> Any:
        """The weights as native code takes them."""
        return native.structure(
            "linear", joins=self.expansion.structure, table=table_structure(self.expansion.table),
            full=native.pointer(self.weights), sums=native.pointer(self.sums), width=self.weights.shape[1],
        )  # fmt: skip

    def classifier(self) -> LinearClassifier:
        """The classifier of the mean weights, which overwrite the weights."""
        native.library.average(self.structure, len(self.weights), self.step)
        return LinearClassifier.of(self.expansion, self.weights[:, : self.number])


def round_of_learning(learned: Averaged, expanded: Rows, targets: Whole, order: Whole, most: float) -> None:
    """Make one pass over the instances in this order."""
    instances = native.structure("instances", numbers=native.pointer(expanded), classes=native.pointer(targets))
    for begin in range(0, len(order), PIECE):
        piece = order[begin : begin + PIECE]
        checked(
            native.library.learn(learned.structure, instances, native.pointer(piece), len(piece), most, learned.step)
        )
        learned.step += len(piece)


def _check_memory(expansion: Expansion, classes: int, instances: int, settings: Settings) -> None:
    needed = 2 * 4 * len(expansion.keys) * classes + 4 * instances * len(expansion.joins)
    if settings.memory is not None and needed > settings.memory:
        raise NotEnoughMemory(
            f"learning {len(expansion.keys)} columns and pairs for {classes} classes takes {size_text(needed)}, "
            f"more than the {size_text(settings.memory)} of --memory; "
            "train on fewer sentences, or with a smaller feature model"
        )
