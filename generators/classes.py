"""Which classes a dependency graph is in, computed fast from its heads.

The words are those of `transitions.reading.vocabulary`; `definitions` spells out each of them the way it is defined,
and fixes the conventions (node 0 is at position 0 and is a node like any other; forests may have headless words;
`-words` ignores the arcs from 0).  Here a graph is its `Heads`, and a set of nodes is an integer: bit k stands for node
k, so that union is `|` and the yields of all nodes cost one pass from the leaves upwards.

Why the shortcuts are right:
- A set of nodes has one gap fewer than it has runs.  The yields have no gaps iff the graph is projective.
- Two disjoint sets interleave iff the second is cut by the span of the first, or lies inside that span but in more
  than one of its gaps.  A set without gaps never interleaves with a disjoint one.
- Every component of the nodes strictly between the ends of an arc has one root, the only one of its nodes whose head is
  not strictly between; a component is dominated iff its root is.  Within the closed interval both ends dominate what is
  attached to them, because the arc itself joins them, so a root is undominated iff its head lies outside the closed
  interval or is missing.
- Joining sets in pairs (mild gap degree): a set all of whose runs touch another set can be joined to that one
  immediately, since no intermediate set gets more runs because of it; a set that touches no other can wait until the
  end.  The others, few in practice, are joined greedily, and if that fails by trying all ways, exponential in their
  number.

All functions except `is_forest`, `is_tree` and `has_proper_heads` expect a forest; those that need the yields raise
`BadGraph` on a cycle.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from typing import Final, TypeAlias

from arcproof.generators import spans
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, Arc, Heads, dependents, format_heads, sets_of_heads
from arcproof.transitions.syntax import GraphClass, Infinity, Number, Restriction, Term

Membership: TypeAlias = Callable[[Heads], bool]


# --- bases -----------------------------------------------------------------------------------------------------------


def is_forest(heads: Heads) -> bool:
    """Whether there is no cycle (the form of heads ensures that 0 has no head and every word at most one).

    >>> is_forest((2, 0, None)), is_forest((2, 1))
    (True, False)
    """
    words = len(heads)
    seen_from = [0] * (words + 1)
    for word in range(1, words + 1):
        node: int | None = word
        while node and not seen_from[node]:
            seen_from[node] = word
            node = heads[node - 1]
            if node is not None and not 0 <= node <= words:
                raise BadGraph(f"the heads {format_heads(heads)} have the head {node}; there are {words} words")
        if node and seen_from[node] == word:
            return False
    return True


def is_tree(heads: Heads) -> bool:
    """Whether the graph is a forest in which every word has a head.

    >>> is_tree((2, 0, 2)), is_tree((2, 0, None))
    (True, False)
    """
    return None not in heads and is_forest(heads)


def has_proper_heads(heads: Heads) -> bool:
    """Whether the heads are nodes and no word is its own head, so that they describe a graph.

    >>> has_proper_heads((2, 1, None)), has_proper_heads((1,))
    (True, False)
    """
    return all(head is None or (0 <= head <= len(heads) and head != word) for word, head in enumerate(heads, start=1))


# --- sets of nodes as bits -------------------------------------------------------------------------------------------


def yields(heads: Heads) -> list[int]:
    """For each node 0..n the nodes it dominates, as bits; `BadGraph` if there is a cycle.

    >>> [f"{nodes:b}" for nodes in yields((2, 0))]
    ['111', '10', '110']
    """
    found = [1 << node for node in range(len(heads) + 1)]
    for word in range(1, len(heads) + 1):
        above = heads[word - 1]
        while above is not None:
            if found[above] >> word & 1:
                raise BadGraph(f"the graph {format_heads(heads)} has a cycle; this is defined for forests only")
            found[above] |= 1 << word
            above = heads[above - 1] if above else None
    return found


def _has_gap(nodes: int) -> bool:
    return (nodes + (nodes & -nodes)) & nodes != 0


def _gaps(nodes: int) -> int:
    return (nodes & ~(nodes << 1)).bit_count() - 1


def _span(nodes: int) -> int:
    return (1 << nodes.bit_length()) - (nodes & -nodes)


def _strictly_between(left: int, right: int) -> int:
    return (1 << right) - (2 << left)


# --- projectivity and nesting ----------------------------------------------------------------------------------------


def is_projective(heads: Heads) -> bool:
    """Whether, for each arc, its head dominates every word strictly between its ends.

    >>> is_projective((2, 0, 2)), is_projective((3, 0, 0)), is_projective((3, None, 0))
    (True, False, False)
    """
    return not any(map(_has_gap, yields(heads)))


def is_nonprojective(heads: Heads) -> bool:
    """Whether the graph is not projective."""
    return not is_projective(heads)


def is_single_root(heads: Heads) -> bool:
    """Whether 0 has exactly one dependent."""
    return heads.count(ROOT) == 1


def is_well_nested(heads: Heads) -> bool:
    """Whether no two disjoint subtrees interleave.

    >>> is_well_nested((3, 0, 0)), is_well_nested((3, 4, 0, 0))
    (True, False)
    """
    ragged = list(filter(_has_gap, yields(heads)))
    return not any(_interleave(one, other) for k, one in enumerate(ragged) for other in ragged[:k])


def _interleave(one: int, other: int) -> bool:
    if one & other:
        return False
    inside = other & _span(one)
    if inside != other:
        return inside != 0
    return _span(other) & one != 0


def is_ill_nested(heads: Heads) -> bool:
    """Whether two disjoint subtrees interleave."""
    return not is_well_nested(heads)


# --- crossing arcs ---------------------------------------------------------------------------------------------------


def _spans(heads: Heads, root_arcs: bool) -> list[spans.Span]:
    return [
        (head, word) if head < word else (word, head)
        for word, head in enumerate(heads, start=1)
        if head is not None and (head or root_arcs)
    ]


def _of_spans(holds: Callable[[list[spans.Span]], bool], *, root_arcs: bool) -> Membership:
    """What the arcs must be like, seen as spans; without `root_arcs`, only those between words count."""
    return lambda heads: holds(_spans(heads, root_arcs))


def _arcs(heads: Heads, root_arcs: bool) -> list[Arc]:
    return [
        Arc(head, None, word) for word, head in enumerate(heads, start=1) if head is not None and (head or root_arcs)
    ]


def crossing_arcs(heads: Heads, *, root_arcs: bool = True) -> tuple[tuple[Arc, Arc], ...]:
    """The pairs of arcs that cross, without labels; each pair, and the list of pairs, is ordered by dependent.

    >>> crossing_arcs((3, 0, 0))
    ((Arc(head=3, label=None, dependent=1), Arc(head=0, label=None, dependent=2)),)
    >>> crossing_arcs((3, 0, 0), root_arcs=False)
    ()
    """
    arcs = _arcs(heads, root_arcs)
    crossed = spans.crossed(_spans(heads, root_arcs))
    return tuple((arcs[k], arcs[m]) for k, crossing in enumerate(crossed) for m in crossing if k < m)


def nonprojective_arcs(heads: Heads) -> tuple[Arc, ...]:
    """The arcs whose head does not dominate everything strictly between the ends, without labels, ordered by dependent.

    >>> nonprojective_arcs((3, 0, 0))
    (Arc(head=3, label=None, dependent=1),)
    """
    dominated = yields(heads)
    return tuple(
        arc
        for arc in _arcs(heads, root_arcs=True)
        if _strictly_between(min(arc.head, arc.dependent), max(arc.head, arc.dependent)) & ~dominated[arc.head]
    )


# --- measures --------------------------------------------------------------------------------------------------------


def gap_degree(heads: Heads) -> int:
    """The greatest number of gaps in the yield of a node.

    >>> gap_degree((2, 0, 2)), gap_degree((3, 0, 0)), gap_degree((5, 0, 5, 0, 0))
    (0, 1, 2)
    """
    return max(map(_gaps, yields(heads)))


def edge_degree_2006(heads: Heads) -> int:
    """The greatest number of components under an arc that its head does not dominate in the whole graph.

    >>> edge_degree_2006((5, 1, 0, 5, 3, 3, 6, 0))
    1
    """
    dominated = yields(heads)
    degree = 0
    for word, head in enumerate(heads, start=1):
        if head is None:
            continue
        left, right = (head, word) if head < word else (word, head)
        if _strictly_between(left, right) & ~dominated[head]:
            between = (k for k in range(left + 1, right) if not dominated[head] >> k & 1)
            degree = max(degree, sum(not _is_inside(heads[k - 1], left + 1, right - 1) for k in between))
    return degree


def edge_degree_2007(heads: Heads) -> int:
    """The greatest number of words under an arc whose head is missing or beyond the ends of the arc.

    >>> edge_degree_2007((5, 1, 0, 5, 3, 3, 6, 0))
    1
    """
    degree = 0
    for word, head in enumerate(heads, start=1):
        if head is not None:
            left, right = (head, word) if head < word else (word, head)
            degree = max(degree, sum(not _is_inside(other, left, right) for other in heads[left : right - 1]))
    return degree


def _is_inside(head: int | None, left: int, right: int) -> bool:
    return head is not None and left <= head <= right


def mild_gap_degree(heads: Heads) -> int:
    """The least k such that the parts of every node can be joined in pairs with at most k gaps.

    >>> mild_gap_degree((3, 4, 0, 0))
    1
    """
    found = yields(heads)
    return max(_joining(node, [found[d] for d in below], found[node]) for node, below in enumerate(dependents(heads)))


def _joining(node: int, below: list[int], whole: int) -> int:
    if not any(map(_has_gap, below)):
        return _gaps(whole)
    least = max(_gaps(whole), *map(_gaps, below))
    parts = _worth_thinking_about([1 << node, *below])
    while not (_can_be_joined_greedily(parts, least) or _can_be_joined(parts, least)):
        least += 1
    return least


def _worth_thinking_about(parts: list[int]) -> list[int]:
    """The parts after joining those that can be joined immediately, without those that can wait."""
    settled: list[int] = []
    while parts:
        part, *parts = parts
        neighbour = next((other for other in (*parts, *settled) if _every_run_touches(part, other)), None)
        if neighbour is None:
            settled.append(part)
        else:
            settled = [other for other in settled if other != neighbour]
            parts = [part | neighbour, *(other for other in parts if other != neighbour)]
    whole = _union(settled)
    return [part for part in settled if (part << 1 | part >> 1) & whole & ~part]


def _every_run_touches(part: int, other: int) -> bool:
    """Whether every run of the part has a node of the other next to it.

    Adding the first node of a run to the part carries over to the node after its last.
    """
    untouched_on_the_left = part & ~(part << 1) & ~(other << 1)
    return (part + untouched_on_the_left) & ~part & ~other == 0


def _union(parts: Iterable[int]) -> int:
    return reduce(or_, parts, 0)


def _can_be_joined_greedily(parts: list[int], most: int) -> bool:
    """Whether it suffices to repeatedly join the two parts whose union has the fewest gaps."""
    while len(parts) > 1:
        one, other = min(combinations(parts, 2), key=lambda pair: _gaps(pair[0] | pair[1]))
        if _gaps(one | other) > most:
            return False
        parts = [one | other, *(part for part in parts if part not in (one, other))]
    return True


def _can_be_joined(parts: list[int], most: int) -> bool:
    """Whether the parts can be joined in pairs so that no set has more gaps, by trying all ways."""
    joined = dict.fromkeys(parts)
    for one in (queue := list(parts)):
        for other in list(joined):
            union = one | other
            if not one & other and union not in joined and _gaps(union) <= most:
                joined[union] = None
                queue.append(union)
    return _union(parts) in joined


# --- by name ---------------------------------------------------------------------------------------------------------

BASES: Final[dict[str, Membership]] = {"forests": is_forest, "trees": is_tree, "graphs": has_proper_heads}

ADJECTIVES: Final[dict[str, Membership]] = {
    "projective": is_projective,
    "non-projective": is_nonprojective,
    "single-root": is_single_root,
    "planar": _of_spans(spans.do_not_cross, root_arcs=True),
    "planar-words": _of_spans(spans.do_not_cross, root_arcs=False),
    "well-nested": is_well_nested,
    "ill-nested": is_ill_nested,
    "1-endpoint-crossing": _of_spans(spans.are_1_endpoint_crossing, root_arcs=True),
    "1-endpoint-crossing-words": _of_spans(spans.are_1_endpoint_crossing, root_arcs=False),
    "2-planar": _of_spans(spans.are_2_planar, root_arcs=True),
    "2-planar-words": _of_spans(spans.are_2_planar, root_arcs=False),
}

MEASURES: Final[dict[str, Callable[[Heads], int]]] = {
    "gap-degree": gap_degree,
    "edge-degree-2006": edge_degree_2006,
    "edge-degree-2007": edge_degree_2007,
    "mild-gap-degree": mild_gap_degree,
}


@dataclass(frozen=True, slots=True)
class _AtMost:
    """The requirement that a measure is within the bound."""

    measure: Callable[[Heads], int]
    bound: int

    def __call__(self, heads: Heads) -> bool:
        return self.measure(heads) <= self.bound


def contains(graph_class: GraphClass, heads: Heads) -> bool:
    """Whether the graph is in the class.

    >>> contains(GraphClass((Restriction("gap-degree", Number(1)),), "trees"), (3, 0, 0))
    True
    """
    return all(holds(heads) for holds in requirements_of(graph_class))


@lru_cache(maxsize=256)
def requirements_of(graph_class: GraphClass) -> tuple[Membership, ...]:
    """The requirements of the class: first its base, on which the others rely.

    `ValueError` if the class uses a word that is not in the vocabulary or a bound that is not a number.
    """
    if graph_class.base not in BASES:
        raise ValueError(f"unknown kind of graphs {graph_class.base!r}; known kinds are {', '.join(BASES)}")
    asked = map(_of_a_graph if graph_class.base == "graphs" else requirement_of, graph_class.restrictions)
    return (BASES[graph_class.base], *(holds for holds in asked if holds is not None))


def _of_a_graph(restriction: Restriction) -> Membership | None:
    """What a restriction on graphs requires of a graph with single heads."""
    from arcproof.generators.graph_classes import requirement_of_sets

    asked = requirement_of_sets(restriction)
    return None if asked is None else lambda heads: asked(sets_of_heads(heads))


def requirement_of(restriction: Restriction) -> Membership | None:
    """What the restriction requires of a forest; None if it requires nothing (a measure up to ∞)."""
    name, bound = restriction.name, restriction.bound
    if name in ADJECTIVES:
        if bound is not None:
            raise ValueError(f"{name!r} is not a measure and takes no bound")
        return ADJECTIVES[name]
    if name in MEASURES:
        limit = bound_of(name, bound)
        return None if limit is None else _AtMost(MEASURES[name], limit)
    raise ValueError(f"unknown class of graphs {name!r}; known classes are {', '.join([*ADJECTIVES, *MEASURES])}")


def bound_of(name: str, bound: Term | None) -> int | None:
    """The bound of a measure as a number; None stands for ∞."""
    match bound:
        case Number(value):
            return value
        case Infinity():
            return None
        case None:
            raise ValueError(f"{name!r} is a measure and needs a bound, as in `with {name} <= 1`")
        case _:
            raise ValueError(f"the bound of {name!r} must be a number or ∞, not {bound}; give parameters a value first")


def known_classes(bounds: Iterable[int] = (1, 2)) -> tuple[GraphClass, ...]:
    """Forests and trees, each without a restriction, with each adjective alone, and with each measure alone at each
    bound.

    >>> from arcproof.transitions.printing.notation import class_text
    >>> [class_text(known) for known in known_classes()][:3]
    ['forests', 'projective forests', 'non-projective forests']
    """
    restrictions = [Restriction(name) for name in ADJECTIVES]
    restrictions += [Restriction(name, Number(bound)) for name in MEASURES for bound in bounds]
    bases: tuple[GraphClass, ...] = (GraphClass((), "forests"), GraphClass((), "trees"))
    return tuple(known for base in bases for known in (base, *(GraphClass((one,), base.base) for one in restrictions)))
