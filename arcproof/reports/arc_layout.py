"""Where everything goes in an arc diagram, for text and SVG alike.

Every end of an arc has a *port* of its own above its word, or below it: from left to right first the ends of arcs that
come from the left, the shortest first, then those of arcs that go to the right, the longest first.  An arc is a
horizontal line between two ports, at a *level* above all arcs it covers (or below them), with a vertical line at each
port.  Because ports are never shared, two lines meet only where their arcs cross on one side, and exactly once there. A
label stands on its line between two places where other arcs cross the line; words are moved apart until it fits.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, count, pairwise
from typing import NamedTuple, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.printing.escape import for_terminal

Forms: TypeAlias = Sequence[str] | None


# --- what is drawn ---------------------------------------------------------------------------------------------------


def shown_forms(graph: Graph, words: Forms, with_root: bool = False) -> dict[int, str]:
    """The text of each node that is shown, from left to right."""
    if words is not None and len(words) != graph.words:
        raise BadGraph(f"the graph has {graph.words} words, but {len(words)} were given")
    for arc in graph.arcs:
        if not (0 <= arc.head <= graph.words and 0 <= arc.dependent <= graph.words):
            raise BadGraph(f"the arc {arc} has an end outside the nodes 0 to {graph.words}")
    root = with_root or not graph.words or any(ROOT in (arc.head, arc.dependent) for arc in graph.arcs)
    forms = {ROOT: "ROOT"} if root else {}
    return forms | {node: str(node) if words is None else words[node - 1] for node in range(1, graph.words + 1)}


def ends_of(arc: Arc) -> tuple[int, int]:
    """The left and the right end of an arc."""
    return min(arc.head, arc.dependent), max(arc.head, arc.dependent)


def crossing_arcs(graph: Graph) -> frozenset[Arc]:
    """The arcs that cross another arc."""
    crossing: set[Arc] = set()
    for one, other in combinations(graph.arcs, 2):
        if _cross(one, other):
            crossing |= {one, other}
    return frozenset(crossing)


def _cross(one: Arc, other: Arc) -> bool:
    (a, b), (c, d) = sorted((ends_of(one), ends_of(other)))
    return a < c < b < d


def arcs_below(graph: Graph) -> frozenset[Arc]:
    """The arcs that are drawn below the words: none, unless a word has several heads.

    Of two arcs that cross, one goes above and the other below, as far as possible: if the graph is 2-planar, no arcs
    cross on either side.  Of two arcs with the same ends, the second goes below if it crosses nothing there.
    """
    if graph.heads_or_none is not None:
        return frozenset()
    arcs = sorted(graph.arcs, key=lambda arc: (*ends_of(arc), arc.head, arc.label or ""))
    below: dict[Arc, bool] = {}
    for first in arcs:
        reached = [] if first in below else [first]
        below.setdefault(first, False)
        for arc in reached:
            for other in arcs:
                if other not in below and _cross(arc, other):
                    below[other] = not below[arc]
                    reached.append(other)
    ends: set[tuple[int, int]] = set()
    for arc in arcs:
        if ends_of(arc) in ends and not any(below[other] and _cross(arc, other) for other in arcs):
            below[arc] = True
        ends.add(ends_of(arc))
    return frozenset(arc for arc in arcs if below[arc])


# --- geometry --------------------------------------------------------------------------------------------------------


class ArcSpan(NamedTuple):
    """The span of an arc, in ports or in nodes."""

    left: int
    right: int

    def meets(self, other: "ArcSpan") -> bool:
        """Whether the two spans overlap."""
        return self.left <= other.right and other.left <= self.right


def levels_of(spans: Sequence[ArcSpan]) -> list[int]:
    """Give each span the lowest level, from 1, on which it meets no shorter span.

    Then it lies above all spans it covers: whatever keeps a covered span off a level meets the covering one too.
    """
    levels = [0] * len(spans)
    placed: list[int] = []
    for index in sorted(range(len(spans)), key=lambda i: (spans[i].right - spans[i].left, i)):
        taken = {levels[other] for other in placed if spans[index].meets(spans[other])}
        levels[index] = next(level for level in count(1) if level not in taken)
        placed.append(index)
    return levels


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """An arc of the picture; its label stands between the two ports of `label_run`."""

    arc: Arc
    span: ArcSpan
    level: int
    crossing: bool
    below: bool
    label_run: tuple[int, int]

    @property
    def arrow(self) -> int:
        """The port at the end of the dependent."""
        return self.span.left if self.arc.dependent < self.arc.head else self.span.right


@dataclass(frozen=True, slots=True)
class Widths:
    """Measurements in the units of a target, columns or pixels: text widths, distances between ports and words, room
    around a label.
    """

    text: Callable[[str], int]
    index: Callable[[str], int]
    label: Callable[[str], int]
    step: int
    gap: int
    margin: int


class WordCell(NamedTuple):
    """The room for one node; its texts stand in the middle."""

    start: int
    width: int


@dataclass(frozen=True, slots=True)
class ArcLayout:
    """Where everything goes: the lines, the position of each port, and the cell of each node."""

    lines: tuple[DrawnLine, ...]
    port_at: tuple[int, ...]
    cells: dict[int, WordCell]

    @property
    def width(self) -> int:
        """The width of the whole picture."""
        return max(cell.start + cell.width for cell in self.cells.values())

    @property
    def height(self) -> int:
        """The highest level above the words; 0 if there are no arcs."""
        return max((line.level for line in self.lines if not line.below), default=0)

    @property
    def depth(self) -> int:
        """The highest level below the words; 0 if there are no arcs."""
        return max((line.level for line in self.lines if line.below), default=0)


def _ports(arcs: Sequence[Arc], numbers: Sequence[int], nodes: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """The ports of each node on one side from left to right, as (number of the arc, 0 for its left end or 1 for its
    right end).
    """
    keyed: dict[int, list[tuple[tuple[int, int, int], tuple[int, int]]]] = {node: [] for node in nodes}
    for number in numbers:
        left, right = ends_of(arcs[number])
        if left == right:
            keyed[left] += [((1, 0, -number), (number, 0)), ((1, 1, number), (number, 1))]
        else:
            keyed[right].append(((0, -left, number), (number, 1)))
            keyed[left].append(((2, -right, -number), (number, 0)))
    return {node: [end for _, end in sorted(ends)] for node, ends in keyed.items()}


def label_text(arc: Arc) -> str:
    """The label as it is drawn."""
    return for_terminal(arc.label or "")


def layout_of(graph: Graph, forms: Mapping[int, str], numbered: bool, measure: Widths) -> ArcLayout:
    """Lay out the arcs and words of a graph, in the units of a target."""
    arcs, under = graph.sorted_arcs(), arcs_below(graph)
    sides = [[index for index, arc in enumerate(arcs) if (arc in under) == below] for below in (False, True)]
    ends = [_ports(arcs, side, list(forms)) for side in sides]
    number_of = {end: port for port, end in enumerate(end for node in forms for side in ends for end in side[node])}
    spans = [ArcSpan(number_of[index, 0], number_of[index, 1]) for index in range(len(arcs))]
    ports_of = {node: [[number_of[end] for end in side[node]] for side in ends] for node in forms}
    widths = {node: _text_width(node, form, numbered, measure) for node, form in forms.items()}
    natural, _ = _place(widths, ports_of, {}, measure)
    crossing = crossing_arcs(graph)
    lines: dict[int, DrawnLine] = {}
    for side in sides:
        near = [spans[index] for index in side]
        levels = levels_of(near)
        for index, level in zip(side, levels, strict=True):
            run = _widest_run(spans[index], level, near, levels, natural)
            lines[index] = DrawnLine(
                arcs[index], spans[index], level, arcs[index] in crossing, arcs[index] in under, run
            )
    drawn = tuple(lines[index] for index in range(len(arcs)))
    return ArcLayout(drawn, *_place(widths, ports_of, _needs(drawn, measure), measure))


def _text_width(node: int, form: str, numbered: bool, measure: Widths) -> int:
    return max(measure.text(for_terminal(form)), measure.index(str(node)) if numbered else 0)


def _widest_run(
    span: ArcSpan, level: int, spans: Sequence[ArcSpan], levels: Sequence[int], port_at: Sequence[int]
) -> tuple[int, int]:
    """The widest part of a line that no other arc crosses, as the ports at both ends."""
    crossed = [
        port
        for other, height in zip(spans, levels, strict=True)
        if height > level
        for port in other
        if span.left < port < span.right
    ]
    return max(pairwise([span.left, *sorted(crossed), span.right]), key=lambda run: port_at[run[1]] - port_at[run[0]])


def _needs(lines: Sequence[DrawnLine], measure: Widths) -> dict[int, list[tuple[int, int]]]:
    """For each port, the ports to its left from which it must keep a distance so that a label fits between them."""
    needs: dict[int, list[tuple[int, int]]] = {}
    for line in lines:
        if label := label_text(line.arc):
            left, right = line.label_run
            needs.setdefault(right, []).append((left, measure.label(label) + measure.margin))
    return needs


def _place(
    widths: Mapping[int, int],
    ports_of: Mapping[int, Sequence[Sequence[int]]],
    needs: Mapping[int, Sequence[tuple[int, int]]],
    measure: Widths,
) -> tuple[tuple[int, ...], dict[int, WordCell]]:
    """Place ports and cells from left to right, each as far left as possible."""
    port_at: list[int] = []
    cells: dict[int, WordCell] = {}
    free = 0
    for node, sides in ports_of.items():
        offsets = [_offsets(ports, needs, measure.step) for ports in sides]
        reach = [max(side.values(), default=0) + 1 for side in offsets]
        width = max(widths[node], *reach)
        places = {
            port: (width - wide) // 2 + offset
            for side, wide in zip(offsets, reach, strict=True)
            for port, offset in side.items()
        }
        kept_off = [
            port_at[other] + distance - place
            for port, place in places.items()
            for other, distance in needs.get(port, ())
            if other not in places
        ]
        cells[node] = WordCell(max([free, *kept_off]), width)
        port_at += [cells[node].start + places[port] for ports in sides for port in ports]
        free = cells[node].start + width + measure.gap
    return tuple(port_at), cells


def _offsets(ports: Sequence[int], needs: Mapping[int, Sequence[tuple[int, int]]], step: int) -> dict[int, int]:
    """The positions of a node's ports, relative to the first."""
    offsets: dict[int, int] = {}
    for port in ports:
        least = max(offsets.values()) + step if offsets else 0
        within = [offsets[other] + distance for other, distance in needs.get(port, ()) if other in offsets]
        offsets[port] = max([least, *within])
    return offsets
