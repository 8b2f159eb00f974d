"""`fast`: one linear function for each class on the columns and joins that occur twice or more (`native/linear.c`).

Joins are those that the feature model names, or else all pairs.
"""

from typing import Final

import numpy as np

from arcproof.classifiers.learners.averaged import Averaged, round_of_learning
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Classifier, Data, Settings
from arcproof.classifiers.watching import SILENT, Watcher

LEAST: Final = 2


def learn_fast(data: Data, settings: Settings, watch: Watcher = SILENT) -> Classifier:
    """Averaged passive-aggressive updates, in an order fixed by the seed."""
    watch.begin("learning", settings.epochs)
    return rounds(data, settings, settings.epochs, np.random.default_rng(settings.seed), watch).classifier()


def rounds(data: Data, settings: Settings, number: int, chance: np.random.Generator, watch: Watcher) -> Averaged:
    """The weights learned in this many rounds."""
    expansion = Expansion.of(data.rows, data.columns, LEAST, data.joins)
    learned = Averaged.of(expansion, data.number, len(data.rows), settings)
    expanded = expansion.of_rows(data.rows)
    for _ in range(number):
        watch.advance()
        round_of_learning(learned, expanded, data.targets, chance.permutation(len(data.rows)), settings.most)
    return learned
