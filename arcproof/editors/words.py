"""The words of the language by kind, read off the grammar and the vocabulary, for highlighting and completion.

There are no separate lists: a word added to the grammar is highlighted and completed without further changes.
"""

import re
from functools import cache
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS
from arcproof.transitions.printing.reference import grammar_text, groups, terminals
from arcproof.transitions.reading.resolve import NODE_CONDITIONS, NODE_FUNCTIONS
from arcproof.transitions.reading.vocabulary import (
    ADJECTIVES,
    BASES,
    GRAPH_ADJECTIVES,
    GRAPH_MEASURES,
    HEADINGS,
    MEASURES,
)

CLAIMS: Final = "claims"
_LITERAL: Final = re.compile(r'"([a-z][a-z-]*)"')
_SPELLED: Final = re.compile(r"`([^`]+)`")
_SIGN: Final = re.compile(r'"([^"\sA-Za-z]+)"')

OPERATORS: Final = ("QUANTIFIER", "AND", "OR", "NOT", "IN")
"""Terminals that stand for logical words or signs."""
KINDS: Final = ("SEQUENCE_KIND", "VALUE_KIND")
CONSTANTS: Final = ("TRUTH", "INFINITY")

FUNCTIONS: Final = (*NODE_CONDITIONS, *NODE_FUNCTIONS, *LOSS_FUNCTIONS)
CLASS_WORDS: Final = tuple(dict.fromkeys((*ADJECTIVES, *GRAPH_ADJECTIVES, *MEASURES, *GRAPH_MEASURES, *BASES)))


@dataclass(frozen=True)
class LanguageWords:
    """The words of the language; every word of the grammar is in at least one of these."""

    headings: tuple[str, ...]
    keywords: tuple[str, ...]
    """The words of statements other than claims."""
    claims: tuple[str, ...]
    """The words of claims."""
    kinds: tuple[str, ...]
    operators: tuple[str, ...]
    constants: tuple[str, ...]
    functions: tuple[str, ...]
    classes: tuple[str, ...]
    signs: tuple[str, ...]
    """The signs, longest first."""

    @property
    def all(self) -> frozenset[str]:
        """All words, without signs."""
        named = (self.headings, self.keywords, self.claims, self.kinds, self.operators, self.constants, self.functions)
        return frozenset(word for words in (*named, self.classes) for word in words if word[0].isalnum())


@cache
def words() -> LanguageWords:
    """Collect the words of `grammar.lark`."""
    text = grammar_text()
    literals = {group.title: set(_LITERAL.findall("\n".join(group.lines))) for group in groups(text)[:-1]}
    claims = literals.pop(CLAIMS)
    others = set().union(*literals.values())
    by_terminal = {name: spellings(name) for name in terminals(text)}
    named = {word for words in by_terminal.values() for word in words if word[0].isalpha()}
    special = {word for name in (*OPERATORS, *KINDS, *CONSTANTS) for word in by_terminal[name]}
    plain = {word for word in named - special if len(word) > 1}
    signs = {sign for words in by_terminal.values() for sign in words if not sign[0].isalpha()}
    signs |= set(_SIGN.findall("\n".join(line for group in groups(text)[:-1] for line in group.lines)))
    return LanguageWords(
        headings=HEADINGS,
        keywords=_sorted((others - set(HEADINGS) - special) | (plain - claims - set(by_terminal["STRENGTH"]))),
        claims=_sorted((claims - special) | set(by_terminal["STRENGTH"])),
        kinds=_of(KINDS),
        operators=_of(OPERATORS),
        constants=_of(CONSTANTS),
        functions=tuple(dict.fromkeys(FUNCTIONS)),
        classes=CLASS_WORDS,
        signs=tuple(sorted(signs, key=lambda sign: (-len(sign), sign))),
    )


@cache
def spellings(terminal: str) -> tuple[str, ...]:
    """The words and signs in which a terminal of the grammar can be written; none if it is a pattern of characters."""
    spelled = terminals(grammar_text()).get(terminal, "pattern")
    return () if spelled.startswith("pattern") else tuple(_SPELLED.findall(spelled.replace("`\\|`", "`|`")))


def _of(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for name in names for word in spellings(name))


def _sorted(words: set[str]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-len(word), word)))
