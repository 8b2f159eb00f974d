"""The classes of dependency graphs, each in the form of its definition.

This is the text to compare with the papers; `classes` and `graph_classes` compute the same things efficiently, and the
tests compare the two on every small graph.  All graphs here are forests over the nodes 0..n (`wellformed`), or
*graphs*, any sets of arcs between different nodes, none into 0, at most one from a node to another; node 0 counts as a
node like any other.

- i *dominates* k (i →* k): there is a path of zero or more arcs from i to k.
- The *yield* of a node is the set of nodes it dominates.  A *gap* of a set of nodes is a maximal run of nodes that
  are missing between its least and its greatest.
- Two arcs *cross* if exactly one end of one lies strictly between the ends of the other and no end is shared: a < c <
  b < d.
- Trees may have several dependents of 0, and 0 stands at position 0: arcs from 0 can cross others.  The classes
  called `-words` ignore the arcs from 0.
- In a forest the trees of headless words are compared like all others, and a headless word under an arc (a covered
  root) makes that arc non-projective.
- The degree of an arc e counts the weakly connected components of the graph induced by the nodes strictly between the
  ends of e that the head of e does not dominate: in the whole graph (Nivre 2006; Kuhlmann and Nivre 2006), or in the
  graph induced by the closed interval from end to end (Nivre 2007, Definition 3).  The two are not equivalent.
- A graph is *mildly ill-nested* of gap degree k (Gómez-Rodríguez, Weir and Carroll 2009) if at every node v the sets
  {v} and the yields of v's dependents can be joined in pairs, and the results again, until one is left, and none of
  the sets on the way has more than k gaps.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, TypeAlias

import networkx as nx

from arcproof.generators.wellformed import well_formed_2008
from arcproof.transitions.graph import ROOT, Arc, Graph, improper_arc

NodeSet: TypeAlias = frozenset[int]


@lru_cache(maxsize=1)
def _digraph(graph: Graph) -> Any:
    digraph = nx.DiGraph()
    digraph.add_nodes_from(range(graph.words + 1))
    digraph.add_edges_from((arc.head, arc.dependent) for arc in graph.arcs)
    return nx.freeze(digraph)


def _dominated(digraph: Any, node: int) -> NodeSet:
    return frozenset(nx.descendants(digraph, node) | {node})


def yield_of(graph: Graph, node: int) -> NodeSet:
    """The nodes that the node dominates."""
    return _dominated(_digraph(graph), node)


def between(arc: Arc) -> NodeSet:
    """The nodes strictly between the ends of the arc."""
    return frozenset(range(min(arc.head, arc.dependent) + 1, max(arc.head, arc.dependent)))


def cross(one: Arc, other: Arc) -> bool:
    """Whether the arcs cross."""
    a, b = sorted((one.head, one.dependent))
    c, d = sorted((other.head, other.dependent))
    return a < c < b < d or c < a < d < b


def gaps(nodes: NodeSet) -> int:
    """The number of gaps of the set."""
    missing = frozenset(range(min(nodes), max(nodes))) - nodes
    return sum(node - 1 not in missing for node in missing)


# --- bases -----------------------------------------------------------------------------------------------------------


def is_forest(graph: Graph) -> bool:
    """Nivre 2008, Definition 2."""
    return well_formed_2008(graph)


def is_tree(graph: Graph) -> bool:
    """A forest whose only root is 0."""
    return is_forest(graph) and {arc.dependent for arc in graph.arcs} == set(range(1, graph.words + 1))


def is_graph(graph: Graph) -> bool:
    """A set of arcs between different nodes, none into 0, at most one from a node to another."""
    return improper_arc(graph) is None


# --- adjectives ------------------------------------------------------------------------------------------------------


def is_acyclic(graph: Graph) -> bool:
    """There is no directed cycle."""
    return bool(nx.is_directed_acyclic_graph(_digraph(graph)))


def is_connected(graph: Graph) -> bool:
    """Every node, 0 included, can be reached from every other over arcs taken in either direction."""
    return bool(nx.is_weakly_connected(_digraph(graph)))


def is_projective(graph: Graph) -> bool:
    """Nivre 2008, Definition 3: for each arc, its head dominates every word strictly between its ends."""
    return all(between(arc) <= yield_of(graph, arc.head) for arc in graph.arcs)


def is_nonprojective(graph: Graph) -> bool:
    """Not projective."""
    return not is_projective(graph)


def is_single_root(graph: Graph) -> bool:
    """0 has exactly one dependent."""
    return len({arc.dependent for arc in graph.arcs if arc.head == ROOT}) == 1


def _crossings(graph: Graph, root_arcs: bool) -> Any:
    """The graph whose nodes are the arcs and whose edges are the crossings."""
    crossings = nx.Graph()
    crossings.add_nodes_from(arc for arc in graph.arcs if root_arcs or arc.head != ROOT)
    crossings.add_edges_from((one, other) for one, other in combinations(crossings, 2) if cross(one, other))
    return crossings


def _is_planar(graph: Graph, root_arcs: bool) -> bool:
    return bool(_crossings(graph, root_arcs).number_of_edges() == 0)


def is_planar(graph: Graph) -> bool:
    """No two arcs cross."""
    return _is_planar(graph, root_arcs=True)


def is_planar_words(graph: Graph) -> bool:
    """No two arcs between words cross."""
    return _is_planar(graph, root_arcs=False)


def interleave(one: NodeSet, other: NodeSet) -> bool:
    """Whether l1 < l2 < r1 < r2 for some l1, r1 of one set and l2, r2 of the other."""
    return any(
        l1 < l2 < r1 < r2
        for first, second in ((one, other), (other, one))
        for l1, r1 in combinations(sorted(first), 2)
        for l2, r2 in combinations(sorted(second), 2)
    )


def is_well_nested(graph: Graph) -> bool:
    """No two disjoint subtrees interleave."""
    yields = [yield_of(graph, node) for node in range(graph.words + 1)]
    return not any(interleave(u, v) for u, v in combinations(yields, 2) if u.isdisjoint(v))


def is_ill_nested(graph: Graph) -> bool:
    """Not well-nested."""
    return not is_well_nested(graph)


def _is_1_endpoint_crossing(graph: Graph, root_arcs: bool) -> bool:
    crossings = _crossings(graph, root_arcs)
    return all(_share_an_end(list(crossings.neighbors(arc))) for arc in crossings)


def _share_an_end(arcs: list[Arc]) -> bool:
    return not arcs or bool(frozenset.intersection(*(frozenset((arc.head, arc.dependent)) for arc in arcs)))


def is_1_endpoint_crossing(graph: Graph) -> bool:
    """Pitler, Kannan and Marcus 2013: for every arc, all arcs that cross it share an end."""
    return _is_1_endpoint_crossing(graph, root_arcs=True)


def is_1_endpoint_crossing_words(graph: Graph) -> bool:
    """For every arc between words, all arcs between words that cross it share an end."""
    return _is_1_endpoint_crossing(graph, root_arcs=False)


def is_2_planar(graph: Graph) -> bool:
    """The arcs can be divided into two sets without crossings: the crossings are a bipartite graph."""
    return bool(nx.is_bipartite(_crossings(graph, root_arcs=True)))


def is_2_planar_words(graph: Graph) -> bool:
    """The arcs between words can be divided into two sets without crossings."""
    return bool(nx.is_bipartite(_crossings(graph, root_arcs=False)))


# --- measures --------------------------------------------------------------------------------------------------------


def heads(graph: Graph) -> int:
    """The greatest number of heads of a word."""
    return max((_digraph(graph).in_degree(word) for word in range(1, graph.words + 1)), default=0)


def gap_degree(graph: Graph) -> int:
    """The greatest number of gaps in the yield of a node."""
    return max(gaps(yield_of(graph, node)) for node in range(graph.words + 1))


def degree_2006(graph: Graph, arc: Arc) -> int:
    """The number of components between the ends of the arc that its head does not dominate in the whole graph."""
    dominated = yield_of(graph, arc.head)
    return sum(not component <= dominated for component in _components(graph, arc))


def degree_2007(graph: Graph, arc: Arc) -> int:
    """The number of components between the ends of the arc that its head does not dominate in the closed interval."""
    closed = _digraph(graph).subgraph(between(arc) | {arc.head, arc.dependent})
    dominated = _dominated(closed, arc.head)
    return sum(not component <= dominated for component in _components(graph, arc))


def _components(graph: Graph, arc: Arc) -> Iterator[set[int]]:
    components: Iterator[set[int]] = nx.weakly_connected_components(_digraph(graph).subgraph(between(arc)))
    return components


def edge_degree_2006(graph: Graph) -> int:
    """Kuhlmann and Nivre 2006: the greatest degree of an arc, domination in the whole graph."""
    return max((degree_2006(graph, arc) for arc in graph.arcs), default=0)


def edge_degree_2007(graph: Graph) -> int:
    """Nivre 2007, Definition 3: the greatest degree of an arc, domination within its interval."""
    return max((degree_2007(graph, arc) for arc in graph.arcs), default=0)


def mild_gap_degree(graph: Graph) -> int:
    """The least k such that the graph is mildly ill-nested of gap degree k."""
    return max(_joining(graph, node) for node in range(graph.words + 1))


def _joining(graph: Graph, node: int) -> int:
    dependents = {arc.dependent for arc in graph.arcs if arc.head == node}
    return least_gaps_of_joining(frozenset({NodeSet({node})} | {yield_of(graph, d) for d in dependents}))


@lru_cache(maxsize=100_000)
def least_gaps_of_joining(parts: frozenset[NodeSet]) -> int:
    """The least k such that the disjoint sets can be joined in pairs until one is left, none with more than k gaps."""
    whole = gaps(frozenset().union(*parts))
    if len(parts) == 1:
        return whole
    last_pairs = ((left, parts - left) for size in range(1, len(parts)) for left in _subsets(parts, size))
    return max(whole, min(max(least_gaps_of_joining(a), least_gaps_of_joining(b)) for a, b in last_pairs))


def _subsets(parts: frozenset[NodeSet], size: int) -> Iterator[frozenset[NodeSet]]:
    return map(frozenset, combinations(parts, size))


# --- by name ---------------------------------------------------------------------------------------------------------

BASES: Final[dict[str, Callable[[Graph], bool]]] = {"forests": is_forest, "trees": is_tree, "graphs": is_graph}

ADJECTIVES: Final[dict[str, Callable[[Graph], bool]]] = {
    "projective": is_projective,
    "non-projective": is_nonprojective,
    "single-root": is_single_root,
    "planar": is_planar,
    "planar-words": is_planar_words,
    "well-nested": is_well_nested,
    "ill-nested": is_ill_nested,
    "1-endpoint-crossing": is_1_endpoint_crossing,
    "1-endpoint-crossing-words": is_1_endpoint_crossing_words,
    "2-planar": is_2_planar,
    "2-planar-words": is_2_planar_words,
}

MEASURES: Final[dict[str, Callable[[Graph], int]]] = {
    "gap-degree": gap_degree,
    "edge-degree-2006": edge_degree_2006,
    "edge-degree-2007": edge_degree_2007,
    "mild-gap-degree": mild_gap_degree,
}

GRAPH_ADJECTIVES: Final[dict[str, Callable[[Graph], bool]]] = {
    "acyclic": is_acyclic,
    "connected": is_connected,
    "single-root": is_single_root,
    "planar": is_planar,
    "planar-words": is_planar_words,
    "1-endpoint-crossing": is_1_endpoint_crossing,
    "1-endpoint-crossing-words": is_1_endpoint_crossing_words,
    "2-planar": is_2_planar,
    "2-planar-words": is_2_planar_words,
}

GRAPH_MEASURES: Final[dict[str, Callable[[Graph], int]]] = {"heads": heads}
