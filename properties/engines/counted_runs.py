"""The search for a shortest run to a configuration, where it matters how often transitions occur in the run.

Configurations are distinguished by these counts; all of the same depth are processed together.  A bounded count is not
counted beyond its bound.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.output_sets import Numbers
from arcproof.properties.engines.spaces import OutOfBounds, Run, Space

Counts: TypeAlias = tuple[int, ...]
Layer: TypeAlias = dict[Counts, list[int]]


@dataclass
class CountedRuns:
    """The runs of a space; `most` has a bound for each counted transition, or None if its count is unbounded, and
    `wanted` says with a byte for each configuration whether it is searched for.
    """

    space: Space
    most: dict[str, int | None]
    wanted: Callable[[Counts], bytearray]
    memory: int | None = None
    looked_at: int = 0
    _reached: dict[Counts, bytearray] = field(default_factory=dict)
    _layers: list[Layer] = field(default_factory=list)

    def shortest(self) -> Run | None:
        """A shortest run to a configuration that is wanted, given the counts of the run; None if no run leads to
        one.
        """
        layer: Layer = {(0,) * len(self.most): [0]}
        while layer:
            go_on()
            self._layers.append(layer)
            for counts, numbers in layer.items():
                self.looked_at += len(numbers)
                wanted = self.wanted(counts)
                number = next((number for number in numbers if wanted[number]), None)
                if number is not None:
                    return self._run_to(counts, number)
            layer = self._next(layer)
        return None

    def _next(self, layer: Layer) -> Layer:
        """The configurations, with their counts, that one more transition reaches for the first time."""
        new: Layer = {}
        for counts, numbers in layer.items():
            for after, edge in self._leaving(counts, numbers):
                reached, target = self._known(after), self._targets[edge]
                if not reached[target]:
                    reached[target] = True
                    new.setdefault(after, []).append(target)
        return {counts: sorted(numbers) for counts, numbers in new.items()}

    def _known(self, counts: Counts) -> bytearray:
        if counts not in self._reached:
            needed = (len(self._reached) + 1) * self.space.size
            if self.memory is not None and needed > self.memory:
                raise OutOfBounds(f"more than {needed} pairs of a configuration and transition counts", self.looked_at)
            self._reached[counts] = bytearray(self.space.size)
        return self._reached[counts]

    @cached_property
    def _starts(self) -> "list[int] | memoryview":
        return _quick(self.space.steps.starts)

    @cached_property
    def _targets(self) -> "list[int] | memoryview":
        return _quick(self.space.steps.targets)

    @cached_property
    def _names(self) -> "list[int] | memoryview":
        return _quick(self.space.steps.names)

    def _leaving(self, counts: Counts, numbers: list[int]) -> Iterator[tuple[Counts, int]]:
        """Yield the edges that leave some configurations, with the counts that they lead to; those that are counted
        come first, in the order of `most`.
        """
        edges = [edge for number in numbers for edge in range(self._starts[number], self._starts[number + 1])]
        known = list(self.space.system.transitions)
        for place, (name, end) in enumerate(self.most.items()):
            more = counts[place] + 1 if end is None else min(counts[place] + 1, end)
            after = (*counts[:place], more, *counts[place + 1 :])
            number = known.index(name)
            yield from ((after, edge) for edge in edges if self._names[edge] == number)
        counted = {known.index(name) for name in self.most}
        yield from ((counts, edge) for edge in edges if self._names[edge] not in counted)

    def _run_to(self, counts: Counts, number: int) -> Run:
        run = []
        for layer in reversed(self._layers[:-1]):
            counts, edge = self._into(layer, counts, number)
            run.append(self.space.transition(edge))
            number = bisect_right(self._starts, edge) - 1
        return tuple(reversed(run))

    def _into(self, layer: Layer, counts: Counts, number: int) -> tuple[Counts, int]:
        """The first edge from a layer to a configuration with these counts."""
        for before, numbers in layer.items():
            for after, edge in self._leaving(before, numbers):
                if after == counts and self._targets[edge] == number:
                    return before, edge
        raise AssertionError("a configuration was reached from nowhere")


def _quick(numbers: Numbers) -> "list[int] | memoryview":
    """Numbers that are quickly looked up one by one: of an array, its memory."""
    return numbers if isinstance(numbers, list) else memoryview(numbers)  # type: ignore[arg-type]
