"""The first output with two derivations, and two of them.

A *derivation* is a sequence of transitions with their choices, without labels, from the start to the first terminal
configuration; two are the same if they take the same transitions.  Two derivations of one output either end in
different configurations or come together on the way; in that case a configuration on the shortest way to the end has
two steps into it.  So steps are counted rather than derivations, of which there may be infinitely many.
"""

from collections.abc import Callable

from arcproof.process.arrays import np, npt
from arcproof.process.lazy_dataclass import dataclass

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class StepsOfASpace:
    """Numbered steps, in the order of the configurations that they leave.

    For each configuration, the one from which it was first reached is known.  `ends` are the terminal configurations in
    order, and `outputs` gives two of them the same number if they have the same output.
    """

    parents: Numbers
    targets: Numbers
    source: Callable[[int], int]
    ends: Numbers
    outputs: Numbers

    def into(self, configuration: int) -> list[int]:
        """The steps that lead into a configuration; the step that first reached it comes first."""
        steps = [int(step) for step in np.flatnonzero(self.targets == configuration)]
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
    if not len(steps.ends):
        return None
    meets = _has_a_meeting_before(steps)
    _, first, counts = np.unique(steps.outputs, return_index=True, return_counts=True)
    ambiguous = (counts > 1) | meets[steps.ends[first]]
    if not ambiguous.any():
        return None
    place = int(first[ambiguous].min())
    end, output = int(steps.ends[place]), steps.outputs[place]
    way = steps.way_to(end)
    others = [steps.way_to(int(other)) for other in steps.ends[steps.outputs == output][1:2]]
    for length in range(len(way) + 1):
        configuration = int(steps.targets[way[length - 1]]) if length else 0
        for step in steps.into(configuration)[1 if configuration else 0 :]:
            others.append([*steps.way_to(steps.source(step)), step, *way[length:]])
    return way, min(others, key=len)


def _has_a_meeting_before(steps: StepsOfASpace) -> npt.NDArray[np.bool_]:
    """Whether the shortest way to each configuration passes one with two steps into it, or comes back to the start."""
    size = len(steps.parents)
    into = np.bincount(steps.targets, minlength=size)
    meets: npt.NDArray[np.bool_] = into > 1
    meets[0] = into[0] > 0
    above = np.maximum(steps.parents, 0)
    while above.any():
        meets, above = np.logical_or(meets, meets[above]), above[above]
    meets |= meets[0]
    return meets
