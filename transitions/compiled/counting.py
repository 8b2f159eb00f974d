"""Counting the configurations of a graded system, frontier by frontier.

Nothing but two frontiers is kept.  The successors of a frontier are thrown into bins by their hash; equal configurations fall into the same bin,
and a bin is small enough for the processor's cache, so that making each bin distinct is all there is to do, and costs the same however large the
frontier is.  With each configuration goes the number of runs that lead to it.  The outputs are collected in the same way.
"""

from dataclasses import dataclass, field
from mmap import mmap
from typing import Final

import numpy as np
from numba import njit

from arcproof.transitions.compiled.emit import most_successors
from arcproof.transitions.compiled.explorer import Exploration, Pool
from arcproof.transitions.compiled.kernel import CODE, STATISTICS
from arcproof.transitions.compiled.layout import Words64
from arcproof.transitions.compiled.table import hashed

BINS: Final = 256
FEW: Final = 1 << 18


@njit(
    "boolean(int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int64, int64)", nogil=True, cache=True
)  # fmt: skip
def _distinct(bins0: Words64, bins1: Words64, bins_ways: Words64, fill: Words64, first: int, last: int) -> bool:
    """Keep each item of these bins once, with the sum of its ways; whether all sums are small enough to be numbers."""
    wide = bins1.shape[1] > 0
    most = 0
    for b in range(first, last):
        most = max(most, fill[b])
    size = 16
    while size < 2 * most:
        size *= 2
    table = np.empty(size, dtype=np.int32)
    exact = True
    for b in range(first, last):
        span = 16
        while span < 2 * fill[b]:
            span *= 2
        mask = span - 1
        table[:span] = -1
        kept = 0
        for k in range(fill[b]):
            w0 = bins0[b, k]
            w1 = bins1[b, k] if wide else 0
            place = hashed(w0, w1) & mask
            while table[place] >= 0:
                other = table[place]
                if bins0[b, other] == w0 and (not wide or bins1[b, other] == w1):
                    break
                place = (place + 1) & mask
            other = table[place]
            if other >= 0:
                bins_ways[b, other] += bins_ways[b, k]
                if bins_ways[b, other] < 0:
                    exact = False
            else:
                table[place] = kept
                bins0[b, kept] = w0
                if wide:
                    bins1[b, kept] = w1
                bins_ways[b, kept] = bins_ways[b, k]
                kept += 1
        fill[b] = kept
    return exact


def _reserved(room: int) -> Words64:
    """Bins with room for so many each.

    Memory that is never touched costs nothing, so there may be more room than is needed; and what is given back is given back at once, because
    each array is a mapping of its own.
    """
    if room == 0:
        return np.empty((BINS, 0), dtype=np.int64)
    return np.frombuffer(mmap(-1, BINS * room * 8), dtype=np.int64).reshape(BINS, room)


