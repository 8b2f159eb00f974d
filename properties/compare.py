"""Two systems side by side: which graphs each derives, and how long their shortest derivations are."""

from dataclasses import dataclass
from typing import Literal

from arcproof.properties.exhausted import Levels, retrace
from arcproof.properties.exploration import Output, StateSpace, rooted
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph

Relation = Literal["equal", "contained", "contains", "neither"]


@dataclass(frozen=True, slots=True)
class Witness:
    """A graph that one system derives and the other does not, with a shortest run."""

    graph: Graph
    words: int
    transitions: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class LengthDifference:
    """The smallest graph that both derive, but one in fewer transitions."""

    graph: Graph
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """`contained`: every graph of the first is one of the second.  Witnesses are the smallest there are.

    Graphs are compared without labels; `clashes` says of each system whether it adds arcs to words that have a head.
    """

    words: int
    relation: Relation
    only_first: Witness | None
    only_second: Witness | None
    shorter_first: LengthDifference | None
    shorter_second: LengthDifference | None
    common: int
    clashes: tuple[bool, bool]


def outputs_of(space: StateSpace) -> dict[Output, int]:
    """Without node 0, words without head count as dependents of 0."""
    found: dict[Output, int] = {}
    for output, number in space.outputs.items():
        found.setdefault(rooted(space.system, output), number)
    return found


def compare(first: Levels, second: Levels) -> Comparison:
    """Compare all outputs, fewest words first."""
    only_first = only_second = None
    shorter_first = shorter_second = None
    common = 0
    clashes = [False, False]
    for one, other in zip(first.spaces(), second.spaces(), strict=False):
        for index, space in enumerate((one, other)):
            clashes[index] = clashes[index] or any(edge.step.clashes for edge in space.all_edges())
        mine, theirs = outputs_of(one), outputs_of(other)
        only_first = only_first or _witness(one, mine, theirs)
        only_second = only_second or _witness(other, theirs, mine)
        for output, number in mine.items():
            if output not in theirs:
                continue
            common += 1
            graph = one.configurations[number].graph
            lengths = len(one.run_to(number)), len(other.run_to(theirs[output]))
            if lengths[0] < lengths[1] and shorter_first is None:
                shorter_first = LengthDifference(graph, *lengths)
            if lengths[1] < lengths[0] and shorter_second is None:
                shorter_second = LengthDifference(graph, *lengths)
    relation: Relation = "equal"
    if only_first is not None:
        relation = "neither" if only_second is not None else "contains"
    elif only_second is not None:
        relation = "contained"
    words = min(first.reached, second.reached)
    return Comparison(
        words, relation, only_first, only_second, shorter_first, shorter_second, common, (clashes[0], clashes[1])
    )


def _witness(space: StateSpace, mine: dict[Output, int], theirs: dict[Output, int]) -> Witness | None:
    for output, number in mine.items():
        if output not in theirs:
            run = space.run_to(number)
            return Witness(retrace(space.system, space.words, run).graph, space.words, run)
    return None
