"""Views of figures, graphs and runs."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from arcproof.interface.views.view import DocumentTable, View, later, picture_of, run_text
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.commands import results
    from arcproof.transitions.configuration import Derivation
    from arcproof.transitions.system import System

_to_text = later("transitions.printing.figure.to_text")
_list = later("documents.list.document")
_show = later("documents.show.document")
_check = later("documents.check.document")
_trace = later("documents.trace.document")
_explore = later("documents.explore.document")


def _lines_of_system(system: "System") -> list[str]:
    figure = system.figure
    oracles = ", ".join([*(o.name for o in figure.oracles), *(o.name for o in figure.dynamic_oracles)]) or "none"
    transitions, claims = counted(len(system.transitions), "transition"), counted(len(figure.claims), "claim")
    return [f"System {system.name}: {transitions}, oracles: {oracles}, {claims}"]


def _page_of_system(system: "System") -> Markup:
    return Markup('<div class="arcproof">{}</div>').format(_typewritten(_to_text(system.figure_with_parameters)))


def _typewritten(text: str) -> Markup:
    return Markup('<pre style="font-family: monospace">{}</pre>').format(text)


# --- problems of specifications --------------------------------------------------------------------------------------


def _checked(files: "Callable[[Any], Sequence[results.CheckedSpecification]]") -> View:
    def text(found: Any) -> str:
        return "\n".join(map(_checked_text, files(found)))

    return View(
        lines=lambda found: text(found).split("\n"),
        text=text,
        document=lambda found: _check([(one.file, one.found) for one in files(found)]),
        table=DocumentTable(
            ("", "problems"), ("severity", "line", "column", "end", "message", "hint"), repeated=("file",)
        ),
        page=lambda found: _typewritten(text(found)),
    )


def _checked_text(found: "results.CheckedSpecification") -> str:
    from arcproof.commands.check_command import errors_of, summary, warnings_of

    if found.system is None:
        return "\n".join(errors_of(found))
    warnings = [warnings_of(found)] if found.problems else []
    return "\n".join([*summary(found.file, found.system.figure), *warnings])


# --- runs ------------------------------------------------------------------------------------------------------------


def _lines_of_derivation(found: "Derivation") -> list[str]:
    return [f"Derivation of {found.graph} in {counted(len(found), 'transition')}: {run_text(found.transitions)}"]


def _lines_of_trace(found: "results.Trace") -> list[str]:
    by = "a shortest run" if found.oracle is None else f"oracle {found.oracle}"
    length = counted(len(found.derivation), "transition")
    return [
        f"{found.system.name}, {by}: {found.derivation.graph} in {length}",
        run_text(found.derivation.transitions),
    ]


def _document_of_trace(found: "results.Trace") -> Any:
    return _trace(found.system, found.oracle or "", found.derivation, found.forms)


def _latex_of_trace(found: "results.Trace") -> str:
    from arcproof.reports.derivation_table import to_latex

    return to_latex(found.system, found.oracle, found.derivation, found.forms, fragment=True)


def _lines_of_exploration(found: "results.ExploredSystem") -> Iterator[str]:
    yield f"{found.system.name}, 1 to {counted(len(found.levels), 'word')}"
    if found.levels and (last := found.levels[-1].counted) is not None:
        with_words = counted(found.levels[-1].words, "word")
        yield f"{last.configurations} configurations, {last.outputs} outputs with {with_words}"
    if found.exit_code:
        yield f"not complete up to {counted(found.words, 'word')}"


VIEWS: Final = {
    "Listing": View(
        lines=lambda found: [f"{len(found.entries)} built-in systems: {', '.join(found.names)}"],
        text=lambda found: "\n".join(f"{entry.name}  {entry.cite}" for entry in found.entries),
        document=lambda found: _list(found.entries),
        table=DocumentTable(("",), ("name", "cite", "claims")),
    ),
    "System": View(
        lines=_lines_of_system,
        text=lambda system: str(_to_text(system.figure_with_parameters)),
        document=lambda system: _show(system.figure_with_parameters),
        typeset=lambda system: str(
            later("transitions.printing.figure.to_latex_fragment")(system.figure_with_parameters)
        ),
        page=_page_of_system,
    ),
    "CheckedSpecification": _checked(lambda found: [found]),
    "CheckedSpecifications": _checked(lambda found: found.files),
    "Derivation": View(lines=_lines_of_derivation, pictures=lambda found: [picture_of(found.graph)]),
    "Graph": View(lines=lambda graph: [str(graph)], pictures=lambda graph: [picture_of(graph)]),
    "Trace": View(
        lines=_lines_of_trace,
        text=later("commands.trace_command.text_of"),
        document=_document_of_trace,
        written=lambda found: str(later("documents.trace.text")(_document_of_trace(found))),
        table=DocumentTable(("steps",), ("transition", "label", "configuration", "arcs_added"), spread="configuration"),
        pictures=lambda found: [picture_of(found.derivation.graph, found.forms)],
        typeset=_latex_of_trace,
    ),
    "ExploredSystem": View(
        lines=_lines_of_exploration,
        text=lambda found: "\n".join(later("commands.explore_command.lines_of")(found)),
        document=lambda found: _explore(found.system, found.engine, found.levels),
        table=DocumentTable(
            ("levels",),
            (
                *("words", "configurations", "transitions", "outputs", "trees", "shortest", "longest", "dead_ends"),
                *("complete", "derivations.least", "derivations.mean", "derivations.most"),
            ),
        ),
    ),
}
