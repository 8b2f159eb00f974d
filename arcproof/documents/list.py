"""`arcproof list --json`."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

from arcproof.documents.wire import Part
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arcproof.transitions.library import Entry


@dataclass(frozen=True)
class BuiltInJson:
    """One system."""

    name: str
    cite: str
    """Where it was published."""
    claims: tuple[str, ...]
    """What is claimed about it, as written in the figure."""


DOCUMENT: TypeAlias = Annotated[tuple[BuiltInJson, ...], Part("BuiltIns", "The built-in systems.")]


def document(entries: "Iterable[Entry]") -> DOCUMENT:
    """Return the document for these systems."""
    return tuple(BuiltInJson(entry.name, entry.cite, entry.claims) for entry in entries)
