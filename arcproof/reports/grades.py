"""Grades: a report for each student, in Markdown and as a page, and a table for the teacher.

The smallest case of each kind of divergence is drawn: the gold tree it is about, or the figure's own run up to that
point, with the graph it has built by then.  Text from a submission is escaped wherever it is shown.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from arcproof._version import __version__
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.divergence import Kind
from arcproof.properties.conformance.grades import Grade, Outcome, PointsRule, Shortfall, earns
from arcproof.properties.conformance.tasks import Aim, Performance
from arcproof.reports import arc_diagram, derivation_table
from arcproof.reports.conformance import compared_lines, notes
from arcproof.reports.conformance_page import ANCHOR, DivergenceView, run_of_figure
from arcproof.reports.divergences import TITLES
from arcproof.reports.page import asset, environment
from arcproof.reports.runs import can_still_derive, run_view
from arcproof.reports.typeset import typeset
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.printing.escape import display_width, for_markdown, for_terminal, padded
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

HEADER: Final = ("submission", "points", "outcome", "what is wrong")
TONES: Final[dict[Outcome, str]] = {
    "conforms": "exhausted",
    "diverges": "refuted",
    "failed": "refuted",
    "open": "unknown",
}
PLURAL: Final[dict[Outcome, str]] = {"conforms": "conform", "diverges": "diverge", "failed": "failed", "open": "open"}


@dataclass(frozen=True, slots=True)
class Coursework:
    """What all submissions have in common."""

    system: System
    rule: PointsRule


# --- sentences -------------------------------------------------------------------------------------------------------


def points_text(course: Coursework, grade: Grade) -> str:
    """`7 of 10`."""
    return f"{'open' if grade.points is None else grade.points} of {course.rule.points}"


def verdict(course: Coursework, grade: Grade) -> str:
    """Return the outcome of the submission, in one sentence."""
    figure = course.system.name
    match grade.outcome:
        case "conforms":
            return f"conforms to {figure}: nothing diverged in what was compared"
        case "diverges":
            kinds = len({one.kind for one in grade.shortfalls})
            return f"does not conform to {figure}: {counted(kinds, 'kind')} of divergence"
        case "failed":
            return f"could not be compared with {figure}: {grade.reason}"
        case "open":
            return f"whether it conforms to {figure} is open: {grade.reason}"


RULE: Final = (
    "The points are divided equally among the tasks. "
    "A task earns its share if the submission was never wrong about it, and was right in some cases where doing nothing "
    "or always giving the same answer would be wrong. Points are rounded down."
)
AIMS: Final[dict[Aim, str]] = {
    "does": "what {} does",
    "permits": "where {} is permitted",
    "ends": "where a run ends",
    "output": "the output",
    "oracle": "the static oracle",
    "repair": "what follows a mistake",
    "cost": "the costs",
    "is_free": "which transitions are free",
    "encoding": "the encoding",
}
TASKS: Final = ("task", "right", "wrong", "earned")


def rule_text(course: Coursework, grade: Grade) -> str:
    """Return how the points were computed."""
    rule, tasks = course.rule, grade.tasks
    done = sum(earns(grade.outcome, one) for one in tasks)
    match grade.outcome:
        case "conforms" if done == len(tasks):
            return f"It conforms, so it gets all {rule.points} points."
        case "conforms" | "diverges":
            cut = f" What was not reached earned nothing: {grade.reason}." if grade.reason else ""
            return f"{RULE} Here {done} of {counted(len(tasks), 'task')} earned {'its' if done == 1 else 'their'} share.{cut}"
        case "failed":
            return "It gave no result, so it gets no points."
        case "open":
            return "Nothing had diverged by then, so the points are open."


def task_rows(grade: Grade) -> list[tuple[str, ...]]:
    """Return a row for each task; none if there are no points to be earned."""
    if grade.outcome not in ("conforms", "diverges"):
        return []
    return [
        (AIMS[one.task.aim].format(one.task.transition), str(one.right), str(one.wrong), _earned(grade, one))
        for one in grade.tasks
    ]


def _earned(grade: Grade, one: Performance) -> str:
    """Return whether a task earns its share, and if not, why."""
    if earns(grade.outcome, one):
        return "yes"
    if one.wrong:
        return "no"
    return "no: too few different cases were reached" if one.right else "no: it was not reached"


def short_text(grade: Grade) -> str:
    """Return what is wrong, for a line of the table."""
    if grade.shortfalls:
        return ", ".join(_title(one) for one in grade.shortfalls)
    return grade.reason or ("shows neither its state nor an output" if shows_nothing(grade) else "")


def shows_nothing(grade: Grade) -> bool:
    """Whether the submission shows nothing of what its transitions do."""
    return bool(grade.tasks) and not any(one.task.aim in ("does", "output") for one in grade.tasks)


SHOWS_NOTHING: Final = (
    "The submission shows neither its state nor an output, so what its transitions do was not compared."
)


def _title(one: Shortfall) -> str:
    return TITLES[one.kind] + (f": {one.detail}" if one.detail else "")


def _full_title(one: Shortfall) -> str:
    return _title(one) + (f" ({one.count} times)" if one.count > 1 else "")


def _where(one: Shortfall) -> str:
    after = f"after {' '.join(one.run)}" if one.run else "at the start"
    return f"{counted(one.words, 'word')}, {after}"


def _gold(one: Shortfall) -> Graph | None:
    return None if one.gold is None else graph_of(one.gold, one.labels)


WORDS: Final = (
    ("the driver", "the submission, as it is called by arcproof"),
    ("lockstep", "submission and figure take the same transitions, and are compared after each"),
    ("A", "the arcs built so far"),
)


def words_used(grade: Grade) -> tuple[tuple[str, str], ...]:
    """What the words in the descriptions of divergences mean."""
    return (*WORDS, *grade.submission.words) if grade.shortfalls else ()


def _notes(system: System, one: Shortfall) -> list[str]:
    lost = lost_text(system, one)
    return [*([lost] if lost else []), *notes(one.follows, one.drawn)]


def lost_text(system: System, one: Shortfall) -> str:
    """Where an oracle lost its gold tree, if a short search finds that out."""
    gold, run = _gold(one), _run(system, one)
    if one.kind is not Kind.ORACLE or gold is None or run is None:
        return ""
    wanted = system.wanted(gold)
    if can_still_derive(system, run.initial, wanted) != "yes":
        return ""
    for number, step in enumerate(run.steps, start=1):
        match can_still_derive(system, step.configuration, wanted):
            case "no":
                return f"after transition {number}, {step.transition}, the gold tree can no longer be derived"
            case "open":
                return ""
    return ""


def _run(system: System, one: Shortfall) -> Derivation | None:
    """Return the figure's run up to that point; None if the figure does not permit it."""
    try:
        return run_of_figure(system, one.words, one.run) if one.run else None
    except (ArcproofError, AssertionError):
        return None


