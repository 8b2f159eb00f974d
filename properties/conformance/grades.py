"""Graded submissions of a course: the outcome and the points of each, as data.

The rule: the points are divided equally among the tasks (`tasks`), and each task that is done earns its share; the sum
is rounded down.  If the submission conforms, every task counts as done except those about methods that never answered.
A submission that diverges loses at least one point.  One that gives no result at all (it cannot be read or imported,
ends the process, or never finishes) gets no points.  If a limit was reached before anything diverged, the points are
open.
"""

from typing import Literal, TypeAlias

from arcproof.properties.conformance.conform import Looked
from arcproof.properties.conformance.divergence import Kind
from arcproof.properties.conformance.tasks import OPTIONAL, Performance
from arcproof.transitions.graph import Heads

from arcproof.process.lazy_dataclass import dataclass

Outcome: TypeAlias = Literal["conforms", "diverges", "open", "failed"]


@dataclass(frozen=True)
class PointsRule:
    """The points of a submission that conforms."""

    points: int = 10


@dataclass(frozen=True)
class Shortfall:
    """The smallest divergence of a kind in a submission; `gold` and `labels` are those of the tree it is about."""

    kind: Kind
    detail: str
    words: int
    run: tuple[str, ...]
    text: str
    follows: bool
    drawn: bool
    count: int
    replay: str
    gold: Heads | None = None
    labels: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Submission:
    """A submission: its display name, the name of its reports, and its driver; `problem` says why it has none."""

    given: str
    name: str
    reference: str = ""
    problem: str = ""
    advice: str = ""
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Grade:
    """The outcome of a submission; `reason` says why nothing, or not everything, was compared."""

    submission: Submission
    outcome: Outcome
    points: int | None
    seconds: float
    reason: str = ""
    looked: tuple[Looked, ...] = ()
    shortfalls: tuple[Shortfall, ...] = ()
    tasks: tuple[Performance, ...] = ()


def earns(outcome: Outcome, one: Performance) -> bool:
    """Whether a task earns its share of the points."""
    match outcome:
        case "conforms":
            return one.right > 0 or one.task.aim not in OPTIONAL
        case "diverges":
            return one.is_done
        case "failed" | "open":
            return False


def points_of(rule: PointsRule, outcome: Outcome, tasks: tuple[Performance, ...]) -> int | None:
    """Return the points by the rule; None if they are open."""
    earned = sum(earns(outcome, one) for one in tasks)
    share = rule.points * earned // max(1, len(tasks))
    match outcome:
        case "conforms":
            return share if tasks else rule.points
        case "diverges":
            return min(share, rule.points - 1)
        case "failed":
            return 0
        case "open":
            return None


def exit_code(grades: tuple[Grade, ...]) -> int:
    """Return 0 if all conform, 1 if one diverges or fails, 3 if only limits got in the way."""
    outcomes = {grade.outcome for grade in grades}
    if outcomes & {"diverges", "failed"}:
        return 1
    return 3 if "open" in outcomes else 0
