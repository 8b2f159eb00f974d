"""Graphs with several heads by rank: every graph once, closed formulas."""

from itertools import combinations
from math import comb
from random import Random

import pytest

from arcproof.generators.enumeration import FORESTS, TREES, all_graphs, selection_of
from arcproof.generators.graph_classes import GRAPH_ADJECTIVES, contains_sets, known_graph_classes
from arcproof.generators.graph_enumeration import (
    all_graphs_of,
    all_head_sets,
    count_graphs,
    graph_selection,
    sets_of_code,
)
from arcproof.generators.layers import count_dags
from arcproof.generators.noncrossing import Conditions, PlanarGraphs
from arcproof.transitions.graph import graph_of, graph_with, head_sets
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Infinity, Number, Restriction
from tests.generators.test_graph_classes import every_graph


def graphs(*words: str, heads: int | None = None) -> GraphClass:
    bound = () if heads is None else (Restriction("heads", Number(heads)),)
    return GraphClass((*map(Restriction, words), *bound), "graphs")


PAIRS = [graphs(*names) for size in range(3) for names in combinations(GRAPH_ADJECTIVES, size)]
BOUNDED = [graphs(*names, heads=most) for names in ((), ("acyclic",), ("planar",), ("connected",)) for most in range(4)]
RICH = [
    graphs("planar", "acyclic", "connected"),
    graphs("planar", "connected", "single-root", heads=2),
    graphs("acyclic", "connected", heads=1),
    graphs("acyclic", "planar-words", "single-root"),
]
EXACT = [
    graphs(), graphs("acyclic"), graphs("planar"), graphs("planar-words"), graphs("single-root"), graphs(heads=2),
    graphs("acyclic", "planar"), graphs("connected", "planar"), graphs("acyclic", heads=1),
    graphs("acyclic", "connected", heads=1), graphs("acyclic", "connected", "planar", "single-root", heads=2),
    graphs("acyclic", "planar-words"),
]  # fmt: skip


@pytest.mark.parametrize("graph_class", [*PAIRS, *BOUNDED, *RICH], ids=class_text)
def test_every_graph_of_a_class_is_listed_once(graph_class: GraphClass) -> None:
    for words in range(4):
        listed = list(all_head_sets(graph_class, words))

        assert len(listed) == len(set(listed))
        assert set(listed) == {sets for sets in every_graph(words) if contains_sets(graph_class, sets)}


@pytest.mark.parametrize("graph_class", EXACT, ids=class_text)
def test_every_rank_has_a_graph_of_its_own(graph_class: GraphClass) -> None:
    for words in range(5):
        selection = graph_selection(graph_class, words)
        enumeration = selection.enumeration
        if words == 4 and enumeration.count(words) > 5_000:
            continue
        listed = list(enumeration.graphs(words))

        assert selection.is_exact
        assert enumeration.count(words) == len(listed) == len(set(listed))


@pytest.mark.long
@pytest.mark.parametrize("graph_class", EXACT, ids=class_text)
@pytest.mark.parametrize("words", [5, 12, 40])
def test_long_sentences_have_a_graph_of_their_own_for_each_rank(graph_class: GraphClass, words: int) -> None:
    random = Random(words)
    enumeration = graph_selection(graph_class, words).enumeration
    last = enumeration.count(words) - 1
    begins = [0, last - 4, *(random.randrange(last - 4) for _ in range(5))]
    ranks = {rank for begin in begins for rank in range(begin, begin + 5)}
    listed = {enumeration.unrank(words, rank) for rank in ranks}

    assert len(listed) == len(ranks)
    assert all(contains_sets(graph_class, sets) for sets in listed)


@pytest.mark.parametrize("graph_class", EXACT, ids=class_text)
def test_invalid_ranks_are_refused(graph_class: GraphClass) -> None:
    enumeration = graph_selection(graph_class, 2).enumeration
    for rank in (-1, enumeration.count(2)):
        with pytest.raises(ValueError, match=f"there is no rank {rank}"):
            enumeration.unrank(2, rank)
    with pytest.raises(ValueError, match="must not be negative"):
        enumeration.count(-1)


def test_a_range_of_ranks_is_a_piece_of_the_whole() -> None:
    connected = graphs("connected")
    pieces = [all_head_sets(connected, 3, range(start, min(start + 100, 512))) for start in range(0, 512, 100)]

    assert [sets for piece in pieces for sets in piece] == list(all_head_sets(connected, 3))


def test_the_rank_among_all_graphs_is_the_code() -> None:
    """Bit (d - 1) n + h, or h - 1 beyond d."""
    assert sets_of_code(3, 1 << 1 | 1 << 3 | 1 << 7) == head_sets(graph_of((2, 0, 1)))
    assert graph_selection(graphs(), 5).enumeration.unrank(5, 77) == sets_of_code(5, 77)


# --- how many there are ----------------------------------------------------------------------------------------------

A003024 = [1, 1, 3, 25, 543, 29281, 3781503, 1138779265]
"""Labelled acyclic digraphs, from the encyclopedia of integer sequences."""


