"""Why a graph is not in a class, in a sentence with the arcs and words at fault.

Where a class has a witness that can be pointed at (an arc and the word under it, two arcs that cross, a cycle, a word
with too many heads, words apart from 0), it is named; for the other classes the sentence gives the definition.
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
from arcproof.generators.graph_classes import (
    component_of_root,
    contains_sets,
    cycle_among,
    dependents_of_root,
    requirement_of_sets,
    spans_of,
)
from arcproof.generators.spans import crossed
from arcproof.transitions.graph import (
    ROOT,
    Graph,
    Heads,
    HeadSets,
    cycle_in,
    dependents,
    format_heads,
    graph_of,
    head_sets,
    improper_arc,
    members,
)
from arcproof.transitions.reading.vocabulary import ADJECTIVES as DEFINITIONS
from arcproof.transitions.reading.vocabulary import GRAPH_ADJECTIVES as GRAPH_DEFINITIONS
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
    if graphs.base == "graphs":
        return why_graph_outside(graphs, graph_of(heads))
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
            return (
                f"not projective: the arc from {head} to {dependent} passes over {passed}, which {head} does not "
                "dominate"
            )
        case "planar" | "planar-words":
            one, other = crossing_arcs(heads, root_arcs=name == "planar")[0]
            return f"not {name}: the arcs {one} and {other} cross"
        case "single-root":
            count = len(dependents(heads)[ROOT])
            return f"not single-root: 0 has {count if count else 'no'} dependent{'s' * (count != 1)}"
    return f"not {name}, which means: {DEFINITIONS[name]}"


# --- graphs with several heads ---------------------------------------------------------------------------------------


def why_graph_outside(graphs: GraphClass, graph: Graph) -> str | None:
    """Why a graph is not in the class, of whatever base; None if it is in it.

    >>> from arcproof.transitions.graph import parse_arcs
    >>> why_graph_outside(GraphClass((Restriction("acyclic"),), "graphs"), parse_arcs("1>2 2>3 3>1"))
    'not acyclic: 1 → 2 → 3 → 1 is a cycle'
    """
    wrong = improper_arc(graph)
    if wrong is not None:
        return f"not well-formed: it has {wrong}"
    sets = head_sets(graph)
    if graphs.base != "graphs":
        several = next((word for word, heads in enumerate(sets, start=1) if heads.bit_count() > 1), None)
        if several is not None:
            return f"not a {graphs.base.removesuffix('s')}: {_heads_of(several, sets)}"
        return why_outside(graphs, graph.heads)
    if contains_sets(graphs, sets):
        return None
    for restriction in graphs.restrictions:
        requirement = requirement_of_sets(restriction)
        if requirement is not None and not requirement(sets):
            return _graph_reason(restriction, sets)
    raise AssertionError(f"{graph} is outside the class and meets all its requirements")


def _heads_of(word: int, sets: HeadSets) -> str:
    """`2 has the heads 1 and 3`."""
    *others, last = map(str, members(sets[word - 1]))
    return f"{word} has the heads {', '.join(others)} and {last}" if others else f"{word} has the head {last}"


def _graph_reason(restriction: Restriction, sets: HeadSets) -> str:
    name = restriction.name
    match name:
        case "acyclic":
            cycle = cycle_among(sets) or []
            return f"not acyclic: {' → '.join(map(str, [*cycle, *cycle[:1]]))} is a cycle"
        case "connected":
            apart = _apart(sets)
            return f"not connected: no path of arcs joins {', '.join(map(str, apart))} with 0"
        case "heads":
            most = bound_of(name, restriction.bound)
            word = max(range(1, len(sets) + 1), key=lambda word: sets[word - 1].bit_count())
            return f"not a graph with heads <= {most}: {_heads_of(word, sets)}"
        case "planar" | "planar-words":
            one, other = _crossing(sets, root_arcs=name == "planar")
            return f"not {name}: the arcs {_arc(one, sets)} and {_arc(other, sets)} cross"
        case "single-root":
            count = len(dependents_of_root(sets))
            return f"not single-root: 0 has {count if count else 'no'} dependent{'s' * (count != 1)}"
    return f"not {name}, which means: {GRAPH_DEFINITIONS[name]}"


def _apart(sets: HeadSets) -> list[int]:
    """The component of the first word that is not connected to 0."""
    first = next(word for word in range(1, len(sets) + 1) if not component_of_root(sets) >> word & 1)
    moved = tuple([heads & ~1 | (word == first) for word, heads in enumerate(sets, start=1)])
    return [word for word in members(component_of_root(moved)) if word != ROOT]


def _crossing(sets: HeadSets, root_arcs: bool) -> tuple[tuple[int, int], tuple[int, int]]:
    arcs = spans_of(sets, root_arcs)
    return next((arcs[k], arcs[others[0]]) for k, others in enumerate(crossed(arcs)) if others)


def _arc(span: tuple[int, int], sets: HeadSets) -> str:
    """An arc with this span, as papers print it."""
    left, right = span
    return f"({left}, {right})" if sets[right - 1] >> left & 1 else f"({right}, {left})"
