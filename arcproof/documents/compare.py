"""`arcproof compare --json`."""

from typing import TYPE_CHECKING, TypeAlias

from arcproof.documents.shared import Heads, Natural, Relation, Run, run_of
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.engines.levels import Levels
    from arcproof.properties.studies import compare


@dataclass(frozen=True)
class WitnessJson:
    """The smallest graph that one system derives and the other does not, with a shortest run."""

    words: Natural
    heads: Heads | None
    transitions: Run


@dataclass(frozen=True)
class LengthDifferenceJson:
    """The smallest graph that both derive, one in fewer transitions."""

    heads: Heads | None
    first: Natural
    """How many transitions the first system needs."""
    second: Natural
    """How many transitions the second system needs."""


@dataclass(frozen=True)
class LeftOutJson:
    """A level that was not explored."""

    words: Natural
    reason: str


@dataclass(frozen=True)
class ComparisonJson:
    """Two systems compared."""

    first: str
    second: str
    words: Natural
    """All graphs of up to this many words were compared."""
    relation: Relation
    only_first: WitnessJson | None
    only_second: WitnessJson | None
    shorter_first: LengthDifferenceJson | None
    shorter_second: LengthDifferenceJson | None
    common: Natural
    """How many graphs both derive."""
    clashes: tuple[bool, bool]
    """Of each system: whether it adds arcs to words that have a head."""
    notes: tuple[str | None, str | None]
    """Of each system: why the interpreter explored although native code was asked for."""
    skipped: tuple[tuple[LeftOutJson, ...], tuple[LeftOutJson, ...]]
    """Of each system: the levels that were left out."""


DOCUMENT: TypeAlias = ComparisonJson


def document(found: "compare.SystemComparison", one: "Levels", other: "Levels") -> ComparisonJson:
    """What a comparison found."""
    return ComparisonJson(
        first=one.system.name,
        second=other.system.name,
        words=found.words,
        relation=found.relation,
        only_first=_witness(found.only_first),
        only_second=_witness(found.only_second),
        shorter_first=_shorter(found.shorter_first),
        shorter_second=_shorter(found.shorter_second),
        common=found.common,
        clashes=found.clashes,
        notes=(one.explorer.note, other.explorer.note),
        skipped=(_left_out(one), _left_out(other)),
    )


def _witness(found: "compare.SeparatingGraph | None") -> WitnessJson | None:
    return None if found is None else WitnessJson(found.words, found.graph.heads_or_none, run_of(found.transitions))


def _shorter(found: "compare.LengthDifference | None") -> LengthDifferenceJson | None:
    return None if found is None else LengthDifferenceJson(found.graph.heads_or_none, found.first, found.second)


def _left_out(levels: "Levels") -> tuple[LeftOutJson, ...]:
    return tuple(LeftOutJson(skipped.words, skipped.reason) for skipped in levels.skipped.values())
