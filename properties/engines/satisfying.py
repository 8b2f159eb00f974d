"""Which configurations of a space satisfy conditions, asked by the interpreter."""

from collections.abc import Iterator, Sequence

from arcproof.properties.engines.spaces import Space
from arcproof.transitions.syntax import Condition


def satisfying(space: Space, conditions: Sequence[Condition]) -> Iterator[int]:
    """The numbers of the configurations in which all conditions hold, one after the other."""
    for number in range(space.size):
        c = space.configuration(number)
        if all(space.system.satisfies(c, condition) for condition in conditions):
            yield number
