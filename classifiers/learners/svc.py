"""`svc`: the papers' support vector machine (Nivre 2008, section 6.1).

Quadratic kernel (γ x·y + r)² with γ 0.2 and r 0, C 0.5, tolerance 1.0, one classifier for each pair of classes.
"""

from typing import Any, ClassVar

import numpy as np
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.learner import Arrays, Classifier, Data, Numbers, Settings
from arcproof.classifiers.learners.votes import check_pairs, one_against_one, votes
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
        return votes(np.stack(decisions, axis=1) + self.intercepts, self.present, self.number)

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
        check_pairs(number, present, len(arrays["intercepts"]), arrays["intercepts"])
        return KernelClassifier(
            number, columns, gamma, constant, present, support, supporting, arrays["coefficients"], arrays["intercepts"]
        )  # fmt: skip


def learn_svc(data: Data, settings: Settings, _: Watcher = SILENT) -> Classifier:
    """The papers' learner."""
    if len(data.present) == 1:
        return data.constant
    kernel = {"kernel": "poly", "degree": 2, "gamma": settings.gamma, "coef0": settings.constant}
    learner, sign = one_against_one(
        _one_hot(data.rows, data.columns), data.targets, settings, C=settings.cost, **kernel
    )
    coefficients = learner.dual_coef_.toarray() if hasattr(learner.dual_coef_, "toarray") else learner.dual_coef_
    return KernelClassifier(
        data.number, data.columns, settings.gamma, settings.constant, data.present, data.rows[learner.support_],
        learner.n_support_.astype(np.int64), sign * coefficients, sign * learner.intercept_,
    )  # fmt: skip


def _one_hot(rows: Rows, columns: int) -> Any:
    from scipy.sparse import csr_matrix

    starts = np.arange(len(rows) + 1) * rows.shape[1]
    return csr_matrix((np.ones(rows.size), rows.ravel(), starts), shape=(len(rows), columns))
