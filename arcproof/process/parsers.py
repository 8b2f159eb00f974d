"""Parsers from grammars: their tables are computed once per computer and cached as JSON.

Computing them takes longer than reading most figures.  The cache key covers the text of the grammar, the options and
the version of Lark; what cannot be read is recomputed.  Tables decide what a figure means, so they are taken only from
a file that nobody else can write to (`process.cache`), and under a digest that shows damage.  Lark turns them only into
rules, terminals and numbers, and anything it could call is supplied here.

Lark compiles one regular expression for each set of terminals that may come next; that took longer than the matching
itself.  Here each terminal is compiled once, and those of a set are tried one after the other, in the same order.
"""

import hashlib
import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import BasicLexer, ContextualLexer, Scanner, TerminalDef, _create_unless

from arcproof.process.cache import cache_folder, trusted_bytes
from arcproof.process.replacing import replaced

VERSIONS_KEPT: Final = 8


class _Scanner(Scanner):
    """Tries these terminals one after the other."""

    def _build_mres(self, terminals: Any, _max_size: int) -> list[re.Pattern[str]]:
        return [_pattern(terminal.name, terminal.pattern.to_regexp(), self.g_regex_flags) for terminal in terminals]


@cache
def _pattern(name: str, text: str, flags: int) -> re.Pattern[str]:
    return re.compile(f"(?P<{name}>{text})", flags)


class _Terminals(BasicLexer):
    """Finds the terminals that may come next in a state of the parser."""

    def _build_scanner(self) -> Scanner:
        options = (self.g_regex_flags, self.re, self.use_bytes)
        terminals, self.callback = _create_unless(self.terminals, *options)  # type: ignore[no-untyped-call]
        self._scanner = _Scanner(terminals, *options)  # type: ignore[no-untyped-call]
        return self._scanner


class _Lexer(ContextualLexer):
    BasicLexer = _Terminals


_PLUGINS: Final = {"ContextualLexer": _Lexer}
_NOTHING_CALLED: Final[dict[str, Any]] = {
    "postlex": None,
    "transformer": None,
    "lexer_callbacks": {},
    "tree_class": None,
    "regex": False,
    "use_bytes": False,
    "debug": False,
    "g_regex_flags": 0,
}
"""Options of Lark that would name something to call, or another way to match; they are never taken from tables."""


def parser_of(grammar: str, **options: Any) -> Lark:
    """Return the LALR parser of a grammar."""
    settings = {"parser": "lalr", "propagate_positions": True, **options}
    key = hashlib.sha256(json.dumps([__version__, grammar, settings]).encode()).hexdigest()[:24]
    folder = cache_folder("grammars")
    path = None if folder is None else folder / f"{key}.json"
    if path is not None:
        with suppress(Exception):
            return _from_tables(_undamaged(trusted_bytes(path), key))
    tables = json.dumps(Lark(grammar, **settings).memo_serialize([TerminalDef, Rule])).encode()
    if path is not None:
        with suppress(OSError):
            _keep(path, _digest(tables, key) + b"\n" + tables)
    return _from_tables(tables)


def _digest(tables: bytes, key: str) -> bytes:
    return hashlib.sha256(key.encode() + tables).hexdigest().encode()


def _undamaged(content: bytes, key: str) -> bytes:
    digest, _, tables = content.partition(b"\n")
    if digest != _digest(tables, key):
        raise ValueError("damaged")
    return tables


def _keep(path: Path, content: bytes) -> None:
    replaced(path, content)
    for old in sorted(path.parent.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-VERSIONS_KEPT]:
        old.unlink()


def _from_tables(content: bytes) -> Lark:
    data, memo = json.loads(content, object_pairs_hook=_with_numbers)
    found: Lark = Lark._load_from_dict(data, memo, _plugins=_PLUGINS, **_NOTHING_CALLED)  # type: ignore[no-untyped-call]
    return found


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """Turn keys back into the numbers of states: JSON keys are strings."""
    return {int(key) if key.isdecimal() else key: value for key, value in pairs}