@dataclass
class Bins:
    """Packed configurations with their numbers of runs, by hash."""

    wide: bool
    room: int
    b0: Words64 = field(init=False)
    b1: Words64 = field(init=False)
    ways: Words64 = field(init=False)
    fill: Words64 = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))
    exact: bool = True

    def __post_init__(self) -> None:
        """Room in each column."""
        self.b0 = _reserved(self.room)
        self.b1 = _reserved(self.room if self.wide else 0)
        self.ways = _reserved(self.room)

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.fill.sum())

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.count * (24 if self.wide else 16)

    def enter(self, w0: int, w1: int) -> None:
        """The initial configuration, with the one run that leads to it."""
        self.b0[0, 0], self.ways[0, 0], self.fill[0] = w0, 1, 1
        if self.wide:
            self.b1[0, 0] = w1

    def widen(self, room: int) -> None:
        """Make room for so many in each bin."""
        wider = Bins(self.wide, room)
        for b, count in enumerate(self.fill):
            wider.b0[b, :count] = self.b0[b, :count]
            wider.ways[b, :count] = self.ways[b, :count]
            if self.wide:
                wider.b1[b, :count] = self.b1[b, :count]
        self.room, self.b0, self.b1, self.ways = room, wider.b0, wider.b1, wider.ways

    def take(self, other: "Bins") -> None:
        """Add what is in the bins of another worker."""
        most = int((self.fill + other.fill).max())
        if most > self.room:
            self.widen(most)
        for b, (at, count) in enumerate(zip(self.fill, other.fill, strict=True)):
            self.b0[b, at : at + count] = other.b0[b, :count]
            self.ways[b, at : at + count] = other.ways[b, :count]
            if self.wide:
                self.b1[b, at : at + count] = other.b1[b, :count]
        self.fill += other.fill

    def take_out(self, column: str) -> Words64:
        """One column of all bins; it is gone from the bins then."""
        bins = getattr(self, column)
        setattr(self, column, np.empty((BINS, 0), dtype=np.int64))
        return np.concatenate([bins[b, :count] for b, count in enumerate(self.fill)])

    def make_distinct(self, pool: Pool, jobs: int) -> None:
        """Keep each item once."""
        bounds = [BINS * k // jobs for k in range(jobs + 1)]
        arguments = (self.b0, self.b1, self.ways, self.fill)
        exact = pool([(_distinct, (*arguments, bounds[k], bounds[k + 1])) for k in range(jobs)])
        self.exact = self.exact and all(exact)


class Counting:
    """A count in the making."""

    def __init__(self, result: Exploration, pool: Pool) -> None:
        """Nothing is known yet."""
        self.result, self.pool = result, pool
        self.successors = max(1, most_successors(result.native.system, result.layout.words))
        self.outputs = Bins(False, 64)
        self.distinct_outputs = 0
        self.spare: list[Bins] = []

    def whole(self) -> Exploration:
        """From the start to the last frontier."""
        result = self.result
        frontier = Bins(result.layout.is_wide, 64)
        frontier.enter(*result.layout.pack(result.native.system.start(result.layout.words)))
        exact = True
        while frontier.count:
            result.frontiers.append(result.configurations)
            result.configurations += frontier.count
            done, frontier = frontier, self._next(frontier)
            self.spare = [*self.spare, done] if frontier.count > done.count else []
            del done
            exact = exact and frontier.exact
        self.spare = []
        self.outputs.make_distinct(self.pool, 1)
        exact = exact and self.outputs.exact
        result.outputs = self.outputs.take_out("b0")
        result.ways = self.outputs.take_out("ways") if exact else None
        return result

    def _next(self, frontier: Bins) -> Bins:
        jobs = self.result.settings.jobs if frontier.count >= FEW else 1
        ended = self.result.terminals
        workers = [
            Worker(self, self._empty(frontier), self.outputs if k == 0 else Bins(False, 64)) for k in range(jobs)
        ]
        bounds = [BINS * k // jobs for k in range(jobs + 1)]
        self.pool([(w.advance, (frontier, bounds[k], bounds[k + 1])) for k, w in enumerate(workers)])
        following = workers[0].following
        for worker in workers:
            self.result.count(worker.statistics)
        for other in workers[1:]:
            following.take(other.following)
            self.outputs.take(other.ends)
            self.spare.append(other.following)
        if self.result.terminals > ended:
            self.result.note_end(len(self.result.frontiers) - 1)
        following.make_distinct(self.pool, jobs)
        if self.outputs.count > 5 * self.distinct_outputs // 4:
            self.outputs.make_distinct(self.pool, jobs)
            self.distinct_outputs = self.outputs.count
        return following

    def _empty(self, frontier: Bins) -> Bins:
        """Bins with room for what may follow; memory that was in use is used again."""
        if self.spare:
            bins = self.spare.pop()
            bins.fill[:] = 0
            return bins
        return Bins(frontier.wide, max(64, 2 * int(frontier.fill.max())))

    def afford(self, frontier: Bins, worker: "Worker") -> None:
        """`OutOfMemory` before the next bin is dealt with; every worker is taken to need as much as this one."""
        jobs = self.result.settings.jobs if frontier.count >= FEW else 1
        following = worker.following
        needed = frontier.bytes + jobs * following.bytes + self.outputs.bytes + jobs * following.bytes // BINS
        needed += needed // 3  # bins that are being widened, and items that are there twice
        self.result.afford(needed, self.result.configurations + following.count)


class Worker:
    """Deals with some bins of a frontier."""

    def __init__(self, counting: Counting, following: Bins, ends: Bins) -> None:
        """Bins of its own."""
        self.counting, self.following, self.ends = counting, following, ends
        self.statistics = np.zeros(STATISTICS, dtype=np.int64)
        self.scratch = [np.empty(counting.successors, dtype=np.int64) for _ in range(4)]

    def advance(self, frontier: Bins, first: int, last: int) -> None:
        """Throw all successors into bins; make room where it is needed."""
        following, ends = self.following, self.ends
        for b in range(first, last):
            done, count = 0, int(frontier.fill[b])
            while done < count and self.statistics[CODE] == 0:
                reached = self.counting.result.native.advance(
                    frontier.b0[b], frontier.b1[b], frontier.ways[b], done, count, self.counting.result.layout.shape,
                    *self.scratch, following.b0, following.b1, following.ways, following.fill,
                    ends.b0, ends.ways, ends.fill, self.statistics,
                )  # fmt: skip
                if reached < count:
                    if int(following.fill.max()) + self.counting.successors > following.room:
                        following.widen(2 * following.room + self.counting.successors)
                    if int(ends.fill.max()) == ends.room:
                        ends.widen(2 * ends.room)
                done = reached
            self.counting.afford(frontier, self)
