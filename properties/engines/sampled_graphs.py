"""The sampling engine for the graphs of a class, with more words than any exhaustive search reaches.

First come the shapes (`generators.shapes`, `generators.graph_shapes`), then random graphs, as `sampled` says.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from random import Random
from typing import TypeAlias

from arcproof.generators.classes import contains
from arcproof.generators.drawing import plain_member, random_graph
from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.graph_shapes import graph_shapes_of, plain_graph, random_member, varied, without_word
from arcproof.generators.shapes import shapes_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.sampled import (
    BATCH,
    CHANGES,
    ENGINE,
    FEW_CHANGES,
    SOME,
    Best,
    Samples,
    Sampling,
    evidence_of,
    is_driven,
    seeded,
)
from arcproof.properties.evidence import Counterexample, Open, Refuted, Sampled
from arcproof.transitions.graph import Graph, Heads, graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass

GraphCheck: TypeAlias = Callable[[Graph], str | None]


@dataclass
class ForestSource:
    """Graphs of a class of trees or forests; raises `ValueError` if none are known.

    When a graph is shrunk, this many graphs `near` it are tried too.
    """

    graphs: GraphClass
    sampling: Sampling
    near: int = 0
    lengths: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Find the numbers of words for which there are graphs."""
        most = self.sampling.words
        self.lengths = [words for words in range(1, most + 1) if plain_member(self.graphs, words) is not None]
        if not self.lengths:
            raise ValueError(f"no {class_text(self.graphs)} of 1 to {most} words are known")

    def extremes(self, words: int) -> Iterator[Heads | None]:
        """All shapes."""
        return (shape(words) for shape in shapes_of(self.graphs))

    def extreme(self, number: int, words: int) -> Heads | None:
        """One shape."""
        return shapes_of(self.graphs)[number](words)

    def batch(self, number: int) -> Iterator[Heads]:
        """Yield random graphs; in the second half, those that go farthest, with a few heads changed."""
        best = Best[Heads]()
        for place in range(BATCH):
            random = seeded(self.sampling, "batch", number, place)
            heads = self._changed(best.of(place), random) if is_driven(place) else self._drawn(random)
            best.note(_graph_scores(heads), heads)
            yield heads

    def some(self, words: int) -> Iterator[Heads]:
        """A few random graphs."""
        random = seeded(self.sampling, "with", words)
        if words in self.lengths:
            yield from (self._of(words, random) for _ in range(SOME))

    def smaller(self, example: Heads) -> Iterator[Heads]:
        """Yield the graph without one of its words; then some that also have a few heads changed."""
        smaller = [
            heads for word in range(1, len(example) + 1) if contains(self.graphs, heads := _without(word, example))
        ]
        yield from filter(None, smaller)
        random = seeded(self.sampling, "near", example)
        for _ in range(self.near if any(smaller) else 0):
            yield self._varied(random.choice(smaller), random.randint(1, FEW_CHANGES), random)

    def _drawn(self, random: Random) -> Heads:
        return self._of(random.choice(self.lengths), random)

    def _of(self, words: int, random: Random) -> Heads:
        heads = random_graph(self.graphs, words, random) or plain_member(self.graphs, words)
        assert heads is not None
        return heads

    def _changed(self, heads: Heads, random: Random) -> Heads:
        """The graph with a few more words, each attached to the one before, and with some heads changed, if that gives
        another member of the class.
        """
        longer = (*heads, *range(len(heads), random.randint(len(heads), self.lengths[-1])))
        return self._varied(longer if contains(self.graphs, longer) else heads, CHANGES, random)

    def _varied(self, heads: Heads, changes: int, random: Random) -> Heads:
        for _ in range(changes):
            word, head = random.randint(1, len(heads)), random.randint(0, len(heads))
            changed = (*heads[: word - 1], head, *heads[word:])
            heads = changed if head != word and contains(self.graphs, changed) else heads
        return heads

    def words(self, example: Heads) -> int:
        """The number of words."""
        return len(example)

    def key(self, example: Heads) -> Hashable:
        """The heads."""
        return example


def _without(word: int, heads: Heads) -> Heads:
    """The graph without one of its words, whose dependents are attached to its head instead.

    >>> _without(2, (0, 1, 2))
    (0, 1)
    """
    above = heads[word - 1]
    hung = (above if head == word else head for head in (*heads[: word - 1], *heads[word:]))
    return tuple(head - 1 if head is not None and head > word else head for head in hung)


