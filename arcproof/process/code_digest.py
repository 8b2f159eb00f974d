"""What an answer depends on besides the question: the code and what it runs on, so that results of other versions
are not taken for current.
"""

import hashlib
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path


@lru_cache(maxsize=8)
def code_digest(packages: tuple[str, ...]) -> str:
    """Hash every file of these packages, together with its name."""
    digest = hashlib.sha256()
    for name in packages:
        for root in map(Path, _folders_of(name)):
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    content = path.read_bytes()
                    digest.update(f"{name}/{path.relative_to(root).as_posix()} {len(content)}\n".encode())
                    digest.update(content)
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
