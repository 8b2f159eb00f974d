"""Where proofs are cached; for code that only asks whether there are any and need not import the prover."""

from pathlib import Path
from typing import Final

from arcproof.process.cache import cache_folder
from arcproof.transitions.system import System

PROOFS: Final = "proofs"


def folder_of(system: System, folder: Path) -> Path:
    """The folder in which the proofs about a figure are cached; it depends on the syntax tree, not on the text that the
    figure was read from.
    """
    return folder / system.tree_sha256[:32]


def some_are_kept(system: System) -> bool:
    """Whether there may be proofs about a figure."""
    folder = cache_folder(PROOFS)
    return folder is not None and folder_of(system, folder).is_dir()
