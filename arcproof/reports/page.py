"""The report as one self-contained HTML page.

Summary first (systems by claims), then what needs attention, then each system: the figure typeset, its claims with what
was done and what was not, counterexamples as runs to step through, its place among the graph classes, lengths, what
each precondition is for, and the commands that print it all again. What a run did not produce is left out, or the page
says so.  Style and script are embedded; the page loads nothing.

Everything that comes from a specification, a treebank or a file is escaped by the template engine; the only text marked
as safe is pictures and formulas that were escaped as they were written.
"""

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arcproof._version import __version__
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.preconditions import Need
from arcproof.properties.evidence import Counterexample
from arcproof.properties.finding import Finding
from arcproof.properties.property import Column, columns, property_of
from arcproof.properties.report import Report, SystemReport
from arcproof.properties.studies.counts import LevelSummary
from arcproof.properties.studies.mutation import BUCKETS
from arcproof.properties.verdict import Verdict
from arcproof.reports import arc_diagram
from arcproof.reports.class_diagram import diagram
from arcproof.reports.examples import Example, example_derivation
from arcproof.reports.findings import class_lines, skipped_line, use_line
from arcproof.reports.length_plot import curves, plot
from arcproof.reports.mutation import by_operator, claim_text, counts_text, killers, remarks, score_text, sentence
from arcproof.reports.proofs import redundancy_lines, theorem_text
from arcproof.reports.repair import Nearest, nearest
from arcproof.reports.runs import RunView, counterexample_view, other_view, run_view
from arcproof.reports.scope import MEANINGS, not_done, untested_help, verify_command
from arcproof.reports.sentences import detail_text, grouped, how_far, quality_text, verdict_text, without_text
from arcproof.reports.typeset import claim_markup, formula_markup, typeset
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import NotPermissible
from arcproof.transitions.polynomial import conjecture
from arcproof.transitions.printing.escape import lines_for_terminal
from arcproof.transitions.printing.figure import Sheet
from arcproof.transitions.printing.wording import case_text
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.theorem import Theorem
    from arcproof.properties.proving.trusted.discharge import Discharged
    from arcproof.properties.studies.coverage import Covered, Spread
    from arcproof.properties.studies.mutation import Judged, MutationReport
    from arcproof.reports.audit import AuditEntry
    from arcproof.reports.experiment_results import Training

_BASES: Final = ("graphs", "trees", "forests")
BUCKET_TONES: Final = {
    "killed": "exhausted", "equivalent": "remark", "alternative": "sampled", "undecided": "unknown", "invalid": "remark",
}  # fmt: skip


# --- what the page is made of ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ObligationRow:
    """An obligation, and how many seconds each solver took."""

    name: str
    sha256: str
    times: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TheoremView:
    """A proof or an attempt: the invariant in symbols, lemmas, assumptions, every obligation."""

    proved: bool
    detail: str
    seconds: str
    kept: bool
    invariant: tuple[tuple[str, Markup], ...]
    lemmas: tuple[str, ...]
    assumptions: tuple[str, ...]
    solvers: tuple[str, ...]
    asked: tuple[str, ...]
    obligations: tuple[ObligationRow, ...]
    witnesses: tuple[str, ...]
    command: str


@dataclass(frozen=True, slots=True)
class FindingView:
    """A claim or check on the page; `tone` decides its colour, `mark` is its sign in the summary."""

    anchor: str
    text: Markup
    column: Column | None
    kind: str
    verdict: str
    tone: str
    mark: str
    done: str
    left_open: str
    engine: str
    solvers: tuple[str, ...]
    seconds: str
    seed: int | None
    reason: str | None
    because: str | None
    run: RunView | None
    other: RunView | None
    picture: Markup | None
    heads: str | None
    theorem: TheoremView | None


@dataclass(frozen=True, slots=True)
class MutantView:
    """A mutant: what was changed, its bucket and why; for a survivor, also the witness."""

    number: int
    operator: str
    text: str
    bucket: str
    tone: str
    claim: str
    reason: str
    run: RunView | None


