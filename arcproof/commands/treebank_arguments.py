"""What the commands of the trained parser share: reading treebanks, leaving out bad sentences."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arcproof.classifiers.treebank import Sentence

skip_bad_option = click.option(
    "--skip-bad", is_flag=True, help="Pass over sentences that cannot be read, and count them."
)


def stream(path: str, gold: bool, skip_bad: bool) -> "Iterator[Sentence]":
    """The sentences of a file or of a treebank on board; what is passed over is said on standard error."""
    from arcproof.classifiers.artificial import on_board
    from arcproof.classifiers.treebank import read
    from arcproof.transitions.errors import BadTreebank

    skipped = 0

    def pass_over(problem: BadTreebank) -> None:
        nonlocal skipped
        skipped += 1
        click.echo(f"skipped: {problem}", err=True)

    yield from read(on_board(path) or path, gold=gold, on_bad=pass_over if skip_bad else None)
    if skipped:
        click.echo(f"{path}: {skipped} bad sentence{'s' * (skipped != 1)} skipped", err=True)


def read_treebanks(paths: Iterable[str], gold: bool, skip_bad: bool) -> "list[Sentence]":
    """All sentences of all files."""
    return [sentence for path in paths for sentence in stream(path, gold, skip_bad)]
