"""Dependency graphs: words, arcs, heads (Nivre 2008, Definition 1).

A sentence has words 1..n and the artificial root 0; the nodes are 0..n.
An `Arc` is a triple (head, label, dependent); a missing label is None.
A `Graph` is n and a set of arcs: nothing else is promised, it need not be well-formed, because
the outputs of a broken transition system are graphs too.
Graphs in which every word has at most one arc can be written by their heads: `2,0,2` says that word 1
hangs on 2, word 2 on 0 and word 3 on 2; `_` is a word without head.  As a value this is `Heads`, a tuple with
None for a word without head; `heads[d - 1]` is the head of word d.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from arcproof.transitions.errors import BadGraph
from arcproof.transitions.printing.wording import counted

from arcproof.process.lazy_dataclass import dataclass

ROOT = 0
MOST_WORDS = 100_000

Heads: TypeAlias = tuple[int | None, ...]


class Arc(NamedTuple):
    """(head, label, dependent), in the papers' order."""

    head: int
    label: str | None
    dependent: int

    def __str__(self) -> str:
        """As papers print an arc; without a label it is a pair."""
        if self.label is None:
            return f"({self.head}, {self.dependent})"
        return f"({self.head}, {self.label}, {self.dependent})"


@dataclass(frozen=True, slots=True)
class Graph:
    """A dependency graph over the nodes 0..words."""

    words: int
    arcs: frozenset[Arc]

    @property
    def heads(self) -> Heads:
        """The head of each word; `BadGraph` if a word has two arcs or 0 has a head."""
        heads: list[int | None] = [None] * self.words
        for head, _, dependent in self.arcs:
            if dependent == ROOT:
                raise BadGraph(f"node 0 has the head {head}, so the graph cannot be written by its heads")
            if heads[dependent - 1] is not None:
                raise BadGraph(f"word {dependent} has more than one arc, so the graph cannot be written by its heads")
            heads[dependent - 1] = head
        return tuple(heads)

    @property
    def heads_or_none(self) -> Heads | None:
        """The heads; None where the graph cannot be written by them."""
        try:
            return self.heads
        except BadGraph:
            return None

    def sorted_arcs(self) -> list[Arc]:
        """The arcs by dependent, then head, then label."""
        return sorted(self.arcs, key=lambda arc: (arc.dependent, arc.head, arc.label or ""))

    def __str__(self) -> str:
        """The heads where the graph has them, else the arcs."""
        if self.words == 0:
            return "the empty graph"
        heads = self.heads_or_none
        return "{" + ", ".join(map(str, self.sorted_arcs())) + "}" if heads is None else format_heads(heads)


def graph_of(heads: Sequence[int | None], labels: Sequence[str | None] | None = None) -> Graph:
    """The graph with these heads, and these labels if given."""
    if labels is not None and len(labels) != len(heads):
        raise BadGraph(f"{len(heads)} heads but {len(labels)} labels")
    for word, head in enumerate(heads, start=1):
        if head is not None and not 0 <= head <= len(heads):
            raise BadGraph(
                f"the head of word {word} is {head}; with {counted(len(heads), 'word')} it must be from 0 to {len(heads)}"
            )
        if head == word:
            raise BadGraph(f"word {word} is its own head")
    arcs = (
        Arc(head, labels[word - 1] if labels else None, word)
        for word, head in enumerate(heads, start=1)
        if head is not None
    )
    return Graph(len(heads), frozenset(arcs))


def parse_heads(text: str) -> Heads:
    """Read `2,0,_`; `BadGraph` says which entry is wrong.

    >>> parse_heads("2,0,_")
    (2, 0, None)
    """
    if not text.strip():
        return ()
    entries = text.split(",")
    if len(entries) > MOST_WORDS:
        raise BadGraph(f"{len(entries)} words; at most {MOST_WORDS} are read")
    return tuple(_parse_head(word, entry.strip()) for word, entry in enumerate(entries, start=1))


def _parse_head(word: int, entry: str) -> int | None:
    if entry == "_":
        return None
    if not (entry.isascii() and entry.isdigit()) or len(entry) > 6:
        shown = entry if len(entry) <= 20 else entry[:20] + "…"
        raise BadGraph(
            f"the head of word {word} is `{shown}`; heads are written 2,0,2 with a number for each word and _ for none"
        )
    return int(entry)


def format_heads(heads: Iterable[int | None]) -> str:
    """The inverse of `parse_heads`.

    >>> format_heads((2, 0, None))
    '2,0,_'
    """
    return ",".join("_" if head is None else str(head) for head in heads)


def dependents(heads: Sequence[int | None]) -> list[list[int]]:
    """For each node 0..n its dependents, ascending."""
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, start=1):
        if head is not None:
            children[head].append(word)
    return children


def cycle_in(heads: Sequence[int | None]) -> list[int] | None:
    """A cycle of words, each the head of the next, or None if there is none.

    >>> cycle_in((2, 3, 1))
    [1, 3, 2]
    """
    safe = {ROOT}
    for word in range(1, len(heads) + 1):
        path: list[int] = []
        on_path: set[int] = set()
        node: int | None = word
        while node is not None and node not in safe and node not in on_path:
            path.append(node)
            on_path.add(node)
            node = heads[node - 1]
        if node is not None and node in on_path:
            cycle = path[path.index(node) :]
            return [cycle[0], *reversed(cycle[1:])]
        safe.update(path)
    return None
