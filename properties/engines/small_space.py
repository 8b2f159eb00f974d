"""All configurations of a short sentence: the interpreter visits them, native code answers questions about paths among
them.

With one or two words there are a handful of configurations.  The interpreter visits them in less time than it takes to
make a program for the figure, but networkx, which it would use for questions about paths, takes long to import.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exploration import (
    Edge,
    Paths,
    StateSpace,
    StepsAsGraph,
    configurations_in,
    explored,
    steps_of,
)
from arcproof.properties.engines.spaces import Weight
from arcproof.transitions.machine.packed.paths import Edges
from arcproof.transitions.system import System

Inside = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class NativeStepGraph:
    """The configurations as nodes, with their edges in the order of the figure: `paths.StepGraph`, by native code."""

    edges: list[list[Edge]]
    names: tuple[str, ...]

    @cached_property
    def _flat(self) -> list[Edge]:
        return [edge for edges in self.edges for edge in edges]

    @cached_property
    def _native(self) -> Edges:
        steps = steps_of(self.edges, self.names)
        starts, targets = np.array(steps.starts, dtype=np.int64), np.array(steps.targets, dtype=np.int32)
        return Edges(starts, targets, np.array(steps.names, dtype=np.uint8))

    def _inside(self, numbers: Iterable[int]) -> Inside:
        inside = np.zeros(len(self.edges), dtype=np.bool_)
        inside[list(numbers)] = True
        return inside

    def order(self) -> list[int] | None:
        """The configurations in an order in which every edge leads forward; None if there is a cycle."""
        order = self._native.order(np.ones(len(self.edges), dtype=np.bool_))
        return None if order is None else order.tolist()

    def leading_to(self, ends: Iterable[int]) -> frozenset[int]:
        """The configurations from which one of the ends can be reached."""
        return frozenset(np.flatnonzero(self._native.leading_to(self._inside(ends))).tolist())

    def cycle(self, inside: frozenset[int]) -> list[Edge]:
        """The edges of a cycle; none if there is no cycle."""
        return [self._flat[edge] for edge in self._native.cycle(self._inside(inside))]

    def heaviest(self, inside: frozenset[int], weight: Weight) -> Paths | list[Edge]:
        """The heaviest paths from 0 within these configurations, with a weight for each transition's name; or a cycle
        that gains weight.
        """
        where = self._inside(inside)
        weights = [weight(name) for name in self.names]
        best, edge_to, loop = self._native.heaviest(where, self._native.order(where), weights)
        if loop:
            return [self._flat[edge] for edge in loop]
        reached = {number: int(best[number]) for number in np.flatnonzero(edge_to != -2).tolist()}
        last = {number: self._flat[edge_to[number]] for number in reached if edge_to[number] >= 0}
        return Paths(reached, last)


class SmallSpace(StateSpace):
    """A space of the interpreter without networkx."""

    @cached_property
    def graph(self) -> StepsAsGraph:
        """The configurations and transitions as a graph."""
        return NativeStepGraph(self.edges, tuple(self.system.transitions))


def small_space(system: System, words: int, past_terminal: bool, memory: int | None) -> SmallSpace:
    """Visit every configuration; raises `OutOfBounds` if they would take more memory than this."""
    limit = None if memory is None else configurations_in(memory)
    return explored(SmallSpace(system, words, past_terminal), limit)
