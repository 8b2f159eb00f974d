"""Who is told what is being done: anything that takes a line of text."""

from collections.abc import Callable
from typing import TypeAlias

Say: TypeAlias = Callable[[str], None]


def silent(_: str) -> None:
    """Tell nobody."""
