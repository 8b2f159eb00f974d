"""Counting the configurations of a ranked system, rank by rank.

Nothing is kept but what waits on higher ranks (`climbing`).  With each configuration go the number of runs that lead to it and the lengths of the
longest and the shortest; so outputs, derivations and lengths are known at the end without any edge being written down.

The measure may turn out not to grow in some transition: then `DoesNotClimb` is raised, and the configurations have to be kept.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from arcproof.transitions.machine import climbing as c
from arcproof.transitions.machine.climbing import CHUNK, PARTS, Chunks, Streams
from arcproof.transitions.machine.figure_programs import Workspace
from arcproof.transitions.machine.machine import CODE, LANES
from arcproof.transitions.machine.opcodes import Lanes
from arcproof.transitions.machine.packed.explorer import Exploration, Pool
from arcproof.transitions.machine.packed.ranking import Measure

FEW: Final = 1 << 13  # items of a rank that one worker deals with alone
MANY: Final = 1 << 20  # items between two moments in which others are heard
PART: Final = 1 << 13  # items of a part, so that what is looked up fits into the processor's cache
CHUNKS: Final = 1 << 12  # room to begin with
NEVER: Final = 0xFFFFFFFF


class DoesNotClimb(Exception):
    """A transition leads to a rank that is not higher."""


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
    free: Chunks = field(init=False)
    streams: Streams = field(init=False)
    stock: Lanes = field(init=False)
    parts: Lanes = field(init=False)
    divided: int = field(init=False)

    def __post_init__(self) -> None:
        """Nothing waits."""
        self.pool, self.chain, self.free = self._room(CHUNKS)
        self.streams = np.zeros((self.jobs, self.jobs, self.ranks + 1, PARTS, 2), dtype=np.int64)
        self.stock = np.zeros((self.jobs, 2), dtype=np.int64)
        self.stock[:, 1] = np.arange(self.jobs)
        self.parts = np.ones(self.ranks + 1, dtype=np.int64)
        self.parts[-1] = PARTS  # outputs come from the beginning
        self.divided = 1

    def _room(self, chunks: int) -> tuple[Lanes, Chunks, Chunks]:
        return (
            np.empty(chunks * CHUNK * self.width, dtype=np.int64),
            np.empty(chunks, dtype=np.int32),
            np.empty((self.jobs, chunks), dtype=np.int32),
        )

    def counts(self, rank: int) -> Lanes:
        """How many wait on a rank, by writer, owner and part."""
        found: Lanes = self.streams[:, :, rank, : self.parts[rank], 1]
        return found

    def make_room(self, chunks: int) -> None:
        """See to it that each writer can take this many chunks more."""
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

    def split(self, above: int, parts: int) -> None:
        """Let ranks on which nothing waits yet fall into this many parts."""
        if parts == self.divided:
            return
        self.divided = parts
        empty = np.array([not self.counts(rank).any() for rank in range(above, self.ranks)], dtype=np.bool_)
        self.parts[above:-1][empty] = parts

    def items(self, rank: int) -> Lanes:
        """All items of a rank."""
        found = [np.zeros((0, self.width), dtype=np.int64)]
        for writer, owner, part in zip(*np.nonzero(self.counts(rank)), strict=True):
            chunk, count = (int(number) for number in self.streams[writer, owner, rank, part])
            while count > 0:
                some = (count - 1) % CHUNK + 1
                found.append(self.pool[chunk * CHUNK * self.width :][: some * self.width].reshape(some, self.width))
                chunk, count = int(self.chain[chunk]), count - some
        return np.concatenate(found)


class Worker:
    """Registers, and room to make items distinct in."""

    def __init__(self, counting: "Counting", me: int) -> None:
        """Nothing is counted yet."""
        self.counting = counting
        self.space = Workspace.of(counting.program)
        self.room = np.empty((5, self.space.out.shape[1]), dtype=np.int64)
        self.dense = np.zeros(0, dtype=np.int64)
        self.index = np.zeros(0, dtype=np.int32)
        self.places = np.empty(CHUNK, dtype=np.int64)
        self.statistics = np.zeros(c.ALL_STATISTICS, dtype=np.int64)
        self.statistics[c.SHORTEST] = NEVER
        layout, settings = counting.result.layout, counting.result.settings
        self.orders = np.zeros(c.ORDERS, dtype=np.int64)
        self.orders[[c.WIDE, c.COUNTED, c.TERMINAL_REGISTER, c.ARCS_FROM, c.ARCS_MASK, c.JOBS, c.ME, c.RANKS]] = (
            layout.is_wide, settings.outputs, self.space.result("terminal"), layout.arcs_from, layout.arcs_mask, settings.jobs, me,
            counting.measure.ranks,
        )  # fmt: skip

    def climb(self, ranks: range, owners: range, parts: range, most: int, all_items: int, largest: int) -> int:
        """Deal with what waits there, in streams of at most the largest number of items; the rank that is next."""
        waiting, measure = self.counting.waiting, self.counting.measure
        span = 1 << max(4, (2 * largest - 1).bit_length())
        if len(self.index) < span:
            self.index = np.empty(span, dtype=np.int32)
        if len(self.dense) < (largest + 16 * LANES) * waiting.width:
            self.dense = np.empty((largest + largest // 4 + 16 * LANES) * waiting.width, dtype=np.int64)
        self.orders[[c.FIRST_RANK, c.LAST_RANK, c.FIRST_OWNER, c.LAST_OWNER, c.FIRST_PART, c.LAST_PART]] = (
            ranks.start, ranks.stop, owners.start, owners.stop, parts.start, parts.stop,
        )  # fmt: skip
        self.orders[[c.MOST_ITEMS, c.ALL_ITEMS]] = most, all_items
        return int(
            c.climb(
                *self.space.arguments, self.orders, measure.terms, measure.sequences, measure.order, self.room, waiting.pool,
                waiting.chain, waiting.streams.reshape(-1), waiting.parts, waiting.free, waiting.stock, self.dense, self.index,
                self.places, self.statistics,
            )
        )  # fmt: skip


class Counting:
    """A count in the making."""

    def __init__(self, result: Exploration, measure: Measure, pool: Pool) -> None:
        """The start waits."""
        self.result, self.measure, self.pool = result, measure, pool
        layout, settings = result.layout, result.settings
        self.program = result.programs.expansion(layout.words)
        self.words = 2 if layout.is_wide else 1
        self.waiting = Waiting(self.words + (2 if settings.outputs else 0), settings.jobs, measure.ranks)
        self.workers = [Worker(self, me) for me in range(settings.jobs)]
        self.condensed = FEW
        self.branching = 2.0
        start = layout.pack(result.programs.system.start(layout.words))
        words = (np.array([word], dtype=np.int64) for word in start)
        self.rank = int(measure.of(*words)[0])
        self.waiting.pool[: self.waiting.width] = [*start[: self.words], 1, 0][: self.waiting.width]
        self.waiting.chain[0] = -1
        self.waiting.streams[0, 0, self.rank, 0] = 0, 1
        self.waiting.stock[0, 1] += settings.jobs
        self.workers[0].statistics[c.APPENDED] = 1

    def whole(self) -> Exploration:
        """From the start to the highest rank."""
        result, ranks = self.result, self.measure.ranks
        largest = 0
        while self.rank < ranks:
            counts = self.waiting.counts(self.rank)
            items = int(counts.sum())
            largest = max(largest, items)
            if items > FEW:
                wanted = 4 * largest // (PART * result.settings.jobs)
                self.waiting.split(self.rank + 1, min(PARTS, 1 << wanted.bit_length()))
                self._deal_with_many(self.rank, counts.sum(axis=0))
                self.rank += 1
            else:
                self.waiting.make_room(FEW * (self.program.emits + 1))
                everything = range(result.settings.jobs), range(PARTS), FEW, MANY, FEW
                self.rank = self.workers[0].climb(range(self.rank, ranks), *everything)
                self._check()
            self._afford(0)
            self._condense()
        self._finish()
        return result

    def _deal_with_many(self, rank: int, counts: Lanes) -> None:
        """Every worker with its own share, some parts at a time; `counts` by owner and part."""
        items, before = int(counts.sum()), self._sum(c.APPENDED)
        self._afford(items)
        most = int(counts.max())
        step = max(1, counts.shape[1] * MANY // items)
        for first in range(0, counts.shape[1], step):
            parts = range(first, min(counts.shape[1], first + step))
            here = int(counts[:, parts.start : parts.stop].sum(axis=1).max())
            made = here * (self.program.emits + 1)
            self.waiting.make_room(made // CHUNK + min(made, int(self.waiting.parts[rank:].sum()) * len(self.workers)))
            shares = [
                (range(rank, rank + 1), range(me, me + 1), parts, here, here, most) for me in range(len(self.workers))
            ]
            self.pool([(worker.climb, share) for worker, share in zip(self.workers, shares, strict=True)])
            self._check()
        self.branching = (self._sum(c.APPENDED) - before) / items

    def _condense(self) -> None:
        """Make outputs distinct whenever there are twice as many of them."""
        ends = self.waiting.counts(self.measure.ranks).sum(axis=0)
        if ends.sum() > 2 * self.condensed:
            self._deal_with_many(self.measure.ranks, ends)
            self.condensed = max(FEW, int(self.waiting.counts(self.measure.ranks).sum()))

    def _sum(self, what: int) -> int:
        return sum(int(worker.statistics[what]) for worker in self.workers)

    def _check(self) -> None:
        if any(worker.statistics[CODE] == c.DOES_NOT_CLIMB for worker in self.workers):
            raise DoesNotClimb
        for worker in self.workers:
            if worker.statistics[CODE] != 0:
                self.result.count(worker.statistics)

    def _afford(self, items: int) -> None:
        """`OutOfMemory` if what waits takes too much memory, or will when the successors of these items wait too.

        That does not depend on the number of workers, so that what is left out does not either.
        """
        waiting = self._sum(c.APPENDED) - self._sum(c.GATHERED) + int(self.branching * items)
        needed = waiting * self.waiting.width * 8
        needed += needed // 3  # chunks that are not full, and what is made distinct
        self.result.afford(needed, self._sum(c.CONFIGURATIONS))

    def _finish(self) -> None:
        result, workers = self.result, self.workers
        for worker in workers:
            result.count(worker.statistics)
        result.configurations = self._sum(c.CONFIGURATIONS)
        if not result.settings.outputs:
            return
        ends = self.waiting.counts(self.measure.ranks).sum(axis=0)
        if ends.any():
            self._deal_with_many(self.measure.ranks, ends)
            result.latest = max(int(worker.statistics[c.LONGEST]) for worker in workers)
            result.shortest = min(int(worker.statistics[c.SHORTEST]) for worker in workers)
        items = self.waiting.items(self.measure.ranks)
        result.outputs = [items[:, 0].copy()]
        result.ways = [items[:, self.words].copy()] if not self._sum(c.INEXACT) else None
