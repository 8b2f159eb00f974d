"""`arcproof coverage --json`."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from arcproof.documents.shared import Natural
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.generators.treebank import Tally
    from arcproof.properties.studies import coverage


@dataclass(frozen=True)
class PlaceJson:
    """The place of a sentence in its file."""

    sentence: Natural
    line: Natural


@dataclass(frozen=True)
class DerivedJson:
    """How much of a treebank one system derives."""

    system: str
    sentences: Natural
    arcs: Natural
    first_missed: PlaceJson | None
    """The first sentence that it does not derive."""


@dataclass(frozen=True)
class TreebankJson:
    """The trees of a treebank by class and degree, and how many of them each system derives."""

    treebank: str
    sentences: Natural
    arcs: Natural
    nonprojective_sentences: Natural
    nonprojective_arcs: Natural
    edge_degree_2007: Mapping[str, Natural]
    """How many sentences have each edge degree."""
    gap_degree: Mapping[str, Natural]
    """How many sentences have each gap degree."""
    classes: Mapping[str, Natural]
    """How many sentences are in each class."""
    systems: tuple[DerivedJson, ...]


@dataclass(frozen=True)
class GraphsJson:
    """The graphs of a treebank, in which a word may have several heads, and how many of them each system derives."""

    treebank: str
    sentences: Natural
    """How many sentences have a graph."""
    with_null_nodes: Natural
    """How many further sentences were left out because they have null nodes."""
    arcs: Natural
    words: Natural
    words_with_several_heads: Natural
    greatest_number_of_heads: Mapping[str, Natural]
    """How many sentences have each maximum number of heads per word."""
    classes: Mapping[str, Natural]
    """How many sentences are in each class."""
    systems: tuple[DerivedJson, ...]


@dataclass(frozen=True)
class CoverageJson:
    """How much of each treebank the systems derive."""

    treebanks: tuple[TreebankJson, ...]
    graphs: tuple[GraphsJson, ...] | None = None
    """The graphs of treebanks, for systems in which a word may have several heads; left out if there are no such
    systems.
    """


DOCUMENT: TypeAlias = CoverageJson


def document(
    trees: "Iterable[tuple[str, coverage.Spread, list[coverage.Covered]]]",
    graphs: "Iterable[tuple[str, Tally, coverage.GraphSpread, list[coverage.Covered]]]" = (),
) -> CoverageJson:
    """Return the document for the treebanks that are done."""
    of_graphs = tuple(_graphs(*result) for result in graphs)
    return CoverageJson(tuple(_treebank(*result) for result in trees), of_graphs or None)


def _graphs(path: str, tally: "Tally", spread: "coverage.GraphSpread", covered: "list[coverage.Covered]") -> GraphsJson:
    return GraphsJson(
        treebank=path,
        sentences=spread.sentences,
        with_null_nodes=tally.with_null_nodes,
        arcs=spread.arcs,
        words=spread.words,
        words_with_several_heads=spread.words_with_several,
        greatest_number_of_heads=_by_degree(spread.heads),
        classes={name: spread.classes[name] for name in spread.names},
        systems=tuple(map(_derived, covered)),
    )


def _treebank(path: str, spread: "coverage.Spread", covered: "list[coverage.Covered]") -> TreebankJson:
    return TreebankJson(
        treebank=path,
        sentences=spread.sentences,
        arcs=spread.arcs,
        nonprojective_sentences=spread.nonprojective_sentences,
        nonprojective_arcs=spread.nonprojective_arcs,
        edge_degree_2007=_by_degree(spread.edge_degrees),
        gap_degree=_by_degree(spread.gap_degrees),
        classes=spread.classes,
        systems=tuple(map(_derived, covered)),
    )


def _by_degree(degrees: Mapping[int, int]) -> dict[str, int]:
    return {str(degree): count for degree, count in sorted(degrees.items())}


def _derived(covered: "coverage.Covered") -> DerivedJson:
    missed = covered.first_missed
    place = None if missed is None else PlaceJson(missed.number, missed.first_line)
    return DerivedJson(covered.system, covered.sentences, covered.arcs, place)
