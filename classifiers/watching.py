"""Who is told how far the work is: a progress bar, or nobody."""

from typing import Protocol


class Watcher(Protocol):
    """Is told which part of the work begins, how much there is to do, and what is done."""

    def begin(self, description: str, total: float | None) -> None:
        """Another part of the work; None if nobody knows how much it is."""
        ...

    def advance(self, amount: float = 1) -> None:
        """So much more is done."""
        ...


class Nobody:
    """Does not want to know."""

    def begin(self, description: str, total: float | None) -> None:
        """Nothing is shown."""

    def advance(self, amount: float = 1) -> None:
        """Nothing is shown."""


NOBODY = Nobody()
