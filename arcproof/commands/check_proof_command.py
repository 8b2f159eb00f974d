"""`arcproof check-proof`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import jobs_option, json_option, timeout_option
from arcproof.commands.results import CheckedProofs

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("check-proof", cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FILE...")
@json_option
@jobs_option
@timeout_option
def command(files: tuple[Path, ...], json_file: str | None, jobs: int, timeout: float | None) -> None:
    """Check proofs that `arcproof prove --proof-objects DIR` wrote, without a solver.

    A FILE is a proof (.cpc) or an obligation (.smt2); the other one is beside it. A folder stands for all proofs in it.
    A proof is accepted only if each of its steps follows by a rule of the checker, everything it assumes is asserted by
    the obligation, and it ends with false. For a folder with an index, the output also shows how many of the
    obligations listed for each theorem are accepted; only `prove`, which writes the list, can tell whether the list is
    right.

    Exit codes: 0 every proof is accepted, 1 one is refused or missing, 2 there is nothing to check, 3 --timeout or
    Ctrl-C came before all were checked.

    \b
    Example:
      arcproof check-proof proofs
    """
    from arcproof.documents.check_proof import document
    from arcproof.process.interruption import time_limit
    from arcproof.properties.proving.proof_files import obligations_in, rules_of

    obligations = obligations_in(files)
    check_outputs([json_file], [path.with_suffix(suffix) for path in obligations for suffix in (".smt2", ".cpc")])
    with time_limit(timeout):
        found = checked_proofs(files, obligations, jobs)
    if found.ended_by is not None:
        click.echo(found.ended_by, err=True)
    if json_file != "-":
        for file in found.refused:
            click.echo(f"{file.proof}: refused: {file.refused}")
        for theorem in found.theorems:
            click.echo(f"{theorem.system}: {theorem.claim}: {theorem.accepted} of {theorem.obligations} obligations")
        rules = rules_of(found.files)
        steps = f"{sum(rules.values())} steps by {len(rules)} rules"
        click.echo(f"{len(found.files) - len(found.refused)} of {len(found.files)} proofs accepted: {steps}")
    write_json(document(found.files, found.theorems, found.ended_by), json_file)
    sys.exit(found.exit_code)


def checked_proofs(files: "Sequence[Path]", obligations: "Sequence[Path]", jobs: int) -> CheckedProofs:
    """Check the proofs of the obligations that these files and folders have."""
    from arcproof.process.interruption import what_ended
    from arcproof.properties.proving.proof_files import check_file, theorems_in
    from arcproof.reports.progress import tracked

    checked, ended_by = [], None
    with tracked("check-proof") as progress:
        progress.begin("check-proof", len(obligations))
        if jobs > 1:
            from arcproof.process.side_by_side import in_processes

            results = in_processes(check_file, ((path,) for path in obligations), jobs)
        else:
            results = map(check_file, obligations)
        try:
            for file in results:
                checked.append(file)
                progress.advance()
        except KeyboardInterrupt as interruption:
            ended_by = what_ended(interruption)
    return CheckedProofs(tuple(checked), tuple(theorems_in(files, checked)), ended_by)
