r"""Graphs and derivations for LaTeX: pictures of the package tikz-dependency, and beamer frames.

What is drawn, and where, is decided as for the other pictures (`arc_layout`): each end of an arc has a place of its own
at its word, arcs that cover others are higher, some go below the words where words have several heads, and arcs that
cross are dashed.  TeX sets the words itself; it is told how much further apart than usual they must be to make room for
arcs and labels.

A *fragment* has no document class: it is to be read with `\input`, and its first line names the packages it needs.
Words and labels may be anything (`escape.for_latex`).  In a picture `\&` ends a word, so that the sign itself is
written by its number.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.reports import derivation_table
from arcproof.reports.arc_layout import (
    ArcLayout,
    DrawnLine,
    Forms,
    Widths,
    WordCell,
    crossing_arcs,
    layout_of,
    shown_forms,
)
from arcproof.reports.steps import DrawnStep, drawn_steps, step_lines
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.printing.escape import LATEX_FRAGMENT_PREAMBLE, LATEX_PREAMBLE, for_latex
from arcproof.transitions.system import System

MOST_POINTS: Final = 16_000
"""The most points of a length; TeX overflows soon after this."""


def to_tikz(graph: Graph, words: Forms = None, *, fragment: bool = False) -> str:
    """Draw a graph, as a document of one page or as a fragment."""
    picture = _Picture(graph, shown_forms(graph, words), words is not None, False)
    return _pictures([picture.tikz(graph.arcs)], fragment)


def steps_to_tikz(
    system: System,
    derivation: Derivation,
    words: Forms = None,
    *,
    full: bool = False,
    fragment: bool = False,
) -> str:
    """Draw each configuration, each on a page of its own or, in a fragment, one below the other."""
    return _pictures(_steps(system, derivation, words, full), fragment)


def tikz_steps(
    system: System, derivation: Derivation, words: Forms = None, *, full: bool = False, fragment: bool = False
) -> list[str]:
    """Draw each configuration, in a text of its own."""
    return [_pictures([picture], fragment) for picture in _steps(system, derivation, words, full)]


def to_beamer(
    system: System,
    oracle: str | None,
    derivation: Derivation,
    words: Forms = None,
    *,
    full: bool = False,
    fragment: bool = False,
) -> str:
    """Return slides: a frame for each configuration, with the transition that led to it, its state and the graph so
    far.
    """
    graph, steps = drawn_steps(derivation)
    header, *rows = derivation_table.latex_cells(system, derivation, words, full=full)
    height = max(_FRAME_HEIGHT - _FRAME_LINE * len(header), _FRAME_LINE)
    picture = _Picture(graph, shown_forms(graph, words, system.has_root), words is not None, True, height)
    caption = derivation_table.latex_caption(system, oracle, derivation)
    frames = [
        _FRAME.format(
            title=f"Step {step.number}: {row[0]}" if step.number else "Initial configuration",
            caption=caption,
            rows="\n".join(rf"{name} & {value or '---'} \\" for name, value in step_lines(header, row)[1:]),
            picture=picture.tikz(step.arcs, step.new),
        )
        for step, row in zip(steps, rows, strict=True)
    ]
    if fragment:
        needs = "% needs the class beamer and \\usepackage{tikz-dependency,array}\n"
        return needs + LATEX_FRAGMENT_PREAMBLE + "".join(frames)
    return _BEAMER.format(foreign=LATEX_PREAMBLE, frames="".join(frames))


def _steps(system: System, derivation: Derivation, words: Forms, full: bool) -> list[str]:
    graph, steps = drawn_steps(derivation)
    picture = _Picture(graph, shown_forms(graph, words, system.has_root), words is not None, True)
    header, *rows = derivation_table.latex_cells(system, derivation, words, full=full)
    return [picture.tikz(step.arcs, step.new, _state(step, header, row)) for step, row in zip(steps, rows, strict=True)]


def _state(step: DrawnStep, header: list[str], row: list[str]) -> str:
    """Print the transition and the components below the graph."""
    said = step_lines(header, row)
    if not step.number:
        said[0] = (said[0][0], "(initial configuration)")
    lines = "\n".join(rf"{name} & {value or '---'} \\" for name, value in said)
    return _STATE.format(rows=lines)


def _pictures(pictures: list[str], fragment: bool) -> str:
    if fragment:
        body = "\n\\par\\bigskip\n".join(picture.rstrip("\n") for picture in pictures)
        return f"% needs \\usepackage{{tikz-dependency}}\n{LATEX_FRAGMENT_PREAMBLE}{body}\n"
    return _DOCUMENT.format(foreign=LATEX_PREAMBLE, pictures="".join(pictures))


_DOCUMENT: Final = r"""% needs the class standalone and the package tikz-dependency, which needs the package environ
\documentclass[border=4pt,tikz]{{standalone}}
\usepackage[utf8]{{inputenc}}
\usepackage{{tikz-dependency}}
{foreign}\begin{{document}}
{pictures}\end{{document}}
"""

_BEAMER: Final = r"""% needs the class beamer and the package tikz-dependency, which needs the package environ
\documentclass[aspectratio=169]{{beamer}}
\usepackage[utf8]{{inputenc}}
\usepackage{{array}}
\usepackage{{tikz-dependency}}
{foreign}\begin{{document}}
{frames}\end{{document}}
"""

_FRAME: Final = r"""\begin{{frame}}
\frametitle{{{title}}}
\framesubtitle{{{caption}}}
\begin{{center}}
\resizebox{{\ifdim\width>\linewidth\linewidth\else\width\fi}}{{!}}{{%
{picture}}}
\end{{center}}
\small
\begin{{tabular}}{{@{{}}l>{{\raggedright\arraybackslash}}p{{0.75\linewidth}}@{{}}}}
{rows}
\end{{tabular}}
\end{{frame}}
"""

_STATE: Final = r"""\node[anchor=north west, inner sep=0pt, font=\small]
  at ([yshift=-6pt]current bounding box.south west) {{\begin{{tabular}}{{@{{}}ll@{{}}}}
{rows}
\end{{tabular}}}};
"""

_RISE: Final = 13.0
_FRAME_HEIGHT: Final = 145.0
"""How many points the arcs of a slide may take above and below the words, together with the lines about the state."""
_FRAME_LINE: Final = 14.0
_COLUMN_SEP: Final = 4.0
_INNER_SEP: Final = 2.2
_LABEL_ROOM: Final = 6


def _points(text: str, font: int) -> int:
    """Estimate the width at which TeX sets the text; characters written by code point count as wide."""
    return round(font * sum(map(_ems, text)))


def _ems(character: str) -> float:
    if "\\foreigntext" in for_latex(character):
        return 2.0
    if character in "mwMW@%—":
        return 0.9
    return 0.3 if character in "iljtf.,:;'|! ()[]" else 0.7 if character.isupper() else 0.52


_POINTS: Final = Widths(
    text=lambda text: _points(text, 10),
    index=lambda text: _points(text, 7),
    label=lambda text: _points(text, 7),
    step=6,
    gap=round(_COLUMN_SEP + 2 * _INNER_SEP),
    margin=14,
)


@dataclass(frozen=True)
class _Drawing:
    """A layout in points, and the number of each node's column."""

    layout: ArcLayout
    column: Mapping[int, int]
    rise: float


