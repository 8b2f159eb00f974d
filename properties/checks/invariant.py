"""The invariants of a specification: conditions that are claimed to hold in every configuration that a run reaches,
including terminal ones.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import exhaust
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Evidence
from arcproof.properties.property import Check, Parts, Property
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.syntax import Condition
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Invariant(RunProperty):
    """An invariant as a property of runs."""

    system: System
    condition: Condition

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """Report a configuration where the invariant does not hold."""
        if self.system.satisfies(c, self.condition):
            return None
        return f"in {c} this is false: {condition_text(self.condition, SOURCE)}"

    def screen(self, words: int) -> Screen:
        """Select configurations where the condition fails."""
        return Screen(fails=self.condition)


@dataclass(frozen=True, slots=True)
class Invariance(Check):
    """Whether a condition that the specification gives holds in every configuration that is reached."""

    condition: Condition

    def __str__(self) -> str:
        """The invariant as the specification writes it."""
        return f"invariant {condition_text(self.condition, SOURCE)}"


class Invariants(Property[Invariance]):
    """Asked of figures that state invariants; a failure decides the exit code, because the author claims them."""

    questions = (Invariance,)
    counts: ClassVar[bool] = True
    place: ClassVar[int] = 2

    def parts(self, system: System, question: Invariance) -> Parts:
        """The text of the invariant is its name."""
        return Parts(str(question))

    def asked(self, system: System) -> Iterable[Invariance]:
        """One question for each condition."""
        return map(Invariance, dict.fromkeys(system.figure.invariants))

    def check(self, levels: Levels, question: Invariance) -> Evidence:
        """Try every configuration."""
        return exhaust(levels, Invariant(levels.system, question.condition))


PROPERTIES: Final = (Invariants(),)
