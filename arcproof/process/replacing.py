"""Files that are either complete or absent: a file appears under its name atomically, once everything is written.

A reader never sees half of a file, and what was there stays until then.  Where the system has files without a name
(`O_TMPFILE`, Linux), a process that is killed leaves nothing behind, whatever it was doing; only if it is replacing a
file and is killed between two calls of the system, the complete new file stays beside the old one, hidden, as
`.NAME.….part`.  Elsewhere such a file stays if a process is killed while it writes.  Whoever writes NAME again removes
what was left: a part that is in use is locked, and is left alone.
"""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import IO, Final

NO_NAMELESS_FILES: Final = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)
"""The error codes that mean that files without a name are unsupported: by the file system, or by an old kernel."""


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Open a file to write to, which replaces what is at the path if the block ends without an error."""
    _clear(path)
    nameless = _nameless(path.parent, mode)
    if nameless is None:
        yield from _named(path, mode)
        return
    with open(nameless, "wb") as file:
        yield file
        file.flush()
        _put(nameless, path)


@contextmanager
def destination(path: Path) -> Iterator[IO[bytes]]:
    """Open the path that a user named for output: a device or a pipe is written to as is, anything else is replaced."""
    is_device = path.exists() and not path.is_file()
    with open(path, "wb") if is_device else replacing(path) as file:
        yield file


def replaced(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write the content to the path, atomically."""
    with replacing(path, mode) as file:
        file.write(content)


def _nameless(folder: Path, mode: int) -> int | None:
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
    except OSError as error:
        if error.errno in NO_NAMELESS_FILES and folder.is_dir():
            return None
        raise


def _put(descriptor: int, path: Path) -> None:
    """Give a file its name: directly if the name is free, otherwise via a temporary one."""
    _lock(descriptor)
    with suppress(FileExistsError):
        _link(descriptor, path)
        return
    part = _part(path)
    _link(descriptor, part)
    try:
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.remove(part)
        raise


def _link(descriptor: int, path: Path) -> None:
    """Link an open file to a path; Python follows the link in `/proc` only if it is given a folder descriptor."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.link(f"/proc/self/fd/{descriptor}", path.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _named(path: Path, mode: int) -> Iterator[IO[bytes]]:
    part, descriptor = _locked(path, mode)
    try:
        with open(descriptor, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.remove(part)
        raise


def _locked(path: Path, mode: int) -> tuple[Path, int]:
    """Open a new part, locked before it can be taken for an abandoned one."""
    while True:
        part = _part(path)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        _lock(descriptor)
        if part.exists():
            return part, descriptor
        os.close(descriptor)


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def _lock(descriptor: int) -> None:
    """Mark the file as in use; without effect where there are no locks."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _clear(path: Path) -> None:
    """Remove what killed writers left behind."""
    try:
        import fcntl
    except ImportError:
        return
    for left in path.parent.glob(f".{escape(path.name)}.????????.part"):
        with suppress(OSError):
            descriptor = os.open(left, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.remove(left)
            finally:
                os.close(descriptor)
