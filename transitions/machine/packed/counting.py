"""Counting the configurations of a graded system, frontier by frontier.

Nothing but two frontiers is kept.  The successors of a frontier are thrown into bins by their hash; equal configurations fall into the same bin,
and a bin is small enough for the processor's cache, so that making each bin distinct is all there is to do, and costs the same however large the
frontier is.  With each configuration goes the number of runs that lead to it.  The outputs are collected in the same way.
"""

from dataclasses import dataclass, field
from mmap import mmap
from typing import Final

import numpy as np
from arcproof.transitions.machine import machine
from arcproof.transitions.machine.machine import CODE, LANES, STATISTICS
from arcproof.transitions.machine.packed.explorer import Exploration, Pool
from arcproof.transitions.machine.packed.layout import Words64
from arcproof.transitions.machine.packed.table import hashed
from arcproof.transitions.machine.programs import Workspace

from arcproof.process.jit import compiled

BINS: Final = 256
FEW: Final = 1 << 18
SAMPLE: Final = 8


@compiled("boolean(int64[:, ::1], int64[::1], int64, int64, int64, int64)")
def _distinct(bins: Words64, fill: Words64, words: int, width: int, first: int, last: int) -> bool:
    """Keep each item of these bins once, with the sum of its runs; whether all sums are small enough to be numbers."""
    wide = words == 2
    counted = width > words
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
            w0 = bins[b, k * width]
            w1 = bins[b, k * width + 1] if wide else 0
            place = hashed(w0, w1) & mask
            other = table[place]
            while other >= 0:
                if bins[b, other * width] == w0 and (not wide or bins[b, other * width + 1] == w1):
                    break
                place = (place + 1) & mask
                other = table[place]
            if other < 0:
                table[place] = kept
                if kept < k:
                    for column in range(width):
                        bins[b, kept * width + column] = bins[b, k * width + column]
                kept += 1
            elif counted:
                bins[b, other * width + words] += bins[b, k * width + words]
                if bins[b, other * width + words] < 0:
                    exact = False
        fill[b] = kept
    return exact


def _reserved(room: int) -> Words64:
    """Bins with room for this many numbers each.

    Memory that is never touched costs nothing, so there may be more room than is needed; and what is given back is given back at once, because
    each array is a mapping of its own.
    """
    if room == 0:
        return np.empty((BINS, 0), dtype=np.int64)
    return np.frombuffer(mmap(-1, BINS * room * 8), dtype=np.int64).reshape(BINS, room)


