"""`arcproof check --json`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from arcproof.documents.shared import Natural, Positive
from arcproof.documents.wire import Part
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.editors.diagnosis import Diagnosis
    from arcproof.transitions.errors import ArcproofError, Diagnostic
    from arcproof.transitions.system import System


@dataclass(frozen=True)
class ProblemJson:
    """An error or a warning: where it is, what is wrong, what would be right."""

    severity: Literal["error", "warning"]
    message: str
    hint: str | None
    """How to correct it; null where the file could not be read."""
    line: Positive | None
    """The line, counted from 1; null where the file could not be read."""
    column: Positive | None
    """The column of the first character, counted from 1 in characters."""
    end: Positive | None
    """The column after the last character, on the same line; equal to `column` if the whole text is meant."""


@dataclass(frozen=True)
class DropsJson:
    """The nodes that a rule takes out of all sequences."""

    transition: str
    line: Positive
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class FigureReadJson:
    """The figure that was read, in brief."""

    name: str
    transitions: tuple[str, ...]
    oracles: tuple[str, ...]
    dynamic_oracles: tuple[str, ...]
    claims: Natural
    drops: tuple[DropsJson, ...]


@dataclass(frozen=True)
class SpecificationJson:
    """One specification."""

    file: str
    """The file as it was named on the command line."""
    ok: bool
    """Whether there is no error; there may be warnings."""
    system: FigureReadJson | None
    """The figure that was read; null if there are errors."""
    problems: tuple[ProblemJson, ...]
    """All errors and warnings, in the order of the file."""


DOCUMENT: TypeAlias = Annotated[
    tuple[SpecificationJson, ...], Part("CheckedFiles", "Specifications and their problems.")
]


def document(checked: "Iterable[tuple[str, Diagnosis | ArcproofError]]") -> DOCUMENT:
    """Return the document for these files, each with its problems or the reason why it could not be read."""
    return tuple(_unreadable(file, one) if isinstance(one, Exception) else _checked(file, one) for file, one in checked)


def _checked(file: str, diagnosis: "Diagnosis") -> SpecificationJson:
    system = diagnosis.system if diagnosis.is_sound else None
    problems = tuple(map(_problem, diagnosis.diagnostics))
    return SpecificationJson(file, diagnosis.is_sound, None if system is None else _figure(system), problems)


def _unreadable(file: str, error: "ArcproofError") -> SpecificationJson:
    return SpecificationJson(file, False, None, (ProblemJson("error", str(error), None, None, None, None),))


def _problem(found: "Diagnostic") -> ProblemJson:
    where = found.where
    return ProblemJson(found.severity, found.message, found.hint, where.line, where.column, where.end)


def _figure(system: "System") -> FigureReadJson:
    from arcproof.transitions.reading.check import dropped

    figure = system.figure
    drops = ((rule, dropped(rule)) for rule in figure.rules)
    return FigureReadJson(
        name=figure.name,
        transitions=tuple(figure.transitions()),
        oracles=tuple(oracle.name for oracle in figure.oracles),
        dynamic_oracles=tuple(oracle.name for oracle in figure.dynamic_oracles),
        claims=len(figure.claims),
        drops=tuple(DropsJson(rule.name, rule.where.line, tuple(nodes)) for rule, nodes in drops if nodes),
    )
