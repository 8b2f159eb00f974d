"""A shortest derivation of a given graph, or a proof that there is none.

Of the transitions that add arcs, only those that add gold arcs are followed.  If no rule removes arcs, no derivation is
lost by that: an arc that is not in the graph would stay.  Adding a gold arc again changes nothing, so such a transition
is followed too.  A configuration that has lost an end of a missing arc is not followed either: a rule can only use
nodes that are in a sequence or are given by their number, so the arc could never be added.
"""

from collections import deque

from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.transitions.configuration import Configuration, Derivation, Step
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import AddArc, Number, RemoveArcs
from arcproof.transitions.system import System


class ArcsAreRemoved(Exception):
    """The search is only complete for systems that never remove an arc."""


def shortest_derivation(
    system: System, gold: Graph, limit: int | None = None, after: Configuration | None = None
) -> Derivation | None:
    """A shortest run to the graph; None if no run has it as output.  Raises `OutOfBounds` after `limit` configurations.

    With `after`, a shortest continuation of a run that has so far not given a word two heads.
    """
    if any(isinstance(effect, RemoveArcs) for effect in system.figure.effects):
        raise ArcsAreRemoved(f"{system.name} removes arcs")
    wanted = {(arc.head, arc.dependent) for arc in system.wanted(gold).arcs}
    start = system.start(gold.words) if after is None else after
    numbered = numbered_nodes(system)
    if any((arc.head, arc.dependent) not in wanted for arc in start.arcs):
        return None
    parents: dict[Configuration, tuple[Configuration, Step] | None] = {start: None}
    todo = deque([start])
    while todo:
        c = todo.popleft()
        if system.is_terminal(c):
            if len(c.arcs) == len(wanted):
                return _derivation(start, c, parents)
            continue
        for step in system.steps(c):
            allowed = all((arc.head, arc.dependent) in wanted for arc in step.added)
            if allowed and step.configuration not in parents and _can_be_added(wanted, step.configuration, numbered):
                parents[step.configuration] = c, step
                todo.append(step.configuration)
                if limit is not None and len(parents) > limit:
                    raise OutOfBounds(f"more than {limit} configurations")
    return None


def numbered_nodes(system: System) -> frozenset[int]:
    """The nodes that rules name by number when they add arcs."""
    added = (effect for effect in system.figure.effects if isinstance(effect, AddArc))
    return frozenset(end.value for arc in added for end in (arc.head, arc.dependent) if isinstance(end, Number))


def _can_be_added(wanted: set[tuple[int, int]], c: Configuration, numbered: frozenset[int]) -> bool:
    """Whether both ends of every missing arc are still available."""
    present = numbered.union(*(value for value in c.values if isinstance(value, tuple)))
    missing = wanted.difference((arc.head, arc.dependent) for arc in c.arcs)
    return all(head in present and dependent in present for head, dependent in missing)


def _derivation(
    start: Configuration, end: Configuration, parents: dict[Configuration, tuple[Configuration, Step] | None]
) -> Derivation:
    steps: list[Step] = []
    parent = parents[end]
    while parent is not None:
        before, step = parent
        steps.append(step)
        parent = parents[before]
    return Derivation(start, tuple(reversed(steps)))
