"""spaCy's `ArcEager` with its dynamic oracle, and `nonproj`, which makes trees projective and restores them.

The system is arc-eager without a root, made non-monotonic (Honnibal & Johnson 2015): arcs may be replaced, and a word
that is reduced without a head returns to the buffer.  The built-in figure says what the docstrings of `arc_eager.pyx`
say.  A cost counts the gold arcs that can no longer be built.  `projectivize` requires a connected tree, and a second
root begins a second sentence, so gold trees have one root.

Tried with spacy 3.8.18.
"""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, ClassVar, Final

from arcproof.transitions.graph import ROOT, Heads

LABEL: Final = "dep"
ROOT_LABEL: Final = "ROOT"


class DependencyParser:
    """spaCy's `ArcEager` with one label, its costs, and `nonproj`."""

    figure: ClassVar[str] = "spacy"
    requires: ClassVar[str] = "spacy"
    golds: ClassVar[str] = "projective single-root trees"
    encodes: ClassVar[str] = "single-root trees"
    loss: ClassVar[str] = "missed arcs"
    headless: ClassVar[str] = "root"
    least_words: ClassVar[int] = 1
    not_modelled: ClassVar[tuple[str, ...]] = (
        "the marks of words that may not be shifted again or that begin a sentence: they show in what is permissible",
        "the cost of BREAK, which counts sentence boundaries too",
        "several sentences in one document",
        "gold graphs with cycles, on which the oracle may hang",
    )

    def __init__(self) -> None:
        """Import the library; `ImportError` if it is missing."""
        from spacy.pipeline._parser_internals import nonproj
        from spacy.pipeline._parser_internals.arc_eager import ArcEager
        from spacy.tokens import Doc
        from spacy.training import Example
        from spacy.vocab import Vocab

        self.document, self.example, self.nonproj = Doc, Example, nonproj
        self.vocab = Vocab()
        self.moves = ArcEager(self.vocab.strings, ArcEager.get_actions())
        self._gold = cache(self._gold_of)

    def version(self) -> str:
        """The installed release."""
        return f"spacy {version('spacy')}"

    def start(self, n: int) -> Any:
        """The state of a document that has not been parsed."""
        return self.moves.init_batch([self._doc(n)])[0]

    def permissible(self, c: Any) -> list[int]:
        """The numbers of the moves that are valid."""
        return [move for move in range(self.moves.n_moves) if self.moves.is_valid(c, move)]

    def name(self, t: int) -> str:
        """The move without its label."""
        return _NAMES[self.moves.get_class_name(t).partition("-")[0]]

    def apply(self, c: Any, t: int) -> Any:
        """The state after the move."""
        after = c.copy()
        self.moves.apply_transition(after, t)
        return after

    def is_terminal(self, c: Any) -> bool:
        """Whether nothing is left to do."""
        final: bool = c.is_final()
        return final

    def components(self, c: Any) -> dict[str, Sequence[int]]:
        """Stack and buffer; spaCy lists the top of the stack first."""
        return {"σ": [word + 1 for word in reversed(c.stack)], "β": [word + 1 for word in c.queue]}

    def arcs(self, c: Any) -> list[tuple[int, int]]:
        """The arcs so far."""
        return [(arc["head"] + 1, arc["child"] + 1) for arc in c.arcs]

    def heads(self, c: Any) -> list[int | None]:
        """The heads as written into the document."""
        doc = self._doc(c.length)
        self.moves.set_annotations(c, doc)
        return _heads(doc)

    def accepts(self, heads: Heads) -> bool:
        """Whether there is no cycle."""
        return self.nonproj.contains_cycle(_offsets(heads)) is None

    def oracle(self, heads: Heads) -> Sequence[int]:
        """At each step, a move of the least cost."""
        sequence: Sequence[int] = self.moves.get_oracle_sequence(self._example(heads))
        return sequence

    def cost(self, c: Any, heads: Heads, t: int) -> int | None:
        """How many gold arcs the move loses."""
        if self.name(t) == "BREAK":
            return None
        gold = self._gold(heads)
        gold.update(c)
        return int(self.moves.get_cost(c, gold, t))

    def encode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        """`projectivize`."""
        projective, decorated = self.nonproj.projectivize(_offsets(heads), list(labels))
        return [ROOT if head == word else head + 1 for word, head in enumerate(projective)], decorated

    def decode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        """`deprojectivize`."""
        doc = self.nonproj.deprojectivize(self._doc(len(heads), heads=_offsets(heads), deps=list(labels)))
        return _heads(doc), [token.dep_ for token in doc]

    def _doc(self, n: int, **annotation: object) -> Any:
        return self.document(self.vocab, words=[f"w{word}" for word in range(1, n + 1)], **annotation)

    def _example(self, heads: Heads) -> Any:
        labels = [ROOT_LABEL if head == ROOT else LABEL for head in heads]
        return self.example(self._doc(len(heads)), self._doc(len(heads), heads=_offsets(heads), deps=labels))

    def _gold_of(self, heads: Heads) -> Any:
        return self.moves.init_gold(self.start(len(heads)), self._example(heads))


_NAMES: Final = {"S": "SHIFT", "D": "REDUCE", "L": "LEFT-ARC", "R": "RIGHT-ARC", "B": "BREAK"}


def _offsets(heads: Heads) -> list[int]:
    """The heads counted from 0, as spaCy counts them; a root is its own head."""
    return [word if head in (ROOT, None) else head - 1 for word, head in enumerate(heads)]


def _heads(doc: Any) -> list[int | None]:
    return [ROOT if token.head.i == token.i else token.head.i + 1 for token in doc]


DRIVERS: Final = (DependencyParser,)
