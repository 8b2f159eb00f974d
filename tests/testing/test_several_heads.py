"""A program checked against a figure with several heads: its arcs are compared, and what speaks of one head is
refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from arcproof.properties.conformance.conform import Extent, compare
from arcproof.properties.conformance.divergence import Kind, kind_of
from arcproof.properties.conformance.driver import parts_of
from arcproof.transitions.system import load
from tests.graph_figures import ARC_EAGER_GRAPH

EXTENT = Extent(words=2, samples=5)


class State(NamedTuple):
    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    arcs: frozenset[tuple[int, int]] = frozenset()

    def reaches(self, source: int, target: int) -> bool:
        return source == target or any(self.reaches(source, head) for head, word in self.arcs if word == target)


class EagerGraph:
    """Arc-eager with several heads in plain Python; nothing of it comes from arcproof."""

    def start(self, n: int) -> State:
        return State((0,), tuple(range(1, n + 1)))

    def permissible(self, c: State) -> Sequence[str]:
        found = []
        if c.stack and c.buffer:
            i, j = c.stack[-1], c.buffer[0]
            if i != 0 and (j, i) not in c.arcs and not c.reaches(i, j):
                found.append("LEFT-ARC")
            if (i, j) not in c.arcs and not c.reaches(j, i):
                found.append("RIGHT-ARC")
        if c.stack and c.stack[-1] != 0:
            found.append("REDUCE")
        return [*found, "SHIFT"] if c.buffer else found

    def apply(self, c: State, t: str) -> State:
        match t:
            case "LEFT-ARC":
                return c._replace(arcs=c.arcs | {(c.buffer[0], c.stack[-1])})
            case "RIGHT-ARC":
                return c._replace(arcs=c.arcs | {(c.stack[-1], c.buffer[0])})
            case "REDUCE":
                return c._replace(stack=c.stack[:-1])
            case _:
                return c._replace(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])

    def is_terminal(self, c: State) -> bool:
        return not c.buffer

    def components(self, c: State) -> Mapping[str, Sequence[int]]:
        return {"sigma": c.stack, "β": c.buffer}

    def arcs(self, c: State) -> Iterable[tuple[int, int]]:
        return c.arcs


class KeepsOneHead(EagerGraph):
    """A word that gets a second head loses the first."""

    def apply(self, c: State, t: str) -> State:
        after = super().apply(c, t)
        [new] = after.arcs - c.arcs or {(-1, -1)}
        return after._replace(arcs=frozenset(arc for arc in after.arcs if arc == new or arc[1] != new[1]))


def test_a_right_program_conforms() -> None:
    found = compare(load(ARC_EAGER_GRAPH), "EagerGraph", parts_of(EagerGraph), EXTENT)

    assert found.found == ()
    assert found.conforms


def test_a_program_that_keeps_one_head_diverges() -> None:
    found = compare(load(ARC_EAGER_GRAPH), "KeepsOneHead", parts_of(KeepsOneHead), EXTENT).found

    assert kind_of(found[0].divergence.what) == (Kind.STATE, "A")
    assert (found[0].divergence.words, len(found[0].divergence.run)) == (2, 3)
