"""How results are presented: a short text, a page in a notebook, JSON, a table, a picture.

The base classes of a result say which of these it has.  Texts, pictures and documents are made in higher layers, so how
a result is shown is defined with the Python interface (`arcproof.interface.views`), and looked up there on demand: only
the name of that module is known here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pandas import DataFrame

VIEWS: Final = "arcproof.interface.views"


def _view(result: object) -> Any:
    return import_module(VIEWS).view_of(type(result))


class Shown:
    """A result with a short text for its `repr`, the text of its command for `str`, and HTML for a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        """A short text of one line or a few."""
        return str(_view(self).short(self))

    def __str__(self) -> str:
        """What the command prints, where that is known; else the same as `repr`."""
        return str(_view(self).full(self))

    def _repr_html_(self) -> str:
        """The HTML for a notebook; everything that comes from a file is escaped."""
        return str(_view(self).html(self))


class WithDocument:
    """A result that is written as JSON."""

    __slots__ = ()

    def to_json(self) -> str:
        """The document that the command prints with `--json`."""
        return str(_view(self).json(self))


class WithTable:
    """A result that is a table."""

    __slots__ = ()

    def to_frame(self) -> "DataFrame":
        """Return a pandas data frame; `ArcproofError` with what to install if pandas is missing."""
        frame: DataFrame = _view(self).frame(self)
        return frame


class WithPicture:
    """A result that can be drawn, unless there is nothing to draw."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """The picture."""
        picture: str | None = _view(self).svg(self)
        return picture


class WithLatex:
    """A result that is typeset."""

    __slots__ = ()

    def _repr_latex_(self) -> str:
        """The LaTeX, without a document around it."""
        return str(_view(self).latex(self))
