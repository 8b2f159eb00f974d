"""The hash of the code that an answer depends on, so that nothing is taken for current that other code made."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path


@lru_cache(maxsize=8)
def code_digest(packages: tuple[str, ...]) -> str:
    """The hash of every file of these packages, with their names."""
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
