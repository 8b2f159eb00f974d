"""`arcproof features`."""

from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    feature_files,
    load_system,
    system_files,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import json_option, oracle_option, sentence_option
from arcproof.commands.results import Features

if TYPE_CHECKING:
    from arcproof.classifiers.features.model import FeatureModel
    from arcproof.documents.features import ModelJson
    from arcproof.transitions.system import System


@click.command("features", cls=Command)
@click.argument("system", required=False, shell_complete=complete_system)
@click.option(
    "--features",
    "model",
    metavar="MODEL",
    help="A built-in feature model or a file; by default one that suits the figure.",
)
@click.option(
    "--conllu", metavar="FILE", help="Show which features fire while the oracle goes through a sentence of this file."
)
@sentence_option
@oracle_option
@json_option
def command(
    system: str | None, model: str | None, conllu: str | None, sentence: int, oracle: str | None, json_file: str | None
) -> None:
    """List the built-in feature models, show the one for SYSTEM, or show which features fire in a sentence.

    A tree that the oracle does not derive is lifted first, as in training, and a graph with several heads loses arcs.

    \b
    Example:
      arcproof features arc-eager --conllu artificial-train --sentence 4
    """
    inputs = [
        *system_files([system] if system else []),
        *feature_files([model] if model else []),
        *([conllu] if conllu else []),
    ]
    check_outputs([json_file], inputs)
    found = shown_features(None if system is None else load_system(system), model, conllu, sentence, oracle)
    if json_file is not None:
        write_json(document_of(found), json_file)
    if json_file != "-":
        click.echo("\n".join(lines_of(found)))


def shown_features(
    system: "System | None", model: str | None, conllu: str | None, sentence: int, oracle: str | None
) -> Features:
    """Collect the requested models and, if a sentence is given, what fires in it."""
    from arcproof.classifiers.features.model import built_in_names, load_model, program, suggested_model
    from arcproof.classifiers.features.vocabulary import Vocabulary

    if system is None:
        return Features(tuple(load_model(name) for name in ([model] if model is not None else built_in_names())))
    chosen = load_model(model or suggested_model(system))
    program(
        system, chosen, Vocabulary.of([], spells=chosen.spells)
    )  # a model that does not go with the figure is refused
    if conllu is None:
        return Features((chosen,), system)
    lifted, steps = _fired(system, chosen, conllu, sentence, oracle)
    return Features((chosen,), system, sentence, lifted, tuple((name, tuple(values)) for name, values in steps))


def document_of(found: Features) -> "list[ModelJson]":
    """Return the JSON document."""
    from dataclasses import replace

    from arcproof.documents.features import FiredJson, of_model

    if found.steps is None or found.system is None:
        return [of_model(one) for one in found.models]
    fired = tuple(FiredJson(transition, dict(values)) for transition, values in found.steps)
    [model] = found.models
    return [
        replace(of_model(model), system=found.system.name, sentence=found.sentence, lifted=found.lifted, steps=fired)
    ]


def lines_of(found: Features) -> list[str]:
    """Format the result as text."""
    if found.system is None:
        return [f"{one.name}  {len(one.features)} features  {one.cite}" for one in found.models]
    if found.steps is None:
        return found.models[0].text.removesuffix("\n").split("\n")
    loses = "graph; it loses arcs" if found.system.figure.several_heads else "tree; it is lifted"
    lines = [f"the oracle does not derive this {loses}"] if found.lifted else []
    for number, (transition, values) in enumerate(found.steps, start=1):
        lines += [f"{number}. {transition}", *(f"     {name} = {value}" for name, value in values)]
    return lines


def _fired(
    system: "System", model: "FeatureModel", conllu: str, number: int, oracle: str | None
) -> tuple[bool, list[tuple[str, list[tuple[str, str]]]]]:
    """Say whether the tree had to be lifted, and for each transition of the oracle which features have a value."""
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
