"""Arc diagrams: a dependency graph drawn with its arcs above the words, and where words have several heads also below
them.

Any graph can be drawn, including words with two heads, cycles, loops and arcs into the root, because counterexamples
may have them.  Conventions:
- The root stands at the left as `ROOT` if an arc touches it, if there is nothing else to show, or on request.
- An arrow head marks the dependent's end of an arc.
- Arcs (a, b) and (c, d) *cross* if a < c < b < d for their sorted ends; both are then dashed.
- Where a word has several heads, some of the crossing arcs are drawn below the words (`arc_layout.arcs_below`); in the
  vertical form used for long sentences all are at the left.

The geometry is the same for text and SVG (`arc_layout`).  Where the ports of a word reach beyond it, dots (in SVG a
thin line) beside the word show which ports are its own.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.reports.arc_layout import (
    ArcLayout,
    ArcSpan,
    DrawnLine,
    Forms,
    Widths,
    WordCell,
    crossing_arcs,
    ends_of,
    label_text,
    layout_of,
    levels_of,
    shown_forms,
)
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.printing.escape import display_width, for_terminal, for_xml, isolated, padded

__all__ = ["PartShown", "crossing_arcs", "to_svg", "to_text"]

WIDTH: Final = 100


def to_text(graph: Graph, words: Forms = None, width: int | None = WIDTH) -> str:
    """Draw a graph in box-drawing characters, lines separated by newlines.

    If it takes more than `width` columns, the words are written one below the other with the arcs as brackets to their
    left or, if even the brackets are too wide, as a plain list.  None means no limit.
    """
    forms, numbered = shown_forms(graph, words), words is not None
    room = math.inf if width is None else width
    layout = layout_of(graph, forms, numbered, _COLUMNS) if _least_width(forms) <= room else None
    if layout is not None and layout.width <= room:
        lines = _horizontal(layout, forms, numbered)
    else:
        lines = _vertical(graph, forms, numbered, room)
    return "\n".join(line.rstrip(" ") for line in lines) + "\n"


@dataclass(frozen=True, slots=True)
class PartShown:
    """The part of a graph to show: some arcs, which of them are new, and lines of text below."""

    arcs: frozenset[Arc]
    new: frozenset[Arc] = frozenset()
    lines: tuple[str, ...] = ()


def to_svg(
    graph: Graph,
    words: Forms = None,
    title: str = "Dependency graph",
    with_root: bool = False,
    part: PartShown | None = None,
) -> str:
    """Draw a graph as a standalone SVG image, in the colour of the surrounding text.

    Each arc is a group with its number among the sorted arcs, so that a page can show some of them.
    With a part, only that part is shown, at its place in the whole.
    """
    return _Picture(graph, shown_forms(graph, words, with_root), words is not None, title, part).svg()


# --- text, arcs above the words --------------------------------------------------------------------------------------

_COLUMNS: Final = Widths(text=display_width, index=len, label=display_width, step=2, gap=2, margin=3)
_SOLID: Final = ("─", "│")
_DASHED: Final = ("╌", "╎")


class _Canvas:
    """Rows of terminal columns; a wide character leaves the column after it empty."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = [[" "] * columns for _ in range(rows)]

    def write(self, row: int, column: int, text: str) -> None:
        """Write a text from this column on, one character per column."""
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
    """The number of columns that the words take side by side, regardless of the arcs."""
    return sum(_COLUMNS.text(for_terminal(form)) + _COLUMNS.gap for form in forms.values()) - _COLUMNS.gap


def _horizontal(layout: ArcLayout, forms: Mapping[int, str], numbered: bool) -> list[str]:
    words = layout.height + 1 if layout.height else 0
    foot = words + 1 + numbered
    canvas = _Canvas(foot + (layout.depth + 1 if layout.depth else 0), layout.width)
    for line in layout.lines:
        _draw_bar(canvas, line, layout, _rows(line, layout, foot))
    for line in layout.lines:
        _draw_ends(canvas, line, layout, _rows(line, layout, foot))
    for node, form in forms.items():
        _write_centred(canvas, words, layout.cells[node], for_terminal(form), "·")
        if numbered:
            _write_centred(canvas, words + 1, layout.cells[node], str(node), " ")
    return canvas.lines()


def _rows(line: DrawnLine, layout: ArcLayout, foot: int) -> range:
    """The rows of an arc, from that next to the words to that of its bar; `foot` is the first row below the words."""
    if line.below:
        return range(foot, foot + line.level + 1)
    return range(layout.height, layout.height - line.level - 1, -1)


def _write_centred(canvas: _Canvas, row: int, cell: WordCell, text: str, filler: str) -> None:
    """Write a text in the middle of a cell, with fillers on both sides if two or more columns are left there."""
    width = display_width(text)
    before = (cell.width - width) // 2
    after = cell.width - width - before
    canvas.write(row, cell.start, (filler if before > 1 else " ") * before + text)
    canvas.write(row, cell.start + before + width, (filler if after > 1 else " ") * after)


