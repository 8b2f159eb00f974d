"""What a failing test says: the verdict, the reason, the counterexample drawn, the derivation, and the command that
reproduces it.

Everything that comes from a specification or from a file name is printed as plain text.
"""

from collections.abc import Iterable
from typing import Final

from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.evidence import Counterexample
from arcproof.properties.finding import Finding
from arcproof.reports import arc_diagram, derivation_table
from arcproof.reports.findings import run_text
from arcproof.reports.replaying import replay_commands
from arcproof.reports.sentences import detail_text, reason_text, verdict_text
from arcproof.testing.subjects import Subject
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Graph, format_heads
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.runs import take

HYPOTHESIS: Final = "Hypothesis"
"""The engine of what Hypothesis has found."""


def plain(text: str) -> str:
    """Strip from foreign text of several lines whatever could move the cursor."""
    return "\n".join(map(for_terminal, text.split("\n")))


def failure_text(subject: Subject, finding: Finding) -> str:
    """Say why a claim is not met or an oracle not correct: it is refuted, or it is open."""
    counterexample = finding.counterexample
    if finding.met is None or counterexample is None:
        return plain(_open(finding))
    lines = [verdict_text(finding), reason_text(finding), *_drawn(counterexample.graph)]
    if counterexample.transitions is not None:
        lines += _derivation(subject, counterexample.words, counterexample.transitions)
        lines += [] if counterexample.other is None else [f"and: {run_text(counterexample.other)}"]
    return plain("\n".join(lines + _replay(subject, _command(finding, counterexample))))


def _open(finding: Finding) -> str:
    if isinstance(finding.asked, LeadsTo):
        return f"{verdict_text(finding)}, so the oracle is not known to be correct\n{detail_text(finding)}"
    if finding.kind == "plain":
        return f"{finding.verdict.value}, so the claim is not met\n{detail_text(finding)}"
    return f"no counterexample was found, but the claim is that there is one\n{detail_text(finding)}"


def _derivation(subject: Subject, words: int, run: tuple[Transition, ...]) -> Iterable[str]:
    """The run on a line, and below it every configuration."""
    derivation = take(subject.system, words, run, lambda _: None)
    return [f"run: {run_text(run)}", "", *derivation_table.text_rows(subject.system, derivation), ""]


def _command(finding: Finding, counterexample: Counterexample) -> list[str] | None:
    """Return `trace` if the counterexample is a graph without a run; else `verify` with no more words than needed,
    unless Hypothesis found it, which may be beyond what `verify` can try.
    """
    for name, _, *options in replay_commands(finding)[:1]:
        return [name, *options]
    if finding.engine == HYPOTHESIS:
        return None
    return ["verify", "--words", str(counterexample.words), "--samples", "0", "--claims-only"]


def derivation_failure(subject: Subject, gold: Graph, reason: str, oracle: str | None) -> str:
    """Say why a gold graph was not derived."""
    chosen = [] if oracle is None else ["--oracle", oracle]
    heads = gold.heads_or_none
    command = None if heads is None else ["trace", "--heads", format_heads(heads) or "''", *chosen]
    return plain("\n".join(("not derivable", reason, *_drawn(gold), *_replay(subject, command))))


def _drawn(graph: Graph | None) -> Iterable[str]:
    if graph is None or not graph.words:
        return []
    return ["", *arc_diagram.to_text(graph).rstrip("\n").split("\n"), ""]


def _replay(subject: Subject, command: list[str] | None) -> list[str]:
    """The command that reproduces it; none for a system that cannot be named on the command line."""
    if command is None or subject.reference is None:
        return []
    name, *options = command
    return [" ".join(("replay: arcproof", name, subject.reference, *options))]
