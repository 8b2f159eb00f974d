"""Whole runs of one sentence in arrays, each led by a policy or an oracle, and what needs to be known about them
afterwards.

The program is loose (`arrays.kernel`).  A run ends in a terminal configuration, in a dead end, or is cut off: after as
many transitions as there is room for, or, if the policy says so, when it reaches a configuration for the second time.
It is abandoned where it takes an irregular transition or does not fit into the arrays; only the interpreter knows what
a figure means there.

A *policy* is a row of numbers: its kind and what belongs to it, then the place of each transition's name in a first
order and in a second.
- `PREFER`: the transition whose name comes first in the current order, and of its instances the first or the last.
  From step `SWITCH` on the second order applies.  A draw of 32 random bits for each step decides whether the order is
  followed, in `STEADINESS` of 256 cases, or which of all transitions is taken.
- `IN_TURN`: at step k the name at place k of the order, or the first one after it that is permissible.
- `LOOK_AHEAD`: the transition after which a sequence is longest, or there are the most arcs; or, with `SIGN` -1,
  shortest or fewest.
- `FOLLOW`: the transition that an oracle takes towards the gold graph.

What is known about a run is a row of numbers too: how it ended, its length, the most space that a configuration takes,
the longest sequence, the arcs at the end, signs as in `packed.signs`, then how often each transition was taken.
"""

from typing import Any, Final

from arcproof.process.jit import compiled, inlined
from arcproof.transitions.machine.arrays.kernel import (
    ANSWER,
    ARCS_OF,
    CHOICE_BITS,
    CHOICE_MASK,
    FIRST_CHOICE,
    GIVEN_LABEL,
    HEAD,
    LEFT_VALENCY,
    MOST_CHOICES,
    NO_LIMIT,
    NOT_PERMITTED,
    PERMITTED,
    PREDICT,
    RIGHT_VALENCY,
    STEP,
    TERMINAL,
    TREE_ROWS,
    WORDS,
)
from arcproof.transitions.machine.branching import execute
from arcproof.transitions.machine.codes import NAME_BITS, NAME_MASK
from arcproof.transitions.machine.packed.signs import DEAD_END, DISORDER, EMPTY_BUFFER, GROWS, REMOVES
from arcproof.transitions.machine.questions import (
    FIGURE,
    MATRIX,
    STATE,
    VECTOR,
    Array,
)

# Policies.
KIND: Final = 0
INSTANCE: Final = 1
SWITCH: Final = 2
STEADINESS: Final = 3
MEASURE: Final = 4  # a component, or -1 for arcs
SIGN: Final = 5
NO_REPETITION: Final = 6
ORACLE: Final = 7
ORDERS: Final = 8

PREFER: Final = 0
IN_TURN: Final = 1
LOOK_AHEAD: Final = 2
FOLLOW: Final = 3

# What is known about a run.
END: Final = 0
STEPS: Final = 1
SPACE: Final = 2
LONGEST: Final = 3
ARCS: Final = 4
SIGNS: Final = 5
COUNTS: Final = 6

AT_TERMINAL: Final = 0
AT_DEAD_END: Final = 1
CUT_OFF: Final = 2
GIVEN_UP: Final = 3
NO_LINE_MATCHES: Final = 4
NOT_PERMISSIBLE: Final = 5

# Components.
SEQUENCE: Final = 0
SET: Final = 1
NUMBER: Final = 2
BUFFER: Final = 3
TURNED_BUFFER: Final = 4  # its front is on the right


@inlined
def copy(cells: Array, size: Array, tree: Array, other_cells: Array, other_size: Array, other_tree: Array) -> None:
    """Copy a configuration to another."""
    for c in range(cells.shape[0]):
        other_size[c] = size[c]
        for k in range(cells.shape[1]):
            other_cells[c, k] = cells[c, k]
    for row in range(tree.shape[0]):
        for k in range(tree.shape[1]):
            other_tree[row, k] = tree[row, k]


@inlined
def rows_of_arcs(tree: Array) -> tuple[int, int]:
    """The rows that say which arcs there are: the heads, or one for each node where words may have several."""
    return (HEAD, HEAD + 1) if tree.shape[0] == TREE_ROWS else (ARCS_OF, tree.shape[0])


@inlined
def no_arc(tree: Array) -> Any:
    """The value in these rows that means no arc."""
    return -1 if tree.shape[0] == TREE_ROWS else 0


@inlined
def arcs_of(tree: Array) -> Any:
    """The number of arcs."""
    count = 0
    for node in range(tree.shape[1]):
        count += tree[LEFT_VALENCY, node] + tree[RIGHT_VALENCY, node]
    return count