@dataclass(frozen=True, slots=True)
class MutationView:
    """All mutants of a system."""

    score: str
    counts: str
    remarks: tuple[str, ...]
    operators: tuple[tuple[str, ...], ...]
    killers: tuple[tuple[str, int], ...]
    left: tuple[MutantView, ...]
    killed: tuple[MutantView, ...]
    command: str


@dataclass(frozen=True, slots=True)
class NeedView:
    """What a precondition is for, with the run that goes wrong without it."""

    transition: str
    precondition: str
    status: str
    text: str


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The counts of one level, as text."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Everything the page says about one system."""

    anchor: str
    name: str
    reference: str
    sha256: str
    figure: Sheet[Markup]
    claims: tuple[FindingView, ...]
    checks: tuple[FindingView, ...]
    left_out: tuple[str, ...]
    how_far: tuple[str, ...]
    repair: Nearest | None
    diagrams: tuple[Markup, ...]
    class_lines: tuple[str, ...]
    class_words: int
    plot: Markup | None
    undrawn: tuple[str, ...]
    levels: tuple[LevelRow, ...]
    conjecture: str | None
    oracles: tuple[str, ...]
    uses: tuple[str, ...]
    needs: tuple[NeedView, ...]
    mutation: MutationView | None
    example: RunView | None
    commands: tuple[tuple[str, str], ...]
    seconds: str

    @property
    def findings(self) -> tuple[FindingView, ...]:
        """Claims first."""
        return (*self.claims, *self.checks)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What `coverage` found for one treebank."""

    treebank: str
    spread: "Spread"
    covered: "Sequence[Covered]"


@dataclass(frozen=True, slots=True)
class Extras:
    """What the page shows in addition to the findings, if given; mutants are those of the same systems."""

    mutations: "tuple[MutationReport, ...]" = ()
    coverage: tuple[Coverage, ...] = ()
    training: "Training | None" = None
    audit: "tuple[AuditEntry, ...]" = ()
    audit_file: str | None = None

    def mutation_of(self, system: System) -> "MutationReport | None":
        """Return the mutants of a system; a report that was made in another process has a copy of the system."""
        return next((mutation for mutation in self.mutations if mutation.system == system), None)


@dataclass(frozen=True, slots=True)
class _Anchors:
    """Keeps the names of anchors on the page unique."""

    taken: set[str] = field(default_factory=set)

    def new(self, text: str) -> str:
        """Make up an anchor name that resembles the text."""
        stem = re.sub(r"[^A-Za-z0-9.=-]+", "-", text).strip("-") or "system"
        name, count = stem, 2
        while name in self.taken:
            name, count = f"{stem}-{count}", count + 1
        self.taken.add(name)
        return name


def report_html(report: Report, extras: Extras | None = None) -> str:
    """The page."""
    anchors = _Anchors({"summary", "attention", "coverage", "training", "audit", "reading", "top"})
    extras = extras or Extras()
    sections = [_section(system, extras.mutation_of(system.system), anchors) for system in report.systems]
    findings = [finding for section in sections for finding in section.findings]
    return (
        environment()
        .get_template("report.html")
        .render(
            sections=sections,
            columns=[column for column in columns() if any(f.column == column for f in findings)],
            attention=[
                (section, f) for section in sections for f in section.findings if f.tone in ("refuted", "unknown")
            ],
            meanings=[(verdict.value, _tone_mark(verdict), meaning) for verdict, meaning in MEANINGS.items()],
            totals=_totals(report),
            extras=extras,
            ended_by=report.ended_by,
            version=__version__,
            style=asset("style.css"),
            script=asset("runs.js"),
        )
    )


_QUOTED: Final = re.compile(r"`([^`\n]+)`")
_ORDER_SIGNS: Final = {"<=": "≤", ">=": "≥", "!=": "≠"}
_ORDER: Final = re.compile("|".join(_ORDER_SIGNS))


@cache
def environment() -> Environment:
    """The template engine, which caches compiled templates; everything is escaped, foreign text is shown as on a
    terminal, and a missing name is an error.
    """
    made = Environment(
        loader=PackageLoader("arcproof.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["prose"] = prose
    return made


def prose(text: str) -> Markup:
    """Running text typeset for a page: `code` quoted from a figure, signs of order, digits in groups of three.

    >>> print(prose("`i != 0` holds in 1234567 configurations, and k <= 1"))
    <code>i != 0</code> holds in 1,234,567 configurations, and k ≤ 1
    """
    parts = _QUOTED.split(lines_for_terminal(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else Markup("{}").format(_typeset(part))
        for place, part in enumerate(parts)
    )


def _typeset(text: str) -> str:
    return grouped(_ORDER.sub(lambda found: _ORDER_SIGNS[found[0]], text))


def _shown(value: object) -> object:
    """Text without control characters, which could turn what follows; markup has been made with care."""
    foreign = isinstance(value, str) and not isinstance(value, Markup) and not value.isprintable()
    return lines_for_terminal(str(value)) if foreign else value


def asset(name: str) -> Markup:
    """A built-in style sheet or script, to be embedded in a page as it is."""
    return Markup(files("arcproof.reports").joinpath("templates", name).read_text(encoding="utf-8"))


def _totals(report: Report) -> dict[str, int]:
    """Counts for the headline; of the checks, only those that count are included."""
    claims = [finding for system in report.systems for finding in system.claims]
    checks = [finding for system in report.systems for finding in system.checks if finding.counts]
    return {
        "systems": len(report.systems),
        "claims": len(claims),
        "met": sum(f.met is True for f in claims),
        "proved": sum(f.verdict is Verdict.PROVED for f in claims),
        "refuted": sum(f.met is False for f in claims),
        "open": sum(f.met is None for f in claims),
        "checks_refuted": sum(f.met is False for f in checks),
        "checks_open": sum(f.met is None for f in checks),
    }


# --- one system ------------------------------------------------------------------------------------------------------


def _section(report: SystemReport, mutation: "MutationReport | None", anchors: _Anchors) -> Section:
    system = report.system
    anchor = anchors.new(system.name)
    claims = [_finding(finding, anchors.new(f"{anchor}.{finding.text}")) for finding in report.claims]
    checks = [_finding(finding, anchors.new(f"{anchor}.{finding.text}")) for finding in report.checks]
    counted = [level.counted for level in report.depth.levels if level.counted is not None]
    _, undrawn = curves(system, [c.words for c in counted])
    shown = example_derivation(system)
    return Section(
        anchor,
        system.name,
        system.reference,
        system.sha256,
        typeset(system.figure_with_parameters),
        tuple(claims),
        tuple(checks),
        tuple(_left_out(report)),
        tuple(how_far(report)),
        None if report.depth.repairs is None else nearest(report.depth.repairs),
        tuple(d for base in _BASES if (d := diagram(base, report.depth.classes)) is not None),
        tuple(class_lines(report)),
        min((relation.words for relation in report.depth.classes), default=0),
        plot(system, report.depth.levels),
        tuple(undrawn),
        tuple(map(_level_row, report.depth.levels)),
        _conjecture(report.depth.levels),
        tuple(map(quality_text, report.depth.qualities)),
        (
            *map(use_line, report.depth.uses),
            *(redundancy_lines(redundant) if (redundant := report.depth.redundancies) is not None else ()),
        ),
        tuple(map(_need, report.depth.needs)),
        None if mutation is None else _mutation(mutation),
        None if shown is None else _example(system, *shown),
        tuple(_commands(report)),
        f"{report.seconds:.1f}",
    )


def _example(system: System, example: Example, run: Derivation) -> RunView:
    return run_view(system, run, example.words, example.graph, "A derivation", system.oracle(None))


def _left_out(report: SystemReport) -> Iterable[str]:
    if report.ended_by is not None:
        yield f"{report.ended_by}: whatever was not reached by then is open."
    yield from map(skipped_line, report.skipped)
    if report.note is not None:
        yield report.note
    for said in untested_help(report):
        yield f"No proof shown here uses `{said}`, and it is not checked otherwise."
    if not report.effort.in_depth:
        yield "Classes, lengths, transitions and preconditions were not examined (--claims-only)."


def _level_row(level: LevelSummary) -> LevelRow:
    c = level.counted
    if c is None:
        return LevelRow((str(level.words), f"more than {level.known}", *["–"] * 7))
    numbers = (c.configurations, c.transitions, c.outputs, c.trees, c.shortest, c.longest, c.dead_ends)
    mean = "–" if c.ambiguity is None else f"{c.ambiguity.mean:,.2f}"
    return LevelRow((str(c.words), *("–" if number is None else f"{number:,}" for number in numbers), mean))


def _conjecture(levels: Sequence[LevelSummary]) -> str | None:
    found = conjecture([level.counted.longest for level in levels if level.counted is not None])
    if found is None:
        return None
    fit, first = found
    return str(fit).replace("^2", "²") + ("" if first == 1 else f", from {first} words on")


def _need(need: Need) -> NeedView:
    return NeedView(case_text(need.transition, need.line), need.precondition, need.status, without_text(need))


def _mutation(report: "MutationReport") -> MutationView:
    return MutationView(
        score_text(report),
        counts_text(report),
        tuple(remarks(report)),
        (("operator", *BUCKETS), *((name, *map(str, row.values())) for name, row in by_operator(report))),
        tuple(killers(report)),
        tuple(_mutant(report, j) for j in report.mutants if j.bucket not in ("killed", "invalid")),
        tuple(_mutant(report, j) for j in report.mutants if j.bucket == "killed"),
        f"arcproof mutate {shlex.quote(report.system.reference)} --words {report.words} --all",
    )


def _mutant(report: "MutationReport", judged: "Judged") -> MutantView:
    run = _difference(report, judged) if judged.bucket == "alternative" else None
    return MutantView(
        judged.number, judged.mutant.operator, judged.mutant.description, judged.bucket, BUCKET_TONES[judged.bucket], claim_text(report, judged) or "",
        sentence(judged), run,
    )  # fmt: skip


def _difference(report: "MutationReport", judged: "Judged") -> RunView | None:
    """The run that shows how a mutant differs: one that it has gained, or one of the original that it has lost."""
    if judged.witness is None:
        return None
    try:
        return counterexample_view(judged.mutant.system(report.system), judged.witness)
    except NotPermissible:
        return counterexample_view(report.system, judged.witness)


def _commands(report: SystemReport) -> Iterable[tuple[str, str]]:
    reference = shlex.quote(report.system.reference)
    yield "claims, checks, classes, preconditions", verify_command(report)
    if report.depth.levels:
        yield "counts and lengths", f"arcproof explore {reference} --words {report.words}"
    if any(finding.theorem is not None for finding in report.claims):
        yield "proofs", f"arcproof prove {reference}"
    yield "the figure", f"arcproof show {reference}"
    yield "try it yourself", f"arcproof explore {reference} --open"


def verified_html(report: SystemReport, words: int) -> str:
    """Return an HTML fragment with the findings about one system, to be shown in an existing page."""
    anchors = _Anchors({"figure"})
    findings = [_finding(finding, anchors.new(finding.text)) for finding in (*report.claims, *report.checks)]
    return (
        environment()
        .get_template("verified.html")
        .render(
            system=report.system.name,
            summary=report.summary(Verdict.EXHAUSTED),
            exit_code=Report((report,)).exit_code(Verdict.EXHAUSTED),
            words=words,
            seconds=f"{report.seconds:.1f}",
            classes=class_lines(report),
            findings=findings,
        )
    )


# --- one finding -----------------------------------------------------------------------------------------------------


def _finding(finding: Finding, anchor: str) -> FindingView:
    system, asked = finding.system, finding.asked
    known, found = property_of(asked), finding.counterexample
    run = None if found is None else counterexample_view(system, found, known.oracle(asked))
    return FindingView(
        anchor,
        _title(finding),
        known.column,
        finding.kind,
        verdict_text(finding),
        _tone(finding),
        _mark(finding),
        detail_text(finding),
        not_done(finding),
        finding.engine,
        finding.solvers,
        f"{finding.seconds:.2f}",
        finding.seed,
        None if found is None else found.reason,
        None if found is None else known.because(system, asked, found),
        run,
        None if found is None else other_view(system, found),
        _drawn(system, found) if run is None or (found is not None and found.best is not None) else None,
        _heads(found),
        None if finding.theorem is None else _theorem(system, finding.theorem),
    )


def _title(finding: Finding) -> Markup:
    """The typeset claim or the name of the check, with what the verdict takes for granted."""
    question = finding.question
    text = claim_markup(question) if isinstance(question, s.Claim) else Markup("{}").format(finding.text)
    return text if finding.convention is None else Markup("{} ({})").format(text, finding.convention)


def _theorem(system: System, theorem: "Theorem") -> TheoremView:
    asked = tuple(dict.fromkeys(result.solver for done in theorem.obligations for result in done.results))
    return TheoremView(
        theorem.verdict is Verdict.PROVED,
        theorem_text(theorem),
        f"{theorem.seconds:.1f}",
        theorem.kept,
        tuple((conjunct.name, formula_markup(conjunct.formula)) for conjunct in theorem.invariant),
        theorem.lemmas,
        theorem.believed,
        theorem.solvers,
        asked,
        tuple(_obligation(done, asked) for done in theorem.obligations),
        tuple(
            f"{w.move}, {w.words} words: {w.configuration}" for w in theorem.witnesses if w.configuration is not None
        ),
        f"arcproof prove {shlex.quote(system.reference)} --invariant --smt obligations",
    )


def _obligation(done: "Discharged", asked: Sequence[str]) -> ObligationRow:
    spent = {name: sum(r.seconds for r in done.results if r.solver == name) for name in asked}
    times = tuple(f"{spent[name]:.2f}" if done.by(name) else "–" for name in asked)
    return ObligationRow(done.obligation.name, done.obligation.digest, times)


def _drawn(system: System, found: Counterexample | None) -> Markup | None:
    if found is None or found.graph is None or not found.words:
        return None
    title = f"Counterexample: {found.reason}"
    return Markup(arc_diagram.to_svg(found.graph, None, title, system.has_root))  # to_svg escapes


def _heads(found: Counterexample | None) -> str | None:
    if (
        found is None
        or found.graph is None
        or not found.words
        or (found.transitions is not None and found.best is None)
    ):
        return None
    return str(found.graph)


def _tone(finding: Finding) -> str:
    """The class that decides the colour: claims that are met because something fails have a colour of their own, and a
    check that does not count is a remark.
    """
    if finding.met is None:
        return "unknown"
    if finding.met is False:
        return "refuted" if finding.counts else "remark"
    return "as-said" if finding.kind in ("negated", "refuted") else finding.verdict.value


def _tone_mark(verdict: Verdict) -> str:
    return {
        Verdict.PROVED: "∎",
        Verdict.EXHAUSTED: "✓",
        Verdict.SAMPLED: "≈",
        Verdict.UNREACHED: "?",
        Verdict.UNKNOWN: "?",
        Verdict.REFUTED: "✗",
    }[verdict]


def _mark(finding: Finding) -> str:
    if finding.met is None:
        return "?"
    words = "" if finding.words is None else str(finding.words)
    if finding.met is False:
        return f"{'✗' if finding.counts else '!'} {words}".strip()
    if finding.kind in ("negated", "refuted"):
        return f"⊘ {words}".strip()
    return f"{_tone_mark(finding.verdict)} {'' if finding.verdict is Verdict.PROVED else words}".strip()
