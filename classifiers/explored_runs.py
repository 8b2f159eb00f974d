"""Runs in which a classifier learns while making its own choices (Goldberg & Nivre 2012, 2013), in native code.

In every configuration the permissible classes of least cost are right: the cost is what the dynamic oracle says, plus
one where the transition adds a gold arc with a wrong label.  It is 0 or less for *free* classes; where none is free,
the configuration is counted.  The best of the right classes is learned against the best of all others, as `loops.train`
learns the oracle's class.  Then the best permissible class is taken, right or not, or else the best right one: a draw
decides.

Costs come from the program of the figure or, where it cannot compute them, from the caller: then `explore` returns
`ASKED` in each configuration and resumes when called again.
"""

from typing import Any, Final

from arcproof.classifiers.features.extraction import extract
from arcproof.classifiers.learners.loops import key_of
from arcproof.classifiers.learners.places import EMPTY, SCATTER
from arcproof.classifiers.native import (
    ASKED,
    ASTRAY,
    CHANCE,
    DONE_SENTENCES,
    ENDED,
    NEXT_STEP,
    NOTHING_FREE,
    TAKEN,
    TRANSITIONS,
    UNKNOWN_COST,
)
from arcproof.classifiers.steps import part_of
from arcproof.process.jit import compiled, inlined, matrix_within
from arcproof.transitions.machine import codes as machine_codes
from arcproof.transitions.machine.arrays.kernel import (
    ANSWER,
    COST,
    DONE,
    FIRST_CHOICE,
    GOLD_LABELS,
    GOLD_ROWS,
    LABELLED_WORD,
    MOST_CHOICES,
    OFFERED,
    STEP,
    TREE_ROWS,
    WORDS,
)
from arcproof.transitions.machine.branching import execute
from arcproof.transitions.machine.questions import FIGURE, MATRIX, SEEN, VECTOR, Array, is_terminal, performed

REALS: Final = "float32[:, ::1]"
REAL: Final = "float32[::1]"

# A linear congruential generator modulo 2^64, of which 31 bits are used.
MULTIPLIER: Final = 6364136223846793005
INCREMENT: Final = 1442695040888963407
DRAWN: Final = (1 << 31) - 1


@inlined
def offers(
    known: Array, limits: Array, allowed: Array, words: Array, rows: Array, entries: Array, r: Array, cells: Array,
    size: Array, tree: Array, gold: Array, scratch: Array,
) -> Any:  # fmt: skip
    """Mark which of the known codes are permissible, and the word to which each adds a gold arc, or -1; return how many
    there are.  The known codes must be in ascending order.
    """
    for choice in range(MOST_CHOICES):
        r[FIRST_CHOICE + choice, 0] = limits[choice]
    allowed[:] = False
    count = 0
    place = execute(rows, entries[OFFERED, 0], r, cells, size, tree, gold, scratch)
    while place >= 0:
        low, high = 0, known.shape[0]
        while low < high:
            middle = (low + high) >> 1
            if known[middle] < r[ANSWER, 0]:
                low = middle + 1
            else:
                high = middle
        if low < known.shape[0] and known[low] == r[ANSWER, 0] and not allowed[low]:
            allowed[low] = True
            words[low] = r[LABELLED_WORD, 0]
            count += 1
        place = execute(rows, place, r, cells, size, tree, gold, scratch)
    return count


@inlined
def price(
    known: Array, allowed: Array, paid: Array, places: Array, class_labels: Array, words: Array, costs: Array,
    rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array,
) -> None:  # fmt: skip
    """The cost of each permissible class: that of its transition, plus one for a gold arc with a wrong label."""
    for k in range(known.shape[0]):
        if allowed[k]:
            said = performed(COST, known[k], 0, rows, entries, r, cells, size, tree, gold, scratch)
            paid[k] = max(-UNKNOWN_COST, min(r[ANSWER, 0], UNKNOWN_COST)) if said == DONE else UNKNOWN_COST
    for c in range(places.shape[0]):
        if allowed[places[c]]:
            word = words[places[c]]
            wrong = word >= 0 and gold[GOLD_LABELS, word] != class_labels[c]
            costs[c] = paid[places[c]] + (1 if wrong else 0)


