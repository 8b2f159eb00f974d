"""`arcproof why`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_folder,
    check_outputs,
    complete_system,
    load_system,
    make_folder,
    system_files,
    write_file,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    engine_option,
    jobs_option,
    json_option,
    memory_option,
    timeout_option,
    words_option,
)

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName


@click.command("why", cls=Command)
@click.argument("system", shell_complete=complete_system)
@click.argument("transition")
@words_option(5, least=1)
@click.option(
    "--prove", "with_proofs", is_flag=True, help="Look for proofs of what is redundant for all n; may take minutes."
)
@json_option
@click.option(
    "--svg",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Draw each graph at fault, TRANSITION-1.svg for the first precondition; DIR is made if it is missing.",
)
@engine_option
@jobs_option
@memory_option
@timeout_option
def command(
    system: str,
    transition: str,
    words: int,
    with_proofs: bool,
    json_file: str | None,
    directory: Path | None,
    engine: "EngineName",
    jobs: int,
    memory: int,
    timeout: float | None,
) -> None:
    """Show why TRANSITION of SYSTEM has its preconditions.

    Each precondition is dropped in turn. Where a claim then fails, a run with the fewest words that goes wrong is
    drawn: the shortest, or for a bound on length, space or counts, the one that exceeds it most. Where none does, the
    precondition is redundant up to N words (the same transitions are permissible without it), or it changes what is
    reached but no claim asks for it. A precondition is reported as redundant for all n only if the proof is stored from
    an earlier run; --prove looks for one.

    Exit codes: 0 every precondition has its reason, 2 wrong usage or input, 3 one is unknown, or --timeout or Ctrl-C
    came before all were examined.

    \b
    Example:
      arcproof why arc-eager LEFT-ARC
    """
    from arcproof.documents.why import document
    from arcproof.process.interruption import time_limit
    from arcproof.properties.studies.why import kept_proofs, new_proofs, why
    from arcproof.reports.progress import tracked
    from arcproof.reports.why import pictures, to_text

    loaded = load_system(system)
    check_outputs([json_file], system_files([system]))
    check_folder(directory)
    with time_limit(timeout), tracked(f"why {transition}"):
        found = why(loaded, transition, words, memory, engine, new_proofs if with_proofs else kept_proofs, jobs)
    write_json(document(found), json_file)
    if directory is not None:
        make_folder(directory)
        for name, picture in pictures(found).items():
            write_file(str(directory / name), picture)
    if json_file != "-":
        click.echo(to_text(found), nl=False)
    sys.exit(found.exit_code)
