"""Orders, cycles and weights in a graph of configurations, given by its edges.

The edges that leave configuration k are `edges.targets[starts[k] : starts[k + 1]]`.  Which of several cycles or
heaviest paths is returned is fixed by the definitions in `properties/engines/paths.py`, the reference, which leaves the
work to networkx.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.figure_programs import check
from arcproof.transitions.machine.packed.layout import Words64

Numbers: TypeAlias = npt.NDArray[np.int32]
LARGEST_SUM: Final = 2**62


def _heaviest(inside: npt.NDArray[np.bool_], weights: Words64, best: Words64, edge_to: Words64) -> Any:
    return native.structure(
        "heaviest", inside=native.pointer(inside), weights=native.pointer(weights), best=native.pointer(best),
        edge_to=native.pointer(edge_to),
    )  # fmt: skip


def add_up(places: Words64, numbers: Words64, size: int) -> Words64 | None:
    """The sum of the numbers at each place, which are not negative; None if a sum is too large."""
    sums = np.zeros(size, dtype=np.int64)
    places, numbers = np.ascontiguousarray(places), np.ascontiguousarray(numbers)
    fits = native.library.add_up_at(native.pointer(places), native.pointer(numbers), len(places), native.pointer(sums))
    return sums if fits else None


@dataclass(frozen=True)
class Edges:
    """The transitions between numbered configurations: where those of each configuration begin, their targets, and the
    numbers of their names.
    """

    starts: Words64
    targets: npt.NDArray[np.int32]
    names: npt.NDArray[np.uint8]

    @native.cached_structure
    def structure(self) -> Any:
        """These edges, as native code takes them."""
        return native.structure(
            "edges", size=len(self.starts) - 1, begins=native.pointer(self.starts), targets=native.pointer(self.targets),
            names=native.pointer(self.names),
        )  # fmt: skip

    def source(self, edge: int) -> int:
        """The configuration that an edge leaves."""
        return int(np.searchsorted(self.starts, edge, side="right")) - 1

    def order(self, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32] | None:
        """The configurations in `inside`, in an order in which every edge leads forward; None if there is a cycle."""
        order = np.empty(len(inside), dtype=np.int32)
        count = native.library.topological_order(self.structure, native.pointer(inside), native.pointer(order))
        check(count)
        return order[:count] if count == int(inside.sum()) else None

    def leading_to(self, ends: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """The configurations from which one of the ends can be reached."""
        marked = ends.copy()
        check(native.library.mark_leading_to(self.structure, native.pointer(marked)))
        return marked

    def cycle(self, inside: npt.NDArray[np.bool_]) -> list[int]:
        """The edges of a cycle; none if there is no cycle."""
        loop = np.empty(len(inside), dtype=np.int64)
        count = native.library.find_cycle(self.structure, native.pointer(inside), native.pointer(loop))
        check(count)
        return [int(edge) for edge in loop[:count]]

    def ways(self, order: npt.NDArray[np.int32]) -> Words64 | None:
        """The number of paths from configuration 0 to each; None if there are too many to count."""
        ways = np.zeros(len(self.starts) - 1, dtype=np.int64)
        counted = native.library.count_paths(self.structure, native.pointer(order), len(order), native.pointer(ways))
        return ways if counted else None

    def heaviest(
        self, inside: npt.NDArray[np.bool_], order: npt.NDArray[np.int32] | None, weights: Sequence[int]
    ) -> tuple[npt.NDArray[Any], Words64, list[int]]:
        """For each configuration, the greatest weight of a path from 0 within `inside`, and the last edge of such a
        path; and the edges of a cycle that gains weight, if there is one.

        The edge is -1 where the path is empty, and -2 where there is none.  In a given order every edge leads forward,
        and one round is enough.
        """
        if not inside[0]:
            return np.zeros(len(inside), dtype=np.int64), np.full(len(inside), -2, dtype=np.int64), []
        best, edge_to, gains = self._weighed(inside, order, weights, [0])
        if gains:
            return best, edge_to, self._gaining(inside, weights)
        self._choose(inside, weights, best, 0, edge_to)
        return best, edge_to, []

    def _gaining(self, inside: npt.NDArray[np.bool_], weights: Sequence[int]) -> list[int]:
        """The edges of the cycle that `properties/engines/paths.py` defines."""
        numbers = np.arange(len(inside))

        def gains(number: int) -> bool:
            up_to = inside & (numbers <= number)
            return self._weighed(up_to, None, weights, np.flatnonzero(up_to))[2]

        m = bisect_left(range(len(inside)), True, key=gains)
        again = len(inside)  # m, where a path from m returns to it
        cut = Edges(
            np.append(self.starts, self.starts[-1]),
            np.where(self.targets == m, again, self.targets).astype(np.int32),
            self.names,
        )
        up_to = np.append(inside & (numbers <= m), True)
        best, edge_to, _ = cut._weighed(up_to, None, weights, [m])
        cut._choose(up_to, weights, best, m, edge_to)
        loop = [int(edge_to[again])]
        while (source := self.source(loop[-1])) != m:
            loop.append(int(edge_to[source]))
        loop.reverse()
        lowest = min(range(len(loop)), key=lambda k: self.source(loop[k]))
        return loop[lowest:] + loop[:lowest]

    def _weighed(
        self, inside: npt.NDArray[np.bool_], order: npt.NDArray[np.int32] | None, weights: Sequence[int],
        roots: "Sequence[int] | npt.NDArray[np.intp]",
    ) -> tuple[npt.NDArray[Any], Words64, bool]:  # fmt: skip
        """The greatest weights of paths from the roots, the last edge of some such path, and whether a cycle gains.

        Without an order, rounds are repeated until nothing gets heavier or the last edges form a cycle.  As long as
        they do not, a path has fewer edges than there are configurations, and a round takes each edge once; where a sum
        of that many greatest weights might overflow a machine word, Python's own integers are used instead.
        """
        fits = self._fits(inside, weights)
        kind = np.int64 if fits else object
        best = np.array([0], dtype=kind).repeat(len(inside))
        edge_to = np.full(len(inside), -2, dtype=np.int64)
        edge_to[roots] = -1
        numbers = np.flatnonzero(inside).astype(np.int32) if order is None else order
        weighed = np.array(weights, dtype=kind)
        extend = self._extend if fits else self._extend_of_any_size
        while extend(inside, numbers, weighed, best, edge_to) and order is None:
            if self._goes_round(numbers, edge_to):
                return best, edge_to, True
        return best, edge_to, False

    def _extend(
        self, inside: npt.NDArray[np.bool_], order: Numbers, weights: Words64, best: Words64, edge_to: Words64
    ) -> bool:
        """Extend each path by each edge; return whether that made one heavier."""
        heaviest = _heaviest(inside, weights, best, edge_to)
        return bool(native.library.extend_paths(self.structure, native.pointer(order), len(order), heaviest))

    def _extend_of_any_size(
        self, inside: npt.NDArray[np.bool_], order: Numbers, weights: npt.NDArray[Any], best: npt.NDArray[Any], edge_to: Words64
    ) -> bool:  # fmt: skip
        """The same with Python's own integers."""
        is_heavier = False
        for source in order:
            if edge_to[source] == -2:
                continue
            for edge in range(self.starts[source], self.starts[source + 1]):
                target = self.targets[edge]
                weight = best[source] + weights[self.names[edge]]
                if inside[target] and (edge_to[target] == -2 or weight > best[target]):
                    best[target] = weight
                    edge_to[target] = edge
                    is_heavier = True
        return is_heavier

    def _goes_round(self, order: Numbers, edge_to: Words64) -> bool:
        """Whether the last edges of the paths form a cycle, which they do only if it gains weight."""
        answer = native.library.goes_round(
            native.pointer(self._sources), native.pointer(order), len(order), native.pointer(edge_to), len(edge_to)
        )
        check(answer)
        return bool(answer)

    def _choose(
        self,
        inside: npt.NDArray[np.bool_],
        weights: Sequence[int],
        best: npt.NDArray[Any],
        start: int,
        edge_to: Words64,
    ) -> None:
        weighed = np.array(weights, dtype=best.dtype)
        if not self._fits(inside, weights):
            self._choose_of_any_size(inside, weighed, best, start, edge_to)
            return
        check(native.library.choose_paths(self.structure, start, _heaviest(inside, weighed, best, edge_to)))

    def _choose_of_any_size(
        self, inside: npt.NDArray[np.bool_], weights: npt.NDArray[Any], best: npt.NDArray[Any], start: int, edge_to: Words64
    ) -> None:  # fmt: skip
        """The same with Python's own integers: breadth first along edges that lose nothing."""
        edge_to[:] = -2
        edge_to[start] = -1
        queue = [start]
        for source in queue:
            for edge in range(self.starts[source], self.starts[source + 1]):
                target = int(self.targets[edge])
                if (
                    inside[target]
                    and edge_to[target] == -2
                    and best[source] + weights[self.names[edge]] == best[target]
                ):
                    edge_to[target] = edge
                    queue.append(target)

    def _fits(self, inside: npt.NDArray[np.bool_], weights: Sequence[int]) -> bool:
        return max(map(abs, weights), default=0) * max(len(inside), len(self.targets)) < LARGEST_SUM

    @cached_property
    def _sources(self) -> npt.NDArray[np.int32]:
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))
