"""Where an oracle goes wrong: the first transition of its run after which the graph can no longer be derived."""

from dataclasses import dataclass

from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved, shortest_derivation
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.transitions.configuration import Configuration, Derivation, Transition
from arcproof.transitions.graph import Graph
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Mistake:
    """A transition, its number in the run counted from 1, and the configuration in which it is taken."""

    number: int
    before: Configuration
    transition: Transition


def first_mistake(system: System, gold: Graph, run: Derivation, limit: int) -> Mistake | None:
    """The mistake in a run that does not lead to the graph.

    None if it contains none: then no run leads to the graph at all, or this one is merely too short.  Also None if the
    search takes more than `limit` configurations, or if rules remove arcs.
    """
    try:
        if shortest_derivation(system, gold, limit) is None:
            return None
        for number, (before, step) in enumerate(run.with_before, start=1):
            if step.clashes or shortest_derivation(system, gold, limit, step.configuration) is None:
                return Mistake(number, before, step.transition)
    except (OutOfBounds, ArcsAreRemoved):
        return None
    return None
