"""The programs of figures that are trained."""

from typing import TYPE_CHECKING

from arcproof.native import NoNativeCode, need_native_code
from arcproof.transitions.errors import ArcproofError, MissingPackage
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import Runner


class CannotBeTrained(ArcproofError, ValueError):
    """A figure or a setting for which there is no parser."""


def native_runner(system: System) -> "Runner":
    """The program of a system; `CannotBeTrained` if there is none, `MissingPackage` without native code."""
    from arcproof.transitions.machine.arrays.module import Runner
    from arcproof.transitions.machine.meaning import NotAssembled

    try:
        need_native_code()
        return Runner.of(system)
    except NoNativeCode as reason:
        raise MissingPackage(str(reason)) from None
    except NotAssembled as reason:
        raise CannotBeTrained(f"{system.name} cannot be trained: there is no native code for {reason}") from None
