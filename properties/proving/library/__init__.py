"""What the prover knows, as text: files in the lemma language (`language.lemmas`), the same for every figure.

Only what is in the files of `AXIOMS` is *believed*.  They define the classes of gold graphs; each axiom is checked on
every graph of its class, for short sentences before every proof (`gold.false_axiom`), and for longer ones in the tests.

*Guessed* is everything else.  A guess is used only if it holds at the start and every move preserves it; a lemma only
if both solvers discharge it from the premises it names.  A false guess or lemma costs time and proves nothing.

The search takes the files, and the entries in them, in this order.
"""

from typing import Final

AXIOMS: Final = ("axioms-forests", "axioms-trees", "axioms-projective", "axioms-order", "axioms-planar")
"""The files that are believed: the gold graphs of a class."""

CANDIDATES: Final = ("structure", "order", "graph", "sequence", "sequences", "covering", "counts", "sets", "flags")
"""Guesses about every configuration of every run."""

ABOUT_LINKS: Final = ("linked",)
"""Further guesses, about every run of a figure that asks which nodes are linked."""

ABOUT_REMOVAL: Final = ("removed",)
"""Further guesses, about every run of a figure that removes arcs."""

ABOUT_PLANES: Final = ("planes",)
"""Guesses about every run whose arcs are in two planes."""

ABOUT_RUNS: Final = ("segments", "ends")
"""Lemmas about every configuration of every run."""

ABOUT_GOLD: Final = ("wanted", "gold", "pairs", "ready", "deepest", "waiting", "nearest")
"""Guesses and lemmas about configurations on the way to a gold graph, and about what was done before."""

ABOUT_LINKS_AND_GOLD: Final = ("linked-gold",)
"""Further files for figures that ask which nodes are linked."""

SPECIAL: Final = {"links": (ABOUT_LINKS, ABOUT_LINKS_AND_GOLD), "removal": (ABOUT_REMOVAL, ())}
"""Files that are read only for figures with some special feature: about all runs, and about runs to gold graphs."""
