"""`arcproof explore`."""

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, complete_system, load_system, system_files, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import (
    WholeNumber,
    engine_option,
    fresh_option,
    jobs_option,
    json_option,
    memory_option,
    timeout_option,
    words_option,
)
from arcproof.commands.results import ExploredSystem
from arcproof.commands.storing import stored_runs

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.studies.counts import LevelSummary
    from arcproof.transitions.system import System


@click.command("explore", cls=Command)
@click.argument("system", shell_complete=complete_system)
@words_option(5, least=1, help="Explore 1 to N words.")
@click.option(
    "--open", "to_play", is_flag=True, help="Open a page in the browser to play with the system instead of counting."
)
@click.option(
    "--quiz",
    is_flag=True,
    help="With --open: hide what is permissible and what the oracle says, and mark each choice.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8417,
    show_default=True,
    metavar="N",
    help="The port on 127.0.0.1 where --open serves the page; 0 takes any free one.",
)
@json_option
@engine_option
@jobs_option
@memory_option
@timeout_option
@fresh_option
def command(
    system: str,
    words: int,
    to_play: bool,
    quiz: bool,
    port: int,
    json_file: str | None,
    engine: "EngineName",
    jobs: int,
    memory: int,
    timeout: float | None,
    fresh: bool,
) -> None:
    """Visit every configuration of SYSTEM for 1 to N words, and count what there is.

    This counts configurations, transitions, outputs, lengths of runs and dead ends. A run stops at the first terminal
    configuration. For the longest run, the formula in n that fits all computed values is shown, marked as a conjecture.
    The number of derivations of an output is its spurious ambiguity. Ctrl-C and --timeout show the levels that are
    done.

    With --open, a page on this machine opens instead: type heads or a sentence, choose transitions, and see which are
    permissible, what the oracle would do, and where the gold graph got out of reach. The address of the page reproduces
    its state. Ctrl-C ends it.

    With --open --quiz, the page gives nothing away: every transition is offered, and each choice is marked right or
    wrong, with the reason. A choice is right if it is permissible and the gold graph can still be derived after it.
    Keys 1 to 9 choose as well.

    Exit codes: 0 every level is complete, 2 wrong usage or input, 3 a level is incomplete because of --memory,
    --timeout or Ctrl-C.

    \b
    Example:
      arcproof explore swap --words 4
    """
    from arcproof.process.interruption import time_limit

    if to_play:
        if json_file is not None:
            raise click.UsageError("--json is for the counts; leave it out with --open")
        play(system, port, quiz)
        return
    if quiz:
        raise click.UsageError("--quiz is for the page: give --open as well")
    loaded = load_system(system)
    check_outputs([json_file], system_files([system]))
    with stored_runs(fresh), time_limit(timeout):
        found = explored(loaded, words, engine, jobs, memory)
    if found.ended_by is not None:
        click.echo(found.ended_by, err=True)
    if json_file is not None:
        from arcproof.documents.explore import document

        write_json(document(loaded, found.engine, found.levels), json_file)
    if json_file != "-":
        click.echo("\n".join(lines_of(found)))
    sys.exit(found.exit_code)


def explored(system: "System", words: int, engine: "EngineName", jobs: int, memory: int) -> ExploredSystem:
    """Explore level by level, as far as memory and time allow."""
    from arcproof.process.interruption import what_ended
    from arcproof.properties.engines.engine import engine_for
    from arcproof.properties.studies.stored_counts import StoredCounts
    from arcproof.reports.progress import tracked

    levels: list[LevelSummary] = []
    ended_by = None
    with tracked("explore") as progress:
        explorer = engine_for(system, engine, jobs)
        counts = StoredCounts(system, explorer, memory)
        try:
            progress.begin("explore", words)
            for n in range(1, words + 1):
                progress.say(f"{system.name}: {n} words")
                levels.append(counts.level(n))
                progress.advance()
                if not levels[-1].complete:
                    break
        except KeyboardInterrupt as interruption:
            ended_by = what_ended(interruption)
    return ExploredSystem(system, explorer, tuple(levels), words, ended_by)


def play(system: str, port: int, quiz: bool = False) -> None:
    """Serve the page until Ctrl-C, and open it in the browser."""
    import webbrowser

    from arcproof.commands.serving import PlayServer
    from arcproof.reports.playground import Playground

    loaded = load_system(system)
    try:
        server = PlayServer(Playground(loaded, quiz=quiz), port)
    except OSError as error:
        raise click.UsageError(f"port {port} cannot be used ({error.strerror}); choose another with --port") from None
    with server, suppress(KeyboardInterrupt):
        click.echo(f"{loaded.name}: {server.address} (Ctrl-C ends)")
        webbrowser.open(server.address)
        server.serve_forever()
    click.echo("ended")


def lines_of(found: ExploredSystem) -> list[str]:
    """Format the table, and the notes on it."""
    from arcproof.transitions.polynomial import conjecture
    from arcproof.transitions.printing.source import aligned

    header = [
        "words",
        "configurations",
        "transitions",
        "outputs",
        "trees",
        "shortest",
        "longest",
        "dead ends",
        "derivations per output",
    ]
    levels = found.levels
    lines = [found.system.name, *aligned([header, *(_row(level) for level in levels)], "  ")]
    for level in levels:
        if level.reason is not None:
            left_out = "1 word was" if level.words == 1 else f"{level.words} words were"
            lines.append(f"  {left_out} left out: {level.reason}")
    longest = [level.counted.longest for level in levels if level.counted is not None]
    fitted = conjecture(longest)
    if fitted is not None:
        fit, first = fitted
        lines.append(f"  longest = {fit} for {first} to {len(longest)} words (a conjecture beyond)")
    return lines + [f"  {note}" for note in (found.engine.note, found.system.convention) if note]


def _row(level: "LevelSummary") -> list[str]:
    counted = level.counted
    if counted is None:
        return [str(level.words), f"{level.known}+", *["-"] * 7]
    ambiguity = counted.ambiguity
    spread = f"{ambiguity.least} to {ambiguity.most}, mean {ambiguity.mean:.2f}" if ambiguity else "-"
    numbers = (
        counted.configurations,
        counted.transitions,
        counted.outputs,
        counted.trees,
        counted.shortest,
        counted.longest,
        counted.dead_ends,
    )
    return [str(level.words), *("-" if number is None else str(number) for number in numbers), spread]
