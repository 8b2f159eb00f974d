"""A derivation as one picture per configuration: all have the same height, and nothing moves from one to the next.

Each picture is laid out for every arc that the derivation ever adds and shows those that are there: the new ones
are drawn thicker, and those that cross another arc of the same configuration are dashed.
"""

from arcproof.process.lazy_dataclass import dataclass
from arcproof.reports import arc_diagram, derivation_table
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.system import System

MOST_WORDS = 200
"""The most words of a sentence whose steps are drawn: there are several times as many pictures as words."""


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A configuration of a derivation: its number, from 0, its arcs, and those of them that are new."""

    number: int
    arcs: frozenset[Arc]
    new: frozenset[Arc]


def drawn_steps(derivation: Derivation) -> tuple[Graph, list[DrawnStep]]:
    """The graph of all arcs that ever exist, and the configurations; `BadGraph` if there are too many to draw."""
    words = derivation.initial.words
    if words > MOST_WORDS:
        raise BadGraph(
            f"the steps of {words} words cannot be drawn; drawing one picture per step is limited to {MOST_WORDS} words"
        )
    steps = [DrawnStep(0, derivation.initial.arcs, frozenset())]
    for number, (before, step) in enumerate(derivation.with_before, start=1):
        arcs = step.configuration.arcs
        steps.append(DrawnStep(number, arcs, (arcs - before.arcs) | (arcs & frozenset(step.added))))
    return Graph(words, frozenset().union(*(step.arcs for step in steps))), steps


def step_lines(header: list[str], row: list[str]) -> list[tuple[str, str]]:
    """Describe a configuration, by column of the derivation table."""
    transition, *values = row
    return [(header[0], transition), *zip(header[1:], values, strict=True)]


def svg_steps(
    system: System, derivation: Derivation, words: derivation_table.Words = None, *, full: bool = False
) -> list[str]:
    """Draw an SVG image for each configuration, with the transition and the state below the graph."""
    graph, steps = drawn_steps(derivation)
    header, *rows = derivation_table.text_cells(system, derivation, words, full=full)
    pictures = []
    for step, row in zip(steps, rows, strict=True):
        lines = tuple(f"{name}: {value or '-'}" for name, value in step_lines(header, row))
        part = arc_diagram.PartShown(step.arcs, step.new, lines)
        title = f"{system.name}, step {step.number}" + (f": {row[0]}" if row[0] else "")
        pictures.append(arc_diagram.to_svg(graph, words, title, system.has_root, part))
    return pictures


def file_name(number: int, count: int, ending: str) -> str:
    """The name of a file, as in `step-03.svg`: with as many digits as the last one, at least two, so that names sort.

    >>> file_name(3, 12, "svg")
    'step-03.svg'
    """
    return f"step-{number:0{max(2, len(str(count - 1)))}}.{ending}"
