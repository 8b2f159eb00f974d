"""The run store: every finished piece of work, so that a killed command resumes where it stopped.

A *piece* is what one question came to: a claim up to n words, a mutant, a cell of an experiment, what a solver said.
It is found by its *key*, the hash of everything it depends on (`key_of`); whoever asks says what that is.  Values are
JSON (`process.codec`), never code.  A piece is written when it is finished, in a transaction of its own, by the process
that needs it; several processes share the store.

A value is believed only if it was written here: each carries a keyed hash, and the key is bound to the file on this
disk.  In a store copied from elsewhere the key differs.  Planted or damaged values are ignored.
A file that belongs to somebody else, or that others can write to, is not used at all (`process.cache`).

Whatever goes wrong with the store costs what it would have saved and nothing else: `problem` says in one sentence why
nothing is stored from then on.

`ARCPROOF_STORE=off` does without; `ARCPROOF_STORE_SIZE` (2G) and `ARCPROOF_STORE_DAYS` (90) say how much is stored and
for how long.  What was not used for the longest time goes first.
"""

import hashlib
import hmac
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arcproof.process.cache import NotTrusted, cache_folder, check_file
from arcproof.process.codec import Json, canonical
from arcproof.process.sizes import bytes_in

if TYPE_CHECKING:
    import sqlite3

R = TypeVar("R")
FORMAT: Final = 1
FOLDER: Final = "runs"
FILE: Final = "runs.sqlite"
FILES: Final = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal")
APPLICATION: Final = 0x41524350
"""What marks a database as ours."""
BUSY_SECONDS: Final = 5.0
MOST_BYTES: Final = 2 * 2**30
MOST_DAYS: Final = 90.0
SOME: Final = 512
"""The number of pieces after which the size of the store is checked."""
ROOM: Final = 0.9
"""The share of an oversized store that is kept."""
_DAY: Final = 86_400.0
OFF: Final = ("off", "none", "0", "no")
ON: Final = ("", "on", "1", "yes")
_TABLES: Final = (
    "CREATE TABLE secret (bytes BLOB NOT NULL)",
    "CREATE TABLE runs (key TEXT PRIMARY KEY, kind TEXT NOT NULL, about TEXT NOT NULL, value TEXT NOT NULL, "
    "mac TEXT NOT NULL, size INTEGER NOT NULL, created REAL NOT NULL, used REAL NOT NULL)",
    "CREATE INDEX by_use ON runs (used, size)",
)


class StoreUnusable(Exception):
    """The store cannot be read or written, and why."""


@dataclass(frozen=True)
class StoreUse:
    """How many pieces a process recalled, and why it could not store more."""

    recalled: int = 0
    problem: str | None = None


def key_of(kind: str, parts: Mapping[str, object]) -> str:
    """Hash everything that a piece depends on."""
    return hashlib.sha256(canonical({"format": FORMAT, "kind": kind, **parts}).encode()).hexdigest()


class BadSetting(ValueError):
    """An environment variable has an invalid value."""

    def __init__(self, name: str, value: str, right: str) -> None:
        """`right` says what would be valid."""
        super().__init__(f"{name}={value!r}: {right}")


def is_off() -> bool:
    """Whether the user has disabled the run store."""
    value = os.environ.get("ARCPROOF_STORE", "").strip().lower()
    if value in OFF:
        return True
    if value in ON:
        return False
    raise BadSetting("ARCPROOF_STORE", value, "write `off` to disable the run store, or leave it unset")


def most_bytes() -> int:
    """How large the store may be."""
    value = os.environ.get("ARCPROOF_STORE_SIZE", "").strip()
    size = bytes_in(value) if value else MOST_BYTES
    if size is None:
        raise BadSetting("ARCPROOF_STORE_SIZE", value, "not a size; write 500M or 2G")
    return size


def most_days() -> float:
    """How long an unused piece is stored."""
    value = os.environ.get("ARCPROOF_STORE_DAYS", "").strip()
    days = -1.0
    with suppress(ValueError):
        days = float(value or MOST_DAYS)
    if not days >= 0:
        raise BadSetting("ARCPROOF_STORE_DAYS", value, "not a number of days; write 90")
    return days


def check_settings() -> None:
    """Raise `BadSetting` if an environment variable is invalid."""
    is_off()
    most_bytes()
    most_days()


