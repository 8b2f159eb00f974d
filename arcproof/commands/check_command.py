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
    further part in a run. What is allowed but hardly meant, such as a name that an oracle line does not use, is a
    warning. Exit code 0 if there is no error, else 2.
    """
    from arcproof.transitions.errors import ArcproofError
    from arcproof.transitions.reading.read import read, render

    bad = 0
    for file in files:
        try:
            system = load_system(file)
            reading = read(system.text, file)
        except ArcproofError as error:
            bad += 1
            text = str(error)
            click.echo(text if ": error: " in text else f"error: {text}", err=True)
        else:
            click.echo("\n".join(_summary(file, system.figure)))
            if reading.warnings:
                click.echo(render(reading.warnings, system.text, file), err=True)
    if bad:
        sys.exit(2)


def _summary(file: str, figure: "Figure") -> list[str]:
    from arcproof.transitions.printing.wording import HEADLESS_HANG_ON_ROOT
    from arcproof.transitions.reading.check import dropped

    oracles = ", ".join(oracle.name for oracle in figure.oracles) or "none"
    dynamic = ", ".join(oracle.name for oracle in figure.dynamic_oracles)
    kinds = [f"oracles: {oracles}"] * bool(figure.oracles or not dynamic) + [f"dynamic oracles: {dynamic}"] * bool(
        dynamic
    )
    counts = f"{len(figure.transitions())} transitions, {', '.join(kinds)}, {len(figure.claims)} claims"
    lines = [f"{file}: ok: system {figure.name}, {counts}"]
    lines += [f"  root none: {HEADLESS_HANG_ON_ROOT}"] if figure.rootless else []
    for rule in figure.rules:
        nodes = dropped(rule)
        if nodes:
            lines.append(f"  {rule.name} drops {', '.join(nodes)}")
    return lines
