"""Learners: from instances to a classifier that scores the classes of a row.

(a) `svc`: the papers' support vector machine (Nivre 2008, section 6.1): quadratic kernel (γ x·y + r)² with γ 0.2 and r 0, C 0.5, tolerance 1.0,
    one classifier for each pair of classes, the class with most votes, of equals the first.
(b) `explicit`: the same written out.  For binary features (x·y)² is the inner product of the vectors of all columns, and of all pairs of columns
    weighted √2; with C' = C γ² = 0.02 it is the same optimisation problem, so it finds the same hyperplanes, but scores with weights instead of
    support vectors.  With r the columns are weighted √(1 + 2r/γ); r² adds the same to all products, which the bias takes up.  With the papers' tolerance of 1.0 both solvers stop far from the optimum, at places that rounding decides; with a tolerance
    of 0.001 they agree.
(c) `fast`: one linear function for each class on the columns and joins that occur twice or more, by `running.pairs.train`.  Joins are those that the feature model
    names, or else all pairs.
(d) `liblinear`: Choi & Palmer 2011: L2 regularisation, L1 loss, cost 0.1, tolerance 0.1, no bias, one class against the rest, on the same columns and
    joins as (c); their templates join features too.

(a) and (b) are *split*: the instances are divided by the value of one feature, the part of speech of the first word of the buffer, and each part
has a classifier of its own; values with fewer than `least` instances share one.  All learners are deterministic: same instances, same classifier.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, get_args

import numpy as np
from arcproof.classifiers.features.model import Whole
from arcproof.classifiers.instances import Rows
from arcproof.classifiers.learners.linear import COUNT_BITS, EMPTY, native
from arcproof.classifiers.watching import NOBODY, Watcher
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.wording import size_text

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Arrays: TypeAlias = dict[str, np.ndarray[Any, Any]]
Kind: TypeAlias = Literal["svc", "explicit", "fast", "liblinear"]
KINDS: Final = get_args(Kind)
WITH_JOINS: Final = ("fast", "liblinear")
NEVER: Final = -1e30
SPARSE: Final = 6
LANES: Final = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """What a learner may be told; the defaults are the papers'.  `memory` is how many bytes the fast learner may take; None is as many as there are."""

    gamma: float = 0.2
    constant: float = 0.0
    cost: float = 0.5
    tolerance: float = 1.0
    least: int = 1000
    epochs: int = 6
    most: float = 0.02
    seed: int = 1
    memory: int | None = None


class NotEnoughMemory(ArcproofError, ValueError):
    """A classifier that would need more memory than it may have."""


class Classifier(Protocol):
    """Scores all classes for each row; the highest wins, of equals the first."""

    kind: ClassVar[str]

    @property
    def number(self) -> int:
        """How many classes there are."""
        ...

    def scores(self, rows: Rows) -> Numbers:
        """A row of scores for each row of columns."""
        ...

    def arrays(self) -> Arrays:
        """Everything there is to save."""
        ...


