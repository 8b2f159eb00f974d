"""The built-in systems as the tests see them: those of the first release, the later ones, and how many words are
enough.
"""

from collections.abc import Iterable

import pytest

DAILY = (
    "arc-standard", "arc-eager", "covington", "swap", "easy-first", "nonmonotonic-2013", "pointer", "arc-eager-graph",
)  # fmt: skip
"""One of each kind: stack and list, with a degree bound, reordering, without a buffer, arcs that are taken away, a node
in two sequences, several heads.  What guards no verdict runs over these every day, and over the others at night.
"""

FIRST = (
    "arc-standard", "arc-standard-stack", "arc-eager", "arc-eager-2003", "list-nonprojective", "list-projective", "covington",
    "swap", "swap-max2", "choi-nicolov", "choi-palmer", "attardi", "arc-hybrid", "arc-hybrid-right", "arc-swift", "nl-covington",
)  # fmt: skip
LATER = (
    "attardi-extract", "attardi-original", "choi-mccallum", "easy-first", "hybrid-swap", "link2", "mh", "nivre-2008b",
    "nonmonotonic-2013", "nonmonotonic-2015", "planar", "pointer", "spacy", "tree-constrained", "two-planar",
)  # fmt: skip
GRAPHS = ("arc-eager-graph", "list-graph")
"""A word may have several heads."""
SINGLE_ROOT = ("arc-eager-single-root", "arc-hybrid-single-root", "arc-standard-single-root")
"""0 gets exactly one dependent."""
REMOVING = ("nonmonotonic-2013", "nonmonotonic-2015", "spacy")
"""They take arcs away again."""
SHARED = ("pointer", "two-planar")
"""A node may be in two sequences at once."""
WITHOUT_ORACLE = ("two-planar",)
"""Its oracle would have to remember planes that no configuration shows."""
LARGE = ("two-planar",)
"""Twenty times as many configurations with every word more; the others have five to sixteen times as many."""

MUTANTS = {
    "attardi-extract": (133, 84, 45, 0, 1),
    "attardi-original": (74, 87, 41, 1, 1),
    "choi-mccallum": (139, 23, 0, 0, 1),
    "easy-first": (49, 2, 0, 0, 0),
    "hybrid-swap": (69, 90, 0, 0, 1),
    "link2": (81, 9, 9, 0, 1),
    "mh": (66, 27, 13, 0, 1),
    "nivre-2008b": (58, 5, 11, 2, 1),
    "nonmonotonic-2013": (116, 1, 0, 0, 10),
    "nonmonotonic-2015": (70, 0, 4, 1, 1),
    "planar": (69, 2, 0, 0, 1),
    "pointer": (28, 1, 0, 2, 1),
    "spacy": (83, 16, 15, 0, 9),
    "tree-constrained": (76, 4, 0, 0, 1),
    "two-planar": (68, 13, 16, 2, 0),
}
"""Of each later system with `MUTANT_WORDS` words: killed, equivalent, alternative, undecided, invalid."""
MUTANT_WORDS = 3


def each(names: Iterable[str]) -> list[object]:
    """Parameters of a test: systems, of which those that are not in `DAILY` wait for the night."""
    return [
        pytest.param(name, marks=() if name.partition("[")[0] in DAILY else pytest.mark.nightly, id=name)
        for name in names
    ]


def fewer(name: str, words: int) -> int:
    """How many words are enough where a test goes through every configuration: one fewer for a later system, two for a
    large one.
    """
    return words - 2 if name in LARGE else words - 1 if name in LATER else words
