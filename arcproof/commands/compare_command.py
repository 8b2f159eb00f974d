"""`arcproof compare`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    complete_system,
    echo_json,
    engine_option,
    jobs_option,
    json_option,
    load_system,
    memory_option,
)

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.studies.compare import SystemComparison


@click.command("compare")
@click.argument("first", shell_complete=complete_system)
@click.argument("second", shell_complete=complete_system)
@click.option(
    "--words", type=click.IntRange(0, 20), default=5, show_default=True, metavar="N", help="Compare up to N words."
)
@json_option
@engine_option
@jobs_option
@memory_option
def command(first: str, second: str, words: int, as_json: bool, engine: "EngineName", jobs: int, memory: int) -> None:
    """Compare the graphs that two systems derive: equal, contained, contains or neither, with the smallest witness on each side.

    For graphs that both derive, also the smallest for which one needs fewer transitions. Exit code 3 if --memory stopped the comparison
    before N words.
    """
    from arcproof.properties.engines.engine import engine_for
    from arcproof.properties.engines.levels import Levels
    from arcproof.properties.studies.compare import compare
    from arcproof.reports.findings import remarks
    from arcproof.reports.progress import tracked

    one, other = load_system(first), load_system(second)
    with tracked(f"compare {one.name} and {other.name}"):
        levels = [Levels(s, words, memory // 2, engine_for(s, engine, jobs)) for s in (one, other)]
        result = compare(*levels)
    if as_json:
        from arcproof.documents.compare import document

        echo_json(document(result, *levels))
    elif result.words < 1:
        click.echo("nothing was compared: no sentence with words could be explored within the limits")
    else:
        _print(one.name, other.name, result)
    if not as_json:
        for level in levels:
            for line in remarks(level):
                click.echo(f"  {level.system.name}: {line}")
    sys.exit(0 if result.words >= words > 0 else 3)


def _print(one: str, other: str, result: "SystemComparison") -> None:
    words = {
        "equal": f"{one} and {other} derive the same graphs",
        "contained": f"every graph that {one} derives, {other} derives too, and more",
        "contains": f"{one} derives every graph that {other} derives, and more",
        "neither": f"each of {one} and {other} derives graphs that the other does not",
    }
    click.echo(f"{result.relation}: {words[result.relation]}, up to {result.words} words ({result.common} in common)")
    for name, clashing in ((one, result.clashes[0]), (other, result.clashes[1])):
        if clashing:
            click.echo(
                f"note: {name} adds arcs to words that have a head, or with several heads arcs that are there; such a run "
                "counts here by its arcs alone, without labels"
            )
    for name, witness in ((one, result.only_first), (other, result.only_second)):
        if witness is not None:
            run = " ".join(transition.instance for transition in witness.transitions)
            click.echo(f"only {name}: {witness.graph}   {run}")
    for name, found in ((one, result.shorter_first), (other, result.shorter_second)):
        if found is not None:
            click.echo(
                f"{name} is shorter on {found.graph}: {found.first} transitions in {one}, {found.second} in {other}"
            )
