"""The diagram of graph classes, and a system's place in it.

A box is a class; a line goes up from a class to the next larger ones.  Inclusions are computed by enumerating
all graphs of up to `MOST_WORDS` words: classes that coincide up to this many words share a box, and inclusions are
established only up to this length.  The place of a system is shown by two marks on each box: *filled* if the system
derives all graphs of the class, *framed* if all outputs are in the class; a class that is both is the system's own.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from arcproof.generators.classes import known_classes
from arcproof.generators.graph_classes import known_graph_classes
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.class_of import ClassRelation
from arcproof.properties.engines.output_sets import members
from arcproof.transitions.printing.escape import display_width, for_xml
from arcproof.transitions.printing.notation import TEXT, class_text
from arcproof.transitions.syntax import GraphClass

MOST_WORDS: Final = 5
MOST_WORDS_OF_GRAPHS: Final = 3  # there are many more graphs in which words may have several heads
COMPLEMENTS: Final = frozenset({"non-projective", "ill-nested"})


@dataclass(frozen=True, slots=True)
class Box:
    """A set of classes that coincide, their layer (0 at the bottom), and the boxes directly above."""

    classes: tuple[GraphClass, ...]
    layer: int
    above: tuple[int, ...]


@cache
def boxes(base: str, words: int) -> tuple[Box, ...]:
    """All classes of one kind of graphs in order of inclusion, without mere complements."""
    groups: dict[frozenset[tuple[int, int]], list[GraphClass]] = {}
    for graphs in known_graph_classes() if base == "graphs" else known_classes():
        if graphs.base == base and not any(r.name in COMPLEMENTS for r in graphs.restrictions):
            groups.setdefault(_members(graphs, words), []).append(graphs)
    ordered = sorted((content for content in groups if content), key=len)
    above = [_next_larger(k, ordered) for k in range(len(ordered))]
    layers: list[int] = []
    for k in range(len(ordered)):
        layers.append(max((layers[j] + 1 for j in range(k) if k in above[j]), default=0))
    return tuple(
        Box(tuple(groups[content]), layer, larger)
        for content, layer, larger in zip(ordered, layers, above, strict=True)
    )


def _members(graphs: GraphClass, words: int) -> frozenset[tuple[int, int]]:
    return frozenset((n, int(code)) for n in range(1, words + 1) for code in members(graphs, n))


def _next_larger(k: int, ordered: Sequence[frozenset[tuple[int, int]]]) -> tuple[int, ...]:
    larger = [j for j in range(k + 1, len(ordered)) if ordered[k] < ordered[j]]
    return tuple(j for j in larger if not any(ordered[m] < ordered[j] for m in larger))


# --- the picture -----------------------------------------------------------------------------------------------------

_LINE: Final = 17
_PAD: Final = 9
_GAP_X: Final = 18
_GAP_Y: Final = 34
_FONT: Final = 12.5
_MOST_NAMES: Final = 3


def diagram(base: str, relations: Sequence[ClassRelation]) -> Markup | None:
    """Draw the classes of one kind of graphs with a system's marks, as SVG; None if nothing is known about it."""
    known = {relation.graphs: relation for relation in relations if relation.graphs.base == base}
    if not known:
        return None
    words = min(
        min(relation.words for relation in known.values()), MOST_WORDS_OF_GRAPHS if base == "graphs" else MOST_WORDS
    )
    found = boxes(base, words) if words >= 1 else ()
    if not found:
        return None
    return Markup(_Picture(base, found, known, words).svg())  # every text in it is escaped


def inclusions(base: str) -> Markup:
    """Draw the classes of one kind of graphs alone, as SVG."""
    words = MOST_WORDS_OF_GRAPHS if base == "graphs" else MOST_WORDS
    return Markup(_Picture(base, boxes(base, words), {}, words).svg())


