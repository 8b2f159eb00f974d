"""Incrementality (Nivre 2008, Definition 6, and the two variants the paper names), labels aside.

`incremental`: (1) if the buffer is empty the configuration is terminal, (2) the buffer never grows, (3) arcs are never
removed.  `weakly incremental`: (3) alone.  `strictly incremental`: (1) to (3), and the words leave the buffer from left
to right: a step either leaves the buffer as it is or takes words off its front.
"""

from typing import TYPE_CHECKING, ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import exhaust
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunCheck
from arcproof.properties.engines.sampled import property_check
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Evidence
from arcproof.properties.property import Column, Parts, Property, Sentence, named_by_words
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.machine.packed.signs import DISORDER, EMPTY_BUFFER, GROWS, REMOVES
from arcproof.transitions.syntax import SequenceComponent
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


def buffer_of(system: System) -> str | None:
    """The name of the buffer; None if the state has no buffer or several."""
    names = [c.name for c in system.figure.state if isinstance(c, SequenceComponent) and c.kind == "buffer"]
    return names[0] if len(names) == 1 else None


@dataclass(frozen=True, slots=True)
class Incrementality(RunProperty):
    """Incrementality as a property of runs."""

    strength: str
    buffer: str

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """Condition (1)."""
        if self.strength == "weakly" or terminal or c[self.buffer] != ():
            return None
        return f"(1) the buffer is empty in {c}, which is not terminal"

    def at_step(self, before: Configuration, step: Step) -> str | None:
        """Check conditions (2) and (3), and the order of the words."""
        name = step.transition.instance
        if not {(a.head, a.dependent) for a in before.arcs} <= {(a.head, a.dependent) for a in step.configuration.arcs}:
            return f"(3) {name} removes an arc from {before}"
        if self.strength == "weakly":
            return None
        old, new = before[self.buffer], step.configuration[self.buffer]
        assert isinstance(old, tuple)
        assert isinstance(new, tuple)
        if len(new) > len(old):
            return f"(2) {name} makes the buffer of {before} longer"
        if self.strength == "strictly" and old[len(old) - len(new) :] != new:
            return f"{name} changes the buffer of {before} to {list(new)}, which is not a suffix of it"
        return None

    def screen(self, words: int) -> Screen:
        """Select violations of the conditions."""
        if self.strength == "weakly":
            return Screen(signs=REMOVES)
        strictly = DISORDER if self.strength == "strictly" else 0
        return Screen(signs=REMOVES | GROWS | EMPTY_BUFFER | strictly)


class IncrementalProperty(Property[s.Incremental]):
    """`incremental`, `weakly incremental`, `strictly incremental`."""

    questions = (s.Incremental,)
    column = Column(
        "incremental",
        "an empty buffer is terminal, the buffer never grows, arcs are never removed; weakly incremental: "
        "the last alone",
    )
    goals_are_parts: ClassVar[bool] = True

    def parts(self, system: System, question: s.Incremental) -> Parts:
        """A name; it is about the system alone."""
        return named_by_words(question)

    def sentence(self, question: s.Incremental) -> Sentence:
        """The claim as a sentence."""
        return (f"The system is {f'{question.strength} ' if question.strength else ''}incremental, labels aside.",)

    def check(self, levels: Levels, question: s.Incremental) -> Evidence:
        """Try every configuration and every step."""
        buffer = buffer_of(levels.system)
        if buffer is None:
            return levels.no_answer("incrementality is defined for a state with one buffer")
        return exhaust(levels, Incrementality(question.strength, buffer))

    def run_check(self, system: System, question: s.Incremental) -> RunCheck | None:
        """Check every configuration and every step of the run."""
        buffer = buffer_of(system)
        return None if buffer is None else property_check(system, Incrementality(question.strength, buffer))

    def prove(self, prover: "Prover", claim: s.Claim, question: s.Incremental) -> "Theorem":
        """Prove a goal for each condition and each transition."""
        from arcproof.properties.proving.goals.space import incremental

        problem, buffer = incremental(prover.meanings, question), buffer_of(prover.system)
        assert buffer is not None, "the goals assume one buffer"
        problem = prover.confronted(problem, Incrementality(question.strength, buffer))
        return prover.theorem(claim, prover.argument(problem))


PROPERTIES: Final = (IncrementalProperty(),)
