"""`arcproof features --json`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from arcproof.documents.shared import Positive
from arcproof.documents.wire import Part
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.classifiers.features.model import FeatureModel


@dataclass(frozen=True)
class FiredJson:
    """A transition of the oracle, and the features that have a value before it."""

    transition: str
    features: Mapping[str, str]


@dataclass(frozen=True)
class ModelJson:
    """A feature model; if a sentence is given, also what fires while the oracle goes through it."""

    name: str
    cite: str
    features: tuple[str, ...]
    system: str | None = None
    sentence: Positive | None = None
    """The number of the sentence in its file."""
    lifted: bool | None = None
    """Whether the tree was lifted because the oracle does not derive it."""
    steps: tuple[FiredJson, ...] | None = None


DOCUMENT: TypeAlias = Annotated[tuple[ModelJson, ...], Part("Models", "Feature models, and what fires.")]


def of_model(model: "FeatureModel") -> ModelJson:
    """A model alone."""
    return ModelJson(model.name, model.cite, tuple(map(str, model.features)))
