"""The configurations of a space that satisfy conditions, evaluated by the interpreter."""

from collections.abc import Iterator, Sequence

from arcproof.properties.engines.spaces import Space
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.syntax import Condition
from arcproof.transitions.system import System


def satisfying(space: Space, conditions: Sequence[Condition]) -> Iterator[int]:
    """Yield the numbers of the configurations in which all conditions hold, in order."""
    for number in range(space.size):
        if holds_in(space.system, space.configuration(number), conditions):
            yield number


def holds_in(system: System, c: Configuration, conditions: Sequence[Condition]) -> bool:
    """Whether all conditions hold in a configuration."""
    return all(system.satisfies(c, condition) for condition in conditions)
