"""Uniformity, by chi-square with fixed seeds, and the account of what was thrown away."""

from collections import Counter
from random import Random

import pytest
from arcproof.generators.classes import contains
from arcproof.generators.enumeration import ENUMERATIONS, all_graphs, selection_of
from arcproof.generators.sampling import NothingAccepted, Sample, sample
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Number, Restriction
from scipy.special import chdtrc

WELL_NESTED = GraphClass((Restriction("well-nested"), Restriction("gap-degree", Number(1))), "trees")
SINGLE_ROOT = GraphClass((Restriction("single-root"), Restriction("projective")), "trees")
ILL_NESTED = GraphClass((Restriction("ill-nested"),), "trees")
EXACT = [enumeration.graph_class for enumeration in ENUMERATIONS.values()]


def chance_of(counts: list[int]) -> float:
    """Pearson's test: how likely counts are that differ as much from each other or more, if all are as likely."""
    expected = sum(counts) / len(counts)
    chance: float = chdtrc(len(counts) - 1, sum((count - expected) ** 2 / expected for count in counts))
    return chance


@pytest.mark.parametrize("graph_class", [*EXACT, WELL_NESTED, SINGLE_ROOT], ids=class_text)
def test_every_graph_is_as_likely_as_every_other(graph_class: GraphClass) -> None:
    members = list(all_graphs(graph_class, 4))
    drawn = Counter(sample(graph_class, 4, 40 * len(members), Random(2008)).graphs)

    assert set(drawn) <= set(members)
    assert chance_of([drawn[heads] for heads in members]) > 0.01


def test_what_is_drawn_too_often_is_noticed() -> None:
    assert chance_of([40] * 10) == 1
    assert chance_of([40] * 9 + [80]) < 0.01


@pytest.mark.parametrize("graph_class", EXACT, ids=class_text)
@pytest.mark.parametrize("words", [0, 1, 60])
def test_exact_samples_throw_nothing_away(graph_class: GraphClass, words: int) -> None:
    drawn = sample(graph_class, words, 10, Random(1))

    assert 10 == drawn.tried == len(drawn.graphs)
    assert drawn.acceptance == 1
    assert all(len(heads) == words and contains(graph_class, heads) for heads in drawn.graphs)


def test_the_acceptance_rate_estimates_the_share_of_the_class() -> None:
    drawn = sample(WELL_NESTED, 5, 2000, Random(3))

    assert 2000 == len(drawn.graphs) < drawn.tried
    assert pytest.approx(1103 / 1296, abs=0.02) == drawn.acceptance
    assert all(contains(WELL_NESTED, heads) for heads in drawn.graphs)


def test_rejection_draws_from_the_smallest_enumeration() -> None:
    assert pytest.approx(30 / 55, abs=0.05) == sample(SINGLE_ROOT, 4, 1000, Random(4)).acceptance


def test_the_same_seed_gives_the_same_sample() -> None:
    assert sample(WELL_NESTED, 9, 20, Random(5)) == sample(WELL_NESTED, 9, 20, Random(5))
    assert sample(WELL_NESTED, 9, 20, Random(5)) != sample(WELL_NESTED, 9, 20, Random(6))


def test_an_empty_sample_needs_no_tries() -> None:
    empty = sample(ILL_NESTED, 2, 0, Random(0))

    assert Sample((), 0) == empty
    assert empty.acceptance == 1


def test_a_class_without_members_is_given_up_with_an_account() -> None:
    message = r"200 random trees of 3 words in a row were not ill-nested trees \(0 were found before\)"
    with pytest.raises(NothingAccepted, match=message) as caught:
        sample(ILL_NESTED, 3, 1, Random(0), patience=200)

    assert isinstance(caught.value, ArcproofError)


def test_patience_counts_from_the_last_accepted_graph() -> None:
    """Ill-nested trees of five words are one in ten: hundreds are refused, never sixty of them in a row with this
    seed.
    """
    drawn = sample(ILL_NESTED, 5, 50, Random(0), patience=100)

    assert len(drawn.graphs) == 50
    assert drawn.tried - 50 > 100


def test_what_is_drawn_is_what_the_selection_accepts() -> None:
    accepts = selection_of(ILL_NESTED).accepts

    assert all(map(accepts, sample(ILL_NESTED, 6, 20, Random(9)).graphs))