@dataclass
class GraphSource:
    """Graphs of a class in which words may have several heads; raises `ValueError` if none are known.

    When a graph is shrunk, this many graphs `near` it are tried too.
    """

    graphs: GraphClass
    sampling: Sampling
    near: int = 0

    def __post_init__(self) -> None:
        """Check that there are graphs."""
        if plain_graph(self.graphs, 1) is None and plain_graph(self.graphs, 2) is None:
            raise ValueError(f"no {class_text(self.graphs)} are known")

    def extremes(self, words: int) -> Iterator[Graph | None]:
        """All shapes."""
        return (shape(words) for shape in graph_shapes_of(self.graphs))

    def extreme(self, number: int, words: int) -> Graph | None:
        """One shape."""
        return graph_shapes_of(self.graphs)[number](words)

    def batch(self, number: int) -> Iterator[Graph]:
        """Yield random graphs; in the second half, those that go farthest, with a few arcs changed."""
        best = Best[Graph]()
        for place in range(BATCH):
            random = seeded(self.sampling, "batch", number, place)
            if is_driven(place):
                graph = varied(self.graphs, best.of(place), CHANGES, random)
            else:
                graph = self._of(random.randint(1, self.sampling.words), random)
            best.note((len(graph.arcs), sum(abs(arc.head - arc.dependent) for arc in graph.arcs)), graph)
            yield graph

    def some(self, words: int) -> Iterator[Graph]:
        """A few random graphs."""
        random = seeded(self.sampling, "with", words)
        return (self._of(words, random) for _ in range(SOME))

    def smaller(self, example: Graph) -> Iterator[Graph]:
        """Yield the graph without one of its words, then without one of its arcs; then some that also have a few arcs
        changed.
        """
        words = [without_word(word, example) for word in range(1, example.words + 1)]
        fewer = [Graph(example.words, example.arcs - {arc}) for arc in example.sorted_arcs()]
        yield from (graph for graph in (*words, *fewer) if graph.words and contains_graph(self.graphs, graph))
        random = seeded(self.sampling, "near", example)
        members = [graph for graph in words if graph.words and contains_graph(self.graphs, graph)]
        for _ in range(self.near if members else 0):
            yield varied(self.graphs, random.choice(members), random.randint(1, FEW_CHANGES), random)

    def _of(self, words: int, random: Random) -> Graph:
        graph = random_member(self.graphs, words, random)
        assert graph is not None
        return graph

    def words(self, example: Graph) -> int:
        """The number of words."""
        return example.words

    def key(self, example: Graph) -> Hashable:
        """The arcs."""
        return example


def sample_graphs(
    graphs: GraphClass,
    check: GraphCheck,
    sampling: Sampling,
    is_undecided: Callable[[], bool] = lambda: False,
    near: int = 0,
) -> Refuted | Sampled | Open:
    """Ask a check of graphs of a class; it may leave some undecided.  The more graphs `near` a failing one are tried,
    the smaller the result.
    """
    if graphs.base == "graphs":
        found = Samples(GraphSource(graphs, sampling, near), {None: check}, sampling, is_undecided)
        found.draw()
        return _evidence_of_graphs(found.drawn, found.failures.values(), sampling)
    forests = Samples(
        ForestSource(graphs, sampling, near), {None: lambda heads: check(graph_of(heads))}, sampling, is_undecided
    )
    forests.draw()
    failures = [(graph_of(heads), reason) for heads, reason in forests.failures.values()]
    return _evidence_of_graphs(list(map(graph_of, forests.drawn)), failures, sampling)


def _evidence_of_graphs(
    drawn: Sequence[Graph], failures: Iterable[tuple[Graph, str]], sampling: Sampling
) -> Refuted | Sampled | Open:
    for graph, reason in failures:
        return Refuted(ENGINE, Counterexample(graph.words, graph, None, reason), len(drawn), sampling.seed)
    longest = max((graph.words for graph in drawn), default=0)
    return evidence_of(len(drawn), len(drawn), longest, "graphs", sampling)


def _graph_scores(heads: Heads) -> tuple[int, int, int]:
    """Scores for many arcs, long arcs and a deep tree."""
    arcs = [(word, head) for word, head in enumerate(heads, start=1) if head is not None]
    return len(arcs), sum(abs(word - head) for word, head in arcs), depth_of(heads)


def depth_of(heads: Heads) -> int:
    """The most arcs from a word up to a node without a head."""
    depth = 0
    for word in range(1, len(heads) + 1):
        above, node = 0, word
        while (head := heads[node - 1] if node else None) is not None:
            above, node = above + 1, head
        depth = max(depth, above)
    return depth
