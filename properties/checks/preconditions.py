"""Every precondition is needed: dropping it breaks a claim or a check that holds with it (`breaking`); or it is
redundant up to n words.

*Redundant* here is relative to the other preconditions, and means that the same transitions are permissible in the same
configurations.  A precondition whose absence breaks nothing but changes what can be reached is called *free*: no claim
and no check needs it.  A precondition that tells the cases of a transition apart cannot be dropped: what is left is not
a valid figure, so nothing is tried, and `problem` says why.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.breaking import Standards
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import Space
from arcproof.properties.evidence import Counterexample
from arcproof.properties.variants import problem_of
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.syntax import Condition, Figure, Rule, line_of

MOST_CONFIGURATIONS = 50_000


Status: TypeAlias = Literal["needed", "redundant", "free", "unknown"]


@dataclass(frozen=True, slots=True)
class Need:
    """What dropping one precondition does; `line` is the line of its case, if the transition has several."""

    transition: str
    line: int | None
    precondition: str
    status: Status
    breaks: str | None
    words: int
    counterexample: Counterexample | None
    problem: str | None = None
    """Why the figure without the precondition is not valid; its status is then unknown."""


def dropped_preconditions(figure: Figure) -> Iterator[tuple[Rule, Condition, Figure]]:
    """Yield the figure without each single precondition."""
    for index, rule in enumerate(figure.rules):
        for condition in rule.preconditions:
            kept = tuple(other for other in rule.preconditions if other is not condition)
            rules = (*figure.rules[:index], replace(rule, preconditions=kept), *figure.rules[index + 1 :])
            yield rule, condition, replace(figure, rules=rules)


def check_preconditions(levels: Levels, transition: str | None = None) -> list[Need]:
    """Drop each precondition in turn, of one transition or of all, and ask everything again; nothing where no level was
    explored.
    """
    return list(needs_of(levels, transition))


def needs_of(levels: Levels, transition: str | None = None) -> Iterator[Need]:
    """Drop each precondition in turn, and yield each answer as it is found."""
    if levels.explored() < 1:
        return
    standards = Standards(levels)
    most = MOST_CONFIGURATIONS * BYTES_A_CONFIGURATION
    left = levels.memory_left
    memory = most if left is None else min(most, left)
    for rule, condition, figure in dropped_preconditions(levels.system.figure):
        if transition not in (None, rule.name):
            continue
        problem = problem_of(figure) if len(levels.system.transitions[rule.name]) > 1 else None
        if problem is not None:
            line = line_of(levels.system.figure, rule)
            yield Need(rule.name, line, condition_text(condition, SOURCE), "unknown", None, 0, None, problem)
        else:
            weaker = replace(levels.system, figure=figure)
            without = levels.variant(weaker, memory, levels.engine_of(weaker))
            yield _need(levels, standards, rule, condition, without)


def _need(levels: Levels, standards: Standards, rule: Rule, condition: Condition, without: Levels) -> Need:
    need = partial(Need, rule.name, line_of(levels.system.figure, rule), condition_text(condition, SOURCE))
    broken = standards.broken(without, is_costly=False)
    same = broken is None and _same_moves(levels, rule, without)
    if broken is None and not same:
        broken = standards.broken(without, is_costly=True)
    if broken is not None:
        status: Status = "unknown" if broken.counterexample is None else "needed"
        return need(status, broken.question, broken.words, broken.counterexample)
    if without.reached < levels.reached:
        return need("unknown", None, without.reached, None)
    return need("redundant" if same else "free", None, levels.reached, None)


def _same_moves(levels: Levels, rule: Rule, without: Levels) -> bool:
    """Whether the same transitions are permissible everywhere; then no claim can break."""
    pairs = list(zip(levels.spaces(), without.spaces(), strict=False))
    has_cases = len(levels.system.transitions[rule.name]) > 1
    same = all(_moves(one) == _moves(other) if has_cases else _as_many(one, other) for one, other in pairs)
    return same and without.reached >= levels.reached


def _as_many(one: Space, other: Space) -> bool:
    """Whether two spaces have equally many moves.  Without a precondition of a transition with a single case, no
    permissible move is lost, so equal numbers mean equal moves.
    """
    return (one.size, one.transitions) == (other.size, other.transitions)


def _moves(space: Space) -> set[tuple[Configuration, Transition]]:
    configurations = map(space.configuration, range(space.size))
    expanded = (c for c in configurations if not space.system.is_terminal(c))
    return {(c, transition) for c in expanded for transition in space.system.permissible(c)}
