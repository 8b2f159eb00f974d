"""`arcproof parse`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from arcproof.commands.treebank_arguments import skip_bad_option, stream

if TYPE_CHECKING:
    from arcproof.classifiers.parser import Counts, Parsed, Parser
    from arcproof.classifiers.treebank import Sentence


@click.command("parse")
@click.argument("model")
@click.argument("treebank")
@click.option("-o", "--output", metavar="FILE", help="Where the parsed sentences go; default standard output.")
@click.option(
    "--policy",
    type=click.Choice(["permissible", "default"]),
    help="Instead of the policy that the model was trained with.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Replay every run with the reference interpreter, and check class and length; exit code 4 if it disagrees.",
)
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another value of a parameter of the figure than in training, e.g. d=1.",
)
@click.option("--quiet", is_flag=True, help="Say nothing on standard error.")
@skip_bad_option
def command(
    model: str,
    treebank: str,
    output: str | None,
    policy: str | None,
    check: bool,
    parameters: tuple[str, ...],
    quiet: bool,
    skip_bad: bool,
) -> None:
    """Parse the sentences of TREEBANK with a MODEL of `arcproof train`.

    HEAD and DEPREL of the words are replaced, whatever was there; everything else in the file stays as it is, byte for byte.
    """
    import time

    from arcproof.classifiers.parser import Parser

    parser = Parser.load(model)
    if parameters:
        parser.set_parameters(
            {name.strip(): value.strip() for name, _, value in (p.partition("=") for p in parameters)}
        )
    if policy is not None:
        given: Any = policy
        parser.policy = given
    started = time.perf_counter()
    sentences = list(stream(treebank, False, skip_bad))
    parsed = parser.predict(sentences)
    seconds = time.perf_counter() - started
    _write(output, sentences, parsed)
    if check:
        _check(parser, sentences, parsed)
    if not quiet:
        _say(parser.counts, parser, seconds)


def _write(output: str | None, sentences: "list[Sentence]", parsed: "list[Parsed]") -> None:
    from arcproof.transitions.errors import UnreadableFile

    content = b"".join(
        sentence.with_tree(tree.heads, tree.labels) for sentence, tree in zip(sentences, parsed, strict=True)
    )
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        with open(output, "wb") as file:
            file.write(content)
    except OSError as error:
        raise UnreadableFile(f"{output}: {error.strerror or error}") from None


def _check(parser: "Parser", sentences: "list[Sentence]", parsed: "list[Parsed]") -> None:
    from arcproof.classifiers.checking import problems

    found = [
        problem
        for sentence, tree in zip(sentences, parsed, strict=True)
        for problem in problems(parser, sentence, tree)
    ]
    for problem in found[:20]:
        click.echo(f"contradiction: {problem}", err=True)
    click.echo(f"checked with the interpreter: {len(parsed)} runs, {len(found)} contradictions", err=True)
    if found:
        sys.exit(4)


def _say(counts: "Counts", parser: "Parser", seconds: float) -> None:
    speed = counts.words / seconds if seconds else 0
    click.echo(
        f"{counts.sentences} sentences, {counts.words} words, {counts.transitions} transitions in {seconds:.2f} s ({speed:.0f} words a second); "
        f"{counts.attached} words attached to the root",
        err=True,
    )
    if counts.not_permissible:
        done = "the best permissible one was taken" if parser.policy == "permissible" else "the default was taken"
        click.echo(f"  predicted but not permissible: {counts.not_permissible}; {done}", err=True)
    if counts.default_refused:
        click.echo(f"  the default was not permissible either: {counts.default_refused}", err=True)
    if counts.not_ended:
        click.echo(f"  sentences that did not reach a terminal configuration: {counts.not_ended}", err=True)
