"""Everything `arcproof check` says about a specification, as data.

What can only be checked once a figure has been read (whether the systems that its claims name can be read, and whether
its lemmas are meaningful) is checked only if there are no other errors.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError, BadSpecification, Diagnostic
from arcproof.transitions.library import system_names
from arcproof.transitions.reading.read import read, render, with_newlines

if TYPE_CHECKING:
    from arcproof.transitions.system import System


@dataclass(frozen=True)
class Diagnosis:
    """The system, if it could be read, and its problems in the order of the text; `told` has the errors as the command
    line prints them.
    """

    system: "System | None"
    diagnostics: tuple[Diagnostic, ...]
    told: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether there are no errors; there may be warnings."""
        return all(diagnostic.severity != "error" for diagnostic in self.diagnostics)


def diagnose(reference: str) -> Diagnosis:
    """The problems of a built-in system or of a file; `ArcproofError` if there is no text."""
    from arcproof.transitions.system import load

    try:
        system = load(reference)
    except BadSpecification as error:
        return Diagnosis(None, error.diagnostics, (str(error),))
    return diagnose_system(system, reference)


def diagnose_text(text: str, path: Path | None = None) -> Diagnosis:
    """The problems of a text in an editor; `path` is the file it will be saved to."""
    from arcproof.transitions.system import system_of

    source = "<text>" if path is None else str(path)
    try:
        figure = read(text, source, None if path is None else path.parent).figure
    except BadSpecification as error:
        return Diagnosis(None, error.diagnostics, (str(error),))
    return diagnose_system(system_of(figure, with_newlines(text), None if path is None else source), source)


def diagnose_system(system: "System", source: str) -> Diagnosis:
    """The problems of a figure that could be read; `source` is the name to use in messages."""
    warnings = read(system.text, source).warnings
    references = reference_problems(system)
    told = [render(references, system.text, system.reference)] if references else []
    lemmas: list[Diagnostic] = []
    if system.figure.lemmas:
        from arcproof.properties.proving.library.given import lemma_problems

        for problem in lemma_problems(system):
            lemmas.append(problem)
            told.append(render([problem], system.text, system.reference))
    found = sorted((*warnings, *references, *lemmas), key=lambda one: (one.where.line, one.where.column))
    return Diagnosis(system, tuple(found), tuple(told))


def reference_problems(system: "System") -> list[Diagnostic]:
    """The claims that refer to a system that cannot be read, or not with these parameters."""
    found = []
    for claim in system.figure.claims:
        for reference in s.references(claim):
            if reference in system_names():
                continue
            try:
                system.other(reference)
            except ArcproofError as error:
                text = str(error).partition("\n")[0]
                found.append(Diagnostic(claim.statement.where, f"{reference} cannot be read", text))
    return found
