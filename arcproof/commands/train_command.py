"""`arcproof train`."""

from typing import TYPE_CHECKING, Any

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    feature_files,
    system_files,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    OneOf,
    WholeNumber,
    json_option,
    memory_limit,
    skip_bad_option,
    training_seed_option,
)
from arcproof.commands.results import TrainedParser
from arcproof.commands.treebank_arguments import file_of, read_treebanks
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.classifiers.instances import Explored
    from arcproof.classifiers.parser import Parser


@click.command("train", cls=Command)
@click.argument("system", shell_complete=complete_system)
@click.argument("treebanks", nargs=-1, required=True, metavar="TREEBANK...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the model.")
@click.option(
    "--features", metavar="MODEL", help="A built-in feature model or a file; by default one that suits the figure."
)
@click.option(
    "--learner",
    type=OneOf(["fast", "svc"]),
    default="fast",
    show_default=True,
    help="What learns: fast, averaged updates in native code, or svc, the papers' support vector machine by scikit-learn.",
)
@click.option(
    "--oracle",
    metavar="NAME",
    help="One of the figure's oracles; default the first. With --explore also a dynamic one.",
)
@click.option(
    "--policy",
    type=OneOf(["permissible", "default"]),
    default="permissible",
    show_default=True,
    help="What to take where the predicted transition is not permissible: the best that is, or the figure's default.",
)
@click.option(
    "--pseudo-projective",
    type=OneOf(["baseline", "head", "path", "head+path"]),
    help="Encode crossing arcs in labels, and decode them after parsing.",
)
@click.option(
    "--skip-nonprojective",
    is_flag=True,
    help="Leave out trees and graphs that the oracle does not derive, instead of lifting or dropping their arcs.",
)
@click.option(
    "--bootstrap",
    type=WholeNumber(0, 20),
    default=0,
    show_default=True,
    metavar="N",
    help="Train again on automatic parses, at most N times, as long as cross-validation gains.",
)
@click.option(
    "--explore",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="With fast, for a figure with a dynamic oracle: in training follow the parser's own choice with probability "
    "P, otherwise its best free transition.",
)
@click.option(
    "--beam",
    type=WholeNumber(1, 1024),
    default=1,
    show_default=True,
    metavar="K",
    help="With fast: keep the K best runs of a sentence, in training and in parsing; 8 is a good number, and takes "
    "many times as long.",
)
@click.option(
    "--tags",
    type=OneOf(["upos", "xpos"]),
    default="upos",
    show_default=True,
    help="For a figure that assigns tags: the column they are learned from and written to.",
)
@click.option(
    "--epochs",
    type=WholeNumber(1, 1000),
    default=6,
    show_default=True,
    metavar="N",
    help="With fast: passes over the data.",
)
@training_seed_option
@memory_limit("With fast: refuse to learn what would need more")
@json_option
@skip_bad_option
def command(
    system: str,
    treebanks: tuple[str, ...],
    output: str,
    features: str | None,
    learner: str,
    oracle: str | None,
    policy: str,
    pseudo_projective: str | None,
    skip_nonprojective: bool,
    bootstrap: int,
    explore: float | None,
    beam: int,
    tags: str,
    epochs: int,
    seed: int,
    memory: int,
    json_file: str | None,
    skip_bad: bool,
) -> None:
    """Train a parser for SYSTEM on TREEBANK files in CoNLL-U, CoNLL-X or CoNLL-09; artificial-train is built in.

    For a figure with several heads, the gold graphs are those of DEPS in CoNLL-U, or of an SDP-style file; sentences
    with null nodes are left out, and a graph that the oracle does not derive loses the arcs that it cannot build.

    The oracle of the figure leads to each gold tree, and a classifier learns what it does; for a figure without an
    oracle, a search for shortest derivations takes its place, which takes longer. Trees that the oracle does not derive
    are lifted until it does.

    With --explore, the parser learns where its own mistakes lead: after the first epoch it follows its own choices, and
    the dynamic oracle of the figure tells which transitions cost nothing there. P = 1 was best on held-out data.

    A figure that assigns tags, SHIFT(p) … tag i p, learns to tag and to parse at once. Its feature model sees only tags
    that it has predicted, and no other annotation.

    \b
    Example:
      arcproof train arc-eager artificial-train -o arc-eager.model
    """
    from arcproof.classifiers.learners.learner import Settings
    from arcproof.classifiers.parser import Parser
    from arcproof.documents.train import document

    check_places([output, json_file], system_files([system]), treebanks, features)
    options: dict[str, Any] = {
        "learner": learner,
        "policy": policy,
        "pseudo_projective": pseudo_projective,
        "tags": tags,
    }
    parser = Parser(
        system,
        features=features,
        oracle=oracle,
        skip_nonprojective=skip_nonprojective,
        bootstrap=bootstrap,
        explore=explore,
        beam=beam,
        settings=Settings(epochs=epochs, seed=seed, memory=memory),
        **options,
    )
    found = trained(parser, treebanks, output, skip_bad)
    if json_file != "-":
        _say(parser, found.sentences, found.seconds, output)
    write_json(document(parser, treebanks, found.sentences, found.seconds, output), json_file)


