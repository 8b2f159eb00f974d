"""The words that begin a statement, and those for classes of graphs, with their definitions in a sentence.

A class is a base (`forests` or `trees`), adjectives before it and measures after it: `well-nested trees with gap-degree <= 1`.
The base words: *forests* are well-formed in the sense of Nivre 2008, Definition 2 (0 has no head, no word has two heads or
two labels, no cycle); *trees* are forests in which every word has a head, so that 0 is the only root, and 0 may have
several dependents.  `generators.classes` gives every word its meaning, twice.
"""

from typing import Final

HEADINGS: Final = (
    "system", "cite", "note", "parameter", "shared", "state", "start", "final", "invariant", "measure", "lemma", "default",
    "oracle", "dynamic", "claims",
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
    "edge-degree-2006": "Nivre 2006: components between the ends of an arc not dominated by its head in the whole graph",
    "edge-degree-2007": "Nivre 2007, Definition 3: components between the ends of an arc not dominated within its interval",
    "mild-gap-degree": "the least k such that every node's subtrees can be joined in pairs with at most k gaps "
    "(mildly ill-nested; Gómez-Rodríguez, Weir & Carroll 2009)",
}
