"""Making trees projective and undoing it: lifting and the pseudo-projective encodings (Nivre & Nilsson 2005).

*Lifting* moves a non-projective arc from its head to the head of that head.  `lift` repeats this with the shortest
non-projective arc, choosing the leftmost dependent in case of a tie, until there is none.

Encoding preserves in the labels what lifting loses.  d is the label of a lifted arc, h the label of its original head,
p the label of an arc on the path, the incoming arcs of the nodes that the arc was lifted from:

| scheme      | lifted arc | arcs on the path |
|-------------|------------|------------------|
| `baseline`  | d          | p                |
| `head`      | d↑h        | p                |
| `path`      | d↑         | p↓               |
| `head+path` | d↑h        | p↓               |

Decoding visits the lifted words top-down and looks below the current head, breadth first from left to right, never
below the word itself: for `head` the first word with the label h; for `path` along marked arcs to the first word below
which no marked arc goes on; for `head+path` along marked arcs to the last such word with the label h.  Where nothing is
found the head stays.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT

Scheme: TypeAlias = Literal["baseline", "head", "path", "head+path"]
SCHEMES: Final = get_args(Scheme)
UP, DOWN = "↑", "↓"


@dataclass(frozen=True, slots=True)
class Lifted:
    """A projective tree: its heads, and for each word the heads it was lifted from, the original one first."""

    heads: tuple[int, ...]
    passed: tuple[tuple[int, ...], ...]

    @property
    def is_changed(self) -> bool:
        """Whether anything had to be lifted."""
        return any(self.passed)


def lift(heads: Sequence[int]) -> Lifted:
    """The tree with its non-projective arcs lifted.

    >>> lift((2, 0, 1)).heads
    (2, 0, 2)
    """
    current = [ROOT, *heads]
    passed: list[list[int]] = [[] for _ in current]
    while (word := _shortest_nonprojective(current)) is not None:
        passed[word].append(current[word])
        current[word] = current[current[word]]
    return Lifted(tuple(current[1:]), tuple(map(tuple, passed[1:])))


def _shortest_nonprojective(heads: list[int]) -> int | None:
    """The dependent of the shortest arc over a word that its head does not dominate.

    Every word under the arc must be dominated by the head; a word is dominated if its own head is, so the intervals of
    the subtrees suffice to find the words that are not.
    """
    first, last = _spans(heads)
    best: tuple[int, int] | None = None
    for word in range(1, len(heads)):
        head = heads[word]
        low, high = min(head, word), max(head, word)
        if (
            high - low > 1
            and (best is None or high - low < best[0])
            and not _dominates_all(first, last, head, low, high)
        ):
            best = high - low, word
    return None if best is None else best[1]


def _spans(heads: list[int]) -> tuple[list[int], list[int]]:
    """The times at which a walk over the tree enters and leaves each node; a node dominates another if its interval
    encloses the other's.
    """
    children: list[list[int]] = [[] for _ in heads]
    for word in range(1, len(heads)):
        children[heads[word]].append(word)
    first, last = [0] * len(heads), [0] * len(heads)
    clock = 0
    todo = [(ROOT, False)]
    while todo:
        node, leaving = todo.pop()
        clock += 1
        if leaving:
            last[node] = clock
        else:
            first[node] = clock
            todo.append((node, True))
            todo.extend((child, False) for child in children[node])
    if 0 in first:
        raise BadGraph("the heads are not a tree; only trees are lifted")
    return first, last


def _dominates_all(first: list[int], last: list[int], head: int, low: int, high: int) -> bool:
    entered, left = first[head], last[head]
    return all(entered <= first[k] and last[k] <= left for k in range(low + 1, high))


def is_marked(label: str) -> bool:
    """Whether a label contains a marker of the encoding.

    >>> is_marked("c↑a"), is_marked("c")
    (True, False)
    """
    return UP in label or DOWN in label


def encode(heads: Sequence[int], labels: Sequence[str], scheme: Scheme) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """A projective tree whose labels say what was lifted.

    >>> encode((2, 0, 1), ("a", "b", "c"), "head+path")
    ((2, 0, 2), ('a↓', 'b', 'c↑a'))
    """
    lifted = lift(heads)
    if scheme == "baseline":
        return lifted.heads, tuple(labels)
    taken = [label for label in labels if is_marked(label)]
    if taken:
        raise BadGraph(f"the label `{taken[0]}` contains {UP} or {DOWN}, which the encoding uses itself; rename it")
    marked = list(labels)
    path = {node for passed in lifted.passed for node in passed if node != ROOT}
    for word, passed in enumerate(lifted.passed, start=1):
        if passed:
            marked[word - 1] += UP + (labels[passed[0] - 1] if scheme != "path" else "")
    if scheme != "head":
        for node in path:
            marked[node - 1] += DOWN
    return lifted.heads, tuple(marked)


def decode(heads: Sequence[int], labels: Sequence[str], scheme: Scheme) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The tree that an encoded one stands for, with plain labels.

    >>> decode((2, 0, 2), ("a↓", "b", "c↑a"), "head+path")
    ((2, 0, 1), ('a', 'b', 'c'))
    """
    if scheme == "baseline":
        return tuple(heads), tuple(labels)
    bare = [label.removesuffix(DOWN).partition(UP) for label in labels]
    plain = [own for own, _, _ in bare]
    marked = [label.endswith(DOWN) for label in labels]
    current = [ROOT, *heads]
    for word in _top_down(current):
        _, up, wanted = bare[word - 1]
        if up:
            current[word] = _new_head(current, word, wanted, plain, marked, scheme)
    return tuple(current[1:]), tuple(plain)


def _top_down(heads: list[int]) -> list[int]:
    children: list[list[int]] = [[] for _ in heads]
    for word in range(1, len(heads)):
        children[heads[word]].append(word)
    order = [ROOT]
    for node in order:
        order.extend(children[node])
    return order[1:]


def _new_head(heads: list[int], word: int, wanted: str, labels: list[str], marked: list[bool], scheme: Scheme) -> int:
    children: list[list[int]] = [[] for _ in heads]
    for child in range(1, len(heads)):
        if child != word:
            children[heads[child]].append(child)
    follows = scheme != "head"
    last = heads[word]
    todo = [heads[word]]
    for node in todo:
        below = [child for child in children[node] if not follows or marked[child - 1]]
        if node != heads[word]:
            if scheme == "head" and labels[node - 1] == wanted:
                return node
            if scheme == "path" and not below:
                return node
            if scheme == "head+path" and labels[node - 1] == wanted:
                last = node
        todo.extend(below)
    return last
