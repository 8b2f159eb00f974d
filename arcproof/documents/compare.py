"""`arcproof compare --json`."""

from typing import TYPE_CHECKING, TypeAlias

from arcproof.documents.shared import Arcs, Heads, Natural, Relation, Run, heads_and_arcs, run_of
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
    arcs: Arcs | None = None
    """The arcs of a graph that cannot be written as a list of heads."""


@dataclass(frozen=True)
class LengthDifferenceJson:
    """The smallest graph that both systems derive, one of them in fewer transitions."""

    heads: Heads | None
    first: Natural
    """How many transitions the first system needs."""
    second: Natural
    """How many transitions the second system needs."""
    arcs: Arcs | None = None
    """The arcs of a graph that cannot be written as a list of heads."""


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
    """The number of words up to which all graphs were compared."""
    relation: Relation
    only_first: WitnessJson | None
    only_second: WitnessJson | None
    shorter_first: LengthDifferenceJson | None
    shorter_second: LengthDifferenceJson | None
    common: Natural
    """How many graphs both derive."""
    clashes: tuple[bool, bool]
    """For each system: whether it adds arcs to words that already have a head; with several heads, arcs that already
    exist.
    """
    notes: tuple[str | None, str | None]
    """For each system: why the interpreter explored although native code was requested."""
    skipped: tuple[tuple[LeftOutJson, ...], tuple[LeftOutJson, ...]]
    """For each system: the levels that were left out."""
    conventions: tuple[str | None, str | None] | None = None
    """For each system: how words without a head are read, null if literally; left out if so in both."""
    ended_by: str | None = None
    """What ended the comparison before it reached the requested number of words."""


DOCUMENT: TypeAlias = ComparisonJson


def document(found: "compare.SystemComparison", one: "Levels", other: "Levels") -> ComparisonJson:
    """Return the document for a comparison."""
    conventions = (one.system.convention, other.system.convention)
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
        conventions=conventions if any(conventions) else None,
        ended_by=found.ended_by,
    )


def _witness(found: "compare.SeparatingGraph | None") -> WitnessJson | None:
    if found is None:
        return None
    heads, arcs = heads_and_arcs(found.graph)
    return WitnessJson(found.words, heads, run_of(found.transitions), arcs)


def _shorter(found: "compare.LengthDifference | None") -> LengthDifferenceJson | None:
    if found is None:
        return None
    heads, arcs = heads_and_arcs(found.graph)
    return LengthDifferenceJson(heads, found.first, found.second, arcs)


def _left_out(levels: "Levels") -> tuple[LeftOutJson, ...]:
    return tuple(LeftOutJson(skipped.words, skipped.reason) for skipped in levels.skipped.values())
