"""`arcproof conform --log`: transition sequences in a file."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, load_system, system_files, write_json

if TYPE_CHECKING:
    from arcproof.properties.conformance.logs import LogCheck
    from arcproof.transitions.graph import Graph
    from arcproof.transitions.system import System


def conform_log(
    figure: str,
    log_file: str,
    names: str,
    treebank: str | None,
    expect_gold: bool,
    words: int | None,
    jobs: int,
    json_file: str | None,
) -> int:
    """Compare a log with a figure and print the result; return the exit code."""
    from arcproof.documents.conform_log import document
    from arcproof.reports.logs import to_text

    system = load_system(figure)
    inputs = [*system_files([figure]), log_file, *([] if treebank is None else [treebank])]
    check_outputs([json_file], inputs)
    found = checked_log(system, log_file, names, treebank, expect_gold, words, jobs)
    write_json(document(found), json_file)
    if json_file != "-":
        click.echo(to_text(found), nl=False)
    return found.exit_code


def checked_log(
    system: "System",
    log_file: str,
    names: str,
    treebank: str | None,
    expect_gold: bool,
    words: int | None,
    jobs: int,
) -> "LogCheck":
    """Compare a log with a figure."""
    from arcproof.properties.conformance.logs import check_log, names_of

    golds = None if treebank is None else _golds(treebank, expect_gold)
    other_names = names_of(names, system)
    return check_log(system, _lines(log_file), log_file, other_names, words, golds, expect_gold, jobs)


def _lines(path: str) -> list[str]:
    """Read the lines of a file, or of standard input for `-`."""
    from arcproof.transitions.errors import UnreadableFile
    from arcproof.transitions.reading.files import limited, lines_of, opened

    before, found = 0, []
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else opened(Path(path)) as stream:
            for line in limited(lines_of(stream, path, "log"), path, "log"):
                found += line.decode("utf-8" if before else "utf-8-sig").splitlines()
                before += len(line)
    except UnreadableFile:
        raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path} is not UTF-8: byte {before + error.start + 1}") from None
    return found


def _golds(path: str, expect_gold: bool) -> "list[Graph]":
    """The gold graphs of a treebank; unless they are expected, graphs without arcs of the same numbers of words."""
    from arcproof.commands.treebank_arguments import stream
    from arcproof.transitions.graph import Graph

    sentences = stream(path, expect_gold, False)
    return [one.graph if expect_gold else Graph(len(one.forms), frozenset()) for one in sentences]
