"""The part of a running parser that all figures share: trees under construction, features, following an oracle, taking steps.

This is plain Python that `module` compiles together with the code of a figure; what that code (`emit`) defines is declared in `generated`.

The state of one sentence of n words
- `cells[c, k]`: component c of the figure; a sequence is stored from its *tail* on, so that its head is the last of its `size[c]` cells and
  grows and shrinks in constant time; a set is a row of truth values; of a flag or counter `size[c]` is the value.
- `tree[row, x]`: what is known of node x in the arcs built so far, see the rows below; -1 is no node.
- `gold[row, x]`: what an oracle may ask; all zero where there is no gold graph.

A transition is a *code*: the number of its name in the lowest 8 bits, then 17 bits for each choice.  A transition that would give a word a
second head, give node 0 a head or close a cycle is never permitted here, whatever the figure says: no such graph can be an output.

Where arcs are only added, the root of a word's tree is found with path compression, so that `i ->* j` for an i without head is answered in
practically constant time (Nivre 2008, section 6.1).
"""

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from arcproof.transitions.machine.codes import GOLD_HEADS, NAME_BITS

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.generated import advise, allows, permitted, predict, step, terminal

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

FROM_HEAD: Final = 0
FROM_TAIL: Final = 1
HEAD_OF: Final = 2
LEFTMOST_OF: Final = 3
RIGHTMOST_OF: Final = 4
BESIDE: Final = 5
CONTEXT: Final = 6

DEPREL: Final = -1
VALENCY_LEFT: Final = -2
VALENCY_RIGHT: Final = -3
DISTANCE: Final = -4
VALUE_OF: Final = -5
MOST_VALENCY: Final = 6
MOST_VALUE: Final = 15
NEAR: Final = 5
FAR: Final = 10


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


# --- features ----------------------------------------------------------------------------------------------------------


def address(op: int, a: int, b: int, c: int, cells: Array, size: Array, tree: Array, n: int, nodes: Array) -> Any:
    """The node of one line of a feature model, from the nodes of the lines before it; -1 if there is none."""
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


def context(tree: Array, i: int, j: int, place: int) -> Any:
    """Of the roots of the graph between i and j, left to right, the one at this place (Nivre 2007, section 4)."""
    found = 0
    for k in range(i + 1, j):
        if tree[HEAD, k] <= i or tree[HEAD, k] >= j:
            if found == place:
                return k
            found += 1
    return -1


def distance(left: int, right: int) -> Any:
    """How far apart two nodes are, in seven steps; 0 if one of them is missing."""
    if left < 0 or right < 0:
        return 0
    apart = abs(right - left)
    if apart <= NEAR:
        return apart + 1
    return NEAR + 2 if apart <= FAR else NEAR + 3


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
    row = LEFT_VALENCY if attribute == VALENCY_LEFT else RIGHT_VALENCY
    return 1 + min(tree[row, node], MOST_VALENCY)


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


# --- whole runs --------------------------------------------------------------------------------------------------------


def follow(
    which: int, cells: Array, size: Array, tree: Array, n: int, gold: Array, tokens: Array, addresses: Array, features: Array,
    scratch: Array, nodes: Array, rows: Array, codes: Array, labels: Array,
) -> int:  # fmt: skip
    """Let an oracle lead from the start; a row of features, a code and a label for each transition.  How many, or what is wrong."""
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
    which: int, cells: Array, size: Array, tree: Array, n: int, gold: Array, tokens: Array, addresses: Array, features: Array,
    scratch: Array, nodes: Array, rows: Array, given: Array, given_labels: Array, default: int, room: Array, codes: Array, labels: Array,
) -> Any:  # fmt: skip
    """Go where a parser went, and write what the oracle would have done at each place: the first line that can be followed, else the
    default transition, else the first that is permissible.  How many transitions, or what is wrong."""
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
    cells: Array, size: Array, tree: Array, n: int, tokens: Array, addresses: Array, features: Array, nodes: Array, row: Array,
    known: Array, allowed: Array,
) -> Any:  # fmt: skip
    """What a parser needs to decide: features, and which of the known transitions are permissible; how many, or -1 at the end of a run.

    Only the known ones are tried: a figure with chosen lengths may permit a transition for each node before the present one."""
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


def look_at_all(
    active: Array, all_cells: Array, cells_at: Array, sizes: Array, trees: Array, trees_at: Array, words: Array, all_tokens: Array,
    tokens_at: Array, addresses: Array, features: Array, nodes: Array, rows: Array, codes: Array, known: Array, allowed: Array,
    default: int, counts: Array, fallbacks: Array,
) -> None:  # fmt: skip
    """`look` at every active sentence; where nothing known is permissible, also the default transition or else the first that is, and how many there are."""
    components = sizes.shape[1]
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        cells = all_cells[cells_at[x] : cells_at[x + 1]].reshape(components, -1)
        tree = trees[trees_at[x] : trees_at[x + 1]].reshape(TREE_ROWS, n + 1)
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
    active: Array, all_cells: Array, cells_at: Array, sizes: Array, trees: Array, trees_at: Array, words: Array, codes: Array, default: int,
    defaults: Array,
) -> None:  # fmt: skip
    """The default transition of every active sentence, or -1 where it is not permissible."""
    components = sizes.shape[1]
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        cells = all_cells[cells_at[x] : cells_at[x + 1]].reshape(components, -1)
        tree = trees[trees_at[x] : trees_at[x + 1]].reshape(TREE_ROWS, n + 1)
        defaults[k] = default_code(cells, sizes[x], tree, n, default, codes)


def advance_all(
    active: Array, all_cells: Array, cells_at: Array, sizes: Array, trees: Array, trees_at: Array, words: Array, golds: Array,
    golds_at: Array, codes: Array, labels: Array, scratch: Array, results: Array,
) -> None:  # fmt: skip
    """Take a transition in every active sentence."""
    components = sizes.shape[1]
    for k in range(active.shape[0]):
        x = active[k]
        n = words[x]
        cells = all_cells[cells_at[x] : cells_at[x + 1]].reshape(components, -1)
        tree = trees[trees_at[x] : trees_at[x + 1]].reshape(TREE_ROWS, n + 1)
        gold = golds[golds_at[x] : golds_at[x + 1]].reshape(GOLD_ROWS, n + 1)
        results[k] = step(cells, sizes[x], tree, n, gold, codes[k], labels[k], scratch)
