"""How a specification is highlighted: rules in contexts, as data, from the words of the language (`words`).

A TextMate grammar (`textmate`) and a Pygments lexer (`pygments_lexer`) are made of them.  A pattern means the same in
Python's `re` and in Oniguruma, and never looks beyond its line.  What no rule matches is invalid: a symbol that the
language does not have, and in claims also an unknown word.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

from arcproof.editors.words import words
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.reading.statements import CONTINUING

Look: TypeAlias = Literal[
    "blank", "comment", "heading", "keyword", "claim", "kind", "operator", "constant", "function", "class", "number", "string",
    "transition", "label", "system", "sequence", "node", "sign", "invalid",
]  # fmt: skip
"""The look of a piece of text."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression and the looks of its groups, which cover the whole match; without groups, the look of the
    match.

    `enters` is the context that begins after it.
    """

    regex: str
    looks: tuple[Look, ...]
    enters: str | None = None


@dataclass(frozen=True)
class Context:
    """Patterns, tried in this order at every place; the context ends before a match of `until`."""

    patterns: tuple[Pattern, ...]
    until: str = ""


ROOT: Final = "root"
_BLANK: Final = r"[^\S\n]"
_NAME: Final = r"[A-Za-zͰ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉]*'*"
_LATIN: Final = r"[A-Za-z][A-Za-zͰ-Ͽ0-9₀-₉]*'*"
_GREEK: Final = r"[Ͱ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉]*'*"
_HYPHENED: Final = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_REFERENCE: Final = rf"(?:[^\s\[\],\"]+\.tsys|{_HYPHENED})(?:\[[^\]\n]*\])?"
_WITNESS: Final = rf"[0-9]+>[0-9]+(?:{_BLANK}+[0-9]+>[0-9]+)*|[0-9]+(?:,[0-9]+)*"
_CONTINUED: Final = rf"{_BLANK}*(?:(?:{'|'.join(CONTINUING)}|using|by)\b|=>|⇒|,|\+|∧|∨|--|$)"
_LEMMA_WORDS: Final = re.compile(r'(?:"|/\(|(?<=[a-z])\|)([a-z]+)(?="|[|)])')

_COMMENT: Final = Pattern(r"--.*$", ("comment",))
_STRING: Final = Pattern(r'"[^"\n]*"', ("string",))
_BLANKS: Final = Pattern(rf"\n|{_BLANK}+", ("blank",))
_NUMBER: Final = Pattern(r"[0-9]+", ("number",))
_COUNT: Final = Pattern(rf"#{_HYPHENED}", ("transition",))
_NAMES: Final = (Pattern(_GREEK, ("sequence",)), Pattern(_LATIN, ("node",)))
_WRONG: Final = Pattern(r"\S", ("invalid",))


@cache
def contexts() -> dict[str, Context]:
    """All contexts; `ROOT` is where a text begins."""
    return {
        ROOT: Context((*_line_starts(), *_code())),
        "claims": Context(_claims(), rf"^(?={_BLANK}*{_any(words().headings)})"),
        "bound": Context(_bound(), r"(?=,|\band\b|--)|$"),
        "lemma": Context(_lemma(), rf"^(?!{_CONTINUED})"),
    }


def _line_starts() -> Iterable[Pattern]:
    """The patterns of what a statement begins with; their order matters."""
    begin = rf"^({_BLANK}*)"
    yield Pattern(rf"{begin}(claims)\b", ("blank", "heading"), "claims")
    yield Pattern(rf"{begin}(lemma)\b", ("blank", "heading"), "lemma")
    yield Pattern(rf"{begin}(oracle)({_BLANK}+)(none)\b", ("blank", "heading", "blank", "keyword"))
    named: tuple[Look, ...] = ("blank", "heading", "blank", "system")
    yield Pattern(rf"{begin}(system|oracle|dynamic)({_BLANK}+)({_HYPHENED})", named)
    yield Pattern(rf"{begin}(default)({_BLANK}+)({_HYPHENED})", ("blank", "heading", "blank", "transition"))
    of = rf"{begin}(invariant)({_BLANK}+)(of)({_BLANK}+)({_HYPHENED})"
    yield Pattern(of, ("blank", "heading", "blank", "keyword", "blank", "system"))
    yield Pattern(rf"{begin}{_any(words().headings, group=True)}", ("blank", "heading"))
    yield Pattern(rf"{begin}(loss)({_BLANK}+)({_NAME})", ("blank", "keyword", "blank", "function"))
    transition = rf"({_HYPHENED})(\()({_BLANK}*)({_NAME})({_BLANK}*)(\))"
    labelled: tuple[Look, ...] = ("transition", "sign", "blank", "label", "blank", "sign")
    yield Pattern(rf"{begin}(cost)({_BLANK}+){transition}", ("blank", "keyword", "blank", *labelled))
    yield Pattern(rf"{begin}(cost)({_BLANK}+)({_HYPHENED})", ("blank", "keyword", "blank", "transition"))
    other = rf"{begin}(?!{_any(CONTINUING)})"
    yield Pattern(rf"{other}{transition}", ("blank", *labelled))
    yield Pattern(rf"{other}({_HYPHENED})", ("blank", "transition"))


def _code() -> Iterable[Pattern]:
    """The inside of statements other than claims and lemmas."""
    known = words()
    yield from (_COMMENT, _STRING, _BLANKS)
    yield Pattern(rf"(-)({_BLANK}*)({_NAME})({_BLANK}*)(->|→)", ("sign", "blank", "label", "blank", "sign"))
    yield Pattern(rf"{_any(known.functions)}(?={_BLANK}*\()", ("function",))
    yield Pattern(_any(known.kinds), ("kind",))
    yield from _logic()
    yield Pattern(_any(known.keywords), ("keyword",))
    yield from (_NUMBER, _COUNT, *_NAMES, *_signs(), _WRONG)


def _claims() -> tuple[Pattern, ...]:
    known = words()
    system = rf"({_BLANK}+)({_REFERENCE})"
    oracle = rf"({_BLANK}+)({_HYPHENED})"
    return (
        _COMMENT,
        _BLANKS,
        Pattern(rf"\b(like){system}", ("claim", "blank", "system")),
        Pattern(rf"\b(equivalent)({_BLANK}+)(to){system}", ("claim", "blank", "claim", "blank", "system")),
        Pattern(rf"\b(exact|safe){oracle}", ("claim", "blank", "system")),
        Pattern(rf"\b(never)({_BLANK}+)(stuck){oracle}", ("claim", "blank", "claim", "blank", "system")),
        Pattern(rf"\b(witness)({_BLANK}+)({_WITNESS})", ("claim", "blank", "number")),
        Pattern(r"<=|>=|≤|≥|=|<|>|!=|≠", ("sign",), "bound"),
        Pattern(_any(known.classes), ("class",)),
        Pattern(_any(known.claims), ("claim",)),
        *_logic(),
        _COUNT,
        Pattern(",", ("sign",)),
        Pattern(r"[^\s,]+", ("invalid",)),
    )


def _bound() -> tuple[Pattern, ...]:
    """The patterns of a bound: a number, or a polynomial in n and parameters."""
    infinity = Pattern(_any(words().constants), ("constant",))
    return (_BLANKS, infinity, _NUMBER, _COUNT, *_NAMES, Pattern(r"[-+*/^²()|]", ("sign",)), _WRONG)


def _lemma() -> tuple[Pattern, ...]:
    """The patterns of the language of lemmas, which has words of its own."""
    text = files("arcproof.properties.proving.language").joinpath("lemmas.lark").read_text(encoding="utf-8")
    own = Pattern(_any(tuple(sorted(set(_LEMMA_WORDS.findall(text))))), ("keyword",))
    signs = Pattern(r"[<=>!|()\[\]{}:;,.+*/·→↔⇒⇔∀∃∧∨¬∈≠≤≥_#-]", ("sign",))
    return (_COMMENT, _STRING, _BLANKS, own, _NUMBER, *_NAMES, signs, _WRONG)


def _logic() -> tuple[Pattern, ...]:
    operators, constants = words().operators, words().constants
    return (Pattern(_any(operators), ("operator",)), Pattern(_any(constants), ("constant",)))


def _signs() -> tuple[Pattern, ...]:
    precedes = r"<_?G\b"
    return (Pattern(precedes, ("sign",)), Pattern("|".join(map(re.escape, words().signs)), ("sign",)))


def _any(spelled: tuple[str, ...], group: bool = False) -> str:
    """A regular expression for one of these words, longest first, and not part of another word; signs as they are."""
    letters = sorted((word for word in spelled if word[0].isascii()), key=lambda word: (-len(word), word))
    signs = [re.escape(word) for word in spelled if not word[0].isascii()]
    whole = rf"(?<![\w-])(?:{'|'.join(letters)})(?![\w'₀-₉-])"
    found = f"(?:{'|'.join([whole, *signs])})" if signs else whole
    return f"({found})" if group else found
