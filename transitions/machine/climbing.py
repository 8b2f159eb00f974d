"""Counting configurations that climb: every transition leads from one rank to a higher one.

Where a measure of configurations grows in every transition (`packed/ranking.py`), all that leads to a configuration is
known before its rank is dealt with.  So only what waits on higher ranks has to be kept, and the number of runs that
lead to a configuration, the longest and the shortest of them are known when it is expanded.  The measure is not
believed: a transition that does not climb stops the count.

What waits on a rank falls into parts by hash, each small enough for the processor's cache.  A part is a *stream*, a
chain of chunks in one pool; an item in it has the words of a configuration and then, where runs are counted, one word
of *runs*: their number above, the lengths of the longest and of the shortest below.  Where every transition climbs by
the same number of ranks, the rank tells the length, and the whole word is the number. The hash also says who deals with
an item: of several workers each *owns* a share, and writes to streams of its own.

Outputs are collected in the same way, in streams and a pool of their own, as packed arcs and the number of runs.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.process.jit import compiled, in_place, inlined
from arcproof.transitions.machine.machine import (
    CODE,
    DEAD_ENDS,
    LANES,
    OUT_FIRST,
    OUT_LANE,
    OUT_MARKS,
    OUT_SECOND,
    STATISTICS,
    TERMINALS,
    TRANSITIONS,
    run,
)
from arcproof.transitions.machine.opcodes import Bits, Lanes
from arcproof.transitions.machine.packed.hashing import hashed
from arcproof.transitions.machine.program import FIRST, SECOND, Rows

Chunks: TypeAlias = npt.NDArray[np.int32]
Streams: TypeAlias = npt.NDArray[np.int64]

CHUNK: Final = 128
PARTS: Final = 256
LENGTH_BITS: Final = 12
LENGTH: Final = (1 << LENGTH_BITS) - 1
LENGTHS_BITS: Final = 2 * LENGTH_BITS
LENGTHS: Final = (1 << LENGTHS_BITS) - 1
A_STEP: Final = (1 << LENGTH_BITS) + 1

# The columns of `terms` and `sequences`: where a number is in a word, and its weight.  `order` has the
# weight of the order of nodes, the bits of a node, and what is added to every rank.
TERM: Final = 5  # word, shift, mask, whether only its presence counts, weight
SEQUENCE: Final = 3  # shift and mask of the length, whether the head is on the right

# Further columns of the statistics of a worker.
CONFIGURATIONS, APPENDED, GATHERED, LONGEST, SHORTEST, INEXACT = range(STATISTICS, STATISTICS + 6)
ALL_STATISTICS: Final = STATISTICS + 6
DOES_NOT_CLIMB: Final = -100
CLIMBS_UNEVENLY: Final = -101

# The orders for a worker.
(
    WIDE, COUNTED, WITH_LENGTHS, STEP, START, TERMINAL_REGISTER, ARCS_FROM, ARCS_MASK, JOBS, ME, RANKS, FIRST_RANK, LAST_RANK, FIRST_OWNER, LAST_OWNER,
    FIRST_PART, LAST_PART, MOST_ITEMS, ALL_ITEMS,
) = range(19)  # fmt: skip
ORDERS: Final = 19


@compiled("void(int64[::1], int64[::1], int64, int64[:, ::1], int64[:, ::1], int64[::1], int64[::1])")
def measure(
    first: Lanes, second: Lanes, count: int, terms: Lanes, sequences: Lanes, order: Lanes, ranks: Lanes
) -> None:
    """The ranks of some configurations.

    The order of nodes is the sum of all nodes times their places, in all sequences from left to right.
    """
    weight, width, base = order[0], order[1], order[2]
    for k in range(count):
        ranks[k] = base
    for t in range(terms.shape[0]):
        word, shift, mask, present, factor = terms[t, 0], terms[t, 1], terms[t, 2], terms[t, 3], terms[t, 4]
        numbers = second if word == 1 else first
        if present != 0:
            for k in range(count):
                ranks[k] += factor if (numbers[k] >> shift) & mask != 0 else 0
        else:
            for k in range(count):
                ranks[k] += factor * ((numbers[k] >> shift) & mask)
    if weight == 0:
        return
    node = (1 << width) - 1
    for k in range(count):
        rest = first[k]
        before = 0
        total = 0
        for s in range(sequences.shape[0]):
            length = (first[k] >> sequences[s, 0]) & sequences[s, 1]
            place, onward = (before + length - 1, -1) if sequences[s, 2] != 0 else (before, 1)
            for _ in range(length):
                total += (rest & node) * place
                rest >>= width
                place += onward
            before += length
        ranks[k] += weight * total


@in_place
def _stream(w0: int, w1: int, rank: int, ranks: int, parts: int, me: int, jobs: int) -> int:
    """The stream where a worker writes what waits on a rank with this many parts."""
    h: int = hashed(w0, w1)
    owner = (((h >> 40) & 0xFFFF) * jobs) >> 16
    return 2 * (((me * jobs + owner) * ranks + rank) * PARTS + ((h >> 24) & (parts - 1)))


@in_place
def _of(writer: int, owner: int, rank: int, part: int, ranks: int, jobs: int) -> int:
    """The stream for this writer, owner and part."""
    return 2 * (((writer * jobs + owner) * ranks + rank) * PARTS + part)


@inlined
def _append(
    first: Lanes, second: Lanes, runs: Lanes, to: Lanes, count: int, words: int, counted: bool, pool: Lanes, chain: Chunks,
    streams: Streams, free: Chunks, stock: Lanes, me: int, jobs: int,
) -> None:  # fmt: skip
    """Write items to streams."""
    width = words + (1 if counted else 0)
    for k in range(count):
        stream = to[k]
        waiting = streams[stream + 1]
        if waiting & (CHUNK - 1) == 0:
            if stock[me, 0] > 0:
                stock[me, 0] -= 1
                chunk = np.int64(free[me, stock[me, 0]])
            else:
                chunk = stock[me, 1]
                stock[me, 1] += jobs
            chain[chunk] = streams[stream]
            streams[stream] = chunk
        streams[stream + 1] = waiting + 1
        item = (streams[stream] * CHUNK + (waiting & (CHUNK - 1))) * width
        pool[item] = first[k]
        if words == 2:
            pool[item + 1] = second[k]
        if counted:
            pool[item + words] = runs[k]


@inlined
def _waiting(streams: Streams, rank: int, parts: Lanes, orders: Lanes) -> int:
    """How many items wait on a rank, for the owners and parts assigned to a worker."""
    jobs, ranks = orders[JOBS], orders[RANKS]
    found = 0
    for owner in range(orders[FIRST_OWNER], orders[LAST_OWNER]):
        for part in range(orders[FIRST_PART], min(orders[LAST_PART], parts[rank])):
            for writer in range(jobs):
                found += streams[_of(writer, owner, rank, part, ranks, jobs) + 1]
    return int(found)


@inlined
def _gather(
    pool: Lanes, chain: Chunks, streams: Streams, free: Chunks, stock: Lanes, me: int, first: int, apart: int, jobs: int, words: int,
    counted: bool, lengths: int, dense: Lanes, begin: int, index: Chunks, places: Lanes, statistics: Lanes,
) -> int:  # fmt: skip
    """Append each distinct item of a stream, with all of its runs; return how many there are then.  The chunks are free
    afterwards.

    `apart` is the distance between the streams of two writers.  `lengths` is the mask of the bits for lengths in the
    word of runs.
    """
    width = words + (1 if counted else 0)
    waiting = 0
    for writer in range(jobs):
        waiting += streams[first + writer * apart + 1]
    if waiting == 0:
        return begin
    span = 16
    while span < 2 * waiting:
        span *= 2
    mask = span - 1
    index[:span] = -1
    end = begin
    for writer in range(jobs):
        stream = first + writer * apart
        count = streams[stream + 1]
        chunk = streams[stream]
        while count > 0:
            some = ((count - 1) & (CHUNK - 1)) + 1
            item = chunk * CHUNK * width
            for k in range(some):
                places[k] = hashed(pool[item + k * width], pool[item + k * width + 1] if words == 2 else 0) & mask
            for k in range(some):
                w0 = pool[item]
                w1 = pool[item + 1] if words == 2 else 0
                place = places[k]
                other = np.int64(index[place])
                while other >= 0:
                    if dense[other * width] == w0 and (words == 1 or dense[other * width + 1] == w1):
                        break
                    place = (place + 1) & mask
                    other = np.int64(index[place])
                if other < 0:
                    index[place] = end
                    to = end * width
                    dense[to] = w0
                    if words == 2:
                        dense[to + 1] = w1
                    if counted:
                        dense[to + words] = pool[item + words]
                    end += 1
                elif counted:
                    at = other * width + words
                    mine, another = dense[at], pool[item + words]
                    ways = (mine & ~lengths) + (another & ~lengths)
                    if ways < 0:
                        statistics[INEXACT] = 1
                    longest = max(mine & lengths & ~LENGTH, another & lengths & ~LENGTH)
                    dense[at] = ways | longest | min(mine & lengths & LENGTH, another & lengths & LENGTH)
                item += width
            free[me, stock[me, 0]] = chunk
            stock[me, 0] += 1
            chunk = np.int64(chain[chunk])
            count -= some
        streams[stream + 1] = 0
    return end


_WAITING: Final = "int64[::1], int32[::1], int64[::1], int32[:, ::1], int64[:, ::1]"


@compiled(
    "int64(int64[:, ::1], int64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1],"
    f" {_WAITING}, int64[::1], {_WAITING}, int64[::1], int32[::1], int64[::1])",
)
def climb(
    rows: Rows, r: Lanes, u: Bits, out: Lanes, orders: Lanes, terms: Lanes, sequences: Lanes, order: Lanes, room: Lanes,
    pool: Lanes, chain: Chunks, streams: Streams, free: Chunks, stock: Lanes, parts: Lanes, ends_pool: Lanes, ends_chain: Chunks,
    ends_streams: Streams, ends_free: Chunks, ends_stock: Lanes, dense: Lanes, index: Chunks, statistics: Lanes,
) -> int:  # fmt: skip
    """Expand what waits on some ranks, from the lowest up; return the first rank that was not processed.

    It stops before a rank with more than `MOST_ITEMS`, and when it has processed `ALL_ITEMS`.
    """
    wide, counted, even = orders[WIDE] != 0, orders[COUNTED] != 0, orders[STEP] != 0
    jobs, me, ranks = orders[JOBS], orders[ME], orders[RANKS]
    words = 2 if wide else 1
    width = words + (1 if counted else 0)
    lengths, above, a_step = (LENGTHS, LENGTHS_BITS, A_STEP) if orders[WITH_LENGTHS] != 0 else (0, 0, 0)
    terminal, arcs_from, arcs_mask = orders[TERMINAL_REGISTER], orders[ARCS_FROM], orders[ARCS_MASK]
    dealt = 0
    rank = orders[FIRST_RANK]
    while rank < orders[LAST_RANK]:
        waiting = _waiting(streams, rank, parts, orders)
        if waiting > orders[MOST_ITEMS] or dealt + waiting > orders[ALL_ITEMS]:
            return int(rank)
        dealt += waiting
        statistics[GATHERED] += waiting
        so_far = (rank - orders[START]) // orders[STEP] if even else 0
        begin = 0
        for owner in range(orders[FIRST_OWNER], orders[LAST_OWNER] if waiting > 0 else 0):
            last = min(orders[LAST_PART], parts[rank])
            for part in range(orders[FIRST_PART], last):
                begin = _gather(
                    pool, chain, streams, free, stock, me, _of(0, owner, rank, part, ranks, jobs), _of(1, 0, 0, 0, ranks, jobs), jobs, words,
                    counted, lengths, dense, begin, index, room[0], statistics,
                )  # fmt: skip
                if begin < 16 * LANES and (part < last - 1 or owner < orders[LAST_OWNER] - 1):
                    continue
                statistics[CONFIGURATIONS] += begin
                for at in range(0, begin, LANES):
                    count = min(LANES, begin - at)
                    for k in range(count):
                        r[FIRST, k] = dense[(at + k) * width]
                        r[SECOND, k] = dense[(at + k) * width + 1] if wide else 0
                    written = run(rows, r, u, count, out)
                    if written < 0:
                        statistics[CODE] = written
                        return int(rank)
                    measure(out[OUT_FIRST], out[OUT_SECOND], written, terms, sequences, order, out[OUT_MARKS])
                    ended = 0
                    for k in range(count):
                        if r[terminal, k] != 0:
                            if counted:
                                runs = dense[(at + k) * width + words]
                                arcs = ((r[SECOND, k] if wide else r[FIRST, k]) >> arcs_from) & arcs_mask
                                room[0, ended] = arcs
                                room[1, ended] = runs >> above
                                room[2, ended] = _stream(arcs, 0, 0, 1, PARTS, me, jobs)
                                longest = so_far if even else (runs & lengths) >> LENGTH_BITS
                                shortest = so_far if even else runs & lengths & LENGTH
                                statistics[LONGEST] = max(statistics[LONGEST], longest)
                                statistics[SHORTEST] = min(statistics[SHORTEST], shortest)
                            ended += 1
                        r[SECOND, k] = 0
                    if counted:
                        _append(
                            room[0], room[0], room[1], room[2], ended, 1, True, ends_pool, ends_chain, ends_streams, ends_free, ends_stock,
                            me, jobs,
                        )  # fmt: skip
                    moved = 0
                    for k in range(written):
                        lane = out[OUT_LANE, k]
                        if r[terminal, lane] == 0:
                            target = out[OUT_MARKS, k]
                            if target <= rank or target >= ranks:
                                statistics[CODE] = DOES_NOT_CLIMB
                                return int(rank)
                            if even and target != rank + orders[STEP]:
                                statistics[CODE] = CLIMBS_UNEVENLY
                                return int(rank)
                            r[SECOND, lane] = 1
                            w0, w1 = out[OUT_FIRST, k], out[OUT_SECOND, k]
                            out[OUT_FIRST, moved] = w0
                            out[OUT_SECOND, moved] = w1
                            out[OUT_LANE, moved] = dense[(at + lane) * width + words] + a_step if counted else 0
                            out[OUT_MARKS, moved] = _stream(w0, w1, target, ranks, parts[target], me, jobs)
                            moved += 1
                    _append(
                        out[OUT_FIRST], out[OUT_SECOND], out[OUT_LANE], out[OUT_MARKS], moved, words, counted, pool, chain, streams, free,
                        stock, me, jobs,
                    )  # fmt: skip
                    going_on = 0
                    for k in range(count):
                        going_on += r[SECOND, k]
                    statistics[TRANSITIONS] += moved
                    statistics[APPENDED] += moved
                    statistics[TERMINALS] += ended
                    statistics[DEAD_ENDS] += count - ended - going_on
                begin = 0
        rank += 1
    return int(rank)


@compiled(f"int64(int64[::1], {_WAITING}, int64[::1], int32[::1], int64[:, ::1], boolean, int64[::1])")
def collect(
    orders: Lanes, pool: Lanes, chain: Chunks, streams: Streams, free: Chunks, stock: Lanes, dense: Lanes, index: Chunks, room: Lanes,
    again: bool, statistics: Lanes,
) -> int:  # fmt: skip
    """Make the outputs of some parts distinct; return how many are at the beginning of `dense` afterwards.

    With `again` they are put back into their streams, one part after the other.
    """
    jobs, me = orders[JOBS], orders[ME]
    words, counted = np.int64(1), orders[COUNTED] != 0
    begin = 0
    for owner in range(orders[FIRST_OWNER], orders[LAST_OWNER]):
        for part in range(orders[FIRST_PART], orders[LAST_PART]):
            begin = _gather(
                pool, chain, streams, free, stock, me, _of(0, owner, 0, part, 1, jobs), _of(1, 0, 0, 0, 1, jobs), jobs, words, counted, 0,
                dense, begin, index, room[0], statistics,
            )  # fmt: skip
            if again:
                for at in range(0, begin, LANES):
                    count = min(LANES, begin - at)
                    for k in range(count):
                        room[0, k] = dense[2 * (at + k)]
                        room[1, k] = dense[2 * (at + k) + 1]
                        room[2, k] = _of(me, owner, 0, part, 1, jobs)
                    _append(
                        room[0], room[0], room[1], room[2], count, 1, True, pool, chain, streams, free, stock, me, jobs
                    )
                begin = 0
    return int(begin)
