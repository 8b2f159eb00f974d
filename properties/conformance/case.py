"""A single case to replay, and its outcome."""

from arcproof.properties.conformance.divergence import Names
from arcproof.properties.conformance.driver import Labels
from arcproof.properties.conformance.subject import Shown
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads

from arcproof.process.lazy_dataclass import dataclass


@dataclass(frozen=True)
class OneCase:
    """A run, its number of words, and what to ask at its end: a gold tree, and its labels for an encoding."""

    words: int
    run: Names = ()
    gold: Heads | None = None
    labels: Labels | None = None


@dataclass(frozen=True)
class Taken:
    """A transition (None at the start) and what both sides say after it (None where the driver gives no answer)."""

    transition: str | None
    figure: Configuration
    ends_in_figure: bool
    figure_permits: Names
    shown: Shown | None
    ends_in_driver: bool | None
    driver_permits: Names | None
