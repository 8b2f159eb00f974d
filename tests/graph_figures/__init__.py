"""Figures with several heads for the tests of the engines, and graphs for them."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.system import System, load

HERE: Final = Path(__file__).parent
FIGURES: Final = tuple(sorted(map(str, HERE.glob("*.tsys"))))
LIST_GRAPH, ARC_EAGER_GRAPH = str(HERE / "list-graph.tsys"), str(HERE / "arc-eager-graph.tsys")
CONSTRUCTS: Final = str(HERE.parent / "machine" / "several-heads.tsys")


def changed(path: str, *edits: tuple[str, str]) -> System:
    """A figure with other texts in it."""
    text = Path(path).read_text("utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return load(text)


def graph(words: int, *pairs: tuple[int, int]) -> Graph:
    """A graph by its arcs."""
    return Graph(words, frozenset(Arc(head, None, word) for head, word in pairs))


def every_graph(words: int) -> Iterator[Graph]:
    """All graphs, by brute force."""
    pairs = [(head, word) for word in range(1, words + 1) for head in range(words + 1) if head != word]
    for bits in range(1 << len(pairs)):
        yield graph(words, *(pair for k, pair in enumerate(pairs) if bits >> k & 1))


def some_graphs(words: int, count: int, seed: int = 0) -> Iterator[Graph]:
    """Random graphs, sparse and dense ones."""
    random = Random(seed)
    pairs = [(head, word) for word in range(1, words + 1) for head in range(words + 1) if head != word]
    for _ in range(count):
        yield graph(words, *random.sample(pairs, random.randint(0, min(len(pairs), 2 * words))))
