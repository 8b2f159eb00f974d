"""The words that begin a statement; and the words for classes of graphs, each with its definition in a sentence.

A class is a base (`graphs`, `forests` or `trees`), adjectives before it and measures after it: `well-nested trees with
gap-degree <= 1`. The base words: *forests* are well-formed in the sense of Nivre 2008, Definition 2 (0 has no head, no
word has two heads or two labels, no cycle); *trees* are forests in which every word has a head, so that 0 is the only
root, and 0 may have several dependents.  *Graphs* are all sets of arcs between different nodes, none into 0: words may
have several heads, and there may be cycles.  Forests and trees share one set of words, graphs have another;
`generators.classes` and `generators.graph_classes` give every word its meaning, `generators.definitions` spells it out.
"""

from typing import Final, get_args

from arcproof.transitions.syntax import Base

HEADINGS: Final = (
    "system", "cite", "note", "parameter", "shared", "several", "state", "start", "root", "final", "invariant", "measure", "lemma",
    "default", "oracle", "dynamic", "claims",
)  # fmt: skip

ADJECTIVES: Final[dict[str, str]] = {
    "projective": "for each arc, its head dominates every word strictly between its ends (Nivre 2008, Definition 3)",
    "non-projective": "not projective",
    "single-root": "0 has exactly one dependent",
    "planar": "no two arcs cross, arcs from 0 included",
    "planar-words": "no two arcs between words cross; arcs from 0 are ignored",
    "well-nested": "no two disjoint subtrees interleave",
    "ill-nested": "not well-nested",
    "1-endpoint-crossing": "for every arc, all arcs that cross it share an endpoint; arcs from 0 included",
    "1-endpoint-crossing-words": "as 1-endpoint-crossing, but arcs from 0 are ignored",
    "2-planar": "the arcs can be divided into two sets without crossings, arcs from 0 included",
    "2-planar-words": "as 2-planar, but arcs from 0 are ignored",
}

MEASURES: Final[dict[str, str]] = {
    "gap-degree": "the greatest number of gaps in the yield of a node",
    "edge-degree-2006": "Nivre 2006: components between the ends of an arc not dominated by its head in the "
    "whole graph",
    "edge-degree-2007": "Nivre 2007, Definition 3: components between the ends of an arc not dominated within "
    "its interval",
    "mild-gap-degree": "the least k such that every node's subtrees can be joined in pairs with at most k gaps "
    "(mildly ill-nested; Gómez-Rodríguez, Weir & Carroll 2009)",
}

GRAPH_ADJECTIVES: Final[dict[str, str]] = {
    "acyclic": "there is no directed cycle",
    "connected": "every node, 0 included, can be reached from every other over arcs taken in either direction",
    **{
        word: ADJECTIVES[word]
        for word in (
            "single-root", "planar", "planar-words", "1-endpoint-crossing", "1-endpoint-crossing-words", "2-planar",
            "2-planar-words",
        )
    },
}  # fmt: skip

GRAPH_MEASURES: Final[dict[str, str]] = {"heads": "the greatest number of heads of a word"}

BASES: Final[tuple[Base, ...]] = get_args(Base)

ONLY_OF_FORESTS: Final = (
    "it is about subtrees, and in a graph a word may have several heads; it applies to forests and trees"
)
ONLY_OF_GRAPHS: Final[dict[str, str]] = {
    "acyclic": "forests and trees have no cycles; leave it out",
    "connected": "a connected forest is a tree; write trees",
    "heads": "in forests and trees no word has two heads; leave it out",
}
"""Reasons why these words do not apply to forests and trees."""


def adjectives_of(base: Base) -> dict[str, str]:
    """The adjectives that go with a base."""
    return GRAPH_ADJECTIVES if base == "graphs" else ADJECTIVES


def measures_of(base: Base) -> dict[str, str]:
    """The measures that go with a base."""
    return GRAPH_MEASURES if base == "graphs" else MEASURES
