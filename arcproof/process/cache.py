"""The cache of things that take long to recompute: results, proofs, tables of grammars.

What is cached is believed.  So a folder is *trusted* only if nobody but the
user and root can write to it or replace it:

- it belongs to the user or to root, and neither its group nor others can write to it;
- every folder on the way to it belongs to the user or to root, and where others can write to one of them (`/tmp`) the
  sticky bit keeps them from replacing what is not theirs.  A group with the number of the user, or of root, is taken
  for a private one there;
- symbolic links are followed one by one, and whatever they pass through must satisfy the same rule.

Nothing is read from or written to a folder that is not trusted, and one sentence says so.  Where files have no owners
(Windows), nothing is checked.  Folders are made for the user alone.

A file is trusted if it is a regular file of the user's or of root's in a trusted folder, and nobody else can write to
it: a folder that was open to others once may hold what they left there.
"""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MOST_LINKS: Final = 40
"""The maximum number of links followed on the way to a folder; the kernel has the same limit."""
HAS_OWNERS: Final = hasattr(os, "geteuid")
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
MAX_BYTES: Final = 2**28
"""No file of ours is larger, nor what is compressed in it."""
INSTEAD: Final = "set ARCPROOF_CACHE to a folder of your own"

_told: Final[set[str]] = set()


class NotTrusted(OSError):
    """A folder or a file that others can write to; the message says what is wrong and how to fix it."""


def cache_folder(kind: str) -> Path | None:
    """Return a folder under `$ARCPROOF_CACHE`, or under `arcproof` in the user's cache folder.

    None if there is none to write to, or if it is not trusted.
    """
    base = _base()
    if base is None:
        return None
    folder = base / kind
    try:
        for each in (base, folder):
            _make(each)
            check_folder(each)
    except NotTrusted as reason:
        _tell(f"warning: nothing is cached: {reason}")
        return None
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def is_refused(kind: str) -> bool:
    """Whether the folder for this kind exists but is not trusted; `cache_folder` has already warned about it."""
    base = _base()
    try:
        for each in () if base is None else (base, base / kind):
            check_folder(each)
    except NotTrusted:
        return True
    except OSError:
        return False
    return False


def _base() -> Path | None:
    """The folder that contains those of all kinds; None if there is no home directory.  A relative `$XDG_CACHE_HOME` is
    ignored, as its specification says.
    """
    chosen = os.environ.get("ARCPROOF_CACHE")
    if chosen:
        return Path(chosen).absolute()
    users = Path(os.environ.get("XDG_CACHE_HOME") or ".")
    if not users.is_absolute():
        try:
            users = Path.home() / ".cache"
        except RuntimeError:
            return None
    return users / "arcproof" if users.is_absolute() else None


def _make(folder: Path) -> None:
    missing = [each for each in (folder, *folder.parents) if not os.path.lexists(each)]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def is_trusted(folder: Path) -> bool:
    """Whether nobody but the user and root can write to a folder."""
    try:
        check_folder(folder)
    except OSError:
        return False
    return True


def check_folder(folder: Path) -> None:
    """Raise `NotTrusted` if others can write to the folder or replace it."""
    if not HAS_OWNERS:
        return
    *way, (last, about) = _passed(folder.absolute())
    for place, passed in way:
        _check_owner(place, passed)
        if place != last and _is_open(passed):
            raise NotTrusted(f"others can replace what is in {place}; `chmod go-w {place}`, or {INSTEAD}")
    if not stat.S_ISDIR(about.st_mode):
        raise NotADirectoryError(last)
    if about.st_mode & OTHERS_WRITE:
        raise NotTrusted(f"others can write to {last}, and what is in it may be theirs; remove it, or {INSTEAD}")


def _check_owner(place: Path, about: os.stat_result) -> None:
    if about.st_uid not in (os.geteuid(), 0):
        raise NotTrusted(f"{place} belongs to another user; {INSTEAD}")


def _is_open(about: os.stat_result) -> bool:
    """Whether others can replace what is in a folder."""
    if stat.S_ISLNK(about.st_mode) or about.st_mode & stat.S_ISVTX:
        return False
    is_private = about.st_gid in (0, os.geteuid())
    return bool(about.st_mode & stat.S_IWOTH or (about.st_mode & stat.S_IWGRP and not is_private))


def _passed(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield every folder and link from the root to a path, then the path itself; `OSError` if it does not exist."""
    at = Path(path.anchor)
    yield at, at.lstat()
    names = [*reversed(path.parts[1:])]
    links = 0
    while names:
        name = names.pop()
        if name == os.pardir:
            at = at.parent
            continue
        about = (at / name).lstat()
        yield at / name, about
        if not stat.S_ISLNK(about.st_mode):
            at = at / name
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(f"too many links on the way to {path}")
        target = Path(os.readlink(at / name))
        at = Path(target.anchor or at)
        names += reversed(target.parts[1:] if target.anchor else target.parts)
    yield at, at.lstat()


def trusted_bytes(path: Path) -> bytes:
    """Read a file in a trusted folder; `NotTrusted` if it is not a regular file, is larger than any of ours, or if
    others can write to it.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        check_file(path, os.fstat(descriptor))
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise NotTrusted(f"{path} is too large")
    return data


def check_file(path: Path, about: os.stat_result) -> None:
    """Raise `NotTrusted` if this is not a regular file, or others can write to it."""
    if not stat.S_ISREG(about.st_mode):
        raise NotTrusted(f"{path} is not a file")
    if HAS_OWNERS:
        _check_owner(path, about)
        if about.st_mode & OTHERS_WRITE:
            raise NotTrusted(f"others can write to {path}")


def _tell(sentence: str) -> None:
    """Print a warning once per command; worker processes leave that to their parent."""
    from multiprocessing import parent_process

    if sentence not in _told and parent_process() is None and sys.stderr is not None:
        print(sentence, file=sys.stderr, flush=True)
    _told.add(sentence)
