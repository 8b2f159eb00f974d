"""Graded submissions of a course: the outcome and the points of each, as data.

The rule: a submission that conforms gets all points.  One that diverges loses `deduct` points for each kind of
divergence that cannot be the consequence of another, at least one, and never gets fewer than 0; if it raises, hangs or
crashes, so that little of it could be compared, it gets at most half of the points.  One that gives no result at all
(it cannot be read or imported, ends the process, or never comes to an end) gets none.  If a limit was reached before
anything diverged, the points are open.
"""

from typing import Final, Literal, TypeAlias

from arcproof.properties.conformance.conform import Looked
from arcproof.properties.conformance.divergence import Kind
from arcproof.transitions.graph import Heads

from arcproof.process.lazy_dataclass import dataclass

BREAKS_OFF: Final = frozenset({Kind.RAISES, Kind.HANGS, Kind.CRASHES})

Outcome: TypeAlias = Literal["conforms", "diverges", "open", "failed"]


@dataclass(frozen=True)
class PointsRule:
    """All points, and how many a kind of divergence costs."""

    points: int = 10
    deduct: int = 3


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
    """A submission: its display name, the name of its reports, and the driver; `problem` says why there is none."""

    given: str
    name: str
    reference: str = ""
    problem: str = ""


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


def costly_kinds(shortfalls: tuple[Shortfall, ...]) -> int:
    """How many kinds of divergences cost points."""
    return max(1, len({one.kind for one in shortfalls if not one.follows}))


def breaks_off(shortfalls: tuple[Shortfall, ...]) -> bool:
    """Whether it raises, hangs or crashes."""
    return any(one.kind in BREAKS_OFF for one in shortfalls)


def points_of(rule: PointsRule, outcome: Outcome, shortfalls: tuple[Shortfall, ...]) -> int | None:
    """By the rule; None if they are open."""
    match outcome:
        case "conforms":
            return rule.points
        case "diverges":
            most = rule.points // 2 if breaks_off(shortfalls) else rule.points
            return max(0, min(most, rule.points - rule.deduct * costly_kinds(shortfalls)))
        case "failed":
            return 0
        case "open":
            return None


def exit_code(grades: tuple[Grade, ...]) -> int:
    """0 if all conform, 1 if one diverges or fails, 3 if only limits got in the way."""
    outcomes = {grade.outcome for grade in grades}
    if outcomes & {"diverges", "failed"}:
        return 1
    return 3 if "open" in outcomes else 0
