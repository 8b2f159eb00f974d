"""A page for each built-in system: its figure, its claims and their verdicts, the class it derives, a derivation, its
source.

Figures, runs and diagrams are those of the report (`arcproof.reports`); the verdicts are found when the site is built,
with
`WORDS` words and the certificates on file, which both solvers check, or with what the environment variable SITE_PROOFS
says.
"""

import os
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, Final, cast

from arcproof.process.available import processors
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.report import Effort
from arcproof.properties.verify import verify_systems
from arcproof.reports.class_diagram import diagram
from arcproof.reports.examples import example_derivation
from arcproof.reports.findings import class_lines
from arcproof.reports.page import environment
from arcproof.reports.runs import run_view
from arcproof.reports.sentences import detail_text, reason_text, verdict_text
from arcproof.reports.typeset import typeset
from arcproof.transitions.library import entries, source_of, system_names
from arcproof.transitions.printing.figure import to_latex_fragment
from arcproof.transitions.system import load
from tools.site import progress
from tools.site.markdown import cell, for_markdown, html, page, prose, table

if TYPE_CHECKING:
    from arcproof.properties.finding import Finding
    from arcproof.properties.report import ProofSource, SystemReport
    from arcproof.transitions.system import System

WORDS: Final = 4
MARKS: Final = {True: "✓", False: "✗", None: "?"}
SWATCHES: Final = """\
<figcaption><span class="swatch derived"></span> all its graphs are derived,
<span class="swatch framed"></span> all outputs are in it, <span class="swatch own"></span> both,
up to {words} words. A line leads up to a larger class.</figcaption>
"""
INTRODUCTION: Final = """\
# The library

{count} transition systems are built in, each as a figure that says what its paper says.
Every page has the figure, what is claimed of the system, what is so, the class of graphs that it derives, and a derivation to
step through.
What is known about their sources, and what is reconstructed, is in [Fifteen later systems](../notes/catalogue.md) and in the
[audit of the papers' claims](../notes/claims.md).

A name is enough to use a system: `arcproof trace swap --heads 2,0,2`.
"""


def index_page() -> str:
    """All systems with their sources and claims."""
    rows = (
        (f"[{entry.name}]({entry.name}.md)", cell(entry.cite), "<br>".join(cell(claim) for claim in entry.claims))
        for entry in entries()
    )
    return page(INTRODUCTION.format(count=len(system_names())), *table(["system", "source", "claims"], rows))


def system_pages(*names: str) -> dict[str, str]:
    """The pages of built-in systems, by name; their verdicts are computed now."""
    proofs = cast("ProofSource", os.environ.get("SITE_PROOFS", "certified"))
    effort = Effort(WORDS, Sampling(0), jobs=processors(), proofs=proofs)
    done = count(1)

    def tell(report: "SystemReport") -> None:
        progress(f"{next(done)}/{len(names)} {report.system.name} is verified")

    reports = verify_systems([load(name) for name in names], effort, tell).systems
    return {name: page(*_page(report.system, report)) for name, report in zip(names, reports, strict=True)}


def _page(system: "System", report: "SystemReport") -> Iterator[str]:
    figure = typeset(system.figure_with_parameters)
    yield from (f"# {for_markdown(system.name)}", "")
    if figure.cite:
        yield from (f"*{prose(figure.cite)}*", "")
    for note in figure.notes:
        yield from (prose(note), "")
    yield from ("## The figure", "", *html(str(_parts().plate(figure, system.name))), "")
    yield from ("## Claims", "", *_claims(report), "")
    yield from _class(report)
    yield from _derivation(system)
    yield from _counts(report)
    yield from _source(system)


def _parts() -> Any:
    """The pieces that reports are made of."""
    return environment().get_template("parts.html").module


# --- what is so ------------------------------------------------------------------------------------------------------


def _claims(report: "SystemReport") -> Iterator[str]:
    if not report.claims:
        yield "Nothing is claimed of this system."
        return
    yield from table(["", "claim", "verdict", "what was done"], map(_finding, report.claims))
    shown = [finding for finding in report.claims if finding.counterexample is not None and finding.met is False]
    for finding in shown:
        yield from ("", f"Counterexample to *{prose(finding.title)}*: {prose(reason_text(finding))}")
    yield from ("", "What else was checked:", "")
    yield from table(["", "check", "verdict", "what was done"], map(_finding, report.checks))
    yield from ("", "[How to read verdicts](../verdicts.md).")


def _finding(finding: "Finding") -> tuple[str, ...]:
    mark = "!" if finding.met is False and not finding.counts else MARKS[finding.met]
    tone = "remark" if mark == "!" else str(finding.verdict.value)
    chip = f'<span class="arcproof"><span class="chip {tone}">{for_markdown(verdict_text(finding))}</span></span>'
    return mark, cell(finding.title), chip, cell(detail_text(finding))


def _class(report: "SystemReport") -> Iterator[str]:
    pictures = [
        picture
        for base in ("trees", "forests", "graphs")
        if (picture := diagram(base, report.depth.classes)) is not None
    ]
    if not report.depth.classes:
        return
    words = min(relation.words for relation in report.depth.classes)
    yield from ("## The class it derives", "", *(f"- {prose(line)}" for line in class_lines(report)), "")
    for picture in pictures:
        yield from (*html(f'<figure><div class="wide">{picture}</div>{SWATCHES.format(words=words)}</figure>'), "")


def _counts(report: "SystemReport") -> Iterator[str]:
    counted = [level.counted for level in report.depth.levels if level.counted is not None]
    if not counted:
        return
    header = ["words", "configurations", "transitions", "outputs", "trees", "shortest", "longest", "dead ends"]
    numbers = (
        (c.words, c.configurations, c.transitions, c.outputs, c.trees, c.shortest, c.longest, c.dead_ends)
        for c in counted
    )
    yield from ("## How many, how long", "", "`shortest` and `longest` are transitions of a run.", "")
    yield from (*table(header, (["–" if n is None else f"{n:,}" for n in row] for row in numbers)), "")


# --- a derivation, and the text --------------------------------------------------------------------------------------


def _derivation(system: "System") -> Iterator[str]:
    found = example_derivation(system)
    if found is None:
        return
    example, derivation = found
    view = run_view(system, derivation, example.words, example.graph, "A derivation", system.oracle(None))
    yield from ("## A derivation", "", f"By its first oracle, in {len(derivation)} transitions.", "")
    yield from (*html(str(_parts().run(view, {"anchor": system.name}, "A derivation"))), "")
    yield from ('<script src="../javascripts/runs.js" defer></script>', "")


def _source(system: "System") -> Iterator[str]:
    yield from ("## The specification", "", f"`arcproof show {system.name} --format source` prints it:", "")
    yield from ("```arcproof", source_of(system.name).strip("\n"), "```", "")
    yield from ('??? note "The figure for LaTeX"', "")
    latex = ["```latex", *to_latex_fragment(system.figure_with_parameters).strip("\n").split("\n"), "```"]
    yield from (f"    {line}" if line else "" for line in latex)
