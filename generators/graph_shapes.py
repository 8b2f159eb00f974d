"""Long graphs in which words have several heads: shapes that random sampling hardly ever produces, and members of a
class drawn quickly.

A *shape* has a graph for every number of words, as in `shapes`; the shapes of forests are among them.  What is drawn
here is not uniform: arcs are added one by one to a member, and one that leads out of the class is left out.  That loses
nothing, because every class of graphs known here is closed under leaving out arcs, except `connected` and
`single-root`, which the initial graph satisfies.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final, TypeAlias

from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.shapes import shapes
from arcproof.transitions.graph import ROOT, Arc, Graph, graph_of
from arcproof.transitions.syntax import GraphClass

GraphShape: TypeAlias = Callable[[int], Graph]

MOST_TRIES: Final = 4  # arcs tried per word
MANY_WORDS: Final = 12  # above this, only some of the words get another arc


def arcs_between(words: int, pairs: Iterable[tuple[int, int]]) -> Graph:
    """The graph whose arcs are the pairs of head and dependent that satisfy the predicate."""
    nodes = range(words + 1)
    kept = ((head, word) for head, word in pairs if head in nodes and word in nodes and word != ROOT and head != word)
    return Graph(words, frozenset(Arc(head, None, word) for head, word in kept))


def chain_of_graph(words: int) -> Graph:
    """Every word is attached to the one before it: a member of every class that has an arc for each word."""
    return arcs_between(words, ((word - 1, word) for word in range(1, words + 1)))


def both_ways(words: int) -> Graph:
    """Neighbours are attached to each other."""
    near = ((word - 1, word) for word in range(1, words + 1))
    return arcs_between(words, (pair for one in near for pair in (one, one[::-1])))


def fan(words: int) -> Graph:
    """Every word is attached to 0 and to the one before it: planar and acyclic."""
    return arcs_between(words, ((head, word) for word in range(1, words + 1) for head in {ROOT, word - 1}))


def two_back(words: int) -> Graph:
    """Every word is attached to the two before it."""
    return arcs_between(words, ((head, word) for word in range(1, words + 1) for head in (word - 1, word - 2)))


def from_both_ends(words: int) -> Graph:
    """Every word in between is attached to the first and the last."""
    return arcs_between(words, ((head, word) for word in range(2, words) for head in (1, words)))


def all_onward(words: int) -> Graph:
    """Every word is attached to all nodes before it: as many arcs as an acyclic graph can have."""
    return arcs_between(words, ((head, word) for word in range(1, words + 1) for head in range(word)))


def everything(words: int) -> Graph:
    """All arcs."""
    return arcs_between(words, ((head, word) for word in range(1, words + 1) for head in range(words + 1)))


def _of_forest(shape: Callable[[int], tuple[int | None, ...]]) -> GraphShape:
    return lambda words: graph_of(shape(words))


def graph_shapes() -> tuple[GraphShape, ...]:
    """All shapes, those of forests last."""
    of_graphs = both_ways, fan, two_back, from_both_ends, all_onward, everything
    return (*of_graphs, *map(_of_forest, shapes("forests")))


def graph_shapes_of(graphs: GraphClass) -> tuple[Callable[[int], Graph | None], ...]:
    """The shapes as members of a class; a shape yields None where it is not in the class."""
    return tuple(_member(shape, graphs) for shape in graph_shapes())


def _member(shape: GraphShape, graphs: GraphClass) -> Callable[[int], Graph | None]:
    def member(words: int) -> Graph | None:
        found = shape(words)
        return found if contains_graph(graphs, found) else None

    return member


def plain_graph(graphs: GraphClass, words: int) -> Graph | None:
    """A member with few arcs; None if none is known."""
    candidates = (Graph(words, frozenset()), chain_of_graph(words))
    return next((graph for graph in candidates if contains_graph(graphs, graph)), None)


def random_member(graphs: GraphClass, words: int, random: Random) -> Graph | None:
    """A random member: one with few arcs, to which random ones are added."""
    begun = plain_graph(graphs, words)
    if begun is None:
        return None
    tries = random.randint(0, MOST_TRIES * min(words, MANY_WORDS) + words)
    return varied(graphs, begun, tries, random)


def varied(graphs: GraphClass, graph: Graph, changes: int, random: Random) -> Graph:
    """Other members: random arcs are added or left out, where that gives a member."""
    for _ in range(changes if graph.words else 0):
        word, head = random.randint(1, graph.words), random.randint(0, graph.words)
        if head != word:
            changed = Graph(graph.words, graph.arcs ^ {Arc(head, None, word)})
            graph = changed if contains_graph(graphs, changed) else graph
    return graph


def without_word(word: int, graph: Graph) -> Graph:
    """A graph without one of its words and the arcs that begin or end there.

    >>> sorted(without_word(2, chain_of_graph(3)).arcs)
    [Arc(head=0, label=None, dependent=1)]
    """

    def moved(node: int) -> int:
        return node - 1 if node > word else node

    kept = (arc for arc in graph.arcs if word not in (arc.head, arc.dependent))
    return Graph(graph.words - 1, frozenset(Arc(moved(arc.head), None, moved(arc.dependent)) for arc in kept))
