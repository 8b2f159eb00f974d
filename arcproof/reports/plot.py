"""Plots as SVG with linear axes from 0 on: dots with lines through the origin (Nivre 2009, Figure 5), and lines side by side."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from arcproof.transitions.printing.escape import for_xml

Points: TypeAlias = Sequence[tuple[float, float]]

WIDTH: Final = 330
HEIGHT: Final = 250
LEFT: Final = 70
TOP: Final = 60
GAP: Final = 75
BELOW: Final = 100
ACROSS: Final = 3
COLOURS: Final = ("#c0392b", "#1f618d", "#17a589", "#b9770e", "#5d6d7e", "#6c3483", "#229954", "#7b241c")
DASHES: Final = ("", "7 3", "2 3")
FONT: Final = "font-family='Helvetica, Arial, sans-serif'"


@dataclass(frozen=True, slots=True)
class Dots:
    """Black dots or white ones, the slope of the line through the origin, and what is said about them."""

    points: Points
    slope: float
    caption: str
    is_filled: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot: dots, and lines by their titles."""

    title: str
    dots: tuple[Dots, ...] = ()
    lines: Mapping[str, Points] | None = None


def to_svg(title: str, panels: Sequence[Panel], across: str, upwards: str) -> str:
    """The panels, three in a row, with one legend for the lines."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.lines or ()))
    rows = math.ceil(len(panels) / ACROSS)
    columns = min(len(panels), ACROSS)
    width = LEFT + max(columns * WIDTH + (columns - 1) * GAP, 2 * WIDTH) + 30
    height = TOP + rows * (HEIGHT + BELOW) + 22 * math.ceil(len(names) / 3)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' {FONT}>",
        f"<rect width='{width}' height='{height}' fill='#fdfdfb'/>",
        text(LEFT, 24, title, 15, weight="bold"),
    ]
    for number, panel in enumerate(panels):
        left = LEFT + number % ACROSS * (WIDTH + GAP)
        parts += _panel(panel, left, TOP + number // ACROSS * (HEIGHT + BELOW), names, across, upwards)
    for number, name in enumerate(names):
        x, y = LEFT + 260 * (number % 3), TOP + rows * (HEIGHT + BELOW) - 14 + 22 * (number // 3)
        parts.append(f"<line x1='{x}' y1='{y - 4}' x2='{x + 30}' y2='{y - 4}' {_stroke(number)}/>")
        parts.append(text(x + 38, y, name, 13))
    return "\n".join([*parts, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True)
class _Frame:
    left: float
    top: float
    most_across: float
    most_upwards: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.left + WIDTH * x / self.most_across, self.top + HEIGHT * (1 - y / self.most_upwards)


def _panel(panel: Panel, left: float, top: float, names: list[str], across: str, upwards: str) -> Iterator[str]:
    every = [point for dots in panel.dots for point in dots.points]
    every += [point for line in (panel.lines or {}).values() for point in line]
    steps = [_step(max((point[axis] for point in every), default=1)) for axis in (0, 1)]
    most = [
        step * max(1, math.ceil(max((point[axis] for point in every), default=1) / step))
        for axis, step in enumerate(steps)
    ]
    frame = _Frame(left, top, most[0], most[1])
    yield text(left, top - 10, panel.title, 14, weight="bold")
    yield from _axes(frame, steps, across, upwards)
    for dots in panel.dots:
        fill = "#222" if dots.is_filled else "#fff"
        for x, y in dict.fromkeys(dots.points):
            at = frame.place(x, y)
            yield f"<circle cx='{at[0]:.1f}' cy='{at[1]:.1f}' r='2.2' fill='{fill}' stroke='#222' stroke-width='.6'/>"
    for number, dots in enumerate(panel.dots):
        end = min(most[0], most[1] / dots.slope) if dots.slope > 0 else most[0]
        x1, y1, x2, y2 = *frame.place(0, 0), *frame.place(end, end * dots.slope)
        dash = "" if dots.is_filled else "stroke-dasharray='5 3'"
        yield f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='#c0392b' stroke-width='1.4' {dash}/>"
        yield text(left + 10, top + 18 + 16 * number, f"{'●' if dots.is_filled else '○'} {dots.caption}", 12)
    for name, line in (panel.lines or {}).items():
        points = " ".join("{:.1f},{:.1f}".format(*frame.place(x, y)) for x, y in line)
        yield f"<polyline points='{points}' fill='none' {_stroke(names.index(name))}/>"


def _stroke(number: int) -> str:
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    return f"stroke='{COLOURS[number % len(COLOURS)]}' stroke-width='2'" + (
        f" stroke-dasharray='{dash}'" if dash else ""
    )


def _axes(frame: _Frame, steps: list[float], across: str, upwards: str) -> Iterator[str]:
    left, top = frame.left, frame.top
    for k in range(round(frame.most_upwards / steps[1]) + 1):
        _, y = frame.place(0, k * steps[1])
        yield f"<line x1='{left}' y1='{y:.1f}' x2='{left + WIDTH}' y2='{y:.1f}' stroke='#e2e2dd'/>"
        yield text(left - 8, y + 4, f"{k * steps[1]:g}", 12, anchor="end", fill="#555")
    for k in range(round(frame.most_across / steps[0]) + 1):
        x, _ = frame.place(k * steps[0], 0)
        yield text(x, top + HEIGHT + 18, f"{k * steps[0]:g}", 12, anchor="middle", fill="#555")
    yield f"<rect x='{left}' y='{top}' width='{WIDTH}' height='{HEIGHT}' fill='none' stroke='#999'/>"
    yield text(left + WIDTH / 2, top + HEIGHT + 36, across, 12, anchor="middle", fill="#555")
    middle = top + HEIGHT / 2
    turned = f"transform='rotate(-90 {left - 48} {middle})'"
    yield text(left - 48, middle, upwards, 12, anchor="middle", fill="#555", more=turned)


def _step(most: float) -> float:
    """A round distance of marks, of which there are four to ten."""
    power = 10.0 ** math.floor(math.log10(max(most, 1)))
    return next(step for step in (power / 10 * 2, power / 2, power, 2 * power) if most / step <= 8)


def text(
    x: float,
    y: float,
    words: str,
    size: int,
    anchor: str = "start",
    fill: str = "#222",
    weight: str = "normal",
    more: str = "",
) -> str:
    """Words at a place."""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' fill='{fill}' font-weight='{weight}' {more}>"
        f"{for_xml(words)}</text>"
    )
