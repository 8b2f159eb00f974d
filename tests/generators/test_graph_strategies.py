"""What the strategies for graphs with several heads draw, and what they shrink to."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis.strategies import SearchStrategy

from arcproof.generators.graph_classes import (
    GRAPH_ADJECTIVES,
    contains_graph,
    contains_sets,
    is_acyclic,
    known_graph_classes,
    most_heads,
)
from arcproof.generators.graph_drawing import made_of, plain_graph
from arcproof.generators.graph_enumeration import all_graphs_of, all_head_sets
from arcproof.generators.strategies import acyclic_graphs, graphs, graphs_of, planar_graphs
from arcproof.transitions.graph import Arc, Graph, HeadSets, head_sets, members, parse_arcs
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Number, Restriction

SIMPLEST = settings(
    max_examples=2000, derandomize=True, database=None, deadline=None, phases=(Phase.generate, Phase.shrink)
)
QUICK = settings(max_examples=30, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
EVERYTHING = GraphClass((), "graphs")
TREELIKE = GraphClass((Restriction("connected"), Restriction("single-root"), Restriction("heads", Number(1))), "graphs")
ODD = [
    TREELIKE,
    GraphClass((Restriction("connected"), Restriction("planar"), Restriction("acyclic")), "graphs"),
    GraphClass((Restriction("connected"), Restriction("planar"), Restriction("heads", Number(1))), "graphs"),
    GraphClass((Restriction("single-root"), Restriction("planar"), Restriction("heads", Number(2))), "graphs"),
]


def simplest(strategy: SearchStrategy[Graph], condition: Callable[[Graph], bool] = lambda _: True) -> Graph:
    return find(strategy, condition, settings=SIMPLEST, random=Random(0))


# --- what can be drawn -----------------------------------------------------------------------------------------------


def arcs_of(sets: HeadSets) -> list[tuple[int, int]]:
    return [(head, word) for word, heads in enumerate(sets, start=1) for head in members(heads)]


@pytest.mark.parametrize("graph_class", [*known_graph_classes(), *ODD], ids=class_text)
def test_every_graph_is_made_of_its_arcs_in_any_order(graph_class: GraphClass) -> None:
    random = Random(0)
    for words in range(4):
        for sets in all_head_sets(graph_class, words):
            arcs = arcs_of(sets)
            random.shuffle(arcs)
            assert made_of(graph_class, words, arcs) == sets


@pytest.mark.parametrize("graph_class", [*known_graph_classes(), *ODD], ids=class_text)
def test_whatever_the_arcs_a_graph_of_the_class_is_made(graph_class: GraphClass) -> None:
    for words in range(4):
        exist = any(True for _ in all_head_sets(graph_class, words))
        assert (plain_graph(graph_class, words) is not None) == exist
        for sets in all_head_sets(EVERYTHING, words):
            made = made_of(graph_class, words, arcs_of(sets))
            assert made is None if not exist else made is not None and contains_sets(graph_class, made)


@pytest.mark.long
@pytest.mark.parametrize("graph_class", [*known_graph_classes(), *ODD], ids=class_text)
def test_graphs_of_any_class_are_drawn_without_filtering(graph_class: GraphClass) -> None:
    drawn = set()

    @QUICK
    @given(graphs_of(graph_class, max_words=7))
    def draw(graph: Graph) -> None:
        drawn.add(graph)
        assert contains_graph(graph_class, graph)

    draw()
    assert len(drawn) > 12


@pytest.mark.parametrize("make", [graphs, acyclic_graphs, planar_graphs])
def test_the_number_of_words_is_within_bounds(make: Callable[..., SearchStrategy[Graph]]) -> None:
    holds = {graphs: lambda _: True, acyclic_graphs: is_acyclic, planar_graphs: GRAPH_ADJECTIVES["planar"]}[make]

    @QUICK
    @given(make(min_words=4, max_words=5))
    def draw(graph: Graph) -> None:
        assert 4 <= graph.words <= 5
        assert holds(head_sets(graph))

    draw()


# --- what is shrunk to -----------------------------------------------------------------------------------------------


def size_of(graph: Graph) -> tuple[int, int, list[tuple[int, int]]]:
    """Fewest words, then fewest arcs, then the least arcs."""
    return graph.words, len(graph.arcs), [(arc.dependent, arc.head) for arc in graph.sorted_arcs()]


CONDITIONS: dict[str, Callable[[Graph], bool]] = {
    "a cycle": lambda graph: not is_acyclic(head_sets(graph)),
    "two heads": lambda graph: most_heads(head_sets(graph)) > 1,
    "three heads": lambda graph: most_heads(head_sets(graph)) > 2,
    "crossing arcs": lambda graph: not GRAPH_ADJECTIVES["planar"](head_sets(graph)),
    "crossing arcs and two heads": lambda graph: (
        not GRAPH_ADJECTIVES["planar"](head_sets(graph)) and most_heads(head_sets(graph)) > 1
    ),
    "three arcs": lambda graph: len(graph.arcs) > 2,
    "the last word hangs on the first": lambda graph: graph.words > 1 and bool(head_sets(graph)[-1] >> 1 & 1),
}


@cache
def by_size() -> list[Graph]:
    return sorted((graph for words in range(1, 4) for graph in all_graphs_of(EVERYTHING, words)), key=size_of)


@pytest.mark.nightly
@pytest.mark.long
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("make", [graphs, acyclic_graphs, planar_graphs])
def test_graphs_shrink_to_the_fewest_words_and_arcs(make: Callable[..., SearchStrategy[Graph]], condition: str) -> None:
    inside = {graphs: lambda _: True, acyclic_graphs: is_acyclic, planar_graphs: GRAPH_ADJECTIVES["planar"]}[make]
    holds = CONDITIONS[condition]
    least = next((graph for graph in by_size() if inside(head_sets(graph)) and holds(graph)), None)
    if least is None:
        return
    found = simplest(make(max_words=5), holds)

    assert size_of(least)[:2] == size_of(found)[:2]
    for arc in found.arcs:
        for head, dependent in ((head, dependent) for dependent in range(1, arc.dependent + 1) for head in range(4)):
            smaller = Graph(found.words, found.arcs - {arc} | {Arc(head, None, dependent)})
            if head != dependent and head <= found.words and (dependent, head) < (arc.dependent, arc.head):
                assert len(smaller.arcs) < len(found.arcs) or not (inside(head_sets(smaller)) and holds(smaller))


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (graphs(), parse_arcs("", 1)),
        (graphs(min_words=0), parse_arcs("", 0)),
        (acyclic_graphs(min_words=3), parse_arcs("", 3)),
        (graphs_of(TREELIKE, min_words=3), parse_arcs("0>1 1>2 1>3")),
        (graphs_of(GraphClass((Restriction("connected"),), "graphs"), min_words=3), parse_arcs("0>1 0>2 0>3")),
        (graphs_of(GraphClass((Restriction("projective"),), "trees"), min_words=2), parse_arcs("0>1 0>2")),
    ],
)
def test_the_simplest_graph_has_the_arcs_that_are_asked_for(strategy: SearchStrategy[Graph], expected: Graph) -> None:
    assert simplest(strategy) == expected


# --- wrong arguments -------------------------------------------------------------------------------------------------


def test_what_leaves_nothing_is_refused_immediately() -> None:
    with pytest.raises(ValueError, match="min_words=3 and max_words=2"):
        graphs(min_words=3, max_words=2)
    with pytest.raises(ValueError, match="no connected graphs with heads <= 0 of 1 to 8 words are known"):
        graphs_of(GraphClass((Restriction("connected"), Restriction("heads", Number(0))), "graphs"))
    with pytest.raises(ValueError, match="'projective' does not apply to graphs"):
        graphs_of(GraphClass((Restriction("projective"),), "graphs"))
