"""`arcproof reach`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    load_system,
    system_files,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    engine_option,
    jobs_option,
    json_option,
    memory_option,
    timeout_option,
    words_option,
)

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName


@click.command("reach", cls=Command)
@click.argument("system", shell_complete=complete_system)
@click.argument("condition", default="")
@click.option(
    "--output",
    "graph",
    metavar="GRAPH",
    help='A terminal configuration with this graph, as a list of heads, e.g. 2,0,2, or of arcs, e.g. "1>2 3>2".',
)
@words_option(5, least=1)
@json_option
@engine_option
@memory_option
@jobs_option
@timeout_option
def command(
    system: str,
    condition: str,
    graph: str | None,
    words: int,
    json_file: str | None,
    engine: "EngineName",
    memory: int,
    jobs: int,
    timeout: float | None,
) -> None:
    """Find the shortest run of SYSTEM to a configuration that satisfies CONDITION, or show that there is none.

    CONDITION is written as in the figure, with the names of its components and with nodes by their numbers; #SWAP
    counts a transition of the run: "#SWAP = 2, |σ| >= 4, head(1)", "σ = [0, 2]", "1 -> 2 or 1 in β". Sentences with the
    fewest words are tried first, and only those that have the nodes named. --output asks for a graph instead, with its
    own number of words, or for a graph and a condition. The interpreter takes the run again before it is shown.

    Exit codes: 0 there is a run, 1 it is certain that there is none up to N words, 2 wrong usage or input, 3 a limit
    came first, 4 the engines contradict each other.

    \b
    Example:
      arcproof reach swap "#SWAP = 2, head(1)"
    """
    from arcproof.documents.reach import document
    from arcproof.process.interruption import time_limit
    from arcproof.properties.studies.reach import reach
    from arcproof.reports.progress import tracked
    from arcproof.reports.reach import to_text
    from arcproof.transitions.graph import parse_graph

    check_target(condition, graph)
    loaded = load_system(system)
    check_outputs([json_file], system_files([system]))
    output = None if graph is None else parse_graph(graph)
    with time_limit(timeout), tracked("reach"):
        found = reach(loaded, condition.strip(), output, words, memory, engine, jobs)
    write_json(document(found), json_file)
    if json_file != "-":
        click.echo(to_text(found), nl=False)
    sys.exit(found.exit_code)


def check_target(condition: str, graph: object | None) -> None:
    """Whether a condition or an output was given."""
    if not condition.strip() and graph is None:
        raise click.UsageError('say what to reach: a condition such as "#SWAP = 2, head(1)", or --output 2,0,2')
