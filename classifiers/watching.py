"""Receivers of progress reports: a progress bar, or none."""

from typing import Protocol


class Watcher(Protocol):
    """Receives which part of the work begins, how much there is to do, and what is done."""

    def begin(self, description: str, total: float | None) -> None:
        """Another part of the work begins; None if its size is unknown."""
        ...

    def advance(self, amount: float = 1) -> None:
        """This much more is done."""
        ...


class Silent:
    """Reports nothing."""

    def begin(self, description: str, total: float | None) -> None:
        """Nothing is shown."""

    def advance(self, amount: float = 1) -> None:
        """Nothing is shown."""


SILENT = Silent()
