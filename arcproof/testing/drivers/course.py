"""The class `PartialParse` of a common course assignment (Stanford CS224n), whoever wrote it.

    arcproof conform arc-standard-stack my_solution.py:PartialParse

`PartialParse(sentence)` has the fields `stack` (top last, the root at its bottom), `buffer` and `dependencies`, pairs
(head, dependent), and the method `parse_step(transition)` with "S", "LA" or "RA".  That is arc-standard over the stack,
the figure `arc-standard-stack`.  The class does not say what is permissible or when a parse ends; the assignment does,
in the code around the class: LA needs two words on the stack, RA something below its top, S a buffer, and a parse ends
when the buffer is empty and only the root is left.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, ClassVar, Final, NamedTuple

from arcproof.transitions.graph import ROOT

TRANSITIONS: Final = {"LA": "LEFT-ARC", "RA": "RIGHT-ARC", "S": "SHIFT"}


class Parse(NamedTuple):
    """A parse, and its number of words."""

    words: int
    partial: Any


class Course:
    """A driver of such a class."""

    figure: ClassVar[str] = "arc-standard-stack"
    step: ClassVar[str] = "parse_step"
    """The method by which such a class is known."""
    headless: ClassVar[str] = "none"
    not_modelled: ClassVar[tuple[str, ...]] = ("minibatch_parse",)
    given: ClassVar[tuple[str, ...]] = ("permissible", "is_terminal", "heads")

    @staticmethod
    def recognises(kind: type) -> bool:
        """Whether this is such a class."""
        return callable(getattr(kind, Course.step, None))

    def __init__(self, partial_parse: Callable[[list[str]], Any]) -> None:
        """Wrap the class to be tested."""
        self.partial_parse = partial_parse

    def start(self, n: int) -> Parse:
        """A new parse of words that are all different."""
        return Parse(n, self.partial_parse([f"word{word}" for word in range(1, n + 1)]))

    def permissible(self, c: Parse) -> list[str]:
        """The transitions that are permissible according to the assignment."""
        legal = {"LA": len(c.partial.stack) > 2, "RA": len(c.partial.stack) > 1, "S": len(c.partial.buffer) > 0}
        return [t for t in TRANSITIONS if legal[t]]

    def name(self, t: str) -> str:
        """The figure's name."""
        return TRANSITIONS[t]

    def apply(self, c: Parse, t: str) -> Parse:
        """A copy, one step further."""
        after = deepcopy(c)
        after.partial.parse_step(t)
        return after

    def is_terminal(self, c: Parse) -> bool:
        """Whether the parse ends here, as the assignment defines it for `minibatch_parse`."""
        return len(c.partial.buffer) == 0 and len(c.partial.stack) == 1

    def components(self, c: Parse) -> dict[str, Sequence[int]]:
        """Stack and buffer."""
        return {"σ": [_node(word) for word in c.partial.stack], "β": [_node(word) for word in c.partial.buffer]}

    def arcs(self, c: Parse) -> list[tuple[int, int]]:
        """The dependencies so far."""
        return [(_node(head), _node(dependent)) for head, dependent in c.partial.dependencies]

    def heads(self, c: Parse) -> list[int | None]:
        """The head of each word; the last one if there are several."""
        heads = {dependent: head for head, dependent in self.arcs(c)}
        return [heads.get(word) for word in range(1, c.words + 1)]


def _node(word: str) -> int:
    """Return the node of a word; anything that is not one of the words is the root."""
    number = word.removeprefix("word")
    return int(number) if number.isdecimal() else ROOT


DRIVERS: Final = ()
WRAPPER: Final = Course
