"""Ranks: every graph once, closed formulas."""

import inspect
import sys
from random import Random

import pytest

from arcproof.generators.classes import contains, known_classes
from arcproof.generators.enumeration import (
    ENUMERATIONS,
    FORESTS,
    PROJECTIVE_FORESTS,
    PROJECTIVE_TREES,
    TREES,
    Enumeration,
    all_graphs,
    selection_of,
)
from arcproof.transitions.graph import Heads
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Number, Restriction

each_enumeration = pytest.mark.parametrize("enumeration", ENUMERATIONS.values(), ids=ENUMERATIONS)


@each_enumeration
@pytest.mark.parametrize("words", range(6))
def test_every_rank_has_a_graph_of_its_own(enumeration: Enumeration[Heads], words: int) -> None:
    graphs = list(enumeration.graphs(words))

    assert enumeration.count(words) == len(graphs) == len(set(graphs))
    assert all(len(heads) == words and contains(enumeration.graph_class, heads) for heads in graphs)


@each_enumeration
@pytest.mark.parametrize("words", [7, 13, 60, 200])
def test_long_sentences_have_a_graph_of_their_own_for_each_rank(enumeration: Enumeration[Heads], words: int) -> None:
    random = Random(words)
    last = enumeration.count(words) - 1
    begins = [0, last - 4, *(random.randrange(last - 4) for _ in range(5))]
    ranks = {rank for begin in begins for rank in range(begin, begin + 5)}
    graphs = {enumeration.unrank(words, rank) for rank in ranks}

    assert len(graphs) == len(ranks)
    assert all(len(heads) == words and contains(enumeration.graph_class, heads) for heads in graphs)


@each_enumeration
@pytest.mark.parametrize("words", [0, 1, 4, 60])
def test_rank_0_attaches_every_word_to_0(enumeration: Enumeration[Heads], words: int) -> None:
    assert (0,) * words == enumeration.unrank(words, 0)


def test_the_names_of_the_enumerations_are_those_of_their_classes() -> None:
    assert list(ENUMERATIONS) == [class_text(enumeration.graph_class) for enumeration in ENUMERATIONS.values()]


def test_projective_counts_satisfy_the_recurrences_they_are_used_with() -> None:
    rows, pairs = PROJECTIVE_TREES.count, PROJECTIVE_FORESTS.count
    for words in range(40):
        assert pairs(words) == sum(rows(p) * rows(words - p) for p in range(words + 1))
        assert rows(words + 1) == sum(pairs(k) * rows(words - k) for k in range(words + 1))


def test_trees_are_ordered_by_the_heads_of_their_greatest_leaves() -> None:
    assert list(TREES.graphs(3, range(3))) == [(0, 0, 0), (0, 1, 0), (2, 0, 0)]


def test_chains_longer_than_python_may_recurse_are_made() -> None:
    words, most = 400, sys.getrecursionlimit()
    first_is_root, last_is_root = tuple(range(words)), (*range(2, words + 1), 0)
    sys.setrecursionlimit(len(inspect.stack(0)) + words // 2)
    try:
        assert PROJECTIVE_TREES.unrank(words, PROJECTIVE_TREES.count(words) - 1) == last_is_root
        assert first_is_root == TREES.unrank(words, _code_of_a_chain(words))
    finally:
        sys.setrecursionlimit(most)


def _code_of_a_chain(words: int) -> int:
    """The heads of the words n, n - 1, …, 2 as digits of base n + 1."""
    rank = 0
    for head in range(words - 1, 0, -1):
        rank = rank * (words + 1) + head
    return rank


@each_enumeration
def test_ranges_of_ranks_are_pieces_of_the_whole(enumeration: Enumeration[Heads]) -> None:
    count = enumeration.count(4)
    pieces = [enumeration.graphs(4, range(start, min(start + 7, count))) for start in range(0, count, 7)]

    assert list(enumeration.graphs(4)) == [heads for piece in pieces for heads in piece]


@each_enumeration
@pytest.mark.parametrize("rank", [-1, 10**6])
def test_a_rank_that_does_not_exist_is_an_error(enumeration: Enumeration[Heads], rank: int) -> None:
    with pytest.raises(ValueError, match=f"there is no rank {rank}: the graphs of 3 words have ranks 0 to"):
        enumeration.unrank(3, rank)


@each_enumeration
def test_a_negative_number_of_words_is_an_error(enumeration: Enumeration[Heads]) -> None:
    with pytest.raises(ValueError, match="must not be negative, but is -1"):
        enumeration.count(-1)


# --- any class -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("graph_class", known_classes(bounds=(0, 1)), ids=class_text)
def test_all_graphs_of_a_class_are_those_it_contains(graph_class: GraphClass) -> None:
    everything = FORESTS if graph_class.base == "forests" else TREES
    for words in range(5):
        members = {heads for heads in everything.graphs(words) if contains(graph_class, heads)}
        found = list(all_graphs(graph_class, words))

        assert members == set(found)
        assert len(members) == len(found)


@pytest.mark.parametrize(
    ("graph_class", "within", "exact"),
    [
        (GraphClass((), "trees"), TREES, True),
        (GraphClass((Restriction("projective"),), "forests"), PROJECTIVE_FORESTS, True),
        (GraphClass((Restriction("gap-degree", Number(0)),), "trees"), PROJECTIVE_TREES, True),
        (GraphClass((Restriction("planar"),), "trees"), PROJECTIVE_TREES, True),
        (GraphClass((Restriction("planar"),), "forests"), FORESTS, False),
        (GraphClass((Restriction("single-root"), Restriction("projective")), "trees"), PROJECTIVE_TREES, False),
        (GraphClass((Restriction("well-nested"),), "trees"), TREES, False),
    ],
    ids=lambda value: class_text(value) if isinstance(value, GraphClass) else "",
)
def test_a_class_is_searched_in_the_smallest_enumeration_around_it(
    graph_class: GraphClass, within: Enumeration[Heads], exact: bool
) -> None:
    selection = selection_of(graph_class)

    assert within is selection.enumeration
    assert exact == selection.is_exact


def test_a_class_can_be_enumerated_in_pieces() -> None:
    graph_class = GraphClass((Restriction("non-projective"),), "trees")
    pieces = [all_graphs(graph_class, 4, range(start, start + 25)) for start in range(0, 125, 25)]

    assert list(all_graphs(graph_class, 4)) == [heads for piece in pieces for heads in piece]


def test_a_class_that_contradicts_itself_is_empty() -> None:
    contradiction = GraphClass((Restriction("projective"), Restriction("non-projective")), "trees")

    assert list(all_graphs(contradiction, 4)) == []


def test_an_unknown_class_cannot_be_enumerated() -> None:
    with pytest.raises(ValueError, match="unknown class of graphs 'plane'"):
        all_graphs(GraphClass((Restriction("plane"),), "trees"), 3)


@pytest.mark.parametrize("enumeration", ENUMERATIONS.values(), ids=ENUMERATIONS)
def test_all_graphs_takes_an_enumeration_as_well_as_its_class(enumeration: Enumeration[Heads]) -> None:
    assert list(all_graphs(enumeration, 3)) == list(all_graphs(enumeration.graph_class, 3))
    assert list(all_graphs(enumeration, 3, range(2, 4))) == list(enumeration.graphs(3, range(2, 4)))
