"""The trained parser: a classifier in place of the oracle, for any system."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcproof.classifiers.parser import Parser

__all__ = ["Parser"]


def __getattr__(name: str) -> object:
    """Import the parser, with everything it needs, on first use."""
    if name == "Parser":
        from arcproof.classifiers.parser import Parser

        return Parser
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
