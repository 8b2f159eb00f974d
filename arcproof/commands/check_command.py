"""`arcproof check`."""

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, complete_system, system_files, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import json_option
from arcproof.commands.results import CheckedSpecification, CheckedSpecifications

if TYPE_CHECKING:
    from collections.abc import Callable

    from arcproof.editors.diagnosis import Diagnosis
    from arcproof.transitions.syntax import Figure


@click.command("check", cls=Command)
@click.argument("files", nargs=-1, required=True, shell_complete=complete_system, metavar="FILE...")
@json_option
def command(files: tuple[str, ...], json_file: str | None) -> None:
    """Read each specification and report every problem: where it is, what is wrong, what would be right.

    For a specification without problems, print what was read and which nodes the rules drop: a dropped node can take no
    further part in a run. What is allowed but probably not intended, such as a name that an oracle line does not use,
    is a warning. With --json every problem has its line, its column and its end.

    Exit codes: 0 there is no error, 2 there is one.

    \b
    Example:
      arcproof check my-system.tsys
    """
    from arcproof.editors.diagnosis import diagnose

    check_outputs([json_file], system_files(files))
    if any("\n" in file for file in files):
        raise click.UsageError("a system is given by its name or by the path of its specification")
    found = CheckedSpecifications(tuple(checked(file, partial(diagnose, file)) for file in files))
    if json_file != "-":
        for one in found.files:
            _print(one)
    if json_file is not None:
        from arcproof.documents.check import document

        write_json(document((one.file, one.found) for one in found.files), json_file)
    if found.exit_code:
        sys.exit(found.exit_code)


def checked(file: str, diagnosed: "Callable[[], Diagnosis]") -> CheckedSpecification:
    """Diagnose a specification; if there is none to read, keep the error that says why."""
    from arcproof.transitions.errors import ArcproofError

    try:
        return CheckedSpecification(file, diagnosed())
    except ArcproofError as error:
        return CheckedSpecification(file, error)


def _print(one: CheckedSpecification) -> None:
    for text in errors_of(one):
        click.echo(text, err=True)
    if one.system is not None:
        click.echo("\n".join(summary(one.file, one.system.figure)))
        if one.problems:
            click.echo(warnings_of(one), err=True)


def errors_of(one: CheckedSpecification) -> list[str]:
    """The errors of a specification, as the command prints them."""
    if isinstance(one.found, Exception):
        return [f"error: {one.found}"]
    return [text if ": error: " in text else f"error: {text}" for text in one.found.told]


def warnings_of(one: CheckedSpecification) -> str:
    """The warnings of a specification without errors, as the command prints them."""
    from arcproof.transitions.reading.read import render

    return "" if one.system is None else render(one.problems, one.system.text, one.file)


def summary(file: str, figure: "Figure") -> list[str]:
    """Say what was read, and which nodes the rules drop."""
    from arcproof.transitions.printing.wording import HEADLESS_HANG_ON_ROOT, counted
    from arcproof.transitions.reading.check import dropped

    oracles = ", ".join(oracle.name for oracle in figure.oracles) or "none"
    dynamic = ", ".join(oracle.name for oracle in figure.dynamic_oracles)
    kinds = [f"oracles: {oracles}"] * bool(figure.oracles or not dynamic) + [f"dynamic oracles: {dynamic}"] * bool(
        dynamic
    )
    transitions = counted(len(figure.transitions()), "transition")
    counts = f"{transitions}, {', '.join(kinds)}, {counted(len(figure.claims), 'claim')}"
    lines = [f"{file}: ok: system {figure.name}, {counts}"]
    lines += [f"  root none: {HEADLESS_HANG_ON_ROOT}"] if figure.rootless else []
    for rule in figure.rules:
        nodes = dropped(rule)
        if nodes:
            lines.append(f"  {rule.name} drops {', '.join(nodes)}")
    return lines
