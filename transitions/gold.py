"""What an oracle may ask about the gold graph.

- *projective order* <G (Nivre 2009, section 3.2): an inorder traversal from 0 that visits the left dependents of a node
  in ascending order, the node, its right dependents in ascending order.  Words without a head are visited like
  dependents of 0.
- *maximal projective components* (Nivre, Kuhlmann & Hall 2009): run the arc-standard oracle without SWAP, adding an arc
  between the two topmost nodes when its dependent is complete; `mpc(x)` is the root of x's subtree in what was built.

The gold graph of a figure with several heads is any set of arcs between different nodes, none into 0, at most one from
a node to another: words may have several heads, and there may be cycles.  `heads`, `order` and `components` are notions
of forests.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, Arc, Graph, Heads, cycle_in, dependents, improper_arc


@dataclass(frozen=True)
class Gold:
    """A gold graph with the notions that oracles use, each computed once; and the gold tags of its words, where they
    are known.
    """

    graph: Graph
    several_heads: bool = False
    tags: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no system could derive: `BadGraph` if the graph is not a forest or, with several heads, not a
        valid graph.
        """
        if self.several_heads:
            wrong = improper_arc(self.graph)
            if wrong is not None:
                raise BadGraph(f"the gold graph has {wrong}")
            return
        cycle = cycle_in(self.heads)
        if cycle is not None:
            path = " -> ".join(map(str, [*cycle, cycle[0]]))
            raise BadGraph(f"the gold graph has the cycle {path}; a gold graph is a forest")

    @cached_property
    def heads(self) -> Heads:
        """The gold head of each word."""
        return self.graph.heads

    def tag(self, node: int) -> str | None:
        """The gold tag of a node; None for 0, and where it is not known."""
        return self.tags[node - 1] if 0 < node <= len(self.tags) else None

    @cached_property
    def arcs(self) -> dict[tuple[int, int], Arc]:
        """The gold arcs by head and dependent."""
        return {(arc.head, arc.dependent): arc for arc in self.graph.arcs}

    @cached_property
    def dependents(self) -> list[list[int]]:
        """The gold dependents of each node, ascending."""
        found: list[list[int]] = [[] for _ in range(self.graph.words + 1)]
        for arc in self.graph.sorted_arcs():
            found[arc.head].append(arc.dependent)
        return found

    @cached_property
    def order(self) -> list[int]:
        """The place of each node in the projective order; 0 comes first."""
        rooted = dependents([ROOT if head is None else head for head in self.heads])
        place = [0] * (self.graph.words + 1)
        todo: list[tuple[int, bool]] = [(ROOT, False)]
        visited = 0
        while todo:
            node, expanded = todo.pop()
            if expanded:
                place[node] = visited
                visited += 1
                continue
            todo.extend((child, False) for child in reversed(rooted[node]) if child > node)
            todo.append((node, True))
            todo.extend((child, False) for child in reversed(rooted[node]) if child < node)
        return place

    @cached_property
    def components(self) -> list[int]:
        """For each node the root of its maximal projective component."""
        waiting = [len(children) for children in self.dependents]
        built = list(range(self.graph.words + 1))
        stack = [ROOT]
        for word in range(1, self.graph.words + 1):
            stack.append(word)
            while len(stack) > 1:
                below, top = stack[-2], stack[-1]
                if (top, below) in self.arcs and not waiting[below]:
                    stack[-2:] = [top]
                    built[below] = top
                    waiting[top] -= 1
                elif (below, top) in self.arcs and not waiting[top]:
                    stack[-2:] = [below]
                    built[top] = below
                    waiting[below] -= 1
                else:
                    break
        return [_root_of(node, built) for node in range(self.graph.words + 1)]


def _root_of(node: int, built: list[int]) -> int:
    while built[node] != node:
        node = built[node]
    return node


@dataclass(frozen=True, slots=True)
class FunctionOfGold:
    """A notion of the gold graph that an algorithm computes: what it means, and its value for a node."""

    meaning: str
    value: Callable[[Gold, int], int]


GOLD_FUNCTIONS: Final = {
    "mpc": FunctionOfGold(
        "root of the maximal projective component of the node", lambda gold, node: gold.components[node]
    )
}