@dataclass
class RunStore:
    """The store in a folder; if `fresh`, nothing is recalled, and results are stored anew.

    `recalled` counts the pieces of earlier runs: this one began at `began`, and may meet its own pieces again.
    """

    folder: Path | None
    fresh: bool = False
    problem: str | None = None
    recalled: int = 0
    written: int = 0
    began: float = field(default_factory=time.time)
    _used: set[str] = field(default_factory=set)
    _earlier: set[str] = field(default_factory=set)
    _connections: dict[int, "sqlite3.Connection"] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[..., "RunStore"], tuple[Path | None, bool, float]]:
        """Send the folder to another process, which opens its own connections."""
        return _opened, (self.folder, self.fresh, self.began)

    # --- pieces ------------------------------------------------------------------------------------------------------

    def recall(self, key: str) -> Any:
        """The value of a piece; None if none is stored, or if the stored one is not authentic."""
        if self.fresh or self.problem is not None:
            return None
        with self._degrading():
            row = self._connection.execute(
                "SELECT value, mac, used, created FROM runs WHERE key = ?", (key,)
            ).fetchone()
            if row is None or not self._is_ours(key, *row[:2]):
                return None
            value = json.loads(row[0])
            self._used.add(key)
            self._note_use(key, row[2])
            if row[3] < self.began:
                self.recalled += 1
                self._earlier.add(key)
            return value
        return None

    def _note_use(self, key: str, used: object) -> None:
        """Store the time of this use if the stored one is over a day old: a forked process may end without `close`."""
        now = time.time()
        if not isinstance(used, float) or now - used > _DAY:
            self._connection.execute("UPDATE runs SET used = ? WHERE key = ?", (now, key))

    @property
    def is_ready(self) -> bool:
        """Whether the store can be used; if not, `problem` says why."""
        if self.problem is None:
            with self._degrading():
                self._connection.execute("SELECT 1 FROM runs LIMIT 1").fetchall()
        return self.problem is None

    def forget(self, key: str) -> None:
        """No longer count a piece as recalled, because it turned out not to fit."""
        self._used.discard(key)
        self.recalled -= key in self._earlier
        self._earlier.discard(key)

    def keep(self, kind: str, key: str, value: Json, about: str) -> None:
        """Write a finished piece."""
        if self.problem is not None:
            return
        with self._degrading():
            text = json.dumps(value, separators=(",", ":"), allow_nan=False)
            about = about.encode(errors="replace").decode()
            now = time.time()
            size = len(text) + len(about.encode()) + 256
            self._connection.execute(
                "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (key, kind, about, text, self._mac(key, text), size, now, now),
            )
            self.written += 1
            if self.written % SOME == 0:
                self._drop_old(self._connection)

    def close(self) -> None:
        """Record what was used, drop what is old, and close."""
        connection = self._connections.pop(os.getpid(), None)
        if connection is None:
            return
        import sqlite3

        if self.problem is None:
            with self._degrading():
                if self._used:
                    used = [(time.time(), key) for key in self._used]
                    with _transaction(connection):
                        connection.executemany("UPDATE runs SET used = ? WHERE key = ?", used)
                if self.written:
                    self._drop_old(connection)

        with suppress(sqlite3.Error):
            connection.close()

    @property
    def use(self) -> StoreUse:
        """What use this process made of the store."""
        return StoreUse(self.recalled, self.problem)

    def note(self, use: StoreUse) -> None:
        """Add the use that another process made of the store on behalf of this one."""
        self.recalled += use.recalled
        self.problem = self.problem or use.problem

    # --- the database ------------------------------------------------------------------------------------------------

    @property
    def _connection(self) -> "sqlite3.Connection":
        """The connection of this process: a forked process must not use its parent's."""
        if os.getpid() not in self._connections:
            self._connections[os.getpid()] = self._opened()
        return self._connections[os.getpid()]

    def _opened(self) -> "sqlite3.Connection":
        import sqlite3

        if self.folder is None:
            raise StoreUnusable("there is no writable cache folder")
        path = self.folder / FILE
        self._check_files(self.folder)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_files(self, folder: Path) -> None:
        """Refuse files that others could have written: a planted database would come with its own key."""
        for path in (folder / name for name in FILES):
            with suppress(FileNotFoundError):
                try:
                    check_file(path, path.lstat())
                except NotTrusted as why:
                    raise StoreUnusable(f"{why}; delete it, and the next command makes a new store") from None

    def _prepare(self, connection: "sqlite3.Connection", path: Path) -> None:
        """Create the table in a new database; a database that is not ours is not changed."""
        connection.execute("PRAGMA trusted_schema = OFF")
        if _signed(connection) == (0, 0):
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            with _transaction(connection):
                (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if tables == 0:
                    for table in _TABLES:
                        connection.execute(table)
                    connection.execute("INSERT INTO secret VALUES (?)", (os.urandom(32),))
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {FORMAT}")
        application, version = _signed(connection)
        if application != APPLICATION:
            raise StoreUnusable(f"{path} is a database of another program")
        if version != FORMAT:
            raise StoreUnusable(f"{path} was written by another version of arcproof")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")

    def _drop_old(self, connection: "sqlite3.Connection") -> None:
        """Remove what has not been used for long, then as much as needed; a jump of the clock alone removes nothing."""
        now, most = time.time(), most_bytes()
        (total,) = connection.execute("SELECT coalesce(sum(size), 0) FROM runs").fetchone()
        (old,) = connection.execute("SELECT count(*) FROM runs WHERE used < ?", (now - most_days() * _DAY,)).fetchone()
        if total <= most and not old:
            return
        with _transaction(connection):
            connection.execute("DELETE FROM runs WHERE used < ?", (now - most_days() * _DAY,))
            (total,) = connection.execute("SELECT coalesce(sum(size), 0) FROM runs").fetchone()
            oldest = connection.execute("SELECT key, size FROM runs ORDER BY used, created, key").fetchall()
            for key, size in oldest if total > most else ():
                if total <= most * ROOM:
                    break
                connection.execute("DELETE FROM runs WHERE key = ?", (key,))
                total -= size
        self._shrink(connection)

    def _shrink(self, connection: "sqlite3.Connection") -> None:
        connection.executescript("PRAGMA incremental_vacuum")  # `execute` would give back one page
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # --- what is believed --------------------------------------------------------------------------------------------

    @cached_property
    def _secret(self) -> bytes:
        """The key of the hashes, bound to the file it is read from: in a copied file it differs."""
        assert self.folder is not None
        (secret,) = self._connection.execute("SELECT bytes FROM secret").fetchone()
        found = (self.folder / FILE).stat()
        return hashlib.sha256(bytes(secret) + f"{found.st_ino} {found.st_uid}".encode()).digest()

    def _mac(self, key: str, text: str) -> str:
        return hmac.new(self._secret, f"{key}\n{text}".encode(), hashlib.sha256).hexdigest()

    def _is_ours(self, key: str, text: object, mac: object) -> bool:
        if not isinstance(text, str) or not isinstance(mac, str) or not mac.isascii():
            return False
        return hmac.compare_digest(self._mac(key, text), mac)

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    @contextmanager
    def _degrading(self) -> Iterator[None]:
        """On the first problem, stop storing and recalling."""
        try:
            with self._refusing():
                yield
        except StoreUnusable as why:
            self.problem = str(why)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        import sqlite3

        try:
            yield
        except (sqlite3.Error, OSError, ValueError, OverflowError, TypeError, RecursionError) as error:
            where = FILE if self.folder is None else self.folder / FILE
            raise StoreUnusable(f"{where}: {_reason(error)}") from error


@contextmanager
def _transaction(connection: "sqlite3.Connection") -> Iterator[None]:
    """Make the changes of the block completely or not at all, even if interrupted."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _opened(folder: Path | None, fresh: bool, began: float) -> RunStore:
    return RunStore(folder, fresh, began=began)


def _signed(connection: "sqlite3.Connection") -> tuple[int, int]:
    """Read the application id and the format version of the database."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return str(error) or type(error).__name__


# --- the store of a command ------------------------------------------------------------------------------------------

_current: list[RunStore] = []


def current() -> RunStore | None:
    """The store that the running command uses, also in processes forked from it; None if it uses none."""
    return _current[-1] if _current else None


def default_store(fresh: bool = False) -> RunStore | None:
    """The store in the user's cache; None if the user has disabled it. Raises `BadSetting` like `check_settings`."""
    check_settings()
    return None if is_off() else RunStore(cache_folder(FOLDER), fresh)


@contextmanager
def using(store: RunStore | None) -> Iterator[RunStore | None]:
    """Use this store in the block."""
    if store is None:
        yield None
        return
    _current.append(store)
    try:
        yield store
    finally:
        _current.remove(store)
        store.close()


def used_by(owner: int, function: Callable[..., R], *arguments: Any) -> tuple[R, StoreUse]:
    """Call a function in a process that may have been forked from `owner`; return its result and the use that it made
    of the store there, where the owner cannot count it.
    """
    store = current()
    if store is None or os.getpid() == owner:
        return function(*arguments), StoreUse()
    recalled = store.recalled
    result = function(*arguments)
    return result, StoreUse(store.recalled - recalled, store.problem)


def in_worker(store: RunStore | None, function: Callable[..., R], *arguments: Any) -> tuple[R, StoreUse]:
    """Call a function in a process that was not forked, with the same store; return its result and what use it made of
    the store.
    """
    own = None if store is None else _opened(store.folder, store.fresh, store.began)
    with using(own):
        return function(*arguments), StoreUse() if own is None else own.use
