"""Counting the configurations of a ranked system, rank by rank (`arcproof/native/count.c`).

Only what waits on higher ranks is stored.  Each configuration carries the number of runs that lead to it and the
lengths of the longest and the shortest, so outputs, derivations and lengths are known at the end without storing any
edge.

The measure may turn out not to grow in some transition: then `DoesNotClimb` is raised, and the configurations must be
stored.  It may also grow unevenly although it did not in short sentences: then lengths are carried along with the
configurations.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine import codes
from arcproof.transitions.machine.figure_programs import check
from arcproof.transitions.machine.packed.explorer import Exploration, OutOfMemory
from arcproof.transitions.machine.packed.ranking import Measure

MAX_WORKERS: Final = 8  # each has streams of its own
FEW: Final = 1 << 14  # items of a rank that one worker deals with alone
PART_ITEMS: Final = 1 << 13  # of a part of a rank, so that they fit into the processor's cache
ITEMS: Final = 1 << 20  # between two looks at signals: some hundredths of a second

Pool: TypeAlias = Callable[[Callable[[int], int], int], list[int]]


class DoesNotClimb(Exception):
    """A transition leads to a rank that is not higher."""


class ClimbsUnevenly(Exception):
    """A transition climbs a different number of ranks from the others."""


def count(result: Exploration, measure: Measure, step: int) -> Exploration:
    """The counts of a level; `step` is the number of ranks that every transition seems to climb, 0 if they do not all
    climb the same number.

    Where there are too many runs to count along with their lengths, they are counted again without lengths.
    """
    try:
        counting = Counting(replace(result), measure, step, with_lengths=step == 0)
        counted = counting.whole()
    except ClimbsUnevenly:
        return count(result, measure, 0)
    if step == 0 and counting.is_inexact:
        again = Counting(replace(result), measure, 0, with_lengths=False).whole()
        counted.outputs, counted.ways = again.outputs, again.ways
    return counted


@dataclass
class Counting:
    """A count in progress."""

    result: Exploration
    measure: Measure
    step: int
    with_lengths: bool
    counts: Any = None
    jobs: int = 1
    is_stopped: bool = False
    is_inexact: bool = False
    """Whether some configuration or output has more runs than can be counted."""

    def whole(self) -> Exploration:
        """Count from the start to the highest rank."""
        self._begin()
        try:
            with workers(self.jobs) as pool:
                try:
                    self._count(pool)
                except BaseException:
                    self.is_stopped = True  # threads hear no signal
                    raise
                self._finish(pool)
        finally:
            self.counts = None  # another count may follow, and needs the memory
        return self.result

    def _count(self, pool: Pool) -> None:
        code = codes.PAUSED
        while code != codes.FINISHED:
            code = native.library.count_go_on(self.counts, ITEMS)
            if code == codes.MANY:
                pool(self._share, self.jobs)
                code = native.library.count_shared(self.counts)
            self._check(code)

    def _begin(self) -> None:
        result, settings, layout = self.result, self.result.settings, self.result.layout
        self.jobs = min(settings.jobs, MAX_WORKERS)
        first, second = result.start
        count_settings = native.structure(
            "count_settings", program=result.programs.expansion(layout.words).structure, measure=self.measure.structure,
            first=first, second=second, arcs_mask=layout.arcs_mask, step=self.step, with_outputs=settings.outputs,
            with_lengths=self.with_lengths, workers=self.jobs, few=FEW, part_items=PART_ITEMS,
            memory=settings.bytes,
        )  # fmt: skip
        self.counts = native.ffi.gc(native.library.count_begin(count_settings), native.library.count_end)
        self._settings = count_settings
        if self.counts == native.ffi.NULL:
            raise OutOfMemory(0, 0)

    def _share(self, worker: int) -> int:
        code = codes.PAUSED
        while code == codes.PAUSED and not self.is_stopped:
            code = native.library.count_share(self.counts, worker, ITEMS)
        return int(code)

    def _check(self, code: int) -> None:
        match code:
            case codes.DOES_NOT_CLIMB:
                raise DoesNotClimb
            case codes.CLIMBS_UNEVENLY:
                raise ClimbsUnevenly
            case codes.OUT_OF_MEMORY:
                raise OutOfMemory(self.counts.configurations, self.counts.needed)
            case _:
                check(code)

    def _finish(self, pool: Pool) -> None:
        result, counts = self.result, self.counts
        result.configurations, result.transitions = counts.configurations, counts.transitions
        result.terminals, result.dead_ends, result.bytes = counts.terminals, counts.dead_ends, counts.needed
        if not result.settings.outputs:
            return
        if counts.terminals:
            result.longest, result.shortest = counts.longest, counts.shortest
        pieces: list[Any] = [None] * self.jobs

        def collect(worker: int) -> int:
            arcs, runs = native.ffi.new("uint64_t **"), native.ffi.new("int64_t **")
            made = int(native.library.count_outputs(counts, worker, arcs, runs))
            if made >= 0:
                pieces[worker] = native.owned(arcs[0], made, np.int64), native.owned(runs[0], made, np.int64)
            return made

        for made in pool(collect, self.jobs):
            self._check(made)
        self.is_inexact = bool(native.library.count_is_inexact(counts))
        result.outputs = [arcs for arcs, _ in pieces]
        result.ways = None if self.is_inexact else [runs for _, runs in pieces]


@contextmanager
def workers(jobs: int) -> Iterator[Pool]:
    """A function that calls another for each worker, in parallel threads; native code does not hold the interpreter's
    lock.
    """
    if jobs == 1:
        yield lambda call, count: [call(worker) for worker in range(count)]
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as threads:
        yield lambda call, count: list(threads.map(call, range(count)))
