"""`arcproof trace --format json`."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, TypeAlias

from arcproof.documents.shared import Arc, Arcs, Natural
from arcproof.documents.wire import Part, json_value
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.transitions import configuration as c
    from arcproof.transitions.system import System

Configuration: TypeAlias = Annotated[
    Mapping[str, list[Natural] | bool | int],
    Part(
        "Configuration",
        "The components of a state by their ASCII names: sequences in printed order, sets sorted, flags, counters.",
    ),
]


@dataclass(frozen=True)
class StepJson:
    """A transition, the arcs it adds and removes, and the configuration after it."""

    transition: str
    label: str | None
    arc: Arc | None
    """The first of the arcs it adds."""
    arcs_added: Arcs
    arcs_removed: Arcs
    configuration: Configuration


@dataclass(frozen=True)
class DerivationJson:
    """A derivation."""

    system: str
    oracle: str
    """The oracle; empty if a shortest run was searched for."""
    words: tuple[str, ...] | None
    """The words without the root; null where only the heads were given."""
    initial: Configuration
    steps: tuple[StepJson, ...]
    arcs: Arcs
    """The arcs of the last configuration."""
    tags: tuple[str | None, ...] | None = None
    """The tag of each word; left out if the figure assigns none."""


DOCUMENT: TypeAlias = DerivationJson


def document(
    system: "System", oracle: str, derivation: "c.Derivation", words: "Sequence[str] | None" = None
) -> DerivationJson:
    """Return the document for a run, never abbreviated; `BadGraph` if the number of words differs."""
    from arcproof.transitions.errors import BadGraph

    if words is not None and len(words) != derivation.initial.words:
        raise BadGraph(f"the derivation has {derivation.initial.words} words, but {len(words)} were given")
    return DerivationJson(
        system=system.name,
        oracle=oracle,
        words=None if words is None else tuple(words),
        initial=derivation.initial.as_json(),
        steps=tuple(step_json(before, step) for before, step in derivation.with_before),
        arcs=tuple(derivation.graph.sorted_arcs()),
        tags=derivation.tags if system.figure.assigns_tags else None,
    )


def step_json(before: "c.Configuration", step: "c.Step") -> StepJson:
    """Return a step with the arcs that it adds to the configuration before it, and removes from it."""
    return StepJson(
        transition=step.transition.instance,
        label=step.transition.label,
        arc=step.added[0] if step.added else None,
        arcs_added=step.added,
        arcs_removed=tuple(step.removed_from(before)),
        configuration=step.configuration.as_json(),
    )


def text(derivation: DerivationJson) -> str:
    """Return the document as ASCII text, with each step on a line of its own."""
    steps = ",\n    ".join(json.dumps(json_value(step)) for step in derivation.steps)
    listed = f"[\n    {steps}\n  ]" if derivation.steps else "[]"
    given = [field.name for field in fields(derivation) if field.name != "tags" or derivation.tags is not None]
    values = {name: json.dumps(json_value(getattr(derivation, name))) for name in given}
    values["steps"] = listed
    return "{\n" + ",\n".join(f'  "{name}": {value}' for name, value in values.items()) + "\n}\n"
