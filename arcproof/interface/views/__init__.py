"""How each kind of result is shown in Python and in notebooks, one file for each family of results.

`view.py` says what a view consists of.  The types are known by their names, so that nothing is imported to list them.
"""

from typing import Final

from arcproof.interface.views import claims, conformance, figures, parsers, proofs
from arcproof.interface.views.view import View

VIEWS: Final[dict[str, View]] = {
    **figures.VIEWS,
    **claims.VIEWS,
    **proofs.VIEWS,
    **conformance.VIEWS,
    **parsers.VIEWS,
}
"""The views by the names of the types."""


def view_of(kind: type) -> View:
    """The view of a type, or of the nearest base class that has one."""
    for base in kind.__mro__:
        if base.__qualname__ in VIEWS:
            return VIEWS[base.__qualname__]
    raise TypeError(f"there is no view for a {kind.__qualname__}")
