"""NLTK's transition parser (`nltk.parse.transitionparser`): arc-standard and arc-eager, each with its static oracle.

NLTK says that both follow Kübler, McDonald & Nivre 2009, chapter 3, with the root at the bottom of the stack; these are
the figures `arc-standard` and `arc-eager`.  A transition is permissible if its method does not answer -1, which is how
`TransitionParser.parse` decides.  Words that no arc reaches get the head 0, as there.

Tried with nltk 3.10.4.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from copy import copy
from importlib.metadata import version
from itertools import count
from typing import Any, ClassVar, Final

from arcproof.transitions.graph import ROOT, Heads

LABEL: Final = "dep"


class ArcStandard:
    """NLTK's `TransitionParser("arc-standard")` and its oracle."""

    figure: ClassVar[str] = "arc-standard"
    requires: ClassVar[str] = "nltk"
    golds: ClassVar[str] = "forests"
    headless: ClassVar[str] = "root"
    least_words: ClassVar[int] = 1
    not_modelled: ClassVar[tuple[str, ...]] = ("the classifier, which decides among the permissible transitions",)
    algorithm: ClassVar[str] = "arc-standard"
    transitions: ClassVar[tuple[str, ...]] = ("LEFT-ARC", "RIGHT-ARC", "SHIFT")

    def __init__(self) -> None:
        """Import the library; `ImportError` if it is missing."""
        from nltk.parse import DependencyGraph, transitionparser

        self.graph: Callable[..., Any] = DependencyGraph
        self.library = transitionparser
        operation = transitionparser.Transition(self.algorithm)
        self.operations: dict[str, Callable[[Any], int | None]] = {
            "LEFT-ARC": lambda c: operation.left_arc(c, LABEL),
            "RIGHT-ARC": lambda c: operation.right_arc(c, LABEL),
            "SHIFT": operation.shift,
            "REDUCE": operation.reduce,
        }

    def version(self) -> str:
        """The installed release."""
        return f"nltk {version('nltk')}"

    def start(self, n: int) -> Any:
        """A configuration with the root on the stack."""
        return self.library.Configuration(self._depgraph((ROOT,) * n))

    def permissible(self, c: Any) -> list[str]:
        """The transitions that do not return -1; the methods change what they are given, so each gets a copy."""
        return [t for t in self.transitions if self.operations[t](_copied(c)) != -1]

    def apply(self, c: Any, t: str) -> Any:
        """The configuration after the transition."""
        after = _copied(c)
        self.operations[t](after)
        return after

    def is_terminal(self, c: Any) -> bool:
        """Whether the buffer is empty; `parse` continues until then."""
        return len(c.buffer) == 0

    def components(self, c: Any) -> dict[str, Sequence[int]]:
        """Stack and buffer."""
        return {"σ": list(c.stack), "β": list(c.buffer)}

    def arcs(self, c: Any) -> list[tuple[int, int]]:
        """The arcs so far."""
        return [(head, dependent) for head, _, dependent in c.arcs]

    def heads(self, c: Any) -> list[int | None]:
        """The heads as `parse` fills them in: 0 unless an arc says otherwise, and the last one if several do."""
        heads = dict.fromkeys(range(len(c._tokens)), ROOT)
        heads |= {dependent: head for head, _, dependent in c.arcs}
        return [heads[word] for word in range(1, len(c._tokens))]

    def accepts(self, heads: Heads) -> bool:
        """Whether NLTK considers the tree projective; it leaves other graphs out of training."""
        is_projective: bool = self.library.TransitionParser(self.algorithm)._is_projective(self._depgraph(heads))
        return is_projective

    def oracle(self, heads: Heads) -> Iterator[str]:
        """The transitions that NLTK would train on, for as long as it continues.

        A single call produces the examples and may never return, so it is repeated for more and more of them.
        """
        done = 0
        for enough in (2**k for k in count(3)):
            keys, ended = self._examples(heads, enough)
            yield from (_NAMES[key.partition(":")[0]] for key in keys[done:])
            if ended:
                return
            done = len(keys)

    def _examples(self, heads: Heads, enough: int) -> tuple[list[str], bool]:
        """The keys of the first examples, and whether these are all of them."""
        keys: list[str] = []

        def write(key: str, *_: object) -> None:
            if len(keys) == enough:
                raise _Enough
            keys.append(key)

        parser = self.library.TransitionParser(self.algorithm)
        parser._write_to_file, parser._convert_to_binary_features = write, str
        try:
            with redirect_stdout(io.StringIO()):
                self._create_examples(parser)([self._depgraph(heads)], None)
        except _Enough:
            return keys, False
        return keys, True

    def _create_examples(self, parser: Any) -> Callable[..., object]:
        made: Callable[..., object] = parser._create_training_examples_arc_std
        return made

    def _depgraph(self, heads: Heads) -> Any:
        graph = self.graph()
        for word, head in enumerate(heads, 1):
            graph.add_node({"address": word, "word": f"w{word}", "tag": "X", "head": head, "rel": LABEL})
        return graph


class ArcEager(ArcStandard):
    """NLTK's `TransitionParser("arc-eager")` and its oracle."""

    figure = "arc-eager"
    algorithm = "arc-eager"
    transitions = ("LEFT-ARC", "RIGHT-ARC", "REDUCE", "SHIFT")

    def _create_examples(self, parser: Any) -> Callable[..., object]:
        made: Callable[..., object] = parser._create_training_examples_arc_eager
        return made


class _Enough(Exception):
    """Raised when enough examples have been produced."""


_NAMES: Final = {"LEFTARC": "LEFT-ARC", "RIGHTARC": "RIGHT-ARC", "SHIFT": "SHIFT", "REDUCE": "REDUCE"}


def _copied(c: Any) -> Any:
    """A copy that shares nothing that transitions change."""
    found = copy(c)
    found.stack, found.buffer, found.arcs = copy(c.stack), copy(c.buffer), copy(c.arcs)
    return found


DRIVERS: Final = (ArcStandard, ArcEager)
