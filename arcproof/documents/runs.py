"""`arcproof runs list --json`, `runs show --json` and `runs size --json`."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from arcproof.documents.shared import Natural
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.process.run_store import RunStore, StoredPiece


@dataclass(frozen=True)
class PieceJson:
    """A finished piece of work."""

    key: str
    """The hash of everything the piece depends on."""
    kind: str
    about: str
    bytes: Natural
    created: str
    """When it was stored, in UTC."""
    used: str
    """When it was last used."""
    value: str | None = None
    """The finding, as JSON; only if one piece is shown, and null if it was not written here."""


@dataclass(frozen=True)
class KindJson:
    """The pieces of a kind."""

    pieces: Natural
    bytes: Natural


@dataclass(frozen=True)
class RunsJson:
    """The run store."""

    file: str
    bytes: Natural
    """The size of the store's files."""
    most_bytes: Natural
    """The maximum size; beyond it, pieces are dropped, least recently used first."""
    kinds: Mapping[str, KindJson]
    runs: tuple[PieceJson, ...]


DOCUMENT: TypeAlias = RunsJson


def document(
    store: "RunStore", entries: "Iterable[StoredPiece]", listed: bool = True, value: str | None = None
) -> DOCUMENT:
    """Return the document for these pieces and the total of each kind; `value` is the content of a single piece."""
    from arcproof.process.run_store import FILE, most_bytes

    found = list(entries)
    kinds = {
        kind: KindJson(len(of_kind), sum(entry.size for entry in of_kind))
        for kind in sorted({entry.kind for entry in found})
        for of_kind in [[entry for entry in found if entry.kind == kind]]
    }
    runs = tuple(
        PieceJson(entry.key, entry.kind, entry.about, entry.size, when(entry.created), when(entry.used), value)
        for entry in found
        if listed
    )
    file = "" if store.folder is None else str(store.folder / FILE)
    return RunsJson(file, store.bytes_on_disk, most_bytes(), kinds, runs)


def when(seconds: float) -> str:
    """A time as `2026-05-01 12:30:00`; an impossible one becomes a question mark.

    >>> when(0.0), when(1e300)
    ('1970-01-01 00:00:00', '?')
    """
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return "?"
