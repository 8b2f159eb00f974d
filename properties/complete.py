"""Completeness: every graph of the class is an output (Nivre 2008, Definition 7).

All graphs of the class are looked up among all outputs, fewest words first, so that the first missing graph has the fewest words.
There is no run to show for a graph that has none: the counterexample is the graph, and that it is missing was established by
visiting every configuration for its number of words.
"""

from collections.abc import Collection

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.exhausted import ENGINE, Levels, exhausted
from arcproof.properties.exploration import StateSpace
from arcproof.properties.sound import heads_for
from arcproof.properties.verdict import Counterexample, Outcome, refuted
from arcproof.transitions.graph import Heads, format_heads, graph_of
from arcproof.transitions.notation import class_text
from arcproof.transitions.syntax import GraphClass


def outputs_for(space: StateSpace, graphs: GraphClass) -> set[Heads]:
    """The outputs that have heads, as the class sees them."""
    return {heads_for(space.system, graphs, output) for output in space.outputs if isinstance(output, tuple)}


def least_graph(graphs: Collection[Heads]) -> Heads | None:
    """The graph with the least heads from the left, where a missing head is the least."""
    return min(graphs, key=lambda heads: [-1 if head is None else head for head in heads], default=None)


def check_complete(levels: Levels, graphs: GraphClass) -> Outcome:
    """Look up every graph of the class."""
    bounded = levels.system.class_with_parameters(graphs)
    cases = 0
    for space in levels.spaces():
        derived = outputs_for(space, bounded)
        missing: set[Heads] = set()
        for heads in all_graphs(bounded, space.words):
            cases += space.words > 0
            if heads not in derived:
                missing.add(heads)
        least = least_graph(missing)
        if least is not None:
            reason = f"{format_heads(least)} is among the {class_text(bounded)} but is not the output of any run"
            return refuted(ENGINE, space.words, cases, Counterexample(space.words, graph_of(least), None, reason))
    return exhausted(levels.reached, cases, class_text(bounded))
