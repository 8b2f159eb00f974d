"""`arcproof explore --json`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof.documents.shared import Natural
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import Engine
    from arcproof.properties.studies.counts import LevelSummary
    from arcproof.transitions.system import System


@dataclass(frozen=True)
class AmbiguityJson:
    """How many derivations an output has."""

    least: Natural
    mean: float
    most: Natural


@dataclass(frozen=True)
class LevelJson:
    """All configurations for one number of words; the counts are null if the level was left out."""

    words: Natural
    configurations: Natural
    """How many configurations there are; for a level that was left out, how many were known by then."""
    transitions: Natural | None
    outputs: Natural | None
    trees: Natural | None
    """How many of the outputs are trees."""
    shortest: Natural | None
    """The length of the shortest run; null if no run ends."""
    longest: Natural | None
    """The length of the longest run; null if there is none."""
    dead_ends: Natural | None
    """Configurations that are not terminal and permit no transition."""
    complete: bool
    reason: str | None
    """Why the level was left out."""
    derivations: AmbiguityJson | None


@dataclass(frozen=True)
class ExplorationJson:
    """Every configuration, level by level."""

    system: str
    engine: Literal["compiled", "interpreter"]
    note: str | None
    """Why the interpreter explored although native code was requested."""
    levels: tuple[LevelJson, ...]
    convention: str | None = None
    """How words without a head are read where trees are counted; left out if literally."""


DOCUMENT: TypeAlias = ExplorationJson


def document(system: "System", engine: "Engine", levels: "Sequence[LevelSummary]") -> ExplorationJson:
    """Return the document for the levels that are known."""
    return ExplorationJson(system.name, engine.name, engine.note, tuple(map(_level, levels)), system.convention)


def _level(level: "LevelSummary") -> LevelJson:
    counted = level.counted
    if counted is None:
        nothing = (None, None, None, None, None, None)
        return LevelJson(level.words, level.known, *nothing, complete=False, reason=level.reason, derivations=None)
    found = counted.ambiguity
    return LevelJson(
        words=level.words,
        configurations=counted.configurations,
        transitions=counted.transitions,
        outputs=counted.outputs,
        trees=counted.trees,
        shortest=counted.shortest,
        longest=counted.longest,
        dead_ends=counted.dead_ends,
        complete=True,
        reason=level.reason,
        derivations=None if found is None else AmbiguityJson(found.least, round(found.mean, 4), found.most),
    )
