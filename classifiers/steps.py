"""Take one transition in each of many sentences, and find out what a parser needs to decide on the next one."""

from typing import Any

from arcproof.classifiers.features.extraction import extract
from arcproof.process.jit import compiled, inlined, matrix_within
from arcproof.transitions.machine import codes as machine_codes
from arcproof.transitions.machine.arrays.kernel import DONE, STEP, WORDS
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


@inlined
def part_of(everything: Array, begins: Array, x: int, rows: int) -> Any:
    """The part of an array over all sentences that belongs to sentence x."""
    return matrix_within(everything, begins[x], rows, (begins[x + 1] - begins[x]) // rows)


@compiled(
    f"boolean({FIGURE}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}, {MATRIX}, {VECTOR}, {VECTOR}, {VECTOR}, {MATRIX}, {VECTOR}, {VECTOR},"
    f" {VECTOR}, {SEEN}, {VECTOR}, {VECTOR}, boolean[:, ::1], int64, boolean, {VECTOR}, {VECTOR}, {VECTOR})",
    using=(machine_codes,),
)
def proceed(
    rows: Array, entries: Array, r: Array, active: Array, codes: Array, labels: Array, all_cells: Array, cells_at: Array, sizes: Array,
    trees: Array, trees_at: Array, words: Array, gold: Array, scratch: Array, all_tokens: Array, tokens_at: Array, addresses: Array,
    features: Array, nodes: Array, columns: Array, known: Array, limits: Array, allowed: Array, default: int, wanted: bool, counts: Array, fallbacks: Array,
    defaults: Array,
) -> bool:  # fmt: skip
    """Take a transition in every active sentence, unless its code is -1, and look at the next configuration; return
    False if one is refused.

    A parser needs to know the features and which of the known transitions are permissible; `counts` says how many are,
    or is -1 at the end of a run.  Where no known transition is permissible, it also needs the default transition or
    else the first permissible one, and how many there are; if `wanted`, it needs the default transitions of all
    sentences, or -1.

    There are no gold graphs, and `gold` is as wide as the longest sentence.
    """
    set_limits(known, limits)
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        r[WORDS, 0] = n
        size = sizes[x]
        cells = part_of(all_cells, cells_at, x, sizes.shape[1])
        tree = part_of(trees, trees_at, x, (trees_at[x + 1] - trees_at[x]) // (n + 1))
        given = codes[k]
        if given >= 0 and performed(STEP, given, labels[k], rows, entries, r, cells, size, tree, gold, scratch) != DONE:
            return False
        counts[k] = fallbacks[k] = defaults[k] = -1
        if is_terminal(rows, entries, r, cells, size, tree, gold, scratch):
            continue
        tokens = matrix_within(all_tokens, tokens_at[x], (tokens_at[x + 1] - tokens_at[x]) // (n + 1), n + 1)
        extract(cells, size, tree, n, tokens, addresses, features, nodes, columns[k])
        count = permitted_among(known, limits, allowed[k], rows, entries, r, cells, size, tree, gold, scratch)
        if count == 0:
            count, first, _ = permitted(default, rows, entries, r, cells, size, tree, gold, scratch)
            if count > 0:
                usual = default_code(default, rows, entries, r, cells, size, tree, gold, scratch)
                fallbacks[k] = first if usual < 0 else usual
        counts[k] = count
        if wanted:
            defaults[k] = default_code(default, rows, entries, r, cells, size, tree, gold, scratch)
    return True
