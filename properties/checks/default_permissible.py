"""The default transition is always permissible: the papers' parser falls back to it where the predicted one is not."""

from collections.abc import Iterable
from typing import ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import exhaust
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Evidence
from arcproof.properties.property import Check, Column, Parts, Property
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.machine.packed.signs import NO_DEFAULT
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class DefaultPermissible(RunProperty):
    """Whether the default is permissible in every configuration that is not terminal."""

    default: str

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """Report a configuration in which the default is not permissible."""
        if terminal or any(transition.name == self.default for transition in permissible):
            return None
        return f"{self.default} is not permissible in {c}"

    def screen(self, words: int) -> Screen:
        """Select configurations in which the default is missing."""
        return Screen(signs=NO_DEFAULT)


@dataclass(frozen=True, slots=True)
class AlwaysPermissible(Check):
    """Whether the figure's default is permissible in every configuration that is not terminal."""

    default: str


class Default(Property[AlwaysPermissible]):
    """Asked of figures that name a default."""

    questions = (AlwaysPermissible,)
    column = Column("default", "the default transition is always permissible")
    place: ClassVar[int] = 3

    def parts(self, system: System, question: AlwaysPermissible) -> Parts:
        """A name, and the transition that it is about."""
        return Parts("default always permissible", question.default)

    def asked(self, system: System) -> Iterable[AlwaysPermissible]:
        """One question about the default, if the figure names one."""
        default = system.figure.default
        return () if default is None else (AlwaysPermissible(default),)

    def check(self, levels: Levels, question: AlwaysPermissible) -> Evidence:
        """Try every configuration."""
        return exhaust(levels, DefaultPermissible(question.default))


PROPERTIES: Final = (Default(),)
