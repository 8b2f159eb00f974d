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

from arcproof.process.jit import compiled
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.packed.layout import Words64

Numbers: TypeAlias = npt.NDArray[np.int32]
LARGEST_SUM: Final = 2**62


@compiled("int64(int64[::1], int32[::1], boolean[::1], int32[::1], int32[::1])")
def _order(starts: Words64, targets: Numbers, inside: npt.NDArray[np.bool_], waiting: Numbers, order: Numbers) -> int:
    """Write the configurations in `inside` in topological order; `waiting` must be all 0."""
    size = len(inside)
    for source in range(size):
        if inside[source]:
            for edge in range(starts[source], starts[source + 1]):
                if inside[targets[edge]]:
                    waiting[targets[edge]] += 1
    found = 0
    for number in range(size):
        if inside[number] and waiting[number] == 0:
            order[found] = number
            found += 1
    at = 0
    while at < found:
        source = order[at]
        at += 1
        for edge in range(starts[source], starts[source + 1]):
            target = targets[edge]
            if inside[target]:
                waiting[target] -= 1
                if waiting[target] == 0:
                    order[found] = target
                    found += 1
    return found


@compiled("void(int64[::1], int32[::1], int64[::1], int64[::1], int32[::1], int32[::1], boolean[::1])")
def _leading_to(
    starts: Words64, targets: Numbers, before: Words64, filled: Words64, sources: Numbers, todo: Numbers, marked: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Mark everything from which something marked can be reached; `before` is all 0 and has one more place than there
    are configurations.
    """
    size = len(marked)
    for edge in range(len(targets)):
        before[targets[edge] + 1] += 1
    for number in range(size):
        before[number + 1] += before[number]
    for number in range(size):
        filled[number] = before[number]
    for source in range(size):
        for edge in range(starts[source], starts[source + 1]):
            sources[filled[targets[edge]]] = source
            filled[targets[edge]] += 1
    count = 0
    for number in range(size):
        if marked[number]:
            todo[count] = number
            count += 1
    while count > 0:
        count -= 1
        number = todo[count]
        for k in range(before[number], before[number + 1]):
            if not marked[sources[k]]:
                marked[sources[k]] = True
                todo[count] = sources[k]
                count += 1


@compiled("boolean(int64[::1], int32[::1], int32[::1], int64[::1])")
def _ways(starts: Words64, targets: npt.NDArray[np.int32], order: npt.NDArray[np.int32], ways: Words64) -> bool:
    ways[0] = 1
    for at in range(len(order)):
        source = order[at]
        for edge in range(starts[source], starts[source + 1]):
            ways[targets[edge]] += ways[source]
            if ways[targets[edge]] < 0:
                return False
    return True


def _round_of_any_size(
    starts: Words64, targets: npt.NDArray[np.int32], names: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_],
    order: npt.NDArray[np.int32], weights: npt.NDArray[Any], best: npt.NDArray[Any], edge_to: Words64,
) -> bool:  # fmt: skip
    """Extend each path by each edge; return whether that made one heavier.  `edge_to` is -2 where nothing has been
    found, -1 at the start.
    """
    heavier = False
    for at in range(len(order)):
        source = order[at]
        if edge_to[source] == -2:
            continue
        for edge in range(starts[source], starts[source + 1]):
            target = targets[edge]
            value = best[source] + weights[names[edge]]
            if inside[target] and (edge_to[target] == -2 or value > best[target]):
                best[target] = value
                edge_to[target] = edge
                heavier = True
    return heavier


_round = compiled(
    "boolean(int64[::1], int32[::1], uint8[::1], boolean[::1], int32[::1], int64[::1], int64[::1], int64[::1])"
)(_round_of_any_size)


def _first_of_any_size(
    starts: Words64, targets: npt.NDArray[np.int32], names: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_],
    weights: npt.NDArray[Any], best: npt.NDArray[Any], start: int, queue: Numbers, edge_to: Words64,
) -> None:  # fmt: skip
    """Find, among the heaviest paths from the start, those with the fewest edges, and of these the first: breadth first
    along edges that lose nothing.
    """
    edge_to[:] = -2
    edge_to[start] = -1
    queue[0] = start
    at, found = 0, 1
    while at < found:
        source = queue[at]
        at += 1
        for edge in range(starts[source], starts[source + 1]):
            target = targets[edge]
            if inside[target] and edge_to[target] == -2 and best[source] + weights[names[edge]] == best[target]:
                edge_to[target] = edge
                queue[found] = target
                found += 1


_first = compiled(
    "void(int64[::1], int32[::1], uint8[::1], boolean[::1], int64[::1], int64[::1], int64, int32[::1], int64[::1])"
)(_first_of_any_size)


@compiled("boolean(int32[::1], int32[::1], int64[::1], int32[::1])")
def _goes_round(sources: Numbers, order: Numbers, edge_to: Words64, seen: Numbers) -> bool:
    """Whether the last edges of the paths found form a cycle, which they do only if it gains weight."""
    seen[:] = -1
    for at in range(len(order)):
        root = order[at]
        number = root
        while seen[number] == -1 and edge_to[number] >= 0:
            seen[number] = root
            number = sources[edge_to[number]]
        if seen[number] == root:
            return True
    return False


@compiled("int64(int64[::1], int32[::1], boolean[::1], uint8[::1], int32[::1], int64[::1], int64[::1])")
def _cycle(
    starts: Words64, targets: Numbers, inside: npt.NDArray[np.bool_], state: npt.NDArray[np.uint8], stack: Numbers, next_edge: Words64, loop: Words64,
) -> int:  # fmt: skip
    """Write the edges of a cycle; return their number, 0 if there is no cycle.  `state` is all 0."""
    size = len(inside)
    for root in range(size):
        if state[root] != 0 or not inside[root]:
            continue
        depth = 0
        stack[0] = root
        next_edge[0] = starts[root]
        state[root] = 1
        while depth >= 0:
            number = stack[depth]
            if next_edge[depth] == starts[number + 1]:
                state[number] = 2
                depth -= 1
                continue
            edge = next_edge[depth]
            next_edge[depth] += 1
            target = targets[edge]
            if not inside[target]:
                continue
            if state[target] == 1:
                first = depth
                while stack[first] != target:
                    first -= 1
                for k in range(first, depth + 1):
                    loop[k - first] = next_edge[k] - 1
                return depth - first + 1
            if state[target] == 0:
                state[target] = 1
                depth += 1
                stack[depth] = target
                next_edge[depth] = starts[target]
    return 0


@compiled("boolean(int64[::1], int64[::1], int64[::1])")
def _add_up(places: Words64, numbers: Words64, sums: Words64) -> bool:
    for k in range(len(places)):
        sums[places[k]] += numbers[k]
        if sums[places[k]] < 0:
            return False
    return True


def add_up(places: Words64, numbers: Words64, size: int) -> Words64 | None:
    """The sum of the numbers at each place, which are not negative; None if a sum is too large."""
    sums = np.zeros(size, dtype=np.int64)
    return sums if _add_up(places, numbers, sums) else None


@dataclass(frozen=True)
class Edges:
    """The transitions between numbered configurations: where those of each configuration begin, their targets, and the
    numbers of their names.
    """

    starts: Words64
    targets: npt.NDArray[np.int32]
    names: npt.NDArray[np.uint8]

    def source(self, edge: int) -> int:
        """The configuration that an edge leaves."""
        return int(np.searchsorted(self.starts, edge, side="right")) - 1

    def order(self, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32] | None:
        """The configurations in `inside`, in an order in which every edge leads forward; None if there is a cycle."""
        order = np.empty(len(inside), dtype=np.int32)
        found = _order(self.starts, self.targets, inside, np.zeros(len(inside), dtype=np.int32), order)
        return order[:found] if found == int(inside.sum()) else None

    def leading_to(self, ends: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """The configurations from which one of the ends can be reached."""
        marked = ends.copy()
        size, edges = len(marked), len(self.targets)
        before, filled = np.zeros(size + 1, dtype=np.int64), np.empty(size, dtype=np.int64)
        sources, todo = np.empty(edges, dtype=np.int32), np.empty(size, dtype=np.int32)
        _leading_to(self.starts, self.targets, before, filled, sources, todo, marked)
        return marked

    def cycle(self, inside: npt.NDArray[np.bool_]) -> list[int]:
        """The edges of a cycle; none if there is no cycle."""
        size = len(inside)
        state, stack = np.zeros(size, dtype=np.uint8), np.empty(size, dtype=np.int32)
        next_edge, loop = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        count = _cycle(self.starts, self.targets, inside, state, stack, next_edge, loop)
        return [int(edge) for edge in loop[:count]]

    def ways(self, order: npt.NDArray[np.int32]) -> Words64 | None:
        """The number of paths from configuration 0 to each; None if there are too many to count."""
        ways = np.zeros(len(self.starts) - 1, dtype=np.int64)
        return ways if _ways(self.starts, self.targets, order, ways) else None

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
        go_on = _round if fits else _round_of_any_size
        while go_on(self.starts, self.targets, self.names, inside, numbers, weighed, best, edge_to) and order is None:
            if _goes_round(self._sources, numbers, edge_to, np.empty(len(inside), dtype=np.int32)):
                return best, edge_to, True
        return best, edge_to, False

    def _choose(
        self,
        inside: npt.NDArray[np.bool_],
        weights: Sequence[int],
        best: npt.NDArray[Any],
        start: int,
        edge_to: Words64,
    ) -> None:
        choose = _first if self._fits(inside, weights) else _first_of_any_size
        queue = np.empty(len(inside), dtype=np.int32)
        weighed = np.array(weights, dtype=best.dtype)
        choose(self.starts, self.targets, self.names, inside, weighed, best, start, queue, edge_to)

    def _fits(self, inside: npt.NDArray[np.bool_], weights: Sequence[int]) -> bool:
        return max(map(abs, weights), default=0) * max(len(inside), len(self.targets)) < LARGEST_SUM

    @cached_property
    def _sources(self) -> npt.NDArray[np.int32]:
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))
