"""Soundness: every output is in the class (Nivre 2008, Definition 7).

SINGLE-HEAD means at most one head and one label, so adding an arc to a node that has a head at that moment, even the same arc
again, is a violation, and so is an arc into 0 (ROOT), whether or not the output shows it and whether or not the run ends.
In a system without node 0 the words without head count as dependents of 0 where the class is one of trees.
"""

from dataclasses import dataclass

from arcproof.generators.classes import contains
from arcproof.properties.engines.levels import Levels, exhaust
from arcproof.properties.engines.spaces import Screen
from arcproof.properties.verdict import Outcome
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, Heads
from arcproof.transitions.machine.packed.signs import INTO_ROOT, SECOND_ARC
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System


def heads_for(system: System, graphs: GraphClass, heads: Heads) -> Heads:
    """The heads of an output as the class sees them."""
    return system.rooted(heads) if graphs.base == "trees" else heads


@dataclass(frozen=True, slots=True)
class Soundness:
    """The property of runs."""

    system: System
    graphs: GraphClass

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:  # noqa: ARG002
        """A terminal configuration whose graph is not in the class."""
        if not terminal:
            return None
        try:
            heads = heads_for(self.system, self.graphs, c.graph.heads)
        except BadGraph as error:
            return f"the output is not well-formed: {error}"
        if contains(self.graphs, heads):
            return None
        return f"the output {c.graph} is not among the {class_text(self.graphs)}"

    def at_step(self, before: Configuration, step: Step) -> str | None:  # noqa: ARG002
        """An arc added to a node that has a head at that moment, or to 0."""
        for arc in step.added:
            if arc.dependent == ROOT:
                return f"{step.transition.instance} adds an arc into 0"
        for arc in step.clashes:
            return f"{step.transition.instance} adds an arc to {arc.dependent}, which has a head already"
        return None

    def screen(self, words: int) -> Screen:  # noqa: ARG002
        """Outputs outside the class, and second arcs."""
        return Screen(signs=SECOND_ARC | INTO_ROOT, graphs=self.graphs)


def check_sound(levels: Levels, graphs: GraphClass) -> Outcome:
    """Try every configuration; where no run ends there is no output, and nothing to be sound."""
    outcome = exhaust(levels, Soundness(levels.system, levels.system.class_with_parameters(graphs)))
    if outcome.counterexample is None and not levels.some_run_ends():
        return levels.unknown(f"nothing was checked: no run ends up to {levels.reached} words")
    return outcome
