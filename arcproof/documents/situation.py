"""`arcproof oracle --heads … --json`."""

from typing import TYPE_CHECKING, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Arcs, Heads, Natural, Run, Sha256, run_of
from arcproof.documents.trace import Configuration, StepJson, step_json
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.engines.nearest_output import NearestOutput
    from arcproof.properties.studies.situation import FreeRun, Situated, TransitionCost
    from arcproof.transitions.configuration import Derivation


@dataclass(frozen=True)
class LossJson:
    """What is known about the loss of a configuration."""

    exact: Natural | None
    """The loss; null if it is unknown or if no run ends."""
    at_least: Natural
    at_most: Natural | None
    """The loss of the nearest output found."""
    ends: bool | None
    """Whether some run from there ends; null if none was found and the search was incomplete."""
    complete: bool
    """Whether the search finished within the limit."""
    expanded: Natural
    """How many configurations were expanded."""


@dataclass(frozen=True)
class SaidJson:
    """What a transition costs according to a dynamic oracle; null if no line matches."""

    oracle: str
    cost: int | None


@dataclass(frozen=True)
class OptionJson:
    """A permissible transition."""

    transition: str
    label: str | None
    cost: int | None
    """The true cost; null if it is unknown, or if no run ends after the transition."""
    loss: LossJson | None
    """The loss after the transition; null if the run was interrupted first."""
    said: tuple[SaidJson, ...]


@dataclass(frozen=True)
class FollowedJson:
    """Where following a dynamic oracle leads."""

    oracle: str
    transitions: Run
    loss: Natural | None
    """The loss of the output it leads to; null if the run does not end."""


@dataclass(frozen=True)
class EndingJson:
    """The rest of a run to the nearest output found, step by step."""

    loss: Natural
    transitions: Run
    steps: tuple[StepJson, ...]
    arcs: Arcs
    """The arcs of the output."""


@dataclass(frozen=True)
class SituationJson:
    """What is known about one configuration on the way to a gold graph."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    gold: Heads
    labelled: bool
    """Whether wrong labels count."""
    run: Run
    """The run to the configuration."""
    configuration: Configuration
    arcs: Arcs
    """The arcs of the configuration."""
    loss: LossJson | None
    options: tuple[OptionJson, ...]
    followed: tuple[FollowedJson, ...]
    ending: EndingJson | None
    note: str | None
    """What ended the run early."""


DOCUMENT: TypeAlias = SituationJson


def document(found: "Situated") -> SituationJson:
    """Return the document for one configuration."""
    c = found.configuration
    return SituationJson(
        arcproof=__version__,
        system=found.system.name,
        spec_sha256=found.system.sha256,
        gold=found.gold.heads,
        labelled=found.labelled,
        run=run_of(found.run.transitions),
        configuration=c.as_json(),
        arcs=tuple(c.graph.sorted_arcs()),
        loss=_loss(found.nearest),
        options=tuple(_option(found, option) for option in found.options),
        followed=tuple(map(_followed, found.followed)),
        ending=None if found.ending is None or found.upper is None else _ending(found.ending, found.upper),
        note=found.ended_by,
    )


def _loss(nearest: "NearestOutput | None") -> LossJson | None:
    if nearest is None:
        return None
    ends = True if nearest.loss is not None else False if nearest.complete else None
    return LossJson(nearest.exact, nearest.least, nearest.loss, ends, nearest.complete, nearest.expanded)


def _option(found: "Situated", option: "TransitionCost") -> OptionJson:
    said = tuple(SaidJson(oracle.name, cost) for oracle, cost in zip(found.oracles, option.said, strict=True))
    transition = option.transition
    return OptionJson(transition.instance, transition.label, found.cost(option), _loss(option.nearest), said)


def _followed(one: "FreeRun") -> FollowedJson:
    return FollowedJson(one.oracle, run_of(one.ending.transitions), one.loss)


def _ending(ending: "Derivation", loss: int) -> EndingJson:
    steps = tuple(step_json(before, step) for before, step in ending.with_before)
    return EndingJson(loss, run_of(ending.transitions), steps, tuple(ending.graph.sorted_arcs()))
