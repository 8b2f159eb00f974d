"""Assemble the folders of a checkout into the package as installed.

mypy and import-linter read packages from folders, and `arcproof.transitions` is in `transitions/`, next to
`arcproof/`.  So what they read is a copy, `build/tree`, in which only files that changed are written, so that mypy's
cache stays good.

    python -m tools.assemble build/tree
"""

import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
HOMES: Final = {
    "arcproof": "arcproof",
    "transitions": "arcproof/transitions",
    "generators": "arcproof/generators",
    "properties": "arcproof/properties",
    "classifiers": "arcproof/classifiers",
    "benchmarks": "benchmarks",
    "tools": "tools",
}
"""The folders of a checkout, and where each is in the tree."""
SUFFIXES: Final = (".py", ".pyi", ".typed")


def assemble(tree: Path) -> None:
    """Copy what is new or changed, and remove what no longer exists."""
    wanted = {
        tree / home / path.relative_to(ROOT / folder): path
        for folder, home in HOMES.items()
        for path in sources(ROOT / folder)
    }
    for target, path in wanted.items():
        if not target.is_file() or target.read_bytes() != path.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for target in sources(tree):
        if target not in wanted:
            target.unlink()


def sources(folder: Path) -> list[Path]:
    """The source files in a folder."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and ".mypy_cache" not in path.parts]


if __name__ == "__main__":
    assemble(Path(sys.argv[1]).resolve())
