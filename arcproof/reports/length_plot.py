"""How long runs are: the shortest and the longest run to a terminal configuration for each number of words, with the
claimed bounds.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.studies.counts import LevelSummary
from arcproof.reports.chart import Axis, Frame, Points
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.printing.escape import for_xml
from arcproof.transitions.printing.notation import TEXT, term_text
from arcproof.transitions.system import System

_LEFT: Final = 44
_RIGHT: Final = 128
_TOP: Final = 16
_BOTTOM: Final = 38
_WIDTH: Final = 300
_HEIGHT: Final = 190


@dataclass(frozen=True, slots=True)
class Curve:
    """A claimed bound, for each number of words that is shown."""

    text: str
    values: tuple[float, ...]


def curves(system: System, words: Sequence[int]) -> tuple[list[Curve], list[str]]:
    """Separate the length bounds that can be drawn from those that depend on more than n."""
    drawn: list[Curve] = []
    others: list[str] = []
    for claim in system.figure.claims:
        if claim.kind != "plain" or not isinstance(claim.statement, s.LengthBound):
            continue
        text = f"{TEXT.relations[claim.statement.relation]} {_powers(term_text(claim.statement.bound, TEXT))}"
        try:
            bound = Bound.of(claim.statement.bound, system)
        except NotLinear:
            others.append(text)
            continue
        if any(bound.counts.values()):
            others.append(text)
        else:
            drawn.append(Curve(text, tuple(float(bound.at(n)) for n in words)))
    return drawn, others


def _powers(text: str) -> str:
    return text.replace("^2", "²").replace("^3", "³")


def plot(system: System, levels: Sequence[LevelSummary]) -> Markup | None:
    """Draw the lengths as SVG; None if no level was counted."""
    counted = [level.counted for level in levels if level.counted is not None]
    words = [c.words for c in counted]
    if not words:
        return None
    bounds, _ = curves(system, words)
    longest = [(c.words, float(c.longest)) for c in counted if c.longest is not None]
    shortest = [(c.words, float(c.shortest)) for c in counted if c.shortest is not None]
    values = [y for _, y in (*longest, *shortest)] + [v for curve in bounds for v in curve.values]
    if not values:
        return None
    top = max(*values, 1.0)
    across, upwards = Axis.of_each("words n", words), Axis("", 0, top, tuple(map(float, _ticks(top))))
    frame = Frame(_LEFT + 14, _TOP, _WIDTH - 28, _HEIGHT, across, upwards)
    return Markup(_Picture(frame).svg(system.name, longest, shortest, bounds))  # every text in it is escaped


@dataclass(frozen=True, slots=True)
class _Picture:
    """The contents of a frame, styled by the page's CSS classes."""

    frame: Frame

    def svg(
        self,
        name: str,
        longest: Points,
        shortest: Points,
        bounds: list[Curve],
    ) -> str:
        width, height = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BOTTOM
        said = "; ".join(f"{n} words: longest {y:.0f}" for n, y in longest)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" role="img" class="length-plot" font-size="12">',
                f"<title>Lengths of runs of {for_xml(name)} by number of words</title>",
                f"<desc>{for_xml(said)}</desc>",
                *self._grid(),
                *(self._bound(curve) for curve in bounds),
                *self._series("shortest", shortest),
                *self._series("longest", longest),
                *self._labels(longest, shortest, bounds),
                "</svg>",
            ]
        )

    def _grid(self) -> list[str]:
        parts = []
        for value in self.frame.upwards.marks:
            y = self.frame.y(value)
            parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{_LEFT + _WIDTH}"/>')
            parts.append(f'<text class="tick" x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.0f}</text>')
        for n in self.frame.across.marks:
            parts.append(
                f'<text class="tick" x="{self.frame.x(n):.1f}" y="{_TOP + _HEIGHT + 18}" '
                f'text-anchor="middle">{n:.0f}</text>'
            )
        middle = _LEFT + _WIDTH / 2
        parts.append(
            f'<text class="axis" x="{middle}" y="{_TOP + _HEIGHT + 34}" '
            f'text-anchor="middle">{self.frame.across.title}</text>'
        )
        return parts

    def _path(self, points: Points) -> str:
        return "M" + "L".join(f"{self.frame.x(n):.1f} {self.frame.y(y):.1f}" for n, y in points)

    def _bound(self, curve: Curve) -> str:
        points = list(zip(self.frame.across.marks, curve.values, strict=True))
        return f'<path class="bound" d="{self._path(points)}"/>'

    def _series(self, kind: str, points: Points) -> list[str]:
        if not points:
            return []
        dots = [
            f'<circle class="{kind}" cx="{self.frame.x(n):.1f}" cy="{self.frame.y(y):.1f}" r="4"><title>{n} '
            f"words: {kind} {y:.0f}</title></circle>"
            for n, y in points
        ]
        return [f'<path class="{kind}" d="{self._path(points)}"/>', *dots]

    def _labels(self, longest: Points, shortest: Points, bounds: list[Curve]) -> list[str]:
        wanted = [(self.frame.y(curve.values[-1]), "bound", f"claim {curve.text}") for curve in bounds]
        wanted += [
            (self.frame.y(points[-1][1]), kind, kind)
            for kind, points in (("longest", longest), ("shortest", shortest))
            if points
        ]
        parts = []
        lowest = -100.0
        for y, kind, text in sorted(wanted):
            at = max(y + 4, lowest + 15)
            lowest = at
            parts.append(f'<text class="name {kind}" x="{_LEFT + _WIDTH + 8}" y="{at:.1f}">{for_xml(text)}</text>')
        return parts


def _ticks(top: float) -> list[int]:
    step = 1
    while top / step > 6:
        step = step * 2 if str(step)[0] != "2" else step * 5 // 2
    return list(range(0, int(top) + 1, step))
