"""The names of the functions that `emit` writes for each figure, which `kernel` calls and is compiled together with.

They are declared, not defined: this module serves type checkers and readers.
"""

from collections.abc import Callable

from arcproof.transitions.machine.packed.layout import Words64

terminal: Callable[[int, int, Words64], bool]
"""`terminal(w0, w1, shape)`: whether the configuration is terminal."""

expand: Callable[[int, int, Words64, Words64, Words64, Words64, Words64, int], int]
"""`expand(w0, w1, shape, c0, c1, label, marks, at)`: write the successors."""

predict: Callable[[int, int, int, Words64, Words64], int]
"""`predict(which, w0, w1, shape, gold)`: the label of the transition that an oracle asks for, or -1."""

empties: Callable[[int, int, Words64], bool]
"""`empties(w0, w1, shape)`: whether the buffer is empty."""

goal: Callable[[Words64, Words64], int]
"""`goal(gold, shape)`: the gold arcs, packed."""
