"""Uniform random graphs with several heads; `sampling` draws those with single heads.

Where a class has an enumeration of its own, a random rank is unranked; any other class is drawn by rejection from the
smallest enumeration around it.
"""

from random import Random

from arcproof.generators.graph_enumeration import GraphEnumeration, graph_selection
from arcproof.generators.sampling import PATIENCE, NothingAccepted, given_up
from arcproof.transitions.graph import Graph, HeadSets, graph_with
from arcproof.transitions.syntax import GraphClass

from arcproof.process.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class GraphSample:
    """Graphs drawn independently, with repetition, and how many were tried to get them."""

    graphs: tuple[Graph, ...]
    tried: int

    @property
    def acceptance(self) -> float:
        """The share of the tried graphs that were in the class; 1 for an empty sample."""
        return len(self.graphs) / self.tried if self.tried else 1.0


def uniform_graph(enumeration: GraphEnumeration, words: int, random: Random) -> HeadSets:
    """A graph of the enumeration; all of them are equally likely."""
    return enumeration.unrank(words, random.randrange(enumeration.count(words)))


def sample_graphs(
    graph_class: GraphClass, words: int, size: int, random: Random, *, patience: int = PATIENCE
) -> GraphSample:
    """This many graphs of a class of graphs, each drawn uniformly from those with this many words.

    `NothingAccepted` once `patience` graphs in a row were not in the class, or if the class is empty.

    >>> from arcproof.transitions.graph import format_arcs
    >>> drawn = sample_graphs(GraphClass((), "graphs"), 3, 2, Random(7))
    >>> [format_arcs(graph) for graph in drawn.graphs], drawn.tried
    (['0>1 2>1 0>2 0>3 2>3', '2>1 0>2 1>2 1>3'], 2)
    """
    selection = graph_selection(graph_class, words)
    if size and not selection.enumeration.count(words):
        raise NothingAccepted(given_up(selection.enumeration.graph_class, graph_class, words, 0, 0))
    graphs: list[Graph] = []
    tried = refused = 0
    while len(graphs) < size:
        sets = uniform_graph(selection.enumeration, words, random)
        tried += 1
        if selection.accepts(sets):
            graphs.append(graph_with(sets))
            refused = 0
            continue
        refused += 1
        if refused >= patience:
            raise NothingAccepted(given_up(selection.enumeration.graph_class, graph_class, words, refused, len(graphs)))
    return GraphSample(tuple(graphs), tried)
