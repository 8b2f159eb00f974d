"""Two systems side by side: which graphs each derives, and how long their shortest derivations are."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import OutputSet, comparable
from arcproof.properties.engines.spaces import Space
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph

if TYPE_CHECKING:
    from arcproof.properties.engines.outputs import Outputs

Relation = Literal["equal", "contained", "contains", "neither"]


@dataclass(frozen=True, slots=True)
class SeparatingGraph:
    """A graph that one system derives and the other does not, with a shortest run."""

    graph: Graph
    words: int
    transitions: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class LengthDifference:
    """The smallest graph that both systems derive, but one of them in fewer transitions."""

    graph: Graph
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """How two systems compare; `contained` means that the second derives every graph that the first derives.  Witnesses
    are the smallest there are.

    Graphs are compared without labels; `clashes` says for each system whether it adds arcs that it should not: to words
    that have a head or, with several heads, arcs that exist already.
    """

    words: int
    relation: Relation
    only_first: SeparatingGraph | None
    only_second: SeparatingGraph | None
    shorter_first: LengthDifference | None
    shorter_second: LengthDifference | None
    common: int
    clashes: tuple[bool, bool]
    ended_by: str | None = None
    """What ended the comparison early, if anything; then it covers sentences of up to `words` words."""


NOTHING_COMPARED: Final = SystemComparison(-1, "equal", None, None, None, None, 0, (False, False))


def compare(first: Levels, second: Levels) -> SystemComparison:
    """Compare all outputs, fewest words first; after an interruption, the comparison covers the levels that were
    compared in full.
    """
    found = NOTHING_COMPARED
    try:
        for one, other in zip(first.spaces(), second.spaces(), strict=False):
            found = _with_level(found, one, other)
    except KeyboardInterrupt as interruption:
        return replace(found, ended_by=what_ended(interruption))
    return found


def _with_level(found: SystemComparison, one: Space, other: Space) -> SystemComparison:
    """The comparison with one more level."""
    mine, theirs = comparable(one.outputs, other.outputs, (one.system, other.system))
    only_first = found.only_first or witness_of(one, mine.minus(theirs))
    only_second = found.only_second or witness_of(other, theirs.minus(mine))
    pairs = mine.common(theirs)
    shorter = [found.shorter_first, found.shorter_second]
    if None in shorter:
        _compare_lengths(one, other, pairs, shorter)
    relation: Relation = "equal"
    if only_first is not None:
        relation = "neither" if only_second is not None else "contains"
    elif only_second is not None:
        relation = "contained"
    clashes = found.clashes[0] or one.has_clashes, found.clashes[1] or other.has_clashes
    return SystemComparison(
        one.words, relation, only_first, only_second, shorter[0], shorter[1], found.common + len(pairs), clashes
    )


def _compare_lengths(
    one: Space, other: Space, pairs: list[tuple[int, int]], shorter: list[LengthDifference | None]
) -> None:
    for mine, theirs in pairs:
        lengths = one.depth(mine), other.depth(theirs)
        for place, (short, long) in enumerate((lengths, lengths[::-1])):
            if short < long and shorter[place] is None:
                graph = retrace(one.system, one.words, one.run_to(mine)).graph
                shorter[place] = LengthDifference(graph, *lengths)


def witness_of(space: Space, only: "Outputs | OutputSet") -> SeparatingGraph | None:
    """The first of these outputs, with a shortest run; None if there are none."""
    number = only.earliest
    if number is None:
        return None
    run = space.run_to(number)
    return SeparatingGraph(retrace(space.system, space.words, run).graph, space.words, run)
