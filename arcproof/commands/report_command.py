"""`arcproof report`."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from arcproof.commands.arguments import (
    check_outputs,
    check_place,
    complete_system,
    load_system,
    make_folder,
    system_files,
    write_file,
    write_json,
)
from arcproof.commands.command import SeveralTreebanks
from arcproof.commands.options import (
    WholeNumber,
    cluster_option,
    engine_option,
    fresh_option,
    jobs_option,
    json_option,
    memory_option,
    proofs_option,
    samples_option,
    samples_seed_option,
    timeout_option,
    words_option,
)
from arcproof.commands.storing import stored_runs
from arcproof.commands.treebank_arguments import check_treebanks, file_of

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import EngineName
    from arcproof.properties.report import Effort, ProofSource, Report, SystemReport
    from arcproof.properties.studies.mutation import MutationReport
    from arcproof.reports.page import Coverage
    from arcproof.transitions.system import System


FOLDER: Final = "report"
"""Where the page goes if no file is named; made if it is missing."""


@click.command("report", cls=SeveralTreebanks)
@click.argument("systems", nargs=-1, shell_complete=complete_system, metavar="[SYSTEM]...")
@words_option(4)
@samples_option(20)
@samples_seed_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write; - is standard output.  [default: report/index.html, or report/appendix.tex]",
)
@click.option("--latex", is_flag=True, help="Write an appendix for a paper instead: LaTeX that compiles as is.")
@click.option(
    "--mutate",
    "mutant_words",
    type=WholeNumber(0, 20),
    default=0,
    metavar="N",
    help="Also break each figure in every small way and try the mutants up to N words; 0, the default, for none.",
)
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    metavar="FILE",
    help="Also show what share of the trees in this treebank each system derives. FILE is a CoNLL file or "
    "artificial-test, which is built in.",
)
@click.option(
    "--experiment", metavar="FOLDER", help="Also show the results that `arcproof experiment -o FOLDER` wrote."
)
@click.option(
    "--audit", metavar="FILE", help="Also show the summary of an audit of claims, as in proofs_notes/claims.md."
)
@json_option
@engine_option
@jobs_option
@proofs_option
@memory_option
@timeout_option
@fresh_option
@cluster_option
def command(
    systems: tuple[str, ...],
    words: int,
    samples: int,
    seed: int,
    output: str | None,
    latex: bool,
    mutant_words: int,
    treebanks: tuple[str, ...],
    experiment: str | None,
    audit: str | None,
    json_file: str | None,
    engine: "EngineName",
    jobs: int,
    proofs: "ProofSource | None",
    memory: int,
    timeout: float | None,
    fresh: bool,
) -> None:
    """Write a page that opens anywhere: figures typeset, claims with verdicts, counterexamples to step through.

    Without SYSTEM, all built-in systems are reported. The checks are those of `arcproof verify`, and --json gives the
    same document. The page is one file, loads nothing, and shows for each line how to obtain it again.

    With --latex, the same is an appendix for a paper: figure, theorem statements with verdicts, invariants, counts,
    commands.

    Exit codes: those of `verify`, except that a claim left open does not count; after Ctrl-C or --timeout the page has
    what is known by then, and the code is 3 or 1.

    \b
    Example:
      arcproof report arc-eager swap -o report.html
    """
    from dataclasses import replace

    from arcproof.process.interruption import time_limit
    from arcproof.properties.engines.sampled import Sampling
    from arcproof.properties.exit_code import exit_code_of_page
    from arcproof.properties.report import Effort
    from arcproof.reports.appendix import report_latex
    from arcproof.reports.audit import read_audit
    from arcproof.reports.experiment_results import read_training
    from arcproof.reports.page import Extras, report_html
    from arcproof.transitions.library import system_names

    if latex and (treebanks or experiment or audit):
        raise click.UsageError(
            "--treebank, --experiment and --audit are for the page; an appendix has no room for them"
        )
    check_place(output)
    folder = None if output else FOLDER
    output = output or f"{FOLDER}/{'appendix.tex' if latex else 'index.html'}"
    inputs = [*system_files(systems), *treebanks, *([] if audit is None else [audit])]
    check_outputs([output, json_file], inputs, folder)
    check_treebanks(treebanks)
    loaded = [load_system(system) for system in systems or system_names()]
    effort = Effort(words, Sampling(samples, seed=seed), memory, engine=engine, jobs=jobs, proofs=proofs or "kept")
    extras = Extras(
        training=None if experiment is None else read_training(experiment),
        audit=() if audit is None else read_audit(audit),
        audit_file=audit,
    )
    with stored_runs(fresh), time_limit(timeout):
        report = _verified(loaded, effort)
        mutations, ended_by = ([], None) if report.interrupted else _mutations(loaded, mutant_words, effort)
        is_over = report.interrupted or ended_by is not None
        covered, cut_short = ([], None) if is_over else _coverage(loaded, treebanks, jobs)
    if folder is not None:
        make_folder(folder)
    write_file(
        output,
        report_latex(report)
        if latex
        else report_html(report, replace(extras, coverage=tuple(covered), mutations=tuple(mutations))),
    )
    if json_file is not None:
        from arcproof.documents.verify import document

        write_json(document(report), json_file)
    quiet = "-" in (output, json_file)
    if not quiet:
        _print_totals(report, output)
    if ended_by is not None:
        click.echo(f"{ended_by}: not all mutants were tried", err=quiet)
    if cut_short is not None:
        click.echo(f"{cut_short}: not all treebanks were counted", err=quiet)
    sys.exit(exit_code_of_page(report.systems, is_over or cut_short is not None))


def _verified(systems: "list[System]", effort: "Effort") -> "Report":
    """Report on the systems, each in a process of its own if there are several jobs, with progress."""
    from arcproof.commands.verify_command import verify_all
    from arcproof.process.side_by_side import are_several
    from arcproof.properties.verify import verify_systems

    if not are_several(effort.jobs) or len(systems) == 1:
        return verify_all(systems, effort, quiet=True)
    count = 0

    def tell(report: "SystemReport") -> None:
        nonlocal count
        count += 1
        met = sum(finding.met is True for finding in report.claims)
        click.echo(
            f"{count}/{len(systems)} {report.system.name}: {met} of {len(report.claims)} claims met, "
            f"{report.seconds:.0f} s",
            err=True,
        )

    click.echo(f"verify {len(systems)} systems, {effort.jobs} at a time", err=True)
    return verify_systems(systems, effort, tell)


def _print_totals(report: "Report", output: str) -> None:
    from arcproof.commands.verify_command import print_summary
    from arcproof.properties.verdict import Verdict
    from arcproof.reports.scope import tally_text
    from arcproof.transitions.printing.wording import counted

    print_summary(report, Verdict.SAMPLED)
    click.echo(f"{counted(len(report.systems), 'system')}, {tally_text(report.systems)}")
    click.echo(f"{output} written")


def _mutations(systems: "list[System]", words: int, effort: "Effort") -> "tuple[list[MutationReport], str | None]":
    """Try the mutants of each system, if a number of words was given; also return what ended the work early."""
    from arcproof.process.interruption import what_ended
    from arcproof.properties.studies.mutation import MOST_MEMORY, mutate
    from arcproof.reports.progress import tracked

    done: list[MutationReport] = []
    with tracked("mutate") as progress:
        for count, system in enumerate(systems if words else (), start=1):
            progress.say(f"{system.name}: mutants")
            if len(systems) > 1:
                click.echo(f"{count}/{len(systems)} {system.name}: mutants", err=True)
            try:
                done.append(mutate(system, words, effort.memory or MOST_MEMORY, effort.jobs, effort.engine))
            except KeyboardInterrupt as interruption:
                return done, what_ended(interruption)
            if done[-1].ended_by is not None:
                return done, done[-1].ended_by
    return done, None


def _coverage(systems: "list[System]", treebanks: tuple[str, ...], jobs: int) -> "tuple[list[Coverage], str | None]":
    """Count what the systems with an oracle derive of each treebank; also return what ended the work early."""
    from arcproof.process.interruption import what_ended
    from arcproof.properties.studies.stored_coverage import File, covered_by
    from arcproof.reports.page import Coverage
    from arcproof.reports.progress import tracked

    with_oracle = [system for system in systems if system.figure.oracles]
    done: list[Coverage] = []
    with tracked("coverage") as progress:
        for treebank in treebanks:
            path = file_of(treebank)
            file = File(path, partial(progress.sentences, str(path)))
            try:
                done.append(Coverage(Path(treebank).name, *covered_by(with_oracle, file, jobs)))
            except KeyboardInterrupt as interruption:
                return done, what_ended(interruption)
    return done, None
