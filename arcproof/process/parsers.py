"""Parsers from grammars: their tables are computed once on a computer and kept, as JSON.

To compute them takes longer than to read most figures.  What is kept goes with the text of the grammar, the options and the version of Lark; what
cannot be read is recomputed.
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import TerminalDef

from arcproof.process.cache import cache_folder, replaced

VERSIONS_KEPT: Final = 8


def parser_of(grammar: str, **options: Any) -> Lark:
    """The LALR parser of a grammar."""
    settings = {"parser": "lalr", "propagate_positions": True, **options}
    key = hashlib.sha256(json.dumps([__version__, grammar, settings]).encode()).hexdigest()[:24]
    folder = cache_folder("grammars")
    path = None if folder is None else folder / f"{key}.json"
    if path is not None:
        with suppress(Exception):
            return _from_tables(path.read_bytes())
    made = Lark(grammar, **settings)
    if path is not None:
        with suppress(OSError):
            _keep(path, json.dumps(made.memo_serialize([TerminalDef, Rule])).encode())
    return made


def _keep(path: Path, content: bytes) -> None:
    replaced(path, content)
    for old in sorted(path.parent.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-VERSIONS_KEPT]:
        old.unlink()


def _from_tables(content: bytes) -> Lark:
    data, memo = json.loads(content, object_pairs_hook=_with_numbers)
    found: Lark = Lark._load_from_dict(data, memo)  # type: ignore[no-untyped-call]
    return found


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """JSON has texts for keys where Lark has numbers of states."""
    return {int(key) if key.isdecimal() else key: value for key, value in pairs}
