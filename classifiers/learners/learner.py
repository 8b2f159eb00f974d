"""What all learners have in common: instances, settings, and classifiers that score the classes of a row."""

from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np

from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import ArcproofError

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Arrays: TypeAlias = dict[str, np.ndarray[Any, Any]]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a learner; the defaults are the papers'.  `memory` is how many bytes the fast learner may use;
    None means no limit.
    """

    gamma: float = 0.2
    constant: float = 0.0
    cost: float = 0.5
    tolerance: float = 1.0
    epochs: int = 6
    most: float = 0.02
    seed: int = 1
    memory: int | None = None


class NotEnoughMemory(ArcproofError, ValueError):
    """The classifier would need more memory than allowed."""


class Classifier(Protocol):
    """Scores all classes for each row; the highest wins, the first in case of a tie."""

    kind: ClassVar[str]

    @property
    def number(self) -> int:
        """The number of classes."""
        ...

    def scores(self, rows: Rows) -> Numbers:
        """A row of scores for each row of columns."""
        ...

    def arrays(self) -> Arrays:
        """Everything that must be saved."""
        ...


@dataclass(frozen=True)
class Constant:
    """A classifier that always gives the same class."""

    kind: ClassVar[str] = "constant"
    number: int
    only: int

    def scores(self, rows: Rows) -> Numbers:
        """One vote for the only class."""
        scores = np.zeros((len(rows), self.number))
        scores[:, self.only] = 1
        return scores

    def arrays(self) -> Arrays:
        """Two numbers."""
        return {"shape": np.array([self.number, self.only])}

    @staticmethod
    def from_arrays(arrays: Arrays) -> "Constant":
        """The classifier from what `arrays` returned."""
        number, only = map(int, arrays["shape"])
        if not 0 <= only < number:
            raise ValueError("an unknown class")
        return Constant(number, only)


@dataclass(frozen=True)
class Data:
    """Instances: a row of columns and a class for each, how many classes and columns there are, and which features are
    joined; None means all pairs.
    """

    rows: Rows
    targets: Whole
    number: int
    columns: int
    joins: Whole | None = None

    @cached_property
    def present(self) -> Whole:
        """The classes that occur."""
        return np.unique(self.targets)


class Learn(Protocol):
    """A learner."""

    def __call__(self, data: Data, settings: Settings, watch: Watcher = SILENT, /) -> Classifier:
        """The classifier learned from these instances."""
        ...
