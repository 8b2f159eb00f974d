"""Beam search in one sentence, in native code: the best runs are continued side by side, and in training the weights
change where the right run is lost.

A *hypothesis* is a run with the sum of the scores of its transitions.  In each step every hypothesis of the beam is
continued by each class that is permissible in its configuration, and the best of all continuations are the next beam;
ties go to the one that was found first.  A run that has ended stays in the beam with its score, so that runs of
different lengths are compared by their sums.  Where no known class is permissible, the default transition is taken, or
else the first permissible one; it adds nothing to the sum.

In training the right run is known (*early update*; Collins & Roark 2004, Zhang & Nivre 2011): as soon as it falls out
of the beam, and at its end if it is not the best, the weights of its classes grow by one and those of the best
hypothesis shrink by one, from the point where the two diverge, and the sentence is abandoned.
"""

from typing import Any, Final

from arcproof.classifiers.features.extraction import extract
from arcproof.classifiers.learners.loops import score_row
from arcproof.process.jit import compiled, inlined, matrix_within
from arcproof.transitions.machine import codes as machine_codes
from arcproof.transitions.machine.arrays.kernel import DONE, STEP, WORDS
from arcproof.transitions.machine.codes import NAME_MASK
from arcproof.transitions.machine.questions import (
    FIGURE,
    MATRIX,
    SEEN,
    VECTOR,
    Array,
    default_code,
    is_terminal,
    performed,
    permitted,
    permitted_among,
    set_limits,
)

# What continues a hypothesis, if not a class: nothing, or a transition without a class, as FALLBACK minus its code.
STAYS: Final = -1
FALLBACK: Final = -2
# What a search may return other than a number of steps.
REFUSED: Final = -1
# Rows of `ranks`: which hypothesis is continued, and by what.
ITEM: Final = 0
BY: Final = 1


