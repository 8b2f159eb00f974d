"""`arcproof grade`."""

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Final

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    load_system,
    make_folder,
    system_files,
    write_file,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    Duration,
    WholeNumber,
    call_timeout_option,
    conformance_samples_option,
    few_jobs_option,
    json_option,
    memory_limit,
    samples_seed_option,
    timeout_option,
    words_option,
)
from arcproof.commands.results import GradedSubmissions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.commands.grading import GradingLimits
    from arcproof.properties.conformance.grades import Grade, PointsRule, Submission
    from arcproof.reports.grades import Coursework

LEAST_MEMORY: Final = 2**29
ENDINGS: Final = ("md", "html", "json")


@click.command("grade", cls=Command)
@click.argument("figure", shell_complete=complete_system)
@click.argument("submissions", nargs=-1, required=True)
@click.option(
    "--output",
    "-o",
    "folder",
    required=True,
    metavar="DIR",
    help="The folder for the reports and the table; it is made if it is missing.",
)
@click.option(
    "--class",
    "class_name",
    metavar="NAME",
    help="The class to grade in files given without one; by default, the class with parse_step or permissible.",
)
@click.option(
    "--points",
    type=WholeNumber(1, 1000),
    default=10,
    show_default=True,
    metavar="N",
    help="The points of a submission that conforms.",
)
@words_option(4, least=1)
@conformance_samples_option
@samples_seed_option
@click.option(
    "--timeout-submission",
    type=Duration(least=0.1, most=10**6, may_be_least=True),
    default=60.0,
    show_default=True,
    metavar="TIME",
    help="How long each submission may take.",
)
@call_timeout_option
@timeout_option
@memory_limit("How much memory each submission may use, at least 512M")
@few_jobs_option("Compare N submissions at a time, each with its own limits; the grades are the same.")
@json_option
def command(
    figure: str,
    submissions: tuple[str, ...],
    folder: str,
    class_name: str | None,
    points: int,
    words: int,
    samples: int,
    seed: int,
    timeout_submission: float,
    call_timeout: float,
    timeout: float | None,
    memory: int,
    jobs: int,
    json_file: str | None,
) -> None:
    """Grade the submissions of a course: compare each with FIGURE, and write a report for each student.

    A submission is a file, or a class as `arcproof conform` takes it: path/to/file.py:Class or package.module:Class; a
    folder stands for the Python files in it.  The class PartialParse of a common course assignment needs no driver.
    Each submission runs in a process of its own, with limits; one that crashes, hangs or prints anything gets a report
    like the others and does not affect them. They run with your rights, so use a container to grade what you do not
    trust.

    DIR gets NAME.md, NAME.html and NAME.json for each submission, with the smallest divergence of each kind drawn and a
    command that shows it again, and the table in grades.md, grades.html and grades.json.

    The points are divided equally among the tasks: what each transition does, where it is permitted, where a run ends,
    and whatever else the submission offers. A task earns its share if the submission was never wrong about it, and was
    right in some cases where doing nothing or always giving the same answer would be wrong. A submission that gives no
    result gets no points; if a limit came before anything diverged, the points are open.

    Exit codes: 0 all conform, 1 one diverges or gives no result, 2 wrong usage or input, 3 a limit came first for one
    and none diverges or fails.

    \b
    Example:
      arcproof grade arc-standard-stack student.py -o graded
    """
    from arcproof.commands.grading import GradingLimits
    from arcproof.commands.submissions import other_figures
    from arcproof.documents.grade import document
    from arcproof.process.interruption import time_limit
    from arcproof.properties.conformance.grades import PointsRule
    from arcproof.reports.grades import table_text

    limits = GradingLimits(words, samples, seed, timeout_submission, call_timeout, memory)
    with time_limit(timeout):
        found = graded(figure, submissions, folder, class_name, PointsRule(points), limits, jobs, json_file)
    for one in found.grades:
        if one.submission.advice:
            click.echo(f"note: {one.submission.given}: {one.submission.problem}; {one.submission.advice}", err=True)
    for sentence in other_figures(found.course.system, [one.submission for one in found.grades]):
        click.echo(f"note: {sentence}", err=True)
    write_json(document(found.course.system, found.course.rule, found.grades), json_file)
    if json_file != "-":
        click.echo(table_text(found.course, found.grades), nl=False)
    sys.exit(found.exit_code)


def graded(
    figure: str,
    submissions: "Sequence[str]",
    folder: str | None,
    class_name: str | None,
    rule: "PointsRule",
    limits: "GradingLimits",
    jobs: int,
    json_file: str | None = None,
) -> GradedSubmissions:
    """Grade submissions, and write the reports if there is a folder for them."""
    from arcproof.commands.submissions import check_figure, file_of, files_in, submissions_of
    from arcproof.reports.grades import Coursework

    if limits.memory < LEAST_MEMORY:
        raise click.UsageError("--memory must be at least 512M: Python and what a figure needs take some of it")
    references = files_in(submissions)
    files = [file_of(one) for one in references]
    course = Coursework(load_system(figure), rule)
    given = submissions_of(references, class_name)
    check_figure(course.system, given)
    if folder is not None:
        names = [f"{name}.{ending}" for name in ("grades", *(one.name for one in given)) for ending in ENDINGS]
        inputs = [*system_files([figure]), *(path for path in files if path is not None)]
        check_outputs([*(os.path.join(folder, name) for name in names), json_file], inputs, folder)
    grades = _grades(figure, given, course.rule, limits, jobs)
    if folder is not None:
        _write(folder, course, grades)
    return GradedSubmissions(course, grades)


def _grades(
    figure: str, given: "list[Submission]", rule: "PointsRule", limits: "GradingLimits", jobs: int
) -> "tuple[Grade, ...]":
    """Return all grades; after Ctrl-C, or when the time for the command is up, the remaining ones are open."""
    from arcproof.commands import grading
    from arcproof.process.interruption import what_ended
    from arcproof.properties.conformance.grades import Grade
    from arcproof.reports.progress import tracked

    known: dict[int, Grade] = {}
    reason = ""
    with tracked("grade") as progress:
        progress.begin("grade", len(given))
        try:
            with closing(grading.grades(figure, given, rule, limits, jobs)) as found:
                for place, grade in found:
                    known[place] = grade
                    progress.say(grade.submission.name)
                    progress.advance()
        except KeyboardInterrupt as interruption:
            reason = f"grading ended before this submission was compared: {what_ended(interruption)}"
    return tuple(known.get(place) or Grade(one, "open", None, 0.0, reason) for place, one in enumerate(given))


def _write(folder: str, course: "Coursework", grades: "tuple[Grade, ...]") -> None:
    from arcproof.documents.grade import document
    from arcproof.documents.wire import json_text
    from arcproof.reports.grades import table_html, table_markdown, to_html, to_markdown

    make_folder(folder)
    for one in grades:
        texts = (
            to_markdown(course, one),
            to_html(course, one),
            json_text(document(course.system, course.rule, [one])) + "\n",
        )
        for ending, text in zip(ENDINGS, texts, strict=True):
            write_file(os.path.join(folder, f"{one.submission.name}.{ending}"), text)
    tables = (
        table_markdown(course, grades),
        table_html(course, grades),
        json_text(document(course.system, course.rule, grades)) + "\n",
    )
    for ending, text in zip(ENDINGS, tables, strict=True):
        write_file(os.path.join(folder, f"grades.{ending}"), text)
