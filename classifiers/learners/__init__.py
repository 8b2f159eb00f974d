"""Learners: from instances to a classifier that scores the classes of a row.

- `fast`: averaged passive-aggressive updates, native.
- `svc`: the papers' support vector machine, with its quadratic kernel, by scikit-learn.

Both are deterministic: same instances, same classifier.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from arcproof.classifiers.learners.fast import learn_fast
from arcproof.classifiers.learners.learner import Arrays, Classifier, Constant, Learn
from arcproof.classifiers.learners.svc import KernelClassifier, learn_svc
from arcproof.classifiers.learners.weights import LinearClassifier

Kind: TypeAlias = Literal["fast", "svc"]
KINDS: Final = get_args(Kind)
LEARN: Final[dict[Kind, Learn]] = {
    "fast": learn_fast,
    "svc": learn_svc,
}
FROM_ARRAYS: Final[dict[str, Callable[[Arrays], Classifier]]] = {
    LinearClassifier.kind: LinearClassifier.from_arrays,
    Constant.kind: Constant.from_arrays,
    KernelClassifier.kind: KernelClassifier.from_arrays,
}
