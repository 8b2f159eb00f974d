"""No dead ends: where nothing is permissible, the configuration is terminal.  And: the default is always permissible."""

from dataclasses import dataclass

from arcproof.properties.engines.levels import Levels, exhaust
from arcproof.properties.engines.spaces import Screen
from arcproof.properties.verdict import Outcome
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.machine.packed.signs import DEAD_END, NO_DEFAULT


@dataclass(frozen=True, slots=True)
class NoDeadEnd:
    """The property of runs."""

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """A configuration in which a run is stuck."""
        if terminal or permissible:
            return None
        return f"nothing is permissible in {c}, and it is not terminal"

    def at_step(self, before: Configuration, step: Step) -> str | None:  # noqa: ARG002
        """Dead ends are a matter of configurations."""
        return None

    def screen(self, words: int) -> Screen:  # noqa: ARG002
        """The sign of a dead end."""
        return Screen(signs=DEAD_END)


@dataclass(frozen=True, slots=True)
class DefaultPermissible:
    """The papers' parser falls back to the default where the predicted transition is not permissible."""

    default: str

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """A configuration in which the fall-back fails."""
        if terminal or any(transition.name == self.default for transition in permissible):
            return None
        return f"{self.default} is not permissible in {c}"

    def at_step(self, before: Configuration, step: Step) -> str | None:  # noqa: ARG002
        """The default is a matter of configurations."""
        return None

    def screen(self, words: int) -> Screen:  # noqa: ARG002
        """The sign that the default is missing."""
        return Screen(signs=NO_DEFAULT)


def check_dead_ends(levels: Levels) -> Outcome:
    """Try every configuration."""
    return exhaust(levels, NoDeadEnd())


def check_default(levels: Levels) -> Outcome:
    """Try every configuration."""
    default = levels.system.figure.default
    if default is None:
        return levels.unknown("the figure names no default transition")
    return exhaust(levels, DefaultPermissible(default))
