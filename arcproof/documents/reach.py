"""`arcproof reach --json`."""

from typing import TYPE_CHECKING, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Arcs, Heads, Natural, Run, Sha256, run_of
from arcproof.documents.trace import Configuration, StepJson, step_json
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.studies.reach import Reached
    from arcproof.transitions.configuration import Derivation


@dataclass(frozen=True)
class ShortestRunJson:
    """The shortest run, step by step; its arcs have labels of their own."""

    words: Natural
    """The length of the sentence."""
    transitions: Run
    initial: Configuration
    steps: tuple[StepJson, ...]
    arcs: Arcs
    """The arcs of the last configuration."""


@dataclass(frozen=True)
class ReachedJson:
    """The shortest run to a configuration, or a proof that there is none."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    condition: str | None
    """The condition on the configuration and the run to it."""
    output: Heads | None
    """The requested output; null if there is none, or if it cannot be written as a list of heads."""
    output_arcs: Arcs | None
    """Its arcs."""
    asked: Natural
    """Sentences of up to this many words were to be tried; if an output is requested, of exactly this many."""
    reached: bool
    certain: bool
    """Whether the answer is final: there is a run, or everything was tried."""
    looked_at: Natural
    """How many configurations were visited; one reached with several counts of transitions counts several times."""
    note: str | None
    """Why the search ended early."""
    run: ShortestRunJson | None


DOCUMENT: TypeAlias = ReachedJson


def document(found: "Reached") -> ReachedJson:
    """Return the document for a search."""
    from arcproof.reports.reach import condition_of

    output = found.target.output
    return ReachedJson(
        arcproof=__version__,
        system=found.system.name,
        spec_sha256=found.system.sha256,
        condition=condition_of(found.target),
        output=None if output is None else output.heads_or_none,
        output_arcs=None if output is None else tuple(output.sorted_arcs()),
        asked=found.asked,
        reached=found.run is not None,
        certain=found.exit_code != 3,
        looked_at=found.looked_at,
        note=found.ended_by or found.note,
        run=None if found.run is None else _run(found.run),
    )


def _run(run: "Derivation") -> ShortestRunJson:
    return ShortestRunJson(
        words=run.initial.words,
        transitions=run_of(run.transitions),
        initial=run.initial.as_json(),
        steps=tuple(step_json(before, step) for before, step in run.with_before),
        arcs=tuple(run.graph.sorted_arcs()),
    )
