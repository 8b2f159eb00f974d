"""Every transition is useful: it occurs in a run that ends, and without it some graph could not be derived."""

from dataclasses import replace

from arcproof.properties.engines.exhaustive import retrace
from arcproof.properties.engines.levels import Levels
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import Figure

from arcproof.process.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """Of one transition: whether a run that ends has it, and the smallest graph that cannot be derived without it."""

    transition: str
    occurs: bool
    lost: Graph | None
    words: int


def without(figure: Figure, transition: str) -> Figure:
    """The figure in which one transition is never taken; its oracles may still ask for it."""
    return replace(figure, rules=tuple(rule for rule in figure.rules if rule.name != transition))


def check_useful(levels: Levels) -> list[Use]:
    """Leave out each transition in turn; nothing is said where only sentences without words were explored."""
    if levels.explored() < 1:
        return []
    return [_use(levels, transition) for transition in levels.system.transitions]


def _use(levels: Levels, transition: str) -> Use:
    part = replace(levels.system, figure=without(levels.system.figure, transition))
    with levels.beside(part, f"{part.name} without {transition}") as fewer:
        return _compared(levels, fewer, transition)


def _compared(levels: Levels, fewer: Levels, transition: str) -> Use:
    occurs = False
    for whole, part in zip(levels.spaces(), fewer.spaces(), strict=False):
        occurs = occurs or whole.occurs(transition)
        lost = whole.outputs.minus(part.outputs).earliest
        if lost is not None:
            graph = retrace(whole.system, whole.words, whole.run_to(lost)).graph
            return Use(transition, True, graph, whole.words)
    return Use(transition, occurs, None, min(levels.reached, fewer.reached))
