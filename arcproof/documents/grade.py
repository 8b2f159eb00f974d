"""`arcproof grade`: the table of grades, and the report for one submission."""

from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.conform import LookedJson, TaskJson
from arcproof.documents.shared import Heads, Natural, Positive, Run, Seconds, Sha256
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.properties.conformance.grades import Grade, PointsRule, Shortfall
    from arcproof.properties.conformance.tasks import Performance
    from arcproof.transitions.system import System


@dataclass(frozen=True)
class ShortfallJson:
    """The smallest divergence of a kind; if it was drawn, the smallest of those drawn."""

    kind: str
    detail: str | None
    """What distinguishes it from others of the kind: a fault of an oracle or cost, or the method that raises."""
    words: Natural
    run: Run
    """The transitions to the configuration where the divergence shows."""
    text: str
    """What is wrong, in words."""
    follows: bool
    """Whether it may be the consequence of another divergence; then no task is lost by it."""
    drawn: bool
    """Whether it was found at random, so that there may be a smaller one."""
    count: Natural
    """How often divergences of this kind were seen."""
    replay: str
    """The command that replays the case."""
    gold: Heads | None = None
    """The gold tree it is about."""


@dataclass(frozen=True)
class GradeJson:
    """The outcome of a submission."""

    submission: str
    """The submission as it was named on the command line."""
    report: str
    """The name of its report files, without a suffix."""
    outcome: Literal["conforms", "diverges", "open", "failed"]
    """Open if a limit was reached first; failed if the submission gave no result."""
    points: Natural | None
    """The points; null if they are open."""
    reason: str | None
    """Why nothing was compared, or not everything."""
    seconds: Seconds
    looked: tuple[LookedJson, ...]
    tasks: tuple[TaskJson, ...]
    """The tasks; each one that is done earns its share of the points."""
    divergences: tuple[ShortfallJson, ...]


@dataclass(frozen=True)
class GradesJson:
    """Submissions of a course, checked against a figure and graded."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    points: Positive
    """The points that are divided equally among the tasks."""
    submissions: tuple[GradeJson, ...]


DOCUMENT: TypeAlias = GradesJson


def document(system: "System", rule: "PointsRule", grades: "Sequence[Grade]") -> GradesJson:
    """Return the document for all submissions, or for one."""
    return GradesJson(
        arcproof=__version__,
        system=system.name,
        spec_sha256=system.sha256,
        points=rule.points,
        submissions=tuple(map(_grade, grades)),
    )


def _grade(grade: "Grade") -> GradeJson:
    return GradeJson(
        submission=grade.submission.given,
        report=grade.submission.name,
        outcome=grade.outcome,
        points=grade.points,
        reason=grade.reason or None,
        seconds=round(grade.seconds, 2),
        looked=tuple(LookedJson(one.part, one.words, one.cases, one.way) for one in grade.looked),
        tasks=tuple(_task(grade, one) for one in grade.tasks),
        divergences=tuple(map(_shortfall, grade.shortfalls)),
    )


def _task(grade: "Grade", one: "Performance") -> TaskJson:
    from arcproof.properties.conformance.grades import earns

    task = one.task
    return TaskJson(task.aim, task.transition or None, one.right, one.wrong, earns(grade.outcome, one))


def _shortfall(one: "Shortfall") -> ShortfallJson:
    return ShortfallJson(
        kind=one.kind.value,
        detail=one.detail or None,
        words=one.words,
        run=one.run,
        text=one.text,
        follows=one.follows,
        drawn=one.drawn,
        count=one.count,
        replay=one.replay,
        gold=one.gold,
    )
