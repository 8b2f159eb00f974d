"""Whole runs in arrays: following an oracle or a parser, and recording the features and the correct action for each
transition.
"""

from typing import Any

from arcproof.classifiers.features.extraction import extract
from arcproof.classifiers.native import FOLLOW, REPLAY
from arcproof.process.jit import compiled, inlined
from arcproof.transitions.machine import codes as machine_codes
from arcproof.transitions.machine.arrays.kernel import (
    ALLOWS,
    ANSWER,
    ARCS_OF,
    DONE,
    GOLD_ARCS_OF,
    GOLD_LABELS,
    GOLD_ROWS,
    GOLD_TAGS,
    HEAD,
    LABELLED_HEAD,
    LABELLED_ROW,
    LABELLED_WORD,
    NO_LINE,
    OTHER_GRAPH,
    PREDICT,
    STEP,
    TOO_LONG,
    WORDS,
)
from arcproof.transitions.machine.branching import execute
from arcproof.transitions.machine.codes import GOLD_HEADS
from arcproof.transitions.machine.questions import (
    FIGURE,
    MATRIX,
    SEEN,
    STATE,
    VECTOR,
    Array,
    is_terminal,
    performed,
    permitted,
)


@inlined
def gold_label(r: Array, gold: Array) -> Any:
    """The number of the label of the gold arc, or of the gold tag, that the oracle refers to; 0 if there is none."""
    word = r[LABELLED_WORD, 0]
    if word < 0:
        return 0
    if r[LABELLED_ROW, 0] == GOLD_TAGS:
        return gold[GOLD_TAGS, word]
    if gold.shape[0] > GOLD_ROWS:
        return gold[GOLD_ARCS_OF + word, r[LABELLED_HEAD, 0]] - 1
    return gold[GOLD_LABELS, word]


@inlined
def is_gold(tree: Array, gold: Array) -> Any:
    """Whether the arcs built are those of the gold graph, whatever their labels."""
    nodes = tree.shape[1]
    for word in range(1, nodes):
        if gold.shape[0] == GOLD_ROWS:
            if tree[HEAD, word] + 1 != gold[GOLD_HEADS, word]:
                return False
        else:
            for head in range(nodes):
                if (tree[ARCS_OF + word, head] > 0) != (gold[GOLD_ARCS_OF + word, head] > 0):
                    return False
    return True


@inlined
def follow(
    which: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array,
    tokens: Array, addresses: Array, features: Array, nodes: Array, columns: Array, codes: Array, labels: Array,
) -> Any:  # fmt: skip
    """Follow an oracle from the start; write a row of features, a code and a label for each transition.

    Return the number of transitions, or the code of what is wrong.
    """
    n = tree.shape[1] - 1
    taken = 0
    while not is_terminal(rows, entries, r, cells, size, tree, gold, scratch):
        if taken == columns.shape[0]:
            return TOO_LONG
        if execute(rows, entries[PREDICT, which], r, cells, size, tree, gold, scratch) < 0:
            return NO_LINE
        code = r[ANSWER, 0]
        extract(cells, size, tree, n, tokens, addresses, features, nodes, columns[taken])
        codes[taken] = code
        labels[taken] = gold_label(r, gold)
        done = performed(STEP, code, labels[taken], rows, entries, r, cells, size, tree, gold, scratch)
        if done != DONE:
            return done
        taken += 1
    return taken if is_gold(tree, gold) else OTHER_GRAPH


@inlined
def replay(
    rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array, tokens: Array,
    addresses: Array, features: Array, nodes: Array, columns: Array, codes: Array, labels: Array,
) -> Any:  # fmt: skip
    """Take given transitions from the start and write their features; return how many were taken, or the code of what
    is wrong.
    """
    n = tree.shape[1] - 1
    for taken in range(codes.shape[0]):
        extract(cells, size, tree, n, tokens, addresses, features, nodes, columns[taken])
        done = performed(STEP, codes[taken], labels[taken], rows, entries, r, cells, size, tree, gold, scratch)
        if done != DONE:
            return done
    return codes.shape[0] if is_terminal(rows, entries, r, cells, size, tree, gold, scratch) else OTHER_GRAPH


@inlined
def correct(
    which: int, other: Array, default: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array,
    gold: Array, scratch: Array, tokens: Array, addresses: Array, features: Array, nodes: Array, columns: Array, given: Array,
    given_labels: Array, codes: Array, labels: Array,
) -> Any:  # fmt: skip
    """Repeat a parser's run, and write what the oracle would have done in each configuration.

    That is the first line that can be followed, else the default transition, else the first permissible one.  `other`
    are registers to ask whether a line can be followed while the oracle is asked in `r`.  Return the number of
    transitions, or the code of what is wrong.
    """
    n = tree.shape[1] - 1
    for taken in range(given.shape[0]):
        extract(cells, size, tree, n, tokens, addresses, features, nodes, columns[taken])
        code, label = -1, 0
        place = execute(rows, entries[PREDICT, which], r, cells, size, tree, gold, scratch)
        while place >= 0 and code < 0:
            asked = r[ANSWER, 0]
            if performed(ALLOWS, asked, 0, rows, entries, other, cells, size, tree, gold, scratch) == DONE:
                code, label = asked, gold_label(r, gold)
            else:
                place = execute(rows, place, r, cells, size, tree, gold, scratch)
        if code < 0:
            _, first, usual = permitted(default, rows, entries, r, cells, size, tree, gold, scratch)
            code = first if usual < 0 else usual
        codes[taken] = code
        labels[taken] = label
        done = performed(STEP, given[taken], given_labels[taken], rows, entries, r, cells, size, tree, gold, scratch)
        if done != DONE:
            return done
    return given.shape[0]


@compiled(
    f"int64(int64, int64, {MATRIX}, int64, {FIGURE}, {STATE}, {MATRIX}, {SEEN}, {VECTOR}, {VECTOR}, {VECTOR}, "
    f"{VECTOR})",
    using=(machine_codes,),
)
def lead(
    task: int, which: int, other: Array, default: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array,
    scratch: Array, tokens: Array, addresses: Array, features: Array, nodes: Array, columns: Array, given: Array, given_labels: Array,
    codes: Array, labels: Array,
) -> Any:  # fmt: skip
    """Call one of the three functions above; they are combined here so that the machine is compiled only once with
    them.  Return the number of transitions, or the code of what is wrong.
    """
    r[WORDS, 0] = other[WORDS, 0] = tree.shape[1] - 1
    if task == FOLLOW:
        return follow(
            which, rows, entries, r, cells, size, tree, gold, scratch, tokens, addresses, features, nodes, columns, codes, labels
        )  # fmt: skip
    if task == REPLAY:
        return replay(
            rows, entries, r, cells, size, tree, gold, scratch, tokens, addresses, features, nodes, columns, codes, labels
        )  # fmt: skip
    return correct(
        which, other, default, rows, entries, r, cells, size, tree, gold, scratch, tokens, addresses, features, nodes, columns, given,
        given_labels, codes, labels,
    )  # fmt: skip
