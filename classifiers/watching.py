"""Receivers of progress reports: a progress bar, or nothing at all."""

from typing import Protocol


class Watcher(Protocol):
    """Receives reports on which part of the work begins, how much there is to do, and what is done."""

    def begin(self, description: str, total: float | None) -> None:
        """Note that another part of the work begins; the size is None if it is unknown."""
        ...

    def advance(self, amount: float = 1) -> None:
        """Note that this much more is done."""
        ...


class Silent:
    """Reports nothing."""

    def begin(self, description: str, total: float | None) -> None:
        """Ignore the report."""

    def advance(self, amount: float = 1) -> None:
        """Ignore the report."""


SILENT = Silent()
