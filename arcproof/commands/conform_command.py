"""`arcproof conform`."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arcproof.commands.arguments import check_outputs, complete_system, load_system, system_files, write_file
from arcproof.commands.command import Command
from arcproof.commands.options import (
    MAX_JOBS,
    Duration,
    WholeNumber,
    cluster_option,
    default_jobs,
    html_file_option,
    json_option,
    samples_option,
    samples_seed_option,
    timeout_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arcproof.properties.conformance.case import OneCase
    from arcproof.properties.conformance.conform import Conformance
    from arcproof.properties.conformance.driver import DriverParts
    from arcproof.properties.conformance.references import NamedDriver
    from arcproof.transitions.system import System

CALLS_TO_LOAD: Final = 12
"""Importing and creating a driver may take as long as this many calls."""


@click.command("conform", cls=Command)
@click.argument("figure", required=False, shell_complete=complete_system)
@click.argument("driver", required=False)
@click.option("--drivers", "list_drivers", is_flag=True, help="List the included drivers.")
@click.option(
    "--words",
    type=WholeNumber(0, 20),
    default=None,
    show_default="4",
    metavar="N",
    help="Try everything up to N words; with --log or --replay, the number of words of the sentences (no default).",
)
@samples_option(100, "Longer runs and trees, drawn at random, for each part that is compared.")
@samples_seed_option
@click.option(
    "--call-timeout",
    type=Duration(most=3600),
    default=5.0,
    show_default=True,
    metavar="TIME",
    help="A call that takes longer counts as hanging.",
)
@timeout_option
@click.option(
    "--replay",
    "run",
    metavar="RUN",
    help='Repeat one run, e.g. "SHIFT LEFT-ARC"; needs --words or --gold.',
)
@click.option("--gold", metavar="HEADS", help="With --replay: the gold tree for the oracles, e.g. 2,0,2.")
@click.option("--labels", metavar="LABELS", help="With --replay and --gold: the labels for the encoding, e.g. a,b,a.")
@click.option(
    "--log",
    "log_file",
    metavar="FILE",
    help="Check transition sequences in a file instead, one sentence a line.",
)
@click.option(
    "--names", metavar="NAMES", help='With --log: the names it uses, e.g. "SH=SHIFT LA=LEFT-ARC RA=RIGHT-ARC".'
)
@click.option("--treebank", metavar="FILE", help="With --log: the sentences, for their numbers of words.")
@click.option(
    "--expect-gold",
    is_flag=True,
    help="With --treebank: the log is an oracle's, so each run must lead to the gold tree.",
)
@click.option(
    "--jobs",
    type=WholeNumber(1, MAX_JOBS),
    default=default_jobs,
    metavar="N",
    help="With --log: work in N processes; default all cores. The results are the same.",
)
@click.option("--write-test", "test_file", metavar="FILE", help="Write a pytest file with a test for each divergence.")
@json_option
@html_file_option
@cluster_option
def command(
    figure: str | None,
    driver: str | None,
    list_drivers: bool,
    words: int | None,
    samples: int,
    seed: int,
    call_timeout: float,
    timeout: float | None,
    run: str | None,
    gold: str | None,
    labels: str | None,
    log_file: str | None,
    names: str | None,
    treebank: str | None,
    expect_gold: bool,
    jobs: int,
    test_file: str | None,
    json_file: str | None,
    html_file: str | None,
) -> None:
    """Compare a program with FIGURE: does it permit, do and output what the figure says?

    DRIVER is a small class around the program, written package.module:Class or path/to/file.py:Class, or an included
    one (--drivers lists them). It has the methods start, permissible, apply and is_terminal; docs/conformance.md
    describes what else it may have. The figure and the driver take the same transitions, in all runs up to N words and
    in longer ones drawn at random, and everything the driver shows is compared. The smallest divergence of each kind is
    reported; among runs drawn at random, the smallest one found.

    With --log there is no driver: each line of the file must be a run of the figure, from its start to its end.
    --cluster is for the lines of a log; a driver runs here.

    Exit codes: 0 it conforms (with --replay: nothing diverged in this run), 1 it diverges, 2 wrong usage or input, 3 a
    limit came first.

    \b
    Example:
      arcproof conform arc-eager my_parser.py:Driver
    """
    from arcproof.process.interruption import time_limit
    from arcproof.properties.conformance.case import case_of
    from arcproof.properties.conformance.driver import parts_of

    if list_drivers:
        if json_file is not None:
            raise click.UsageError("--json is for a comparison; leave it out with --drivers")
        _list_drivers()
        return
    source = click.get_current_context().get_parameter_source("jobs")
    check_usage(log_file, names, treebank, expect_gold, source is click.core.ParameterSource.COMMANDLINE)
    if log_file is not None:
        from arcproof.commands.log_checking import conform_log

        check_log_usage(
            figure, driver,
            {"--replay": run, "--gold": gold, "--labels": labels, "--write-test": test_file, "--html": html_file},
        )  # fmt: skip
        with time_limit(timeout):
            code = conform_log(figure or "", log_file, names or "", treebank, expect_gold, words, jobs, json_file)
        sys.exit(code)
    with loading(driver or figure or "", timeout, call_timeout):
        system, chosen = chosen_driver(figure, driver)
        parts = parts_of(chosen.driver)
    case = case_of(run, gold, labels, words)
    outputs = {"test": test_file, "json": json_file, "html": html_file}
    _check_files(system, outputs)
    found = conformed(system, chosen.reference, parts, (words, samples, seed, timeout, call_timeout), case)
    _write(found, outputs)
    sys.exit(found.exit_code)


def conformed(
    system: "System",
    reference: str,
    parts: "DriverParts[Any, Any]",
    extent: tuple[int | None, int, int, float | None, float],
    case: "OneCase | None",
) -> "Conformance":
    """Compare a driver with a figure; `extent` holds words, samples, a seed and the two limits."""
    from arcproof.properties.conformance.apart import conform
    from arcproof.properties.conformance.conform import WORDS, Extent
    from arcproof.reports.progress import tracked

    words, samples, seed, seconds, call_seconds = extent
    effort = Extent(WORDS if words is None else words, samples, seed, seconds, call_seconds)
    with tracked("conform") as tracker:
        return conform(system, reference, parts, effort, tracker.say, case)


@contextmanager
def loading(reference: str, timeout: float | None, call_timeout: float) -> "Iterator[None]":
    """Import and create a driver, discarding what it prints; it gets the time of several calls, as libraries are large."""
    from arcproof.process.interruption import TimeIsOver, time_limit
    from arcproof.process.quiet import quiet

    enough = CALLS_TO_LOAD * call_timeout
    seconds = enough if timeout is None else min(timeout, enough)
    try:
        with quiet(1), time_limit(seconds):
            yield
    except TimeIsOver:
        raise TimeIsOver(
            f"{reference} was not imported and created within {seconds:g} s; --timeout and --call-timeout give it more "
            "time"
        ) from None


def check_usage(
    log_file: str | None, names: str | None, treebank: str | None, expect_gold: bool, has_jobs: bool
) -> None:
    """Check that the options for a log fit together; `has_jobs` says whether the user gave --jobs."""
    if log_file is None and has_jobs:
        raise click.UsageError("--jobs goes with --log; a driver runs in one process")
    if log_file is None and (names is not None or treebank is not None or expect_gold):
        raise click.UsageError("--names, --treebank and --expect-gold go with --log")
    if expect_gold and treebank is None:
        raise click.UsageError("--expect-gold needs the gold trees: --treebank FILE")


def check_log_usage(figure: object | None, driver: object | None, given: dict[str, str | None]) -> None:
    """Check that the other options can be used with a log."""
    if figure is None or driver is not None:
        raise click.UsageError("--log takes a figure and no driver, as in `arcproof conform arc-eager --log FILE`")
    wrong = [option for option, value in given.items() if value is not None]
    if wrong:
        raise click.UsageError(
            f"{' and '.join(wrong)} cannot be used with --log: this needs a driver, and a log has none"
        )


def chosen_driver(figure: str | None, driver: str | None) -> "tuple[System, NamedDriver]":
    """Return the figure and the driver; a driver given alone may name its figure."""
    from arcproof.properties.conformance.references import included_names, named

    if figure is None:
        raise click.UsageError("give a figure and a driver, as in `arcproof conform arc-eager my_parser.py:Driver`")
    if driver is not None:
        return load_system(figure), named(driver, figure)
    if _is_figure(figure) and figure not in included_names():
        raise click.UsageError(
            f"{figure} is a figure; a driver is missing, as in `arcproof conform {figure} my_parser.py:Driver`, "
            f"or a log, as in `arcproof conform {figure} --log FILE`"
        )
    alone = named(figure)
    if alone.figure is None:
        raise click.UsageError(
            f"{figure} does not say which figure it follows; write `arcproof conform FIGURE {figure}`"
        )
    return load_system(alone.figure), alone


def _is_figure(reference: str) -> bool:
    from arcproof.transitions.library import system_names

    name = reference.partition("[")[0]
    return name in system_names() or name.endswith(".tsys")


def _list_drivers() -> None:
    from arcproof.properties.conformance.references import included, included_names

    names = included_names()
    if not names:
        click.echo("no drivers are included")
    for driver in [driver for name in names for driver in included(name)]:
        about = (driver.kind.__doc__ or "").strip().partition("\n")[0]
        click.echo(f"{driver.reference:25}  {Path(driver.figure or '-').stem:20}  {about}")


def _check_files(system: "System", outputs: dict[str, str | None]) -> None:
    """Refuse to overwrite what has been imported, or any program that arcproof did not write: the driver may import it
    later.
    """
    from arcproof.properties.conformance.references import imported_files
    from arcproof.reports.divergence_test import is_written_by_arcproof

    given = {kind: path for kind, path in outputs.items() if path is not None}
    check_outputs(list(given.values()), [*system_files([system.reference]), *imported_files()] if given else [])
    test = given.get("test", "-")
    if test != "-" and not test.endswith(".py"):
        raise click.UsageError(f"--write-test {test}: pytest reads only files whose names end in .py")
    for kind, path in given.items():
        is_program = kind == "test" or path.endswith(".py")
        if is_program and Path(path).is_file() and not is_written_by_arcproof(path):
            raise click.UsageError(
                f"{path} exists and was not written by arcproof, so it is not overwritten; give the name of another file"
            )


def _write(found: "Conformance", outputs: dict[str, str | None]) -> None:
    from arcproof.reports.conformance import to_text

    for kind, path in outputs.items():
        if path is not None and (kind != "test" or found.found):
            write_file(path, _text(found, kind, path))
    if "-" not in outputs.values():
        click.echo(to_text(found), nl=False)
    test = outputs["test"]
    if test is not None and not found.found:
        click.echo("no test is written, as nothing diverged", err="-" in outputs.values())
    elif test not in (None, "-"):
        click.echo(f"{test} written", err="-" in outputs.values())


def _text(found: "Conformance", kind: str, path: str) -> str:
    match kind:
        case "json":
            from arcproof.documents.conform import document
            from arcproof.documents.wire import json_text

            return json_text(document(found)) + "\n"
        case "html":
            from arcproof.reports.conformance_page import conformance_html

            return conformance_html(found)
        case _:
            from arcproof.reports.divergence_test import to_pytest

            return to_pytest(found, path)
