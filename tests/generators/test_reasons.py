"""Why a graph is outside a class: exactly for the graphs that are, and the arcs at fault are at fault."""

from itertools import product

import pytest

from arcproof.generators.classes import contains, known_classes
from arcproof.generators.enumeration import all_graphs
from arcproof.generators.graph_classes import contains_graph, known_graph_classes
from arcproof.generators.graph_enumeration import all_graphs_of
from arcproof.generators.reasons import why_graph_outside, why_outside
from arcproof.transitions.graph import parse_arcs
from arcproof.transitions.syntax import GraphClass, Number, Restriction


def test_there_is_a_reason_exactly_for_what_is_outside() -> None:
    for words in range(4):
        for heads in product([None, *range(words + 1)], repeat=words):
            if all(head != word for word, head in enumerate(heads, start=1)):
                for graphs in known_classes():
                    assert (why_outside(graphs, heads) is None) == contains(graphs, heads)


def a_reason(graphs: GraphClass) -> str | None:
    """The reason given for the first forest of up to 5 words that is outside for another reason than that it is not a
    tree.
    """
    forests = (heads for words in range(6) for heads in all_graphs(GraphClass((), "forests"), words))
    reasons = (why_outside(graphs, heads) for heads in forests)
    return next((reason for reason in reasons if reason is not None and "not a tree" not in reason), None)


@pytest.mark.long
def test_every_class_has_its_reason() -> None:
    told = {graphs: reason for graphs in known_classes() if (reason := a_reason(graphs)) is not None}

    for graphs in known_classes():
        for restriction in graphs.restrictions:
            if (
                restriction.name not in ("1-endpoint-crossing-words", "2-planar-words")
                and str(restriction.bound) != "2"
            ):
                assert graphs not in told or restriction.name in told[graphs]


def test_reasons_name_what_is_at_fault() -> None:
    def told(restriction: str, base: str, *heads: int | None) -> str | None:
        return why_outside(GraphClass((Restriction(restriction),), base), heads)  # type: ignore[arg-type]

    assert told("projective", "forests", None, 0) == (
        "not projective: the arc from 0 to 2 passes over 1, which 0 does not dominate"
    )
    assert told("planar", "forests", None, 0, 1) == "not planar: the arcs (0, 2) and (1, 3) cross"
    assert told("single-root", "trees", 0, 0) == "not single-root: 0 has 2 dependents"
    assert told("planar", "forests", 2, 1) == "not a forest: 1 → 2 → 1 is a cycle"
    assert told("planar", "trees", 0, None) == "not a tree: 2 has no head"


# --- graphs with several heads ---------------------------------------------------------------------------------------


def test_there_is_a_reason_exactly_for_the_graphs_that_are_outside() -> None:
    for words in range(4):
        for graph in all_graphs_of(GraphClass((), "graphs"), words):
            for graphs in (*known_graph_classes(), GraphClass((), "forests"), GraphClass((), "trees")):
                assert (why_graph_outside(graphs, graph) is None) == contains_graph(graphs, graph)


def test_reasons_name_what_is_at_fault_in_a_graph() -> None:
    def told(arcs: str, name: str, bound: int | None = None, words: int | None = None) -> str | None:
        restriction = Restriction(name, None if bound is None else Number(bound))
        return why_graph_outside(GraphClass((restriction,), "graphs"), parse_arcs(arcs, words))

    assert told("0>1 2>3 3>2", "acyclic") == "not acyclic: 2 → 3 → 2 is a cycle"
    assert told("0>1 1>4 4>2 2>1", "acyclic") == "not acyclic: 1 → 4 → 2 → 1 is a cycle"
    assert told("0>1 2>3 3>5", "connected") == "not connected: no path of arcs joins 2, 3, 5 with 0"
    assert told("0>2 1>2 3>2", "heads", 2) == "not a graph with heads <= 2: 2 has the heads 0, 1 and 3"
    assert told("0>2", "heads", 0) == "not a graph with heads <= 0: 2 has the head 0"
    assert told("0>2 3>1", "planar") == "not planar: the arcs (0, 2) and (3, 1) cross"
    assert told("0>3 1>3 4>2", "planar-words") == "not planar-words: the arcs (1, 3) and (4, 2) cross"
    assert told("1>2", "single-root") == "not single-root: 0 has no dependents"
    assert told("0>1 1>3 2>4 3>5 4>1 5>2", "2-planar") == (
        "not 2-planar, which means: the arcs can be divided into two sets without crossings, arcs from 0 included"
    )
