"""A plot as SVG: panels side by side, words to the right, CPU seconds upwards on a logarithmic scale."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from arcproof.reports.plot import text

Line: TypeAlias = Sequence[tuple[int, float]]

WIDTH: Final = 330
HEIGHT: Final = 300
LEFT: Final = 70
TOP: Final = 60
GAP: Final = 75
COLOURS: Final = ("#c0392b", "#1f618d", "#17a589", "#b9770e", "#5d6d7e", "#6c3483")
LEAST: Final = 0.001
FONT: Final = "font-family='Helvetica, Arial, sans-serif'"


@dataclass(frozen=True, slots=True)
class Panel:
    """One system: a line for each contestant, by its title."""

    title: str
    lines: Mapping[str, Line]


@dataclass(frozen=True, slots=True)
class Scale:
    """From words and seconds to the place in a panel."""

    words: tuple[int, int]
    powers: tuple[int, int]
    left: float

    def x(self, words: float) -> float:
        """To the right."""
        first, last = self.words
        return self.left + (WIDTH * (words - first) / (last - first) if last > first else WIDTH / 2)

    def y(self, seconds: float) -> float:
        """Downwards, as in SVG."""
        low, high = self.powers
        return TOP + HEIGHT * (high - math.log10(max(seconds, LEAST))) / (high - low)


def to_svg(panels: Sequence[Panel]) -> str:
    """The panels with one legend."""
    titles = list(dict.fromkeys(title for panel in panels for title in panel.lines))
    seconds = [max(y, LEAST) for panel in panels for line in panel.lines.values() for _, y in line]
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    powers = (low, max(high, low + 1))
    colours = dict(zip(titles, COLOURS, strict=False))
    width = LEFT + len(panels) * WIDTH + (len(panels) - 1) * GAP + 30
    height = TOP + HEIGHT + 60 + 24 * math.ceil(len(titles) / 3)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' {FONT}>",
        f"<rect width='{width}' height='{height}' fill='#fdfdfb'/>",
        text(
            LEFT, 24, "CPU seconds of an exhaustive search (logarithmic), by words of the sentence", 15, weight="bold"
        ),
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, LEFT + number * (WIDTH + GAP), powers, colours)
    parts += _legend(titles, colours)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel, left: float, powers: tuple[int, int], colours: Mapping[str, str]) -> list[str]:
    words = sorted({x for line in panel.lines.values() for x, _ in line})
    scale = Scale((words[0], words[-1]), powers, left)
    parts = [text(left, TOP - 12, panel.title, 14, weight="bold")]
    for power in range(powers[0], powers[1] + 1):
        y = scale.y(10.0**power)
        parts.append(f"<line x1='{left}' y1='{y:.1f}' x2='{left + WIDTH}' y2='{y:.1f}' stroke='#d9d9d4'/>")
        parts.append(text(left - 8, y + 4, f"{10.0**power:g}", 12, anchor="end", fill="#555"))
    for n in words:
        x = scale.x(n)
        parts.append(f"<line x1='{x:.1f}' y1='{TOP}' x2='{x:.1f}' y2='{TOP + HEIGHT}' stroke='#ecece8'/>")
        parts.append(text(x, TOP + HEIGHT + 18, str(n), 12, anchor="middle", fill="#555"))
    parts.append(f"<rect x='{left}' y='{TOP}' width='{WIDTH}' height='{HEIGHT}' fill='none' stroke='#999'/>")
    parts.append(text(left + WIDTH / 2, TOP + HEIGHT + 36, "words", 12, anchor="middle", fill="#555"))
    middle = TOP + HEIGHT / 2
    turned = f"transform='rotate(-90 {left - 48} {middle})'"
    parts.append(text(left - 48, middle, "CPU seconds", 12, anchor="middle", fill="#555", more=turned))
    for title, line in panel.lines.items():
        parts += _line(line, scale, colours.get(title, "#000"))
    return parts


def _line(line: Line, scale: Scale, colour: str) -> list[str]:
    places = [(scale.x(words), scale.y(seconds)) for words, seconds in line]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' fill='{colour}' stroke='#fff'/>" for x, y in places]
    return [f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'/>", *dots]


def _legend(titles: Sequence[str], colours: Mapping[str, str]) -> list[str]:
    parts: list[str] = []
    for number, title in enumerate(titles):
        x, y = LEFT + 240 * (number % 3), TOP + HEIGHT + 66 + 24 * (number // 3)
        colour = colours.get(title, "#000")
        parts.append(f"<line x1='{x}' y1='{y - 4}' x2='{x + 24}' y2='{y - 4}' stroke='{colour}' stroke-width='3'/>")
        parts.append(text(x + 32, y, title, 13))
    return parts
