"""What can go wrong, named after the user's situation.

Every error a user can cause derives from `ArcproofError`; the command line prints it and ends with code 2, or 1 for
`NotDerivable`.
"""

from typing import TYPE_CHECKING, Literal

from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.transitions.configuration import Derivation
    from arcproof.transitions.graph import Arc


class ArcproofError(Exception):
    """A problem with the input, not with arcproof."""


class BadArgument(ArcproofError, ValueError):
    """A function was called with arguments its command would refuse; the message is the command's."""


class MissingPackage(ArcproofError, ImportError):
    """A package that is needed is not installed; the message says what to install."""


class BadGraph(ArcproofError, ValueError):
    """Not a valid graph, or not one of the requested kind."""


class UnknownSystem(ArcproofError, LookupError):
    """Neither a built-in system nor a readable specification."""


class UnknownOracle(ArcproofError, LookupError):
    """The system has no oracle of this name."""


class UnknownTransition(ArcproofError, LookupError):
    """The system has no transition of this name."""


class BadParameter(ArcproofError, ValueError):
    """A parameter the system does not have, or a value it cannot take."""


class BadCondition(ArcproofError, ValueError):
    """A condition that makes no sense for these sentences."""


class BadRun(ArcproofError, ValueError):
    """A run that cannot be read, or that the system does not permit."""


class UnreadableFile(ArcproofError, OSError):
    """A file that cannot be read as text."""


class BadTreebank(ArcproofError, ValueError):
    """A treebank file, or a sentence in it, that cannot be read."""


class CannotExport(ArcproofError):
    """A figure, a size or a name that cannot be exported to another checker."""


class Contradiction(Exception):
    """Two meanings of a figure disagree: a mistake in arcproof, not the user's."""


class NotPermissible(ArcproofError):
    """A transition was applied to a configuration that does not permit it; `because` is the reason alone."""

    def __init__(self, message: str, because: str = "") -> None:
        """Keep the reason."""
        super().__init__(message)
        self.because = because


class NotDerivable(ArcproofError):
    """The oracle does not lead to the gold graph.

    `missing` are the gold arcs it cannot build, `wrong` those it adds, `run` how far it went.
    """

    def __init__(
        self,
        message: str,
        missing: "tuple[Arc, ...]",
        wrong: "tuple[Arc, ...]",
        run: "Derivation | None" = None,
    ) -> None:
        """Keep the arcs and the run next to the sentence about them."""
        super().__init__(message)
        self.missing = missing
        self.wrong = wrong
        self.run = run


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of one line of a specification, 1-based; `end` is the column after the last."""

    line: int
    column: int
    end: int


NOWHERE = Place(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem in a specification: where, what is wrong, what would be right; a figure may have warnings."""

    where: Place
    message: str
    hint: str
    severity: Literal["error", "warning"] = "error"


class BadSpecification(ArcproofError, ValueError):
    """A specification with problems: all of them, in the order of the file."""

    def __init__(self, rendered: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        """Keep the diagnostics next to their printed form."""
        super().__init__(rendered)
        self.diagnostics = diagnostics