def _draw_bar(canvas: _Canvas, line: DrawnLine, layout: ArcLayout, rows: range) -> None:
    """Draw the horizontal part of an arc, with its label."""
    row = rows[-1]
    left, right = (layout.port_at[port] for port in line.span)
    dash = (_DASHED if line.crossing else _SOLID)[0]
    begin, end = "└┘" if line.below else "┌┐"
    canvas.write(row, left, begin + dash * (right - left - 1) + end)
    first, last = (layout.port_at[port] for port in line.label_run)
    label = label_text(line.arc)
    canvas.write(row, first + 1 + (last - first - 1 - display_width(label)) // 2, label)


def _draw_ends(canvas: _Canvas, line: DrawnLine, layout: ArcLayout, rows: range) -> None:
    """Draw the vertical parts of an arc, from its bar to the words."""
    stroke = (_DASHED if line.crossing else _SOLID)[1]
    arrow = "▲" if line.below else "▼"
    for port in line.span:
        column = layout.port_at[port]
        for row in rows[1:-1]:
            canvas.write(row, column, stroke if canvas.rows[row][column] == " " else "┼")
        canvas.write(rows[0], column, arrow if port == line.arrow else stroke)


# --- text, words one below the other ---------------------------------------------------------------------------------


def _vertical(graph: Graph, forms: Mapping[int, str], numbered: bool, room: float) -> list[str]:
    entries = _entries(graph, forms, numbered)
    brackets = _brackets(graph, list(forms))
    lines = [f"{bracket} {entry}" for bracket, entry in zip(brackets, entries, strict=True)]
    return lines if max(map(display_width, lines)) <= room else entries


def _entries(graph: Graph, forms: Mapping[int, str], numbered: bool) -> list[str]:
    """Describe each node: its index, its word and its incoming arcs, as in `2 hearing  SBJ ← 3`."""
    incoming: dict[int, list[str]] = {node: [] for node in forms}
    for arc in graph.sorted_arcs():
        incoming[arc.dependent].append(f"{label_text(arc)} ← {arc.head}".lstrip(" "))
    digits = len(str(graph.words))
    shown = {
        node: f"{node:>{digits}}" + (f" {for_terminal(form)}" if numbered or node == ROOT else "")
        for node, form in forms.items()
    }
    widest = max(map(display_width, shown.values()))
    return [f"{padded(shown[node], widest)}  {', '.join(incoming[node])}" for node in forms]


def _brackets(graph: Graph, nodes: Sequence[int]) -> list[str]:
    """Draw one line for each node: `┌` and `┬` begin an arc, `└` and `┴` end one, and an arc passes at `┼`."""
    arcs = [arc for arc in graph.sorted_arcs() if arc.head != arc.dependent]
    spans = [ArcSpan(*ends_of(arc)) for arc in arcs]
    levels = levels_of(spans)
    crossing = crossing_arcs(graph)
    top = max(levels, default=0)
    drawn = [(2 * (top - level), span, arc in crossing) for arc, span, level in zip(arcs, spans, levels, strict=True)]
    dependents = {arc.dependent for arc in arcs}
    return [_bracket_row(node, drawn, 2 * top) + _tip(node, drawn, dependents) for node in nodes]


def _tip(node: int, drawn: Sequence[tuple[int, ArcSpan, bool]], dependents: set[int]) -> str:
    if node in dependents:
        return "►"
    return "─" if any(node in span for _, span, _ in drawn) else " "


def _bracket_row(node: int, drawn: Sequence[tuple[int, ArcSpan, bool]], width: int) -> str:
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
_LINE: Final = 20
_LINE_FONT: Final = 14
_ARC_WIDTH: Final = 1.3
_NEW_WIDTH: Final = 2.6


def _pixels(text: str, font: int) -> int:
    """Estimate the width of the text in a sans-serif font, too wide rather than too narrow."""
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


_PIXELS: Final = Widths(
    text=lambda text: _pixels(text, _FONT),
    index=lambda text: _pixels(text, _INDEX_FONT),
    label=lambda text: _pixels(text, _LABEL_FONT),
    step=12,
    gap=20,
    margin=14,
)


class _Picture:
    """An SVG image under construction."""

    def __init__(
        self, graph: Graph, forms: Mapping[int, str], numbered: bool, title: str, part: PartShown | None = None
    ) -> None:
        self.graph, self.forms, self.numbered, self.title = graph, forms, numbered, title
        self.part = part or PartShown(graph.arcs)
        self.crossing = crossing_arcs(Graph(graph.words, self.part.arcs))
        self.layout = layout_of(graph, forms, numbered, _PIXELS)
        top = self.layout.height
        self.foot = _BORDER + _LABEL_FONT * bool(top) + _RISE * top
        self.baseline = self.foot + _FONT + 4
        self.width = self.layout.width + 2 * _BORDER
        self.under = self.baseline + 8 + (_INDEX_FONT + 6) * numbered
        self.height = self.under + _BORDER - 8
        if self.layout.depth:
            self.height = self.under + _RISE * self.layout.depth + _LABEL_FONT + _BORDER
        self.below = self.height
        if self.part.lines:
            self.height += _LINE * len(self.part.lines) + _BORDER // 2
            widest = max(_pixels(for_terminal(line), _LINE_FONT) for line in self.part.lines)
            self.width = max(self.width, widest + 2 * _BORDER)

    def svg(self) -> str:
        """Return the whole image."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" class="arc-diagram"'
                f' font-family="system-ui, sans-serif" font-size="{_FONT}" fill="currentColor">',
                f"<title>{for_xml(self.title)}</title>",
                f"<desc>{for_xml(self._description())}</desc>",
                *self._arcs(),
                *self._words(),
                *self._lines(),
                "</svg>\n",
            ]
        )

    def _drawn(self) -> list[tuple[int, DrawnLine]]:
        """The arcs that are shown, each with its number."""
        return [(number, line) for number, line in enumerate(self.layout.lines) if line.arc in self.part.arcs]

    def _lines(self) -> Iterator[str]:
        for number, line in enumerate(self.part.lines):
            height = self.below + _LINE * number + _LINE_FONT
            yield f'<text class="line" x="{_BORDER}" y="{height}" font-size="{_LINE_FONT}">{isolated(for_xml(line))}</text>'

    def _description(self) -> str:
        drawn = self._drawn()
        if not drawn:
            return "No arcs."
        return "; ".join(self._sentence(line) for _, line in drawn) + "."

    def _sentence(self, line: DrawnLine) -> str:
        head, dependent = (self._name(node) for node in (line.arc.head, line.arc.dependent))
        label = f" ({line.arc.label})" if line.arc.label else ""
        return f"{head} → {dependent}{label}" + ", crossing" * (line.arc in self.crossing)

    def _name(self, node: int) -> str:
        return f"{self.forms[node]} [{node}]" if self.numbered or node == ROOT else str(node)

    def _words(self) -> Iterator[str]:
        touched = {node for arc in self.part.arcs for node in (arc.head, arc.dependent)}
        for node, form in self.forms.items():
            cell = self.layout.cells[node]
            middle = cell.start + cell.width // 2 + _BORDER
            if node in touched and cell.width > _PIXELS.text(for_terminal(form)) + _PIXELS.step:
                yield self._reach(cell)
            yield self._text("word", middle, self.baseline, form)
            if self.numbered:
                below = self.baseline + _INDEX_FONT + 6
                yield self._text("index", middle, below, str(node), f' font-size="{_INDEX_FONT}" opacity="0.65"')

    def _reach(self, cell: WordCell) -> str:
        left = cell.start + _BORDER
        line = f"M{left} {self.foot + 2}H{left + cell.width}"
        return f'<path class="reach" d="{line}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>'

    def _arcs(self) -> Iterator[str]:
        for number, line in self._drawn():
            crossing, new = line.arc in self.crossing, line.arc in self.part.new
            dashes = ' stroke-dasharray="5 3"' if crossing else ""
            width = _NEW_WIDTH if new else _ARC_WIDTH
            yield f'<g class="arc{" crossing" * crossing}{" new" * new}" data-arc="{number}">'
            yield f'<path d="{self._path(line)}" fill="none" stroke="currentColor" stroke-width="{width}"{dashes}/>'
            yield f'<path d="M{self._port(line.arrow)} {self._foot_of(line)}l-4 {8 * self._outwards(line)}h8z"/>'
            if line.arc.label:
                left, right = (self._port(port) for port in line.label_run)
                smaller = f' font-size="{_LABEL_FONT}"'
                height = self._height_of(line) + (_LABEL_FONT if line.below else -4)
                yield self._text("label", (left + right) // 2, height, line.arc.label, smaller)
            yield "</g>"

    def _path(self, line: DrawnLine) -> str:
        left, right = (self._port(port) for port in line.span)
        bar, way = self._height_of(line), self._outwards(line)
        bend = min(_BEND, (right - left) // 2)
        start, end = (self._foot_of(line) + 6 * way * (port == line.arrow) for port in line.span)
        return (
            f"M{left} {start}V{bar - way * bend}Q{left} {bar} {left + bend} {bar}"
            f"H{right - bend}Q{right} {bar} {right} {bar - way * bend}V{end}"
        )

    def _outwards(self, line: DrawnLine) -> int:
        """The direction away from the words: 1 is down, -1 is up."""
        return 1 if line.below else -1

    def _foot_of(self, line: DrawnLine) -> int:
        return self.under if line.below else self.foot

    def _height_of(self, line: DrawnLine) -> int:
        return self._foot_of(line) + self._outwards(line) * _RISE * line.level

    def _port(self, port: int) -> int:
        return self.layout.port_at[port] + _BORDER

    def _text(self, role: str, x: int, y: int, text: str, more: str = "") -> str:
        return f'<text class="{role}" x="{x}" y="{y}" text-anchor="middle"{more}>{for_xml(text)}</text>'
