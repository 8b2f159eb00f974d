"""The part of a running parser that all figures share: trees under construction.

This is plain Python that `module` compiles together with the code of a figure; what that code (`emit`) defines is declared in `generated`.
What else is compiled with it is given by who uses it: feature extraction and whole runs are in `classifiers`.

The state of one sentence of n words
- `cells[c, k]`: component c of the figure; a sequence is stored from its *tail* on, so that its head is the last of its `size[c]` cells and
  grows and shrinks in constant time; a set is a row of truth values; of a flag or counter `size[c]` is the value.
- `tree[row, x]`: what is known of node x in the arcs built so far, see the rows below; -1 means none.
- `gold[row, x]`: what an oracle may ask; all zero where there is no gold graph.

A transition is a *code*: the number of its name in the lowest 8 bits, then 17 bits for each choice.  A transition that would give a word a
second head, give node 0 a head or close a cycle is never permitted here, whatever the figure says: no such graph can be an output.

Where arcs are only added, the root of a word's tree is found with path compression, so that `i ->* j` for an i without head is answered in
practically constant time (Nivre 2008, section 6.1).
"""

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from arcproof.transitions.machine.codes import GOLD_HEADS

if TYPE_CHECKING:
    pass

Array: TypeAlias = Any

HEAD: Final = 0
LABEL: Final = 1
LEFTMOST: Final = 2
RIGHTMOST: Final = 3
UP: Final = 4
CORRECT: Final = 5
LEFT_VALENCY: Final = 6
RIGHT_VALENCY: Final = 7
TREE_ROWS: Final = 8

GOLD_DEGREE: Final = 3
GOLD_LABELS: Final = 4
GOLD_ROWS: Final = 5

CHOICE_BITS: Final = 17
CHOICE_MASK: Final = (1 << CHOICE_BITS) - 1

DONE: Final = 1
NO_LINE: Final = -1
NOT_PERMITTED: Final = -2
TOO_LONG: Final = -3
OTHER_GRAPH: Final = -4
DOES_NOT_FIT: Final = -5


# --- trees under construction ------------------------------------------------------------------------------------------


def root_of(tree: Array, node: int) -> int:
    """The root of the tree that the node is in."""
    root = node
    while tree[UP, root] != root:
        root = tree[UP, root]
    while tree[UP, node] != root:
        above = tree[UP, node]
        tree[UP, node] = root
        node = above
    return root


def reaches(tree: Array, source: int, target: int) -> bool:
    """`source ->* target`."""
    if tree[HEAD, source] < 0:
        return bool(root_of(tree, target) == source)
    node = target
    while node >= 0:
        if node == source:
            return True
        node = tree[HEAD, node]
    return False


def connected(tree: Array, left: int, right: int) -> bool:
    """Whether a path of arcs, in whichever direction, joins the two."""
    return bool(root_of(tree, left) == root_of(tree, right))


def degree(tree: Array, left: int, right: int) -> int:
    """How many words strictly between the two have their head outside the closed interval, or none."""
    low, high = min(left, right), max(left, right)
    count = 0
    for word in range(low + 1, high):
        if tree[HEAD, word] < low or tree[HEAD, word] > high:
            count += 1
    return count


def may_hang(tree: Array, head: int, dependent: int) -> bool:
    """Whether the arc leaves the graph a forest in which 0 is a root."""
    return bool(dependent != 0 and tree[HEAD, dependent] < 0 and root_of(tree, head) != dependent)


def add_arc(tree: Array, gold: Array, head: int, dependent: int, label: int) -> None:
    """One more arc; `may_hang` holds."""
    tree[HEAD, dependent] = head
    tree[LABEL, dependent] = label
    tree[UP, dependent] = head
    if tree[LEFTMOST, head] < 0 or dependent < tree[LEFTMOST, head]:
        tree[LEFTMOST, head] = dependent
    if dependent > tree[RIGHTMOST, head]:
        tree[RIGHTMOST, head] = dependent
    tree[LEFT_VALENCY if dependent < head else RIGHT_VALENCY, head] += 1
    if gold[GOLD_HEADS, dependent] == head + 1:
        tree[CORRECT, head] += 1


def remove_arc(tree: Array, gold: Array, dependent: int, n: int) -> None:
    """The arc into a word, if there is one, goes; this takes time in proportion to the sentence."""
    head = tree[HEAD, dependent]
    if head < 0:
        return
    tree[HEAD, dependent] = -1
    tree[LABEL, dependent] = 0
    tree[LEFTMOST, head] = -1
    tree[RIGHTMOST, head] = -1
    tree[LEFT_VALENCY if dependent < head else RIGHT_VALENCY, head] -= 1
    if gold[GOLD_HEADS, dependent] == head + 1:
        tree[CORRECT, head] -= 1
    for word in range(n + 1):
        tree[UP, word] = word if tree[HEAD, word] < 0 else tree[HEAD, word]
        if tree[HEAD, word] == head:
            if tree[LEFTMOST, head] < 0:
                tree[LEFTMOST, head] = word
            tree[RIGHTMOST, head] = word
