"""A program compared with a figure, as one self-contained HTML page in the style of the report."""

from markupsafe import Markup

from arcproof._version import __version__
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.conform import Conformance
from arcproof.properties.conformance.divergence import Found
from arcproof.properties.conformance.subject import transition_of
from arcproof.reports import arc_diagram
from arcproof.reports.conformance import looked_lines, notes_on, remarks, title_of, verdict
from arcproof.reports.divergences import graph_at_fault, replay_line, run_text, sentence
from arcproof.reports.page import asset, environment
from arcproof.reports.runs import RunView, run_view
from arcproof.reports.typeset import typeset
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class DivergenceView:
    """A divergence as the page shows it: with the run to step through and, if it is about a gold tree, the tree."""

    anchor: str
    title: str
    where: str
    text: str
    notes: tuple[str, ...]
    run: RunView | None
    tree: Markup | None
    replay: str


def conformance_html(found: Conformance) -> str:
    """The page."""
    return (
        environment()
        .get_template("conformance.html")
        .render(
            found=found,
            verdict=verdict(found),
            tone="exhausted" if found.conforms else "refuted" if found.found else "unknown",
            section={"anchor": "figure"},
            figure=typeset(found.system.figure_with_parameters),
            looked=looked_lines(found),
            remarks=remarks(found),
            divergences=[_view(found, number, one) for number, one in enumerate(found.found, start=1)],
            version=__version__,
            style=asset("style.css"),
            script=asset("runs.js"),
        )
    )


def _view(found: Conformance, number: int, one: Found) -> DivergenceView:
    divergence = one.divergence
    graph = graph_at_fault(divergence.what)
    return DivergenceView(
        f"divergence-{number}",
        title_of(one),
        run_text(divergence),
        sentence(divergence.what),
        tuple(notes_on(divergence)),
        run_view(found.system, run_of_figure(found.system, divergence.words, divergence.run))
        if divergence.run
        else None,
        None if graph is None else Markup(arc_diagram.to_svg(graph, None, "Gold tree", True)),  # to_svg escapes
        replay_line(found, divergence),
    )


def run_of_figure(system: System, words: int, run: tuple[str, ...]) -> Derivation:
    """Return the run of a divergence, taken by the figure."""
    c = initial = system.start(words)
    steps = []
    for name in run:
        transition = transition_of(name)
        assert transition is not None
        steps.append(system.step(c, transition))
        c = steps[-1].configuration
    return Derivation(initial, tuple(steps))
