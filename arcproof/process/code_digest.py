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
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_BEGAN: Final = time.time()


@lru_cache(maxsize=8)
def code_digest(packages: tuple[str, ...]) -> str:
    """Hash every file of these packages, together with its name."""
    digest = hashlib.sha256()
    has_changed = False
    for name in packages:
        for root in map(Path, _folders_of(name)):
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    content = path.read_bytes()
                    digest.update(f"{name}/{path.relative_to(root).as_posix()} {len(content)}\n".encode())
                    digest.update(content)
                    has_changed = has_changed or _BEGAN < path.stat().st_mtime <= time.time()
    if has_changed:
        digest.update(os.urandom(32))
    return digest.hexdigest()


def _folders_of(package: str) -> Sequence[str]:
    spec = find_spec(package)
    assert spec is not None, package
    return spec.submodule_search_locations or ()


@lru_cache(maxsize=8)
def versions_of(libraries: tuple[str, ...]) -> dict[str, str]:
    """Name Python, the kind of machine, and those of these libraries that are installed."""
    found = {"python": sys.version, "machine": platform.machine()}
    for name in libraries:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
