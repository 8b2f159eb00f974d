"""`liblinear`: Choi & Palmer 2011.

L2 regularisation, L1 loss, cost 0.1, tolerance 0.1, no bias, one class against the rest, on the same columns and joins
as `fast`; their templates join features too.
"""

import warnings

import numpy as np
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Classifier, Data, Settings
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.watching import SILENT, Watcher


def learn_liblinear(data: Data, settings: Settings, _: Watcher = SILENT) -> Classifier:
    """Choi & Palmer's."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    if len(data.present) == 1:
        return data.constant
    expansion, present = Expansion.of(data.rows, data.columns, 2, data.joins), data.present
    weights = np.zeros((len(expansion.keys), data.number))
    learner = LinearSVC(
        penalty="l2", loss="hinge", dual=True, C=0.1, tol=0.1, fit_intercept=False, random_state=settings.seed, max_iter=200
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learner.fit(expansion.matrix(data.rows), data.targets)
    if len(present) == 2:
        weights[:, present[0]], weights[:, present[1]] = -learner.coef_[0], learner.coef_[0]
    else:
        weights[:, present] = learner.coef_.T
    return LinearClassifier.of(expansion, weights)