@dataclass(frozen=True)
class Data:
    """Instances: a row of columns and a class for each, how many classes and columns there are, and which features are joined; None is all pairs."""

    rows: Rows
    targets: Whole
    number: int
    columns: int
    joins: Whole | None = None

    @cached_property
    def present(self) -> Whole:
        """The classes that occur."""
        return np.unique(self.targets)

    @property
    def constant(self) -> Classifier:
        """The classifier if there is but one class."""
        return Constant(self.number, int(self.present[0]))

    def where(self, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> "Data":
        """The instances that were chosen."""
        return replace(self, rows=self.rows[chosen], targets=self.targets[chosen])


class Learn(Protocol):
    """A learner."""

    def __call__(self, data: Data, settings: Settings, watch: Watcher = NOBODY, /) -> Classifier:
        """The classifier of these instances."""
        ...


# --- columns and pairs -------------------------------------------------------------------------------------------------


def all_pairs(features: int) -> Whole:
    """Every feature, and every two of them."""
    first, second = np.triu_indices(features, 1)
    joins = np.full((features + len(first), 3), -1, dtype=np.int64)
    joins[:features, 0] = np.arange(features)
    joins[features:, 0], joins[features:, 1] = first, second
    return joins


@dataclass(frozen=True)
class Expansion:
    """The columns and joins that a linear function has weights for, by their keys."""

    joins: Whole
    columns: int
    keys: Whole
    _table: tuple[Whole, Whole] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Build the table."""
        size = 1 << max(4, int(2 * len(self.keys)).bit_length())
        table, numbers = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
        native("fill")(self.keys, table, numbers)
        object.__setattr__(self, "_table", (table, numbers))

    @staticmethod
    def of(rows: Rows, columns: int, least: int, joins: Whole | None = None) -> "Expansion":
        """The columns and joins, without `joins` all pairs, that occur so often in these rows, in the order of their keys."""
        wide = np.ascontiguousarray(rows, dtype=np.int64)
        joined = all_pairs(rows.shape[1]) if joins is None else joins
        if (columns + 1) ** (3 if (joined[:, 2] >= 0).any() else 2) >= 2**62:
            raise NotEnoughMemory(f"{columns} columns are too many to be joined; leave out words that are rare")
        size = 1 << 16
        while True:
            keys, counts = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
            if native("collect")(wide, columns, joined, keys, counts) >= 0:
                return Expansion(joined, columns, np.sort(keys[counts >= least]))
            size *= 4

    def of_rows(self, rows: Rows) -> Rows:
        """The numbers of the columns and joins of each row; -1 for those without weight."""
        expanded = np.empty((len(rows), len(self.joins)), dtype=np.int32)
        wide = np.ascontiguousarray(rows, dtype=np.int64)
        native("look_up")(wide, self.columns, self.joins, *self._table, expanded)
        return expanded

    def matrix(self, rows: Rows, weight_of_columns: float = 1.0, weight_of_joins: float = 1.0) -> Any:
        """The rows as a sparse matrix."""
        from scipy.sparse import csr_matrix

        expanded = self.of_rows(rows)
        kept = expanded >= 0
        values = np.broadcast_to(np.where(self.joins[:, 1] < 0, weight_of_columns, weight_of_joins), expanded.shape)[
            kept
        ]
        starts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
        return csr_matrix((values, expanded[kept], starts), shape=(len(rows), len(self.keys)))


# --- linear functions, one for each class ------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinearClassifier:
    """Sparse weights: those of column k stand from `starts[k]` on, each with its class."""

    kind: ClassVar[str] = "linear"
    expansion: Expansion
    number: int
    starts: Whole
    classes: Rows
    weights: np.ndarray[Any, Any]

    def scores(self, rows: Rows) -> Numbers:
        """One linear function for each class."""
        scores = np.zeros((len(rows), self.number))
        joins = self.expansion.joins
        if rows.shape[1] <= joins.max():
            raise ValueError("joins of features that there are not")
        table, dense = self._lookup
        native("score")(
            np.ascontiguousarray(rows, dtype=np.int64), self.expansion.columns, joins, table, self.classes, self.weights, dense,
            np.empty((len(joins), 2), dtype=np.int64), np.empty(dense.shape[1], dtype=dense.dtype), scores,
        )  # fmt: skip
        return scores

    @cached_property
    def _lookup(self) -> tuple[Whole, np.ndarray[Any, Any]]:
        """Where the weights of each key are, and the weights of those keys that have many, written out for every class."""
        counts = np.diff(self.starts)
        used, many = np.flatnonzero(counts), np.flatnonzero(counts * SPARSE >= max(self.number, 1))
        dense = np.zeros((len(many), -(-self.number // LANES) * LANES), dtype=self.weights.dtype)
        in_dense = np.repeat(counts * SPARSE >= max(self.number, 1), counts)
        dense[np.repeat(np.arange(len(many)), counts[many]), self.classes[in_dense]] = self.weights[in_dense]
        values = (self.starts[:-1] << COUNT_BITS) | counts
        values[many] = -1 - np.arange(len(many))
        table = np.full((1 << max(4, int(2 * len(used)).bit_length()), 2), EMPTY, dtype=np.int64)
        native("spread")(self.expansion.keys[used], values[used], table)
        return table, dense

    def arrays(self) -> Arrays:
        """Weights with a precision of 32 bits: they are rounded before they are first used."""
        return {
            "shape": np.array([self.expansion.columns, self.number]), "joins": self.expansion.joins, "keys": self.expansion.keys, "starts": self.starts, "classes": self.classes,
            "weights": self.weights,
        }  # fmt: skip

    @staticmethod
    def from_arrays(arrays: Arrays) -> "LinearClassifier":
        """What `arrays` says."""
        columns, number = map(int, arrays["shape"])
        joins = arrays["joins"].astype(np.int64)
        if joins.ndim != 2 or joins.shape[1] != 3 or not len(joins) or joins[:, 0].min() < 0:
            raise ValueError("the joins of features are none")
        expansion = Expansion(joins, columns, arrays["keys"].astype(np.int64))
        starts, classes = arrays["starts"].astype(np.int64), arrays["classes"].astype(np.int64)
        ordered = len(starts) == len(expansion.keys) + 1 and starts[0] == 0 and (np.diff(starts) >= 0).all()
        known = ((classes >= 0) & (classes < number)).all()
        if not (ordered and known and starts[-1] == len(classes) == len(arrays["weights"])):
            raise ValueError("the weights do not go together")
        return LinearClassifier(expansion, number, starts, classes.astype(np.int32), arrays["weights"])

    @staticmethod
    def of(expansion: Expansion, weights: np.ndarray[Any, Any]) -> "LinearClassifier":
        """From a full matrix, a row for each column and a column for each class."""
        rows, classes = np.nonzero(weights)
        starts = np.searchsorted(rows, np.arange(len(weights) + 1))
        rounded = weights[rows, classes].astype(np.float32)
        return LinearClassifier(expansion, weights.shape[1], starts.astype(np.int64), classes.astype(np.int32), rounded)


def learn_fast(data: Data, settings: Settings, watch: Watcher = NOBODY) -> Classifier:
    """(c): averaged passive-aggressive updates, in an order fixed by the seed."""
    expansion = Expansion.of(data.rows, data.columns, 2, data.joins)
    classes = max(data.number, 2)
    needed = 2 * 4 * len(expansion.keys) * classes + 4 * len(data.rows) * len(expansion.joins)
    if settings.memory is not None and needed > settings.memory:
        raise NotEnoughMemory(
            f"learning {len(expansion.keys)} columns and pairs for {classes} classes takes {size_text(needed)}, more than the {size_text(settings.memory)} of --memory; "
            "train on fewer sentences, or with a smaller feature model"
        )
    expanded = expansion.of_rows(data.rows)
    weights = np.zeros((len(expansion.keys), classes), dtype=np.float32)
    sums = np.zeros_like(weights)
    scores = np.zeros(classes, dtype=np.float32)
    chance = np.random.default_rng(settings.seed)
    step = 1
    watch.begin("learning", settings.epochs)
    for _ in range(settings.epochs):
        watch.advance()
        order = chance.permutation(len(data.rows))
        _, step = native("train")(expanded, data.targets, order, weights, sums, scores, settings.most, step)
    native("average")(weights, sums, step)
    return LinearClassifier.of(expansion, weights[:, : data.number])


def learn_liblinear(data: Data, settings: Settings, _: Watcher = NOBODY) -> Classifier:
    """(d): Choi & Palmer's."""
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


# --- votes of pairs of classes -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    """Always the same class."""

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
        """What `arrays` says."""
        number, only = map(int, arrays["shape"])
        if not 0 <= only < number:
            raise ValueError("a class that there is not")
        return Constant(number, only)


def _check_pairs(number: int, present: Whole, decisions: int, intercepts: Numbers) -> None:
    """Whether there is a decision for each two of the classes that are present."""
    pairs = len(present) * (len(present) - 1) // 2
    if (
        present.dtype.kind != "i"
        or len(present) < 2
        or present[0] < 0
        or present[-1] >= number
        or (np.diff(present) <= 0).any()
    ):
        raise ValueError("classes that there are not")
    if decisions != pairs or intercepts.shape != (pairs,):
        raise ValueError("the pairs of classes do not go together")


def _votes(decisions: Numbers, present: Whole, number: int) -> Numbers:
    """How many pairs each class wins; decisions in the order (0, 1), (0, 2), …, (1, 2), …, positive for the first of the two."""
    votes = np.zeros((len(decisions), number))
    pair = 0
    for i in range(len(present)):
        for j in range(i + 1, len(present)):
            first = decisions[:, pair] > 0
            votes[first, present[i]] += 1
            votes[~first, present[j]] += 1
            pair += 1
    return votes


def _one_hot(rows: Rows, columns: int) -> Any:
    from scipy.sparse import csr_matrix

    starts = np.arange(len(rows) + 1) * rows.shape[1]
    return csr_matrix((np.ones(rows.size), rows.ravel(), starts), shape=(len(rows), columns))


@dataclass(frozen=True)
class KernelClassifier:
    """(a): support vectors with their coefficients in each pair of classes."""

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
        """What `arrays` says."""
        number, columns = map(int, arrays["shape"])
        gamma, constant = map(float, arrays["kernel"])
        present, support, supporting = arrays["present"], arrays["support"], arrays["supporting"]
        if len(support) != supporting.sum() or arrays["coefficients"].shape != (len(present) - 1, len(support)):
            raise ValueError("the support vectors do not go together")
        _check_pairs(number, present, len(arrays["intercepts"]), arrays["intercepts"])
        return KernelClassifier(
            number, columns, gamma, constant, present, support, supporting, arrays["coefficients"], arrays["intercepts"]
        )  # fmt: skip


def _one_against_one(matrix: Any, targets: Whole, settings: Settings, **kernel: Any) -> tuple[Any, int]:
    """libsvm, and the sign that makes its decisions positive for the first class of a pair: with two classes in all it has them the other way round."""
    from sklearn.svm import SVC

    learner = SVC(tol=settings.tolerance, decision_function_shape="ovo", random_state=settings.seed, **kernel)
    learner.fit(matrix, targets)
    return learner, -1 if len(learner.classes_) == 2 else 1


def learn_svc(data: Data, settings: Settings, _: Watcher = NOBODY) -> Classifier:
    """(a): the papers' learner."""
    if len(data.present) == 1:
        return data.constant
    kernel = {"kernel": "poly", "degree": 2, "gamma": settings.gamma, "coef0": settings.constant}
    learner, sign = _one_against_one(
        _one_hot(data.rows, data.columns), data.targets, settings, C=settings.cost, **kernel
    )
    coefficients = learner.dual_coef_.toarray() if hasattr(learner.dual_coef_, "toarray") else learner.dual_coef_
    return KernelClassifier(
        data.number, data.columns, settings.gamma, settings.constant, data.present, data.rows[learner.support_],
        learner.n_support_.astype(np.int64), sign * coefficients, sign * learner.intercept_,
    )  # fmt: skip


@dataclass(frozen=True)
class VotingClassifier:
    """(b): a linear function for each pair of classes."""

    kind: ClassVar[str] = "voting"
    number: int
    present: Whole
    pairs: LinearClassifier
    intercepts: Numbers

    def scores(self, rows: Rows) -> Numbers:
        """Votes."""
        return _votes(self.pairs.scores(rows) + self.intercepts, self.present, self.number)

    def arrays(self) -> Arrays:
        """The weights of the pairs, as exact as they were learned."""
        return {
            **self.pairs.arrays(), "voters": np.array([self.number]), "present": self.present,
            "intercepts": self.intercepts,
        }  # fmt: skip

    @staticmethod
    def from_arrays(arrays: Arrays) -> "VotingClassifier":
        """What `arrays` says."""
        pairs, number = LinearClassifier.from_arrays(arrays), int(arrays["voters"][0])
        _check_pairs(number, arrays["present"], pairs.number, arrays["intercepts"])
        return VotingClassifier(number, arrays["present"], pairs, arrays["intercepts"])


def learn_explicit(data: Data, settings: Settings, _: Watcher = NOBODY) -> Classifier:
    """(b): the papers' learner on the expansion of its kernel."""
    if len(data.present) == 1:
        return data.constant
    expansion = Expansion.of(data.rows, data.columns, least=1)
    cost = settings.cost * settings.gamma**2
    of_columns, of_joins = np.sqrt(1 + 2 * settings.constant / settings.gamma), np.sqrt(2)
    matrix = expansion.matrix(data.rows, of_columns, of_joins)
    learner, sign = _one_against_one(matrix, data.targets, settings, C=cost, kernel="linear")
    weights = learner.coef_.tocsc()
    weight = np.where(expansion.keys < data.columns, of_columns, of_joins)
    values = sign * weights.data * np.repeat(weight, np.diff(weights.indptr))
    linear = LinearClassifier(
        expansion, weights.shape[0], weights.indptr.astype(np.int64), weights.indices.astype(np.int32), values
    )  # fmt: skip
    return VotingClassifier(data.number, data.present, linear, sign * learner.intercept_)


# --- parts of the instances --------------------------------------------------------------------------------------------


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
        """Those of the classifier of the row's group."""
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
        """The parts are saved one by one."""
        return {"shape": np.array([self.number, self.feature]), "values": self.values, "groups": self.groups}


def split(kind: Kind, data: Data, feature: int, settings: Settings, watch: Watcher = NOBODY) -> SplitClassifier:
    """A classifier for each frequent value of the feature, and one for the rest; without rest, the last is that of everything rare: the most frequent."""
    values, counts = np.unique(data.rows[:, feature], return_counts=True)
    frequent = values[counts >= settings.least]
    parts: list[Classifier] = []
    watch.begin("learning", len(frequent) + 1)
    for value in frequent:
        watch.advance()
        parts.append(LEARN[kind](data.where(data.rows[:, feature] == value), settings))
    rest = data.where(~np.isin(data.rows[:, feature], frequent))
    if len(rest.rows):
        parts.append(LEARN[kind](rest, settings))
    else:
        parts.append(Constant(data.number, int(np.bincount(data.targets).argmax())))
    return SplitClassifier(data.number, feature, frequent.astype(np.int64), np.arange(len(frequent)), tuple(parts))


LEARN: Final[dict[Kind, Learn]] = {
    "svc": learn_svc,
    "explicit": learn_explicit,
    "fast": learn_fast,
    "liblinear": learn_liblinear,
}
FROM_ARRAYS: Final[dict[str, Callable[[Arrays], Classifier]]] = {
    "linear": LinearClassifier.from_arrays, "constant": Constant.from_arrays, "kernel": KernelClassifier.from_arrays,
    "voting": VotingClassifier.from_arrays,
}  # fmt: skip
