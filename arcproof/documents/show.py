"""`arcproof show --json`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.transitions import syntax as s


@dataclass(frozen=True)
class ComponentJson:
    """A component of a configuration."""

    kind: str
    """What it is: a stack, a buffer, a list, a flag, a counter or a set."""
    name: str
    ascii: str
    """The name without Greek letters."""
    head: Literal["left", "right"] | None
    """The end at which its head is; null if it is not a sequence."""


@dataclass(frozen=True)
class OracleInvariantJson:
    """What holds in the runs of an oracle."""

    oracle: str
    condition: str


@dataclass(frozen=True)
class TransitionJson:
    """A transition: the configuration before and after it, component by component, and what it adds."""

    name: str
    label: str | None
    """The variable that stands for its label."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    arcs: str
    """The set of arcs after the transition."""
    tags: tuple[str, ...]
    preconditions: tuple[str, ...]


@dataclass(frozen=True)
class OracleLineJson:
    """A line of an oracle: in this configuration, under these conditions, this transition."""

    transition: str
    label: str | None
    pattern: str | None
    """The configuration that the line matches; null if it matches every one."""
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class StaticOracleJson:
    """An oracle: its first line that matches decides."""

    name: str
    lines: tuple[OracleLineJson, ...]


@dataclass(frozen=True)
class CostLineJson:
    """What a transition costs in a configuration."""

    transition: str
    label: str | None
    pattern: str | None
    """The configuration that the line matches; null if it matches every one."""
    cost: str


@dataclass(frozen=True)
class DynamicOracleJson:
    """A dynamic oracle given by the costs of the transitions."""

    name: str
    lines: tuple[CostLineJson, ...]


@dataclass(frozen=True)
class GivenLossJson:
    """A dynamic oracle given by the loss of a configuration."""

    name: str
    loss: str


@dataclass(frozen=True)
class FigureJson:
    """A figure, every part in the notation of the language."""

    name: str
    cite: str
    notes: tuple[str, ...]
    parameters: Mapping[str, str]
    shared: bool
    """Whether a node may be in several components at once."""
    several_heads: bool
    """Whether a word may have several heads."""
    rootless: bool
    """Whether node 0 has no part in runs, so that words without a head count as its dependents."""
    state: tuple[ComponentJson, ...]
    start: tuple[str, ...]
    final: tuple[str, ...]
    invariants: tuple[str, ...]
    oracle_invariants: tuple[OracleInvariantJson, ...]
    measures: Mapping[str, str]
    lemmas: tuple[str, ...]
    transitions: tuple[TransitionJson, ...]
    default: str | None
    """The transition that a parser takes if the predicted one is not permissible."""
    oracles: tuple[StaticOracleJson, ...]
    dynamic_oracles: tuple[DynamicOracleJson, ...]
    losses: tuple[GivenLossJson, ...]
    claims: tuple[str, ...]
    source: str
    """The specification."""


DOCUMENT: TypeAlias = FigureJson


def document(figure: "s.Figure") -> dict[str, object]:
    """Return the document for a figure, with the entries of `FigureJson`."""
    from arcproof.transitions.printing.figure import to_json

    return to_json(figure)
