"""The code that all compiled figures share.

These are plain functions of integers and arrays.  `module` puts their source beside the code that `emit` makes of a figure, and
compiles all of it together; what that code defines is declared in `generated`.  `hashed` is that of `table`.  Everything is a signed 64-bit number, so that
nothing becomes a floating-point number; bits are cut out by a shift and then a mask, which is right for any sign.

`expand` writes the successors of a configuration, in the order in which the interpreter lists the permissible transitions, to
position `at` and on: their two words, their *label* (number of the transition's name, then 8 bits for each choice) and their *marks*.
It gives their number, or one of the codes below 0.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from arcproof.transitions.machine.codes import GOLD_COMPONENTS, GOLD_HEADS, GOLD_ORDER
from arcproof.transitions.machine.packed.layout import ARCS_MASK, FIRST_BITS, WIDE, WORDS, Words64
from arcproof.transitions.machine.packed.signs import (
    DEAD_END,
    EMPTY_BUFFER,
    GOES_ON,
    NO_DEFAULT,
    PERMITS,
    SECOND_ARC,
    TERMINAL,
)

if TYPE_CHECKING:
    from arcproof.transitions.machine.packed.generated import empties, expand, goal, predict, terminal

# What `expand` gives instead of a number.
DOES_NOT_FIT: Final = -1
SECOND_HEAD: Final = -2

# Where `generate` counts.
CODE: Final = 0
TRANSITIONS: Final = 1
TERMINALS: Final = 2
DEAD_ENDS: Final = 3
MARKS: Final = 4
STATISTICS: Final = 5

GOLD_ROWS: Final = 7  # the rows of gold data; those that are not in `codes` are for intermediate results


# --- words -------------------------------------------------------------------------------------------------------------


def arcs_in(w0: int, w1: int, shape: Words64) -> int:
    """The packed arcs of a configuration."""
    arcs: int = w1 if shape[WIDE] else w0 >> shape[FIRST_BITS]
    return arcs & int(shape[ARCS_MASK])


def turned(cells: int, length: int, bits: int, mask: int) -> int:
    """A run of cells in the other direction."""
    found = 0
    for _ in range(length):
        found = (found << bits) | (cells & mask)
        cells >>= bits
    return found


def hashed(w0: int, w1: int) -> int:
    """As `table` has it, whose text takes the place of this one."""
    from arcproof.transitions.machine.packed import table

    found: int = table.hashed(w0, w1)
    return found


# --- arcs as heads -----------------------------------------------------------------------------------------------------


def entry_heads(arcs: int, node: int, n: int, bits: int) -> int:
    """One more than the head of a node, or 0."""
    if node == 0:
        return 0
    return (arcs >> ((n - node) * bits)) & ((1 << bits) - 1)


def has_head_heads(arcs: int, node: int, n: int, bits: int) -> bool:
    """Whether some arc points to the node."""
    return entry_heads(arcs, node, n, bits) != 0


def has_dependent_heads(arcs: int, node: int, n: int, bits: int) -> bool:
    """Whether some arc leaves the node."""
    found = False
    for word in range(1, n + 1):
        found = found or entry_heads(arcs, word, n, bits) == node + 1
    return found


def has_arc_heads(arcs: int, head: int, dependent: int, n: int, bits: int) -> bool:
    """Whether there is this arc."""
    return entry_heads(arcs, dependent, n, bits) == head + 1


def reaches_heads(arcs: int, source: int, target: int, n: int, bits: int) -> bool:
    """Whether a path of arcs leads from source to target."""
    node = target
    for _ in range(n + 1):
        if node == source:
            return True
        entry = entry_heads(arcs, node, n, bits)
        if entry == 0:
            return False
        node = entry - 1
    return False


def connected_heads(arcs: int, left: int, right: int, n: int, bits: int) -> bool:
    """Whether a path of arcs in any direction joins the two."""
    component = 1 << left
    grown = True
    while grown:
        before = component
        for word in range(1, n + 1):
            entry = entry_heads(arcs, word, n, bits)
            if entry != 0:
                pair = (1 << word) | (1 << (entry - 1))
                if component & pair != 0:
                    component |= pair
        grown = component != before
    return (component >> right) & 1 != 0


def degree_heads(arcs: int, left: int, right: int, n: int, bits: int) -> int:
    """How many words strictly between the two have their head outside the closed interval, or none."""
    low = min(left, right)
    high = max(left, right)
    found = 0
    for word in range(low + 1, high):
        head = entry_heads(arcs, word, n, bits) - 1
        if head < low or head > high:
            found += 1
    return found


def lost_heads(before: int, after: int, n: int, bits: int) -> bool:
    """Whether an arc has gone."""
    for word in range(1, n + 1):
        entry = entry_heads(before, word, n, bits)
        if entry != 0 and entry_heads(after, word, n, bits) != entry:
            return True
    return False


def without_heads(arcs: int, dependent: int, n: int, bits: int) -> int:
    """The arcs but those into a node."""
    if dependent == 0:
        return arcs
    return arcs & ~(((1 << bits) - 1) << ((n - dependent) * bits))


def with_arc_heads(arcs: int, head: int, dependent: int, n: int, bits: int) -> int:
    """The arcs and one more, into a word without head."""
    return arcs | ((head + 1) << ((n - dependent) * bits))


def complete_heads(arcs: int, node: int, gold: Words64, n: int, bits: int) -> bool:
    """Whether every gold dependent of the node hangs on it."""
    for word in range(1, n + 1):
        if gold[GOLD_HEADS, word] == node + 1 and entry_heads(arcs, word, n, bits) != node + 1:
            return False
    return True


# --- arcs as a matrix: the bit of the arc from h to d is d (n + 1) + h -------------------------------------------------


def has_head_matrix(arcs: int, node: int, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether some arc points to the node."""
    return (arcs >> (node * (n + 1))) & ((1 << (n + 1)) - 1) != 0


