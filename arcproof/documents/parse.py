"""`arcproof parse --json`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Natural
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.classifiers.parser import Parser


@dataclass(frozen=True)
class ParsingJson:
    """What happened while parsing."""

    arcproof: str
    system: str
    treebank: str
    policy: Literal["permissible", "default"]
    """What is done if the predicted transition is not permissible."""
    sentences: Natural
    words: Natural
    transitions: Natural
    not_permissible: Natural
    """How often the predicted transition was not permissible."""
    default_refused: Natural
    """How often the default was not permissible either."""
    nothing_known: Natural
    """How often no transition seen in training was permissible."""
    not_ended: Natural
    """How many sentences have a run that did not reach a terminal configuration."""
    attached: Natural
    """How many words without a head were attached to the root."""
    seconds: float
    checked: Natural | None
    """How many runs the interpreter replayed; null without --check."""
    contradictions: tuple[str, ...] | None
    """The contradictions that the interpreter found; null without --check."""
    several_heads: bool | None = None
    """True if words may have several heads, so that graphs were written instead of trees."""


DOCUMENT: TypeAlias = ParsingJson


def document(parser: "Parser", treebank: str, seconds: float, wrong: Sequence[str] | None) -> ParsingJson:
    """Return the document with the counts of a parser; `wrong` is what the interpreter found, if it checked."""
    return ParsingJson(
        arcproof=__version__,
        system=parser.trained_system.name,
        treebank=treebank,
        policy=parser.policy,
        **asdict(parser.counts),
        seconds=seconds,
        checked=None if wrong is None else parser.counts.sentences,
        contradictions=None if wrong is None else tuple(wrong),
        several_heads=parser.reads_graphs or None,
    )
