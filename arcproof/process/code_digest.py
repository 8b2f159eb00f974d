"""What an answer depends on besides the question: the code and what it runs on, so that results of other versions
are not taken for current.

Code is hashed as it is on disk.  If a file was changed after this process began, the code that runs may be an earlier
version; the hash is then one that no other process has, so that its results are recalled by nobody.
"""

import hashlib
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from typing import Final

_BEGAN: Final = time.time()


@lru_cache(maxsize=8)
def code_digest(packages: tuple[str, ...]) -> str:
    """Hash every file of these packages, together with its name."""
    digest = hashlib.sha256()
    has_changed = False
    for name in packages:
        for root in _folders_of(name):
            for path in sorted(_files_in(root), key=lambda path: path.split(os.sep)):
                with open(path, "rb", buffering=0) as file:
                    content = file.read()
                    changed = os.fstat(file.fileno()).st_mtime
                digest.update(f"{name}/{path[len(root) + 1 :].replace(os.sep, '/')} {len(content)}\n".encode())
                digest.update(content)
                has_changed = has_changed or _BEGAN < changed <= time.time()
    if has_changed:
        digest.update(os.urandom(32))
    return digest.hexdigest()


def _files_in(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield entry.path
            elif entry.name != "__pycache__":
                yield from _files_in(entry.path)


def _folders_of(package: str) -> Sequence[str]:
    spec = find_spec(package)
    assert spec is not None, package
    return spec.submodule_search_locations or ()


@lru_cache(maxsize=8)
def versions_of(libraries: tuple[str, ...]) -> dict[str, str]:
    """Name Python, the kind of machine, and those of these libraries that are installed."""
    found = {"python": sys.version, "machine": platform.machine()}
    for name in libraries:
        version = _version_of(name)
        if version is not None:
            found[name] = version
    return found


def _version_of(library: str) -> str | None:
    """As its folder of metadata is named; `importlib.metadata` takes ten times as long to be imported."""
    for folder in sys.path:
        with suppress(OSError):
            prefix = f"{library.replace('-', '_')}-"
            for name in sorted(os.listdir(folder or ".")):
                if name.startswith(prefix) and name.endswith((".dist-info", ".egg-info")):
                    return name.removeprefix(prefix).rpartition(".")[0]
    return None