@inlined
def weigh(kinds: Array, cells: Array, size: Array, tree: Array, known: Array) -> None:
    """Record the space of a configuration and the length of its longest sequence."""
    space = arcs_of(tree)
    known[ARCS] = space
    for c in range(cells.shape[0]):
        if kinds[c] == SET:
            for k in range(tree.shape[1]):
                space += 1 if cells[c, k] != 0 else 0
        elif kinds[c] == NUMBER:
            space += 1
        else:
            space += size[c]
            known[LONGEST] = max(known[LONGEST], size[c])
    known[SPACE] = max(known[SPACE], space)


@inlined
def mixed(hashed: int, number: int) -> Any:
    """The hash with one more number mixed in."""
    return (hashed ^ number) * 1099511628211 + (hashed >> 29)


@inlined
def hash_of(kinds: Array, cells: Array, size: Array, tree: Array) -> Any:
    """A number that two different configurations hardly ever share."""
    hashed = 1469598103934665603
    for c in range(cells.shape[0]):
        hashed = mixed(hashed, size[c])
        if kinds[c] != NUMBER:
            for k in range(tree.shape[1] if kinds[c] == SET else size[c]):
                hashed = mixed(hashed, cells[c, k])
    first, last = rows_of_arcs(tree)
    for row in range(first, last):
        for node in range(tree.shape[1]):
            hashed = mixed(hashed, tree[row, node])
    return hashed


@inlined
def took(
    code: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array
) -> Any:  # fmt: skip
    """Take a transition; return 1 if it was taken, 0 if it is not permissible, -1 if it is irregular or does
    not fit.
    """
    rest = code >> NAME_BITS
    for place in range(MOST_CHOICES):
        r[FIRST_CHOICE + place, 0] = (rest & CHOICE_MASK) - 1
        rest >>= CHOICE_BITS
    place = execute(rows, entries[STEP, code & NAME_MASK], r, cells, size, tree, gold, scratch)
    if place >= 0:
        return 1 if r[ANSWER, 0] >= 0 else -1
    return 0 if place == NOT_PERMITTED else -1


@inlined
def all_permitted(
    rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array, found: Array
) -> Any:  # fmt: skip
    """Write the codes of all permissible transitions; return how many there are, -1 if there is no room."""
    count = 0
    for choice in range(MOST_CHOICES):
        r[FIRST_CHOICE + choice, 0] = NO_LIMIT
    place = execute(rows, entries[PERMITTED, 0], r, cells, size, tree, gold, scratch)
    while place >= 0:
        if count == found.shape[0]:
            return -1
        found[count] = r[ANSWER, 0]
        count += 1
        place = execute(rows, place, r, cells, size, tree, gold, scratch)
    return count


@inlined
def name_of(code: int) -> Any:
    """The number of the name of a transition, whether it is regular or irregular."""
    return (code if code >= 0 else -1 - code) & NAME_MASK


@inlined
def preferred(policy: Array, order: int, found: Array, count: int) -> Any:
    """The index of the transition that comes first in an order."""
    best, chosen = policy.shape[0], -1
    for k in range(count):
        place = policy[order + name_of(found[k])]
        if place < best or (place == best and policy[INSTANCE] != 0):
            best, chosen = place, k
    return chosen


@inlined
def in_turn(policy: Array, names: int, turn: int, found: Array, count: int) -> Any:
    """The index of the first transition with the name whose turn it is."""
    best, chosen = names, -1
    for k in range(count):
        wait = policy[ORDERS + name_of(found[k])] - turn
        if wait < 0:
            wait += names
        if wait < best:
            best, chosen = wait, k
    return chosen


@inlined
def looked_ahead(
    policy: Array, found: Array, count: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array,
    scratch: Array, other_cells: Array, other_size: Array, other_tree: Array,
) -> Any:  # fmt: skip
    """The index of the transition after which a measure is greatest; -1 if one of the transitions cannot be taken."""
    best, chosen = 0, -1
    for k in range(count):
        if found[k] < 0:
            return -1
        copy(cells, size, tree, other_cells, other_size, other_tree)
        if took(found[k], rows, entries, r, other_cells, other_size, other_tree, gold, scratch) != 1:
            return -1
        measure = arcs_of(other_tree) if policy[MEASURE] < 0 else other_size[policy[MEASURE]]
        measure *= policy[SIGN]
        if chosen < 0 or measure > best:
            best, chosen = measure, k
    return chosen


@inlined
def signs_of(
    kinds: Array, cells: Array, size: Array, tree: Array, old_cells: Array, old_size: Array, old_tree: Array
) -> Any:
    """What a step did to the arcs and to the buffer."""
    signs = 0
    first, last = rows_of_arcs(tree)
    for row in range(first, last):
        for node in range(tree.shape[1]):
            if old_tree[row, node] != no_arc(tree) and old_tree[row, node] != tree[row, node]:
                signs |= REMOVES
    for c in range(cells.shape[0]):
        if kinds[c] >= BUFFER:
            shift = old_size[c] - size[c]
            if shift < 0:
                signs |= GROWS
            else:
                for k in range(size[c]):
                    if cells[c, k] != old_cells[c, k + shift if kinds[c] == TURNED_BUFFER else k]:
                        signs |= DISORDER
    return signs