class _Picture:
    def __init__(self, base: str, found: tuple[Box, ...], known: dict[GraphClass, ClassRelation], words: int) -> None:
        self.base, self.found, self.known, self.words = base, found, known, words
        self.names = [_names(box) for box in found]
        self.widths = [max(map(_width, names)) + 2 * _PAD for names in self.names]
        self.heights = [len(names) * _LINE + 8 for names in self.names]
        self.rows = self._rows()
        self.width = max(self._row_width(row) for row in self.rows) + 8
        self.places = self._places()
        self.height = max(y + self.heights[k] for k, (_, y) in self.places.items()) + 4

    def _rows(self) -> list[list[int]]:
        """The boxes by layer, the top one first; each row is ordered by the places of what lies below it."""
        layers = sorted({box.layer for box in self.found})
        place: dict[int, float] = {}
        rows = []
        for layer in layers:
            row = [k for k, box in enumerate(self.found) if box.layer == layer]
            below = {k: [place[j] for j, box in enumerate(self.found) if k in box.above and j in place] for k in row}
            row.sort(key=lambda k: (sum(below[k]) / len(below[k]) if below[k] else 0.5, k))
            for index, k in enumerate(row):
                place[k] = (index + 0.5) / len(row)
            rows.append(row)
        return rows[::-1]

    def _row_width(self, row: list[int]) -> int:
        return sum(self.widths[k] for k in row) + _GAP_X * (len(row) - 1)

    def _places(self) -> dict[int, tuple[int, int]]:
        places = {}
        y = 4
        for row in self.rows:
            x = (self.width - self._row_width(row)) // 2
            tallest = max(self.heights[k] for k in row)
            for k in row:
                places[k] = x, y + (tallest - self.heights[k]) // 2
                x += self.widths[k] + _GAP_X
            y += tallest + _GAP_Y
        return places

    def svg(self) -> str:
        """Return the whole picture."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        place = ", and the system's place among them" if self.known else ""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" class="class-diagram" font-size="{_FONT}">',
                f"<title>Classes of {for_xml(self.base)}{place}</title>",
                f"<desc>{for_xml(self._description())}</desc>",
                *self._lines(),
                *self._boxes(),
                "</svg>",
            ]
        )

    def _mark(self, box: Box) -> tuple[bool, bool] | None:
        """Whether all graphs of the box are derived, and whether all outputs are in it."""
        relation = next((self.known[graphs] for graphs in box.classes if graphs in self.known), None)
        if relation is None:
            return None
        return relation.relation in ("equal", "contains"), relation.relation in ("equal", "contained")

    def _description(self) -> str:
        if not self.known:
            pairs = [
                (names[0], self.names[j][0])
                for names, box in zip(self.names, self.found, strict=True)
                for j in box.above
            ]
            return "; ".join(f"{smaller} is contained in {larger}" for smaller, larger in pairs) + "."
        said = []
        for box, names in zip(self.found, self.names, strict=True):
            match self._mark(box):
                case (True, True):
                    said.append(f"{names[0]}: exactly what the system derives")
                case (True, False):
                    said.append(f"{names[0]}: all derived")
                case (False, True):
                    said.append(f"{names[0]}: contains every output")
        return "; ".join(said) + "." if said else "No class is derived in full, and none contains every output."

    def _lines(self) -> list[str]:
        lines = []
        for k, box in enumerate(self.found):
            x, y = self.places[k]
            for j in box.above:
                up_x, up_y = self.places[j]
                start, end = x + self.widths[k] // 2, up_x + self.widths[j] // 2
                foot = up_y + self.heights[j]
                middle = (y + foot) // 2
                lines.append(f'<path class="includes" d="M{start} {y}C{start} {middle} {end} {middle} {end} {foot}"/>')
        return lines

    def _boxes(self) -> list[str]:
        parts = []
        for k, box in enumerate(self.found):
            x, y = self.places[k]
            derived, framed = self._mark(box) or (False, False)
            classes = "class-box" + " derived" * derived + " framed" * framed
            parts.append(f'<g class="{classes}"><title>{for_xml(_all_names(box))}</title>')
            parts.append(f'<rect x="{x}" y="{y}" width="{self.widths[k]}" height="{self.heights[k]}" rx="5"/>')
            for line, name in enumerate(self.names[k]):
                at = y + 4 + _LINE * (line + 1) - 5
                parts.append(
                    f'<text x="{x + self.widths[k] // 2}" y="{at}" text-anchor="middle">{for_xml(name)}</text>'
                )
            parts.append("</g>")
        return parts


def _short(graphs: GraphClass) -> str:
    text = class_text(graphs, TEXT)
    return text.replace(f"{graphs.base} with ", "").replace(f" {graphs.base}", "") if graphs.restrictions else text


def _names(box: Box) -> list[str]:
    names = [_short(graphs) for graphs in box.classes]
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
    return [names[0], *(f"= {name}" for name in names[1:])]


def _all_names(box: Box) -> str:
    return " = ".join(class_text(graphs, TEXT) for graphs in box.classes)


def _width(text: str) -> int:
    return round(_FONT * 0.58 * display_width(text))