def test_there_are_as_many_acyclic_graphs_as_the_literature_says() -> None:
    assert [count_dags(words) for words in range(8)] == A003024
    for words in range(8):
        assert graph_selection(graphs("acyclic"), words).enumeration.count(words) == A003024[words] * 2**words
    listed = list(all_head_sets(graphs("acyclic"), 4))
    assert len(set(listed)) == 543 * 16


def test_closed_forms() -> None:
    for words in range(9):
        assert count_graphs(words) == 2 ** (words * words)
        assert graph_selection(graphs(heads=1), words).enumeration.count(words) == (words + 1) ** words
        twos = (1 + words + comb(words, 2)) ** words
        assert graph_selection(graphs(heads=2), words).enumeration.count(words) == twos
        single = graph_selection(graphs("single-root"), words).enumeration.count(words)
        assert single == (words * 2 ** (words * (words - 1)) if words else 0)
        forests = graph_selection(graphs("acyclic", heads=1), words)
        assert forests.is_exact
        assert forests.enumeration.count(words) == FORESTS.count(words)
        trees = graph_selection(graphs("acyclic", "connected", heads=1), words)
        assert trees.enumeration.count(words) == TREES.count(words)


def test_planar_graphs_are_counted_by_their_recurrence() -> None:
    """The arcs between two words are none or one of three, those from 0 to a word none or one."""
    between, rooted = [1], [1]
    inner, from_root = [0], [0]
    for length in range(1, 12):
        inner.append(between[length - 1] + sum(3 * inner[k] * between[length - k] for k in range(1, length)))
        between.append(4 * inner[length])
        from_root.append(between[length - 1] + sum(from_root[k] * between[length - k] for k in range(1, length)))
        rooted.append(2 * from_root[length])
    planar = graph_selection(graphs("planar"), 3).enumeration

    assert [planar.count(words) for words in range(12)] == rooted
    words_only = graph_selection(graphs("planar-words"), 3).enumeration
    assert [words_only.count(words) for words in range(1, 12)] == [between[n - 1] * 2**n for n in range(1, 12)]


def connected_graphs(most: int) -> list[int]:
    """How many connected graphs there are: every graph is the connected part of 0 beside any graph on the other
    words.
    """
    found: list[int] = []
    for words in range(most + 1):
        others = sum(comb(words, k) * found[k] * 4 ** comb(words - k, 2) for k in range(words))
        found.append(2 ** (words * words) - others)
    return found


def test_connected_graphs_are_as_many_as_the_others_leave() -> None:
    assert [sum(1 for _ in all_head_sets(graphs("connected"), words)) for words in range(5)] == connected_graphs(4)


def test_planar_graphs_with_single_heads_are_planar_forests() -> None:
    acyclic = graph_selection(graphs("planar", "acyclic", heads=1), 3).enumeration
    planar_forests = GraphClass((Restriction("planar"),), "forests")

    for words in range(6):
        assert acyclic.count(words) == sum(1 for _ in all_graphs(planar_forests, words))
    trees = graph_selection(graphs("planar", "acyclic", "connected", heads=1), 3).enumeration
    projective = selection_of(GraphClass((Restriction("projective"),), "trees")).enumeration
    assert [trees.count(words) for words in range(40)] == [projective.count(words) for words in range(40)]


@pytest.mark.long
def test_acyclic_planar_graphs_of_four_words_are_counted_by_looking() -> None:
    for names in (("acyclic", "planar"), ("connected", "planar"), ("acyclic", "connected", "planar")):
        others = [name for name in names if name != "planar"]
        looked = sum(
            all(GRAPH_ADJECTIVES[name](sets) for name in others) for sets in all_head_sets(graphs("planar"), 4)
        )
        assert graph_selection(graphs(*names), 4).enumeration.count(4) == looked


def test_tables_grow_in_whatever_order_they_are_asked_for() -> None:
    down, up = PlanarGraphs(Conditions(acyclic=True)), PlanarGraphs(Conditions(acyclic=True))

    assert [down.count(words) for words in range(9, -1, -1)] == [up.count(words) for words in range(10)][::-1]


def test_an_infinite_bound_changes_nothing() -> None:
    unbounded = GraphClass((Restriction("heads", Infinity()), Restriction("planar")), "graphs")

    assert graph_selection(unbounded, 4).is_exact
    assert list(all_head_sets(unbounded, 3)) == list(all_head_sets(graphs("planar"), 3))


def test_graphs_of_every_base_are_listed() -> None:
    trees = GraphClass((), "trees")

    assert list(all_graphs_of(trees, 3)) == [graph_of(heads) for heads in all_graphs(trees, 3)]
    assert set(all_graphs_of(graphs("acyclic"), 2)) == {
        graph_with(sets) for sets in every_graph(2) if contains_sets(graphs("acyclic"), sets)
    }
    with pytest.raises(ValueError, match="use `graph_enumeration`"):
        selection_of(graphs())


def test_known_classes_have_members() -> None:
    assert all(any(True for _ in all_head_sets(known, 3)) for known in known_graph_classes())
