"""The first output with two derivations, and two of them.

A *derivation* is a sequence of transitions with their choices, without labels, from the start to the first terminal
configuration; two are the same if they take the same transitions.  Two derivations of one output either end in
different configurations or come together on the way; in that case a configuration on the shortest way to the end has
two steps into it.  So steps are counted rather than derivations, of which there may be infinitely many.
"""

from collections.abc import Callable
from functools import cached_property

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.output_sets import Numbers


@dataclass(frozen=True)
class StepsOfASpace:
    """Numbered steps, in the order of the configurations that they leave.

    For each configuration, the one from which it was first reached is known.  `ends` are the terminal configurations in
    order, and `outputs` gives two of them the same number if they have the same output.  Native code has arrays and
    replaces the methods that look through all of them (`packed_space`).
    """

    parents: Numbers
    targets: Numbers
    source: Callable[[int], int]
    ends: Numbers
    outputs: Numbers

    def leading_to(self, configuration: int) -> list[int]:
        """The steps that lead into a configuration, in order."""
        return self._into.get(configuration, [])

    @cached_property
    def _into(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for step, target in enumerate(self.targets):
            found.setdefault(target, []).append(step)
        return found

    def first_ambiguous(self) -> tuple[int, int | None] | None:
        """The first end whose output has several derivations, and the next one with the same output, if there is one;
        None if every output has only one derivation.
        """
        into = self._into
        meets = [len(into.get(0, ())) > 0]
        for number, parent in enumerate(self.parents[1:], start=1):
            meets.append(len(into[number]) > 1 or meets[parent])
        ends: dict[int, list[int]] = {}
        for end, output in zip(self.ends, self.outputs, strict=True):
            ends.setdefault(output, []).append(end)
        return next(
            ((end, others[0] if others else None) for end, *others in ends.values() if others or meets[end]), None
        )

    def into(self, configuration: int) -> list[int]:
        """The steps that lead into a configuration; the step that first reached it comes first."""
        steps = self.leading_to(configuration)
        first = (
            [step for step in steps if self.source(step) == self.parents[configuration]][:1] if configuration else []
        )
        return [*first, *(step for step in steps if step not in first)]

    def way_to(self, configuration: int) -> list[int]:
        """The steps of a shortest way to a configuration."""
        way: list[int] = []
        while configuration:
            way.append(self.into(configuration)[0])
            configuration = self.source(way[-1])
        return way[::-1]


def two_ways(steps: StepsOfASpace) -> tuple[list[int], list[int]] | None:
    """Two derivations of the first output that has several: a shortest, and a shortest among those that differ from it
    in one place.

    None if every output has only one derivation.
    """
    found = steps.first_ambiguous()
    if found is None:
        return None
    end, other = found
    way = steps.way_to(end)
    others = [] if other is None else [steps.way_to(other)]
    for length in range(len(way) + 1):
        configuration = int(steps.targets[way[length - 1]]) if length else 0
        for step in steps.into(configuration)[1 if configuration else 0 :]:
            others.append([*steps.way_to(steps.source(step)), step, *way[length:]])
    return way, min(others, key=len)
