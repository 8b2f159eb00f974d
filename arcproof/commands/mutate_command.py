"""`arcproof mutate`."""

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
    terminal,
    write_file,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    cluster_option,
    engine_option,
    fresh_option,
    jobs_option,
    json_option,
    memory_option,
    timeout_option,
    words_option,
)
from arcproof.commands.results import Mutations
from arcproof.commands.storing import stored_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.studies.mutation import MutationReport
    from arcproof.transitions.system import System


@click.command("mutate", cls=Command)
@click.argument("systems", nargs=-1, required=True, shell_complete=complete_system, metavar="SYSTEM...")
@words_option(5, least=1)
@click.option("--all", "everything", is_flag=True, help="Show the killed mutants too, each with the claim it breaks.")
@json_option
@click.option(
    "--keep",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every mutant as a specification, SYSTEM-NUMBER.tsys; DIR is made if it is missing.",
)
@engine_option
@jobs_option
@memory_option
@timeout_option
@fresh_option
@cluster_option
def command(
    systems: tuple[str, ...],
    words: int,
    everything: bool,
    json_file: str | None,
    directory: Path | None,
    engine: "EngineName",
    jobs: int,
    memory: int,
    timeout: float | None,
    fresh: bool,
) -> None:
    """Break the figure of each SYSTEM in every small way, and see whether its claims notice.

    A mutant is one change away from the figure: a precondition dropped or negated, an arc reversed, two nodes
    exchanged, a node popped, kept, pushed elsewhere or at the other end, start or final changed, a transition or a line
    of an oracle dropped, a comparison off by one; in the costs of a dynamic oracle, a summand or a condition dropped,
    another run of nodes, a gold arc reversed, a number off by one. Each mutant is verified against the claims of the
    original, with all configurations and graphs up to N words:

    killed: a claim is refuted. equivalent: same outputs, same shortest and longest runs. alternative: every claim
    holds, but it differs; the difference is shown with a witness. undecided: something is left open. invalid: no longer
    a figure.

    The score is the share of killed mutants among those that are figures and not equivalent.

    Exit codes: 0 every mutant is decided, 2 wrong usage or input, 3 one is not (also after Ctrl-C or --timeout) or
    nothing is claimed, 4 the engines contradict each other.

    \b
    Example:
      arcproof mutate arc-hybrid --words 3
    """
    from arcproof.process.interruption import time_limit
    from arcproof.reports.mutation import score_text

    loaded = [load_system(system) for system in systems]
    check_outputs([json_file], system_files(systems))
    check_folder(directory)
    quiet = json_file == "-"
    with stored_runs(fresh), time_limit(timeout):
        found = mutate_all(loaded, words, engine, jobs, memory, everything, quiet)
    if json_file is not None:
        from arcproof.documents.mutate import document

        write_json(document(found.reports), json_file)
    if directory is not None:
        _keep(found.reports, directory)
    if not quiet:
        for report in found.reports:
            click.echo(f"{report.system.name}: {score_text(report)}")
    if (ended_by := found.ended_by) is not None:
        left = [system.name for system in found.left]
        click.echo(f"{ended_by}; no mutants were tried for: {', '.join(left)}" if left else ended_by, err=quiet)
    sys.exit(found.exit_code)


def mutate_all(
    systems: "list[System]", words: int, engine: "EngineName", jobs: int, memory: int, everything: bool, quiet: bool
) -> Mutations:
    """Mutate one system after the other, printing what is found; an interruption keeps what is known."""
    from arcproof.process.interruption import what_ended
    from arcproof.properties.studies.mutation import mutate
    from arcproof.reports.mutation import print_mutation
    from arcproof.reports.progress import tracked

    console = None if quiet else terminal()
    done: list[MutationReport] = []

    def ended(by: str | None) -> Mutations:
        return Mutations(tuple(done), tuple(systems[len(done) :]), by)

    with tracked("mutate") as progress:
        for system in systems:
            progress.begin(f"{system.name}: the original", None)

            def show(count: int, total: int, name: str = system.name) -> None:
                if count == 1:
                    progress.begin(f"{name}: {total} mutants", total)
                progress.advance()

            try:
                done.append(mutate(system, words, memory, jobs, engine, show))
            except KeyboardInterrupt as interruption:
                return ended(what_ended(interruption))
            if console is not None:
                print_mutation(done[-1], console, everything)
            if done[-1].ended_by is not None:
                return ended(done[-1].ended_by)
    return ended(None)


def _keep(reports: "Sequence[MutationReport]", directory: Path) -> None:

    make_folder(directory)
    for report in reports:
        for judged in report.mutants:
            if judged.bucket != "invalid":
                name = f"{report.system.figure.name}-{judged.number}.tsys"
                write_file(str(directory / name), judged.mutant.specification)
