"""Uniform random graphs of a class.

All trees, forests, projective trees and projective forests are drawn exactly, by unranking a random rank.  Any other
class is drawn by rejection: uniform graphs of the smallest enumeration around it, discarding those outside the class,
which leaves the others uniform.  A `Sample` says how many were drawn for it, so that the share of accepted ones can be
shown; it estimates how large the class is within the enumeration.
"""

from random import Random
from typing import Final

from arcproof.generators.enumeration import Enumeration, selection_of
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import Heads
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass

from arcproof.process.lazy_dataclass import dataclass

PATIENCE: Final = 100_000


class NothingAccepted(ArcproofError):
    """Too many graphs in a row were drawn and discarded; this does not show that the class is empty."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Graphs drawn independently, with repetition, and how many were tried to get them."""

    graphs: tuple[Heads, ...]
    tried: int

    @property
    def acceptance(self) -> float:
        """The share of the tried graphs that were in the class; 1 for an empty sample."""
        return len(self.graphs) / self.tried if self.tried else 1.0


def uniform(enumeration: Enumeration, words: int, random: Random) -> Heads:
    """A graph of the enumeration; all of them are equally likely."""
    return enumeration.unrank(words, random.randrange(enumeration.count(words)))


def sample(graph_class: GraphClass, words: int, size: int, random: Random, *, patience: int = PATIENCE) -> Sample:
    """This many graphs of the class, each drawn uniformly from those with this many words.

    `NothingAccepted` once `patience` graphs in a row were not in the class.

    >>> sample(GraphClass((), "trees"), 3, 2, Random(7))
    Sample(graphs=((2, 0, 2), (0, 0, 1)), tried=2)
    """
    selection = selection_of(graph_class)
    graphs: list[Heads] = []
    tried = refused = 0
    while len(graphs) < size:
        heads = uniform(selection.enumeration, words, random)
        tried += 1
        if selection.accepts(heads):
            graphs.append(heads)
            refused = 0
            continue
        refused += 1
        if refused >= patience:
            raise NothingAccepted(given_up(selection.enumeration.graph_class, graph_class, words, refused, len(graphs)))
    return Sample(tuple(graphs), tried)


def given_up(around: GraphClass, graph_class: GraphClass, words: int, refused: int, found: int) -> str:
    """Why no more graphs of a class were drawn from those of a superclass."""
    return (
        f"{refused} random {class_text(around)} of {words} words in a row were not "
        f"{class_text(graph_class)} ({found} were found before); there may be few or none"
    )
