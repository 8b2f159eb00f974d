"""Completeness: every graph of the class is an output (Nivre 2008, Definition 7).

All graphs of the class are looked up among all outputs, fewest words first, so that the first missing graph has the fewest words.
There is no run to show for a graph that has none: the counterexample is the graph, and that it is missing was established by
visiting every configuration for its number of words.

Where there are more configurations than memory allows, the figure's oracles still show completeness: a graph to which one of them leads is an
output.  That needs nothing but a range of ranks in memory, so it goes further; but a graph to which none leads says nothing then.
"""

import numpy as np
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.outputs import Codes, heads_of, pieces_of, size_of
from arcproof.properties.engines.spaces import Space
from arcproof.properties.verdict import Counterexample, Outcome
from arcproof.transitions.graph import format_heads, graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass


def missing_in(space: Space, graphs: GraphClass) -> Codes:
    """The codes of the graphs of the class that are no outputs, sorted."""
    derived = space.outputs.for_class(space.system, graphs).codes
    missing = [np.setdiff1d(piece, derived, assume_unique=True) for piece in pieces_of(graphs, space.words)]
    return np.sort(np.concatenate(missing))


def check_complete(levels: Levels, graphs: GraphClass) -> Outcome:
    """Look up every graph of the class."""
    bounded = levels.system.class_with_parameters(graphs)
    cases = 0
    for space in levels.spaces():
        cases += size_of(bounded, space.words) if space.words > 0 else 0
        missing = missing_in(space, bounded)
        if len(missing):
            least = heads_of(missing[0], space.words)
            reason = f"{format_heads(least) or 'the graph without words'} is among the {class_text(bounded)} but is not the output of any run"
            return levels.refuted(space.words, cases, Counterexample(space.words, graph_of(least), None, reason))
    reached = levels.reached
    while levels.explorer.goes_far and reached < levels.words:
        derived = _derived_by_oracles(levels, bounded, reached + 1)
        if derived is None:
            break
        reached += 1
        cases += derived if reached > 0 else 0
    return levels.exhausted(reached, cases, class_text(bounded))


def _derived_by_oracles(levels: Levels, graphs: GraphClass, words: int) -> int | None:
    """How many graphs there are, if one oracle leads to all of them.

    In a system without node 0 an oracle leads to a graph without its arcs from 0, which is another forest, but the same tree.
    """
    if graphs.base == "forests" and not levels.system.has_root:
        return None
    for oracle in levels.system.figure.oracles:
        count = 0
        for followed in levels.explorer.follow(oracle.name, graphs, words):
            if (followed.lengths < 0).any():
                break
            count += len(followed.lengths)
        else:
            return count
    return None
