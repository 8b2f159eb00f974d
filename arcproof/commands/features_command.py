"""`arcproof features`."""

import click

from arcproof.commands.arguments import complete_system, load_system


@click.command("features")
@click.argument("system", required=False, shell_complete=complete_system)
@click.option(
    "--features",
    "model",
    metavar="MODEL",
    help="A feature model on board or a file; default one that goes with the figure.",
)
@click.option("--conllu", metavar="FILE", help="Show what fires while the oracle goes through a sentence of this file.")
@click.option(
    "--sentence",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="With --conllu: the K-th sentence.",
)
@click.option("--oracle", metavar="NAME", help="One of the system's oracles; default the first.")
def command(system: str | None, model: str | None, conllu: str | None, sentence: int, oracle: str | None) -> None:
    """List the feature models on board, show the one that goes with SYSTEM, or what it says of a sentence, transition by transition."""
    from arcproof.classifiers.feature_model import load_model, names_on_board, suggested_model

    if system is None:
        for name in [model] if model is not None else names_on_board():
            found = load_model(name)
            click.echo(f"{found.name}  {len(found.features)} features  {found.cite}")
        return
    loaded = load_system(system)
    chosen = load_model(model or suggested_model(loaded))
    if conllu is None:
        click.echo(chosen.text, nl=False)
        return
    from itertools import islice

    from arcproof.classifiers.feature_model import Vocabulary, program
    from arcproof.classifiers.instances import class_names, derivation
    from arcproof.classifiers.parser import native_runner
    from arcproof.commands.treebank_arguments import stream
    from arcproof.transitions.errors import BadTreebank

    picked = next(islice(stream(conllu, True, False), sentence - 1, None), None)
    if picked is None:
        raise BadTreebank(f"{conllu}: there is no sentence {sentence}")
    vocabulary = Vocabulary.of([picked])
    extracting = program(loaded, chosen, vocabulary)
    runner = native_runner(loaded)
    trained = derivation(runner, extracting, vocabulary, picked, picked.tree, oracle)
    pairs = list(zip(trained.codes.tolist(), trained.labels.tolist(), strict=True))
    for number, (row, transition) in enumerate(
        zip(trained.rows, class_names(runner, vocabulary, pairs), strict=True), start=1
    ):
        click.echo(f"{number}. {transition}")
        for name, value in extracting.shown(row, vocabulary):
            if value != "(no node)":
                click.echo(f"     {name} = {value}")
