"""The meaning (hover) and the declaration (go to definition) of what is at a position in a text.

The meanings are those of the reference of the language (`printing.reference`) and of the vocabulary.  A line that
cannot be read is handled word by word.
"""

import re
from pathlib import Path
from typing import Final

from lark import Token

from arcproof.editors.outline import Declaration, Outline, Role, branches_at, outline, tokens
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification, Place
from arcproof.transitions.gold import GOLD_FUNCTIONS
from arcproof.transitions.library import SUFFIX, source_of, system_names
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS
from arcproof.transitions.printing.notation import SOURCE, start_text
from arcproof.transitions.printing.reference import BASE_MEANINGS, MEANS, doc, meanings
from arcproof.transitions.reading.check import dropped
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.reading.resolve import RESERVED, Branch, place_of
from arcproof.transitions.reading.spelling import canonical, is_greek
from arcproof.transitions.reading.statements import FORMS, Statement, code_of
from arcproof.transitions.reading.vocabulary import ADJECTIVES, GRAPH_ADJECTIVES, GRAPH_MEASURES, HEADINGS, MEASURES

_WORD: Final = re.compile(r"#?[0-9]?[A-Za-zͰ-Ͽ0-9₀-₉]+'*(?:-[A-Za-z0-9]+)*")
_PART: Final = re.compile(r"[A-Za-zͰ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉]*'*")
_IF: Final = re.compile(r"if\b")
_BY_TYPE: Final[dict[str, tuple[Role, ...]]] = {
    "TRANSITION": ("transition",),
    "COUNT": ("transition",),
    "NAME": ("component", "parameter", "measure"),
    "SYSTEM_NAME": ("oracle", "dynamic"),
}
_ANY: Final[tuple[Role, ...]] = ("transition", "component", "parameter", "oracle", "dynamic", "measure")


@dataclass(frozen=True)
class HoverText:
    """A text about what is at a position, in Markdown."""

    where: Place
    text: str


@dataclass(frozen=True)
class Destination:
    """Where something is declared; `path` is None if that is in the same text."""

    where: Place
    path: Path | None = None


def meaning_at(text: str, line: int, column: int) -> HoverText | None:
    """The meaning of what is at a position, counted from 1 in characters; None if there is nothing to say."""
    known = outline(text)
    item = known.item_at(line)
    if _is_comment(known, line, column):
        return None
    if not isinstance(item, Statement):
        return _of_word(text, known, line, column)
    token = _token_at(item, line, column)
    inside = branches_at(item.tree, line, column)
    said = None if token is None else _of_token(text, known, item, token)
    if token is not None and said:
        return HoverText(place_of(token), said)
    return _of_construct(known, inside, line, column)


def targets_at(text: str, line: int, column: int, folder: Path | None = None) -> list[Destination]:
    """The places where a name at a position is declared; files that claims name are looked up in `folder`."""
    known = outline(text)
    item = known.item_at(line)
    if _is_comment(known, line, column):
        return []
    if not isinstance(item, Statement):
        found = (known.find(word.removeprefix("#"), *_ANY) for word, _ in _words_at(known, line, column))
        return [Destination(one.where) for one in next(filter(None, found), [])]
    token = _token_at(item, line, column)
    if token is None:
        return []
    if token.type == "SYSTEM_REFERENCE":
        return _file_of(str(token).partition("[")[0], folder)
    declared = known.find(token.removeprefix("#"), *_roles(item, token))
    if declared:
        return [Destination(one.where) for one in declared]
    bound = token.type == "NAME" and canonical(token) not in RESERVED
    return [Destination(place_of(_binder(item, token)))] if bound and not _is_called(item, token) else []


def _roles(item: Statement, token: Token) -> tuple[Role, ...]:
    """What a name at this position can refer to."""
    if token.type == "SYSTEM_NAME" and item.rule == "claim":
        return ("dynamic",)
    return _BY_TYPE.get(token.type, ())


def _binder(item: Statement, token: Token) -> Token:
    """The first occurrence of a name in a statement: patterns and quantifiers come before uses of their names."""
    return next(one for one in tokens(item) if one.type == "NAME" and canonical(one) == canonical(token))


def _file_of(name: str, folder: Path | None) -> list[Destination]:
    """The file of a system that a claim refers to."""
    from importlib.resources import files

    if name in system_names():
        path = Path(str(files("arcproof.transitions.systems").joinpath(f"{name}{SUFFIX}")))
    else:
        path = (folder or Path()) / name
    return [Destination(Place(1, 1, 1), path)] if path.is_file() else []


# --- hover texts -----------------------------------------------------------------------------------------------------


def _of_token(text: str, known: Outline, item: Statement, token: Token) -> str:
    match token.type:
        case "CLASS_WORD":
            return _of_class(str(token))
        case "SYSTEM_REFERENCE":
            return _of_system(str(token).partition("[")[0])
        case "NAME" if _is_called(item, token):
            return _of_function(str(token))
    declared = known.find(token.removeprefix("#"), *_roles(item, token))
    if declared:
        return _of_declared(text, declared)
    return _of_name(canonical(token)) if token.type == "NAME" else ""