# --- for the student -------------------------------------------------------------------------------------------------


def to_markdown(course: Coursework, grade: Grade) -> str:
    """Return the report for one student, in Markdown."""
    given = for_markdown(grade.submission.given)
    lines = [f"# {given}: {points_text(course, grade)} points", ""]
    lines += [
        f"The submission {for_markdown(verdict(course, grade))}." if grade.outcome != "open" else _open(course, grade)
    ]
    lines += ["", for_markdown(rule_text(course, grade)), "", *_tasks(grade)]
    lines += [SHOWS_NOTHING, ""] if shows_nothing(grade) else []
    compared = compared_lines(grade.looked, bool(grade.shortfalls))
    lines += ["What was compared:", "", *(f"- {for_markdown(line)}" for line in compared), ""] if compared else []
    used = words_used(grade)
    lines += (
        ["Words used below:", "", *(f"- {for_markdown(f'{word}: {meant}')}" for word, meant in used), ""]
        if used
        else []
    )
    for one in grade.shortfalls:
        lines += [*_shortfall(course.system, one), ""]
    return "\n".join(lines).rstrip("\n") + f"\n\narcproof {__version__}\n"


def _tasks(grade: Grade) -> list[str]:
    rows = task_rows(grade)
    table = [TASKS, ("---", "---:", "---:", "---"), *(tuple(map(for_markdown, row)) for row in rows)]
    return [*(f"| {' | '.join(row)} |" for row in table), ""] if rows else []


def _open(course: Coursework, grade: Grade) -> str:
    sentence = for_markdown(verdict(course, grade))
    return f"{sentence[0].upper()}{sentence[1:]}."


