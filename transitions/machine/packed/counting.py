"""Counting the configurations of a ranked system, rank by rank.

Only what waits on higher ranks is stored (`climbing`).  Each configuration carries the number of runs that lead to it
and the lengths of the longest and the shortest, so outputs, derivations and lengths are known at the end without
storing any edge.

The measure may turn out not to grow in some transition: then `DoesNotClimb` is raised, and the configurations must be
stored.  It may also grow unevenly although it did not in short sentences: then lengths are carried along with the
configurations.
"""

from dataclasses import field, replace
from typing import Final

import numpy as np

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine import climbing as c
from arcproof.transitions.machine.climbing import CHUNK, PARTS, Chunks, Streams
from arcproof.transitions.machine.figure_programs import Workspace
from arcproof.transitions.machine.machine import CODE, LANES
from arcproof.transitions.machine.opcodes import Lanes
from arcproof.transitions.machine.packed.explorer import Exploration, Pool
from arcproof.transitions.machine.packed.ranking import Measure

FEW: Final = 1 << 13  # items of a rank that one worker handles alone
MANY: Final = 1 << 18  # items between two checks for other threads
PART: Final = 1 << 13  # items of a part, so that the table fits into the processor's cache
CHUNKS: Final = 1 << 12  # initial room
NEVER: Final = 0xFFFFFFFF
SOME_PARTS: Final = 16  # parts whose outputs are handed over together
ENDS_WIDTH: Final = 2  # arcs, and the number of runs that end with them


class DoesNotClimb(Exception):
    """A transition leads to a rank that is not higher."""


class ClimbsUnevenly(Exception):
    """A transition climbs a different number of ranks from the others."""


def count(result: Exploration, measure: Measure, pool: Pool, step: int) -> Exploration:
    """The counts of a level; `step` is the number of ranks that every transition seems to climb, 0 if they do not all
    climb the same number.

    Where there are too many runs to count along with their lengths, they are counted again without lengths.
    """
    try:
        counting = Counting(replace(result), measure, pool, step, with_lengths=step == 0)
        found = counting.whole()
    except ClimbsUnevenly:
        return count(result, measure, pool, 0)
    if step == 0 and counting.is_inexact:
        again = Counting(replace(result), measure, pool, 0, with_lengths=False).whole()
        found.outputs, found.ways = again.outputs, again.ways
    return found


@dataclass
class Waiting:
    """Everything that waits: streams by writer, owner, rank and part; chunks that each writer may take.

    Memory that is never touched costs nothing, so there may be more room than is needed.
    """

    width: int
    jobs: int
    ranks: int
    pool: Lanes = field(init=False)
    chain: Chunks = field(init=False)
    streams: Streams = field(init=False)
    free: Chunks = field(init=False)
    stock: Lanes = field(init=False)

    def __post_init__(self) -> None:
        """Start with nothing waiting."""
        self.pool, self.chain, self.free = self._room(CHUNKS)
        self.streams = np.zeros((self.jobs, self.jobs, self.ranks, PARTS, 2), dtype=np.int64)
        self.stock = np.zeros((self.jobs, 2), dtype=np.int64)
        self.stock[:, 1] = np.arange(self.jobs)

    def _room(self, chunks: int) -> tuple[Lanes, Chunks, Chunks]:
        return (
            np.empty(chunks * CHUNK * self.width, dtype=np.int64),
            np.empty(chunks, dtype=np.int32),
            np.empty((self.jobs, chunks), dtype=np.int32),
        )

    @property
    def arguments(self) -> tuple[Lanes, Chunks, Streams, Chunks, Lanes]:
        """The arguments for native code."""
        return self.pool, self.chain, self.streams.reshape(-1), self.free, self.stock

    def counts(self, rank: int, parts: int) -> Lanes:
        """How many items wait on a rank, by owner and part."""
        found: Lanes = self.streams[:, :, rank, :parts, 1].sum(axis=0)
        return found

    def make_room(self, chunks: int) -> None:
        """Make sure that each writer can take this many more chunks."""
        used = int(self.stock[:, 1].max())
        missing = max(0, chunks - int(self.stock[:, 0].min()))
        needed = used + self.jobs * missing + self.jobs
        if needed <= len(self.chain):
            return
        pool, chain, free = self._room(max(needed, 4 * len(self.chain)))
        size = used * CHUNK * self.width
        pool[:size], chain[:used] = self.pool[:size], self.chain[:used]
        for wider, old, count in zip(free, self.free, self.stock[:, 0], strict=True):
            wider[:count] = old[:count]
        self.pool, self.chain, self.free = pool, chain, free


