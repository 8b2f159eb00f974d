"""`arcproof parse`."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from arcproof.commands.arguments import check_outputs, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import OneOf, json_option, skip_bad_option
from arcproof.commands.results import ParsedTreebank
from arcproof.commands.treebank_arguments import file_of, stream
from arcproof.process.replacing import destination
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arcproof.classifiers.parser import Parser
    from arcproof.classifiers.parsing import Counts
    from arcproof.generators.treebank import Sentence

MOST_SHOWN = 20
MOST_TAGS = 5


@click.command("parse", cls=Command)
@click.argument("model")
@click.argument("treebank")
@click.option("-o", "--output", metavar="FILE", help="Where to write the parsed sentences; default standard output.")
@click.option(
    "--policy",
    type=OneOf(["permissible", "default"]),
    help="A policy other than that of training.",
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
    help="A value of a parameter of the figure other than that of training, e.g. d=1.",
)
@json_option
@click.option("--quiet", is_flag=True, help="Print nothing on standard error.")
@skip_bad_option
def command(
    model: str,
    treebank: str,
    output: str | None,
    policy: str | None,
    check: bool,
    parameters: tuple[str, ...],
    json_file: str | None,
    quiet: bool,
    skip_bad: bool,
) -> None:
    """Parse the sentences of TREEBANK, or with - of standard input, with a MODEL that `arcproof train` wrote.

    HEAD and DEPREL of the words are replaced, whatever was there; or DEPS where words may have several heads, or the
    columns from TOP on of an SDP-style file; and the tags if the figure assigns them. Everything else in the file stays
    as it is, byte for byte. Sentences are written as they are parsed; a FILE appears when all of them are. A warning is
    printed if more than half of the words have a part of speech that never occurred in training.

    Exit codes: 0 everything is parsed, 2 wrong usage or input, 4 --check found that the interpreter disagrees.

    \b
    Example:
      arcproof parse arc-eager.model artificial-test -o parsed.conllu
    """
    from arcproof.documents.parse import document

    output = None if output == "-" else output
    if output is None and json_file == "-":
        raise click.UsageError(
            "the parsed sentences and the JSON cannot both go to standard output; give one of them a file"
        )
    check_outputs([output, json_file], [model, file_of(treebank)])
    parser = loaded_parser(model, policy, parameters)
    tags = _Tags(parser)
    with _naming(output or "standard output"), destination_of(output) as file:
        found = parsed(parser, treebank, file, check, skip_bad, tags.seen)
    wrong, seconds = list(found.wrong or ()), found.seconds
    if not quiet:
        _say(parser.counts, parser, seconds)
        tags.say()
        if check:
            click.echo(
                f"checked with the interpreter: {counted(parser.counts.sentences, 'run')}, "
                f"{counted(len(wrong), 'contradiction')}",
                err=True,
            )
    write_json(document(parser, treebank, seconds, wrong if check else None), json_file)
    for problem in wrong[:MOST_SHOWN]:
        click.echo(f"contradiction: {problem}", err=True)
    sys.exit(4 if wrong else 0)


def loaded_parser(model: str, policy: str | None, parameters: "Sequence[str]") -> "Parser":
    """Load the parser of a model; the policy and the parameters may differ from those of training."""
    from arcproof.classifiers.parser import Parser

    parser = Parser.load(model)
    if parameters:
        parser.set_parameters(
            {name.strip(): value.strip() for name, _, value in (p.partition("=") for p in parameters)}
        )
    if policy is not None:
        given: Any = policy
        parser.policy = given
    return parser


def parsed(
    parser: "Parser",
    treebank: str,
    file: IO[bytes],
    check: bool,
    skip_bad: bool,
    seen: "Callable[[Iterator[Sentence]], Iterator[Sentence]]" = lambda sentences: sentences,
) -> ParsedTreebank:
    """Parse a treebank and write it to an open file; sentences pass through `seen` first."""
    import time

    from arcproof.reports.progress import tracked

    started = time.perf_counter()
    with tracked("parse") as progress:
        wrong = _parse(parser, seen(stream(treebank, False, skip_bad, progress)), file, check)
    return ParsedTreebank(parser, treebank, time.perf_counter() - started, tuple(wrong) if check else None)


class _Tags:
    """Notices a treebank whose tag set differs from that of training.

    Every text has a few new tags. If more than half of the words have a part of speech that never occurred in training,
    the tag sets differ, and the trees are worthless; a one-line warning says so.
    """

    def __init__(self, parser: "Parser") -> None:
        self._parser = parser
        self._words = 0
        self._new: Counter[str] = Counter()

    def seen(self, sentences: "Iterable[Sentence]") -> "Iterator[Sentence]":
        """Pass the sentences on, counting their tags."""
        known: dict[tuple[str, str], bool] = {}
        for sentence in sentences:
            for token in sentence.tokens:
                tag = token.cpos, token.fpos
                if tag not in known:
                    known[tag] = self._parser.knows(token)
                self._new["/".join(dict.fromkeys(tag))] += not known[tag]
            self._words += sentence.words
            yield sentence

    def say(self) -> None:
        """Print the warning, if more than half of the words have new tags."""
        number = sum(self._new.values())
        if 2 * number > self._words:
            examples = ", ".join(tag for tag, count in self._new.most_common(MOST_TAGS) if count)
            click.echo(
                f"warning: {number} of {counted(self._words, 'word')} have a part of speech that the model never saw "
                f"in training ({examples})",
                err=True,
            )


def _parse(parser: "Parser", sentences: Iterator[Any], file: IO[bytes], check: bool) -> list[str]:
    """Parse and write batch by batch; return what the interpreter finds wrong."""
    from arcproof.classifiers.replay import problems

    wrong: list[str] = []
    for sentence, parsed in parser.parse_with(sentences):
        if parsed.graph is None:
            file.write(sentence.with_tree(parsed.heads, parsed.labels, parsed.tags, parser.tags))
        else:
            file.write(sentence.with_graph(parsed.graph))
        if check:
            wrong += problems(parser, sentence, parsed)
    return wrong


@contextmanager
def _naming(place: str) -> Iterator[None]:
    """Name the file in an error of writing; errors of reading already name theirs."""
    from arcproof.transitions.errors import ArcproofError

    try:
        yield
    except (BrokenPipeError, ArcproofError):
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), error.filename or place) from None


@contextmanager
def destination_of(output: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file that replaces the old one when it is complete."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with ExitStack() as stack:
        with _called(output):
            file = stack.enter_context(destination(Path(output)))
        yield file


@contextmanager
def _called(output: str) -> Iterator[None]:
    """Name the file in the error if it cannot be opened."""
    from arcproof.transitions.errors import UnreadableFile

    try:
        yield
    except OSError as error:
        raise UnreadableFile(f"{output}: {error.strerror or error}") from None


def _say(counts: "Counts", parser: "Parser", seconds: float) -> None:
    speed = counts.words / seconds if seconds else 0
    may_be_without = parser.reads_graphs and parser.trained_system.has_root
    attached = (
        "" if may_be_without else f"; {counted(counts.attached, 'word')} left without a head and attached to the root"
    )
    click.echo(
        f"{counted(counts.sentences, 'sentence')}, {counted(counts.words, 'word')}, "
        f"{counted(counts.transitions, 'transition')} in {seconds:.2f} s ({speed:.0f} words a second){attached}",
        err=True,
    )
    if counts.not_permissible:
        done = "the best permissible one was taken" if parser.policy == "permissible" else "the default was taken"
        click.echo(f"  predicted but not permissible: {counts.not_permissible}; {done}", err=True)
    if counts.default_refused:
        click.echo(f"  the default was not permissible either: {counts.default_refused}", err=True)
    if counts.not_ended:
        click.echo(f"  sentences that did not reach a terminal configuration: {counts.not_ended}", err=True)
