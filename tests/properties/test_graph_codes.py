"""Codes of graphs with several heads: the same classes as by the definitions, and as networkx counts them."""

import networkx as nx
import numpy as np
import pytest

from arcproof.generators.graph_classes import contains_graph, known_graph_classes
from arcproof.properties.engines.graph_codes import (
    all_codes,
    are_in,
    bits_of_codes,
    codes_of_bits,
    hung_on_root,
    without_root,
)
from arcproof.properties.engines.output_sets import alike, code_of_graph, graph_of_code, size_of
from arcproof.properties.engines.outputs import Outputs, as_bits, codes_of, codes_of_outputs, members
from arcproof.transitions.graph import graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Number, Restriction
from tests.graph_figures import every_graph, graph, some_graphs

CLASSES = [
    *known_graph_classes(),
    GraphClass((Restriction("connected"), Restriction("planar"), Restriction("acyclic"), Restriction("heads", Number(2))), "graphs"),
]  # fmt: skip


@pytest.mark.parametrize("words", [0, 1, 3, 7, 9])
def test_codes_and_graphs_are_the_same_thing(words: int) -> None:
    graphs = list(some_graphs(words, 20))
    codes = codes_of_outputs(map(code_of_graph, graphs), words, "graph")

    assert [graph_of_code(code, words) for code in codes] == graphs
    assert codes_of_bits(bits_of_codes(codes, words)).tolist() == codes.tolist()


@pytest.mark.parametrize("graphs", CLASSES, ids=class_text)
def test_classes_are_those_of_the_definitions(graphs: GraphClass) -> None:
    for words in range(4):
        everything = list(every_graph(words))
        expected = sorted(code_of_graph(one) for one in everything if contains_graph(graphs, one))
        asked = np.array(sorted(map(code_of_graph, everything)), dtype=np.int64)

        assert all_codes(graphs, words).tolist() == expected
        assert asked[are_in(graphs, asked, words)].tolist() == expected
        assert size_of(graphs, words) == len(expected)


def test_long_graphs_are_asked_one_by_one() -> None:
    graphs = list(some_graphs(9, 30))
    acyclic = GraphClass((Restriction("acyclic"),), "graphs")

    codes = codes_of_outputs(map(code_of_graph, graphs), 9, "graph")
    assert are_in(acyclic, codes, 9).tolist() == [contains_graph(acyclic, one) for one in graphs]


def test_a_loop_is_in_no_class() -> None:
    assert not are_in(GraphClass((), "graphs"), np.array([0b10], dtype=np.int64), 1).any()


def test_networkx_counts_as_many() -> None:
    def digraph(code: int) -> "nx.DiGraph[int]":
        found = nx.DiGraph([(arc.head, arc.dependent) for arc in graph_of_code(code, 3).arcs])
        found.add_nodes_from(range(4))
        return found

    every = all_codes(GraphClass((), "graphs"), 3).tolist()
    acyclic = [code for code in every if nx.is_directed_acyclic_graph(digraph(code))]
    connected = [code for code in every if nx.is_weakly_connected(digraph(code))]

    assert len(every) == 2**9
    assert all_codes(GraphClass((Restriction("acyclic"),), "graphs"), 3).tolist() == acyclic
    assert len(acyclic) == 25 * 2**3
    assert all_codes(GraphClass((Restriction("connected"),), "graphs"), 3).tolist() == connected


def test_forests_have_codes_of_both_forms() -> None:
    for words in range(4):
        for base in ("trees", "forests"):
            heads = members(GraphClass((), base), words)  # type: ignore[arg-type]
            expected = sorted(code_of_graph(Outputs(words, heads, heads, {}).graph(code)) for code in heads)
            assert members(GraphClass((), base), words, "graph").tolist() == expected  # type: ignore[arg-type]
            assert sorted(as_bits(heads, words).tolist()) == expected


def test_words_that_hang_on_the_root_alone() -> None:
    hung = graph(3, (0, 1), (0, 2), (1, 2))
    free = graph(3, (0, 2), (1, 2))
    code = np.array([code_of_graph(hung)], dtype=np.int64)

    assert graph_of_code(without_root(code, 3)[0], 3) == free
    assert graph_of_code(hung_on_root(np.array([code_of_graph(free)]), 3)[0], 3) == graph(
        3, *((a.head, a.dependent) for a in hung.arcs), (0, 3)
    )


def test_outputs_of_both_kinds_of_figures_can_be_compared() -> None:
    by_heads = Outputs.of(2, {(0, 1): 3, (2, 0): 4, graph(2, (0, 1), (2, 1)).arcs: 5})
    by_arcs = Outputs.of(2, {code_of_graph(graph_of((0, 1))): 7, code_of_graph(graph(2, (0, 1), (2, 1))): 8}, "graph")

    only, other = by_heads.minus(by_arcs), by_arcs.minus(by_heads)
    assert (len(only), only.earliest, len(other)) == (1, 4, 0)
    one, two = alike(by_heads, by_arcs)
    assert (one.form, two.form) == ("graph", "graph")
    assert codes_of([(0, 1)], 2).tolist() == by_heads.codes[:1].tolist()
