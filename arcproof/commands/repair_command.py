"""`arcproof repair`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    load_system,
    system_files,
    write_file,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    WholeNumber,
    cluster_option,
    engine_option,
    fresh_option,
    jobs_option,
    json_option,
    memory_option,
    samples_option,
    samples_seed_option,
    time_option,
    timeout_option,
    words_option,
)
from arcproof.commands.storing import stored_runs

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName


@click.command("repair", cls=Command)
@click.argument("figure", shell_complete=complete_system)
@words_option(None, least=1, shown="up to 5")
@click.option(
    "--edits", type=WholeNumber(1, 2), default=2, show_default=True, help="The greatest number of edits to try."
)
@time_option("How long to search before what is found is verified.", 30)
@samples_option(50)
@samples_seed_option
@click.option(
    "--write",
    "specification",
    metavar="FILE",
    help="Write the first suggestion as a specification; - is standard output.",
)
@json_option
@engine_option
@memory_option
@jobs_option
@timeout_option
@fresh_option
@cluster_option
def command(
    figure: str,
    words: int | None,
    edits: int,
    seconds: float,
    samples: int,
    seed: int,
    specification: str | None,
    json_file: str | None,
    engine: "EngineName",
    memory: int,
    jobs: int,
    timeout: float | None,
    fresh: bool,
) -> None:
    """Find the nearest figures that meet every claim of FIGURE, where some are refuted.

    All figures one edit away are tried and, where none suffices, as many figures two edits away as --time allows. An
    edit undoes a slip of the pen: a precondition or a conjunct of an oracle line added, dropped, negated or off by
    one, another node, an arc reversed, an item kept, dropped or put elsewhere, start or final changed; where that does
    not suffice, a line of an oracle or a transition that was left out. Without --words the search goes from one word
    to 5 as long as levels are small. Where nothing is refuted up to N words, samples of longer sentences are tried. Each suggestion is verified with all configurations and graphs up to N words, and
    shown as a difference: fewest edits first, then most graphs derived, then least changed. A claim
    that is left open is named.

    Exit codes: 0 nothing is refuted or a repair is found, 1 no figure within reach meets every claim, 2 wrong usage or
    input, 3 a limit came first, 4 the engines contradict each other.

    \b
    Example:
      arcproof repair my-system.tsys --words 4
    """
    from arcproof.documents.repair import document
    from arcproof.process.interruption import time_limit
    from arcproof.properties.studies.repair import repair
    from arcproof.reports.progress import tracked
    from arcproof.reports.repair import to_text

    loaded = load_system(figure)
    check_outputs([json_file, specification], system_files([figure]))
    with stored_runs(fresh), time_limit(timeout), tracked("repair") as progress:
        progress.begin(f"{loaded.name}: the claims", None)

        def show(count: int) -> None:
            if count % 100 == 1:
                progress.begin(f"{loaded.name}: {count} figures tried", None)

        found = repair(
            loaded,
            words,
            edits,
            seconds,
            engine=engine,
            memory=memory,
            samples=samples,
            seed=seed,
            progress=show,
            jobs=jobs,
        )
    write_json(document(found), json_file)
    if specification is not None and found.suggestions:
        write_file(specification, found.suggestions[0].system.text)
    if "-" not in (json_file, specification):
        click.echo(to_text(found), nl=False)
    sys.exit(found.exit_code)
