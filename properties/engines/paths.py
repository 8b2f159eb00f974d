"""Order, reachability, cycles and heaviest paths among numbered configurations, by networkx.

Every configuration is reached from number 0.  This is the reference for `transitions/machine/packed/paths.py`, which
answers the same questions with its own algorithms.  Where there are several answers, a definition fixes one of them:

- A *cycle* is closed by the first edge that leads back in a depth-first search from the lowest number, edges in order.
- Of the *heaviest paths* from 0 to a configuration, one with the fewest edges is chosen, and of these the one that a
  breadth-first search meets first.
- A cycle *gains* if it weighs more than 0.  Let m be the least number such that the configurations up to m have a
  gaining cycle; all these cycles go through m.  The cycle returned is the heaviest path from m back to m that does not
  pass m in between; again, one with the fewest edges is chosen, the one that is met first.  It is listed from its
  lowest number on.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, TypeAlias

import networkx as nx

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exploration import Edge, Paths
from arcproof.properties.engines.spaces import Weight

Weighed: TypeAlias = tuple[int, int, int, Edge]  # from, to, weight, the edge
AGAIN: Final = -1  # m, where a way from m comes back to it


@dataclass(frozen=True)
class StepGraph:
    """The configurations as nodes, their edges in the order of the figure."""

    edges: list[list[Edge]]

    @cached_property
    def _graph(self) -> Any:
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(self.edges)))
        graph.add_edges_from((edge.source, edge.target) for edge in self._all())
        return nx.freeze(graph)

    def _all(self) -> Iterator[Edge]:
        return (edge for edges in self.edges for edge in edges)

    def order(self) -> list[int] | None:
        """The configurations in an order in which every edge leads forward; None if there is a cycle."""
        try:
            return list(nx.topological_sort(self._graph))
        except nx.NetworkXUnfeasible:
            return None

    def leading_to(self, ends: Iterable[int]) -> frozenset[int]:
        """The configurations from which one of the ends can be reached."""
        return frozenset(node for layer in nx.bfs_layers(nx.reverse_view(self._graph), list(ends)) for node in layer)

    def cycle(self, inside: frozenset[int]) -> list[Edge]:
        """The edges of a cycle; none if there is no cycle."""
        edges = [edge for edge in self._all() if edge.source in inside and edge.target in inside]
        graph = nx.DiGraph((edge.source, edge.target) for edge in edges)
        if nx.is_directed_acyclic_graph(graph):
            return []
        first = {(edge.source, edge.target): edge for edge in reversed(edges)}
        return [first[pair] for pair in nx.find_cycle(graph, sorted(graph))]

    def heaviest(self, inside: frozenset[int], weight: Weight) -> Paths | list[Edge]:
        """The heaviest paths from 0 within these configurations, with a weight for each transition's name; or a cycle
        that gains weight.
        """
        if 0 not in inside:
            return Paths({}, {})
        weights = {name: weight(name) for name in {edge.transition.name for edge in self._all()}}
        weighed = [
            (edge.source, edge.target, weights[edge.transition.name], edge)
            for edge in self._all()
            if edge.source in inside and edge.target in inside
        ]
        try:
            return _paths(0, weighed)
        except nx.NetworkXUnbounded:
            return self._gaining(weighed)

    def _gaining(self, weighed: list[Weighed]) -> list[Edge]:
        def up_to(number: int) -> list[Weighed]:
            return [edge for edge in weighed if max(edge[0], edge[1]) <= number]

        def gains(number: int) -> bool:
            return bool(nx.negative_edge_cycle(_lightest(up_to(number))))

        m = bisect_left(range(len(self.edges)), True, key=gains)
        cut = [(a, AGAIN if b == m else b, weight, edge) for a, b, weight, edge in up_to(m)]
        loop = _paths(m, cut).to(AGAIN)
        lowest = min(range(len(loop)), key=lambda k: loop[k].source)
        return loop[lowest:] + loop[:lowest]


def _lightest(weighed: Iterable[Weighed]) -> Any:
    """The edges with negated weights, because networkx looks for the least; of parallel edges, the heaviest."""
    graph = nx.DiGraph()
    for source, target, weight, _ in weighed:
        if not graph.has_edge(source, target) or -weight < graph[source][target]["weight"]:
            graph.add_edge(source, target, weight=-weight)
    return graph


def _paths(start: int, weighed: list[Weighed]) -> Paths:
    """The heaviest paths from the start; raises `nx.NetworkXUnbounded` if a cycle gains weight."""
    graph = _lightest(weighed)
    graph.add_node(start)
    _, least = nx.goldberg_radzik(graph, start)
    tight = nx.DiGraph()
    tight.add_node(start)
    for source, target, weight, edge in weighed:
        if source in least and least[source] - weight == least[target] and not tight.has_edge(source, target):
            tight.add_edge(source, target, edge=edge)
    last = {number: tight[before][number]["edge"] for number, before in nx.bfs_predecessors(tight, start)}
    return Paths({number: -weight for number, weight in least.items()}, last)
