"""What the machine can do with a configuration in arrays; `kernel` defines what is in them.

Numbers and truths are those of `machine.opcodes`, for one lane.  An opcode here either writes one register of that
lane, or is a *deed*: it changes the configuration and reports whether there was room.

Figures with `several heads` have their own opcodes for arcs; which ones a program uses is decided when it is assembled.

Where arcs are only added, the root of a word's tree is found with path compression, so that `i ->* j` for an i without
a head is answered in practically constant time (Nivre 2008, section 6.1).

An opcode's place in `ARRAY_OPCODES`, counted from `FIRST_NUMBER`, is its number; `branching.execute` calls it.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.process.jit import inlined
from arcproof.transitions.machine.arrays.kernel import (
    ARCS_OF,
    CORRECT,
    GOLD_ARCS_OF,
    GREATEST_COUNTER,
    HEAD,
    LABEL,
    LEFT_VALENCY,
    LEFTMOST,
    RIGHT_VALENCY,
    RIGHTMOST,
    SEEN,
    TAG,
    UP,
    WAITING,
)
from arcproof.transitions.machine.codes import GOLD_HEADS
from arcproof.transitions.machine.numba_opcodes import Lanes, Opcode

Whole: TypeAlias = npt.NDArray[np.int64]

FIRST_NUMBER: Final = 64


# --- looking ---------------------------------------------------------------------------------------------------------


@inlined
def size_of(r: Lanes, to: int, size: Whole, component: int) -> None:
    """The length of a sequence, or the value of a flag or counter."""
    r[to, 0] = size[component]


@inlined
def head_cell(r: Lanes, to: int, cells: Whole, size: Whole, component: int, offset: int) -> None:
    """The content of a cell, this many cells from the head."""
    r[to, 0] = cells[component, size[component] - 1 - offset]


@inlined
def cell_at(r: Lanes, to: int, cells: Whole, component: int, at: int) -> None:
    """The content of a cell, counted from the tail; or whether a node is in a set."""
    r[to, 0] = cells[component, r[at, 0]]


@inlined
def tree_at(r: Lanes, to: int, tree: Whole, row: int, node: int) -> None:
    """What is known about a node."""
    r[to, 0] = tree[row, r[node, 0]]


@inlined
def gold_at(r: Lanes, to: int, gold: Whole, row: int, node: int) -> None:
    """What the gold graph says about a node."""
    r[to, 0] = gold[row, r[node, 0]]


@inlined
def root_of(tree: Whole, node: int) -> int:
    """The root of the tree that the node is in."""
    root = node
    while tree[UP, root] != root:
        root = tree[UP, root]
    while tree[UP, node] != root:
        above = tree[UP, node]
        tree[UP, node] = root
        node = above
    return root


@inlined
def root(r: Lanes, to: int, tree: Whole, node: int) -> None:
    """The root of the tree that a node is in."""
    r[to, 0] = root_of(tree, r[node, 0])


@inlined
def reaches(r: Lanes, to: int, tree: Whole, source: int, target: int) -> None:
    """Whether a path of arcs leads from source to target."""
    above = r[source, 0]
    node = r[target, 0]
    if tree[HEAD, above] < 0:
        node = root_of(tree, node)
    else:
        while node >= 0 and node != above:
            node = tree[HEAD, node]
    r[to, 0] = 1 if node == above else 0


@inlined
def degree(r: Lanes, to: int, tree: Whole, left: int, right: int) -> None:
    """How many words strictly between two nodes have no head, or a head outside the closed interval."""
    low, high = min(r[left, 0], r[right, 0]), max(r[left, 0], r[right, 0])
    count = 0
    for word in range(low + 1, high):
        if tree[HEAD, word] < low or tree[HEAD, word] > high:
            count += 1
    r[to, 0] = count


@inlined
def may_hang(r: Lanes, to: int, tree: Whole, head: int, dependent: int) -> None:
    """Whether the graph stays a forest in which 0 is a root when an arc is added."""
    node = r[dependent, 0]
    r[to, 0] = 1 if node != 0 and tree[HEAD, node] < 0 and root_of(tree, r[head, 0]) != node else 0


@inlined
def ascends(r: Lanes, to: int, cells: Whole, component: int, at: int, length: int, step: int, first: int) -> None:
    """Whether the cells from a place on, in steps of 1 or -1, hold consecutive numbers."""
    found = 1
    for k in range(r[length, 0]):
        if cells[component, r[at, 0] + step * k] != first + k:
            found = 0
            break
    r[to, 0] = found


# --- deeds -----------------------------------------------------------------------------------------------------------


@inlined
def take(r: Lanes, cells: Whole, scratch: Whole, component: int, at: int, length: int, to: int, turned: int) -> bool:
    """Copy cells, from a place onwards or in reverse, to a place in `scratch`."""
    begin, count, free = r[at, 0], r[length, 0], r[to, 0]
    if free + count > scratch.shape[0]:
        return False
    for k in range(count):
        scratch[free + k] = cells[component, begin + count - 1 - k if turned != 0 else begin + k]
    return True


@inlined
def lay(r: Lanes, cells: Whole, scratch: Whole, component: int, at: int, length: int, source: int) -> bool:
    """Copy the cells that `take` put into `scratch` to a place in a component."""
    begin, count, taken = r[at, 0], r[length, 0], r[source, 0]
    if begin + count > cells.shape[1]:
        return False
    for k in range(count):
        cells[component, begin + k] = scratch[taken + k]
    return True


@inlined
def write(r: Lanes, cells: Whole, component: int, at: int, content: int) -> bool:
    """Put a node into a cell, or record whether a node is in a set."""
    if r[at, 0] >= cells.shape[1]:
        return False
    cells[component, r[at, 0]] = r[content, 0]
    return True


@inlined
def clear(cells: Whole, component: int) -> None:
    """Empty a set."""
    cells[component, :] = 0


@inlined
def resize(r: Lanes, size: Whole, component: int, value: int) -> bool:
    """Set the length of a sequence, or the value of a flag or counter."""
    if r[value, 0] > GREATEST_COUNTER or r[value, 0] < -GREATEST_COUNTER:
        return False
    size[component] = r[value, 0]
    return True


@inlined
def add_arc(r: Lanes, tree: Whole, gold: Whole, head: int, dependent: int, label: int) -> None:
    """Add an arc; `may_hang` must hold."""
    above, node = r[head, 0], r[dependent, 0]
    tree[HEAD, node] = above
    tree[LABEL, node] = r[label, 0]
    tree[UP, node] = above
    if tree[LEFTMOST, above] < 0 or node < tree[LEFTMOST, above]:
        tree[LEFTMOST, above] = node
    if node > tree[RIGHTMOST, above]:
        tree[RIGHTMOST, above] = node
    tree[LEFT_VALENCY if node < above else RIGHT_VALENCY, above] += 1
    if gold[GOLD_HEADS, node] == above + 1:
        tree[CORRECT, above] += 1


@inlined
def remove_arc(r: Lanes, tree: Whole, gold: Whole, dependent: int) -> None:
    """Remove the arc into a word, if there is one; this takes time proportional to the length of the sentence."""
    node = r[dependent, 0]
    head = tree[HEAD, node]
    if head < 0:
        return
    tree[HEAD, node] = -1
    tree[LABEL, node] = 0
    tree[LEFTMOST, head] = -1
    tree[RIGHTMOST, head] = -1
    tree[LEFT_VALENCY if node < head else RIGHT_VALENCY, head] -= 1
    if gold[GOLD_HEADS, node] == head + 1:
        tree[CORRECT, head] -= 1
    for word in range(tree.shape[1]):
        tree[UP, word] = word if tree[HEAD, word] < 0 else tree[HEAD, word]
        if tree[HEAD, word] == head:
            if tree[LEFTMOST, head] < 0:
                tree[LEFTMOST, head] = word
            tree[RIGHTMOST, head] = word


# --- several heads ---------------------------------------------------------------------------------------------------


@inlined
def arc_at(r: Lanes, to: int, tree: Whole, head: int, dependent: int) -> None:
    """Whether there is an arc."""
    r[to, 0] = 1 if tree[ARCS_OF + r[dependent, 0], r[head, 0]] != 0 else 0


@inlined
def gold_arc_at(r: Lanes, to: int, gold: Whole, head: int, dependent: int) -> None:
    """Whether there is a gold arc."""
    r[to, 0] = 1 if gold[GOLD_ARCS_OF + r[dependent, 0], r[head, 0]] != 0 else 0


@inlined
def leads_to(tree: Whole, source: int, target: int) -> bool:
    """Whether a path of arcs leads from source to target, searched from the target upwards."""
    if source == target:
        return True
    if root_of(tree, source) != root_of(tree, target):
        return False
    nodes = tree.shape[1]
    tree[SEEN, :] = 0
    tree[SEEN, target] = 1
    tree[WAITING, 0] = target
    count = 1
    while count > 0:
        count -= 1
        node = tree[WAITING, count]
        if tree[HEAD, node] >= 0:
            for head in range(nodes):
                if tree[ARCS_OF + node, head] != 0 and tree[SEEN, head] == 0:
                    if head == source:
                        return True
                    tree[SEEN, head] = 1
                    tree[WAITING, count] = head
                    count += 1
    return False


@inlined
def reaches_by_any(r: Lanes, to: int, tree: Whole, source: int, target: int) -> None:
    """Whether a path of arcs leads from source to target."""
    r[to, 0] = 1 if leads_to(tree, r[source, 0], r[target, 0]) else 0


@inlined
def degree_by_any(r: Lanes, to: int, tree: Whole, left: int, right: int) -> None:
    """How many words strictly between two nodes have no head in the closed interval."""
    low, high = min(r[left, 0], r[right, 0]), max(r[left, 0], r[right, 0])
    count = 0
    for word in range(low + 1, high):
        inside = 0
        for head in range(low, high + 1):
            if tree[ARCS_OF + word, head] != 0:
                inside = 1
        count += 1 - inside
    r[to, 0] = count


@inlined
def may_join(r: Lanes, to: int, tree: Whole, head: int, dependent: int) -> None:
    """Whether an arc leads into a word, from another node, and does not exist yet."""
    above, node = r[head, 0], r[dependent, 0]
    r[to, 0] = 1 if node != 0 and node != above and tree[ARCS_OF + node, above] == 0 else 0


@inlined
def join_arc(r: Lanes, tree: Whole, gold: Whole, head: int, dependent: int, label: int) -> None:
    """Add an arc; `may_join` must hold."""
    above, node = r[head, 0], r[dependent, 0]
    tree[ARCS_OF + node, above] = r[label, 0] + 1
    tree[HEAD, node] = above
    tree[LABEL, node] = r[label, 0]
    tree[UP, root_of(tree, node)] = root_of(tree, above)
    if tree[LEFTMOST, above] < 0 or node < tree[LEFTMOST, above]:
        tree[LEFTMOST, above] = node
    if node > tree[RIGHTMOST, above]:
        tree[RIGHTMOST, above] = node
    tree[LEFT_VALENCY if node < above else RIGHT_VALENCY, above] += 1
    if gold[GOLD_ARCS_OF + node, above] != 0:
        tree[CORRECT, above] += 1


@inlined
def remove_arcs(r: Lanes, tree: Whole, gold: Whole, dependent: int) -> None:
    """Remove the arcs into a word; this takes time quadratic in the length of the sentence."""
    node = r[dependent, 0]
    if tree[HEAD, node] < 0:
        return
    nodes = tree.shape[1]
    tree[HEAD, node] = -1
    tree[LABEL, node] = 0
    for head in range(nodes):
        if tree[ARCS_OF + node, head] != 0:
            tree[ARCS_OF + node, head] = 0
            tree[LEFT_VALENCY if node < head else RIGHT_VALENCY, head] -= 1
            if gold[GOLD_ARCS_OF + node, head] != 0:
                tree[CORRECT, head] -= 1
    for x in range(nodes):
        tree[UP, x] = x
        tree[LEFTMOST, x] = -1
        tree[RIGHTMOST, x] = -1
    for word in range(nodes):
        if tree[HEAD, word] >= 0:
            for head in range(nodes):
                if tree[ARCS_OF + word, head] != 0:
                    tree[UP, root_of(tree, word)] = root_of(tree, head)
                    if tree[LEFTMOST, head] < 0:
                        tree[LEFTMOST, head] = word
                    tree[RIGHTMOST, head] = word


@inlined
def tag_node(r: Lanes, tree: Whole, node: int, label: int) -> None:
    """Set the number of a word's tag."""
    tree[TAG, r[node, 0]] = r[label, 0]


ARRAY_OPCODES: Final[tuple[Opcode, ...]] = (
    size_of,
    head_cell,
    cell_at,
    tree_at,
    gold_at,
    root,
    reaches,
    degree,
    may_hang,
    ascends,
    take,
    lay,
    write,
    clear,
    resize,
    add_arc,
    remove_arc,
    arc_at,
    gold_arc_at,
    reaches_by_any,
    degree_by_any,
    may_join,
    join_arc,
    remove_arcs,
    tag_node,
)
"""The opcodes by number, counted from `FIRST_NUMBER`."""
