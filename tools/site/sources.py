"""Where files of the repository are on the site.

Paths are written with slashes: in the repository relative to its root, on the site as MkDocs names its sources.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.assemble import ROOT

FOLDERS: Final = {"docs": "", "proofs_notes": "notes", "examples": "examples", "benchmarks": "benchmarks"}
"""Folders whose documents are pages, and their folders on the site."""
PROJECT: Final = ("ARCHITECTURE.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")
"""Documents beside the README, which is the first page."""
SUFFIXES: Final = (".md", ".png", ".svg")


def places() -> dict[str, str]:
    """Every page and picture of the repository, and its place on the site."""
    found = {"README.md": "index.md", "tests/README.md": "project/tests.md"}
    found |= {name: f"project/{name.lower().replace('_', '-')}" for name in PROJECT if (ROOT / name).is_file()}
    for folder, home in FOLDERS.items():
        for path in _documents(ROOT / folder):
            inside = path.relative_to(ROOT / folder).as_posix()
            place = f"{home}/{inside}".lstrip("/")
            found[f"{folder}/{inside}"] = place.removesuffix("README.md") + "index.md" * place.endswith("README.md")
    return found


def _documents(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file())


def static_place(path: str) -> str:
    """Where a file that is not a page, but that pages link to, is on the site."""
    return f"files/{path}"
