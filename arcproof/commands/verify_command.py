"""`arcproof verify`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_outputs,
    complete_system,
    load_system,
    system_files,
    terminal,
    write_file,
)
from arcproof.commands.command import Command
from arcproof.commands.options import (
    OneOf,
    WholeNumber,
    cluster_option,
    engine_option,
    fresh_option,
    html_file_option,
    jobs_option,
    json_option,
    memory_option,
    proofs_option,
    samples_option,
    samples_seed_option,
    time_option,
    timeout_option,
    words_option,
)
from arcproof.commands.storing import stored_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.report import Effort, ProofSource, Report, SystemReport
    from arcproof.properties.verdict import Verdict
    from arcproof.transitions.system import System

MOST_SAMPLED_WORDS = 10_000
"""A run of so many words takes native code well under a second, and no interruption is heard before it returns."""
LEVELS = ["unreached", "sampled", "exhausted", "proved"]


@click.command("verify", cls=Command)
@click.argument("systems", nargs=-1, required=True, shell_complete=complete_system, metavar="SYSTEM...")
@words_option(None, shown="as far as --time allows")
@time_option(
    "Without --words: for each system, go beyond 4 words as long as the next level is expected to end within this "
    "time; where the interpreter does the work, end soon after it.  [default: 10s]"
)
@samples_option(50)
@click.option(
    "--sample-words",
    type=WholeNumber(1, MOST_SAMPLED_WORDS),
    default=40,
    show_default=True,
    metavar="N",
    help="The maximum number of words in a sample.",
)
@samples_seed_option
@click.option(
    "--require",
    type=OneOf(LEVELS),
    default="sampled",
    show_default=True,
    help="The weakest verdict with which a claim counts as met.",
)
@engine_option
@jobs_option
@proofs_option
@click.option(
    "--claims-only",
    is_flag=True,
    help="Check claims only: no classes, lengths of oracles, transitions or preconditions.",
)
@json_option
@html_file_option
@memory_option
@timeout_option
@fresh_option
@cluster_option
def command(
    systems: tuple[str, ...],
    words: int | None,
    seconds: float | None,
    samples: int,
    sample_words: int,
    seed: int,
    require: str,
    engine: "EngineName",
    jobs: int,
    proofs: "ProofSource | None",
    claims_only: bool,
    json_file: str | None,
    html_file: str | None,
    memory: int,
    timeout: float | None,
    fresh: bool,
) -> None:
    """Check every claim of each SYSTEM with every engine, and name the class of graphs it derives.

    For each claim: all configurations and all graphs up to N words, then random ones beyond, then the proof for
    sentences of every length if one is stored (`arcproof prove` stores them) or asked for with --proofs new. A
    counterexample is drawn, with its run: the smallest found, or for a bound on length, space or counts, a run with the
    fewest words that exceeds it most. Without --words the search deepens by itself: at least 4 words, then further as
    long as the next level is expected to fit into --time and --memory; the report shows how far it got with each claim
    and what the next level would cost. How far that is depends on the machine; --words N is the same everywhere. Where the
    interpreter does the work, 4 words may take long: --time ends that, too. Also checked: are the oracles correct and
    shortest, is every transition useful, is every precondition needed; where something is refuted, which figure one
    edit away meets every claim (`arcproof repair` looks further).

    After a class, (also 2,0, not 0,1) gives a smallest output outside it and a smallest graph of it that is not an
    output. LEFT-ARC[2] in a run: the number is one more than the length of the run of nodes that the pattern leaves
    open.

    A line marked ! is a check that no claim asks for: it is worth reading, but does not count as refuted. An oracle
    that is not correct and an invariant that does not hold count like claims.

    Exit codes: 0 every claim is met at the level of --require, 1 something is refuted, 2 wrong usage or input, 3
    inconclusive, 4 the engines contradict each other. Ctrl-C and --timeout end with what is known by then, and code 3
    or 1.

    \b
    Example:
      arcproof verify arc-eager --words 4 --html report.html
    """
    from arcproof.process.interruption import time_limit
    from arcproof.properties.verdict import Verdict

    effort = effort_of(words, seconds, samples, sample_words, seed, require, engine, jobs, proofs, claims_only, memory)
    loaded = [load_system(system) for system in systems]
    outputs = {"json": json_file, "html": html_file}
    check_outputs(list(outputs.values()), system_files(systems))
    quiet = "-" in (json_file, html_file)
    with stored_runs(fresh), time_limit(timeout):
        report = verify_all(loaded, effort, quiet)
    required = Verdict(require)
    write_report(report, outputs)
    if not quiet:
        print_summary(report, required)
    sys.exit(report.exit_code(required))


def effort_of(
    words: int | None,
    seconds: float | None,
    samples: int,
    sample_words: int,
    seed: int,
    require: str,
    engine: "EngineName",
    jobs: int,
    proofs: "ProofSource | None",
    claims_only: bool,
    memory: int,
) -> "Effort":
    """What the options ask for."""
    from arcproof.properties.deepening import SECONDS
    from arcproof.properties.engines.sampled import Sampling
    from arcproof.properties.report import Effort

    if words is not None and seconds is not None:
        raise click.UsageError("--time is for a search that deepens by itself; leave out --words or --time")
    return Effort(
        words,
        Sampling(samples, sample_words, seed),
        memory,
        not claims_only,
        engine,
        jobs,
        proofs or ("new" if require == "proved" else "kept"),
        SECONDS if seconds is None else seconds,
    )


def verify_all(systems: "list[System]", effort: "Effort", quiet: bool) -> "Report":
    """Check one system after the other, printing what is found; after Ctrl-C the rest is open."""
    from arcproof.process.interruption import what_ended
    from arcproof.properties.report import Report
    from arcproof.properties.verify import not_looked_at, verify_system
    from arcproof.reports.findings import print_report
    from arcproof.reports.progress import tracked

    console = terminal()
    done = []
    elsewhere = _elsewhere(systems, effort)
    with tracked("verify") as progress:
        progress.begin("verify", len(systems))
        for place, system in enumerate(systems):

            def say(what: str, name: str = system.name) -> None:
                progress.say(f"{name}: {what}")

            try:
                done.append(next(elsewhere[place]) if place in elsewhere else verify_system(system, effort, say))
            except KeyboardInterrupt as interruption:
                done.append(not_looked_at(system, effort, what_ended(interruption)))
            progress.advance()
            if not quiet:
                print_report(done[-1], console)
            if (ended_by := done[-1].ended_by) is not None:
                left = (not_looked_at(other, effort, ended_by) for other in systems[place + 1 :])
                return Report((*done, *left))
    return Report(tuple(done))


def _elsewhere(systems: "list[System]", effort: "Effort") -> "dict[int, Iterator[SystemReport]]":
    """Map the place of each system that is checked on the cluster to the iterator that yields the reports in order."""
    from arcproof.process.cluster import chosen

    if chosen() is None or len(systems) == 1:
        return {}
    from arcproof.properties.verify import can_travel, verify_elsewhere

    going = [place for place, system in enumerate(systems) if can_travel(system, effort)]
    return dict.fromkeys(going, verify_elsewhere([systems[place] for place in going], effort))


def write_report(report: "Report", files: dict[str, str | None]) -> None:
    """Write the report in each format for which a file is given; - is standard output."""
    for kind, path in files.items():
        if path is not None:
            write_file(path, _rendered(kind, report))


def _rendered(kind: str, report: "Report") -> str:
    if kind == "json":
        from arcproof.documents.verify import document
        from arcproof.documents.wire import json_text

        return json_text(document(report)) + "\n"
    from arcproof.reports.page import report_html

    return report_html(report)


def print_summary(report: "Report", required: "Verdict") -> None:
    """Print one line for each system."""
    for system in report.systems:
        click.echo(f"{system.system.name}: {system.summary(required)}")
    if report.ended_by is not None:
        click.echo(report.ended_by)
