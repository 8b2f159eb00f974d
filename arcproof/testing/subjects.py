"""The system under test: how it is found, and how to refer to it on the command line."""

import os
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError, BadSpecification
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure, read_text
from arcproof.transitions.system import System, load

SUFFIX: Final = ".tsys"

_FILES: dict[str, Path] = {}
"""Where the text with each hash was read from, so that a bare `System` can be named on the command line too."""


class NoSuchClaim(ArcproofError, ValueError):
    """A text that is not a claim, or not one that this figure can make."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A system, and how a shell in the current directory refers to it; None if it was read from a text."""

    system: System
    reference: str | None


def subject_of(system: str | Path | System, near: Path | None = None) -> Subject:
    """Return the system at a path relative to the folder `near`, with or without parameters, or else whatever `load`
    accepts.
    """
    if isinstance(system, System):
        return Subject(system, _reference(system))
    text = str(system)
    file, bracket, parameters = text.partition(f"{SUFFIX}[")
    if "\n" not in text and bracket:
        return _read_file(_place(f"{file}{SUFFIX}", near), f"[{parameters}")
    if "\n" not in text and text.endswith(SUFFIX):
        return read_file(_place(text, near))
    loaded = load(text)
    return Subject(loaded, _reference(loaded))


def _place(path: str, near: Path | None) -> Path:
    return Path(path) if near is None else near / path


def read_file(path: Path) -> Subject:
    """Read the figure in a file; diagnostics name the file relative to the current directory.

    The path is taken literally: unlike in `load`, brackets in it are not parameters.
    """
    return _read_file(path, "")


def _read_file(path: Path, parameters: str) -> Subject:
    shown = _from_here(path)
    text = read_text(Path(shown))
    read_figure(text, for_terminal(shown), Path(shown).parent)
    system = load(f"{shown}{parameters}") if parameters else replace(load(text), source=shown)
    _FILES[system.sha256] = path.absolute()
    return Subject(system, _reference(system))


def _reference(system: System) -> str | None:
    """Return how to refer to this system in a shell."""
    parameters = system.name.removeprefix(system.figure.name)
    name = system.figure.name
    if name in system_names() and source_of(name) == system.text:
        return shlex.quote(name + parameters)
    if system.sha256 not in _FILES:
        return None
    path = _from_here(_FILES[system.sha256])
    return shlex.quote((f"./{path}" if path.startswith("-") else path) + parameters)


def _from_here(path: Path) -> str:
    """Return the path relative to the current directory, if that is shorter."""
    try:
        return min(str(path), os.path.relpath(path), key=len)
    except ValueError:  # another drive
        return str(path)


def claim_of(system: System, text: str) -> s.Claim:
    """Parse a claim, which the figure need not make."""
    if "\n" in text:
        raise NoSuchClaim(f"{text!r} is more than one line; give one claim at a time")
    without = to_source(replace(system.figure, claims=()))
    try:
        claims = read_figure(f"{without}\n  claims\n    {text}\n").claims
    except BadSpecification as error:
        first = error.diagnostics[0]
        raise NoSuchClaim(f"`{text}` is not a claim of {system.name}: {first.message}; {first.hint}") from None
    if len(claims) != 1:
        raise NoSuchClaim(f"`{text}` is not a claim; claims are written `sound projective trees`, `length <= 2n`, …")
    return claims[0]
