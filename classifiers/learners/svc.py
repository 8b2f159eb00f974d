"""`svc`: the papers' support vector machine (Nivre 2008, section 6.1).

Quadratic kernel (γ x·y + r)² with γ 0.2 and r 0, C 0.5, tolerance 1.0, one classifier for each pair of classes: the
class with the most votes wins, the first in case of a tie.
"""

from typing import Any, ClassVar

import numpy as np

from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.learner import Arrays, Classifier, Constant, Data, Numbers, Settings
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.process.lazy_dataclass import dataclass


@dataclass(frozen=True)
class KernelClassifier:
    """Support vectors with their coefficients in each pair of classes."""

    kind: ClassVar[str] = "kernel"
    number: int
    columns: int
    gamma: float
    constant: float
    present: Whole
    support: Rows
    supporting: Whole
    coefficients: Numbers
    intercepts: Numbers

    def scores(self, rows: Rows) -> Numbers:
        """Votes."""
        products = (_one_hot(rows, self.columns) @ _one_hot(self.support, self.columns).T).toarray()
        values = (self.gamma * products + self.constant) ** 2
        ends = np.cumsum(self.supporting)
        parts = [slice(end - size, end) for end, size in zip(ends, self.supporting, strict=True)]
        decisions = []
        for i in range(len(self.present)):
            for j in range(i + 1, len(self.present)):
                first = values[:, parts[i]] @ self.coefficients[j - 1, parts[i]]
                second = values[:, parts[j]] @ self.coefficients[i, parts[j]]
                decisions.append(first + second)
        return _votes(np.stack(decisions, axis=1) + self.intercepts, self.present, self.number)

    def arrays(self) -> Arrays:
        """Support vectors as rows of columns."""
        return {
            "shape": np.array([self.number, self.columns]), "kernel": np.array([self.gamma, self.constant]), "present": self.present,
            "support": self.support, "supporting": self.supporting, "coefficients": self.coefficients, "intercepts": self.intercepts,
        }  # fmt: skip

    @staticmethod
    def from_arrays(arrays: Arrays) -> "KernelClassifier":
        """The classifier from what `arrays` returned."""
        number, columns = map(int, arrays["shape"])
        gamma, constant = map(float, arrays["kernel"])
        present, support, supporting = arrays["present"], arrays["support"], arrays["supporting"]
        sizes = [int(size) for size in supporting]
        if min(sizes, default=-1) < 0 or len(support) != sum(sizes) or len(sizes) != len(present):
            raise ValueError("the support vectors are inconsistent")
        if arrays["coefficients"].shape != (len(present) - 1, len(support)):
            raise ValueError("the coefficients do not match the support vectors")
        if support.size and not 0 <= support.min() <= support.max() < columns:
            raise ValueError("support vectors with unknown columns")
        _check_pairs(number, present, len(arrays["intercepts"]), arrays["intercepts"])
        return KernelClassifier(
            number, columns, gamma, constant, present, support, supporting, arrays["coefficients"], arrays["intercepts"]
        )  # fmt: skip


def learn_svc(data: Data, settings: Settings, _: Watcher = SILENT) -> Classifier:
    """The papers' learner."""
    from sklearn.svm import SVC

    if len(data.present) == 1:
        return Constant(data.number, int(data.present[0]))
    learner = SVC(
        kernel="poly", degree=2, gamma=settings.gamma, coef0=settings.constant, C=settings.cost, tol=settings.tolerance,
        decision_function_shape="ovo", random_state=settings.seed,
    )  # fmt: skip
    learner.fit(_one_hot(data.rows, data.columns), data.targets)
    sign = -1 if len(learner.classes_) == 2 else 1  # of two classes, decisions are positive for the second
    coefficients = learner.dual_coef_.toarray() if hasattr(learner.dual_coef_, "toarray") else learner.dual_coef_
    return KernelClassifier(
        data.number, data.columns, settings.gamma, settings.constant, data.present, data.rows[learner.support_],
        learner.n_support_.astype(np.int64), sign * coefficients, sign * learner.intercept_,
    )  # fmt: skip


def _one_hot(rows: Rows, columns: int) -> Any:
    from scipy.sparse import csr_matrix

    starts = np.arange(len(rows) + 1) * rows.shape[1]
    return csr_matrix((np.ones(rows.size), rows.ravel(), starts), shape=(len(rows), columns))


def _check_pairs(number: int, present: Whole, decisions: int, intercepts: Numbers) -> None:
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


def _votes(decisions: Numbers, present: Whole, number: int) -> Numbers:
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