@inlined
def configuration(room: Array, x: int, length: int, components: int, capacity: int, n: int) -> Any:
    """The cells, sizes and tree of hypothesis x, whose configuration takes up `length` numbers."""
    begin = x * length
    middle = begin + components * capacity
    cells = matrix_within(room, begin, components, capacity)
    tree = matrix_within(room, middle + components, (length - components * (capacity + 1)) // (n + 1), n + 1)
    return cells, room[middle : middle + components], tree


@inlined
def ranked(score: float, item: int, by: int, count: int, scores: Array, ranks: Array) -> Any:
    """Insert a continuation in its place among the best, which are in order; return how many there are."""
    width = scores.shape[0]
    if count == width and score <= scores[width - 1]:
        return count
    place = min(count, width - 1)
    while place > 0 and scores[place - 1] < score:
        scores[place] = scores[place - 1]
        ranks[ITEM, place], ranks[BY, place] = ranks[ITEM, place - 1], ranks[BY, place - 1]
        place -= 1
    scores[place] = score
    ranks[ITEM, place], ranks[BY, place] = item, by
    return min(count + 1, width)


@inlined
def without_class(
    default: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array
) -> Any:  # fmt: skip
    """The continuation of a hypothesis where no known class is permissible."""
    some, first, _ = permitted(default, rows, entries, r, cells, size, tree, gold, scratch)
    if some == 0:
        return STAYS
    usual = default_code(default, rows, entries, r, cells, size, tree, gold, scratch)
    return FALLBACK - (first if usual < 0 else usual)


@inlined
def parting(steps: int, right: Array, right_items: Array, parents: Array, choices: Array) -> Any:
    """The step at which the best hypothesis leaves the right run."""
    y = 0
    for t in range(steps - 1, -1, -1):
        if parents[t, y] == right_items[t] and choices[t, y] == (right[t] if t < right.shape[0] else STAYS):
            return t + 1
        y = parents[t, y]
    return 0


@inlined
def moved(change: float, c: int, columns: Array, size: int, time: int, weights: Array, totals: Array) -> None:
    """Change the weights of a class."""
    for m in range(size):
        weights[columns[m], c] += change
        totals[columns[m], c] += time * change


@inlined
def updated(
    steps: int, right: Array, right_items: Array, parents: Array, choices: Array, seen: Array, sizes: Array, time: int, weights: Array, totals: Array
) -> None:  # fmt: skip
    """Move the weights towards the right run and away from the best hypothesis after this many steps."""
    width = parents.shape[1]
    y = 0
    for t in range(steps - 1, parting(steps, right, right_items, parents, choices) - 1, -1):
        x, g = parents[t, y], right_items[t]
        if choices[t, y] >= 0:
            moved(-1.0, choices[t, y], seen[t * width + x], sizes[t, x], time, weights, totals)
        if t < right.shape[0]:
            moved(1.0, right[t], seen[t * width + g], sizes[t, g], time, weights, totals)
        y = x


@inlined
def copied(room: Array, source: int, target: int, length: int) -> None:
    """Copy the configuration of one hypothesis to another."""
    for k in range(length):
        room[target * length + k] = room[source * length + k]


@compiled(
    f"int64({FIGURE}, {MATRIX}, {VECTOR}, {MATRIX}, {SEEN}, {VECTOR}, {VECTOR}, boolean[:, ::1], int64, {VECTOR}, {VECTOR}, {VECTOR}, int64, {MATRIX}, {MATRIX},"
    f" int32[::1], float32[::1], float32[:, ::1], {MATRIX}, float32[::1], {VECTOR}, int64, int64, float64[:, ::1], {MATRIX}, {MATRIX}, {MATRIX}, {VECTOR}, boolean,"
    f" {VECTOR}, {VECTOR}, int32[:, ::1], {MATRIX}, float32[:, ::1], int64)",
    using=(machine_codes,),
)
def search(
    rows: Array, entries: Array, r: Array, gold: Array, scratch: Array, tokens: Array, addresses: Array, features: Array, nodes: Array, row: Array, known: Array,
    limits: Array, allowed: Array, default: int, class_codes: Array, class_places: Array, labels: Array, columns: int, joins: Array, table: Array, sparse_classes: Array,
    sparse: Array, dense: Array, places: Array, sums: Array, room: Array, components: int, capacity: int, scores: Array, ranks: Array, parents: Array, choices: Array,
    run: Array, learning: bool, right: Array, right_items: Array, seen: Array, sizes: Array, totals: Array, time: int,
) -> int:  # fmt: skip
    """Search from the configuration in the first place of `room`; return the number of steps, for which `parents` has
    rows, or `REFUSED`.

    `labels` are those of the classes and then of the names of transitions.  `run` is filled with what continued the
    best hypothesis (a terminal one if there is any), then its place in `room` and whether it is terminal.  In learning,
    the weights are those of `dense`, and the result is 1 if they were changed, else 0.
    """
    width, n = parents.shape[1], tokens.shape[1] - 1
    length = room.shape[0] // (2 * width)
    r[WORDS, 0] = n
    set_limits(known, limits)
    live, now, g, step = 1, 0, 0, 0
    scores[0, 0] = 0
    while step < parents.shape[0]:
        count = 0
        for x in range(live):
            cells, size, tree = configuration(room, now * width + x, length, components, capacity, n)
            before, sizes[step, x] = scores[now, x], 0
            if is_terminal(rows, entries, r, cells, size, tree, gold, scratch):
                count = ranked(before, x, STAYS, count, scores[1 - now], ranks)
                continue
            if permitted_among(known, limits, allowed[0], rows, entries, r, cells, size, tree, gold, scratch) == 0:
                by = without_class(default, rows, entries, r, cells, size, tree, gold, scratch)
                count = ranked(before, x, by, count, scores[1 - now], ranks)
                continue
            extract(cells, size, tree, n, tokens, addresses, features, nodes, row[0])
            found = score_row(row[0], columns, joins, table, sparse_classes, sparse, dense, places, sums)
            if learning:
                sizes[step, x] = found
                for m in range(found):
                    seen[step * width + x, m] = -1 - places[m, 1]
            for c in range(class_codes.shape[0]):
                if allowed[0, class_places[c]]:
                    count = ranked(before + sums[c], x, c, count, scores[1 - now], ranks)
        wanted = right[step] if step < right.shape[0] else STAYS
        going, kept = False, -1
        for y in range(count):
            parents[step, y], choices[step, y] = ranks[ITEM, y], ranks[BY, y]
            going = going or ranks[BY, y] != STAYS
            if ranks[ITEM, y] == g and ranks[BY, y] == wanted:
                kept = y
        if not going:
            break
        right_items[step] = g
        step += 1
        if learning and kept < 0:
            updated(step, right, right_items, parents, choices, seen, sizes, time, dense, totals)
            return 1
        g = kept
        for y in range(count):
            target, by = (1 - now) * width + y, ranks[BY, y]
            copied(room, now * width + ranks[ITEM, y], target, length)
            if by == STAYS:
                continue
            code = class_codes[by] if by >= 0 else FALLBACK - by
            label = labels[by] if by >= 0 else labels[class_codes.shape[0] + (code & NAME_MASK)]
            cells, size, tree = configuration(room, target, length, components, capacity, n)
            if performed(STEP, code, label, rows, entries, r, cells, size, tree, gold, scratch) != DONE:
                return REFUSED
        live, now = count, 1 - now
    if learning:
        if g > 0:
            updated(step, right, right_items, parents, choices, seen, sizes, time, dense, totals)
        return min(g, 1)
    best = run[step + 1] = 0
    for y in range(live - 1, -1, -1):
        cells, size, tree = configuration(room, now * width + y, length, components, capacity, n)
        if is_terminal(rows, entries, r, cells, size, tree, gold, scratch):
            best, run[step + 1] = y, 1
    run[step] = now * width + best
    for t in range(step - 1, -1, -1):
        run[t] = choices[t, best]
        best = parents[t, best]
    return step
