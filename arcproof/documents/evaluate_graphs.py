"""`arcproof evaluate --graphs --json`."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from arcproof.documents.shared import Natural, Share
from arcproof.documents.wire import Limits
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.classifiers import graph_scores, scores


@dataclass(frozen=True)
class ArcsJson:
    """One kind of arc: how many there are, and how many of them are right."""

    gold: Natural
    predicted: Natural
    right: Natural
    """How many of the predicted arcs are right, which is also how many gold arcs were found."""
    precision: Share | None
    """The precision; null if nothing was predicted."""
    recall: Share | None
    """The recall; null if there is nothing to find."""
    f: Share | None
    """F; null if there is neither a gold arc nor a predicted one."""


@dataclass(frozen=True)
class GraphDifferenceJson:
    """p-values of the difference from the first file, with Holm's correction."""

    arcs: Share
    """McNemar on gold arcs: found with the right label, or not."""
    sentences: Share
    """McNemar on whole sentences."""
    randomisation: Share
    """Randomisation test on labelled F, with sentences as the unit."""


@dataclass(frozen=True)
class ParsedGraphsJson:
    """The scores of one file."""

    file: str
    sentences: Natural
    labelled: ArcsJson
    unlabelled: ArcsJson
    exact_match: Share
    """The share of sentences that are right, labels included."""
    labels: Mapping[str, ArcsJson]
    """Labelled arcs by label."""
    lengths: Mapping[str, ArcsJson]
    """Unlabelled arcs by length."""
    p_against_first: GraphDifferenceJson | None
    """The differences from the first file; null for the first file itself."""


@dataclass(frozen=True)
class GraphEvaluationJson:
    """The scores of parsed graphs against a gold treebank; every arc counts, even those from 0 and into punctuation."""

    gold: str
    parsed: Annotated[tuple[ParsedGraphsJson, ...], Limits(least_items=1)]


DOCUMENT: TypeAlias = GraphEvaluationJson


def document(
    gold: str, results: "Iterable[tuple[str, graph_scores.GraphScores, GraphDifferenceJson | None]]"
) -> GraphEvaluationJson:
    """Return the document for all files."""
    return GraphEvaluationJson(gold, tuple(_parsed(*result) for result in results))


def _parsed(path: str, scored: "graph_scores.GraphScores", difference: GraphDifferenceJson | None) -> ParsedGraphsJson:
    return ParsedGraphsJson(
        file=path,
        sentences=scored.sentences,
        labelled=_arcs(scored.labelled),
        unlabelled=_arcs(scored.unlabelled),
        exact_match=scored.exact,
        labels={name: _arcs(found) for name, found in sorted(scored.by_label.items())},
        lengths={name: _arcs(found) for name, found in sorted(scored.by_length.items())},
        p_against_first=difference,
    )


def _arcs(found: "scores.Retrieval") -> ArcsJson:
    return ArcsJson(found.gold, found.predicted, found.right, found.precision, found.recall, found.f)
