"""The functions that `emit` writes for each figure: `kernel` is compiled together with them."""

from arcproof.transitions.running.kernel import Array

def terminal(cells: Array, size: Array, tree: Array, n: int) -> bool:
    """Whether a run ends here."""

def permitted(cells: Array, size: Array, tree: Array, n: int, codes: Array) -> int:
    """Write the codes of all permissible transitions, in the order of the figure; how many there are."""

def step(cells: Array, size: Array, tree: Array, n: int, gold: Array, code: int, label: int, scratch: Array) -> int:
    """Take a transition; `DONE` or what is wrong with it."""

def predict(which: int, cells: Array, size: Array, tree: Array, n: int, gold: Array) -> tuple[int, int]:
    """The code that an oracle asks for and the word whose gold label the transition takes, or -1."""

def allows(cells: Array, size: Array, tree: Array, n: int, code: int) -> int:
    """`DONE` if the transition could be taken."""

def advise(which: int, cells: Array, size: Array, tree: Array, n: int, gold: Array) -> tuple[int, int]:
    """As `predict`, of the first line that matches and whose transition can be taken."""
