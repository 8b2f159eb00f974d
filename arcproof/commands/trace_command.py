"""`arcproof trace`."""

from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import complete_system, load_system, oracle_option, sentence_option

if TYPE_CHECKING:
    from arcproof.transitions.graph import Graph


@click.command("trace")
@click.argument("system", shell_complete=complete_system)
@click.option("--heads", help="The gold graph by its heads, e.g. 2,0,2; _ is a word without head.")
@click.option("--labels", help="With --heads: the labels, e.g. DET,ROOT,OBJ; _ means none.")
@click.option("--forms", help='With --heads: the words, separated by blanks, e.g. "A hearing is scheduled".')
@click.option(
    "--conllu",
    metavar="FILE",
    help="Take the gold graph from a CoNLL-U or CoNLL-X file, or from artificial-test, which is on board.",
)
@sentence_option
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

    if (heads is None) == (conllu is None):
        raise click.UsageError("give the gold graph either by --heads 2,0,2 or by --conllu FILE")
    if conllu is not None and (labels is not None or forms is not None):
        raise click.UsageError("--labels and --forms go with --heads; the file has its own")
    graph, words = _from_file(conllu, sentence) if conllu is not None else _from_options(heads or "", labels, forms)
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


def _from_options(heads: str, labels: str | None, forms: str | None) -> "tuple[Graph, tuple[str, ...] | None]":
    from arcproof.transitions.graph import graph_of, parse_heads

    parsed = parse_heads(heads)
    names = None if labels is None else [None if label.strip() == "_" else label.strip() for label in labels.split(",")]
    words = None if forms is None else tuple(forms.split())
    for option, given in (("--labels", names), ("--forms", words)):
        if given is not None and len(given) != len(parsed):
            raise click.UsageError(f"{option} has {len(given)} entries, --heads {len(parsed)}")
    return graph_of(parsed, names), words


def _from_file(path: str, number: int) -> "tuple[Graph, tuple[str, ...]]":
    from arcproof.classifiers.artificial import on_board
    from arcproof.generators.treebank import read_sentence

    sentence = read_sentence(on_board(path) or path, number)
    return sentence.graph, sentence.forms
