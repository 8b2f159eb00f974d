"""`arcproof experiment`."""

import sys
from pathlib import Path
from typing import Any

import click


@click.command("experiment")
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT...")
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Path without -train.conllu and -test.conllu; artificial is on board; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FOLDER",
    help="Where cells and tables go; an experiment that was interrupted goes on there.",
)
@click.option("--sentences", type=click.IntRange(1), metavar="N", help="Train on the first N sentences only.")
def command(variants: tuple[str, ...], treebanks: tuple[str, ...], output: str, sentences: int | None) -> None:
    """Train, parse and score every VARIANT on every treebank; tables as Markdown, HTML and CSV.

    A VARIANT is a system with techniques after colons: arc-eager, arc-eager:head+path, swap:oracle=lazy, arc-eager:svc, covington:parse.d=1. Differences are tested against
    the first. Exit code 4 if the interpreter finds fault with a parse.
    """
    from arcproof.classifiers.experiment import run

    def say(title: str, cell: dict[str, Any] | None) -> None:
        if cell is not None:
            click.echo(f"{title}: LAS {100 * cell['las']:.2f}, UAS {100 * cell['uas']:.2f}", err=True)

    table = run(variants, treebanks, Path(output), sentences, say)
    from arcproof.transitions.source import aligned

    click.echo("\n".join(aligned(table.rows(), "")))
    wrong = [problem for cell in table.cells.values() for problem in cell["problems"]]
    for problem in wrong:
        click.echo(f"contradiction: {problem}", err=True)
    sys.exit(4 if wrong else 0)
