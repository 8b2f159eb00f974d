"""Well-formedness of dependency graphs, condition by condition.

Two papers, two notions; both speak about an arbitrary set of arcs over the nodes 0..n.
- Nivre 2008, Definition 2: ROOT (0 has no head), SINGLE-HEAD (no node has two heads or two labels), ACYCLICITY.  The
  well-formed graphs are the *forests*.
- Nivre 2007, Definition 2: 0 is a root, the graph is weakly connected, every node has at most one head.  The paper
  says that the conditions are independent and that together they entail a tree rooted at 0: the well-formed graphs
  are the *trees*.  That every arc has one label is part of its Definition 1 (L is a function); here it is in
  SINGLE-HEAD.
"""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import ROOT, Graph


@dataclass(frozen=True, slots=True)
class Condition:
    """One numbered line of a definition of well-formedness."""

    name: str
    says: str
    holds: Callable[[Graph], bool]


def is_rooted(graph: Graph) -> bool:
    """Whether node 0 has no head."""
    return all(arc.dependent != ROOT for arc in graph.arcs)


def has_single_heads(graph: Graph) -> bool:
    """Whether no node has two heads, nor one head with two labels: at most one arc points to each node."""
    return len({arc.dependent for arc in graph.arcs}) == len(graph.arcs)


def is_acyclic(graph: Graph) -> bool:
    """Whether no path of one or more arcs leads from a node back to itself."""
    order: TopologicalSorter[int] = TopologicalSorter()
    for arc in graph.arcs:
        order.add(arc.dependent, arc.head)
    try:
        order.prepare()
    except CycleError:
        return False
    return True


def is_weakly_connected(graph: Graph) -> bool:
    """Whether every node can be reached from every other if the direction of arcs is ignored."""
    neighbours: dict[int, list[int]] = {node: [] for node in range(graph.words + 1)}
    for arc in graph.arcs:
        neighbours[arc.head].append(arc.dependent)
        neighbours[arc.dependent].append(arc.head)
    reached = {ROOT}
    frontier = [ROOT]
    while frontier:
        new = set(neighbours[frontier.pop()]) - reached
        reached |= new
        frontier.extend(new)
    return len(reached) == graph.words + 1


_ROOT = Condition("ROOT", "node 0 has no head", is_rooted)
_SINGLE_HEAD = Condition("SINGLE-HEAD", "every node has at most one head and one label", has_single_heads)
_ACYCLICITY = Condition("ACYCLICITY", "there is no cycle", is_acyclic)
_CONNECTEDNESS = Condition("CONNECTEDNESS", "the graph is weakly connected", is_weakly_connected)

CONDITIONS_2008: Final = (_ROOT, _SINGLE_HEAD, _ACYCLICITY)
CONDITIONS_2007: Final = (_ROOT, _CONNECTEDNESS, _SINGLE_HEAD)


def violations(graph: Graph, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions the graph does not satisfy."""
    return tuple(condition for condition in conditions if not condition.holds(graph))


def well_formed_2008(graph: Graph) -> bool:
    """Nivre 2008, Definition 2: the graph is a forest."""
    return not violations(graph, CONDITIONS_2008)


def well_formed_2007(graph: Graph) -> bool:
    """Nivre 2007, Definition 2: the graph is a tree."""
    return not violations(graph, CONDITIONS_2007)
