"""The built-in systems: every `.tsys` file of `transitions/systems`, found by its file name."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.suggestions import near
from arcproof.transitions.reading.vocabulary import HEADINGS

SUFFIX: Final = ".tsys"
_HEADING: Final = re.compile(rf"\s*({'|'.join(HEADINGS)})\b")


@cache
def system_names() -> tuple[str, ...]:
    """The names, alphabetically."""
    entries = files("arcproof.transitions.systems").iterdir()
    return tuple(sorted(entry.name.removesuffix(".tsys") for entry in entries if entry.name.endswith(".tsys")))


def source_of(name: str) -> str:
    """The specification of a built-in system."""
    return files("arcproof.transitions.systems").joinpath(f"{name}.tsys").read_text(encoding="utf-8")


def similar_names(name: str) -> list[str]:
    """Built-in names that a typing mistake may have meant."""
    return near(name, system_names())


@dataclass(frozen=True, slots=True)
class Entry:
    """What `list` shows about a system."""

    name: str
    cite: str
    claims: tuple[str, ...]


def entries() -> list[Entry]:
    """All systems, read off the lines of their files without building a tree, so that `list` is fast."""
    return [_entry(name, source_of(name)) for name in system_names()]


def _entry(name: str, text: str) -> Entry:
    cite = ""
    claims: list[str] = []
    in_claims = False
    for line in text.splitlines():
        code = line.strip()
        if code.startswith("cite"):
            cite = code.removeprefix("cite").strip().strip('"')
        heading = _HEADING.match(line)
        if heading:
            in_claims = heading[1] == "claims"
        elif in_claims and code and not code.startswith("--"):
            claims.append(" ".join(code.split("--")[0].split()))
    return Entry(name, cite, tuple(claims))
