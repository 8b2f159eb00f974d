"""`arcproof trace`."""

import click

from arcproof.commands.arguments import complete_system, load_system, oracle_option
from arcproof.commands.gold_arguments import gold_graph, gold_options


@click.command("trace")
@click.argument("system", shell_complete=complete_system)
@gold_options
@oracle_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "latex", "json", "svg"]),
    default="text",
    show_default=True,
    help="svg is the picture of the graph alone.",
)
@click.option("--full", is_flag=True, help="Print long sequences in full.")
def command(
    system: str,
    heads: str | None,
    labels: str | None,
    forms: str | None,
    conllu: str | None,
    sentence: int,
    oracle: str | None,
    form: str,
    full: bool,
) -> None:
    """Print the derivation of a gold graph: the transitions that the oracle of SYSTEM takes, with every configuration.

    Exit code 1 if the oracle does not lead to the gold graph; the message names the arcs that it cannot build.
    """
    from arcproof.reports import arc_diagram, derivation_table

    graph, words = gold_graph(heads, labels, forms, conllu, sentence)
    loaded = load_system(system)
    chosen = loaded.oracle(oracle).name
    derivation = loaded.derive(graph, chosen)
    match form:
        case "json":
            from arcproof.documents import trace

            click.echo(trace.text(trace.document(loaded, chosen, derivation, words)))
        case "svg":
            click.echo(arc_diagram.to_svg(derivation.graph, words), nl=False)
        case "markdown":
            click.echo(derivation_table.to_markdown(loaded, chosen, derivation, words, full=full), nl=False)
        case "latex":
            click.echo(derivation_table.to_latex(loaded, chosen, derivation, words, full=full), nl=False)
        case _:
            click.echo(arc_diagram.to_text(derivation.graph, words), nl=False)
            click.echo()
            click.echo(derivation_table.to_text(loaded, chosen, derivation, words, full=full), nl=False)