def _shortfall(system: System, one: Shortfall) -> Iterator[str]:
    yield f"## {for_markdown(_full_title(one))}"
    yield ""
    yield f"{for_markdown(_where(one))}: {for_markdown(one.text)}."
    for note in _notes(system, one):
        yield ""
        yield f"{note[0].upper()}{note[1:]}."
    gold, run = _gold(one), _run(system, one)
    if gold is not None:
        yield from ("", "The gold tree:", "", "```text", *_drawn(gold), "```")
    if run is not None:
        yield from ("", "What the figure does:", "", "```text")
        yield from [*_drawn(run.graph), ""] if run.graph.arcs else []
        yield from (*derivation_table.text_rows(system, run), "```")
    yield from ("", "Again:", "", "```sh", for_terminal(one.replay), "```")


def _drawn(graph: Graph) -> list[str]:
    return arc_diagram.to_text(graph).rstrip("\n").split("\n")


def to_html(course: Coursework, grade: Grade) -> str:
    """Return the report for one student, as a single page that loads nothing."""
    return (
        environment()
        .get_template("grade.html")
        .render(
            course=course,
            grade=grade,
            points=points_text(course, grade),
            verdict=verdict(course, grade),
            tone=TONES[grade.outcome],
            rule=rule_text(course, grade),
            tasks=(TASKS, task_rows(grade)),
            warning=SHOWS_NOTHING if shows_nothing(grade) else "",
            section={"anchor": ANCHOR},
            figure=typeset(course.system.figure_with_parameters),
            words=words_used(grade),
            looked=compared_lines(grade.looked, bool(grade.shortfalls)),
            divergences=[_view(course.system, number, one) for number, one in enumerate(grade.shortfalls, start=1)],
            version=__version__,
            style=asset("style.css"),
            script=asset("runs.js"),
        )
    )


def _view(system: System, number: int, one: Shortfall) -> DivergenceView:
    gold, run = _gold(one), _run(system, one)
    return DivergenceView(
        f"divergence-{number}",
        _full_title(one),
        _where(one),
        one.text,
        tuple(_notes(system, one)),
        None if run is None else run_view(system, run),
        None if gold is None else Markup(arc_diagram.to_svg(gold, None, "Gold tree", True)),  # to_svg escapes
        one.replay,
    )


# --- for the teacher -------------------------------------------------------------------------------------------------


def summary(course: Coursework, grades: Sequence[Grade]) -> str:
    """Return how many submissions have each outcome."""
    counts = [(outcome, sum(grade.outcome == outcome for grade in grades)) for outcome in TONES]
    said = ", ".join(f"{number} {outcome if number == 1 else PLURAL[outcome]}" for outcome, number in counts if number)
    return f"{course.system.name}: {counted(len(grades), 'submission')}" + (f" ({said})" if said else "")


def _rows(course: Coursework, grades: Sequence[Grade]) -> list[tuple[str, ...]]:
    return [(grade.submission.given, points_text(course, grade), grade.outcome, short_text(grade)) for grade in grades]


def table_text(course: Coursework, grades: Sequence[Grade]) -> str:
    """Return the table for the terminal."""
    rows = [tuple(map(for_terminal, row)) for row in (HEADER, *_rows(course, grades))]
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = ["  " + "   ".join(map(padded, row, widths)).rstrip(" ") for row in rows]
    return "\n".join([summary(course, grades), *lines]) + "\n"


def table_markdown(course: Coursework, grades: Sequence[Grade]) -> str:
    """Return the table in Markdown, with a link to each report."""
    lines = [f"# Grades: {for_markdown(course.system.name)}", "", f"{for_markdown(summary(course, grades))}.", ""]
    lines += [f"| {' | '.join(HEADER)} |", "|---|---|---|---|"]
    for grade, (given, *rest) in zip(grades, _rows(course, grades), strict=True):
        link = f"[{for_markdown(given)}]({grade.submission.name}.md)"
        lines.append(f"| {' | '.join([link, *map(for_markdown, rest)])} |")
    return "\n".join(lines) + f"\n\narcproof {__version__}\n"


def table_html(course: Coursework, grades: Sequence[Grade]) -> str:
    """Return the table as a page."""
    return (
        environment()
        .get_template("grades.html")
        .render(
            course=course,
            header=HEADER,
            summary=summary(course, grades),
            rows=list(zip(grades, _rows(course, grades), strict=True)),
            tones=TONES,
            rule=RULE,
            version=__version__,
            style=asset("style.css"),
        )
    )
