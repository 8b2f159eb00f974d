"""Learners: from instances to a classifier that scores the classes of a row.

- `svc`: the papers' support vector machine, with its quadratic kernel.
- `explicit`: the same with the kernel written out, so that it scores with weights instead of support vectors.
- `fast`: averaged passive-aggressive updates, native.
- `liblinear`: Choi & Palmer's.

The first two are *split* by the part of speech of the first word of the buffer.  All are deterministic: same instances,
same classifier.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from arcproof.classifiers.learners.explicit import VotingClassifier, learn_explicit
from arcproof.classifiers.learners.fast import learn_fast
from arcproof.classifiers.learners.learner import Arrays, Classifier, Constant, Learn
from arcproof.classifiers.learners.liblinear import learn_liblinear
from arcproof.classifiers.learners.svc import KernelClassifier, learn_svc
from arcproof.classifiers.learners.weights import LinearClassifier

Kind: TypeAlias = Literal["svc", "explicit", "fast", "liblinear"]
KINDS: Final = get_args(Kind)
WITH_JOINS: Final = ("fast", "liblinear")
LEARN: Final[dict[Kind, Learn]] = {
    "svc": learn_svc,
    "explicit": learn_explicit,
    "fast": learn_fast,
    "liblinear": learn_liblinear,
}
FROM_ARRAYS: Final[dict[str, Callable[[Arrays], Classifier]]] = {
    LinearClassifier.kind: LinearClassifier.from_arrays,
    Constant.kind: Constant.from_arrays,
    KernelClassifier.kind: KernelClassifier.from_arrays,
    VotingClassifier.kind: VotingClassifier.from_arrays,
}
