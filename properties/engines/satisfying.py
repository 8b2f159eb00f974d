"""Which configurations of a space satisfy a condition.

This is the one place where a condition of the language, asked from outside, is evaluated on every configuration.  The interpreter evaluates it, one configuration after
the other, in the order of the numbers, so that the first has a shortest run.
"""

from collections.abc import Iterator, Sequence

from arcproof.properties.engines.spaces import Space
from arcproof.transitions.syntax import Condition


def satisfying(space: Space, conditions: Sequence[Condition]) -> Iterator[int]:
    """The numbers of the configurations in which all conditions hold, those with the shortest runs first."""
    for number in range(space.size):
        c = space.configuration(number)
        if all(space.system.satisfies(c, condition) for condition in conditions):
            yield number
