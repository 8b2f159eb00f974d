"""`arcproof oracle`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    engine_option,
    json_file_option,
    load_system,
    system_files,
    timeout_option,
    words_option,
)

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName


@click.command("oracle")
@click.argument("system", shell_complete=complete_system)
@click.option("--derive", is_flag=True, help="Find exact costs from the figure alone.")
@click.option(
    "--class",
    "graphs",
    metavar="CLASS",
    help="The gold graphs, e.g. 'projective trees'.  [default: the class that the figure is complete for, as trees; else trees]",
)
@words_option(3, least=1)
@json_file_option
@engine_option
@timeout_option
def command(
    system: str,
    derive: bool,
    graphs: str | None,
    words: int,
    json_file: str | None,
    engine: "EngineName",
    timeout: float | None,
) -> None:
    """What the transitions of SYSTEM cost: how many more heads are wrong at best, after each of them.

    The dynamic oracles of the figure are held against the true costs, in every configuration up to N words and for every
    gold graph of the class: are they exact, is what they call free free, do they always call something free?

    With --derive a dynamic oracle is worked out instead: sums of counts over the sequences that are the true costs up to
    N words, checked with up to two words more. They are printed as lines that can be pasted into the figure.

    Exit codes: 0 everything asked about is exact, or costs were found; 1 some cost is wrong; 2 wrong usage or input; 3 a
    limit came first, or none of the sums that were tried is the cost of some transition.
    """
    from arcproof.commands.verify_command import write_file
    from arcproof.documents.oracle import document
    from arcproof.documents.wire import json_text
    from arcproof.process.interruption import time_limit
    from arcproof.properties.studies.costs import study
    from arcproof.reports.costs import to_text
    from arcproof.reports.progress import tracked
    from arcproof.transitions.reading.read import read_class

    loaded = load_system(system)
    check_outputs([json_file], system_files([system]))
    asked = None if graphs is None else read_class(graphs)
    if not derive and not loaded.figure.dynamic_oracles:
        raise click.UsageError(f"{loaded.name} has no dynamic oracle; --derive looks for one")
    with time_limit(timeout), tracked("oracle"):
        found = study(loaded, asked, words, derive, engine)
    if json_file is not None:
        write_file(json_file, json_text(document(found)) + "\n")
    if json_file != "-":
        click.echo(to_text(found), nl=False)
    sys.exit(found.exit_code)
