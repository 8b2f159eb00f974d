"""Charts as SVG: panels with axes, dots with a line through the origin (Nivre 2009, Figure 5), and lines with one
legend.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.printing.escape import for_xml

Points: TypeAlias = Sequence[tuple[float, float]]

WIDTH: Final = 330
LEFT: Final = 70
TOP: Final = 60
GAP: Final = 75
BELOW: Final = 100
ACROSS: Final = 3
COLOURS: Final = ("#c0392b", "#1f618d", "#17a589", "#b9770e", "#5d6d7e", "#6c3483", "#229954", "#7b241c")
DASHES: Final = ("", "7 3", "2 3")
FONT: Final = "font-family='Helvetica, Arial, sans-serif'"
LEAST: Final = 0.001  # what a logarithmic axis shows for anything smaller


# --- axes and places -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: its least and greatest value, with marks between them; linear or logarithmic."""

    title: str
    least: float
    most: float
    marks: tuple[float, ...]
    is_logarithmic: bool = False

    @classmethod
    def from_zero(cls, title: str, values: Iterable[float]) -> "Axis":
        """A linear axis from 0, with four to ten marks at round distances."""
        most = max(values, default=1)
        step = _round_step(most)
        count = max(1, math.ceil(most / step))
        return cls(title, 0, step * count, tuple(k * step for k in range(count + 1)))

    @classmethod
    def of_each(cls, title: str, values: Iterable[float]) -> "Axis":
        """A linear axis with a mark at each value."""
        marks = sorted(set(values))
        return cls(title, marks[0], marks[-1], tuple(marks))

    @classmethod
    def of_powers(cls, title: str, values: Iterable[float]) -> "Axis":
        """A logarithmic axis with a mark at each power of ten."""
        shown = [max(value, LEAST) for value in values]
        low, high = math.floor(math.log10(min(shown))), math.ceil(math.log10(max(shown)))
        powers = range(low, max(high, low + 1) + 1)
        return cls(title, powers[0], powers[-1], tuple(10.0**power for power in powers), is_logarithmic=True)

    def share(self, value: float) -> float:
        """The position of a value between the least (0) and the greatest (1); 0.5 if these are the same."""
        at = math.log10(max(value, LEAST)) if self.is_logarithmic else value
        return (at - self.least) / (self.most - self.least) if self.most > self.least else 0.5


def _round_step(most: float) -> float:
    power = 10.0 ** math.floor(math.log10(max(most, 1)))
    return next(step for step in (power / 10 * 2, power / 2, power, 2 * power) if most / step <= 8)


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle that places values on two axes."""

    left: float
    top: float
    width: float
    height: float
    across: Axis
    upwards: Axis

    def x(self, value: float) -> float:
        """The horizontal position of a value."""
        return self.left + self.width * self.across.share(value)

    def y(self, value: float) -> float:
        """The vertical position of a value, counted downwards as in SVG."""
        return self.top + self.height * (1 - self.upwards.share(value))


# --- panels ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dots:
    """Black or white dots, the slope of a line through the origin, and a caption."""

    points: Points
    slope: float
    caption: str
    is_filled: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot: its axes, dots, and named lines, with or without a mark at each point."""

    title: str
    across: Axis
    upwards: Axis
    dots: tuple[Dots, ...] = ()
    lines: Mapping[str, Points] = field(default_factory=dict)
    marks_points: bool = False

    @classmethod
    def from_zero(
        cls,
        title: str,
        across: str,
        upwards: str,
        dots: tuple[Dots, ...] = (),
        lines: Mapping[str, Points] | None = None,
    ) -> "Panel":
        """A plot with linear axes from 0 that have room for everything."""
        lines = lines or {}
        every = [point for points in (*(d.points for d in dots), *lines.values()) for point in points]
        right, up = (Axis.from_zero(name, [point[k] for point in every]) for k, name in enumerate((across, upwards)))
        return cls(title, right, up, dots, lines)


