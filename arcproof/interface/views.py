"""How each kind of result is shown: a short text, the text of its command, HTML, JSON, a table, pictures, LaTeX.

A table is a part of the JSON document, so that its columns are called as they are there.  Everything that comes from a
file is escaped where HTML is made, and nowhere else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from pandas import DataFrame

    from arcproof.commands import results
    from arcproof.properties.conformance.conform import Conformance
    from arcproof.properties.conformance.logs import LogCheck
    from arcproof.properties.finding import Finding
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.proving.theorem import Theorem
    from arcproof.properties.report import Report, SystemReport
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.coverage import Covered, GraphSpread, Spread
    from arcproof.properties.studies.mutation import MutationReport
    from arcproof.properties.studies.reach import Reached
    from arcproof.properties.studies.repair import Repairs
    from arcproof.properties.studies.situation import Situated
    from arcproof.properties.studies.why import Why
    from arcproof.transitions.configuration import Derivation, Transition
    from arcproof.transitions.graph import Graph
    from arcproof.transitions.system import System

MOST_LINES: Final = 8
MOST_CHARACTERS: Final = 200
MOST_OF_A_TABLE: Final = 3000
"""The most characters of the HTML of a table; beyond this no more rows are shown."""
MOST_IN_A_CELL: Final = 60
MOST_PICTURES: Final = 3
MOST_DRAWN: Final = 60
"""The most words of a graph drawn in a notebook."""

Row = dict[str, Any]
Picture = tuple[str, "Graph", "Sequence[str] | None"]
"""A caption, the graph, and its words."""


@dataclass(frozen=True)
class DocumentTable:
    """A part of a document: the lists to go through, the columns of the last, and those of the others that each row
    repeats.

    A column is written `derivations.mean` where it is part of a part; `spread` is one whose parts are columns of their
    own.
    """

    path: tuple[str, ...]
    columns: tuple[str, ...]
    repeated: tuple[str, ...] = ()
    spread: str | None = None

    def rows(self, document: Any) -> list[Row]:
        """One for each entry."""
        return list(self._rows(document, self.path, {}))

    def _rows(self, part: Any, path: tuple[str, ...], known: Row) -> Iterator[Row]:
        entries = part if path[0] == "" else _part(part, path[0]) or []
        for entry in entries:
            if len(path) == 1:
                yield known | dict(self._cells(entry))
            else:
                yield from self._rows(entry, path[1:], known | {name: entry[name] for name in self.repeated})

    def _cells(self, entry: Any) -> Iterator[tuple[str, Any]]:
        for column in self.columns:
            if column == self.spread:
                yield from entry[column].items()
            else:
                yield column, _part(entry, column)


def _part(entry: Any, column: str) -> Any:
    for name in column.split("."):
        entry = None if entry is None else entry.get(name)
    return entry


@dataclass(frozen=True)
class View:
    """How results of one type are shown; they lack whatever is not given."""

    lines: Callable[[Any], Iterable[str]]
    text: Callable[[Any], str] | None = None
    document: Callable[[Any], object] | None = None
    written: Callable[[Any], str] | None = None
    table: DocumentTable | None = None
    pictures: Callable[[Any], Iterable[Picture]] | None = None
    typeset: Callable[[Any], str] | None = None
    page: Callable[[Any], Markup] | None = None

    def short(self, result: Any) -> str:
        """A few lines of bounded length."""
        lines = [_cut(for_terminal(line), MOST_CHARACTERS) for line in self.lines(result)]
        more = len(lines) - MOST_LINES
        return "\n".join(lines if more <= 0 else [*lines[:MOST_LINES], f"… and {more} more"])

    def full(self, result: Any) -> str:
        """What the command prints; without the line end, for `print`."""
        return self.short(result) if self.text is None else self.text(result).removesuffix("\n")

    def json(self, result: Any) -> str:
        """The document of the command."""
        from arcproof.documents.wire import json_text

        assert self.document is not None
        return json_text(self.document(result)) if self.written is None else self.written(result)

    def rows(self, result: Any) -> list[Row]:
        """Those of the table."""
        from arcproof.documents.wire import json_value

        assert self.table is not None
        assert self.document is not None
        return self.table.rows(json_value(self.document(result)))

    def frame(self, result: Any) -> "DataFrame":
        """With pandas, if it is there."""
        try:
            from pandas import DataFrame
        except ModuleNotFoundError as error:
            from arcproof.interface.arguments import missing_package

            raise missing_package(error) from None
        assert self.table is not None
        rows = self.rows(result)
        return DataFrame(rows, columns=[*rows[0]] if rows else [*self.table.repeated, *self.table.columns])

    def svg(self, result: Any) -> str | None:
        """The first picture."""
        return next((_drawn(*picture) for picture in self._pictures(result)), None)

    def latex(self, result: Any) -> str:
        """As with --fragment."""
        assert self.typeset is not None
        return self.typeset(result)

    def html(self, result: Any) -> str:
        """The lines, the table and the pictures."""
        if self.page is not None:
            return self.page(result)
        parts = [Markup("<p>{}</p>").format(Markup("<br>").join(self.short(result).split("\n")))]
        if self.table is not None:
            parts.append(_html_table(self.rows(result)))
        parts += (
            Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(Markup(_drawn(*picture)), picture[0])
            for picture in self._pictures(result)
        )
        return Markup('<div class="arcproof">{}</div>').format(Markup("").join(parts))

    def _pictures(self, result: Any) -> list[Picture]:
        """As many pictures as a notebook shows; none for long sentences."""
        found = [] if self.pictures is None else self.pictures(result)
        return [picture for picture in found if picture[1].words <= MOST_DRAWN][:MOST_PICTURES]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _drawn(title: str, graph: "Graph", words: "Sequence[str] | None") -> str:
    from arcproof.reports.arc_diagram import to_svg

    return to_svg(graph, words, title)


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case str() | int():
            return _cut(for_terminal(str(value)), MOST_IN_A_CELL)
        case _:
            return _cut(for_terminal(_inner(value)), MOST_IN_A_CELL)


def _inner(value: object) -> str:
    """Lists and dictionaries without quotation marks."""
    match value:
        case dict():
            return ", ".join(f"{name}: {_inner(entry)}" for name, entry in value.items())
        case list() if any(isinstance(entry, list | dict) for entry in value):
            return "; ".join(map(_inner, value))
        case list():
            return ", ".join(map(_inner, value))
        case _:
            return "_" if value is None else str(value)


def _html_table(rows: list[Row]) -> Markup:
    """The rows, as far as a notebook shows them."""
    if not rows:
        return Markup("")
    titles = [column for column in rows[0] if any(row[column] is not None for row in rows)]
    head = Markup("").join(Markup("<th>{}</th>").format(title.replace("_", " ")) for title in titles)
    body: list[Markup] = []
    for row in rows:
        cells = Markup("").join(Markup("<td>{}</td>").format(_cell(row[title])) for title in titles)
        body.append(Markup("<tr>{}</tr>").format(cells))
        if sum(map(len, body)) > MOST_OF_A_TABLE:
            break
    more = len(rows) - len(body)
    rest = Markup("<p>… and {}</p>").format(counted(more, "more row")) if more else ""
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}").format(
        head, Markup("").join(body), rest
    )


def _run(transitions: "Iterable[Transition]") -> str:
    return " ".join(transition.instance for transition in transitions) or "(no transition)"


def _document(module: str, *arguments: Any) -> object:
    return import_module(f"arcproof.documents.{module}").document(*arguments)


def _text(module: str) -> Callable[[Any], str]:
    def text(result: Any) -> str:
        return str(import_module(f"arcproof.reports.{module}").to_text(result))

    return text


def view_of(kind: type) -> View:
    """The view of a type."""
    for base in kind.__mro__:
        if base.__qualname__ in VIEWS:
            return VIEWS[base.__qualname__]()
    raise TypeError(f"there is no view for a {kind.__qualname__}")


# --- figures and runs ------------------------------------------------------------------------------------------------


@cache
def _listing() -> View:
    return View(
        lines=lambda found: [f"{len(found.entries)} built-in systems: {', '.join(found.names)}"],
        text=lambda found: "\n".join(f"{entry.name}  {entry.cite}" for entry in found.entries),
        document=lambda found: _document("list", found.entries),
        table=DocumentTable(("",), ("name", "cite", "claims")),
    )


@cache
def _system() -> View:
    def lines(system: "System") -> list[str]:
        figure = system.figure
        oracles = ", ".join([*(o.name for o in figure.oracles), *(o.name for o in figure.dynamic_oracles)]) or "none"
        counts = (
            f"{counted(len(system.transitions), 'transition')}, oracles: {oracles}, "
            f"{counted(len(figure.claims), 'claim')}"
        )
        return [f"System {system.name}: {counts}"]

    def text(system: "System") -> str:
        from arcproof.transitions.printing.figure import to_text

        return to_text(system.figure_with_parameters)

    def document(system: "System") -> object:
        from arcproof.documents.show import document

        return document(system.figure_with_parameters)

    def typeset(system: "System") -> str:
        from arcproof.transitions.printing.figure import to_latex_fragment

        return to_latex_fragment(system.figure_with_parameters)

    return View(lines, text, document, typeset=typeset, page=_figure_page)


def _figure_page(system: "System") -> Markup:
    """The figure as papers print it: transitions, oracles and claims."""
    from arcproof.transitions.printing.figure import to_text

    return Markup('<div class="arcproof"><pre style="font-family: monospace">{}</pre></div>').format(
        to_text(system.figure_with_parameters)
    )


def _checked_files(files: "Callable[[Any], Sequence[results.CheckedSpecification]]") -> View:
    def text(found: Any) -> str:
        return "\n".join(map(_checked_text, files(found)))

    columns = ("severity", "line", "column", "end", "message", "hint")
    return View(
        lines=lambda found: text(found).split("\n"),
        text=text,
        document=lambda found: _document("check", [(one.file, one.found) for one in files(found)]),
        table=DocumentTable(("", "problems"), columns, ("file",)),
        page=lambda found: Markup('<pre style="font-family: monospace">{}</pre>').format(text(found)),
    )


def _checked_text(found: "results.CheckedSpecification") -> str:
    from arcproof.commands.check_command import errors_of, summary, warnings_of

    if found.system is None:
        return "\n".join(errors_of(found))
    warnings = [warnings_of(found)] if found.problems else []
    return "\n".join([*summary(found.file, found.system.figure), *warnings])


@cache
def _checked_specification() -> View:
    return _checked_files(lambda found: [found])


@cache
def _checked() -> View:
    return _checked_files(lambda found: found.files)


@cache
def _derivation() -> View:
    def lines(found: "Derivation") -> list[str]:
        return [f"Derivation of {found.graph} in {counted(len(found), 'transition')}: {_run(found.transitions)}"]

    return View(lines, pictures=lambda found: [(str(found.graph), found.graph, None)])


@cache
def _graph() -> View:
    return View(lambda graph: [str(graph)], pictures=lambda graph: [(str(graph), graph, None)])


@cache
def _trace() -> View:
    def lines(found: "results.Trace") -> list[str]:
        by = "a shortest run" if found.oracle is None else f"oracle {found.oracle}"
        length = counted(len(found.derivation), "transition")
        said = f"{found.system.name}, {by}: {found.derivation.graph} in {length}"
        return [said, _run(found.derivation.transitions)]

    def text(found: "results.Trace") -> str:
        from arcproof.commands.trace_command import text_of

        return text_of(found)

    def document(found: "results.Trace") -> Any:
        return _document("trace", found.system, found.oracle or "", found.derivation, found.forms)

    def written(found: "results.Trace") -> str:
        from arcproof.documents.trace import text

        return text(document(found))

    def typeset(found: "results.Trace") -> str:
        from arcproof.reports.derivation_table import to_latex

        return to_latex(found.system, found.oracle, found.derivation, found.forms, fragment=True)

    return View(
        lines,
        text,
        document,
        written,
        DocumentTable(("steps",), ("transition", "label", "configuration", "arcs_added"), spread="configuration"),
        lambda found: [(str(found.derivation.graph), found.derivation.graph, found.forms)],
        typeset,
    )


@cache
def _exploration() -> View:
    def text(found: "results.ExploredSystem") -> str:
        from arcproof.commands.explore_command import lines_of

        return "\n".join(lines_of(found))

    def lines(found: "results.ExploredSystem") -> Iterator[str]:
        yield f"{found.system.name}, 1 to {counted(len(found.levels), 'word')}"
        if found.levels and (last := found.levels[-1].counted) is not None:
            yield f"{last.configurations} configurations, {last.outputs} outputs with {found.levels[-1].words} words"
        if found.exit_code:
            yield f"not complete up to {found.words} words"

    columns = ("words", "configurations", "transitions", "outputs", "trees", "shortest", "longest", "dead_ends")
    spread = ("derivations.least", "derivations.mean", "derivations.most")
    return View(
        lines,
        text,
        lambda found: _document("explore", found.system, found.engine, found.levels),
        table=DocumentTable(("levels",), (*columns, "complete", *spread)),
    )


# --- claims ----------------------------------------------------------------------------------------------------------


def _verdict_lines(report: "SystemReport") -> Iterator[str]:
    from arcproof.properties.verdict import Verdict

    met, refuted, left = (sum(f.met is is_met for f in report.claims) for is_met in (True, False, None))
    counts = f"{counted(len(report.claims), 'claim')}, {met} met, {refuted} refuted, {left} open"
    yield f"{report.system.name}: {report.summary(Verdict.SAMPLED)} ({counts})"
    for finding in report.claims:
        if finding.met is False:
            yield f"  ✗ {_finding_text(finding)}"


def _finding_text(finding: "Finding") -> str:
    from arcproof.reports.sentences import reason_text, short_text, verdict_text

    why = reason_text(finding) if finding.counterexample is not None else short_text(finding)
    return f"{finding.title}: {verdict_text(finding)}; {why}"


def _counterexamples(findings: "Iterable[Finding]") -> Iterator[Picture]:
    for finding in findings:
        found = finding.counterexample
        if finding.met is False and found is not None and found.graph is not None:
            yield f"{finding.system.name}: {finding.title}: {found.graph}", found.graph, None


@cache
def _finding() -> View:
    return View(
        lambda finding: [f"{finding.system.name}: {_finding_text(finding)}"],
        pictures=lambda finding: _counterexamples([finding]),
    )


@cache
def _system_report() -> View:
    return View(
        _verdict_lines, lambda report: _printed([report]), pictures=lambda report: _counterexamples(report.claims)
    )


def _printed(reports: "Iterable[SystemReport]") -> str:
    """As on a terminal of unlimited width, without colours."""
    from io import StringIO

    from rich.console import Console

    from arcproof.reports.findings import print_report

    out = StringIO()
    console = Console(file=out, width=1000, no_color=True)
    for report in reports:
        print_report(report, console)
    return out.getvalue()


@cache
def _report() -> View:
    def lines(report: "Report") -> Iterator[str]:
        for system in report.systems:
            yield from _verdict_lines(system)

    columns = ("text", "verdict", "met", "words", "engine", "seconds", "counterexample.heads", "detail")
    return View(
        lines,
        lambda report: _printed(report.systems),
        lambda report: _document("verify", report),
        table=DocumentTable(("systems", "claims"), columns, ("system",)),
        pictures=lambda report: _counterexamples(f for system in report.systems for f in system.claims),
    )


def _proof_lines(report: "ProofReport") -> Iterator[str]:
    from arcproof.properties.verdict import Verdict

    proved = sum(theorem.verdict is Verdict.PROVED for theorem in report.theorems)
    yield f"{report.system.name}: {proved} of {counted(len(report.theorems), 'theorem')} proved, {report.seconds:.1f} s"
    for theorem in report.theorems:
        if theorem.verdict is not Verdict.PROVED:
            yield f"  {_theorem_text(theorem)}"


def _theorem_text(theorem: "Theorem") -> str:
    from arcproof.reports.proofs import theorem_text

    return f"{theorem.claim}: {theorem.verdict.value}: {theorem_text(theorem)}"


@cache
def _theorem() -> View:
    return View(lambda theorem: [_theorem_text(theorem)])


def _proofs_of(reports: "Callable[[Any], Sequence[ProofReport]]") -> View:
    def lines(found: Any) -> Iterator[str]:
        for report in reports(found):
            yield from _proof_lines(report)
        if (ended_by := getattr(found, "ended_by", None)) is not None:
            yield ended_by

    def text(found: Any) -> str:
        from arcproof.reports.proofs import text_of

        return "\n".join(text_of(report) for report in reports(found))

    columns = ("claim", "verdict", "solvers", "seconds", "kept", "detail")
    table = DocumentTable(("systems", "theorems"), columns, ("system",))
    return View(lines, text, lambda found: _document("prove", reports(found)), table=table)


@cache
def _proof_report() -> View:
    return _proofs_of(lambda report: [report])


@cache
def _proofs() -> View:
    return _proofs_of(lambda found: found.reports)


@cache
def _checked_proofs() -> View:
    def lines(found: "results.CheckedProofs") -> Iterator[str]:
        yield f"{len(found.files) - len(found.refused)} of {counted(len(found.files), 'proof')} accepted"
        for file in found.refused:
            yield f"{file.proof}: refused: {file.refused}"

    return View(
        lines,
        document=lambda found: _document("check_proof", found.files, found.theorems, found.ended_by),
        table=DocumentTable(("proofs",), ("obligation", "proof", "accepted", "reason", "steps")),
    )


def _mutations_of(reports: "Callable[[Any], Sequence[MutationReport]]") -> View:
    def lines(found: Any) -> Iterator[str]:
        from arcproof.reports.mutation import score_text

        for report in reports(found):
            yield f"{report.system.name}: {score_text(report)}"
        if found.ended_by is not None:
            yield found.ended_by

    columns = ("number", "bucket", "operator", "where", "change", "claim", "words", "reason")
    table = DocumentTable(("systems", "mutants"), columns, ("system",))
    return View(lines, document=lambda found: _document("mutate", reports(found)), table=table)


@cache
def _mutation_report() -> View:
    return _mutations_of(lambda report: [report])


@cache
def _mutations() -> View:
    return _mutations_of(lambda found: found.reports)


@cache
def _why() -> View:
    def lines(found: "Why") -> Iterator[str]:
        yield f"{found.transition} of {found.system.name}, up to {counted(found.words, 'word')}"
        for reason in found.reasons:
            yield f"  {reason.need.status}: {_document_text(reason)}"

    def _document_text(reason: Any) -> str:
        from arcproof.reports.sentences import need_text

        return str(need_text(reason.need))

    def pictures(found: "Why") -> Iterator[Picture]:
        for reason in found.reasons:
            if reason.run is not None:
                yield _document_text(reason), reason.run.graph, None

    return View(
        lines,
        _text("why"),
        lambda found: _document("why", found),
        table=DocumentTable(("preconditions",), ("precondition", "status", "breaks", "words", "counterexample.reason")),
        pictures=pictures,
    )


@cache
def _repairs() -> View:
    def lines(found: "Repairs") -> Iterator[str]:
        from arcproof.reports.repair import change_text

        yield (
            f"{found.system.name}: {counted(len(found.refuted), 'claim')} refuted, "
            f"{counted(len(found.suggestions), 'repair')} found"
        )
        for suggestion in found.suggestions:
            yield f"  {change_text(suggestion)}"

    return View(
        lines,
        _text("repair"),
        lambda found: _document("repair", found),
        table=DocumentTable(("suggestions",), ("edits", "changes", "words", "graphs", "left_open")),
    )


@cache
def _reached() -> View:
    def lines(found: "Reached") -> Iterator[str]:
        from arcproof.reports.reach import sentence

        yield sentence(found)
        if found.run is not None:
            yield _run(found.run.transitions)

    def pictures(found: "Reached") -> Iterator[Picture]:
        if found.run is not None:
            yield str(found.run.graph), found.run.graph, None

    return View(lines, _text("reach"), lambda found: _document("reach", found), pictures=pictures)


@cache
def _cost_study() -> View:
    def lines(found: "CostStudy") -> Iterator[str]:
        yield f"{found.system.name}: costs up to {counted(found.words, 'word')}"
        for finding in found.findings:
            yield f"  {_finding_text(finding)}"
        if found.derived is not None:
            from arcproof.reports.costs import evidence

            yield f"  derived: {evidence(found.derived)}"

    return View(
        lines,
        _text("costs"),
        lambda found: _document("oracle", found),
        table=DocumentTable(("verdicts",), ("claim", "met", "verdict", "detail")),
    )


@cache
def _situated() -> View:
    def lines(found: "Situated") -> Iterator[str]:
        from arcproof.reports.situation import loss_text

        yield f"{found.system.name}, gold {found.gold}, {found.configuration}"
        yield loss_text(found)

    return View(
        lines,
        _text("situation"),
        lambda found: _document("situation", found),
        table=DocumentTable(("options",), ("transition", "label", "cost", "loss.exact", "said")),
        pictures=lambda found: [(f"gold: {found.gold}", found.gold, None)],
    )


@cache
def _conformance() -> View:
    def lines(found: "Conformance") -> Iterator[str]:
        from arcproof.reports.conformance import title_of, verdict

        yield verdict(found)
        for one in found.found:
            yield f"  {title_of(one)}"

    return View(
        lines,
        _text("conformance"),
        lambda found: _document("conform", found),
        table=DocumentTable(("divergences",), ("kind", "detail", "words", "run", "text", "follows", "drawn", "replay")),
    )


@cache
def _log_check() -> View:
    def lines(found: "LogCheck") -> Iterator[str]:
        yield (
            f"{found.file} against {found.system.name}: {counted(found.sentences, 'sentence')}, "
            f"{counted(sum(found.counts.values()), 'fault')}"
        )

    return View(
        lines,
        _text("logs"),
        lambda found: _document("conform_log", found),
        table=DocumentTable(("faults",), ("kind", "line", "words", "position", "written", "permitted", "text")),
    )


@cache
def _graded() -> View:
    def lines(found: "results.GradedSubmissions") -> Iterator[str]:
        from arcproof.reports.grades import points_text, short_text, summary

        yield summary(found.course, found.grades)
        for one in found.grades:
            if one.outcome != "conforms":
                yield f"  {one.submission.given}: {points_text(found.course, one)}, {one.outcome}: {short_text(one)}"

    def text(found: "results.GradedSubmissions") -> str:
        from arcproof.reports.grades import table_text

        return table_text(found.course, found.grades)

    return View(
        lines,
        text,
        lambda found: _document("grade", found.course.system, found.course.rule, found.grades),
        table=DocumentTable(("submissions",), ("submission", "points", "outcome", "reason", "seconds", "report")),
    )


@cache
def _comparison() -> View:
    def said(found: "results.ComparedSystems") -> list[str]:
        from arcproof.commands.compare_command import lines_of

        return lines_of(found)

    def pictures(found: "results.ComparedSystems") -> Iterator[Picture]:
        one, other = (level.system.name for level in found.levels)
        for name, witness in ((one, found.result.only_first), (other, found.result.only_second)):
            if witness is not None:
                yield f"only {name}: {witness.graph}", witness.graph, None

    return View(
        said, lambda found: "\n".join(said(found)), lambda found: _document("compare", found.result, *found.levels),
        pictures=pictures,
    )  # fmt: skip


@cache
def _coverage() -> View:
    def lines(found: "results.TreebankCoverage") -> Iterator[str]:
        for path, spread, covered in found.trees:
            yield from _covered_lines(path, spread, covered)
        for path, _, graphs, covered in found.graphs:
            yield from _covered_lines(path, graphs, covered)

    columns = ("system", "sentences", "arcs", "first_missed.sentence", "first_missed.line")
    return View(
        lines,
        document=lambda found: _document("coverage", found.trees, found.graphs),
        table=_EitherTable(("treebanks", "systems"), columns, ("treebank",)),
    )


def _covered_lines(path: str, spread: "Spread | GraphSpread", covered: "Iterable[Covered]") -> Iterator[str]:
    yield f"{path}: {counted(spread.sentences, 'sentence')}, {counted(spread.arcs, 'arc')}"
    for one in covered:
        sentences, arcs = _percent(one.sentences, spread.sentences), _percent(one.arcs, spread.arcs)
        yield f"  {one.system}: {sentences} of the sentences, {arcs} of the arcs"


class _EitherTable(DocumentTable):
    """The rows of trees, then those of graphs."""

    def rows(self, document: Any) -> list[Row]:
        """Both parts have the same columns."""
        of_graphs = DocumentTable(("graphs", *self.path[1:]), self.columns, self.repeated)
        return [*super().rows(document), *of_graphs.rows(document)]


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.2f} %" if total else "none"


# --- parsers ---------------------------------------------------------------------------------------------------------


@cache
def _training() -> View:
    def lines(found: "results.TrainedParser") -> Iterator[str]:
        parser = found.parser
        known = parser.trained_on
        transitions = "" if known is None else f"{counted(len(known.rows), 'transition')} of "
        yield (
            f"{parser.trained_system.name}: {transitions}{counted(found.sentences, 'sentence')}, "
            f"{parser.learner}, {found.seconds:.1f} s"
        )
        if found.output is not None:
            yield f"{found.output} written"

    return View(
        lines,
        document=lambda found: _document(
            "train", found.parser, found.treebanks, found.sentences, found.seconds, found.output or ""
        ),
    )


@cache
def _parsed() -> View:
    def lines(found: "results.ParsedTreebank") -> Iterator[str]:
        counts = found.parser.counts
        yield (
            f"{found.treebank}: {counted(counts.sentences, 'sentence')}, {counted(counts.words, 'word')}, "
            f"{found.seconds:.2f} s"
        )
        if found.wrong is not None:
            yield f"checked with the interpreter: {counted(len(found.wrong), 'contradiction')}"

    return View(
        lines, document=lambda found: _document("parse", found.parser, found.treebank, found.seconds, found.wrong)
    )


@cache
def _evaluation() -> View:
    def document(found: "results.Evaluation") -> object:
        from arcproof.commands.evaluate_command import document_of

        return document_of(found)

    def lines(found: "results.Evaluation") -> Iterator[str]:
        for file, scores in found.results:
            yield f"{file}: LAS {100 * scores.las:.2f}, UAS {100 * scores.uas:.2f}, LA {100 * scores.la:.2f}"

    columns = ("file", "words", "sentences", "las", "uas", "la", "exact_match", "upos", "xpos")
    return View(lines, document=document, table=DocumentTable(("parsed",), columns))


@cache
def _graph_evaluation() -> View:
    def document(found: "results.GraphEvaluation") -> object:
        from arcproof.commands.graph_evaluation import document_of

        return document_of(found)

    def lines(found: "results.GraphEvaluation") -> Iterator[str]:
        for file, scores in found.results:
            labelled, unlabelled = (
                "-" if f is None else f"{100 * f:.2f}" for f in (scores.labelled.f, scores.unlabelled.f)
            )
            yield f"{file}: LF {labelled}, UF {unlabelled}"

    columns = ("file", "sentences", "labelled.f", "unlabelled.f", "exact_match")
    return View(lines, document=document, table=DocumentTable(("parsed",), columns))


@cache
def _experiment_results() -> View:
    def text(found: "results.ExperimentResults") -> str:
        from arcproof.reports.experiment import scores
        from arcproof.transitions.printing.source import aligned

        return "\n".join(aligned(scores(found.table), ""))

    def lines(found: "results.ExperimentResults") -> Iterator[str]:
        for cell in found.table.cells.values():
            yield f"{cell['variant']} on {cell['treebank']}: LAS {100 * cell['las']:.2f}, UAS {100 * cell['uas']:.2f}"
        if found.ended_by is not None:
            yield found.ended_by

    columns = (
        "variant",
        "treebank",
        "sentences",
        "words",
        "las",
        "uas",
        "la",
        "exact",
        "wrong",
        "p_against_first.words",
    )
    return View(
        lines, text, lambda found: _document("experiment", found.table), table=DocumentTable(("cells",), columns)
    )


@cache
def _features() -> View:
    def document(found: "results.Features") -> object:
        from arcproof.commands.features_command import document_of

        return document_of(found)

    def text(found: "results.Features") -> str:
        from arcproof.commands.features_command import lines_of

        return "\n".join(lines_of(found))

    def lines(found: "results.Features") -> Iterator[str]:
        for model in found.models:
            yield f"{model.name}: {counted(len(model.features), 'feature')}"
        if found.steps is not None:
            yield f"what fires in sentence {found.sentence}: {counted(len(found.steps), 'transition')}"

    return View(lines, text, document)


VIEWS: Final[dict[str, Callable[[], View]]] = {
    "CheckedProofs": _checked_proofs,
    "CheckedSpecification": _checked_specification,
    "CheckedSpecifications": _checked,
    "ComparedSystems": _comparison,
    "Conformance": _conformance,
    "CostStudy": _cost_study,
    "TreebankCoverage": _coverage,
    "Derivation": _derivation,
    "Evaluation": _evaluation,
    "ExperimentResults": _experiment_results,
    "ExploredSystem": _exploration,
    "Features": _features,
    "Finding": _finding,
    "Graph": _graph,
    "GradedSubmissions": _graded,
    "GraphEvaluation": _graph_evaluation,
    "Listing": _listing,
    "LogCheck": _log_check,
    "MutationReport": _mutation_report,
    "Mutations": _mutations,
    "ParsedTreebank": _parsed,
    "ProofReport": _proof_report,
    "ProvedSystems": _proofs,
    "Reached": _reached,
    "Repairs": _repairs,
    "Report": _report,
    "Situated": _situated,
    "System": _system,
    "SystemReport": _system_report,
    "Theorem": _theorem,
    "Trace": _trace,
    "TrainedParser": _training,
    "Why": _why,
}
"""The views by the names of the types."""
