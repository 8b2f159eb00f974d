"""How a command is given a gold graph: as a list of heads, as a list of arcs, or as a sentence of a file."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arcproof.commands.options import sentence_option
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.transitions.graph import Graph

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--heads", help="The gold graph as a list of heads, e.g. 2,0,2; _ is a word without a head."),
    click.option("--labels", help="With --heads: the labels, e.g. DET,ROOT,OBJ; _ means none."),
    click.option(
        "--arcs",
        help='The gold graph by its arcs, HEAD>DEPENDENT, e.g. "0>1 1>2 3>2"; with labels 1>2:nsubj. '
        "There are as many words as the greatest node says, or as --forms has.",
    ),
    click.option(
        "--forms", help='With --heads or --arcs: the words, separated by spaces, e.g. "A hearing is scheduled".'
    ),
    click.option(
        "--conllu",
        metavar="FILE",
        help="Take the gold graph from a CoNLL-U or CoNLL-X file, or from artificial-test, which is built in; "
        "for a figure with several heads from DEPS in CoNLL-U, or from an SDP-style file.",
    ),
    sentence_option,
)


@dataclass(frozen=True, slots=True)
class GoldGiven:
    """The options that describe a gold graph."""

    heads: str | None = None
    labels: str | None = None
    arcs: str | None = None
    forms: str | None = None
    conllu: str | None = None
    sentence: int = 1

    @property
    def is_given(self) -> bool:
        """Whether a gold graph was given."""
        return any(option is not None for option in (self.heads, self.arcs, self.conllu))


def gold_options(command: F) -> F:
    """Add --heads with --labels and --forms, --arcs with --forms, and --conllu with --sentence to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def gold_graph(
    given: GoldGiven, words: int | None = None, several_heads: bool = False
) -> "tuple[Graph, tuple[str, ...] | None]":
    """Read the gold graph and, if known, the words; with several heads, from DEPS or an SDP-style file."""
    options = {"--heads": given.heads, "--arcs": given.arcs, "--conllu": given.conllu}
    named = [option for option, value in options.items() if value is not None]
    if len(named) > 1:
        raise click.UsageError(f"the gold graph is given by {' and by '.join(named)}; give one of them")
    if not named:
        raise click.UsageError(
            'give the gold graph either by --heads 2,0,2 or by --arcs "0>1 1>2 3>2" or by --conllu FILE'
        )
    if given.conllu is not None and (given.labels is not None or given.forms is not None):
        raise click.UsageError("--labels and --forms go with --heads or --arcs; the file has its own")
    if given.arcs is not None and given.labels is not None:
        raise click.UsageError("--labels goes with --heads; with --arcs a label is written 1>2:nsubj")
    if words is not None and given.arcs is None:
        raise click.UsageError("--words goes with --arcs; otherwise there are as many words as heads")
    if given.conllu is not None:
        return _from_file(given.conllu, given.sentence, several_heads)
    forms = None if given.forms is None else tuple(given.forms.split())
    graph = _by_heads(given.heads or "", given.labels) if given.arcs is None else _by_arcs(given.arcs, words, forms)
    if forms is not None and len(forms) != graph.words:
        other = "--heads" if given.arcs is None else "--words says"
        raise click.UsageError(f"--forms has {entries(forms)}, {other} {graph.words}")
    return graph, forms


def entries(given: Sequence[object]) -> str:
    """`1 entry`."""
    return "1 entry" if len(given) == 1 else f"{len(given)} entries"


def _by_heads(heads: str, labels: str | None) -> "Graph":
    from arcproof.transitions.graph import graph_of, parse_heads

    parsed = parse_heads(heads)
    names = None if labels is None else [None if label.strip() == "_" else label.strip() for label in labels.split(",")]
    if names is not None and len(names) != len(parsed):
        raise click.UsageError(f"--labels has {entries(names)}, --heads {len(parsed)}")
    return graph_of(parsed, names)


def _by_arcs(arcs: str, words: int | None, forms: tuple[str, ...] | None) -> "Graph":
    from arcproof.transitions.graph import parse_arcs

    return parse_arcs(arcs, words if words is not None or forms is None else len(forms))


def _from_file(path: str, number: int, several_heads: bool) -> "tuple[Graph, tuple[str, ...]]":
    from arcproof.classifiers.artificial import on_board
    from arcproof.generators.treebank import read_sentence

    sentence = read_sentence(on_board(path) or path, number, graphs=several_heads)
    return sentence.graph, sentence.forms