class _Picture:
    """A picture with room for the arcs of a graph; if steady, it keeps that room no matter which arcs it shows."""

    def __init__(
        self, graph: Graph, forms: Mapping[int, str], numbered: bool, steady: bool, height: float | None = None
    ) -> None:
        self.graph, self.forms, self.numbered, self.steady = graph, forms, numbered, steady
        layout = layout_of(graph, forms, numbered, _POINTS)
        levels = layout.height + layout.depth
        rise = _RISE if height is None or not levels else min(_RISE, height / levels)
        if max(layout.width, rise * levels) > MOST_POINTS:
            raise BadGraph(f"the picture of {graph.words} words would be larger than TeX can set; give fewer words")
        self.drawing = _Drawing(layout, {node: place for place, node in enumerate(forms, start=1)}, rise)

    def tikz(self, arcs: frozenset[Arc], new: frozenset[Arc] = frozenset(), below: str = "") -> str:
        """Return the `dependency` environment."""
        crossing = crossing_arcs(Graph(self.graph.words, arcs))
        lines = [line for line in self.drawing.layout.lines if line.arc in arcs]
        lines.sort(key=lambda line: -line.level)
        return "\n".join(
            [
                r"\begin{dependency}[edge horizontal padding=0pt]",
                rf"\begin{{deptext}}[column sep={_length(_COLUMN_SEP)}]",
                *self._rows(),
                r"\end{deptext}",
                *([self._room()] if self.steady else []),
                *(self._edge(line, line.arc in crossing, line.arc in new) for line in lines),
                f"{below}\\end{{dependency}}\n",
            ]
        )

    def _rows(self) -> Iterator[str]:
        ends = self._ends()
        cells = [_cell(form) for form in self.forms.values()]
        yield "".join(cell + end for cell, end in zip(cells, ends, strict=True))
        if self.numbered:
            numbers = [rf"\scriptsize {node}" for node in self.forms]
            yield r" \& ".join(numbers) + r" \\"

    def _ends(self) -> list[str]:
        """What follows each word: `\\&`, with the additional room that is needed."""
        cells = [self.drawing.layout.cells[node] for node in self.forms]
        widths = [_POINTS.text(form) for form in self.forms.values()]
        ends = []
        for place, (cell, following) in enumerate(pairwise(cells)):
            usual = (widths[place] + widths[place + 1]) / 2 + 2 * _INNER_SEP + _COLUMN_SEP
            more = _middle(following) - _middle(cell) - usual
            ends.append(rf" \&[{_length(more)}] " if more > 1 else r" \& ")
        return [*ends, r" \\"]

    def _room(self) -> str:
        """Reserve as much room as all arcs would take, even if only some are shown."""
        layout, rise = self.drawing.layout, self.drawing.rise
        above, under = (_length(rise * levels + _LABEL_ROOM) for levels in (layout.height, layout.depth))
        last = 1 + self.numbered
        return rf"\path ([yshift={above}]\wordref{{1}}{{1}}.north) ([yshift=-{under}]\wordref{{{last}}}{{1}}.south);"

    def _edge(self, line: DrawnLine, crossing: bool, new: bool) -> str:
        head, dependent = line.arc.head, line.arc.dependent
        begin, end = line.span if line.arrow == line.span.right else reversed(line.span)
        options = ["edge below"] if line.below else []
        options.append(f"edge height={_length(self.drawing.rise * line.level)}")
        for name, node, port in (("start", head, begin), ("end", dependent, end)):
            offset = self.drawing.layout.port_at[port] - _middle(self.drawing.layout.cells[node])
            if abs(offset) >= 1:
                options.append(f"edge {name} x offset={_length(offset)}")
        if head == dependent:
            options.append("edge slant=0pt")
        style = ["densely dashed"] * crossing + ["very thick"] * new
        if style:
            options.append(f"edge style={{{', '.join(style)}}}")
        if not line.arc.label:
            options.append("hide label")
        columns = f"{{{self.drawing.column[head]}}}{{{self.drawing.column[dependent]}}}"
        return rf"\depedge[{', '.join(options)}]{columns}{{{_text(line.arc.label or '')}}}"


def _middle(cell: WordCell) -> float:
    return cell.start + cell.width / 2


def _length(points: float) -> str:
    return f"{points:.1f}".removesuffix(".0") + "pt"


def _cell(form: str) -> str:
    """A word of the picture, in braces if TikZ could misread its beginning."""
    text = _text(form)
    return text if text.isascii() and text.isalnum() else f"{{{text}}}"


def _text(text: str) -> str:
    return for_latex(text).replace(r"\&", r"\symbol{38}")
