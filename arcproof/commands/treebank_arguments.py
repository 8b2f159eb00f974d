"""What the commands of the trained parser share: reading treebanks with a progress bar, skipping bad sentences."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.classifiers.watching import Watcher
    from arcproof.generators.treebank import Sentence, Tally


def file_of(treebank: str) -> Path:
    """The file of a treebank that a user named: a built-in one, or a path."""
    from arcproof.classifiers.artificial import on_board

    return on_board(treebank) or Path(treebank)


def existing_file(treebank: str) -> Path:
    """The same; `UnreadableFile` with what was probably meant if there is none."""
    from arcproof.classifiers.artificial import SIZES
    from arcproof.process.suggestions import perhaps
    from arcproof.transitions.errors import UnreadableFile

    path = file_of(treebank)
    if path.exists():
        return path
    beside = [str(path.with_name(other.name)) for other in path.parent.iterdir()] if path.parent.is_dir() else []
    raise UnreadableFile(f"{path}: No such file or directory{perhaps(treebank, [*SIZES, *beside])}")


def check_treebanks(treebanks: Iterable[str]) -> None:
    """`UnreadableFile` if one cannot be opened, before any work is done."""
    from arcproof.generators.treebank import check_readable

    for treebank in treebanks:
        check_readable(existing_file(treebank))


def stream(
    path: str, gold: bool, skip_bad: bool, watch: "Watcher | None" = None, graphs: bool = False
) -> "Iterator[Sentence]":
    """The sentences of a file, of a built-in treebank, or of standard input (`-`).

    What is skipped is reported on standard error.  With `graphs` words may have several heads, and sentences with null
    nodes are left out where gold graphs are read.
    """
    from arcproof.classifiers.watching import SILENT
    from arcproof.generators.treebank import Tally, read
    from arcproof.transitions.errors import BadTreebank

    skipped, tally = 0, Tally()
    place = Path("standard input") if path == "-" else existing_file(path)
    told = watch or SILENT
    told.begin(path, place.stat().st_size if place.is_file() else None)

    def pass_over(problem: BadTreebank) -> None:
        nonlocal skipped
        skipped += 1
        click.echo(f"skipped: {problem}", err=True)

    lines = _standard_input() if path == "-" else None
    on_bad = pass_over if skip_bad else None
    for sentence in read(place, gold, on_bad, lines, graphs=graphs, tally=tally):
        told.advance(sentence.size)
        yield sentence
    name = path if path != "-" else place
    if skipped:
        click.echo(f"{name}: {counted(skipped, 'bad sentence')} skipped", err=True)
    if tally.with_null_nodes:
        click.echo(f"{name}: {left_out(tally)}", err=True)


def left_out(tally: "Tally") -> str:
    """Say how many sentences have no graph."""
    has = "it has" if tally.with_null_nodes == 1 else "they have"
    return f"{tally.with_null_nodes} of {counted(tally.sentences, 'sentence')} left out: {has} null nodes"


def _standard_input() -> Iterator[bytes]:
    from arcproof.transitions.errors import UnreadableFile
    from arcproof.transitions.reading.files import lines_of

    if sys.stdin is None:
        raise UnreadableFile("standard input: it is closed; give the name of a file, or pipe a treebank in")
    try:
        yield from lines_of(sys.stdin.buffer, "standard input", "treebank")
    except UnreadableFile:
        raise
    except OSError as error:
        raise UnreadableFile(f"standard input: {error.strerror or error}; pipe a treebank in") from None


def read_treebanks(
    paths: Iterable[str], gold: bool, skip_bad: bool, watch: "Watcher | None" = None, graphs: bool = False
) -> "list[Sentence]":
    """The sentences of all files."""
    return [sentence for path in paths for sentence in stream(path, gold, skip_bad, watch, graphs)]
