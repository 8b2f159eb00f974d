"""`arcproof evaluate --json`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

from arcproof.documents.shared import Natural, Share
from arcproof.documents.wire import Limits
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.classifiers import scores


@dataclass(frozen=True)
class FoundJson:
    """One kind of arc: how many there are, and how many of them are right."""

    gold: Natural
    predicted: Natural
    right: Natural
    """How many of the predicted arcs are right."""
    found: Natural
    """How many of the gold arcs were found."""
    precision: Share | None
    """The precision; null if nothing was predicted."""
    recall: Share | None
    """The recall; null if there is nothing to find."""


@dataclass(frozen=True)
class DifferenceJson:
    """p-values of the difference from the first file, with Holm's correction."""

    words: Share
    """McNemar on words."""
    sentences: Share
    """McNemar on whole sentences."""
    randomisation: Share
    """Randomisation by sentences."""


@dataclass(frozen=True)
class ParsedJson:
    """The scores of one file."""

    file: str
    words: Natural
    sentences: Natural
    las: Share
    uas: Share
    la: Share
    las_interval: tuple[float, float]
    """The 95 % interval of LAS."""
    exact_match: Share
    """The share of sentences that are right, labels included."""
    nonprojective: FoundJson
    roots: FoundJson
    labels: Mapping[str, FoundJson]
    lengths: Mapping[str, FoundJson]
    """The scores by the length of the arc."""
    p_against_first: DifferenceJson | None
    """McNemar with Holm's correction, and randomisation by sentences; null for the first file."""
    upos: Share | None = None
    """The share of words with the right UPOS, punctuation included; left out if the gold treebank has none."""
    xpos: Share | None = None
    """The share of words with the right XPOS, punctuation included; left out if the gold treebank has none."""


@dataclass(frozen=True)
class EvaluationJson:
    """The scores of parsed files against a gold treebank."""

    gold: str
    punctuation: bool
    """Whether punctuation counts."""
    parsed: Annotated[tuple[ParsedJson, ...], Limits(least_items=1)]


DOCUMENT: TypeAlias = EvaluationJson
Tagging: TypeAlias = tuple[float | None, float | None]
"""The tagging accuracy for UPOS and for XPOS."""


def document(
    gold: str,
    punctuation: bool,
    results: "Iterable[tuple[str, scores.Scores, DifferenceJson | None]]",
    tagging: "Sequence[Tagging]",
) -> EvaluationJson:
    """Return the document for all files."""
    return EvaluationJson(
        gold, punctuation, tuple(_parsed(*result, tags) for result, tags in zip(results, tagging, strict=True))
    )


def _parsed(path: str, scored: "scores.Scores", difference: DifferenceJson | None, tagging: Tagging) -> ParsedJson:
    from arcproof.classifiers.scores import interval

    return ParsedJson(
        file=path,
        words=scored.words,
        sentences=scored.sentences,
        las=scored.las,
        uas=scored.uas,
        la=scored.la,
        las_interval=interval(scored.by_sentence),
        exact_match=scored.exact,
        nonprojective=_found(scored.nonprojective),
        roots=_found(scored.roots),
        labels={name: _found(found) for name, found in sorted(scored.by_label.items())},
        lengths={name: _found(found) for name, found in scored.by_length.items()},
        p_against_first=difference,
        upos=tagging[0],
        xpos=tagging[1],
    )


def _found(found: "scores.Retrieval") -> FoundJson:
    return FoundJson(found.gold, found.predicted, found.right, found.found, found.precision, found.recall)
