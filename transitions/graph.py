"""Dependency graphs: words, arcs, heads (Nivre 2008, Definition 1).

A sentence has words 1..n and the artificial root 0; the nodes are 0..n. An `Arc` is a triple (head, label, dependent);
a missing label is None. A `Graph` is n and a set of arcs: nothing else is promised, and it need not be well-formed,
because the outputs of a broken transition system are graphs too. Graphs in which every word has at most one arc can be
written as a list of heads: `2,0,2` says that word 1 has head 2, word 2 has head 0 and word 3 has head 2; `_` is a word
without a head.  As a value this is `Heads`, a tuple with None for a word without a head; `heads[d - 1]` is the head of
word d. Graphs in which words have several heads are written as a list of arcs, `0>1 1>2 3>2`, with labels `1>2:nsubj`.
As a value without labels this is `HeadSets`: `sets[d - 1]` holds the heads of word d as bits, bit h for head h.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import WithPicture
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.printing.wording import counted

ROOT = 0
MOST_WORDS = 100_000
MOST_DIGITS: Final = 6
"""Of a number that is read; a longer one is out of range wherever one may be given."""

Heads: TypeAlias = tuple[int | None, ...]
HeadSets: TypeAlias = tuple[int, ...]

_ARC: Final = re.compile(r"(?P<head>[0-9]+)>(?P<dependent>[0-9]+)(?::(?P<label>\S+))?", re.ASCII)


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
class Graph(WithPicture):
    """A dependency graph over the nodes 0..words."""

    words: int
    arcs: frozenset[Arc]

    @property
    def heads(self) -> Heads:
        """The head of each word; `BadGraph` if a word has two arcs or 0 has a head."""
        heads: list[int | None] = [None] * self.words
        for head, _, dependent in self.arcs:
            if dependent == ROOT:
                raise BadGraph(f"node 0 has the head {head}, so the graph cannot be written as a list of heads")
            if heads[dependent - 1] is not None:
                raise BadGraph(
                    f"word {dependent} has more than one arc, so the graph cannot be written as a list of heads"
                )
            heads[dependent - 1] = head
        return tuple(heads)

    @property
    def heads_or_none(self) -> Heads | None:
        """The head of each word; None if the graph cannot be written as a list of heads."""
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
                f"the head of word {word} is {head}; with {counted(len(heads), 'word')} it must be from 0 to "
                f"{len(heads)}"
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


def _shortened(entry: str) -> str:
    return entry if len(entry) <= 20 else entry[:20] + "…"


def _parse_head(word: int, entry: str) -> int | None:
    if entry == "_":
        return None
    if not (entry.isascii() and entry.isdigit()):
        raise BadGraph(
            f"the head of word {word} is `{_shortened(entry)}`; "
            "heads are written 2,0,2 with a number for each word and _ for none"
        )
    if len(entry) > MOST_DIGITS:
        raise BadGraph(f"the head of word {word} is `{_shortened(entry)}`; at most {MOST_WORDS} words are read")
    return int(entry)


def format_heads(heads: Iterable[int | None]) -> str:
    """The inverse of `parse_heads`.

    >>> format_heads((2, 0, None))
    '2,0,_'
    """
    return ",".join("_" if head is None else str(head) for head in heads)


def improper_arc(graph: Graph) -> str | None:
    """Why a graph is not a set of arcs between different nodes, with none into 0 and at most one from any node to
    another.

    >>> improper_arc(Graph(2, frozenset({Arc(1, None, 2), Arc(2, None, 1)})))
    >>> improper_arc(Graph(2, frozenset({Arc(1, "a", 2), Arc(1, "b", 2)})))
    'two arcs from 1 to 2, with the labels a and b'
    """
    found: dict[tuple[int, int], Arc] = {}
    for arc in graph.sorted_arcs():
        head, label, dependent = arc
        if not (0 <= head <= graph.words and 0 <= dependent <= graph.words):
            return (
                f"an arc from {head} to {dependent}; with {counted(graph.words, 'word')} the nodes are 0 to "
                f"{graph.words}"
            )
        if dependent == ROOT:
            return f"an arc from {head} into 0, which never has a head"
        if head == dependent:
            return f"an arc from {head} to itself"
        other = found.setdefault((head, dependent), arc)
        if other is not arc:
            return f"two arcs from {head} to {dependent}, with the labels {other.label or '_'} and {label or '_'}"
    return None


def head_sets(graph: Graph) -> HeadSets:
    """The heads of each word as bits, labels aside; `BadGraph` if an arc does not join two different nodes, or leads
    into 0.

    >>> head_sets(Graph(2, frozenset({Arc(0, None, 2), Arc(1, None, 2)})))
    (0, 3)
    """
    sets = [0] * graph.words
    for head, _, dependent in graph.arcs:
        if not (0 <= head <= graph.words and 0 < dependent <= graph.words and head != dependent):
            raise BadGraph(f"the graph has {improper_arc(graph)}")
        sets[dependent - 1] |= 1 << head
    return tuple(sets)


def sets_of_heads(heads: Heads) -> HeadSets:
    """The heads of each word as bits, for a graph given by its single heads.

    >>> sets_of_heads((2, 0, None))
    (4, 1, 0)
    """
    return tuple([0 if head is None else 1 << head for head in heads])


def graph_with(sets: HeadSets) -> Graph:
    """The graph with these heads, without labels: the inverse of `head_sets`."""
    arcs = (Arc(head, None, word) for word, heads in enumerate(sets, start=1) for head in members(heads))
    return Graph(len(sets), frozenset(arcs))


def members(nodes: int) -> Iterator[int]:
    """The nodes of a set given as bits, ascending.

    >>> list(members(0b1010))
    [1, 3]
    """
    while nodes:
        least = nodes & -nodes
        yield least.bit_length() - 1
        nodes ^= least


def parse_arcs(text: str, words: int | None = None) -> Graph:
    """Read `0>1 1>2:nsubj 3>2`, with spaces or commas between the arcs; `BadGraph` says which arc is wrong.

    If the number of words is not given, it is the greatest node.

    >>> print(parse_arcs("0>1 1>2 3>2"))
    {(0, 1), (1, 2), (3, 2)}
    """
    arcs: dict[tuple[int, int], Arc] = {}
    for number, entry in enumerate(text.replace(",", " ").split(), start=1):
        arc = _parse_arc(number, entry)
        if arc.dependent == ROOT or arc.head == arc.dependent:
            why = "0 never has a head" if arc.dependent == ROOT else f"{arc.head} would be its own head"
            raise BadGraph(f"arc {number} is `{entry}`, but {why}; an arc is written HEAD>DEPENDENT")
        if words is not None and max(arc.head, arc.dependent) > words:
            raise BadGraph(
                f"arc {number} is `{entry}`, but there are {counted(words, 'word')}; the nodes are 0 to {words}"
            )
        if (arc.head, arc.dependent) in arcs:
            raise BadGraph(f"arc {number} is `{entry}`, which was already given; give each arc once")
        arcs[arc.head, arc.dependent] = arc
    greatest = max((node for pair in arcs for node in pair), default=0)
    if max(greatest, words or 0) > MOST_WORDS:
        raise BadGraph(f"{max(greatest, words or 0)} words; at most {MOST_WORDS} are read")
    return Graph(greatest if words is None else words, frozenset(arcs.values()))


def parse_graph(text: str) -> Graph:
    """Read a graph from a list of heads, `2,0,2`, or of arcs, `0>1 1>2 3>2`."""
    return parse_arcs(text) if ">" in text else graph_of(parse_heads(text))


def _parse_arc(number: int, entry: str) -> Arc:
    found = _ARC.fullmatch(entry)
    if found is None:
        raise BadGraph(
            f"arc {number} is `{_shortened(entry)}`; "
            "arcs are written 0>1 1>2 3>2, head before dependent, with a label 1>2:nsubj"
        )
    if max(len(found["head"]), len(found["dependent"])) > MOST_DIGITS:
        raise BadGraph(f"arc {number} is `{_shortened(entry)}`; at most {MOST_WORDS} words are read")
    return Arc(int(found["head"]), found["label"], int(found["dependent"]))


def format_arcs(graph: Graph) -> str:
    """The inverse of `parse_arcs`, for graphs whose last word has an arc.

    >>> format_arcs(Graph(3, frozenset({Arc(1, "nsubj", 2), Arc(3, None, 2)})))
    '1>2:nsubj 3>2'
    """
    arcs = graph.sorted_arcs()
    return " ".join(f"{head}>{dependent}" + ("" if label is None else f":{label}") for head, label, dependent in arcs)


def format_graph(graph: Graph) -> str:
    """The heads where the graph has them, else the arcs: the inverse of `parse_graph`.

    >>> format_graph(graph_of((2, 0))), format_graph(parse_arcs("0>2 1>2"))
    ('2,0', '0>2 1>2')
    """
    heads = graph.heads_or_none
    return format_arcs(graph) if heads is None else format_heads(heads)


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