def check_places(
    outputs: "Sequence[str | None]", specifications: list[str], treebanks: "Sequence[str]", features: str | None
) -> None:
    """Check that the model, which comes first, and the other outputs can be written and overwrite no input."""
    if outputs[0] == "-":
        raise click.UsageError("a model is not written to standard output; give the name of a file")
    models = feature_files([] if features is None else [features])
    check_outputs(outputs, [*specifications, *map(file_of, treebanks), *models])


def trained(parser: "Parser", treebanks: tuple[str, ...], output: str | None, skip_bad: bool) -> TrainedParser:
    """Train on files or built-in treebanks, and write the model if a file is given for it."""
    import time

    from arcproof.process.interruption import at_once
    from arcproof.reports.progress import tracked

    started = time.perf_counter()
    parser.check()
    with tracked("train") as progress, at_once():
        sentences = read_treebanks(treebanks, True, skip_bad, progress, parser.reads_graphs)
        parser.fit(sentences, watch=progress)
    if output is not None:
        parser.save(output)
    return TrainedParser(parser, treebanks, len(sentences), time.perf_counter() - started, output)


def _say(parser: "Parser", sentences: int, seconds: float, output: str) -> None:
    found = parser.trained_on
    assert found is not None
    click.echo(
        f"{parser.trained_system.name}: {counted(len(found.rows), 'transition')} of "
        f"{counted(len(found.lengths), 'sentence')}, {len(found.classes)} "
        f"{'class' if len(found.classes) == 1 else 'classes'}"
    )
    if found.lifted and parser.reads_graphs:
        lost = counted(found.dropped, "arc")
        click.echo(f"  lost {lost} to be derivable: {found.lifted} of {counted(sentences, 'sentence')}")
    elif found.lifted:
        click.echo(f"  lifted to be derivable: {found.lifted} of {counted(sentences, 'sentence')}")
    if found.left_out:
        shown = ", ".join(map(str, found.left_out[:10])) + (", …" if len(found.left_out) > 10 else "")
        click.echo(f"  left out, not derivable: {len(found.left_out)} of {counted(sentences, 'sentence')} ({shown})")
    if parser.bootstrap:
        click.echo(f"  trained again on its own parses: {found.stages} of at most {parser.bootstrap} times")
    if found.explored is not None:
        _say_explored(found.explored)
    click.echo(f"  {output} written after {seconds:.1f} s")


def _say_explored(explored: "Explored") -> None:
    rounds = counted(explored.rounds, "round")
    click.echo(
        f"  explored in {rounds}: {explored.astray} of {counted(explored.transitions, 'transition')} were not free"
    )
    if explored.nothing_free:
        click.echo(
            f"  in {counted(explored.nothing_free, 'configuration')} nothing was free, and the cheapest was learned; "
            "`arcproof oracle` tells whether the costs are right"
        )
    if explored.interpreted is not None:
        click.echo(
            f"  costs by the interpreter, which takes longer: there is no native code for {explored.interpreted}"
        )
