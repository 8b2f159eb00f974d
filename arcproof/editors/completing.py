"""What may be written at a position in a text: the parser of the language says which words can come next."""

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from arcproof.editors.outline import Outline, Role, outline
from arcproof.editors.words import spellings, words
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import Place
from arcproof.transitions.library import system_names
from arcproof.transitions.printing.reference import BASE_MEANINGS, doc, meanings
from arcproof.transitions.reading.resolve import NODE_CONDITIONS, NODE_FUNCTIONS
from arcproof.transitions.reading.spelling import canonical
from arcproof.transitions.reading.statements import CONTINUING, FORMS, Following, following, spelling_of
from arcproof.transitions.reading.vocabulary import ADJECTIVES, GRAPH_ADJECTIVES, GRAPH_MEASURES, HEADINGS, MEASURES

CompletionWordKind: TypeAlias = Literal["keyword", "function", "class", "variable", "system"] | Role

_PARTIAL: Final = re.compile(r"(?:#|[0-9]-)?[A-Za-zͰ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉]*'*(?:-[A-Za-z0-9]+)*-?$|#$|[0-9]-?$")
_NAME: Final = re.compile(r"[A-Za-zͰ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉]*'*")
_KNOWS_GOLD: Final = ("oracle_line", "cost_line")
_ABOUT_GOLD: Final = ("complete", *(name for name in NODE_FUNCTIONS if name != "degree"))
_OF_AN_ORACLE: Final = re.compile(r"\s*invariant\s+of\b")
_TRANSITION: Final = re.compile(r"^\s*(?:cost\s+)?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class CompletionWord:
    """A word that may be written at a position, its kind, and a line that explains it."""

    word: str
    kind: CompletionWordKind
    detail: str = ""


@dataclass(frozen=True)
class Suggestions:
    """The place of the word being typed, and the words that may replace it."""

    where: Place
    found: tuple[CompletionWord, ...]


def suggestions_at(text: str, line: int, column: int) -> Suggestions:
    """The words allowed at a place, counted from 1 in characters; the editor picks those that match what has been
    typed.
    """
    known = outline(text)
    lines = list(known.lines[:line])
    if len(lines) < line:
        return Suggestions(Place(line, column, column), ())
    whole = lines[-1][: column - 1]
    begun = _PARTIAL.search(whole)
    start = len(whole) if begun is None else begun.start()
    lines[-1] = whole[:start]
    asked = following("\n".join(lines))
    found = () if asked is None else _suggested(asked, known, whole[:start])
    return Suggestions(Place(line, start + 1, column), tuple(dict.fromkeys(found)))


def _suggested(asked: Following, known: Outline, before: str) -> Iterator[CompletionWord]:
    knows_gold = asked.rule in _KNOWS_GOLD or _OF_AN_ORACLE.match(before) is not None
    for terminal in sorted(asked.accepted):
        match terminal:
            case "GOLD" if not knows_gold:
                pass
            case "TRANSITION":
                yield from _transitions(known)
            case "COUNT":
                yield from _transitions(known, "#") if asked.rule == "claim" else ()
            case "CLASS_WORD":
                yield from _classes("with" in before.split())
            case "SYSTEM_REFERENCE":
                yield from (CompletionWord(name, "system", "built-in") for name in system_names())
            case "SYSTEM_NAME":
                yield from _oracles(asked.rule, known)
            case "NAME":
                yield from _functions(knows_gold) if "NOT" in asked.accepted else ()
                yield from _names(asked.rule, known, before)
            case _:
                yield from (CompletionWord(word, "keyword") for word in _spelled(terminal))
    if asked.begins:
        yield from (CompletionWord(word, "keyword", FORMS[word]) for word in HEADINGS)
        words = (spelled for name in sorted(asked.continuing) for spelled in _spelled(name))
        yield from (CompletionWord(word, "keyword") for word in words if word in CONTINUING)


def _spelled(terminal: str) -> tuple[str, ...]:
    """The words of a terminal, without symbols: they are quicker to type than to choose."""
    if terminal.startswith("$"):
        return ()
    one = spelling_of(terminal)
    spelled = spellings(terminal) if one is None else (one,)
    return tuple(word for word in spelled if word[0].isascii() and word[0].isalpha())


def _transitions(known: Outline, sign: str = "") -> Iterator[CompletionWord]:
    for one in known.declared:
        if one.role == "transition":
            yield CompletionWord(f"{sign}{one.name}", "transition", one.text.split("\n")[0])


def _oracles(rule: str, known: Outline) -> Iterator[CompletionWord]:
    """The oracles that a claim or an invariant may refer to; none for a new oracle, which needs a new name."""
    if rule == "oracle":
        yield CompletionWord("none", "keyword", FORMS["oracle"])
    elif rule in ("claim", "invariant"):
        role: Role = "dynamic" if rule == "claim" else "oracle"
        yield from (CompletionWord(name, role) for name in known.names(role))


def _classes(measured: bool) -> Iterator[CompletionWord]:
    words = MEASURES | GRAPH_MEASURES if measured else ADJECTIVES | GRAPH_ADJECTIVES
    yield from (CompletionWord(word, "class", meaning) for word, meaning in words.items())
    if not measured:
        yield from (CompletionWord(word, "class", " ".join(meaning.split())) for word, meaning in BASE_MEANINGS.items())


def _functions(knows_gold: bool) -> Iterator[CompletionWord]:
    for name in (*NODE_CONDITIONS, *NODE_FUNCTIONS):
        if knows_gold or name not in _ABOUT_GOLD:
            said = next((meaning for meaning in meanings("call") if meaning.startswith(f"`{name}(")), "")
            yield CompletionWord(name, "function", said)


def _names(rule: str, known: Outline, before: str) -> Iterator[CompletionWord]:
    """Declared names, and those that the line has used so far."""
    if rule in ("state", "parameter"):
        return
    roles: tuple[Role, ...] = ("parameter",) if rule == "claim" else ("component", "parameter")
    yield from (CompletionWord(one.name, one.role, one.text) for one in known.declared if one.role in roles)
    if rule in ("claim", "measure"):
        yield CompletionWord("n", "variable", doc(s.Words))
    taken = {*known.names("component", "parameter"), *words().all}
    for found in _NAME.finditer(_TRANSITION.sub("", before)) if rule in ("rule", *_KNOWS_GOLD) else ():
        if canonical(found[0]) not in taken:
            yield CompletionWord(canonical(found[0]), "variable", doc(s.Variable))
