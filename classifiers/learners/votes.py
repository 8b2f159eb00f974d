"""One classifier for each pair of classes: the class with the most votes wins, the first in case of a tie."""

from typing import Any

import numpy as np
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.learners.learner import Numbers, Settings


def check_pairs(number: int, present: Whole, decisions: int, intercepts: Numbers) -> None:
    """Check that there is a decision for every two classes that are present."""
    pairs = len(present) * (len(present) - 1) // 2
    if (
        present.dtype.kind != "i"
        or len(present) < 2
        or present[0] < 0
        or present[-1] >= number
        or (np.diff(present) <= 0).any()
    ):
        raise ValueError("unknown classes")
    if decisions != pairs or intercepts.shape != (pairs,):
        raise ValueError("the pairs of classes are inconsistent")


def votes(decisions: Numbers, present: Whole, number: int) -> Numbers:
    """The number of pairs that each class wins; decisions are in the order (0, 1), (0, 2), …, (1, 2), …, positive for
    the first of the two.
    """
    votes = np.zeros((len(decisions), number))
    pair = 0
    for i in range(len(present)):
        for j in range(i + 1, len(present)):
            first = decisions[:, pair] > 0
            votes[first, present[i]] += 1
            votes[~first, present[j]] += 1
            pair += 1
    return votes


def one_against_one(matrix: Any, targets: Whole, settings: Settings, **kernel: Any) -> tuple[Any, int]:
    """An SVM of libsvm, and the sign that makes its decisions positive for the first class of a pair: with only two
    classes they are the other way round.
    """
    from sklearn.svm import SVC

    learner = SVC(tol=settings.tolerance, decision_function_shape="ovo", random_state=settings.seed, **kernel)
    learner.fit(matrix, targets)
    return learner, -1 if len(learner.classes_) == 2 else 1
