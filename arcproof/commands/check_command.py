"""`arcproof check`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, complete_system, system_files

if TYPE_CHECKING:
    from arcproof.editors.diagnosis import Diagnosis
    from arcproof.transitions.errors import ArcproofError
    from arcproof.transitions.syntax import Figure


@click.command("check")
@click.argument("files", nargs=-1, required=True, shell_complete=complete_system, metavar="FILE...")
@click.option(
    "--json",
    "json_file",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write JSON: every problem with its line, column and end. Without FILE, or with -, to standard output.",
)
def command(files: tuple[str, ...], json_file: str | None) -> None:
    """Read each specification and report every problem: where, what is wrong, what would be right.

    For a specification without problems it says what was read and which nodes the rules drop: a dropped node can take no
    further part in a run. What is allowed but hardly meant, such as a name that an oracle line does not use, is a
    warning. Exit code 0 if there is no error, else 2.
    """
    from arcproof.transitions.library import SUFFIX

    if json_file is not None and json_file.endswith(SUFFIX):
        raise click.UsageError(
            f"--json would write to {json_file}; give the specification first: arcproof check {json_file} --json"
        )
    check_outputs([json_file], system_files(files))
    checked = [_checked(file, quiet=json_file == "-") for file in files]
    if json_file is not None:
        from arcproof.commands.verify_command import write_file
        from arcproof.documents.check import document
        from arcproof.documents.wire import json_text

        write_file(json_file, json_text(document(zip(files, checked, strict=True))) + "\n")
    if any(isinstance(one, Exception) or not one.is_sound for one in checked):
        sys.exit(2)


def _checked(file: str, quiet: bool) -> "Diagnosis | ArcproofError":
    """What is wrong with a specification, or why there is none; printed unless it is to be quiet."""
    from arcproof.editors.diagnosis import diagnose
    from arcproof.transitions.errors import ArcproofError
    from arcproof.transitions.reading.read import render

    if "\n" in file:
        raise click.UsageError("a system is given by its name or by the path of its specification")
    try:
        diagnosis = diagnose(file)
    except ArcproofError as error:
        if not quiet:
            click.echo(f"error: {error}", err=True)
        return error
    for text in () if quiet else diagnosis.told:
        click.echo(text if ": error: " in text else f"error: {text}", err=True)
    if diagnosis.is_sound and not quiet:
        assert diagnosis.system is not None
        click.echo("\n".join(_summary(file, diagnosis.system.figure)))
        if diagnosis.diagnostics:
            click.echo(render(diagnosis.diagnostics, diagnosis.system.text, file), err=True)
    return diagnosis


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
