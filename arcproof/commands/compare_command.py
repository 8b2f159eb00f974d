"""`arcproof compare`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, complete_system, load_system, system_files, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import (
    engine_option,
    jobs_option,
    json_option,
    memory_option,
    timeout_option,
    words_option,
)
from arcproof.commands.results import ComparedSystems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.studies.compare import SystemComparison
    from arcproof.transitions.system import System


@click.command("compare", cls=Command)
@click.argument("first", shell_complete=complete_system)
@click.argument("second", shell_complete=complete_system)
@words_option(5, help="Compare up to N words.")
@json_option
@engine_option
@jobs_option
@memory_option
@timeout_option
def command(
    first: str,
    second: str,
    words: int,
    json_file: str | None,
    engine: "EngineName",
    jobs: int,
    memory: int,
    timeout: float | None,
) -> None:
    """Compare the graphs that two systems derive: equal, contained, contains or neither, with smallest witnesses.

    For graphs that both derive, also find the smallest for which one needs fewer transitions.

    Exit codes: 0 everything up to N words is compared, 2 wrong usage or input, 3 --memory, --timeout or Ctrl-C came
    first.

    \b
    Example:
      arcproof compare arc-standard arc-hybrid --words 4
    """
    from arcproof.process.interruption import time_limit

    systems = load_system(first), load_system(second)
    check_outputs([json_file], system_files([first, second]))
    with time_limit(timeout):
        found = compared(*systems, words, engine, jobs, memory)
    if found.result.ended_by is not None:
        click.echo(found.result.ended_by, err=True)
    if json_file is not None:
        from arcproof.documents.compare import document

        write_json(document(found.result, *found.levels), json_file)
    if json_file != "-":
        click.echo("\n".join(lines_of(found)))
    sys.exit(found.exit_code)


def compared(
    one: "System", other: "System", words: int, engine: "EngineName", jobs: int, memory: int
) -> ComparedSystems:
    """Explore both systems, and compare what they derive."""
    from arcproof.properties.engines.engine import engine_for
    from arcproof.properties.engines.levels import Levels
    from arcproof.properties.studies.compare import compare
    from arcproof.reports.progress import tracked

    with tracked(f"compare {one.name} and {other.name}"):
        first, second = (Levels(s, words, memory // 2, engine_for(s, engine, jobs)) for s in (one, other))
        return ComparedSystems(compare(first, second), (first, second), words)


def lines_of(found: ComparedSystems) -> list[str]:
    """Format the result as text."""
    from arcproof.reports.findings import remarks

    nothing = ["nothing was compared: not even sentences of one word were explored"]
    one, other = found.levels
    said = nothing if found.result.words < 1 else list(_said(one.system.name, other.system.name, found.result))
    return said + [f"  {level.system.name}: {line}" for level in found.levels for line in remarks(level)]


def _said(one: str, other: str, result: "SystemComparison") -> "Iterator[str]":
    from arcproof.transitions.printing.wording import counted

    words = {
        "equal": f"{one} and {other} derive the same graphs",
        "contained": f"every graph that {one} derives, {other} derives too, and more",
        "contains": f"{one} derives every graph that {other} derives, and more",
        "neither": f"each of {one} and {other} derives graphs that the other does not",
    }
    far = counted(result.words, "word")
    yield f"{result.relation}: {words[result.relation]}, up to {far} ({result.common} in common)"
    for name, clashing in ((one, result.clashes[0]), (other, result.clashes[1])):
        if clashing:
            yield (
                f"note: {name} adds arcs to words that already have a head or, with several heads, arcs that already "
                f"exist; such a run counts here by its arcs alone, without labels"
            )
    for name, witness in ((one, result.only_first), (other, result.only_second)):
        if witness is not None:
            run = " ".join(transition.instance for transition in witness.transitions)
            yield f"only {name}: {witness.graph}   {run}"
    for name, found in ((one, result.shorter_first), (other, result.shorter_second)):
        if found is not None:
            first = counted(found.first, "transition")
            yield f"{name} is shorter on {found.graph}: {first} in {one}, {found.second} in {other}"
