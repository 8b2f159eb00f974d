"""The losses of the interpreter's configurations, for every gold graph of a class; `losses` says what a loss is, and
computes them for native code.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.engines.output_sets import code_of, decoded, heads_of, members
from arcproof.transitions.syntax import GraphClass

UNREACHABLE: Final = 255
MAX_BYTES: Final = 1 << 28
"""The memory for the losses of one batch of gold graphs before and after every transition."""
Row: TypeAlias = tuple[int, ...]
"""For each word of a graph, one more than its head, or 0 for none."""
Blame: TypeAlias = Callable[[Any, Any], Any]
"""Whether a head counts as wrong, given the head that was built and the gold one; each is one more than the head, or 0
for none, or an array of such numbers.
"""


def wrong_heads(built: Any, gold: Any) -> Any:
    """Whether the head differs from the gold one."""
    return built != gold


def missed_arcs(built: Any, gold: Any) -> Any:
    """Whether there is a gold head, and the head is not it."""
    return (built != gold) & (gold != 0)


@dataclass(frozen=True)
class DefinedLosses:
    """A table of losses, by the number of a configuration and the index of a gold graph."""

    space: StateSpace
    golds: list[int]
    table: list[bytes]

    @cached_property
    def heads(self) -> list[Row]:
        """The gold graphs as rows."""
        return [row_of(code, self.space.words) for code in self.golds]


def row_of(code: int, words: int) -> Row:
    """A graph as a row."""
    return tuple(0 if head is None else head + 1 for head in heads_of(code, words))


def defined_losses(space: StateSpace, graphs: GraphClass, blame: Blame = wrong_heads) -> Iterator[DefinedLosses]:
    """The losses for every gold graph of a class, as the system builds them, in batches, so that memory is bounded."""
    room = max(1, MAX_BYTES // max(1, space.size + space.transitions))
    outputs = (space.system.wanted(decoded(code, space.words, "heads")) for code in members(graphs, space.words))
    golds = sorted({code_of(graph.heads) for graph in outputs})
    for first in range(0, len(golds), room):
        yield _losses(space, golds[first : first + room], blame)


def _losses(space: StateSpace, golds: list[int], blame: Blame) -> DefinedLosses:
    rows = [row_of(code, space.words) for code in golds]
    outputs = {code: row_of(code, space.words) for code in set(space.ends[1])}
    by_output = {code: bytes([sum(map(blame, built, row)) for row in rows]) for code, built in outputs.items()}
    start = dict(zip(space.ends[0], map(by_output.__getitem__, space.ends[1]), strict=True))
    nothing = bytes([UNREACHABLE]) * len(golds)
    table = [start.get(number, nothing) for number in range(space.size)]
    passed_back(space, table, lambda one, other: bytes(map(min, one, other)))
    return DefinedLosses(space, golds, table)


def passed_back(space: StateSpace, values: list[Any], join: Callable[[Any, Any], Any]) -> None:
    """Join the value of each configuration with those one transition later, until nothing changes."""
    order = space.graph.order()
    changed = True
    while changed:
        changed = False
        for number in reversed(range(space.size) if order is None else order):
            before = value = values[number]
            for target in {edge.target for edge in space.edges[number]}:
                value = join(value, values[target])
            if value != before:
                values[number] = value
                changed = order is None


def arcs_within_reach(space: StateSpace) -> list[frozenset[tuple[int, int]]]:
    """For each configuration the pairs of a word and its entry in a row that some run from there ends with."""
    found: list[frozenset[tuple[int, int]]] = [frozenset()] * space.size
    for number, code in zip(*space.ends, strict=True):
        found[number] = frozenset(enumerate(row_of(code, space.words), start=1))
    passed_back(space, found, frozenset.union)
    return found


@dataclass(frozen=True, slots=True)
class Apart:
    """A configuration and the index of a gold graph whose arcs within reach cannot all be built; their dependents."""

    number: int
    place: int
    within: frozenset[int]


def apart(found: DefinedLosses, within: list[frozenset[tuple[int, int]]], attached: int | None) -> Apart | None:
    """The first configuration from which the gold arcs within reach cannot all be built.

    `attached` is the head of words without a head, if they have one.
    """
    for number, losses in enumerate(found.table):
        for place, loss in enumerate(losses):
            if loss != UNREACHABLE:
                arcs = [arc for arc in enumerate(found.heads[place], start=1) if arc[1] or attached is not None]
                if loss != sum(arc not in within[number] for arc in arcs):
                    return Apart(number, place, frozenset(word for word, _ in within[number].intersection(arcs)))
    return None
