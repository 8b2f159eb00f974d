"""What oracles ask about a gold graph, packed into words, one per notion.

`transitions.gold` has the definitions.
"""

from typing import Final

from arcproof.process.jit import inlined
from arcproof.transitions.machine.codes import GOLD_COMPONENTS, GOLD_HEADS, GOLD_ORDER
from arcproof.transitions.machine.opcodes import Lanes

GOLD_ROWS: Final = 7  # the rows of gold data; those that are not in `codes` are for intermediate results

# How arcs are packed (`packed.layout`).
AS_HEADS: Final = 0
AS_GRAPH: Final = 1
AS_MATRIX: Final = 2


@inlined
def _order(gold: Lanes, n: int) -> None:
    # A node's subtree is visited in one go: rows 3 to 6 are its head, its depth, its number of nodes and where it
    # begins.
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


@inlined
def _components(gold: Lanes, n: int) -> None:
    # Rows 3 to 5 are how many gold dependents a node waits for, its current head, and the stack.
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


@inlined
def prepare(gold: Lanes, n: int) -> None:
    """Fill in the place of each node in the projective order, and its projective component, from the heads in the first
    row.
    """
    _order(gold, n)
    _components(gold, n)


@inlined
def packed(gold: Lanes, row: int, n: int, width: int) -> int:
    """A row of gold data as numbers by node."""
    word = 0
    for node in range(n + 1):
        word |= gold[row, node] << (node * width)
    return word


@inlined
def packed_heads(gold: Lanes, n: int, width: int) -> int:
    """The gold heads, packed in the same way as arcs."""
    word = 0
    for node in range(1, n + 1):
        word |= gold[GOLD_HEADS, node] << ((n - node) * width)
    return word


@inlined
def packed_matrix(gold: Lanes, n: int) -> int:
    """The gold arcs as a matrix."""
    word = 0
    for node in range(1, n + 1):
        if gold[GOLD_HEADS, node] != 0:
            word |= 1 << (node * (n + 1) + gold[GOLD_HEADS, node] - 1)
    return word


@inlined
def packed_rows(rows: Lanes, place: int, n: int, rooted: bool) -> int:
    """Gold arcs that are given as rows of bits, as a matrix; if there is no 0, words attached only to 0 have no
    head.
    """
    word = 0
    for node in range(1, n + 1):
        heads = rows[place, node - 1]
        word |= (0 if heads == 1 and not rooted else heads) << (node * (n + 1))
    return word
