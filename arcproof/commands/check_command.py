"""`arcproof check`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import complete_system, load_system

if TYPE_CHECKING:
    from arcproof.transitions.syntax import Figure


@click.command("check")
@click.argument("files", nargs=-1, required=True, shell_complete=complete_system, metavar="FILE...")
def command(files: tuple[str, ...]) -> None:
    """Read each specification and report every problem: where, what is wrong, what would be right.

    For a specification without problems it says what was read and which nodes the rules drop: a dropped node can take no
    further part in a run. Exit code 0 if all are well, else 2.
    """
    from arcproof.transitions.errors import ArcproofError

    bad = 0
    for file in files:
        try:
            figure = load_system(file).figure
        except ArcproofError as error:
            bad += 1
            text = str(error)
            click.echo(text if ": error: " in text else f"error: {text}", err=True)
        else:
            click.echo("\n".join(_summary(file, figure)))
    if bad:
        sys.exit(2)


def _summary(file: str, figure: "Figure") -> list[str]:
    from arcproof.transitions.reading.check import dropped

    oracles = ", ".join(oracle.name for oracle in figure.oracles) or "none"
    dynamic = ", ".join(oracle.name for oracle in figure.dynamic_oracles)
    kinds = [f"oracles: {oracles}"] * bool(figure.oracles or not dynamic) + [f"dynamic oracles: {dynamic}"] * bool(
        dynamic
    )
    counts = f"{len(figure.transitions())} transitions, {', '.join(kinds)}, {len(figure.claims)} claims"
    lines = [f"{file}: ok: system {figure.name}, {counts}"]
    for rule in figure.rules:
        nodes = dropped(rule)
        if nodes:
            lines.append(f"  {rule.name} drops {', '.join(nodes)}")
    return lines