@inlined
def add_up(row: Array, columns: int, joins: Array, table: Array, found: Array, weights: Array, scores: Array) -> Any:
    """Compute the scores of all classes for a row; return how many of its columns and joins have weights, which come
    first in `found`.

    All keys are computed before any is looked up, so that the processor waits for memory once rather than for each.
    """
    mask = table.shape[0] - 1
    for m in range(joins.shape[0]):
        found[m] = key_of(row, joins[m], columns)
    count = 0
    for m in range(joins.shape[0]):
        key = found[m]
        place = ((key * SCATTER) >> 31) & mask
        while table[place, 0] != EMPTY and table[place, 0] != key:
            place = (place + 1) & mask
        found[count] = table[place, 1]
        count += 1 if table[place, 0] == key else 0
    scores[:] = 0
    for m in range(count):
        column = found[m]
        for c in range(scores.shape[0]):
            scores[c] += weights[column, c]
    return count


@inlined
def decide(places: Array, allowed: Array, costs: Array, scores: Array) -> tuple[int, int, int]:
    """The best of the free classes, the best of the others, and the best permissible one; -1 for none."""
    least = UNKNOWN_COST + 2
    for c in range(places.shape[0]):
        if allowed[places[c]]:
            least = min(least, costs[c])
    free = rival = best = -1
    for c in range(places.shape[0]):
        is_allowed = allowed[places[c]]
        if is_allowed and (best < 0 or scores[c] > scores[best]):
            best = c
        if is_allowed and costs[c] == least:
            if free < 0 or scores[c] > scores[free]:
                free = c
        elif rival < 0 or scores[c] > scores[rival]:
            rival = c
    return free, rival, best


@inlined
def move(
    target: int, rival: int, most: float, step: int, found: Array, count: int, weights: Array, sums: Array,
    scores: Array
) -> None:  # fmt: skip
    """Move the weights of both classes as far as the margin requires, by at most `most`."""
    loss = 1 - scores[target] + scores[rival]
    if loss > 0 and count > 0:
        change = min(most, loss / (2 * count))
        for m in range(count):
            column = found[m]
            weights[column, target] += change
            weights[column, rival] -= change
            sums[column, target] += step * change
            sums[column, rival] -= step * change


@inlined
def goes_astray(probability: float, progress: Array) -> Any:
    """Draw whether the parser follows its own choice."""
    progress[CHANCE] = progress[CHANCE] * MULTIPLIER + INCREMENT
    return ((progress[CHANCE] >> 33) & DRAWN) < probability * (DRAWN + 1)


@inlined
def fill(matrix: Array, values: Array) -> None:
    """Copy a matrix, element by element, because numba allocates memory where arrays might overlap."""
    for k in range(matrix.shape[0]):
        for m in range(matrix.shape[1]):
            matrix[k, m] = values[k, m]


@inlined
def walk(
    begun: bool, most_taken: int, rows: Array, entries: Array, r: Array, other: Array, cells: Array, size: Array,
    tree: Array, gold: Array, scratch: Array, tokens: Array, addresses: Array, features: Array, nodes: Array,
    row: Array, known: Array, limits: Array, allowed: Array, paid: Array, costs: Array, words: Array, places: Array,
    class_labels: Array, width: int, joins: Array, table: Array, found: Array, weights: Array, sums: Array,
    scores: Array, most: float, priced: bool, explore: float, progress: Array,
) -> Any:  # fmt: skip
    """Continue a run to its end, or until costs are needed."""
    n = tree.shape[1] - 1
    r[WORDS, 0] = other[WORDS, 0] = n
    while progress[TAKEN] < most_taken:
        if not begun:
            if is_terminal(rows, entries, r, cells, size, tree, gold, scratch):
                return ENDED
            if offers(known, limits, allowed, words, rows, entries, r, cells, size, tree, gold, scratch) == 0:
                return ENDED
            if not priced:
                return ASKED
            price(
                known, allowed, paid, places, class_labels, words, costs, rows, entries, other, cells, size, tree,
                gold, scratch,
            )  # fmt: skip
        begun = False
        extract(cells, size, tree, n, tokens, addresses, features, nodes, row)
        count = add_up(row, width, joins, table, found, weights, scores)
        free, rival, best = decide(places, allowed, costs, scores)
        if most > 0 and rival >= 0:
            move(free, rival, most, progress[NEXT_STEP], found, count, weights, sums, scores)
            progress[NEXT_STEP] += 1
        chosen = best if goes_astray(explore, progress) else free
        progress[ASTRAY] += 1 if costs[chosen] > 0 else 0
        progress[NOTHING_FREE] += 1 if costs[free] > 0 else 0
        code, label = known[places[chosen]], class_labels[chosen]
        done = performed(STEP, code, label, rows, entries, r, cells, size, tree, gold, scratch)
        if done != DONE:
            return done
        progress[TAKEN] += 1
        progress[TRANSITIONS] += 1
    return ENDED


