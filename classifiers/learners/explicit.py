"""`explicit`: the kernel of `svc` written out.

For binary features (x·y)² is the inner product of the vectors of all columns, and of all pairs of columns weighted √2;
with C' = C γ² = 0.02 it is the same optimisation problem, so it finds the same hyperplanes, but scores with weights
instead of support vectors.  With r the columns are weighted √(1 + 2r/γ); r² adds the same amount to all products, which
the bias absorbs.  With the papers' tolerance of 1.0 both solvers stop far from the optimum, at places that rounding
decides; with a tolerance of 0.001 they agree.
"""

from typing import ClassVar

import numpy as np
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Arrays, Classifier, Data, Numbers, Settings
from arcproof.classifiers.learners.votes import check_pairs, one_against_one, votes
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.watching import SILENT, Watcher

from arcproof.process.lazy_dataclass import dataclass


@dataclass(frozen=True)
class VotingClassifier:
    """A linear function for each pair of classes."""

    kind: ClassVar[str] = "voting"
    number: int
    present: Whole
    pairs: LinearClassifier
    intercepts: Numbers

    def scores(self, rows: Rows) -> Numbers:
        """Votes."""
        return votes(self.pairs.scores(rows) + self.intercepts, self.present, self.number)

    def arrays(self) -> Arrays:
        """The weights of the pairs, with full precision."""
        return {
            **self.pairs.arrays(), "voters": np.array([self.number]), "present": self.present,
            "intercepts": self.intercepts,
        }  # fmt: skip

    @staticmethod
    def from_arrays(arrays: Arrays) -> "VotingClassifier":
        """The classifier, from what `arrays` returned."""
        pairs, number = LinearClassifier.from_arrays(arrays), int(arrays["voters"][0])
        check_pairs(number, arrays["present"], pairs.number, arrays["intercepts"])
        return VotingClassifier(number, arrays["present"], pairs, arrays["intercepts"])


def learn_explicit(data: Data, settings: Settings, _: Watcher = SILENT) -> Classifier:
    """The papers' learner on the expansion of its kernel."""
    if len(data.present) == 1:
        return data.constant
    expansion = Expansion.of(data.rows, data.columns, least=1)
    cost = settings.cost * settings.gamma**2
    of_columns, of_joins = np.sqrt(1 + 2 * settings.constant / settings.gamma), np.sqrt(2)
    matrix = expansion.matrix(data.rows, of_columns, of_joins)
    learner, sign = one_against_one(matrix, data.targets, settings, C=cost, kernel="linear")
    weights = learner.coef_.tocsc()
    weight = np.where(expansion.keys < data.columns, of_columns, of_joins)
    values = sign * weights.data * np.repeat(weight, np.diff(weights.indptr))
    linear = LinearClassifier(
        expansion, weights.shape[0], weights.indptr.astype(np.int64), weights.indices.astype(np.int32), values
    )  # fmt: skip
    return VotingClassifier(data.number, data.present, linear, sign * learner.intercept_)