@inlined
def lead_one(
    policy: Array, names: int, draws: Array, kinds: Array, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array,
    gold: Array, scratch: Array, other_cells: Array, other_size: Array, other_tree: Array, found: Array, hashes: Array, codes: Array,
    known: Array,
) -> Any:  # fmt: skip
    """Take one run from the current configuration; return how it ends."""
    steps = turn = 0
    while True:
        known[STEPS] = steps
        weigh(kinds, cells, size, tree, known)
        if execute(rows, entries[TERMINAL, 0], r, cells, size, tree, gold, scratch) >= 0:
            return AT_TERMINAL
        for c in range(cells.shape[0]):
            if kinds[c] >= BUFFER and size[c] == 0:
                known[SIGNS] |= EMPTY_BUFFER
        count, code = 0, 0
        if policy[KIND] != FOLLOW:
            count = all_permitted(rows, entries, r, cells, size, tree, gold, scratch, found)
            if count == 0:
                known[SIGNS] |= DEAD_END
                return AT_DEAD_END
            if count < 0:
                return GIVEN_UP
        if steps == codes.shape[0]:
            return CUT_OFF
        if policy[NO_REPETITION] != 0:
            hashes[steps] = hash_of(kinds, cells, size, tree)
            for before in range(steps):
                if hashes[before] == hashes[steps]:
                    return CUT_OFF
        if policy[KIND] == FOLLOW:
            if execute(rows, entries[PREDICT, policy[ORACLE]], r, cells, size, tree, gold, scratch) < 0:
                return NO_LINE_MATCHES
            code = r[ANSWER, 0]
        else:
            place = -1
            draw = draws[steps] if steps < draws.shape[0] else 0
            if policy[KIND] == LOOK_AHEAD:
                place = looked_ahead(
                    policy, found, count, rows, entries, r, cells, size, tree, gold, scratch, other_cells, other_size, other_tree
                )  # fmt: skip
            elif policy[KIND] == IN_TURN:
                place = in_turn(policy, names, turn, found, count)
            elif (draw & 255) < policy[STEADINESS]:
                switched = 0 <= policy[SWITCH] <= steps
                place = preferred(policy, ORDERS + names if switched else ORDERS, found, count)
            else:
                place = ((draw >> 8) * count) >> 24
            if place < 0 or found[place] < 0:
                return GIVEN_UP
            code = found[place]
        copy(cells, size, tree, other_cells, other_size, other_tree)
        done = took(code, rows, entries, r, cells, size, tree, gold, scratch)
        if done != 1:
            return NOT_PERMISSIBLE if done == 0 and policy[KIND] == FOLLOW else GIVEN_UP
        codes[steps] = code
        known[COUNTS + (code & NAME_MASK)] += 1
        known[SIGNS] |= signs_of(kinds, cells, size, tree, other_cells, other_size, other_tree)
        steps += 1
        turn = turn + 1 if turn + 1 < names else 0


@compiled(
    f"void({MATRIX}, {MATRIX}, {VECTOR}, {FIGURE}, {MATRIX}, {VECTOR}, {MATRIX}, {STATE}, {MATRIX}, {VECTOR}, {MATRIX},"
    f" {VECTOR}, {VECTOR}, {MATRIX}, {MATRIX}, {MATRIX})",
)
def lead_all(
    policies: Array, draws: Array, kinds: Array, rows: Array, entries: Array, r: Array, first_cells: Array, first_size: Array,
    first_tree: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array, other_cells: Array, other_size: Array,
    other_tree: Array, found: Array, hashes: Array, codes: Array, known: Array, arcs: Array,
) -> None:  # fmt: skip
    """Take a run for each policy, all over the same sentence; write the codes of its transitions, what is known about
    it, and the rows of arcs in its last configuration.
    """
    names = known.shape[1] - COUNTS
    r[WORDS, 0] = tree.shape[1] - 1
    r[GIVEN_LABEL, 0] = 0
    for k in range(policies.shape[0]):
        copy(first_cells, first_size, first_tree, cells, size, tree)
        for place in range(known.shape[1]):
            known[k, place] = 0
        known[k, END] = lead_one(
            policies[k], names, draws[k], kinds, rows, entries, r, cells, size, tree, gold, scratch, other_cells, other_size, other_tree,
            found, hashes, codes[k], known[k],
        )  # fmt: skip
        first, last = rows_of_arcs(tree)
        for row in range(first, last):
            for node in range(tree.shape[1]):
                arcs[k, (row - first) * tree.shape[1] + node] = tree[row, node]
