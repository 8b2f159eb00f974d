"""The native code of a figure together with that of feature extraction and of whole runs."""

from typing import Final

from arcproof.classifiers import runs
from arcproof.classifiers.features import extraction
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.machine.arrays.module import NotCompilable, Runner, runner
from arcproof.transitions.system import System

PARTS: Final = (extraction, runs)


class CannotBeTrained(ArcproofError, ValueError):
    """A figure, or a setting, that there is no parser for."""


def native_runner(system: System) -> Runner:
    """The native code of a system; `CannotBeTrained` if there is none."""
    try:
        return runner(system, *PARTS)
    except NotCompilable as reason:
        raise CannotBeTrained(f"{system.name} cannot be trained: there is no native code for {reason}") from None
