"""The functions that `emit` writes for each figure: `kernel` is compiled together with them."""

from arcproof.transitions.compiled.layout import Words64

def terminal(w0: int, w1: int, shape: Words64) -> bool:
    """Whether the configuration is terminal."""

def expand(w0: int, w1: int, shape: Words64, c0: Words64, c1: Words64, label: Words64, marks: Words64, at: int) -> int:
    """Write the successors."""

def predict(which: int, w0: int, w1: int, shape: Words64, gold: Words64) -> int:
    """The label of the transition that an oracle asks for, or -1."""

def empties(w0: int, w1: int, shape: Words64) -> bool:
    """Whether the buffer is empty."""

def goal(gold: Words64, shape: Words64) -> int:
    """The gold arcs, packed."""
