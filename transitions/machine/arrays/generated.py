"""The names of the functions that `emit` writes for each figure, which `kernel` calls and is compiled together with.

They are declared, not defined: this module serves type checkers and readers.  STATE is that of a sentence: `cells, size, tree, n`.
"""

from collections.abc import Callable

from arcproof.transitions.machine.arrays.kernel import Array

terminal: Callable[[Array, Array, Array, int], bool]
"""`terminal(STATE)`: whether a run ends here."""

permitted: Callable[[Array, Array, Array, int, Array], int]
"""`permitted(STATE, codes)`: write the codes of all permissible transitions, in the order of the figure; how many there are."""

step: Callable[[Array, Array, Array, int, Array, int, int, Array], int]
"""`step(STATE, gold, code, label, scratch)`: take a transition; `DONE` or what is wrong with it."""

allows: Callable[[Array, Array, Array, int, int], int]
"""`allows(STATE, code)`: `DONE` if the transition could be taken."""

predict: Callable[[int, Array, Array, Array, int, Array], tuple[int, int]]
"""`predict(which, STATE, gold)`: the code that an oracle asks for and the word whose gold label the transition takes, or -1."""

advise: Callable[[int, Array, Array, Array, int, Array], tuple[int, int]]
"""`advise(which, STATE, gold)`: as `predict`, of the first line that matches and whose transition can be taken."""
