"""Arc diagrams: a dependency graph drawn with its arcs above the words.

The graph may be any: words with two heads, cycles, loops and arcs into the root are drawn too, because counterexamples are such
graphs.  Conventions:
- The root stands at the left as `ROOT` if an arc touches it (or if there is nothing else to show, or if it is asked for).
- An arrow head marks the dependent's end of an arc.
- Arcs (a, b) and (c, d) *cross* if a < c < b < d for their sorted ends; both are then dashed.

The geometry is the same for text and SVG.  Every end of an arc has a *port* of its own above its word: from left to right
first the ends of arcs that come from the left, the shortest first, then those of arcs that go to the right, the longest
first.  An arc is a horizontal line between two ports, at a *level* above all arcs it covers, with a vertical line down at
each port.  Because ports are never shared, two lines meet only where their arcs cross, and exactly once there.
Where the ports of a word reach beyond it, dots (in SVG a thin line) beside the word show which ports are its own.
A label stands on its line between two places where other arcs cross the line; words are moved apart until it fits.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, count, pairwise
from typing import Final, NamedTuple, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.printing.escape import display_width, for_terminal, for_xml, padded

WIDTH: Final = 100

Words: TypeAlias = Sequence[str] | None


def to_text(graph: Graph, words: Words = None, width: int | None = WIDTH) -> str:
    """The diagram in box-drawing characters, lines separated by newlines.

    If it takes more than `width` columns, the words are written one below the other with the arcs as brackets at their left, and
    if even the brackets are too wide, as a mere list.  None means no limit.
    """
    forms, numbered = _forms(graph, words), words is not None
    room = math.inf if width is None else width
    layout = _layout(graph, forms, numbered, _COLUMNS) if _least_width(forms) <= room else None
    if layout is not None and layout.width <= room:
        lines = _horizontal(layout, forms, numbered)
    else:
        lines = _vertical(graph, forms, numbered, room)
    return "\n".join(line.rstrip(" ") for line in lines) + "\n"


def to_svg(graph: Graph, words: Words = None, title: str = "Dependency graph", with_root: bool = False) -> str:
    """The diagram as an SVG image of its own; it takes the colour of the text around it.

    Each arc is a group with its number among the sorted arcs, so that a page can show some of them.
    """
    return _Picture(graph, _forms(graph, words, with_root), words is not None, title).svg()


# --- what is drawn ---------------------------------------------------------------------------------------------------


def _forms(graph: Graph, words: Words, with_root: bool = False) -> dict[int, str]:
    """What to print for each node that is shown, from left to right."""
    if words is not None and len(words) != graph.words:
        raise BadGraph(f"the graph has {graph.words} words, but {len(words)} were given")
    for arc in graph.arcs:
        if not (0 <= arc.head <= graph.words and 0 <= arc.dependent <= graph.words):
            raise BadGraph(f"the arc {arc} leaves the nodes 0 to {graph.words}")
    root = with_root or not graph.words or any(ROOT in (arc.head, arc.dependent) for arc in graph.arcs)
    forms = {ROOT: "ROOT"} if root else {}
    return forms | {node: str(node) if words is None else words[node - 1] for node in range(1, graph.words + 1)}


def _ends(arc: Arc) -> tuple[int, int]:
    return min(arc.head, arc.dependent), max(arc.head, arc.dependent)


def crossing_arcs(graph: Graph) -> frozenset[Arc]:
    """The arcs that cross some other arc."""
    crossing: set[Arc] = set()
    for one, other in combinations(graph.arcs, 2):
        (a, b), (c, d) = sorted((_ends(one), _ends(other)))
        if a < c < b < d:
            crossing |= {one, other}
    return frozenset(crossing)


# --- geometry --------------------------------------------------------------------------------------------------------


class _Span(NamedTuple):
    """From where to where an arc reaches, in ports or in nodes."""

    left: int
    right: int

    def meets(self, other: "_Span") -> bool:
        return self.left <= other.right and other.left <= self.right


def _levels(spans: Sequence[_Span]) -> list[int]:
    """For each span the lowest level, from 1, on which it meets no shorter span.

    So it comes above all spans it covers: whatever keeps a covered span from a level meets the covering one too.
    """
    levels = [0] * len(spans)
    placed: list[int] = []
    for index in sorted(range(len(spans)), key=lambda i: (spans[i].right - spans[i].left, i)):
        taken = {levels[other] for other in placed if spans[index].meets(spans[other])}
        levels[index] = next(level for level in count(1) if level not in taken)
        placed.append(index)
    return levels


@dataclass(frozen=True, slots=True)
class _Line:
    """An arc of the picture; `label_run` are the ports between which its label stands."""

    arc: Arc
    span: _Span
    level: int
    crossing: bool
    label_run: tuple[int, int]

    @property
    def arrow(self) -> int:
        """The port at the dependent."""
        return self.span.left if self.arc.dependent < self.arc.head else self.span.right


@dataclass(frozen=True, slots=True)
class _Measure:
    """The units of a target, columns or pixels: widths of texts, distance of ports and of words, room around a label."""

    text: Callable[[str], int]
    index: Callable[[str], int]
    label: Callable[[str], int]
    step: int
    gap: int
    margin: int


class _Cell(NamedTuple):
    """The room of one node; its texts stand in the middle of it."""

    start: int
    width: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where everything goes: the lines, the place of each port, the cell under which each node is written."""

    lines: tuple[_Line, ...]
    port_at: tuple[int, ...]
    cells: dict[int, _Cell]

    @property
    def width(self) -> int:
        """The width of the whole picture."""
        return max(cell.start + cell.width for cell in self.cells.values())

    @property
    def height(self) -> int:
        """The highest level; 0 if there are no arcs."""
        return max((line.level for line in self.lines), default=0)


