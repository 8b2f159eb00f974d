"""Learners: the papers' support vector machine, and the fast one."""

import numpy as np
import pytest

from arcproof.classifiers.learners import KINDS, LEARN, Kind
from arcproof.classifiers.learners.expansion import Expansion, all_pairs
from arcproof.classifiers.learners.learner import Classifier, Data, Settings
from arcproof.classifiers.learners.svc import KernelClassifier, learn_svc
from arcproof.classifiers.learners.weights import LinearClassifier

FEATURES, VALUES = 8, 5
COLUMNS = FEATURES * VALUES


def instances(count: int, classes: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Rows whose class depends on pairs of features, with some noise."""
    chance = np.random.default_rng(seed)
    values = chance.integers(0, VALUES, (count, FEATURES))
    targets = (values[:, 0] * values[:, 1]) % classes
    noisy = chance.random(count) < 0.1
    targets[noisy] = chance.integers(0, classes, noisy.sum())
    return (values + np.arange(FEATURES) * VALUES).astype(np.int32), targets.astype(np.int64)


def predictions(classifier: Classifier, rows: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return classifier.scores(rows).argmax(axis=1)


@pytest.mark.long
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_the_kernel_classifier_says_what_libsvm_says(classes: int) -> None:
    """Scores are votes of one against one; the class with most votes, of equals the first, is libsvm's prediction."""
    from scipy.sparse import csr_matrix
    from sklearn.svm import SVC

    rows, targets = instances(400, classes)
    new, _ = instances(300, classes, seed=2)

    def one_hot(some: np.ndarray) -> csr_matrix:  # type: ignore[type-arg]
        return csr_matrix(
            (np.ones(some.size), some.ravel(), np.arange(len(some) + 1) * FEATURES), shape=(len(some), COLUMNS)
        )

    reference = SVC(kernel="poly", degree=2, gamma=0.2, coef0=0, C=0.5, tol=1.0).fit(one_hot(rows), targets)
    ours = learn_svc(Data(rows, targets, classes, COLUMNS), Settings())

    assert isinstance(ours, KernelClassifier)
    assert (predictions(ours, new) == reference.predict(one_hot(new))).all()


@pytest.mark.compiler
@pytest.mark.parametrize("kind", KINDS)
def test_every_learner_learns_pairs_and_is_deterministic(kind: Kind) -> None:
    rows, targets = instances(1500, 4)
    new, right = instances(500, 4, seed=3)
    first, second = (LEARN[kind](Data(rows, targets, 4, COLUMNS), Settings()) for _ in range(2))

    assert (predictions(first, new) == right).mean() > 0.75
    assert (first.scores(new) == second.scores(new)).all()


@pytest.mark.compiler
@pytest.mark.parametrize("kind", KINDS)
def test_a_single_class_and_a_missing_class_are_handled(kind: Kind) -> None:
    rows, _ = instances(20, 2)
    one = LEARN[kind](Data(rows, np.full(20, 2, dtype=np.int64), 3, COLUMNS), Settings())
    targets = np.arange(20) % 2 * 2
    two = LEARN[kind](Data(rows, targets.astype(np.int64), 3, COLUMNS), Settings())

    assert set(predictions(one, rows)) == {2}
    assert set(predictions(two, rows)) <= {0, 2}
    assert two.scores(rows).shape == (20, 3)


@pytest.mark.compiler
def test_an_expansion_has_every_column_and_pair_once() -> None:
    rows, _ = instances(50, 2)
    expansion = Expansion.of(rows, COLUMNS, least=1)
    expanded = expansion.of_rows(rows)
    singles = {(int(c),) for row in rows for c in row}
    pairs = {(int(row[a]), int(row[b])) for row in rows for a in range(FEATURES) for b in range(a + 1, FEATURES)}

    assert len(expansion.keys) == len(singles) + len(pairs)
    assert expanded.shape == (50, FEATURES * (FEATURES + 1) // 2)
    assert expanded.min() == 0
    assert (expansion.of_rows(np.full((1, FEATURES), COLUMNS - 1, dtype=np.int32)) == -1).any()


@pytest.mark.compiler
def test_joins_of_three_are_learned_and_no_two_share_a_key() -> None:
    """The class is the sum of three features, of which no two say anything."""
    chance = np.random.default_rng(1)
    values = chance.integers(0, 2, (2000, 3))
    rows = (values + np.arange(3) * 2).astype(np.int32)
    targets = (values.sum(axis=1) % 2).astype(np.int64)
    three = np.array([[0, -1, -1], [1, -1, -1], [2, -1, -1], [0, 1, 2]])
    with_three = LEARN["fast"](Data(rows, targets, 2, 6, three), Settings())
    pairs_only = LEARN["fast"](Data(rows, targets, 2, 6), Settings())

    assert (predictions(with_three, rows) == targets).all()
    assert (predictions(pairs_only, rows) == targets).mean() < 0.8
    expansion = Expansion.of(rows, 6, 1, np.concatenate([all_pairs(3), three[3:]]))
    assert len(expansion.keys) == len(set(expansion.keys.tolist())) == 6 + 12 + 8


@pytest.mark.compiler
def test_scores_are_the_same_whether_weights_are_sparse_or_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, targets = instances(500, 7)
    classifier = LEARN["fast"](Data(rows, targets, 7, COLUMNS), Settings())
    assert isinstance(classifier, LinearClassifier)
    matrix = np.zeros((len(classifier.expansion.keys), 7), dtype=np.float64)
    columns = np.repeat(np.arange(len(classifier.expansion.keys)), np.diff(classifier.starts))
    matrix[columns, classifier.classes] = classifier.weights
    plain = np.array([matrix[row[row >= 0]].sum(axis=0) for row in classifier.expansion.of_rows(rows)])
    for sparse in (0, 1, 6, 100):
        monkeypatch.setattr("arcproof.classifiers.learners.weights.SPARSE", sparse)
        again = LinearClassifier.from_arrays(classifier.arrays())
        assert np.allclose(again.scores(rows), plain, atol=1e-4)
