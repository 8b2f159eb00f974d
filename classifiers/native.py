"""The native code that training and parsing need: compiled once for all figures, and imported when it is first
needed.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import Runner

# What a run follows, and what is learned from each transition: an oracle, and what it does; given transitions, and
# these; or given transitions, and what an oracle advises.
FOLLOW: Final = 0
REPLAY: Final = 1
CORRECT: Final = 2

# The outcome of a round of exploration, other than a faulty transition: its end, or a request for costs.
ENDED: Final = 0
ASKED: Final = 1
# What it keeps count of: sentences done, transitions of the current one, steps of learning, all transitions, those that
# were not free, configurations where nothing was free; and the state of the random generator.
DONE_SENTENCES: Final = 0
TAKEN: Final = 1
NEXT_STEP: Final = 2
TRANSITIONS: Final = 3
ASTRAY: Final = 4
CHANCE: Final = 5
NOTHING_FREE: Final = 6
PROGRESS: Final = 7
UNKNOWN_COST: Final = 1 << 30


class CannotBeTrained(ArcproofError, ValueError):
    """A figure or a setting for which there is no parser."""


def native_runner(system: System) -> "Runner":
    """The program of a system; `CannotBeTrained` if there is none."""
    from arcproof.transitions.machine.arrays.module import Runner
    from arcproof.transitions.machine.meaning import NotAssembled

    try:
        return Runner.of(system)
    except NotAssembled as reason:
        raise CannotBeTrained(f"{system.name} cannot be trained: there is no native code for {reason}") from None


@cache
def leading() -> Callable[..., int]:
    """`runs.lead`."""
    from arcproof.classifiers import runs

    found: Callable[..., int] = runs.lead
    return found


@cache
def proceeding() -> Callable[..., bool]:
    """`steps.proceed`."""
    from arcproof.classifiers import steps

    found: Callable[..., bool] = steps.proceed
    return found


@cache
def exploring() -> Callable[..., int]:
    """The native function `explored_runs.explore`."""
    from arcproof.classifiers import explored_runs

    found: Callable[..., int] = explored_runs.explore
    return found
