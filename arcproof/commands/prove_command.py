"""`arcproof prove`."""

import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    check_folder,
    check_outputs,
    complete_system,
    load_system,
    system_files,
    write_json,
)
from arcproof.commands.command import Command
from arcproof.commands.options import Duration, cluster_option, fresh_option, jobs_option, json_option, timeout_option
from arcproof.commands.results import ProvedSystems
from arcproof.commands.storing import stored_runs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from arcproof.properties.proving.proof_objects import ProofObjects
    from arcproof.properties.proving.prove import Answer, ProofReport
    from arcproof.reports.progress import Tracker
    from arcproof.transitions.system import System


@click.command("prove", cls=Command)
@click.argument("systems", nargs=-1, required=True, shell_complete=complete_system, metavar="SYSTEM...")
@click.option(
    "--smt",
    "smt_directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every obligation as SMT-LIB 2.6, one file each; DIR is made if it is missing.",
)
@click.option(
    "--proof-objects",
    "proof_directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a proof beside every obligation, and check each step without a solver, as `check-proof DIR` does. DIR is made if "
    "it is missing.",
)
@json_option
@click.option("--invariant", is_flag=True, help="Print the invariant of each theorem.")
@click.option(
    "--preconditions", is_flag=True, help="Also find out which preconditions follow from the others, for all n."
)
@click.option("--no-cache", is_flag=True, help="Prove everything again, and store nothing.")
@click.option("--check", is_flag=True, help="Do not search: check the built-in certificates. The cache is not used.")
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write what is found as certificates, a file for each system; DIR is made if it is missing. The cache is not "
    "used. With --check, read them from there.",
)
@click.option("--claim", metavar="TEXT", help="Prove only the claims in which this text occurs.")
@click.option(
    "--explain",
    metavar="CLAIM",
    help="Prove only the claims in which this text occurs, and explain what blocks those that are open. "
    "The cache is not used.",
)
@timeout_option
@click.option(
    "--timeout-claim",
    type=Duration(),
    metavar="TIME",
    help="Give up on a claim after this long, and go on with the next.",
)
@jobs_option
@fresh_option
@cluster_option
def command(
    systems: tuple[str, ...],
    smt_directory: Path | None,
    proof_directory: Path | None,
    json_file: str | None,
    invariant: bool,
    preconditions: bool,
    no_cache: bool,
    check: bool,
    certificates: Path | None,
    claim: str | None,
    explain: str | None,
    timeout: float | None,
    timeout_claim: float | None,
    jobs: int,
    fresh: bool,
) -> None:
    """Prove the claims of each SYSTEM for sentences of every length, with Z3 and again with cvc5.

    Nothing has to be supplied: invariants are found. Measure, invariant and lemma lines of a figure help, and are
    proved too. What is not proved is unknown, with the reason and what to do next; --explain shows what blocks it. A
    theorem is proved only if its premises are satisfiable and every transition can fire.

    Proofs are stored under $ARCPROOF_CACHE and reused as long as the figure, the prover and the solvers are the same. A
    certificate records which invariant was found and what each step uses; checking it asks both solvers everything
    again, but searches nothing. With --proof-objects, cvc5's proof of every obligation is checked by a small program
    that uses no solver. Theorems are printed as they are found. Ctrl-C and --timeout end at once with what is known,
    and what was proved is stored. With --jobs, solvers are asked in parallel, and the results are the same.

    Exit codes: 0 every claim is proved, 1 one is refuted, 2 wrong usage or input, 3 one is open or not every step is
    checked, 4 the solvers contradict each other.

    \b
    Example:
      arcproof prove arc-standard --claim sound
    """
    from arcproof.documents.prove import document
    from arcproof.reports.progress import tracked
    from arcproof.reports.proofs import text_of, write_smt

    wanted = ProofsWanted(
        preconditions, no_cache, check, certificates, claim, explain, timeout, timeout_claim, jobs, fresh
    )
    wanted.check_usage()
    loaded = [load_system(name) for name in systems]
    wanted.check_places(loaded, system_files(systems), json_file)
    check_folder(smt_directory)
    check_folder(proof_directory)
    as_found = json_file != "-" and proof_directory is None
    with wanted.storing(quiet=False), tracked("prove") as progress:
        found = prove_all(loaded, wanted, progress, invariant if as_found else None)
        reports = list(found.reports)
        proofs = None if proof_directory is None else _proof_objects(reports, proof_directory, progress, jobs)
    if found.ended_by is not None:
        click.echo(found.ended_by, err=True)
    if json_file != "-" and not as_found:
        click.echo("\n".join(text_of(report, invariant, proofs) for report in reports))
    write_json(document(reports, proofs), json_file)
    write_certificates(found, wanted)
    if smt_directory is not None:
        for report in reports:
            write_smt(report, smt_directory)
    refused = proofs is not None and any(entry.refused is not None for entry in proofs.values())
    sys.exit(found.exit_code or (3 if refused else 0))


