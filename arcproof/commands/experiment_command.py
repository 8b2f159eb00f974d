"""`arcproof experiment`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, feature_files, system_files, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import (
    MAX_JOBS,
    WholeNumber,
    cluster_option,
    fresh_option,
    json_option,
    timeout_option,
    training_seed_option,
)
from arcproof.commands.results import ExperimentResults

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arcproof.classifiers.experiment import Cell


class WithTechniques(Command):
    """A command that lists the techniques at the end of its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click
        """List the techniques, from the table used to read variants."""
        from arcproof.classifiers.experiment import technique_lines

        with formatter.section("Techniques"):
            formatter.write_dl(technique_lines())


@click.command("experiment", cls=WithTechniques)
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT...")
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Path without -train.conllu and -test.conllu; artificial is built in; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FOLDER",
    help="Where cells and tables go; it is made if it is missing. An experiment that was interrupted continues there.",
)
@click.option("--sentences", type=WholeNumber(1), metavar="N", help="Train on the first N sentences only.")
@training_seed_option
@click.option(
    "--jobs",
    type=WholeNumber(1, MAX_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Train N parsers at a time; the scores are the same, the times are not.",
)
@timeout_option
@json_option
@fresh_option
@cluster_option
def command(
    variants: tuple[str, ...],
    treebanks: tuple[str, ...],
    output: str,
    sentences: int | None,
    seed: int,
    jobs: int,
    timeout: float | None,
    json_file: str | None,
    fresh: bool,
) -> None:
    """Train, parse and score every VARIANT on every treebank, and write tables and plots.

    They are written as HTML, CSV, JSON and SVG. A VARIANT is a system with techniques after colons:
    arc-eager, arc-eager:head+path, swap:oracle=lazy, arc-eager:svc, covington:parse.d=1. Differences are tested against
    the first variant. Every parse is replayed by the interpreter.

    Exit codes: 0 all cells are computed, 2 wrong usage or input, 3 --timeout or Ctrl-C came first (the same command
    continues from there), 4 the interpreter finds fault with a parse.

    \b
    Example:
      arcproof experiment arc-eager swap --treebank artificial -o results
    """
    check_files(variants, treebanks, output, json_file)
    from arcproof.documents.experiment import document
    from arcproof.reports import experiment
    from arcproof.reports.progress import tracked
    from arcproof.transitions.printing.source import aligned

    with tracked("experiment") as progress:
        progress.begin("experiment", len(variants) * len(treebanks))

        def tell(cell: "Cell") -> None:
            progress.advance()
            title = f"{cell['variant']} on {cell['treebank']}"
            click.echo(f"{title}: LAS {100 * cell['las']:.2f}, UAS {100 * cell['uas']:.2f}", err=True)

        found = experimented(variants, treebanks, output, sentences, seed, jobs, timeout, fresh, tell)
    if found.ended_by is not None:
        click.echo(f"{found.ended_by}; the same command continues from here", err=True)
    if found.table.cells:
        write_json(document(found.table), json_file)
    if found.table.cells and json_file != "-":
        click.echo("\n".join(aligned(experiment.scores(found.table), "")))
        means = experiment.gains(found.table)
        if len(means) > 1:
            click.echo("\n".join(["", *aligned(means, "")]))
    for problem in (problem for cell in found.table.cells.values() for problem in cell["problems"]):
        click.echo(f"contradiction: {problem}", err=True)
    sys.exit(found.exit_code)


def check_files(
    variants: "Sequence[str]", treebanks: "Sequence[str]", output: str, json_file: str | None = None
) -> None:
    """Check that no output would overwrite an input."""
    from arcproof.classifiers.experiment import files_of, variant
    from arcproof.reports import experiment

    folder = Path(output)
    named = [file for text in variants for file in variant(text).files]
    if not folder.is_file():
        check_outputs(
            [*(str(folder / name) for name in experiment.FILES), json_file],
            [*feature_files(system_files(named)), *(file for treebank in treebanks for file in files_of(treebank))],
            folder,
        )


def experimented(
    variants: "Sequence[str]",
    treebanks: "Sequence[str]",
    output: str,
    sentences: int | None,
    seed: int,
    jobs: int,
    timeout: float | None,
    fresh: bool,
    tell: "Callable[[Cell], None]" = lambda _: None,
) -> ExperimentResults:
    """Compute the missing cells, and write the tables; `tell` is called with each cell."""
    from arcproof.classifiers.experiment import ResultTable, run, variant
    from arcproof.classifiers.learners.learner import Settings
    from arcproof.documents.experiment import document
    from arcproof.documents.wire import json_text
    from arcproof.process.interruption import time_limit, what_ended
    from arcproof.reports import experiment

    folder, table, ended_by = Path(output), ResultTable((), (), {}), None

    def done(so_far: "ResultTable", cell: "Cell") -> None:
        nonlocal table
        table = so_far
        tell(cell)

    try:
        with time_limit(timeout):
            for text in variants:
                variant(text).check()
            run(tuple(variants), tuple(treebanks), folder, sentences, Settings(seed=seed), jobs, done, fresh)
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    if table.cells:
        experiment.write(table, folder, json_text(document(table), indent=1) + "\n")
    return ExperimentResults(table, output, ended_by)
