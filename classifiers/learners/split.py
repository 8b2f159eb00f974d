"""Instances divided by the value of one feature, the part of speech of the first word of the buffer, and a classifier
for each part.

Values with fewer than `least` instances share one.
"""

from typing import ClassVar, Final

import numpy as np
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.learner import Arrays, Classifier, Constant, Data, Learn, Numbers, Settings
from arcproof.classifiers.watching import SILENT, Watcher

from arcproof.process.lazy_dataclass import dataclass

NEVER: Final = -1e30


@dataclass(frozen=True)
class SplitClassifier:
    """A classifier for each group of values of one feature; values that were rare or not seen share the last group."""

    kind: ClassVar[str] = "split"
    number: int
    feature: int
    values: Whole
    groups: Whole
    parts: tuple[Classifier, ...]

    def scores(self, rows: Rows) -> Numbers:
        """The scores from the classifier of each row's group."""
        scores = np.full((len(rows), self.number), NEVER)
        belongs = self._groups(rows)
        for group in np.unique(belongs):
            mine = belongs == group
            scores[mine] = self.parts[group].scores(rows[mine])
        return scores

    def _groups(self, rows: Rows) -> Whole:
        if not len(self.values):
            return np.full(len(rows), len(self.parts) - 1, dtype=np.int64)
        column = rows[:, self.feature]
        place = np.minimum(np.searchsorted(self.values, column), len(self.values) - 1)
        return np.where(self.values[place] == column, self.groups[place], len(self.parts) - 1)

    def arrays(self) -> Arrays:
        """The arrays of the groups; the parts are saved one by one."""
        return {"shape": np.array([self.number, self.feature]), "values": self.values, "groups": self.groups}


def split(learn: Learn, data: Data, feature: int, settings: Settings, watch: Watcher = SILENT) -> SplitClassifier:
    """A classifier for each frequent value of the feature, and one for the rest; if there is no rest, the classifier of
    the most frequent value is used for everything rare.
    """
    values, counts = np.unique(data.rows[:, feature], return_counts=True)
    frequent = values[counts >= settings.least]
    parts: list[Classifier] = []
    watch.begin("learning", len(frequent) + 1)
    for value in frequent:
        watch.advance()
        parts.append(learn(data.where(data.rows[:, feature] == value), settings))
    rest = data.where(~np.isin(data.rows[:, feature], frequent))
    if len(rest.rows):
        parts.append(learn(rest, settings))
    else:
        parts.append(Constant(data.number, int(np.bincount(data.targets).argmax())))
    return SplitClassifier(data.number, feature, frequent.astype(np.int64), np.arange(len(frequent)), tuple(parts))
