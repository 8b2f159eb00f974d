"""Whole runs in arrays: following an oracle to make instances, and stepping many sentences at a time to parse them.

Plain Python as `features.extraction`, compiled together with it and with the code of a figure.
"""

from typing import TYPE_CHECKING, Any, Final

from arcproof.classifiers.features.extraction import extract
from arcproof.transitions.machine.arrays.kernel import (
    DONE,
    GOLD_LABELS,
    GOLD_ROWS,
    HEAD,
    NO_LINE,
    OTHER_GRAPH,
    TOO_LONG,
    TREE_ROWS,
    Array,
)
from arcproof.transitions.machine.codes import GOLD_HEADS, NAME_BITS

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.generated import advise, allows, permitted, predict, step, terminal

KEPT: Final = ("follow", "replay", "correct", "look_at_all", "defaults_of", "advance_all")
LAST: Final = ("part_of", "look", "default_code", *KEPT)


def follow(
    which: int, cells: Array, size: Array, tree: Array, n: int, gold: Array, tokens: Array, addresses: Array,
    features: Array, scratch: Array, nodes: Array, rows: Array, codes: Array, labels: Array,
) -> int:  # fmt: skip
    """Let an oracle lead from the start; a row of features, a code and a label for each transition.

    How many, or what is wrong.
    """
    taken = 0
    while not terminal(cells, size, tree, n):
        if taken == rows.shape[0]:
            return TOO_LONG
        code, word = predict(which, cells, size, tree, n, gold)
        if code < 0:
            return NO_LINE
        extract(cells, size, tree, n, tokens, addresses, features, nodes, rows[taken])
        codes[taken] = code
        labels[taken] = gold[GOLD_LABELS, word] if word >= 0 else 0
        done = step(cells, size, tree, n, gold, code, labels[taken], scratch)
        if done != DONE:
            return done
        taken += 1
    for word in range(1, n + 1):
        if tree[HEAD, word] + 1 != gold[GOLD_HEADS, word]:
            return OTHER_GRAPH
    return taken


def replay(
    cells: Array, size: Array, tree: Array, n: int, gold: Array, tokens: Array, addresses: Array, features: Array,
    scratch: Array, nodes: Array, rows: Array, codes: Array, labels: Array,
) -> int:  # fmt: skip
    """Take given transitions from the start and write their features; how many, or what is wrong."""
    for taken in range(codes.shape[0]):
        extract(cells, size, tree, n, tokens, addresses, features, nodes, rows[taken])
        done = step(cells, size, tree, n, gold, codes[taken], labels[taken], scratch)
        if done != DONE:
            return done
    return codes.shape[0] if terminal(cells, size, tree, n) else OTHER_GRAPH


def correct(
    which: int, cells: Array, size: Array, tree: Array, n: int, gold: Array, tokens: Array, addresses: Array,
    features: Array, scratch: Array, nodes: Array, rows: Array, given: Array, given_labels: Array, default: int,
    room: Array, codes: Array, labels: Array,
) -> Any:  # fmt: skip
    """Go where a parser went, and write what the oracle would have done at each place.

    That is the first line that can be followed, else the default transition, else the first that is permissible.
    How many transitions, or what is wrong.
    """
    for taken in range(given.shape[0]):
        extract(cells, size, tree, n, tokens, addresses, features, nodes, rows[taken])
        code, word = advise(which, cells, size, tree, n, gold)
        if code < 0:
            count = permitted(cells, size, tree, n, room)
            code = room[0]
            for k in range(count):
                if room[k] & ((1 << NAME_BITS) - 1) == default:
                    code = room[k]
                    break
        codes[taken] = code
        labels[taken] = gold[GOLD_LABELS, word] if word >= 0 else 0
        done = step(cells, size, tree, n, gold, given[taken], given_labels[taken], scratch)
        if done != DONE:
            return done
    return given.shape[0]


def look(
    cells: Array, size: Array, tree: Array, n: int, tokens: Array, addresses: Array, features: Array, nodes: Array,
    row: Array, known: Array, allowed: Array,
) -> Any:  # fmt: skip
    """What a parser needs to decide: features, and which of the known transitions are permissible.

    How many are, or -1 at the end of a run.  Only the known ones are tried: a figure with chosen lengths may permit a
    transition for each node before the present one.
    """
    if terminal(cells, size, tree, n):
        return -1
    extract(cells, size, tree, n, tokens, addresses, features, nodes, row)
    count = 0
    for k in range(known.shape[0]):
        allowed[k] = allows(cells, size, tree, n, known[k]) == DONE
        count += allowed[k]
    return count


def default_code(cells: Array, size: Array, tree: Array, n: int, default: int, codes: Array) -> Any:
    """The first permissible transition of this name, or -1; where its lengths are chosen, all have to be tried."""
    if default < 0 or allows(cells, size, tree, n, default) == DONE:
        return default
    for k in range(permitted(cells, size, tree, n, codes)):
        if codes[k] & ((1 << NAME_BITS) - 1) == default:
            return codes[k]
    return -1


def part_of(everything: Array, begins: Array, x: int, rows: int) -> Any:
    """What belongs to sentence x, of all sentences one after another."""
    return everything[begins[x] : begins[x + 1]].reshape(rows, -1)


def look_at_all(
    active: Array, all_cells: Array, cells_at: Array, sizes: Array, trees: Array, trees_at: Array, words: Array,
    all_tokens: Array, tokens_at: Array, addresses: Array, features: Array, nodes: Array, rows: Array, codes: Array,
    known: Array, allowed: Array, default: int, counts: Array, fallbacks: Array,
) -> None:  # fmt: skip
    """`look` at every active sentence.

    Where nothing known is permissible, also the default transition or else the first that is, and how many there are.
    """
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        cells = part_of(all_cells, cells_at, x, sizes.shape[1])
        tree = part_of(trees, trees_at, x, TREE_ROWS)
        tokens = all_tokens[tokens_at[x] : tokens_at[x + 1]].reshape(-1, n + 1)
        counts[k] = look(cells, sizes[x], tree, n, tokens, addresses, features, nodes, rows[k], known, allowed[k])
        fallbacks[k] = -1
        if counts[k] == 0:
            counts[k] = permitted(cells, sizes[x], tree, n, codes)
            if counts[k] > 0:
                first = codes[0]
                fallbacks[k] = default_code(cells, sizes[x], tree, n, default, codes)
                if fallbacks[k] < 0:
                    fallbacks[k] = first


def defaults_of(
    active: Array, all_cells: Array, cells_at: Array, sizes: Array, trees: Array, trees_at: Array, words: Array,
    codes: Array, default: int, defaults: Array,
) -> None:  # fmt: skip
    """The default transition of every active sentence, or -1 where it is not permissible."""
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        cells = part_of(all_cells, cells_at, x, sizes.shape[1])
        tree = part_of(trees, trees_at, x, TREE_ROWS)
        defaults[k] = default_code(cells, sizes[x], tree, n, default, codes)


def advance_all(
    active: Array, all_cells: Array, cells_at: Array, sizes: Array, trees: Array, trees_at: Array, words: Array,
    golds: Array, golds_at: Array, codes: Array, labels: Array, scratch: Array, results: Array,
) -> None:  # fmt: skip
    """Take a transition in every active sentence."""
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        cells = part_of(all_cells, cells_at, x, sizes.shape[1])
        tree = part_of(trees, trees_at, x, TREE_ROWS)
        gold = part_of(golds, golds_at, x, GOLD_ROWS)
        results[k] = step(cells, sizes[x], tree, n, gold, codes[k], labels[k], scratch)
