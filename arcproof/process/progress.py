"""Receivers of progress messages: anything that takes a line of text."""

from collections.abc import Callable
from typing import TypeAlias

Say: TypeAlias = Callable[[str], None]


def silent(_: str) -> None:
    """Report nothing."""
