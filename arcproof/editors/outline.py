"""What a text declares and where, as far as its lines can be read: errors elsewhere do not matter."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from lark import Token, Tree

from arcproof.editors.words import words
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import Place
from arcproof.transitions.reading.read import LARGEST_FILE, with_newlines
from arcproof.transitions.reading.resolve import Branch, place_of, token_of
from arcproof.transitions.reading.spelling import canonical
from arcproof.transitions.reading.statements import Statement, TooLong, Unread, statements

Role: TypeAlias = Literal["component", "parameter", "transition", "oracle", "dynamic", "measure"]

_COMPONENT: Final = re.compile(rf"\b(?:{'|'.join(words().kinds)})[ \t]+([A-Za-zͰ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉]*'*)")
_ARROW: Final = re.compile("=>|⇒")
_DECLARING: Final[dict[str, Role]] = {
    "parameter": "parameter",
    "rule": "transition",
    "oracle": "oracle",
    "dynamic": "dynamic",
    "measure": "measure",
}


@dataclass(frozen=True)
class Declaration:
    """A declared name: what it names, where it is declared, and the text of the declaration."""

    role: Role
    name: str
    where: Place
    text: str


@dataclass(frozen=True)
class Outline:
    """The statements of a text and what they declare; a transition is declared by each of its cases."""

    lines: tuple[str, ...]
    items: tuple[Statement | Unread, ...]
    declared: tuple[Declaration, ...]

    def find(self, name: str, *roles: Role) -> list[Declaration]:
        """The declarations of a name, whether spelled in Greek letters or spelled out."""
        return [one for one in self.declared if one.role in roles and one.name == _canonical(name, one.role)]

    def names(self, *roles: Role) -> list[str]:
        """The declared names, without repetition."""
        return list(dict.fromkeys(one.name for one in self.declared if one.role in roles))

    def item_at(self, line: int) -> Statement | Unread | None:
        """The statement that contains a line."""
        before = [item for item in self.items if item.where.line <= line]
        return before[-1] if before and line <= _last_line(before[-1]) else None


def _canonical(name: str, role: Role) -> str:
    return name if role in ("transition", "oracle", "dynamic") else canonical(name)


def outline(text: str) -> Outline:
    """The outline of a text; empty if the text is too long."""
    return _outline(with_newlines(text))


@lru_cache(maxsize=16)
def _outline(text: str) -> Outline:
    lines = tuple(text.split("\n"))
    try:
        items = tuple(statements(text)) if len(text) <= LARGEST_FILE else ()
    except TooLong:
        items = ()
    return Outline(lines, items, tuple(one for item in items for one in _declarations(item, lines)))


def _declarations(item: Statement | Unread, lines: tuple[str, ...]) -> Iterator[Declaration]:
    if isinstance(item, Unread):
        yield from _guessed(item, lines)
    elif item.rule == "state":
        for part in item.tree.children:
            assert isinstance(part, Tree)
            token = token_of(part.children[1])
            yield Declaration("component", canonical(token), place_of(token), written(part, lines))
    elif item.rule in _DECLARING:
        role, token = _DECLARING[item.rule], token_of(item.tree.children[0])
        if token != "none" or role != "oracle":
            yield Declaration(role, _canonical(token, role), place_of(token), written(item.tree, lines))


def _guessed(item: Unread, lines: tuple[str, ...]) -> Iterator[Declaration]:
    """What a line that cannot be read seems to declare."""
    line = lines[item.where.line - 1]
    if item.rule == "state":
        for found in _COMPONENT.finditer(line):
            where = Place(item.where.line, found.start(1) + 1, found.end(1) + 1)
            yield Declaration("component", canonical(found[1]), where, found[0])
    elif item.rule == "rule" and item.word and _ARROW.search(line):
        where = Place(item.where.line, item.where.column, item.where.column + len(item.word))
        yield Declaration("transition", item.word, where, line.strip())


def written(part: Branch, lines: tuple[str, ...]) -> str:
    """A part of a statement as written in the text, without the indentation of its lines."""
    meta = part.meta
    if meta.line == meta.end_line:
        return lines[meta.line - 1][meta.column - 1 : meta.end_column - 1]
    first, *inside = lines[meta.line - 1 : meta.end_line]
    inside[-1] = inside[-1][: meta.end_column - 1]
    return "\n".join([first[meta.column - 1 :], *(f"    {line.strip()}" for line in inside)])


def tokens(item: Statement) -> Iterator[Token]:
    """The tokens of a statement."""
    return item.tree.scan_values(lambda part: isinstance(part, Token))


def branches_at(tree: Branch, line: int, column: int) -> list[Branch]:
    """The parts of a statement that cover a place, from the innermost out."""
    meta = tree.meta
    if meta.empty or not (meta.line, meta.column) <= (line, column) < (meta.end_line, meta.end_column):
        return []
    inside = (branches_at(part, line, column) for part in tree.children if isinstance(part, Tree))
    return [*next(filter(None, inside), []), tree]


def _last_line(item: Statement | Unread) -> int:
    return item.where.line if isinstance(item, Unread) else max(item.where.line, getattr(item.tree.meta, "end_line", 0))
