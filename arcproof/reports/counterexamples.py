"""Counterexamples as JSON."""

from arcproof.properties.evidence import Counterexample
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Graph


def heads_json(graph: Graph) -> list[int | None] | None:
    """The heads of a graph; null where a word has several."""
    try:
        return list(graph.heads)
    except BadGraph:
        return None


def counterexample_json(found: Counterexample | None) -> dict[str, object] | None:
    """A counterexample with its graph and its run, or both of its runs."""
    if found is None:
        return None
    graph = found.graph
    return {
        "words": found.words,
        "heads": None if graph is None else heads_json(graph),
        "arcs": None if graph is None else [list(arc) for arc in graph.sorted_arcs()],
        "transitions": None if found.transitions is None else [t.instance for t in found.transitions],
        "other_transitions": None if found.other is None else [t.instance for t in found.other],
        "reason": found.reason,
    }