def _is_called(item: Statement, token: Token) -> bool:
    """Whether a token is the name of a function."""
    calls = item.tree.find_pred(lambda part: part.data in ("call", "loss_line"))
    return any(part.children[0] is token for part in calls)


def _of_function(name: str) -> str:
    said = [meaning for meaning in meanings("call") if meaning.startswith(f"`{name}(")]
    if name in GOLD_FUNCTIONS:
        return f"`{name}(i)`: {GOLD_FUNCTIONS[name].meaning}"
    if name in LOSS_FUNCTIONS:
        function = LOSS_FUNCTIONS[name]
        return f"`loss {name}({', '.join(function.parameters)})`: {function.meaning}"
    return said[0] if said else ""


def _of_class(word: str) -> str:
    """The meaning of a word for classes: forests and trees, or graphs."""
    for base, meaning in BASE_MEANINGS.items():
        if word == base:
            return " ".join(meaning.split())
    said = {known[word]: None for known in (ADJECTIVES, MEASURES, GRAPH_ADJECTIVES, GRAPH_MEASURES) if word in known}
    return "\n\n".join(f"`{word}`: {meaning}" for meaning in said)


def _of_system(name: str) -> str:
    """The citation of a built-in system."""
    if name not in system_names():
        return ""
    cite = read_figure(source_of(name), name).cite
    return f"The built-in system `{name}`: {cite}"


def _of_declared(text: str, declared: list[Declaration]) -> str:
    first = declared[0]
    shown = "\n".join(one.text for one in declared)
    said = [f"```arcproof\n{shown}\n```"]
    try:
        figure = read_figure(text)
    except BadSpecification:
        figure = None
    match first.role:
        case "transition":
            said += [meanings("rule")[0]]
            rules = [rule for rule in figure.rules if rule.name == first.name] if figure is not None else []
            said += [f"{rule.name} drops {', '.join(dropped(rule))}" for rule in rules if dropped(rule)]
        case "component":
            if figure is not None:
                starts = dict(zip((part.name for part in figure.state), figure.start, strict=True))
                said += [f"{first.name} starts as `{start_text(starts[first.name], SOURCE)}`"]
            said += meanings("state")
        case "parameter" | "oracle" | "dynamic" | "measure":
            said += meanings(first.role)
    return "\n\n".join(said)


def _of_name(name: str) -> str:
    """The meaning of an undeclared name: one that is built into the language, or one that its statement binds."""
    if name == "n":
        return doc(s.Words)
    if name in RESERVED:
        return f"`{name}` {RESERVED[name]}"
    return f"`{name}`: {doc(s.Segment if is_greek(name) else s.Variable)}"


def _of_construct(known: Outline, inside: list[Branch], line: int, column: int) -> HoverText | None:
    """The innermost construct around a place for which the reference has a text."""
    word = next((found for found in _words_at(known, line, column)), None)
    if word is not None and _IF.fullmatch(word[0]):
        return HoverText(word[1], _sentences("conditions"))
    for part in inside:
        if str(part.data) in MEANS and meanings(str(part.data)):
            where = place_of(part) if word is None else word[1]
            return HoverText(where, _sentences(str(part.data)))
    return None


def _sentences(rule: str) -> str:
    said = meanings(rule)
    form = [f"`{FORMS[rule]}`"] if rule in HEADINGS else []
    return "\n\n".join([*form, *said])


def _of_word(text: str, known: Outline, line: int, column: int) -> HoverText | None:
    """What can be said about a word in a line that cannot be read."""
    for word, where in _words_at(known, line, column):
        declared = known.find(word.removeprefix("#"), *_ANY)
        if declared:
            return HoverText(where, _of_declared(text, declared))
        said = _sentences(word) if word in HEADINGS else _of_class(word) or _of_function(word)
        if said:
            return HoverText(where, said)
    return None


# --- places ----------------------------------------------------------------------------------------------------------


def _token_at(item: Statement, line: int, column: int) -> Token | None:
    """The token at a place, or the one that ends there."""
    here = [one for one in tokens(item) if one.line == line and (one.column or 1) <= column <= (one.end_column or 1)]
    return next((one for one in here if column < (one.end_column or 1)), here[-1] if here else None)


def _words_at(known: Outline, line: int, column: int) -> list[tuple[str, Place]]:
    """The words at a place: the hyphenated word, and the part between hyphens."""
    text = known.lines[line - 1] if line <= len(known.lines) else ""
    return [
        (found[0], Place(line, found.start() + 1, found.end() + 1))
        for pattern in (_WORD, _PART)
        for found in pattern.finditer(text)
        if found.start() + 1 <= column <= found.end() + 1
    ]


def _is_comment(known: Outline, line: int, column: int) -> bool:
    return line > len(known.lines) or column > len(code_of(known.lines[line - 1])) + 1
