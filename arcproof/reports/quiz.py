"""The page as a quiz: every transition is offered on equal terms, and each choice is marked, with the reason.

With a gold graph a choice is *right* if the transition is permissible and the gold graph can still be derived after
it, whether or not the oracle would take it; without one, or if no run derives it, if it is permissible.  A right
choice is taken; a wrong one is not, so that the gold graph stays within reach.  Where it is not known whether the
graph can still be derived, the choice is *open* and is taken.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, Literal, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.nearest_output import Aim
from arcproof.reports.runs import Reachable
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import NotPermissible
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

MOST_OFFERED: Final = 3
"""How many instances of a transition with a choice, as `LEFT-ARC[3]`, are offered whether or not they are permissible.
"""
MOST_EXPANDED: Final = 300

Verdict: TypeAlias = Literal["right", "wrong", "open"]


@dataclass(frozen=True, slots=True)
class QuizMark:
    """The mark for a choice, and why."""

    name: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class QuizState:
    """What the page says about the quiz: the mark for the last choice, and how many were right and wrong so far."""

    mark: QuizMark | None
    right: int
    wrong: int
    task: str


@dataclass(frozen=True, slots=True)
class QuizSituation:
    """What a choice is judged by; `reachable` says whether the gold graph can be derived."""

    system: System
    c: Configuration
    gold: Graph | None
    reachable: Reachable | None


def task(gold: Graph | None, reachable: Reachable | None, still: Reachable | None) -> str:
    """The question; the gold graph may be derivable from the start, but not any more."""
    if gold is None:
        return "Choose a transition that is permissible."
    if reachable == "no":
        return "No run of this system derives the gold graph, so choose a transition that is permissible."
    if still == "no":
        return "After this run the gold graph can no longer be derived, so choose a transition that is permissible."
    return "Choose a transition that is permissible and after which the gold graph can still be derived."


def offered(system: System, c: Configuration) -> list[str]:
    """Return every transition, permissible or not; for those with choices, the first few instances and all permissible
    ones.
    """
    names = [name for rule_name, rules in system.transitions.items() for name in _instances(system, rule_name, rules)]
    more = [transition.instance for transition in system.permissible(c)]
    return list(dict.fromkeys([*names, *more]))


def _instances(system: System, name: str, rules: tuple[s.Rule, ...]) -> Iterator[str]:
    for places in dict.fromkeys(len(s.choices(rule, system.figure.state)) for rule in rules):
        for choice in product(range(1, MOST_OFFERED + 1), repeat=places):
            yield Transition(name, None, choice).instance


def judged(situation: QuizSituation, transition: Transition, after: Reachable | None) -> QuizMark:
    """Return the mark for a choice; `after` says whether the gold graph can be derived after it, None if that is not
    asked.
    """
    system, name = situation.system, transition.instance
    try:
        step = system.step(situation.c, transition)
    except NotPermissible as error:
        return QuizMark(name, "wrong", f"it is not permissible: {error.because}")
    if situation.gold is None or situation.reachable == "no":
        return QuizMark(name, "right", "it is permissible")
    if after == "no":
        clash = "; ".join(system.clash_text(arc, "would get a second head") for arc in step.clashes)
        lost = "it is permissible, but after it the gold graph can no longer be derived"
        return QuizMark(name, "wrong", "; ".join(filter(None, (lost, clash, cost_text(situation, step.configuration)))))
    if after == "yes":
        return QuizMark(name, "right", "the gold graph can still be derived")
    return QuizMark(name, "open", "it is permissible; it is not known whether the gold graph can still be derived")


def cost_text(situation: QuizSituation, after: Configuration) -> str:
    """Return what a wrong choice costs, if a short search can tell; nothing was wrong before it."""
    system, gold = situation.system, situation.gold
    if gold is None or system.figure.several_heads or situation.reachable != "yes":
        return ""
    nearest = Aim(system, gold).nearest(after, MOST_EXPANDED)
    if not nearest.exact:
        return ""
    return f"it costs {nearest.exact}: at best {counted(nearest.exact, 'head')} will be wrong"