@compiled(
    f"int64({FIGURE}, {MATRIX}, {VECTOR}, {MATRIX}, {VECTOR}, {VECTOR}, {MATRIX}, {VECTOR}, {VECTOR}, "
    f"{VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {SEEN}, {VECTOR}, "
    f"{VECTOR}, boolean[::1], {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, int64, {MATRIX}, {MATRIX}, "
    f"{VECTOR}, {REALS}, {REALS}, {REAL}, float32, boolean, boolean, float64, {VECTOR})",
    using=(machine_codes,),
)
def explore(
    rows: Array, entries: Array, r: Array, other: Array, order: Array, lessons: Array, all_cells: Array,
    cells_at: Array, sizes: Array, trees: Array, trees_at: Array, golds: Array, golds_at: Array, all_tokens: Array,
    tokens_at: Array, cells_room: Array, size: Array, tree_room: Array, scratch: Array, addresses: Array,
    features: Array, nodes: Array, row: Array, known: Array, limits: Array, allowed: Array, paid: Array, costs: Array,
    words: Array, places: Array, class_labels: Array, width: int, joins: Array, table: Array, found: Array,
    weights: Array, sums: Array, scores: Array, most: float, priced: bool, begun: bool, astray: float, progress: Array,
) -> Any:  # fmt: skip
    """Continue a round over the sentences in this order to its end, or until costs are needed.

    For each sentence, `lessons` has the number of words, the most transitions of a run, and the place of its initial
    configuration among those of all lengths.  Nothing is learned if `most` is 0.  `begun` says that the requested costs
    are available.
    """
    while progress[DONE_SENTENCES] < order.shape[0]:
        x = order[progress[DONE_SENTENCES]]
        n, most_taken, start = lessons[x, 0], lessons[x, 1], lessons[x, 2]
        first_cells = part_of(all_cells, cells_at, start, sizes.shape[1])
        cells = matrix_within(cells_room, 0, sizes.shape[1], first_cells.shape[1])
        tree = matrix_within(tree_room, 0, TREE_ROWS, n + 1)
        if progress[TAKEN] == 0 and not begun:
            fill(cells, first_cells)
            fill(tree, part_of(trees, trees_at, start, TREE_ROWS))
            for c in range(size.shape[0]):
                size[c] = sizes[start, c]
        gold = part_of(golds, golds_at, x, GOLD_ROWS)
        tokens = matrix_within(all_tokens, tokens_at[x], (tokens_at[x + 1] - tokens_at[x]) // (n + 1), n + 1)
        answer = walk(
            begun, most_taken, rows, entries, r, other, cells, size, tree, gold, scratch, tokens, addresses, features,
            nodes, row[0], known, limits, allowed, paid, costs, words, places, class_labels, width, joins, table,
            found, weights, sums, scores, most, priced, astray, progress,
        )  # fmt: skip
        if answer != ENDED:
            return answer
        begun = False
        progress[TAKEN] = 0
        progress[DONE_SENTENCES] += 1
    return ENDED
