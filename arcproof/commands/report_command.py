"""`arcproof report`."""

import sys
from pathlib import Path

import click

from arcproof.commands.arguments import complete_system, load_system


@click.command("report")
@click.argument("systems", nargs=-1, shell_complete=complete_system, metavar="[SYSTEM]...")
@click.option(
    "--words", type=click.IntRange(0, 8), default=4, show_default=True, help="Try every graph up to this many words."
)
@click.option(
    "-o", "--output", default="report/index.html", show_default=True, metavar="FILE", help="Where to write the page."
)
def command(systems: tuple[str, ...], words: int, output: str) -> None:
    """Write an HTML page: each figure, a derivation, and its oracles tried on every graph of the class they are claimed for.

    Without SYSTEM all systems on board are reported. Exit code 1 if an oracle fails on a graph of its class.
    """
    from arcproof.reports.page import render
    from arcproof.transitions.library import system_names

    loaded = [load_system(system) for system in systems or system_names()]
    text, summary = render(loaded, words)
    path = Path(output)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None
    click.echo(summary)
    click.echo(f"{path} written")
    if summary.failures:
        sys.exit(1)
