"""`arcproof report`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import (
    complete_system,
    engine_option,
    jobs_option,
    load_system,
    memory_option,
    proofs_option,
    samples_option,
    words_option,
)

if TYPE_CHECKING:
    from arcproof.properties.engines import EngineName
    from arcproof.properties.verify import ProofSource


@click.command("report")
@click.argument("systems", nargs=-1, shell_complete=complete_system, metavar="[SYSTEM]...")
@words_option(4)
@samples_option(20)
@click.option(
    "-o", "--output", default="report/index.html", show_default=True, metavar="FILE", help="Where to write the page."
)
@engine_option
@jobs_option
@proofs_option
@memory_option
def command(
    systems: tuple[str, ...], words: int, samples: int, output: str, engine: "EngineName", jobs: int, proofs: "ProofSource | None",
    memory: int,
) -> None:  # fmt: skip
    """Write an HTML page: each figure, its claims with their verdicts, counterexamples drawn, a derivation.

    Without SYSTEM all systems on board are reported. The checks are those of `arcproof verify`. Exit codes as there, where a claim that is
    left open does not count.
    """
    from arcproof.commands.verify_command import check_outputs, print_summary, verify_all, write_report
    from arcproof.properties.sampled import Sampling
    from arcproof.properties.verdict import Verdict
    from arcproof.properties.verify import Effort
    from arcproof.transitions.library import system_names

    check_outputs([output], systems)
    loaded = [load_system(system) for system in systems or system_names()]
    effort = Effort(words, Sampling(samples), memory, engine=engine, jobs=jobs, proofs=proofs or "kept")
    report = verify_all(loaded, effort, quiet=True)
    write_report(report, Verdict.SAMPLED, {"html": output})
    print_summary(report, Verdict.SAMPLED)
    claims = [finding for system in report.systems for finding in system.claims]
    click.echo(
        f"{len(report.systems)} systems, {len(claims)} claims: {sum(f.met is True for f in claims)} met, "
        f"{sum(f.met is False for f in claims)} refuted, {sum(f.met is None for f in claims)} open"
    )
    click.echo(f"{output} written")
    if any(system.status(Verdict.SAMPLED) == "refuted" for system in report.systems):
        sys.exit(1)