def _ports(arcs: Sequence[Arc], nodes: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """For each node its ports from left to right, as (number of the arc, 0 for its left end and 1 for its right end)."""
    keyed: dict[int, list[tuple[tuple[int, int, int], tuple[int, int]]]] = {node: [] for node in nodes}
    for number, arc in enumerate(arcs):
        left, right = _ends(arc)
        if left == right:
            keyed[left] += [((1, 0, -number), (number, 0)), ((1, 1, number), (number, 1))]
        else:
            keyed[right].append(((0, -left, number), (number, 1)))
            keyed[left].append(((2, -right, -number), (number, 0)))
    return {node: [end for _, end in sorted(ends)] for node, ends in keyed.items()}


def _label(arc: Arc) -> str:
    return for_terminal(arc.label or "")


def _layout(graph: Graph, forms: Mapping[int, str], numbered: bool, measure: _Measure) -> _Layout:
    arcs = graph.sorted_arcs()
    ends_of = _ports(arcs, list(forms))
    number_of = {end: port for port, end in enumerate(end for ends in ends_of.values() for end in ends)}
    spans = [_Span(number_of[index, 0], number_of[index, 1]) for index in range(len(arcs))]
    levels = _levels(spans)
    ports_of = {node: [number_of[end] for end in ends] for node, ends in ends_of.items()}
    widths = {node: _text_width(node, form, numbered, measure) for node, form in forms.items()}
    natural, _ = _place(widths, ports_of, {}, measure)
    crossing = crossing_arcs(graph)
    lines = tuple(
        _Line(arc, span, level, arc in crossing, _widest_run(span, level, spans, levels, natural))
        for arc, span, level in zip(arcs, spans, levels, strict=True)
    )
    return _Layout(lines, *_place(widths, ports_of, _needs(lines, measure), measure))


def _text_width(node: int, form: str, numbered: bool, measure: _Measure) -> int:
    return max(measure.text(for_terminal(form)), measure.index(str(node)) if numbered else 0)


def _widest_run(
    span: _Span, level: int, spans: Sequence[_Span], levels: Sequence[int], port_at: Sequence[int]
) -> tuple[int, int]:
    """The widest part of a line that no other arc crosses, by the ports at its ends."""
    crossed = [
        port
        for other, height in zip(spans, levels, strict=True)
        if height > level
        for port in other
        if span.left < port < span.right
    ]
    return max(pairwise([span.left, *sorted(crossed), span.right]), key=lambda run: port_at[run[1]] - port_at[run[0]])


def _needs(lines: Sequence[_Line], measure: _Measure) -> dict[int, list[tuple[int, int]]]:
    """For each port the ports to its left from which it must keep a distance, so that a label fits between."""
    needs: dict[int, list[tuple[int, int]]] = {}
    for line in lines:
        if label := _label(line.arc):
            left, right = line.label_run
            needs.setdefault(right, []).append((left, measure.label(label) + measure.margin))
    return needs


def _place(
    widths: Mapping[int, int],
    ports_of: Mapping[int, Sequence[int]],
    needs: Mapping[int, Sequence[tuple[int, int]]],
    measure: _Measure,
) -> tuple[tuple[int, ...], dict[int, _Cell]]:
    """The places of ports and cells: from left to right, each as far left as it can be."""
    port_at: list[int] = []
    cells: dict[int, _Cell] = {}
    free = 0
    for node, ports in ports_of.items():
        offsets = _offsets(ports, needs, measure.step)
        reach = max(offsets.values(), default=0) + 1
        width = max(widths[node], reach)
        first = (width - reach) // 2
        kept_off = [
            port_at[other] + distance - first - offsets[port]
            for port in ports
            for other, distance in needs.get(port, ())
            if other not in offsets
        ]
        cells[node] = _Cell(max([free, *kept_off]), width)
        port_at += [cells[node].start + first + offsets[port] for port in ports]
        free = cells[node].start + width + measure.gap
    return tuple(port_at), cells


def _offsets(ports: Sequence[int], needs: Mapping[int, Sequence[tuple[int, int]]], step: int) -> dict[int, int]:
    """The places of one node's ports, counted from the first of them."""
    offsets: dict[int, int] = {}
    for port in ports:
        least = max(offsets.values()) + step if offsets else 0
        within = [offsets[other] + distance for other, distance in needs.get(port, ()) if other in offsets]
        offsets[port] = max([least, *within])
    return offsets


# --- text, arcs above the words --------------------------------------------------------------------------------------

_COLUMNS: Final = _Measure(text=display_width, index=len, label=display_width, step=2, gap=2, margin=3)
_SOLID: Final = ("─", "│")
_DASHED: Final = ("╌", "╎")


class _Canvas:
    """Rows of terminal columns; a wide character leaves the column after it empty."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = [[" "] * columns for _ in range(rows)]

    def write(self, row: int, column: int, text: str) -> None:
        """Write a text from this column on, one character for each of its columns."""
        cells = self.rows[row]
        for character in text:
            width = display_width(character)
            if width == 0:
                cells[column - 1 if cells[column - 1] else column - 2] += character
                continue
            cells[column] = character
            if width == 2:
                cells[column + 1] = ""
            column += width

    def lines(self) -> list[str]:
        return ["".join(cells) for cells in self.rows]


def _least_width(forms: Mapping[int, str]) -> int:
    """The columns the words take side by side, whatever the arcs."""
    return sum(_COLUMNS.text(for_terminal(form)) + _COLUMNS.gap for form in forms.values()) - _COLUMNS.gap


def _horizontal(layout: _Layout, forms: Mapping[int, str], numbered: bool) -> list[str]:
    arrows = layout.height
    words = arrows + 1 if layout.lines else 0
    canvas = _Canvas(words + 1 + numbered, layout.width)
    for line in layout.lines:
        _draw_bar(canvas, line, layout)
    for line in layout.lines:
        _draw_ends(canvas, line, layout)
    for node, form in forms.items():
        _write_centred(canvas, words, layout.cells[node], for_terminal(form), "·")
        if numbered:
            _write_centred(canvas, words + 1, layout.cells[node], str(node), " ")
    return canvas.lines()


def _write_centred(canvas: _Canvas, row: int, cell: _Cell, text: str, filler: str) -> None:
    """Write a text in the middle of a cell, with a filler at each side where two columns or more are left."""
    width = display_width(text)
    before = (cell.width - width) // 2
    after = cell.width - width - before
    canvas.write(row, cell.start, (filler if before > 1 else " ") * before + text)
    canvas.write(row, cell.start + before + width, (filler if after > 1 else " ") * after)


def _draw_bar(canvas: _Canvas, line: _Line, layout: _Layout) -> None:
    """The horizontal part of an arc, with its label."""
    row = layout.height - line.level
    left, right = (layout.port_at[port] for port in line.span)
    dash = (_DASHED if line.crossing else _SOLID)[0]
    canvas.write(row, left, "┌" + dash * (right - left - 1) + "┐")
    first, last = (layout.port_at[port] for port in line.label_run)
    label = _label(line.arc)
    canvas.write(row, first + 1 + (last - first - 1 - display_width(label)) // 2, label)


def _draw_ends(canvas: _Canvas, line: _Line, layout: _Layout) -> None:
    """The vertical parts of an arc, down to the words."""
    stroke = (_DASHED if line.crossing else _SOLID)[1]
    for port in line.span:
        column = layout.port_at[port]
        for row in range(layout.height - line.level + 1, layout.height):
            canvas.write(row, column, stroke if canvas.rows[row][column] == " " else "┼")
        canvas.write(layout.height, column, "▼" if port == line.arrow else stroke)


# --- text, words one below the other ---------------------------------------------------------------------------------


def _vertical(graph: Graph, forms: Mapping[int, str], numbered: bool, room: float) -> list[str]:
    entries = _entries(graph, forms, numbered)
    brackets = _brackets(graph, list(forms))
    lines = [f"{bracket} {entry}" for bracket, entry in zip(brackets, entries, strict=True)]
    return lines if max(map(display_width, lines)) <= room else entries


def _entries(graph: Graph, forms: Mapping[int, str], numbered: bool) -> list[str]:
    """For each node its index, its word and its incoming arcs: `2 hearing  SBJ ← 3`."""
    incoming: dict[int, list[str]] = {node: [] for node in forms}
    for arc in graph.sorted_arcs():
        incoming[arc.dependent].append(f"{_label(arc)} ← {arc.head}".lstrip(" "))
    digits = len(str(graph.words))
    shown = {
        node: f"{node:>{digits}}" + (f" {for_terminal(form)}" if numbered or node == ROOT else "")
        for node, form in forms.items()
    }
    widest = max(map(display_width, shown.values()))
    return [f"{padded(shown[node], widest)}  {', '.join(incoming[node])}" for node in forms]


def _brackets(graph: Graph, nodes: Sequence[int]) -> list[str]:
    """One line for each node: `┌` and `┬` begin an arc, `└` and `┴` end one, at `┼` an arc passes."""
    arcs = [arc for arc in graph.sorted_arcs() if arc.head != arc.dependent]
    spans = [_Span(*_ends(arc)) for arc in arcs]
    levels = _levels(spans)
    crossing = crossing_arcs(graph)
    top = max(levels, default=0)
    drawn = [(2 * (top - level), span, arc in crossing) for arc, span, level in zip(arcs, spans, levels, strict=True)]
    dependents = {arc.dependent for arc in arcs}
    return [_bracket_row(node, drawn, 2 * top) + _tip(node, drawn, dependents) for node in nodes]


def _tip(node: int, drawn: Sequence[tuple[int, _Span, bool]], dependents: set[int]) -> str:
    if node in dependents:
        return "►"
    return "─" if any(node in span for _, span, _ in drawn) else " "


def _bracket_row(node: int, drawn: Sequence[tuple[int, _Span, bool]], width: int) -> str:
    ends = {column: span.left == node for column, span, _ in drawn if node in span}
    outermost = min(ends, default=width)
    row = [" "] * outermost + ["─"] * (width - outermost)
    for column, span, crossing in drawn:
        if span.left < node < span.right:
            row[column] = "┼" if column > outermost else (_DASHED if crossing else _SOLID)[1]
    for column, begins in ends.items():
        inner = column > outermost
        row[column] = ("┬" if inner else "┌") if begins else ("┴" if inner else "└")
    return "".join(row)


# --- SVG -------------------------------------------------------------------------------------------------------------

_FONT: Final = 16
_LABEL_FONT: Final = 12
_INDEX_FONT: Final = 10
_RISE: Final = 24
_BORDER: Final = 16
_BEND: Final = 8


def _pixels(text: str, font: int) -> int:
    """About as wide as a sans-serif font sets the text; rather too wide than too narrow."""
    return round(font * sum(map(_ems, text)))


def _ems(character: str) -> float:
    columns = display_width(character)
    if columns != 1:
        return columns * 0.5
    if character in "mwMW@%—":
        return 0.95
    if character in "iljtf.,:;'|! ()[]":
        return 0.36
    return 0.72 if character.isupper() else 0.6


_PIXELS: Final = _Measure(
    text=lambda text: _pixels(text, _FONT),
    index=lambda text: _pixels(text, _INDEX_FONT),
    label=lambda text: _pixels(text, _LABEL_FONT),
    step=12,
    gap=20,
    margin=14,
)


class _Picture:
    """One SVG image while it is put together."""

    def __init__(self, graph: Graph, forms: Mapping[int, str], numbered: bool, title: str) -> None:
        self.graph, self.forms, self.numbered, self.title = graph, forms, numbered, title
        self.layout = _layout(graph, forms, numbered, _PIXELS)
        top = self.layout.height
        self.foot = _BORDER + _LABEL_FONT * bool(top) + _RISE * top
        self.baseline = self.foot + _FONT + 4
        self.width = self.layout.width + 2 * _BORDER
        self.height = self.baseline + _BORDER + (_INDEX_FONT + 6) * numbered

    def svg(self) -> str:
        """The whole image."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" class="arc-diagram"'
                f' font-family="system-ui, sans-serif" font-size="{_FONT}" fill="currentColor">',
                f"<title>{for_xml(self.title)}</title>",
                f"<desc>{for_xml(self._description())}</desc>",
                *self._arcs(),
                *self._words(),
                "</svg>\n",
            ]
        )

    def _description(self) -> str:
        if not self.layout.lines:
            return "No arcs."
        return "; ".join(self._sentence(line) for line in self.layout.lines) + "."

    def _sentence(self, line: _Line) -> str:
        head, dependent = (self._name(node) for node in (line.arc.head, line.arc.dependent))
        label = f" ({line.arc.label})" if line.arc.label else ""
        return f"{head} → {dependent}{label}" + ", crossing" * line.crossing

    def _name(self, node: int) -> str:
        return f"{self.forms[node]} [{node}]" if self.numbered or node == ROOT else str(node)

    def _words(self) -> Iterator[str]:
        for node, form in self.forms.items():
            cell = self.layout.cells[node]
            middle = cell.start + cell.width // 2 + _BORDER
            if cell.width > _PIXELS.text(for_terminal(form)) + _PIXELS.step:
                yield self._reach(cell)
            yield self._text("word", middle, self.baseline, form)
            if self.numbered:
                below = self.baseline + _INDEX_FONT + 6
                yield self._text("index", middle, below, str(node), f' font-size="{_INDEX_FONT}" opacity="0.65"')

    def _reach(self, cell: _Cell) -> str:
        left = cell.start + _BORDER
        line = f"M{left} {self.foot + 2}H{left + cell.width}"
        return f'<path class="reach" d="{line}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>'

    def _arcs(self) -> Iterator[str]:
        for number, line in enumerate(self.layout.lines):
            dashes = ' stroke-dasharray="5 3"' if line.crossing else ""
            yield f'<g class="arc{" crossing" * line.crossing}" data-arc="{number}">'
            yield f'<path d="{self._path(line)}" fill="none" stroke="currentColor" stroke-width="1.3"{dashes}/>'
            yield f'<path d="M{self._port(line.arrow)} {self.foot}l-4 -8h8z"/>'
            if line.arc.label:
                left, right = (self._port(port) for port in line.label_run)
                smaller = f' font-size="{_LABEL_FONT}"'
                yield self._text("label", (left + right) // 2, self._height_of(line) - 4, line.arc.label, smaller)
            yield "</g>"

    def _path(self, line: _Line) -> str:
        left, right = (self._port(port) for port in line.span)
        high = self._height_of(line)
        bend = min(_BEND, (right - left) // 2)
        start, end = (self.foot - 6 * (port == line.arrow) for port in line.span)
        return (
            f"M{left} {start}V{high + bend}Q{left} {high} {left + bend} {high}"
            f"H{right - bend}Q{right} {high} {right} {high + bend}V{end}"
        )

    def _height_of(self, line: _Line) -> int:
        return self.foot - _RISE * line.level

    def _port(self, port: int) -> int:
        return self.layout.port_at[port] + _BORDER

    def _text(self, role: str, x: int, y: int, text: str, more: str = "") -> str:
        return f'<text class="{role}" x="{x}" y="{y}" text-anchor="middle"{more}>{for_xml(text)}</text>'
