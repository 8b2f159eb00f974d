"""What the prover knows, as text: files in the lemma language (`language.lemmas`), the same for every figure.

*Believed* is what is in the files of `AXIOMS`, and nothing else.  They define the classes of gold graphs; each
axiom is checked on every graph of its class for short sentences, before every proof (`gold.false_axiom`) and for
longer ones in the tests.

*Guessed* is everything else.  A guess is used only if it holds at the start and every move preserves it; a lemma only
if both solvers discharge it from the premises it names.  A false guess or lemma costs time and proves nothing.

The order of the files, and of what is in them, is the order in which the search meets the entries.
"""

from typing import Final

AXIOMS: Final = ("axioms-forests", "axioms-trees", "axioms-projective", "axioms-order", "axioms-planar")
"""Believed: the gold graphs of a class."""

CANDIDATES: Final = ("structure", "order", "graph", "sequence", "sequences", "covering", "counts", "sets", "flags")
"""Guesses about every configuration of every run."""

ABOUT_LINKS: Final = ("linked",)
"""Further guesses about every run of a figure that asks what is linked."""

ABOUT_REMOVAL: Final = ("removed",)
"""Further guesses about every run of a figure that removes arcs."""

ABOUT_PLANES: Final = ("planes",)
"""Guesses about every run whose arcs are in two planes."""

ABOUT_RUNS: Final = ("segments", "ends")
"""Lemmas about every configuration of every run."""

ABOUT_GOLD: Final = ("wanted", "gold", "pairs", "ready", "deepest", "waiting", "nearest")
"""Guesses and lemmas about configurations on the way to a gold graph, and about what was done before."""

ABOUT_LINKS_AND_GOLD: Final = ("linked-gold",)
"""Further ones where the figure asks what is linked."""

SPECIAL: Final = {"links": (ABOUT_LINKS, ABOUT_LINKS_AND_GOLD), "removal": (ABOUT_REMOVAL, ())}
"""What is read only where a figure has something special: about its runs, and about those to gold graphs."""