@dataclass
class Bins:
    """Items by hash: `words` numbers each, and then, if `width` is greater, how many runs lead to them."""

    words: int
    width: int
    room: int
    items: Words64 = field(init=False)
    fill: Words64 = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))
    exact: bool = True

    def __post_init__(self) -> None:
        """Room for this many items in each bin."""
        self.items = _reserved(self.room * self.width)

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.fill.sum())

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.count * self.width * 8

    def column(self, number: int) -> list[Words64]:
        """One number of each item, bin by bin."""
        return [self.items[b, number : count * self.width : self.width].copy() for b, count in enumerate(self.fill)]

    def enter(self, *numbers: int) -> None:
        """One item."""
        self.items[0, : self.width] = numbers[: self.width]
        self.fill[0] = 1

    def widen(self, room: int) -> None:
        """Make room for this many in each bin."""
        wider = _reserved(room * self.width)
        for b, count in enumerate(self.fill):
            wider[b, : count * self.width] = self.items[b, : count * self.width]
        self.room, self.items = room, wider

    def take(self, other: "Bins") -> None:
        """Add what is in the bins of another worker."""
        most = int((self.fill + other.fill).max())
        if most > self.room:
            self.widen(most)
        for b, (at, count) in enumerate(zip(self.fill * self.width, other.fill * self.width, strict=True)):
            self.items[b, at : at + count] = other.items[b, :count]
        self.fill += other.fill

    def make_distinct(self, pool: Pool, jobs: int) -> None:
        """Keep each item once."""
        bounds = [BINS * k // jobs for k in range(jobs + 1)]
        arguments = (self.items, self.fill, self.words, self.width)
        exact = pool([(_distinct, (*arguments, bounds[k], bounds[k + 1])) for k in range(jobs)])
        self.exact = self.exact and all(exact)


class Counting:
    """A count in the making."""

    def __init__(self, result: Exploration, pool: Pool) -> None:
        """Nothing is known yet."""
        self.result, self.pool = result, pool
        self.program = result.programs.expansion(result.layout.words)
        self.words = 2 if result.layout.is_wide else 1
        self.width = self.words + (1 if result.settings.outputs else 0)
        self.outputs = self._no_outputs()
        self.distinct_outputs = 0
        self.spare: list[Bins] = []

    def _no_outputs(self) -> Bins:
        return Bins(1, 2, 64 if self.result.settings.outputs else 0)

    def whole(self) -> Exploration:
        """From the start to the last frontier."""
        result = self.result
        frontier = Bins(self.words, self.width, 64)
        start = result.layout.pack(result.programs.system.start(result.layout.words))
        frontier.enter(*start[: self.words], 1)
        exact = True
        while frontier.count:
            result.frontiers.append(result.configurations)
            result.configurations += frontier.count
            done, frontier = frontier, self._next(frontier)
            self.spare.append(done)
            exact = exact and frontier.exact
        self.spare = []
        if result.settings.outputs:
            self.outputs.make_distinct(self.pool, 1)
            result.outputs = self.outputs.column(0)
            result.ways = self.outputs.column(1) if exact and self.outputs.exact else None
        return result

    def _next(self, frontier: Bins) -> Bins:
        jobs, sample = (self.result.settings.jobs, SAMPLE) if frontier.count >= FEW else (1, 0)
        ended = self.result.terminals
        workers = [
            Worker(self, self._empty(frontier), self.outputs if k == 0 else self._no_outputs()) for k in range(jobs)
        ]
        if sample:
            self._try(frontier, workers[0])
        bounds = [sample + (BINS - sample) * k // jobs for k in range(jobs + 1)]
        self.pool([(w.advance, (frontier, bounds[k], bounds[k + 1])) for k, w in enumerate(workers)])
        following = workers[0].following
        for worker in workers:
            self.result.count(worker.statistics)
        for other in workers[1:]:
            following.take(other.following)
            self.outputs.take(other.ends)
            self.spare.append(other.following)
        self._afford(frontier, following.count, self.outputs.count)
        if self.result.terminals > ended:
            self.result.note_end(len(self.result.frontiers) - 1)
        following.make_distinct(self.pool, jobs)
        if self.outputs.count > 5 * self.distinct_outputs // 4:
            self.outputs.make_distinct(self.pool, jobs)
            self.distinct_outputs = self.outputs.count
        return following

    def _empty(self, frontier: Bins) -> Bins:
        """Bins with room for what may follow; memory that was in use is used again."""
        most = int(frontier.fill.max())
        while self.spare:
            bins = self.spare.pop()
            if bins.room >= 2 * most:
                bins.fill[:] = 0
                return bins
        return Bins(self.words, self.width, 4 * most + 64)

    def _try(self, frontier: Bins, worker: "Worker") -> None:
        """Deal with a few bins, which are a sample because they go by hash, and see whether the others can be afforded."""
        before = self.outputs.count
        worker.advance(frontier, 0, SAMPLE)
        ends = (self.outputs.count - before) * BINS // SAMPLE
        self._afford(frontier, worker.following.count * BINS // SAMPLE, before + ends)

    def _afford(self, frontier: Bins, successors: int, outputs: int) -> None:
        """`OutOfMemory` if a frontier has too many successors, each in the bins of a worker and in those of all, or there are too many outputs.

        That does not depend on the number of workers, so that what is left out does not either.
        """
        needed = frontier.bytes + 2 * successors * self.width * 8 + outputs * self.outputs.width * 8
        needed += needed // 3  # bins that are being widened
        self.result.afford(needed, self.result.configurations)


class Worker:
    """Deals with some bins of a frontier."""

    def __init__(self, counting: Counting, following: Bins, ends: Bins) -> None:
        """Bins of its own."""
        self.counting, self.following, self.ends = counting, following, ends
        self.statistics = np.zeros(STATISTICS, dtype=np.int64)
        self.space = Workspace.of(counting.program)

    def advance(self, frontier: Bins, first: int, last: int) -> None:
        """Throw all successors into bins, and outputs into others; make room as often as a bin is full."""
        following, ends = self.following, self.ends
        place = np.array([first, 0], dtype=np.int64)
        layout, space = self.counting.result.layout, self.space
        most = LANES * self.counting.program.emits
        while not machine.advance(
            *space.arguments, space.result("terminal"), frontier.items, frontier.fill, last, frontier.width, layout.is_wide, layout.arcs_from,
            layout.arcs_mask, following.items, following.fill, ends.items, ends.fill, place, self.statistics,
        ):  # fmt: skip
            if self.statistics[CODE] != 0:
                return
            if int(following.fill.max()) + most > following.room:
                following.widen(2 * following.room + most)
            if self.counting.result.settings.outputs and int(ends.fill.max()) + LANES > ends.room:
                ends.widen(8 * ends.room + LANES)
