"""All graphs of a class, by brute force over all choices of heads, or over all sets of arcs.

A graph of n words is a set of arcs (head, dependent).  The definitions are those of docs/language.md.
"""

from functools import cache
from itertools import chain, combinations, product

from arcproof.transitions import syntax as s
from tests.independent.interpreter import NotJudged, reached

Arcs = frozenset[tuple[int, int]]


@cache
def graphs_of(graphs: s.GraphClass, words: int) -> tuple[Arcs, ...]:
    """Every graph of the class."""
    return tuple(graph for graph in candidates(graphs.base, words) if is_in(graphs, graph, words))


@cache
def candidates(base: s.Base, words: int) -> tuple[Arcs, ...]:
    """Every forest, tree or graph."""
    nodes = range(words + 1)
    if base == "graphs":
        arcs = [(head, word) for word in nodes[1:] for head in nodes if head != word]
        some = chain.from_iterable(combinations(arcs, size) for size in range(len(arcs) + 1))
        return tuple(map(frozenset, some))
    heads = [[head for head in (None, *nodes) if head != word] for word in nodes[1:]]
    vectors = (frozenset((h, d) for d, h in enumerate(one, 1) if h is not None) for one in product(*heads))
    return tuple(graph for graph in vectors if is_forest(graph) and (base == "forests" or len(graph) == words))


def is_in(graphs: s.GraphClass, graph: Arcs, words: int) -> bool:
    """Whether a graph is in a class."""
    if graphs.base != "graphs" and not is_forest(graph):
        return False
    if graphs.base == "trees" and len(graph) < words:
        return False
    if graphs.base == "graphs" and not all(d != 0 and h != d for h, d in graph):
        return False
    return all(meets(restriction, graph, words) for restriction in graphs.restrictions)


def is_forest(graph: Arcs) -> bool:
    """0 has no head, no word two, and there is no cycle."""
    dependents = [d for _, d in graph]
    return 0 not in dependents and len(set(dependents)) == len(dependents) and is_acyclic(graph)


def is_acyclic(graph: Arcs) -> bool:
    return not any(h in reached(graph, d) for h, d in graph)


def meets(restriction: s.Restriction, graph: Arcs, words: int) -> bool:
    """Whether a graph is what an adjective says, or within the bound of a measure."""
    if restriction.bound is not None:
        if isinstance(restriction.bound, s.Infinity):
            return True
        if not isinstance(restriction.bound, s.Number):
            raise NotJudged("the bound of a measure")
        return measured(restriction.name, graph, words) <= restriction.bound.value
    between_words = frozenset((h, d) for h, d in graph if h != 0)
    match restriction.name:
        case "projective":
            return is_projective(graph)
        case "non-projective":
            return not is_projective(graph)
        case "single-root":
            return sum(h == 0 for h, _ in graph) == 1
        case "planar":
            return is_planar(graph)
        case "planar-words":
            return is_planar(between_words)
        case "well-nested":
            return is_well_nested(graph, words)
        case "ill-nested":
            return not is_well_nested(graph, words)
        case "1-endpoint-crossing":
            return is_1_endpoint_crossing(graph)
        case "1-endpoint-crossing-words":
            return is_1_endpoint_crossing(between_words)
        case "2-planar":
            return is_2_planar(graph)
        case "2-planar-words":
            return is_2_planar(between_words)
        case "acyclic":
            return is_acyclic(graph)
        case "connected":
            return reached(graph | {(d, h) for h, d in graph}, 0) == set(range(words + 1))
    raise NotJudged(f"graphs that are {restriction.name}")


def measured(name: str, graph: Arcs, words: int) -> int:
    """The value of a measure."""
    match name:
        case "heads":
            return max((sum(d == word for _, d in graph) for word in range(1, words + 1)), default=0)
        case "gap-degree":
            return max(gaps(reached(graph, node)) for node in range(words + 1))
        case "edge-degree-2006":
            return max((components(graph, h, d, whole=True) for h, d in graph), default=0)
        case "edge-degree-2007":
            return max((components(graph, h, d, whole=False) for h, d in graph), default=0)
    raise NotJudged(f"the measure {name}")


def is_projective(graph: Arcs) -> bool:
    """For each arc, its head dominates every word strictly between its ends."""
    return all(set(range(min(h, d) + 1, max(h, d))) <= reached(graph, h) for h, d in graph)


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted(one), sorted(other)
    return a < c < b < d or c < a < d < b


def is_planar(graph: Arcs) -> bool:
    return not any(crosses(one, other) for one, other in combinations(graph, 2))


def is_2_planar(graph: Arcs) -> bool:
    """Some division into two sets has no crossing in either."""
    sets = chain.from_iterable(combinations(graph, size) for size in range(len(graph) + 1))
    return any(is_planar(frozenset(one)) and is_planar(graph - frozenset(one)) for one in sets)


def is_1_endpoint_crossing(graph: Arcs) -> bool:
    """For every arc there is a node at which all arcs that cross it end."""
    crossing = [[other for other in graph if crosses(one, other)] for one in graph]
    return all(not some or set.intersection(*map(set, some)) for some in crossing)


def is_well_nested(graph: Arcs, words: int) -> bool:
    """No two disjoint subtrees interleave: l1 < l2 < r1 < r2 with l1, r1 in one and l2, r2 in the other."""
    trees = [reached(graph, node) for node in range(words + 1)]
    return not any(
        a < c < b < d
        for one in trees
        for other in trees
        if not one & other
        for a, b in combinations(sorted(one), 2)
        for c, d in combinations(sorted(other), 2)
    )


def gaps(nodes: set[int]) -> int:
    """The number of runs of neighbouring nodes, less one."""
    return sum(node - 1 not in nodes for node in nodes) - 1


def components(graph: Arcs, head: int, dependent: int, whole: bool) -> int:
    """The components of the words strictly between the ends of an arc whose root the head does not dominate in the
    whole graph (2006), or neither end within the interval (2007).
    """
    inside = set(range(min(head, dependent) + 1, max(head, dependent)))
    roots = [word for word in inside if not any(h in inside and d == word for h, d in graph)]
    if whole:
        return sum(root not in reached(graph, head) for root in roots)
    return sum((head, root) not in graph and (dependent, root) not in graph for root in roots)
