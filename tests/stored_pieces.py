"""What is in a run store, for tests: nothing else lists its pieces."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from arcproof.process.run_store import FILE, RunStore


@dataclass(frozen=True)
class StoredPiece:
    """A row of the store."""

    key: str
    kind: str
    about: str
    size: int
    used: float
    value: Any


def pieces_of(store: RunStore) -> list[StoredPiece]:
    """All pieces of a store, which may be in use."""
    assert store.folder is not None
    if not (store.folder / FILE).exists():
        return []
    with closing(sqlite3.connect(store.folder / FILE)) as connection:
        rows = connection.execute("SELECT key, kind, about, size, used, value FROM runs ORDER BY key").fetchall()
    return [StoredPiece(*columns, json.loads(value)) for *columns, value in rows]


def remove_pieces(store: RunStore, keys: Iterable[str]) -> None:
    """Delete pieces behind the back of the store."""
    assert store.folder is not None
    with closing(sqlite3.connect(store.folder / FILE)) as connection, connection:
        connection.executemany("DELETE FROM runs WHERE key = ?", [(key,) for key in keys])