def has_dependent_matrix(arcs: int, node: int, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether some arc leaves the node."""
    found = False
    for word in range(n + 1):
        found = found or (arcs >> (word * (n + 1) + node)) & 1 != 0
    return found


def has_arc_matrix(arcs: int, head: int, dependent: int, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether there is this arc."""
    return (arcs >> (dependent * (n + 1) + head)) & 1 != 0


def reaches_matrix(arcs: int, source: int, target: int, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether a path of arcs leads from source to target."""
    above = 1 << target
    grown = True
    while grown:
        before = above
        for node in range(n + 1):
            if (above >> node) & 1 != 0:
                above |= (arcs >> (node * (n + 1))) & ((1 << (n + 1)) - 1)
        grown = above != before
    return (above >> source) & 1 != 0


def connected_matrix(arcs: int, left: int, right: int, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether a path of arcs in any direction joins the two."""
    component = 1 << left
    grown = True
    while grown:
        before = component
        for node in range(n + 1):
            heads = (arcs >> (node * (n + 1))) & ((1 << (n + 1)) - 1)
            if heads != 0 and component & (heads | (1 << node)) != 0:
                if (component >> node) & 1 != 0:
                    component |= heads
                elif component & heads != 0:
                    component |= 1 << node
        grown = component != before
    return (component >> right) & 1 != 0


def degree_matrix(arcs: int, left: int, right: int, n: int, bits: int) -> int:  # noqa: ARG001
    """How many words strictly between the two have no head in the closed interval."""
    low = min(left, right)
    high = max(left, right)
    inside = ((1 << (high - low + 1)) - 1) << low
    found = 0
    for word in range(low + 1, high):
        if (arcs >> (word * (n + 1))) & inside == 0:
            found += 1
    return found


def lost_matrix(before: int, after: int, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether an arc has gone."""
    return before & ~after != 0


def without_matrix(arcs: int, dependent: int, n: int, bits: int) -> int:  # noqa: ARG001
    """The arcs but those into a node."""
    return arcs & ~(((1 << (n + 1)) - 1) << (dependent * (n + 1)))


def with_arc_matrix(arcs: int, head: int, dependent: int, n: int, bits: int) -> int:  # noqa: ARG001
    """The arcs and one more."""
    return arcs | (1 << (dependent * (n + 1) + head))


def complete_matrix(arcs: int, node: int, gold: Words64, n: int, bits: int) -> bool:  # noqa: ARG001
    """Whether every gold dependent of the node hangs on it."""
    for word in range(1, n + 1):
        if gold[GOLD_HEADS, word] == node + 1 and (arcs >> (word * (n + 1) + node)) & 1 == 0:
            return False
    return True


# --- gold --------------------------------------------------------------------------------------------------------------


def prepare(gold: Words64, n: int) -> None:
    """From the heads in the first row, the place of each node in the projective order and its projective component."""
    _order(gold, n)
    _components(gold, n)


def _order(gold: Words64, n: int) -> None:
    # The subtree of a node is visited whole: rows 3 to 6 are its head, its depth, its number of nodes and where it begins.
    deepest = 0
    for node in range(n + 1):
        gold[3, node] = max(0, gold[GOLD_HEADS, node] - 1)
        gold[5, node] = 1
    for word in range(1, n + 1):
        depth = 0
        node = word
        while node != 0:
            node = gold[3, node]
            depth += 1
        gold[4, word] = depth
        deepest = max(deepest, depth)
    for depth in range(deepest, 0, -1):
        for word in range(1, n + 1):
            if gold[4, word] == depth:
                gold[5, gold[3, word]] += gold[5, word]
    gold[6, 0] = 0
    gold[4, 0] = 0
    for depth in range(deepest + 1):
        for node in range(n + 1):
            if gold[4, node] != depth:
                continue
            at = gold[6, node]
            if node == 0:
                gold[GOLD_ORDER, 0] = 0
                at = 1
            for child in range(1, n + 1):
                if child == node:
                    gold[GOLD_ORDER, node] = at
                    at += 1
                elif gold[3, child] == node:
                    gold[6, child] = at
                    at += gold[5, child]


def _components(gold: Words64, n: int) -> None:
    # Rows 3 to 5 are how many gold dependents a node waits for, on which node it hangs by now, and the stack.
    for node in range(n + 1):
        gold[3, node] = 0
        gold[4, node] = node
    for word in range(1, n + 1):
        if gold[GOLD_HEADS, word] != 0:
            gold[3, gold[GOLD_HEADS, word] - 1] += 1
    gold[5, 0] = 0
    height = 1
    for word in range(1, n + 1):
        gold[5, height] = word
        height += 1
        while height > 1:
            below = gold[5, height - 2]
            top = gold[5, height - 1]
            if below != 0 and gold[GOLD_HEADS, below] == top + 1 and gold[3, below] == 0:
                gold[5, height - 2] = top
                gold[4, below] = top
                gold[3, top] -= 1
            elif gold[GOLD_HEADS, top] == below + 1 and gold[3, top] == 0:
                gold[4, top] = below
                gold[3, below] -= 1
            else:
                break
            height -= 1
    for node in range(n + 1):
        root = node
        while gold[4, root] != root:
            root = gold[4, root]
        gold[GOLD_COMPONENTS, node] = root


# --- the loops ---------------------------------------------------------------------------------------------------------


def generate(
    k0: Words64, k1: Words64, lo: int, hi: int, shape: Words64, default: int, go_on: bool, look: bool,
    c0: Words64, c1: Words64, label: Words64, marks: Words64, source: Words64, flags: npt.NDArray[np.int16],
    statistics: Words64,
) -> int:  # fmt: skip
    """Write the successors of the configurations from lo up to hi, and what there is to say of each; gives their number.

    `go_on` expands terminal configurations too, `look` only asks where they would lead.
    """
    wide = shape[WIDE] != 0
    found = 0
    for number in range(lo, hi):
        w0 = k0[number]
        w1 = k1[number] if wide else 0
        flag = 0
        ended = terminal(w0, w1, shape)
        if ended:
            flag = TERMINAL
            statistics[TERMINALS] += 1
        if go_on or look or not ended:
            count = expand(w0, w1, shape, c0, c1, label, marks, found)
            if count < 0:
                statistics[CODE] = count
                return found
            if ended and look and count > 0:
                flag |= PERMITS
                arcs = arcs_in(w0, w1, shape)
                for k in range(found, found + count):
                    if arcs_in(c0[k], c1[k], shape) != arcs:
                        flag |= GOES_ON
            if go_on or not ended:
                with_default = False
                for k in range(found, found + count):
                    source[k] = number
                    flag |= marks[k]
                    if label[k] & 255 == default:
                        with_default = True
                if not ended:
                    if count == 0:
                        flag |= DEAD_END
                        statistics[DEAD_ENDS] += 1
                    if not with_default:
                        flag |= NO_DEFAULT
                    if empties(w0, w1, shape):
                        flag |= EMPTY_BUFFER
                found += count
                statistics[TRANSITIONS] += count
        statistics[MARKS] |= flag
        flags[number - lo] = flag
    return found


def advance(
    bins: Words64, fill: Words64, last: int, width: int, shape: Words64, scratch: Words64, next_bins: Words64,
    next_fill: Words64, ends: Words64, ends_fill: Words64, place: Words64, statistics: Words64,
) -> bool:  # fmt: skip
    """Throw the successors of the configurations in some bins into bins, and the outputs of the terminal ones into others.

    An item has its words, `width` of them, and then the number of runs that lead to it where `ends` has room: outputs are collected then.  It
    begins at the bin and the item in `place`, and stops there with False before an item for which a bin has no room.
    """
    wide = shape[WIDE] != 0
    words = 2 if wide else 1
    counted = width > words
    transitions = 0
    terminals = 0
    dead_ends = 0
    done = True
    b = place[0]
    k = place[1]
    c0, c1, label, marks = scratch[0], scratch[1], scratch[2], scratch[3]
    while b < last and done:
        at = k * width
        if k == fill[b]:
            b += 1
            k = 0
            continue
        w0 = bins[b, at]
        w1 = bins[b, at + 1] if wide else 0
        if terminal(w0, w1, shape):
            if counted:
                arcs = arcs_in(w0, w1, shape)
                target = (hashed(arcs, 0) >> 56) & 255
                end = 2 * ends_fill[target]
                if end == ends.shape[1]:
                    done = False
                    continue
                ends[target, end] = arcs
                ends[target, end + 1] = bins[b, at + words]
                ends_fill[target] += 1
            terminals += 1
            k += 1
            continue
        count = expand(w0, w1, shape, c0, c1, label, marks, 0)
        if count < 0:
            statistics[CODE] = count
            done = False
            continue
        for s in range(count):
            label[s] = (hashed(c0[s], c1[s]) >> 56) & 255
            if (next_fill[label[s]] + count) * width > next_bins.shape[1]:
                done = False
        if not done:
            continue
        for s in range(count):
            target = label[s]
            to = next_fill[target] * width
            next_bins[target, to] = c0[s]
            if wide:
                next_bins[target, to + 1] = c1[s]
            if counted:
                next_bins[target, to + words] = bins[b, at + words]
            next_fill[target] += 1
        transitions += count
        if count == 0:
            dead_ends += 1
        k += 1
    place[0] = b
    place[1] = k
    statistics[TRANSITIONS] += transitions
    statistics[TERMINALS] += terminals
    statistics[DEAD_ENDS] += dead_ends
    return done


def sweep(
    which: int, rows: Words64, w0: int, w1: int, shape: Words64, rooted: bool, limit: int, c0: Words64, c1: Words64,
    label: Words64, marks: Words64, gold: Words64, lengths: Words64,
) -> None:  # fmt: skip
    """Follow an oracle from the start to each gold graph; its length, -1 if it does not lead there, -2 if that cannot be told here.

    A row has for each word one more than its head, or 0.
    """
    n = shape[WORDS]
    for row in range(rows.shape[0]):
        for word in range(1, n + 1):
            head = rows[row, word - 1]
            gold[GOLD_HEADS, word] = 0 if head == 1 and not rooted else head
        prepare(gold, n)
        v0 = w0
        v1 = w1
        steps = 0
        failed = False
        undecided = False
        while not failed and not terminal(v0, v1, shape):
            wanted = predict(which, v0, v1, shape, gold)
            count = expand(v0, v1, shape, c0, c1, label, marks, 0) if wanted >= 0 else 0
            undecided = count < 0
            failed = True
            for k in range(count):
                if label[k] == wanted and marks[k] & SECOND_ARC == 0:
                    v0 = c0[k]
                    v1 = c1[k]
                    failed = steps >= limit
                    steps += 1
                    break
        if failed or arcs_in(v0, v1, shape) != goal(gold, shape):
            lengths[row] = -2 if undecided else -1
        else:
            lengths[row] = steps
