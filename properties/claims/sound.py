"""Soundness: every output is in the class (Nivre 2008, Definition 7).

SINGLE-HEAD means at most one head and one label, so adding an arc to a node that already has a head, even the same arc
again, is a violation, and so is an arc into 0 (ROOT), whether or not the output shows it and whether or not the run
ends. In a figure with several heads a second head is not a violation; an arc that exists already, and an arc into 0,
are. With `root none`, words without a head count as dependents of 0 if the class is one of trees; in other classes they
stay without a head, even in a figure whose `start` has no 0.
"""

from typing import TYPE_CHECKING, ClassVar, Final

from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.reasons import why_graph_outside
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import exhaust
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunCheck
from arcproof.properties.engines.output_sets import as_class_sees
from arcproof.properties.engines.sampled import property_check
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Counterexample, Evidence, Exhausted, NoRunEnds
from arcproof.properties.property import Column, Parts, Property, Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT
from arcproof.transitions.machine.packed.signs import INTO_ROOT, SECOND_ARC
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.printing.wording import FORGOTTEN_ROOT
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


@dataclass(frozen=True, slots=True)
class Soundness(RunProperty):
    """Soundness as a property of runs."""

    system: System
    graphs: GraphClass

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """Report a terminal configuration whose graph is not in the class."""
        if not terminal:
            return None
        if not self.system.figure.several_heads:
            try:
                _ = c.graph.heads
            except BadGraph as error:
                return f"the output is not well-formed: {error}"
        if contains_graph(self.graphs, as_class_sees(self.system, self.graphs, c.graph)):
            return None
        reason = f"the output {c.graph} is not among the {class_text(self.graphs)}"
        headless = next((word for word in range(1, c.words + 1) if word not in c.heads_of), None)
        if self.system.figure.forgets_root and self.graphs.base == "trees" and headless is not None:
            return f"{reason}: word {headless} has no head; {FORGOTTEN_ROOT}"
        return reason

    def at_step(self, before: Configuration, step: Step) -> str | None:
        """Report an arc into 0, into a node that already has a head, or, with several heads, an arc that already
        exists.
        """
        for arc in step.added:
            if arc.dependent == ROOT:
                return f"{step.transition.instance} adds an arc into 0"
        for arc in step.clashes:
            if self.system.figure.several_heads:
                return (
                    f"{step.transition.instance} adds an arc from {arc.head} to {arc.dependent}, which already exists"
                )
            return f"{step.transition.instance} adds an arc to {arc.dependent}, which already has a head"
        return None

    def screen(self, words: int) -> Screen:
        """Select outputs outside the class, and second arcs."""
        return Screen(signs=SECOND_ARC | INTO_ROOT, graphs=self.graphs)


class SoundProperty(Property[s.Sound]):
    """`sound projective trees`."""

    questions = (s.Sound,)
    column = Column("sound", "every output is in the class")
    goals_are_parts: ClassVar[bool] = True

    def parts(self, system: System, question: s.Sound) -> Parts:
        """A name, and the class with its parameters."""
        return Parts("sound", class_text(system.class_with_parameters(question.graphs)))

    def sentence(self, question: s.Sound) -> Sentence:
        """The claim as a sentence."""
        return self._sentence(question, "to a word that has a head at that moment")

    def said_of(self, system: System, question: s.Sound) -> Sentence:
        """The claim as a sentence; with several heads, it forbids only arcs that exist already."""
        if not system.figure.several_heads:
            return self.sentence(question)
        return self._sentence(question, "an arc that already exists")

    def _sentence(self, question: s.Sound, clash: str) -> Sentence:
        return (
            "Every output is one of the ", question.graphs,
            ", and no transition of any run, even of one that does not end, adds an arc into ", s.Number(0),
            f" or {clash}.",
        )  # fmt: skip

    def check(self, levels: Levels, question: s.Sound) -> Evidence:
        """Try every configuration; where no run ends there is no output, so there is nothing to check."""
        found = exhaust(levels, self._of(levels.system, question))
        if isinstance(found, Exhausted) and not levels.some_run_ends():
            return levels.open(NoRunEnds(levels.reached))
        return found

    def run_check(self, system: System, question: s.Sound) -> RunCheck:
        """Check every configuration and every step of the run."""
        return property_check(system, self._of(system, question))

    def _of(self, system: System, question: s.Sound) -> Soundness:
        return Soundness(system, system.class_with_parameters(question.graphs))

    def prove(self, prover: "Prover", claim: s.Claim, question: s.Sound) -> "Theorem":
        """Prove it by an invariant that implies that the output is in the class."""
        from arcproof.properties.proving.methods.completeness import sound

        return sound(prover, claim, prover.system.class_with_parameters(question.graphs))

    def because(self, system: System, question: s.Sound, found: Counterexample) -> str | None:
        """The arcs and words that put an output outside the class."""
        if found.graph is None:
            return None
        graphs = system.class_with_parameters(question.graphs)
        if not system.figure.several_heads and found.graph.heads_or_none is None:
            return None
        return why_graph_outside(graphs, as_class_sees(system, graphs, found.graph))


PROPERTIES: Final = (SoundProperty(),)
