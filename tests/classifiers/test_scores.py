"""Scores and tests of differences."""

import math
from pathlib import Path

import pytest

from arcproof.classifiers.scores import (
    NotTheSameSentences,
    evaluate,
    holm,
    interval,
    is_punctuation,
    mark,
    mcnemar,
    pearson,
    randomisation,
    randomisation_of_means,
    through_origin,
)
from arcproof.generators.treebank import Sentence, read


@pytest.fixture
def gold(tmp_path: Path) -> list[Sentence]:
    """Two sentences: 1 <- 2 -> 3 with an arc 1 -> 4 that crosses, a full stop; and one word."""
    rows = [("a", 2, "x"), ("b", 0, "root"), ("c", 2, "y"), ("d", 1, "y"), (".", 2, "p")]
    text = "".join(
        f"{k}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n" for k, (form, head, label) in enumerate(rows, start=1)
    )
    path = tmp_path / "gold.conllu"
    path.write_text(text + "\n1\te\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    return list(read(path))


RIGHT = [((2, 0, 2, 1, 2), ("x", "root", "y", "y", "p")), ((0,), ("root",))]
WRONG = [((2, 0, 4, 2, 1), ("x", "root", "x", "y", "p")), ((0,), ("dep",))]


def test_right_trees_get_everything(gold: list[Sentence]) -> None:
    scores = evaluate(gold, RIGHT)

    assert (scores.words, scores.las, scores.uas, scores.la, scores.exact) == (5, 1, 1, 1, 1)
    assert (scores.nonprojective.precision, scores.nonprojective.recall, scores.nonprojective.gold) == (1, 1, 1)


def test_wrong_trees_get_what_they_deserve(gold: list[Sentence]) -> None:
    scores = evaluate(gold, WRONG)

    assert (scores.words, scores.labelled, scores.unlabelled, scores.labels) == (5, 2, 3, 3)
    assert (scores.exact_labelled, scores.exact_unlabelled) == (0, 1)
    assert (scores.nonprojective.precision, scores.nonprojective.recall) == (None, 0)
    assert (scores.roots.precision, scores.roots.recall) == (1, 1)
    assert (scores.by_label["y"].gold, scores.by_label["y"].predicted, scores.by_label["y"].right) == (2, 1, 0)
    assert scores.by_length["to root"].right == 2
    assert scores.by_sentence == [(2, 4), (0, 1)]


def test_a_projective_tree_may_find_a_nonprojective_arc(gold: list[Sentence]) -> None:
    """1 -> 4 crosses nothing where 2 and 3 hang on 1: found, though nothing non-projective was predicted (Nivre 2009,
    Table 1).
    """
    scores = evaluate(gold, [((0, 1, 1, 1, 1), ("x", "root", "y", "y", "p")), ((0,), ("root",))])

    assert (scores.nonprojective.precision, scores.nonprojective.recall) == (None, 1)
    assert (scores.nonprojective.predicted, scores.nonprojective.right, scores.nonprojective.found) == (0, 0, 1)


def test_the_mean_of_several_treebanks_is_tested_as_a_mean() -> None:
    better, worse = [(9, 10)] * 30, [(5, 10)] * 30

    assert randomisation_of_means([(better, worse), (better, worse)]) < 0.001
    assert randomisation_of_means([(better, worse), (worse, better)]) > 0.9
    assert randomisation_of_means([(better, worse)]) == randomisation(better, worse)


def test_punctuation_counts_only_if_asked_for(gold: list[Sentence]) -> None:
    assert evaluate(gold, WRONG, punctuation=True).words == 6
    assert [is_punctuation(form) for form in ("-", "«…»", "U.S.", "$", "+", "", "-1")] == [True, True, *[False] * 5]


def test_mcnemar_is_exact_for_few_cases_and_chi_square_for_many() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    for b, c in ((0, 0), (1, 0), (3, 9), (12, 12), (10, 14)):
        expected = scipy_stats.binomtest(b, b + c).pvalue if b + c else 1.0
        assert mcnemar([True] * b + [False] * c, [False] * b + [True] * c).p == pytest.approx(expected)
    for b, c in ((20, 5), (100, 130)):
        expected = scipy_stats.chi2.sf((abs(b - c) - 1) ** 2 / (b + c), 1)
        assert mcnemar([True] * b + [False] * c, [False] * b + [True] * c).p == pytest.approx(expected)
    with pytest.raises(NotTheSameSentences):
        mcnemar([True], [])


def test_holm_and_marks() -> None:
    assert holm([0.01, 0.02, 0.9]) == pytest.approx([0.03, 0.04, 0.9])
    assert holm([]) == []
    assert [mark(p) for p in (0.2, 0.04, 0.004)] == ["", "+", "++"]


def test_interval_pearson_and_slope() -> None:
    low, high = interval([(8, 10), (9, 10), (7, 10)] * 20)

    assert 0.75 < low < 0.8 < high < 0.85
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2, 3], [1, 1, 1]) == 0
    assert through_origin([(1, 2), (5, 10)]) == (2.0, 1.0)
    slope, fit = through_origin([(1, 3), (2, 4), (3, 5)])
    assert (slope, fit) == (
        pytest.approx(26 / 14),
        pytest.approx(1 - sum((m - 26 / 14 * n) ** 2 for n, m in ((1, 3), (2, 4), (3, 5))) / 2),
    )
    assert math.isclose(through_origin([])[0], 0)
