"""`arcproof features`."""

from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    complete_system,
    echo_json,
    json_option,
    load_system,
    oracle_option,
    sentence_option,
)

if TYPE_CHECKING:
    from arcproof.classifiers.features.model import FeatureModel
    from arcproof.transitions.system import System


@click.command("features")
@click.argument("system", required=False, shell_complete=complete_system)
@click.option(
    "--features",
    "model",
    metavar="MODEL",
    help="A feature model on board or a file; default one that goes with the figure.",
)
@click.option("--conllu", metavar="FILE", help="Show what fires while the oracle goes through a sentence of this file.")
@sentence_option
@oracle_option
@json_option
def command(
    system: str | None, model: str | None, conllu: str | None, sentence: int, oracle: str | None, as_json: bool
) -> None:
    """List the feature models on board, show the one that goes with SYSTEM, or what it says of a sentence, transition by transition.

    A tree that the oracle does not derive is lifted first, as in training, and a graph with several heads loses arcs.
    """
    from dataclasses import replace

    from arcproof.classifiers.features.model import built_in_names, load_model, program, suggested_model
    from arcproof.classifiers.features.vocabulary import Vocabulary
    from arcproof.documents.features import FiredJson, of_model

    if system is None:
        found = [load_model(name) for name in ([model] if model is not None else built_in_names())]
        if as_json:
            echo_json([of_model(one) for one in found])
        else:
            for one in found:
                click.echo(f"{one.name}  {len(one.features)} features  {one.cite}")
        return
    loaded = load_system(system)
    chosen = load_model(model or suggested_model(loaded))
    program(
        loaded, chosen, Vocabulary.of([], spells=chosen.spells)
    )  # a model that does not go with the figure is refused
    if conllu is None:
        if as_json:
            echo_json([of_model(chosen)])
        else:
            click.echo(chosen.text, nl=False)
        return
    lifted, steps = _fired(loaded, chosen, conllu, sentence, oracle)
    if as_json:
        fired = tuple(FiredJson(transition, dict(values)) for transition, values in steps)
        echo_json([replace(of_model(chosen), system=loaded.name, sentence=sentence, lifted=lifted, steps=fired)])
        return
    if lifted:
        loses = "graph; it loses arcs" if loaded.figure.several_heads else "tree; it is lifted"
        click.echo(f"the oracle does not derive this {loses}")
    for number, (transition, values) in enumerate(steps, start=1):
        click.echo(f"{number}. {transition}")
        for name, value in values:
            click.echo(f"     {name} = {value}")


def _fired(
    system: "System", model: "FeatureModel", conllu: str, number: int, oracle: str | None
) -> tuple[bool, list[tuple[str, list[tuple[str, str]]]]]:
    """Whether the tree had to be lifted, and for each transition of the oracle the features that have a value."""
    from arcproof.classifiers.features.model import program
    from arcproof.classifiers.features.vocabulary import Vocabulary
    from arcproof.classifiers.instances import class_names, derivable, tags_of
    from arcproof.classifiers.native import native_runner
    from arcproof.commands.treebank_arguments import stream
    from arcproof.transitions.errors import BadTreebank

    sentences = stream(conllu, True, False, graphs=system.figure.several_heads)
    picked = next((sentence for sentence in sentences if sentence.number == number), None)
    if picked is None:
        raise BadTreebank(f"{conllu}: there is no sentence {number}")
    vocabulary = Vocabulary.of([picked], tags_of(system, [picked]), model.spells)
    extracting = program(system, model, vocabulary)
    runner = native_runner(system)
    trained, graph = derivable(runner, extracting, vocabulary, picked, oracle)
    pairs = list(zip(trained.codes.tolist(), trained.labels.tolist(), strict=True))
    steps = []
    for row, transition in zip(trained.rows, class_names(runner, vocabulary, pairs), strict=True):
        values = [(name, value) for name, value in extracting.shown(row, vocabulary) if value != "(no node)"]
        steps.append((str(transition), values))
    return graph is not picked.graph, steps
