"""`arcproof experiment --json`, and `table.json` of an experiment."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Natural, Share
from arcproof.documents.wire import Part
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.classifiers.experiment import ResultTable

Found: TypeAlias = Annotated[
    tuple[Share | None, Share | None, Natural],
    Part(
        "Found",
        "Precision (null if nothing was predicted), recall (null if there is nothing to find), the number of gold arcs.",
    ),
]
Slope: TypeAlias = Annotated[tuple[float, float], Part("Slope", "The slope a of m = a n, and R².")]


@dataclass(frozen=True)
class VariantDifferenceJson:
    """p-values of the difference from the first variant: McNemar, with Holm's correction over the table."""

    words: Share
    sentences: Share


@dataclass(frozen=True, kw_only=True)
class CellJson:
    """One variant on one treebank."""

    variant: str
    treebank: str
    sentences: Natural
    """How many sentences the parser was trained on, including those left out."""
    words: Natural
    """How many words of the test file are scored."""
    las: Share
    uas: Share
    la: Share
    exact: Share
    """The share of sentences that are right, labels included."""
    interval: tuple[float, float]
    """The 95 % interval of LAS."""
    nonprojective: Found
    roots: Found
    lengths: Mapping[str, Found]
    """The scores by the length of the arc."""
    share_nonprojective: Share
    """The share of non-projective arcs in the test file."""
    lifted: Natural
    left_out: Natural
    classes: Natural
    stages: Natural | None = None
    learning_seconds: float
    parsing_seconds: float
    parsed_words: Natural
    checked: Natural
    """How many runs the interpreter replayed."""
    wrong: Natural
    """How many contradictions the interpreter found."""
    problems: tuple[str, ...]
    """The first contradictions."""
    not_ended: Natural
    not_permissible: Natural
    default_refused: Natural
    oracle_slope: Slope
    classifier_slope: Slope
    p_against_first: VariantDifferenceJson | None
    """The differences from the first variant; null for the first variant itself."""


@dataclass(frozen=True)
class GainJson:
    """The mean LAS of a variant against that of the first, over all treebanks."""

    las: float
    p: Share
    """Randomisation by sentences."""
    times: float
    """How many times longer learning takes."""


@dataclass(frozen=True)
class ExperimentJson:
    """An experiment: variants of parsers by treebanks."""

    arcproof: str
    variants: tuple[str, ...]
    treebanks: tuple[str, ...]
    cells: tuple[CellJson, ...]
    correlation: Mapping[str, float | None]
    """Pearson's r of the gain over the first variant and the share of non-projective arcs."""
    gains: Mapping[str, GainJson | None] | None = None
    """The gain of each variant; null while a treebank is missing."""


DOCUMENT: TypeAlias = ExperimentJson


def document(table: "ResultTable") -> ExperimentJson:
    """Return the document for the cells, without the details of single words and sentences."""
    return ExperimentJson(
        arcproof=__version__,
        variants=table.variants,
        treebanks=table.treebanks,
        cells=_cells(table),
        correlation={name: table.correlation(name) for name in table.variants[1:]},
        gains={name: _gain(table, name) for name in table.variants[1:]},
    )


def _gain(table: "ResultTable", name: str) -> GainJson | None:
    found = table.gain(name)
    return None if found is None else GainJson(found.las, found.p, found.times)


def _cells(table: "ResultTable") -> tuple[CellJson, ...]:
    from arcproof.classifiers.scores import through_origin

    words, sentences = table.differences(), table.differences("right_sentences")
    known = {one.name for one in fields(CellJson)}
    cells = []
    for cell in table.in_order():
        place = cell["variant"], cell["treebank"]
        cells.append(
            CellJson(
                **{name: value for name, value in cell.items() if name in known},
                oracle_slope=through_origin(cell["oracle_runs"]),
                classifier_slope=through_origin(cell["classifier_runs"]),
                p_against_first=VariantDifferenceJson(words[place], sentences[place]) if place in words else None,
            )
        )
    return tuple(cells)