@dataclass(frozen=True)
class ProofsWanted:
    """What the options ask for."""

    preconditions: bool
    no_cache: bool
    check: bool
    certificates: Path | None
    claim: str | None
    explain: str | None
    timeout: float | None
    timeout_claim: float | None
    jobs: int
    fresh: bool

    def check_usage(self) -> None:
        """Check that the options go together."""
        if self.claim is not None and self.explain is not None:
            raise click.UsageError("--claim and --explain both name claims; use one of them")

    def check_places(self, systems: "Sequence[System]", inputs: list[str], json_file: str | None = None) -> None:
        """Check that every output can be written and overwrites no input."""
        from arcproof.properties.proving.certificates.files import file_of

        kept = [] if self.certificates is None else [str(file_of(one.name, self.certificates)) for one in systems]
        written = [] if self.check else dict.fromkeys(kept)
        check_outputs([json_file, *written], [*inputs, *(kept if self.check else [])], self.certificates)

    @property
    def is_cached(self) -> bool:
        """Whether proofs are stored and reused."""
        return not (self.no_cache or self.check or self.certificates or self.explain is not None)

    def storing(self, quiet: bool) -> "AbstractContextManager[None]":
        """Use the run store in the block, if proofs are stored at all."""
        from arcproof.properties.proving.store import default_store

        has_store = self.is_cached and default_store() is not None
        return stored_runs(self.fresh, quiet) if has_store else nullcontext()


def write_certificates(found: ProvedSystems, wanted: ProofsWanted) -> None:
    """Write certificates of what was found, if a folder was given."""
    from arcproof.properties.proving.certificates.files import write

    if wanted.certificates is not None and not wanted.check:
        for report in found.reports:
            write(report.system.name, report.certificates, wanted.certificates)


def prove_all(
    systems: "Sequence[System]", wanted: ProofsWanted, progress: "Tracker", invariants: bool | None = None
) -> ProvedSystems:
    """Prove the claims of one system after the other; theorems are printed as found, unless `invariants` is None."""
    from arcproof.properties.proving.certificates.files import on_file
    from arcproof.properties.proving.prove import tasks_of
    from arcproof.properties.proving.store import WriteOnly, default_store
    from arcproof.properties.proving.stored_answers import stored_answers
    from arcproof.properties.proving.supervised import TimeLimits, named, prove_supervised, ready_to_prove
    from arcproof.properties.proving.trusted.discharge import Answers
    from arcproof.reports.proofs import NOTHING_TO_PROVE

    kept_proofs = default_store() if wanted.is_cached else None
    memory = WriteOnly(kept_proofs) if wanted.fresh and kept_proofs is not None else kept_proofs
    text = wanted.claim if wanted.explain is None else wanted.explain
    asked = [named(tasks_of(system, wanted.preconditions), text) for system in systems]
    if text is not None and not any(asked):
        raise click.UsageError(f"no claim of {', '.join(system.name for system in systems)} contains {text!r}")
    certified = [on_file(system.name, wanted.certificates) if wanted.check else None for system in systems]
    ready_to_prove(several=len(systems) > 1)
    reports: list[ProofReport] = []
    began = time.monotonic()
    ended_by = None
    solved = Answers(store=stored_answers())
    progress.begin("prove", len(systems))
    for system, tasks, known in zip(systems, asked, certified, strict=True):
        say = partial(_say, progress, system.name)
        left = None if wanted.timeout is None else max(0.0, wanted.timeout - (time.monotonic() - began))
        show = _quietly if invariants is None else _Shown(progress, system, invariants)
        limits = TimeLimits(left, wanted.timeout_claim)
        report, ended_by = prove_supervised(
            system, tasks, say, show, memory, known, wanted.jobs, limits, wanted.explain is not None, solved
        )
        reports.append(report)
        if isinstance(show, _Shown) and not report.theorems:
            progress.show("\n".join((system.name, NOTHING_TO_PROVE)))
        progress.advance()
        if ended_by is not None:
            break
    return ProvedSystems(tuple(reports), ended_by)


def _proof_objects(reports: "list[ProofReport]", folder: Path, progress: "Tracker", jobs: int) -> "ProofObjects":
    """Write the proofs of all systems; return which are accepted."""
    from arcproof.properties.proving.proof_objects import proof_objects, write_proof_objects
    from arcproof.reports.proofs import safe_name

    found = {}
    for report in reports:
        proofs = proof_objects(report.theorems, partial(_say, progress, report.system.name), jobs)
        write_proof_objects(report, proofs, folder / safe_name(report.system.name))
        found.update(proofs)
    return found


@dataclass
class _Shown:
    """Prints what is found about a system, below its name."""

    progress: "Tracker"
    system: "System"
    invariants: bool
    has_begun: bool = False

    def __call__(self, found: "Answer") -> None:
        """Print an answer, if there is one."""
        from arcproof.properties.proving.theorem import Theorem
        from arcproof.reports.proofs import redundancy_lines, theorem_lines

        if found is None:
            return
        if isinstance(found, Theorem):
            lines = theorem_lines(self.system, found, self.invariants)
        else:
            lines = [f"  {line}" for line in redundancy_lines(found)]
        self.progress.show("\n".join([*([] if self.has_begun else [self.system.name]), *lines]))
        self.has_begun = True


def _quietly(_: "Answer") -> None:
    return None


def _say(progress: "Tracker", name: str, what: str) -> None:
    progress.say(f"{name}: {what}")
