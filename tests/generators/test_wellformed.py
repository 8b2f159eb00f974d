"""The well-formedness conditions of Nivre 2008 and Nivre 2007, on every small set of arcs."""

from collections.abc import Iterator
from itertools import chain, combinations, product

import networkx as nx
import pytest

from arcproof.generators import definitions
from arcproof.generators.enumeration import count_forests, count_trees
from arcproof.generators.wellformed import (
    CONDITIONS_2007,
    CONDITIONS_2008,
    Condition,
    is_acyclic,
    is_weakly_connected,
    violations,
    well_formed_2007,
    well_formed_2008,
)
from arcproof.transitions.graph import Arc, Graph


def graphs_of(words: int, labels: tuple[str | None, ...] = (None,), loops: bool = True) -> Iterator[Graph]:
    """Every set of arcs over the nodes 0..words, arcs into 0 included."""
    pairs = product(range(words + 1), repeat=2)
    arcs = [Arc(head, label, dependent) for head, dependent in pairs if loops or head != dependent for label in labels]
    subsets = chain.from_iterable(combinations(arcs, size) for size in range(len(arcs) + 1))
    return (Graph(words, frozenset(subset)) for subset in subsets)


def names(conditions: tuple[Condition, ...]) -> list[str]:
    return [condition.name for condition in conditions]


def arcs(words: int, *pairs: tuple[int, int]) -> Graph:
    return Graph(words, frozenset(Arc(head, None, dependent) for head, dependent in pairs))


@pytest.mark.parametrize("conditions", [CONDITIONS_2007, CONDITIONS_2008], ids=["2007", "2008"])
def test_for_each_condition_some_graph_violates_it_alone(conditions: tuple[Condition, ...]) -> None:
    violated_alone = {found[0].name for graph in graphs_of(2) if len(found := violations(graph, conditions)) == 1}

    assert set(names(conditions)) == violated_alone


@pytest.mark.parametrize(
    ("graph", "violated"),
    [
        (arcs(1, (1, 0)), "ROOT"),
        (arcs(1), "CONNECTEDNESS"),
        (arcs(2, (0, 1), (0, 2), (1, 2)), "SINGLE-HEAD"),
    ],
)
def test_the_smallest_witnesses_that_the_conditions_of_2007_are_independent(graph: Graph, violated: str) -> None:
    assert [violated] == names(violations(graph, CONDITIONS_2007))


@pytest.mark.parametrize("words", [0, 1, 2, 3])
def test_the_conditions_of_2007_together_are_those_of_a_tree(words: int) -> None:
    well_formed = [graph for graph in graphs_of(words, loops=words < 3) if well_formed_2007(graph)]

    assert all(definitions.is_tree(graph) for graph in well_formed)
    assert count_trees(words) == len(well_formed)


@pytest.mark.parametrize("words", [0, 1, 2, 3])
def test_as_many_graphs_are_well_formed_in_2008_as_there_are_forests(words: int) -> None:
    assert count_forests(words) == sum(map(well_formed_2008, graphs_of(words, loops=words < 3)))


def test_every_graph_well_formed_in_2007_is_so_in_2008() -> None:
    assert all(well_formed_2008(graph) for graph in graphs_of(2) if well_formed_2007(graph))


def test_two_labels_on_one_arc_violate_single_head_in_both_papers() -> None:
    graph = Graph(1, frozenset({Arc(0, "a", 1), Arc(0, "b", 1)}))

    assert ["SINGLE-HEAD"] == names(violations(graph, CONDITIONS_2008)) == names(violations(graph, CONDITIONS_2007))


def test_with_two_labels_every_arc_of_a_forest_can_have_either() -> None:
    assert sum(map(well_formed_2008, graphs_of(1, labels=("a", "b")))) == 1 + 2
    assert sum(map(well_formed_2008, graphs_of(2, labels=("a", "b"), loops=False))) == 1 + 2 * 4 + 3 * 4


def test_cycles_and_connection_are_those_of_networkx() -> None:
    for graph in graphs_of(2):
        digraph = nx.DiGraph()
        digraph.add_nodes_from(range(graph.words + 1))
        digraph.add_edges_from((arc.head, arc.dependent) for arc in graph.arcs)

        assert nx.is_directed_acyclic_graph(digraph) == is_acyclic(graph), graph
        assert nx.is_weakly_connected(digraph) == is_weakly_connected(graph), graph


def test_every_condition_says_what_it_asks() -> None:
    assert all(condition.says for condition in (*CONDITIONS_2007, *CONDITIONS_2008))
