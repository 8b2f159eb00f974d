"""Views of treebanks, trained parsers and experiments."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from arcproof.interface.views.view import DocumentTable, Row, View, later
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.commands import results
    from arcproof.properties.studies.coverage import Covered, GraphSpread, Spread

_cover = later("documents.coverage.document")
_train = later("documents.train.document")
_parse = later("documents.parse.document")
_experiment = later("documents.experiment.document")


# --- coverage --------------------------------------------------------------------------------------------------------


def _lines_of_coverage(found: "results.TreebankCoverage") -> Iterator[str]:
    for path, spread, covered in found.trees:
        yield from _covered_lines(path, spread, covered)
    for path, _, graphs, covered in found.graphs:
        yield from _covered_lines(path, graphs, covered)


def _covered_lines(path: str, spread: "Spread | GraphSpread", covered: "Iterable[Covered]") -> Iterator[str]:
    yield f"{path}: {counted(spread.sentences, 'sentence')}, {counted(spread.arcs, 'arc')}"
    for one in covered:
        sentences, arcs = _percent(one.sentences, spread.sentences), _percent(one.arcs, spread.arcs)
        yield f"  {one.system}: {sentences} of the sentences, {arcs} of the arcs"


class _TreesAndGraphs(DocumentTable):
    """The rows of trees, then those of graphs; both have the same columns."""

    def rows(self, document: Any) -> list[Row]:
        """All rows."""
        of_graphs = DocumentTable(("graphs", *self.path[1:]), self.columns, self.repeated)
        return [*super().rows(document), *of_graphs.rows(document)]


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.2f} %" if total else "none"


# --- parsers ---------------------------------------------------------------------------------------------------------


def _lines_of_training(found: "results.TrainedParser") -> Iterator[str]:
    parser, known = found.parser, found.parser.trained_on
    transitions = "" if known is None else f"{counted(len(known.rows), 'transition')} of "
    sentences = counted(found.sentences, "sentence")
    yield f"{parser.trained_system.name}: {transitions}{sentences}, {parser.learner}, {found.seconds:.1f} s"
    if found.output is not None:
        yield f"{found.output} written"


def _lines_of_parsed(found: "results.ParsedTreebank") -> Iterator[str]:
    counts = found.parser.counts
    sentences, words = counted(counts.sentences, "sentence"), counted(counts.words, "word")
    yield f"{found.treebank}: {sentences}, {words}, {found.seconds:.2f} s"
    if found.wrong is not None:
        yield f"checked with the interpreter: {counted(len(found.wrong), 'contradiction')}"


def _lines_of_evaluation(found: "results.Evaluation") -> Iterator[str]:
    for file, scores in found.results:
        yield f"{file}: LAS {100 * scores.las:.2f}, UAS {100 * scores.uas:.2f}, LA {100 * scores.la:.2f}"


def _lines_of_graph_evaluation(found: "results.GraphEvaluation") -> Iterator[str]:
    for file, scores in found.results:
        labelled, unlabelled = (
            "-" if f is None else f"{100 * f:.2f}" for f in (scores.labelled.f, scores.unlabelled.f)
        )
        yield f"{file}: LF {labelled}, UF {unlabelled}"


def _text_of_experiment(found: "results.ExperimentResults") -> str:
    from arcproof.reports.experiment import scores
    from arcproof.transitions.printing.source import aligned

    return "\n".join(aligned(scores(found.table), ""))


def _lines_of_experiment(found: "results.ExperimentResults") -> Iterator[str]:
    for cell in found.table.cells.values():
        yield f"{cell['variant']} on {cell['treebank']}: LAS {100 * cell['las']:.2f}, UAS {100 * cell['uas']:.2f}"
    if found.ended_by is not None:
        yield found.ended_by


VIEWS: Final = {
    "TreebankCoverage": View(
        lines=_lines_of_coverage,
        document=lambda found: _cover(found.trees, found.graphs),
        table=_TreesAndGraphs(
            ("treebanks", "systems"),
            ("system", "sentences", "arcs", "first_missed.sentence", "first_missed.line"),
            repeated=("treebank",),
        ),
    ),
    "TrainedParser": View(
        lines=_lines_of_training,
        document=lambda found: _train(
            found.parser, found.treebanks, found.sentences, found.seconds, found.output or ""
        ),
    ),
    "ParsedTreebank": View(
        lines=_lines_of_parsed,
        document=lambda found: _parse(found.parser, found.treebank, found.seconds, found.wrong),
    ),
    "Evaluation": View(
        lines=_lines_of_evaluation,
        document=later("commands.evaluate_command.document_of"),
        table=DocumentTable(
            ("parsed",), ("file", "words", "sentences", "las", "uas", "la", "exact_match", "upos", "xpos")
        ),
    ),
    "GraphEvaluation": View(
        lines=_lines_of_graph_evaluation,
        document=later("commands.graph_evaluation.document_of"),
        table=DocumentTable(("parsed",), ("file", "sentences", "labelled.f", "unlabelled.f", "exact_match")),
    ),
    "ExperimentResults": View(
        lines=_lines_of_experiment,
        text=_text_of_experiment,
        document=lambda found: _experiment(found.table),
        table=DocumentTable(
            ("cells",),
            (
                *("variant", "treebank", "sentences", "words", "las", "uas", "la", "exact", "wrong"),
                "p_against_first.words",
            ),
        ),
    ),
}
