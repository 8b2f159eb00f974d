"""Why a graph is not in a class, in a sentence with the arcs and words at fault.

Where a class has a witness that can be pointed at (an arc and the word under it, two arcs that cross), it is named; of the other classes the sentence
gives the definition.
"""

from arcproof.generators.classes import (
    MEASURES,
    bound_of,
    contains,
    crossing_arcs,
    is_forest,
    nonprojective_arcs,
    requirement_of,
    yields,
)
from arcproof.transitions.graph import ROOT, Heads, cycle_in, dependents, format_heads
from arcproof.transitions.reading.vocabulary import ADJECTIVES as DEFINITIONS
from arcproof.transitions.reading.vocabulary import MEASURES as MEASURE_DEFINITIONS
from arcproof.transitions.syntax import GraphClass, Restriction


def why_outside(graphs: GraphClass, heads: Heads) -> str | None:
    """Why a graph is not in the class; None if it is in it.

    >>> from arcproof.transitions.syntax import GraphClass, Restriction
    >>> why_outside(GraphClass((Restriction("projective"),), "trees"), (3, 0, 2))
    'not projective: the arc from 3 to 1 passes over 2, which 3 does not dominate'
    """
    if contains(graphs, heads):
        return None
    if not is_forest(heads):
        cycle = cycle_in(heads)
        return f"not a forest: {' → '.join(map(str, [*(cycle or []), *(cycle or [])[:1]]))} is a cycle"
    if graphs.base == "trees" and None in heads:
        return f"not a tree: {heads.index(None) + 1} has no head"
    for restriction in graphs.restrictions:
        requirement = requirement_of(restriction)
        if requirement is not None and not requirement(heads):
            return _reason(restriction, heads)
    raise AssertionError(f"{format_heads(heads)} is outside the class and meets all its requirements")


def _reason(restriction: Restriction, heads: Heads) -> str:
    name = restriction.name
    if name in MEASURES:
        found, most = MEASURES[name](heads), bound_of(name, restriction.bound)
        return f"of {name} {found}, more than {most}; that is {MEASURE_DEFINITIONS[name]}"
    match name:
        case "projective":
            head, _, dependent = nonprojective_arcs(heads)[0]
            below = yields(heads)[head]
            passed = next(k for k in range(min(head, dependent) + 1, max(head, dependent)) if not below >> k & 1)
            return f"not projective: the arc from {head} to {dependent} passes over {passed}, which {head} does not dominate"
        case "planar" | "planar-words":
            one, other = crossing_arcs(heads, root_arcs=name == "planar")[0]
            return f"not {name}: the arcs {one} and {other} cross"
        case "single-root":
            count = len(dependents(heads)[ROOT])
            return f"not single-root: 0 has {count if count else 'no'} dependent{'s' * (count != 1)}"
    return f"not {name}, which means: {DEFINITIONS[name]}"
