"""The search for a shortest run to a configuration, where it matters how often transitions occur in the run.

Configurations are distinguished by these counts; all of the same depth are processed together.  A bounded count is not
counted beyond its bound.
"""

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TypeAlias

from arcproof.properties.engines.spaces import OutOfBounds, Run, Space

from arcproof.process.arrays import np, npt
from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass

Counts: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]
Layer: TypeAlias = dict[Counts, Numbers]


@dataclass
class CountedRuns:
    """The runs of a space; `most` has a bound for each counted transition, or None if its count is unbounded."""

    space: Space
    most: dict[str, int | None]
    wanted: Callable[[Counts], Truths]
    memory: int | None = None
    looked_at: int = 0
    _reached: dict[Counts, Truths] = field(default_factory=dict)
    _layers: list[Layer] = field(default_factory=list)

    def shortest(self) -> Run | None:
        """A shortest run to a configuration that is wanted, given the counts of the run; None if no run leads to
        one.
        """
        layer: Layer = {(0,) * len(self.most): np.zeros(1, dtype=np.int64)}
        while layer:
            go_on()
            self._layers.append(layer)
            for counts, numbers in layer.items():
                self.looked_at += len(numbers)
                found = numbers[self.wanted(counts)[numbers]]
                if len(found):
                    return self._run_to(counts, int(found[0]))
            layer = self._next(layer)
        return None

    def _next(self, layer: Layer) -> Layer:
        """The configurations, with their counts, that one more transition reaches for the first time."""
        met: dict[Counts, list[Numbers]] = {}
        for counts, numbers in layer.items():
            for after, edges in self._leaving(counts, numbers):
                met.setdefault(after, []).append(self.space.steps.targets[edges].astype(np.int64))
        new: Layer = {}
        for counts, found in met.items():
            reached = self._known(counts)
            numbers = np.unique(np.concatenate(found))
            numbers = numbers[~reached[numbers]]
            if len(numbers):
                reached[numbers] = True
                new[counts] = numbers
        return new

    def _known(self, counts: Counts) -> Truths:
        if counts not in self._reached:
            needed = (len(self._reached) + 1) * self.space.size
            if self.memory is not None and needed > self.memory:
                raise OutOfBounds(f"more than {needed} pairs of a configuration and transition counts", self.looked_at)
            self._reached[counts] = np.zeros(self.space.size, dtype=np.bool_)
        return self._reached[counts]

    def _leaving(self, counts: Counts, numbers: Numbers) -> Iterator[tuple[Counts, Numbers]]:
        """Yield the edges that leave some configurations, grouped by the counts that they lead to."""
        steps = self.space.steps
        first, many = steps.starts[numbers], steps.starts[numbers + 1] - steps.starts[numbers]
        edges = np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())
        names = steps.names[edges]
        known = list(self.space.system.transitions)
        rest = np.ones(len(edges), dtype=np.bool_)
        for place, (name, end) in enumerate(self.most.items()):
            chosen = names == known.index(name)
            rest &= ~chosen
            more = counts[place] + 1 if end is None else min(counts[place] + 1, end)
            yield (*counts[:place], more, *counts[place + 1 :]), edges[chosen]
        yield counts, edges[rest]

    def _run_to(self, counts: Counts, number: int) -> Run:
        run = []
        for layer in reversed(self._layers[:-1]):
            counts, edge = self._into(layer, counts, number)
            run.append(self.space.transition(edge))
            number = int(np.searchsorted(self.space.steps.starts, edge, side="right")) - 1
        return tuple(reversed(run))

    def _into(self, layer: Layer, counts: Counts, number: int) -> tuple[Counts, int]:
        """The first edge from a layer to a configuration with these counts."""
        for before, numbers in layer.items():
            for after, edges in self._leaving(before, numbers):
                chosen = edges[self.space.steps.targets[edges] == number] if after == counts else edges[:0]
                if len(chosen):
                    return before, int(chosen[0])
        raise AssertionError("a configuration was reached from nowhere")
