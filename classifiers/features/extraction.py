"""Features of a configuration in arrays: the nodes that a feature model names, and one number for each feature.

It is compiled with the loops that take the transitions, in `runs`.  `machine.arrays.kernel` defines what the arrays
hold; a model becomes the arrays `addresses` and `features` in `features.model`.
"""

from typing import Any, TypeAlias

from arcproof.classifiers.features.codes import (
    BESIDE,
    DEPREL,
    DISTANCE,
    FAR,
    FROM_HEAD,
    FROM_TAIL,
    HEAD_OF,
    HEADS_OF,
    LEFTMOST_OF,
    MOST_VALENCY,
    MOST_VALUE,
    NEAR,
    RIGHTMOST_OF,
    TAG_OF,
    VALENCY_LEFT,
    VALUE_OF,
)
from arcproof.process.jit import inlined
from arcproof.transitions.machine.arrays.kernel import (
    ARCS_OF,
    HEAD,
    LABEL,
    LEFT_VALENCY,
    LEFTMOST,
    RIGHT_VALENCY,
    RIGHTMOST,
    TAG,
    TREE_ROWS,
)

Array: TypeAlias = Any


@inlined
def address(op: int, a: int, b: int, c: int, cells: Array, size: Array, tree: Array, n: int, nodes: Array) -> Any:
    """The node that a line of a feature model refers to, given the nodes of the lines before it; -1 if there is
    none.
    """
    if op == FROM_HEAD:
        return cells[a, size[a] - 1 - b] if b < size[a] else -1
    if op == FROM_TAIL:
        return cells[a, b] if b < size[a] else -1
    node = nodes[a]
    if node < 0:
        return -1
    if op == HEAD_OF:
        return tree[HEAD, node]
    if op == LEFTMOST_OF:
        return tree[LEFTMOST, node]
    if op == RIGHTMOST_OF:
        return tree[RIGHTMOST, node]
    if op == BESIDE:
        return node + b if 0 <= node + b <= n else -1
    return context(tree, node, nodes[b], c)


@inlined
def context(tree: Array, i: int, j: int, place: int) -> Any:
    """The root at this index, from left to right, among the roots of the graph between i and j (Nivre 2007,
    section 4).
    """
    found = 0
    for k in range(i + 1, j):
        if tree[HEAD, k] <= i or tree[HEAD, k] >= j:
            if found == place:
                return k
            found += 1
    return -1


@inlined
def distance(left: int, right: int) -> Any:
    """The distance between two nodes, in seven steps; 0 if one of them is missing."""
    if left < 0 or right < 0:
        return 0
    apart = abs(right - left)
    if apart <= NEAR:
        return apart + 1
    return NEAR + 2 if apart <= FAR else NEAR + 3


@inlined
def heads_of(tree: Array, node: int) -> Any:
    """The number of heads that a node has so far."""
    if tree.shape[0] == TREE_ROWS:
        return 1 if tree[HEAD, node] >= 0 else 0
    found = 0
    for head in range(tree.shape[1]):
        found += 1 if tree[ARCS_OF + node, head] > 0 else 0
    return found


@inlined
def feature(attribute: int, node: int, other: int, a: int, size: Array, tree: Array, tokens: Array) -> Any:
    """The value of one feature, as a number; 0 is the value of a node that is missing."""
    if attribute == VALUE_OF:
        return min(max(size[a], 0), MOST_VALUE)
    if attribute == DISTANCE:
        return distance(node, other)
    if node < 0:
        return 0
    if attribute >= 0:
        return tokens[attribute, node]
    if attribute == DEPREL:
        return tree[LABEL, node] + 2 if tree[HEAD, node] >= 0 else 1
    if attribute == HEADS_OF:
        return 1 + min(heads_of(tree, node), MOST_VALENCY)
    if attribute == TAG_OF:
        return tree[TAG, node] + 1
    row = LEFT_VALENCY if attribute == VALENCY_LEFT else RIGHT_VALENCY
    return 1 + min(tree[row, node], MOST_VALENCY)


@inlined
def extract(
    cells: Array, size: Array, tree: Array, n: int, tokens: Array, addresses: Array, features: Array, nodes: Array, row: Array
) -> None:  # fmt: skip
    """Write one number for each feature: where its values begin, plus its value."""
    for k in range(addresses.shape[0]):
        nodes[k] = address(
            addresses[k, 0], addresses[k, 1], addresses[k, 2], addresses[k, 3], cells, size, tree, n, nodes
        )
    for k in range(features.shape[0]):
        a, other = features[k, 0], features[k, 2]
        node = nodes[a] if features[k, 1] != VALUE_OF else 0
        far = nodes[other] if features[k, 1] == DISTANCE else 0
        row[k] = features[k, 3] + feature(features[k, 1], node, far, a, size, tree, tokens)