class Worker:
    """A worker: its registers, and scratch space for removing duplicate items."""

    def __init__(self, counting: "Counting", me: int) -> None:
        """Start with nothing counted."""
        self.counting = counting
        self.space = Workspace.of(counting.program)
        self.room = np.empty((3, LANES), dtype=np.int64)
        self.dense = np.zeros(0, dtype=np.int64)
        self.index = np.zeros(0, dtype=np.int32)
        self.statistics = np.zeros(c.ALL_STATISTICS, dtype=np.int64)
        self.statistics[c.SHORTEST] = NEVER
        layout, settings = counting.result.layout, counting.result.settings
        self.orders = np.zeros(c.ORDERS, dtype=np.int64)
        self.orders[[c.WIDE, c.COUNTED, c.WITH_LENGTHS, c.STEP, c.START, c.TERMINAL_REGISTER]] = (
            layout.is_wide, settings.outputs, counting.with_lengths, counting.step, counting.rank, self.space.result("terminal"),
        )  # fmt: skip
        self.orders[[c.ARCS_FROM, c.ARCS_MASK, c.JOBS, c.ME, c.RANKS]] = (
            layout.arcs_from, layout.arcs_mask, settings.jobs, me, counting.measure.ranks,
        )  # fmt: skip

    def climb(self, ranks: range, owners: range, parts: range, most: int, all_items: int, largest: int) -> int:
        """Process what waits on these ranks and return the next rank; no stream may have more than `largest` items."""
        counting, measure = self.counting, self.counting.measure
        self._see(owners, parts, largest, counting.waiting.width)
        self.orders[[c.FIRST_RANK, c.LAST_RANK, c.MOST_ITEMS, c.ALL_ITEMS]] = ranks.start, ranks.stop, most, all_items
        return int(
            c.climb(
                *self.space.arguments, self.orders, measure.terms, measure.sequences, measure.order, self.room,
                *counting.waiting.arguments, counting.parts, *counting.ends.arguments, self.dense, self.index, self.statistics,
            )
        )  # fmt: skip

    def condense(self, largest: int) -> None:
        """Remove duplicates from the outputs that this worker owns; no stream may have more than `largest` items."""
        self._collect(range(PARTS), largest, again=True)

    def collect(self, counts: Lanes) -> list[Lanes]:
        """The outputs that this worker owns and the number of runs to each, in pieces; `counts` is given by part."""
        pieces = []
        for first in range(0, PARTS, SOME_PARTS):
            parts = range(first, first + SOME_PARTS)
            count = self._collect(parts, int(counts[parts.start : parts.stop].sum()), again=False)
            pieces.append(self.dense[: count * ENDS_WIDTH].reshape(count, ENDS_WIDTH).T.copy())
        return pieces

    def _collect(self, parts: range, largest: int, again: bool) -> int:
        me = int(self.orders[c.ME])
        self._see(range(me, me + 1), parts, largest, ENDS_WIDTH)
        ends = self.counting.ends.arguments
        return int(c.collect(self.orders, *ends, self.dense, self.index, self.room, again, self.statistics))

    def _see(self, owners: range, parts: range, largest: int, width: int) -> None:
        """Note which owners and parts are to be processed, and make room for them."""
        span = 1 << max(4, (2 * largest - 1).bit_length())
        if len(self.index) < span:
            self.index = np.empty(span, dtype=np.int32)
        if len(self.dense) < (largest + 16 * LANES) * width:
            self.dense = np.empty((largest + largest // 4 + 16 * LANES) * width, dtype=np.int64)
        self.orders[[c.FIRST_OWNER, c.LAST_OWNER, c.FIRST_PART, c.LAST_PART]] = (
            owners.start, owners.stop, parts.start, parts.stop,
        )  # fmt: skip


class Counting:
    """A count in progress."""

    def __init__(self, result: Exploration, measure: Measure, pool: Pool, step: int, with_lengths: bool) -> None:
        """Start with only the initial configuration waiting."""
        self.result, self.measure, self.pool, self.step, self.with_lengths = result, measure, pool, step, with_lengths
        layout, settings = result.layout, result.settings
        start = layout.pack(result.programs.system.start(layout.words))
        self.rank = int(measure.of(*(np.array([word], dtype=np.int64) for word in start))[0])
        self.program = result.programs.expansion(layout.words)
        words = 2 if layout.is_wide else 1
        self.waiting = Waiting(words + (1 if settings.outputs else 0), settings.jobs, measure.ranks)
        self.ends = Waiting(ENDS_WIDTH, settings.jobs, 1)
        self.parts = np.ones(measure.ranks, dtype=np.int64)
        self.divided = 1
        self.workers = [Worker(self, me) for me in range(settings.jobs)]
        self.condensed = FEW
        self.branching = 2.0
        one_run = 1 << c.LENGTHS_BITS if with_lengths else 1
        self.waiting.pool[: self.waiting.width] = [*start[:words], one_run][: self.waiting.width]
        self.waiting.chain[0] = -1
        self.waiting.streams[0, 0, self.rank, 0] = 0, 1
        self.waiting.stock[0, 1] += settings.jobs
        self.workers[0].statistics[c.APPENDED] = 1

    @property
    def is_inexact(self) -> bool:
        """Whether some configuration or output has more runs than can be counted."""
        return self._sum(c.INEXACT) > 0

    def whole(self) -> Exploration:
        """Count from the start to the highest rank."""
        result, ranks = self.result, self.measure.ranks
        largest = 0
        while self.rank < ranks:
            counts = self.waiting.counts(self.rank, int(self.parts[self.rank]))
            items = int(counts.sum())
            largest = max(largest, items)
            if items > FEW:
                wanted = 4 * largest // (PART * result.settings.jobs)
                self._split(self.rank + 1, min(PARTS, 1 << wanted.bit_length()))
                self._deal_with_many(self.rank, counts)
                self.rank += 1
            else:
                self.waiting.make_room(FEW * (self.program.emits + 1))
                self.ends.make_room(PARTS * result.settings.jobs + FEW)
                everything = range(result.settings.jobs), range(PARTS), FEW, FEW, FEW
                self.rank = self.workers[0].climb(range(self.rank, ranks), *everything)
                self._check()
            self._afford(0)
            self._condense()
        self._finish()
        return result

    def _split(self, above: int, parts: int) -> None:
        """Split every rank that has nothing waiting yet into this many parts."""
        if parts == self.divided:
            return
        self.divided = parts
        empty = ~self.waiting.streams[:, :, above:, :, 1].any(axis=(0, 1, 3))
        self.parts[above:][empty] = parts

    def _deal_with_many(self, rank: int, counts: Lanes) -> None:
        """Let every worker process its own share, some parts at a time; `counts` is given by owner and part."""
        items, before = int(counts.sum()), self._sum(c.APPENDED)
        self._afford(items)
        most = int(counts.max())
        step = max(1, counts.shape[1] * MANY // items)
        for first in range(0, counts.shape[1], step):
            parts = range(first, min(counts.shape[1], first + step))
            here = int(counts[:, parts.start : parts.stop].sum(axis=1).max())
            made = here * self.program.emits
            self.waiting.make_room(made // CHUNK + min(made, int(self.parts[rank:].sum()) * len(self.workers)))
            self.ends.make_room(here // CHUNK + min(here, PARTS * len(self.workers)))
            shares = [
                (range(rank, rank + 1), range(me, me + 1), parts, here, here, most) for me in range(len(self.workers))
            ]
            self.pool([(worker.climb, share) for worker, share in zip(self.workers, shares, strict=True)])
            self._check()
        self.branching = (self._sum(c.APPENDED) - before) / items

    def _condense(self) -> None:
        """Deduplicate outputs whenever their number has grown by half."""
        ends = self.ends.counts(0, PARTS)
        if 2 * ends.sum() > 3 * self.condensed:
            self.ends.make_room(2 * PARTS)
            self.pool([(worker.condense, (int(ends.max()),)) for worker in self.workers])
            self.condensed = max(FEW, int(self.ends.counts(0, PARTS).sum()))

    def _sum(self, what: int) -> int:
        return sum(int(worker.statistics[what]) for worker in self.workers)

    def _check(self) -> None:
        codes = {int(worker.statistics[CODE]) for worker in self.workers}
        if c.DOES_NOT_CLIMB in codes:
            raise DoesNotClimb
        if c.CLIMBS_UNEVENLY in codes:
            raise ClimbsUnevenly
        for worker in self.workers:
            if worker.statistics[CODE] != 0:
                self.result.count(worker.statistics)

    def _afford(self, items: int) -> None:
        """`OutOfMemory` if what waits takes too much memory, or will once these items are replaced by their successors.

        This does not depend on the number of workers, so what is left out does not, either.
        """
        waiting = self._sum(c.APPENDED) - self._sum(c.GATHERED)
        waiting += max(0, int((self.branching - 1) * items))
        needed = waiting * self.waiting.width * 8
        needed += needed // 3  # chunks that are not full, and the deduplicated items
        needed += int(self.ends.counts(0, PARTS).sum()) * ENDS_WIDTH * 8
        self.result.afford(needed, self._sum(c.CONFIGURATIONS))

    def _finish(self) -> None:
        result, workers = self.result, self.workers
        for worker in workers:
            result.count(worker.statistics)
        result.configurations = self._sum(c.CONFIGURATIONS)
        if not result.settings.outputs:
            return
        ends = self.ends.counts(0, PARTS)
        if ends.any():
            result.longest = max(int(worker.statistics[c.LONGEST]) for worker in workers)
            result.shortest = min(int(worker.statistics[c.SHORTEST]) for worker in workers)
        del self.waiting
        result.afford(2 * int(ends.sum()) * ENDS_WIDTH * 8, result.configurations)
        shares = self.pool([(worker.collect, (ends[me],)) for me, worker in enumerate(workers)])
        pieces = [piece for share in shares for piece in share]
        result.outputs = [piece[0] for piece in pieces]
        result.ways = None if self.is_inexact else [piece[1] for piece in pieces]
