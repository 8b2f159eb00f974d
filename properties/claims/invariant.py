"""The invariants of a specification: conditions that are said to hold in every configuration that a run reaches, terminal ones included."""

from dataclasses import dataclass

from arcproof.properties.engines.levels import Levels, exhaust
from arcproof.properties.verdict import Outcome
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.syntax import Condition
from arcproof.transitions.system import System


def invariant_text(condition: Condition) -> str:
    """As the specification writes it."""
    return f"invariant {condition_text(condition, SOURCE)}"


@dataclass(frozen=True, slots=True)
class Invariant:
    """The property of runs."""

    system: System
    condition: Condition

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:  # noqa: ARG002
        """A configuration in which it does not hold."""
        if self.system.satisfies(c, self.condition):
            return None
        return f"in {c} it does not hold that {condition_text(self.condition, SOURCE)}"

    def at_step(self, before: Configuration, step: Step) -> str | None:  # noqa: ARG002
        """An invariant is a matter of configurations."""
        return None

    def screen(self, words: int) -> None:
        """A condition of the figure is asked by the interpreter."""


def check_invariant(levels: Levels, condition: Condition) -> Outcome:
    """Try every configuration; the levels are to be those of the interpreter."""
    return exhaust(levels, Invariant(levels.system, condition))