def to_svg(title: str, panels: Sequence[Panel], height: float = 250) -> str:
    """Draw the panels, three in a row, each with this height, and one legend for the lines."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.lines))
    rows, columns = math.ceil(len(panels) / ACROSS), min(len(panels), ACROSS)
    wide = LEFT + max(columns * WIDTH + (columns - 1) * GAP, 2 * WIDTH) + 30
    high = TOP + rows * (height + BELOW) + 22 * math.ceil(len(names) / 3)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {high}' width='{wide}' height='{high}' {FONT}>",
        f"<rect width='{wide}' height='{high}' fill='#fdfdfb'/>",
        _text(LEFT, 24, title, 15, weight="bold"),
    ]
    for number, panel in enumerate(panels):
        left, top = LEFT + number % ACROSS * (WIDTH + GAP), TOP + number // ACROSS * (height + BELOW)
        parts += _panel(panel, Frame(left, top, WIDTH, height, panel.across, panel.upwards), names)
    for number, name in enumerate(names):
        x, y = LEFT + 260 * (number % 3), TOP + rows * (height + BELOW) - 14 + 22 * (number // 3)
        parts.append(f"<line x1='{x}' y1='{y - 4}' x2='{x + 30}' y2='{y - 4}' {_stroke(number)}/>")
        parts.append(_text(x + 38, y, name, 13))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel, frame: Frame, names: list[str]) -> Iterator[str]:
    yield _text(frame.left, frame.top - 10, panel.title, 14, weight="bold")
    yield from _axes(frame)
    for dots in panel.dots:
        fill = "#222" if dots.is_filled else "#fff"
        for x, y in dict.fromkeys(dots.points):
            yield _circle(frame, x, y, f"r='2.2' fill='{fill}' stroke='#222' stroke-width='.6'")
    for number, dots in enumerate(panel.dots):
        most = frame.across.most
        end = min(most, frame.upwards.most / dots.slope) if dots.slope > 0 else most
        dash = "" if dots.is_filled else "stroke-dasharray='5 3'"
        ends = (frame.x(0), frame.y(0), frame.x(end), frame.y(end * dots.slope))
        yield "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}'".format(*ends) + (
            f" stroke='#c0392b' stroke-width='1.4' {dash}/>"
        )
        caption = f"{'●' if dots.is_filled else '○'} {dots.caption}"
        yield _text(frame.left + 10, frame.top + 18 + 16 * number, caption, 12)
    for name, line in panel.lines.items():
        number = names.index(name)
        points = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in line)
        yield f"<polyline points='{points}' fill='none' {_stroke(number)}/>"
        for x, y in line if panel.marks_points else ():
            yield _circle(frame, x, y, f"r='3.5' fill='{_colour(number)}' stroke='#fff'")


def _circle(frame: Frame, x: float, y: float, style: str) -> str:
    return f"<circle cx='{frame.x(x):.1f}' cy='{frame.y(y):.1f}' {style}/>"


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _stroke(number: int) -> str:
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    return f"stroke='{_colour(number)}' stroke-width='2'" + (f" stroke-dasharray='{dash}'" if dash else "")


def _axes(frame: Frame) -> Iterator[str]:
    left, top, right, bottom = frame.left, frame.top, frame.left + frame.width, frame.top + frame.height
    for mark in frame.upwards.marks:
        y = frame.y(mark)
        yield f"<line x1='{left}' y1='{y:.1f}' x2='{right}' y2='{y:.1f}' stroke='#e2e2dd'/>"
        yield _text(left - 8, y + 4, f"{mark:g}", 12, anchor="end", fill="#555")
    for mark in frame.across.marks:
        yield _text(frame.x(mark), bottom + 18, f"{mark:g}", 12, anchor="middle", fill="#555")
    yield f"<rect x='{left}' y='{top}' width='{frame.width}' height='{frame.height}' fill='none' stroke='#999'/>"
    yield _text((left + right) / 2, bottom + 36, frame.across.title, 12, anchor="middle", fill="#555")
    turned = f"transform='rotate(-90 {left - 48} {(top + bottom) / 2})'"
    yield _text(left - 48, (top + bottom) / 2, frame.upwards.title, 12, anchor="middle", fill="#555", more=turned)


def _text(
    x: float,
    y: float,
    words: str,
    size: int,
    anchor: str = "start",
    fill: str = "#222",
    weight: str = "normal",
    more: str = "",
) -> str:
    style = f"font-size='{size}' text-anchor='{anchor}' fill='{fill}' font-weight='{weight}'"
    return f"<text x='{x:.1f}' y='{y:.1f}' {style} {more}>{for_xml(words)}</text>"
