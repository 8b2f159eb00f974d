"""Every case of a transition is useful: without it, some graph could not be derived or a claim would fail.

A transition that lacks some of its cases is a different transition, so each case is left out by itself.  What else
breaks is measured by `breaking`; oracles are not asked, as they may still ask for what is left out.
"""

from dataclasses import replace

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.breaking import Broken, Standards
from arcproof.properties.engines.exhaustive import retrace
from arcproof.properties.engines.levels import Levels
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.wording import case_text
from arcproof.transitions.syntax import Figure, Rule, line_of


@dataclass(frozen=True, slots=True)
class Use:
    """The use of one case, with its line if the transition has several: whether the transition occurs in a run that
    ends, the smallest graph that cannot be derived without the case, and if there is none, what breaks.
    """

    transition: str
    line: int | None
    occurs: bool
    lost: Graph | None
    broken: Broken | None
    words: int


def without(figure: Figure, transition: str) -> Figure:
    """The figure in which one transition is never taken; its oracles may still ask for it."""
    return replace(figure, rules=tuple(rule for rule in figure.rules if rule.name != transition))


def check_useful(levels: Levels) -> list[Use]:
    """Leave out each case in turn; return nothing where no level was explored."""
    if levels.explored() < 1:
        return []
    standards = Standards(levels, with_oracles=False)
    return [_use(levels, standards, rule) for rule in levels.system.figure.rules]


def _use(levels: Levels, standards: Standards, rule: Rule) -> Use:
    figure = levels.system.figure
    part = replace(
        levels.system, figure=replace(figure, rules=tuple(other for other in figure.rules if other is not rule))
    )
    line = line_of(figure, rule)
    with levels.beside(part, f"{part.name} without {case_text(rule.name, line)}") as fewer:
        return _compared(levels, fewer, standards, rule.name, line)


def _compared(levels: Levels, fewer: Levels, standards: Standards, transition: str, line: int | None) -> Use:
    occurs = False
    for whole, part in zip(levels.spaces(), fewer.spaces(), strict=False):
        occurs = occurs or whole.occurs(transition)
        lost = whole.outputs.minus(part.outputs).earliest
        if lost is not None:
            graph = retrace(whole.system, whole.words, whole.run_to(lost)).graph
            return Use(transition, line, True, graph, None, whole.words)
    broken = _broken(standards, fewer) if occurs else None
    return Use(transition, line, occurs, None, broken, min(levels.reached, fewer.reached))


def _broken(standards: Standards, fewer: Levels) -> Broken | None:
    return standards.broken(fewer, is_costly=False) or standards.broken(fewer, is_costly=True)
