"""`arcproof train --json`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Natural, Positive, Share
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.classifiers.parser import Parser


@dataclass(frozen=True)
class ExploredJson:
    """How a parser made its own choices during training."""

    probability: Share
    rounds: Natural
    transitions: Natural
    """How many transitions were taken in these rounds."""
    astray: Natural
    """How many of these transitions were not free."""
    nothing_free: Natural
    """In how many configurations no transition was free, so that the cheapest was learned."""
    interpreted: str | None
    """Why the interpreter had to compute costs; null if native code did."""


@dataclass(frozen=True)
class TrainingJson:
    """What a parser was trained on."""

    arcproof: str
    system: str
    spec_sha256: str
    treebanks: tuple[str, ...]
    features: str
    """The name of the feature model."""
    learner: Literal["fast", "svc"]
    sentences: Natural
    """How many sentences were read."""
    derived: Natural
    """How many sentences the parser learned from."""
    lifted: Natural
    """How many trees were lifted because the oracle does not derive them, or how many graphs lost arcs."""
    left_out: tuple[Positive, ...]
    """The numbers of the sentences whose trees are not derivable."""
    stages: Natural
    """How often it was trained again on its own parses."""
    transitions: Natural
    """How many transitions it learned from."""
    classes: tuple[str, ...]
    """The transitions that it can predict."""
    oracle_slope: tuple[float, float]
    """The slope a of m = a n for the oracle's transitions m and the words n, and R²."""
    model: str
    seconds: float
    explored: ExploredJson | None = None
    """How the parser explored; left out if it did not."""
    several_heads: bool | None = None
    """True if words may have several heads, so that graphs were learned instead of trees."""
    dropped_arcs: Natural | None = None
    """How many arcs the graphs lost because the oracle cannot build them; only for graphs."""
    tags: str | None = None
    """The column of the tags that the figure assigns; left out if it assigns none."""


DOCUMENT: TypeAlias = TrainingJson


def document(parser: "Parser", treebanks: Sequence[str], sentences: int, seconds: float, output: str) -> TrainingJson:
    """Return the document about what the parser found in the treebanks."""
    from arcproof.classifiers.scores import through_origin

    found = parser.trained_on
    assert found is not None
    return TrainingJson(
        arcproof=__version__,
        system=parser.trained_system.name,
        spec_sha256=parser.trained_system.sha256,
        treebanks=tuple(treebanks),
        features=parser.feature_model.name,
        learner=parser.learner,
        sentences=sentences,
        derived=len(found.lengths),
        lifted=found.lifted,
        left_out=tuple(found.left_out),
        stages=found.stages,
        transitions=len(found.rows),
        classes=tuple(map(str, found.classes)),
        oracle_slope=through_origin(found.lengths),
        model=output,
        seconds=seconds,
        explored=None if found.explored is None else ExploredJson(**asdict(found.explored)),
        several_heads=parser.reads_graphs or None,
        dropped_arcs=found.dropped if parser.reads_graphs else None,
        tags=parser.tags if parser.trained_system.figure.assigns_tags else None,
    )
