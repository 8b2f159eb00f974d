"""The machine: native code that runs the program of any figure, compiled once and cached.

`run` takes a batch of configurations, one in each lane, through all rows of a program.  The loops below it feed it:
`generate` writes the successors of a slice of configurations in the order of the interpreter, `follow` lets an oracle
derive many gold graphs, one in each lane, and `climbing.climb` counts without keeping.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from arcproof.process.jit import compiled, inlined
from arcproof.transitions.machine import opcodes as o
from arcproof.transitions.machine.codes import GOLD_COMPONENTS as GOLD_COMPONENTS_ROW
from arcproof.transitions.machine.codes import GOLD_HEADS as GOLD_HEADS_ROW
from arcproof.transitions.machine.codes import GOLD_ORDER as GOLD_ORDER_ROW
from arcproof.transitions.machine.codes import NAME_MASK
from arcproof.transitions.machine.gold_words import (
    AS_GRAPH,
    AS_HEADS,
    packed,
    packed_heads,
    packed_matrix,
    packed_rows,
    prepare,
)
from arcproof.transitions.machine.opcodes import Bits, Lanes
from arcproof.transitions.machine.packed.signs import (
    DEAD_END,
    EMPTY_BUFFER,
    GOES_ON,
    NO_DEFAULT,
    PERMITS,
    SECOND_ARC,
    TERMINAL,
)
from arcproof.transitions.machine.program import (
    EMIT,
    FAULT,
    FIRST,
    GOLD_COMPONENTS,
    GOLD_HEADS,
    GOLD_ORDER,
    SECOND,
    SKIP,
    Rows,
)

LANES: Final = 256

# Columns of what a program writes.
OUT_FIRST, OUT_SECOND, OUT_LANE, OUT_LABEL, OUT_MARKS = range(5)
OUT: Final = 5
# Rows of scratch, with one number for each lane and one more.
SCRATCH: Final = 8


@inlined
def holds_somewhere(r: Lanes, count: int, a: int) -> bool:
    """Whether a truth holds in some lane."""
    found = 0
    for k in range(count):
        found |= r[a, k]
    return found != 0


@inlined
def hold_together(r: Lanes, count: int, a: int, b: int) -> bool:
    """Whether two truths hold in some lane."""
    found = 0
    for k in range(count):
        found |= r[a, k] & r[b, k]
    return found != 0


@inlined
def emit(r: Lanes, count: int, row: Rows, out: Lanes, at: int) -> int:
    """Write the successors of the lanes where a truth holds; return how many successors there are now."""
    truth, first, second, marks, label = row[2], row[3], row[4], row[5], row[6]
    for k in range(count):
        out[OUT_FIRST, at] = r[first, k]
        out[OUT_SECOND, at] = r[second, k]
        out[OUT_LANE, at] = k
        out[OUT_LABEL, at] = label
        out[OUT_MARKS, at] = r[marks, k] if marks >= 0 else 0
        at += r[truth, k]
    return at


@compiled("int64(int64[:, ::1], int64[:, ::1], uint64[:, ::1], int64, int64[:, ::1])")
def run(rows: Rows, r: Lanes, u: Bits, count: int, out: Lanes) -> int:
    """Run a batch through a program; returns how many successors it wrote, or the code of a fault."""
    at = 0
    place = 0
    while place < rows.shape[0]:
        row = rows[place]
        place += 1
        number = row[0]
        to = row[1]
        if number == EMIT:
            at = emit(r, count, row, out, at)
        elif number == FAULT:
            if hold_together(r, count, row[2], row[3]):
                return int(row[4])
        elif number == SKIP:
            if not holds_somewhere(r, count, row[2]):
                place += row[3]
        elif number == 0:
            o.constant(r, to, count, row[2])
        elif number == 1:
            o.plus(r, to, count, row[2], row[3])
        elif number == 2:
            o.minus(r, to, count, row[2], row[3])
        elif number == 3:
            o.plus_number(r, to, count, row[2], row[3])
        elif number == 4:
            o.times_number(r, to, count, row[2], row[3])
        elif number == 5:
            o.equal(r, to, count, row[2], row[3])
        elif number == 6:
            o.less(r, to, count, row[2], row[3])
        elif number == 7:
            o.equal_number(r, to, count, row[2], row[3])
        elif number == 8:
            o.less_number(r, to, count, row[2], row[3])
        elif number == 9:
            o.more_number(r, to, count, row[2], row[3])
        elif number == 10:
            o.both(r, to, count, row[2], row[3])
        elif number == 11:
            o.either(r, to, count, row[2], row[3])
        elif number == 12:
            o.negated(r, to, count, row[2])
        elif number == 13:
            o.chosen(r, to, count, row[2], row[3], row[4])
        elif number == 14:
            o.field(u, to, count, row[2], np.uint64(row[3]), np.uint64(row[4]))
        elif number == 15:
            o.field_at(u, to, count, row[2], row[3], np.uint64(row[4]), np.uint64(row[5]))
        elif number == 16:
            o.lowest(u, to, count, row[2], row[3], np.uint64(row[4]))
        elif number == 17:
            o.put_below(u, to, count, row[2], np.uint64(row[3]), row[4])
        elif number == 18:
            o.put_below_at(u, to, count, row[2], row[3], np.uint64(row[4]), row[5])
        elif number == 19:
            o.with_bit(u, to, count, row[2], row[3])
        elif number == 20:
            o.without_bit(u, to, count, row[2], row[3])
        elif number == 21:
            o.turned(u, to, count, row[2], row[3], np.uint64(row[4]), np.uint64(row[5]))
        elif number == 22:
            o.entry(u, to, count, row[2], row[3], np.uint64(row[4]), np.uint64(row[5]), np.uint64(row[6]))
        elif number == 23:
            o.hung(u, to, count, row[2], row[3], row[4], np.uint64(row[5]), np.uint64(row[6]))
        elif number == 24:
            o.freed(u, to, count, row[2], row[3], np.uint64(row[4]), np.uint64(row[5]), np.uint64(row[6]))
        elif number == 25:
            o.has_dependent(u, to, count, row[2], row[3], np.uint64(row[4]), np.uint64(row[5]), np.uint64(row[6]))
        elif number == 26:
            o.reaches(u, to, count, row[2], row[3], row[4], np.uint64(row[5]), np.uint64(row[6]), np.uint64(row[7]))
        elif number == 27:
            o.connected(u, to, count, row[2], row[3], row[4], np.uint64(row[5]), np.uint64(row[6]), np.uint64(row[7]))
        elif number == 28:
            o.degree(u, to, count, row[2], row[3], row[4], np.uint64(row[5]), np.uint64(row[6]), np.uint64(row[7]))
        elif number == 29:
            o.lost(u, to, count, row[2], row[3], np.uint64(row[4]), np.uint64(row[5]), np.uint64(row[6]))
        elif number == 30:
            o.complete(u, to, count, row[2], row[3], row[4], np.uint64(row[5]), np.uint64(row[6]), np.uint64(row[7]))
        elif number == 31:
            o.heads_in(u, to, count, row[2], row[3], np.uint64(row[4]))
        elif number == 32:
            o.joined(u, to, count, row[2], row[3], row[4], np.uint64(row[5]))
        elif number == 33:
            o.headless(u, to, count, row[2], row[3], np.uint64(row[4]))
        elif number == 34:
            o.matrix_has_dependent(u, to, count, row[2], row[3], np.uint64(row[4]))
        elif number == 35:
            o.matrix_reaches(u, to, count, row[2], row[3], row[4], np.uint64(row[5]))
        elif number == 36:
            o.matrix_connected(u, to, count, row[2], row[3], row[4], np.uint64(row[5]))
        elif number == 37:
            o.matrix_degree(u, to, count, row[2], row[3], row[4], np.uint64(row[5]))
        elif number == 38:
            o.matrix_lost(u, to, count, row[2], row[3])
        elif number == 39:
            o.matrix_complete(
                u, to, count, row[2], row[3], row[4], np.uint64(row[5]), np.uint64(row[6]), np.uint64(row[7])
            )
        elif number == 40:
            o.matrix_has_all(u, to, count, row[2], row[3], row[4], np.uint64(row[5]))
    return at


# --- loops -----------------------------------------------------------------------------------------------------------

# The columns in which `generate` and `climb` count.
CODE: Final = 0
TRANSITIONS: Final = 1
TERMINALS: Final = 2
DEAD_ENDS: Final = 3
MARKS: Final = 4
STATISTICS: Final = 5

_WORDS: Final = "int64[::1]"
_ROWS: Final = "int64[:, ::1]"


@inlined
def _arcs_differ(c0: int, c1: int, w0: int, w1: int, wide: bool, arcs_from: int, arcs_mask: int) -> bool:
    change = (c1 ^ w1) if wide else (c0 ^ w0)
    return (change >> arcs_from) & arcs_mask != 0


@compiled(
    f"int64({_ROWS}, {_ROWS}, uint64[:, ::1], {_ROWS}, {_ROWS}, int64, int64, {_WORDS}, {_WORDS}, boolean, int64, int64, int64, int64,"
    f" boolean, boolean, int64, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, int16[::1], {_WORDS})",
)
def generate(
    rows: Rows, r: Lanes, u: Bits, out: Lanes, scratch: Lanes, terminal: int, empty: int, k0: Lanes, k1: Lanes, wide: bool, lo: int, hi: int,
    default: int, arcs_from: int, go_on: bool, look: bool, arcs_mask: int, c0: Lanes, c1: Lanes, label: Lanes, source: Lanes,
    flags: npt.NDArray[np.int16], statistics: Lanes,
) -> int:  # fmt: skip
    """Write the successors of the configurations from lo up to hi, with the signs of each; returns their number.

    `go_on` expands terminal configurations too, `look` only asks where they would lead.
    """
    found = 0
    begins, permitted = scratch[0], scratch[1]
    for at in range(lo, hi, LANES):
        count = min(LANES, hi - at)
        for k in range(count):
            r[FIRST, k] = k0[at + k]
            r[SECOND, k] = k1[at + k] if wide else 0
        written = run(rows, r, u, count, out)
        if written < 0:
            statistics[CODE] = written
            return found
        for k in range(count + 1):
            begins[k] = 0
        for k in range(count):
            flags[at - lo + k] = TERMINAL if r[terminal, k] != 0 else 0
            permitted[k] = 0
        for k in range(written):
            lane = out[OUT_LANE, k]
            if go_on or r[terminal, lane] == 0:
                begins[lane + 1] += 1
        for k in range(count):
            begins[k + 1] += begins[k]
        for k in range(written):
            lane = out[OUT_LANE, k]
            ended = r[terminal, lane] != 0
            if ended and look:
                flags[at - lo + lane] |= PERMITS
                if _arcs_differ(
                    out[OUT_FIRST, k], out[OUT_SECOND, k], r[FIRST, lane], r[SECOND, lane], wide, arcs_from, arcs_mask
                ):
                    flags[at - lo + lane] |= GOES_ON
            if ended and not go_on:
                continue
            to = found + begins[lane]
            begins[lane] += 1
            c0[to] = out[OUT_FIRST, k]
            c1[to] = out[OUT_SECOND, k]
            label[to] = out[OUT_LABEL, k]
            source[to] = at + lane
            flags[at - lo + lane] |= out[OUT_MARKS, k]
            if out[OUT_LABEL, k] & NAME_MASK == default:
                permitted[lane] = 1
        before = 0
        for k in range(count):
            flag = flags[at - lo + k]
            if r[terminal, k] != 0:
                statistics[TERMINALS] += 1
            else:
                if begins[k] == before:
                    flag |= DEAD_END
                    statistics[DEAD_ENDS] += 1
                if permitted[k] == 0:
                    flag |= NO_DEFAULT
                if r[empty, k] != 0:
                    flag |= EMPTY_BUFFER
            flags[at - lo + k] = flag
            statistics[MARKS] |= flag
            before = begins[k]
        found += before
        statistics[TRANSITIONS] += before
    return found


@compiled(
    f"void({_ROWS}, {_ROWS}, uint64[:, ::1], {_ROWS}, {_ROWS}, {_ROWS}, int64, int64, {_WORDS}, {_ROWS}, int64, int64, int64, int64, int64, boolean,"
    f" boolean, int64, boolean, int64, int64, int64, {_WORDS})",
)
def follow(
    rows: Rows, r: Lanes, u: Bits, out: Lanes, scratch: Lanes, gold: Lanes, terminal: int, undecided: int, wanted: Lanes, graphs: Lanes, w0: int, w1: int, n: int,
    head_width: int, node_width: int, rooted: bool, wide: bool, form: int, several: bool, arcs_from: int, arcs_mask: int, limit: int, lengths: Lanes,
) -> None:  # fmt: skip
    """Follow an oracle from the start to each gold graph; write the length of its run, -1 if it does not lead there, -2
    if that cannot be decided here.

    A graph has for each word one more than its head, or 0; or, if words may have several heads, a bit for each head,
    and then an oracle asks for nothing but arcs.  `wanted` are the registers with the labels that the oracle asks for,
    first choice first, or -1.
    """
    words, state, lanes, chosen = scratch[:4], scratch[4:6], scratch[6], scratch[7]
    for begin in range(0, graphs.shape[0], LANES):
        count = min(LANES, graphs.shape[0] - begin)
        for k in range(count):
            if several:
                words[0, k] = packed_rows(graphs, begin + k, n, rooted)
                words[1, k] = 0
                words[2, k] = 0
                words[3, k] = (words[0, k] >> (n + 1)) & arcs_mask if form == AS_GRAPH else words[0, k]
            else:
                for word in range(1, n + 1):
                    head = graphs[begin + k, word - 1]
                    gold[GOLD_HEADS_ROW, word] = 0 if head == 1 and not rooted else head
                prepare(gold, n)
                words[0, k] = packed_heads(gold, n, head_width)
                words[1, k] = packed(gold, GOLD_ORDER_ROW, n, node_width)
                words[2, k] = packed(gold, GOLD_COMPONENTS_ROW, n, node_width)
                words[3, k] = words[0, k] if form == AS_HEADS else packed_matrix(gold, n)
            state[0, k] = w0
            state[1, k] = w1
            lanes[k] = k
        steps = 0
        while count > 0:
            for k in range(count):
                r[FIRST, k] = state[0, lanes[k]]
                r[SECOND, k] = state[1, lanes[k]]
                r[GOLD_HEADS, k] = words[0, lanes[k]]
                r[GOLD_ORDER, k] = words[1, lanes[k]]
                r[GOLD_COMPONENTS, k] = words[2, lanes[k]]
                chosen[k] = wanted.shape[0]
            written = run(rows, r, u, count, out)
            for e in range(written):
                k = out[OUT_LANE, e]
                if out[OUT_MARKS, e] & SECOND_ARC == 0:
                    for choice in range(chosen[k]):
                        if r[wanted[choice], k] == out[OUT_LABEL, e]:
                            chosen[k] = choice
                            state[0, lanes[k]] = out[OUT_FIRST, e]
                            state[1, lanes[k]] = out[OUT_SECOND, e]
                            break
            left = 0
            for k in range(count):
                graph = begin + lanes[k]
                if r[terminal, k] != 0:
                    arcs = ((r[SECOND, k] if wide else r[FIRST, k]) >> arcs_from) & arcs_mask
                    lengths[graph] = steps if arcs == words[3, lanes[k]] else -1
                elif r[undecided, k] != 0:
                    lengths[graph] = -2
                elif chosen[k] == wanted.shape[0] or steps >= limit:
                    lengths[graph] = -1
                else:
                    lanes[left] = lanes[k]
                    left += 1
            count = left
            steps += 1


@compiled(f"void({_ROWS}, {_ROWS}, uint64[:, ::1], {_ROWS}, int64, {_WORDS}, {_WORDS}, boolean, boolean[::1])")
def ask(
    rows: Rows, r: Lanes, u: Bits, out: Lanes, truth: int, k0: Lanes, k1: Lanes, wide: bool, answers: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Whether a condition holds in each of some configurations."""
    for at in range(0, len(k0), LANES):
        count = min(LANES, len(k0) - at)
        for k in range(count):
            r[FIRST, k] = k0[at + k]
            r[SECOND, k] = k1[at + k] if wide else 0
        run(rows, r, u, count, out)
        for k in range(count):
            answers[at + k] = r[truth, k] != 0
