"""`arcproof oracle`."""

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
from arcproof.commands.gold_arguments import GoldGiven, gold_graph, gold_options
from arcproof.commands.options import WholeNumber, engine_option, json_option, timeout_option, words_option

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.situation import Situated
    from arcproof.transitions.graph import Graph
    from arcproof.transitions.system import System


@click.command("oracle", cls=Command)
@click.argument("system", shell_complete=complete_system)
@click.option("--derive", is_flag=True, help="Find exact costs from the figure alone.")
@click.option(
    "--class",
    "graphs",
    metavar="CLASS",
    help="The gold graphs, e.g. 'projective trees'.  [default: the class of the first claim about a dynamic oracle; "
    "else the trees of the class for which the figure is complete; else trees]",
)
@words_option(3, least=1)
@gold_options
@click.option("--run", metavar="RUN", help='With a gold graph: the transitions taken so far, e.g. "SHIFT LEFT-ARC".')
@click.option("--labelled", is_flag=True, help="With a gold graph: count wrong labels as well.")
@click.option(
    "--limit",
    type=WholeNumber(min=0),
    metavar="N",
    help="With a gold graph: expand at most N configurations in each search.  [default: 50000]",
)
@json_option
@engine_option
@timeout_option
def command(
    system: str,
    derive: bool,
    graphs: str | None,
    words: int,
    heads: str | None,
    labels: str | None,
    arcs: str | None,
    forms: str | None,
    conllu: str | None,
    sentence: int,
    run: str | None,
    labelled: bool,
    limit: int | None,
    json_file: str | None,
    engine: "EngineName",
    timeout: float | None,
) -> None:
    """Find out what the transitions of SYSTEM cost: how many more heads are wrong at best after each of them.

    The dynamic oracles of the figure are compared with the true costs, in every configuration up to N words and for
    every gold graph of the class: are they exact, is what they call free really free, do they always call something
    free?

    With --derive, a dynamic oracle is worked out instead: sums of counts over the sequences that equal the true costs
    up to N words. They are checked up to N + 2 words. If N words are too few to find them, or the check refutes them,
    they are found from one or two words more; the check still ends at N + 2. The output shows how far each of the two
    went. Costs are printed as lines that can be pasted into the figure.

    With a gold graph, given by --heads, --arcs or --conllu, one configuration is examined: the start, or where --run
    leads. A search finds its loss, which is how many heads will be wrong at best, what each permissible transition
    costs there, and a best ending. Beyond --limit the answer is `unknown`, with bounds. With --labelled, a wrong label
    counts as well; a transition of --run without a label has the gold one if its arc is gold.

    Exit codes: 0 everything asked about is exact, or costs were found; 1 some cost is wrong; 2 wrong usage or input; 3
    a limit came first, or for some transition none of the sums tried is the cost.

    \b
    Example:
      arcproof oracle arc-hybrid --heads 2,0,2 --run SHIFT
    """
    from arcproof.documents.oracle import document
    from arcproof.reports.costs import to_text

    loaded = load_system(system)
    check_outputs([json_file], system_files([system]))
    check_heads(loaded)
    given = GoldGiven(heads, labels, arcs, forms, conllu, sentence)
    if given.is_given:
        refuse(("--derive", derive), ("--class", graphs))
        gold, forms_given = gold_graph(given, several_heads=loaded.figure.several_heads)
        _one_configuration(loaded, gold, forms_given, run or "", labelled, limit, json_file, timeout)
        return
    refuse(
        ("--labels", labels),
        ("--forms", forms),
        ("--run", run),
        ("--labelled", labelled),
        ("--limit", limit is not None),
        wants="a gold graph: --heads 2,0,2 or --conllu FILE",
    )
    found = studied(loaded, derive, graphs, words, engine, timeout)
    write_json(document(found), json_file)
    if json_file != "-":
        click.echo(to_text(found), nl=False)
    sys.exit(found.exit_code)


def check_heads(system: "System") -> None:
    """Refuse figures with several heads: costs assume one head for each word."""
    if system.figure.several_heads:
        raise click.UsageError(
            f"{system.name} has several heads: costs count the words whose head is wrong, which has no meaning for "
            "such graphs"
        )


def studied(
    system: "System", derive: bool, graphs: str | None, words: int, engine: "EngineName", timeout: float | None
) -> "CostStudy":
    """Find out what all configurations up to this many words tell about the costs."""
    from arcproof.process.interruption import time_limit
    from arcproof.properties.studies.costs import study
    from arcproof.reports.progress import tracked
    from arcproof.transitions.reading.read import read_class

    asked = None if graphs is None else read_class(graphs, "--class")
    if not derive and not system.figure.dynamic_oracles:
        raise click.UsageError(f"{system.name} has no dynamic oracle; --derive looks for one")
    with time_limit(timeout), tracked("oracle"):
        return study(system, asked, words, derive, engine)


def refuse(*options: tuple[str, object], wants: str = "") -> None:
    """Refuse options that do not go with the others."""
    for name, value in options:
        if value:
            raise click.UsageError(f"{name} needs {wants}" if wants else f"{name} does not go with a gold graph")


def _one_configuration(
    system: "System",
    gold: "Graph",
    forms: "tuple[str, ...] | None",
    run: str,
    labelled: bool,
    limit: int | None,
    json_file: str | None,
    timeout: float | None,
) -> None:
    from arcproof.documents.situation import document
    from arcproof.reports.situation import to_text

    found = looked_at(system, gold, run, labelled, limit, timeout)
    write_json(document(found), json_file)
    if json_file != "-":
        click.echo(to_text(found, forms), nl=False)
    sys.exit(found.exit_code)


def looked_at(
    system: "System", gold: "Graph", run: str, labelled: bool, limit: int | None, timeout: float | None
) -> "Situated":
    """Examine one configuration."""
    from arcproof.process.interruption import time_limit
    from arcproof.properties.engines.nearest_output import MOST_EXPANDED
    from arcproof.properties.studies.situation import situated
    from arcproof.reports.progress import tracked

    with time_limit(timeout), tracked("oracle"):
        return situated(system, gold, run, MOST_EXPANDED if limit is None else limit, labelled)
