"""How commands are given one gold graph: by its heads, or as a sentence of a file."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arcproof.commands.arguments import sentence_option

if TYPE_CHECKING:
    from arcproof.transitions.graph import Graph

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--heads", help="The gold graph by its heads, e.g. 2,0,2; _ is a word without head."),
    click.option("--labels", help="With --heads: the labels, e.g. DET,ROOT,OBJ; _ means none."),
    click.option("--forms", help='With --heads: the words, separated by blanks, e.g. "A hearing is scheduled".'),
    click.option(
        "--conllu",
        metavar="FILE",
        help="Take the gold graph from a CoNLL-U or CoNLL-X file, or from artificial-test, which is built in.",
    ),
    sentence_option,
)


def gold_options(command: F) -> F:
    """--heads with --labels and --forms, or --conllu with --sentence."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def gold_graph(
    heads: str | None, labels: str | None, forms: str | None, conllu: str | None, sentence: int
) -> "tuple[Graph, tuple[str, ...] | None]":
    """The gold graph and, where they are known, the words."""
    if (heads is None) == (conllu is None):
        raise click.UsageError("give the gold graph either by --heads 2,0,2 or by --conllu FILE")
    if conllu is not None and (labels is not None or forms is not None):
        raise click.UsageError("--labels and --forms go with --heads; the file has its own")
    return _from_file(conllu, sentence) if conllu is not None else _from_options(heads or "", labels, forms)


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
