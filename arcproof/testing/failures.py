"""What a failing test says: the verdict, the reason, the counterexample drawn, the run, and the command that reproduces
it.

Everything that comes from a specification or from a file name is printed as plain text.
"""

from collections.abc import Iterable

from arcproof.properties.evidence import Counterexample
from arcproof.properties.finding import Finding
from arcproof.properties.report import Effort
from arcproof.reports import arc_diagram
from arcproof.reports.findings import run_text
from arcproof.reports.replaying import replay_commands
from arcproof.reports.sentences import detail_text, reason_text, verdict_text
from arcproof.testing.subjects import Subject
from arcproof.transitions.graph import Graph, Heads, format_heads
from arcproof.transitions.printing.escape import for_terminal


def plain(text: str) -> str:
    """Strip from foreign text of several lines whatever could move the cursor."""
    return "\n".join(map(for_terminal, text.split("\n")))


def claim_failure(subject: Subject, finding: Finding, effort: Effort) -> str:
    """Say why a claim is not met: it is refuted, or it is open."""
    found = finding.counterexample
    if finding.met is None or found is None:
        return plain(_open_claim(finding))
    lines = [verdict_text(finding), reason_text(finding), *_drawn(found.graph)]
    if found.transitions is not None:
        lines.append(f"run: {run_text(found.transitions)}")
        lines += [] if found.other is None else [f"and: {run_text(found.other)}"]
    return plain("\n".join(lines + _replay(subject, _command(finding, found, effort))))


def _open_claim(finding: Finding) -> str:
    if finding.kind == "plain":
        return f"{finding.verdict.value}, so the claim is not met\n{detail_text(finding)}"
    return f"no counterexample was found, but the claim is that there is one\n{detail_text(finding)}"


def _command(finding: Finding, found: Counterexample, effort: Effort) -> list[str]:
    """Return `trace` if the counterexample is a graph without a run; else `verify` with no more words than needed."""
    for name, _, *options in replay_commands(finding)[:1]:
        return [name, *options]
    if finding.seed is None:
        return ["verify", "--words", str(found.words), "--samples", "0", "--claims-only"]
    sampling = effort.sampling
    numbers = {"--words": effort.words, "--samples": sampling.samples, "--seed": finding.seed}
    return ["verify", *(str(part) for option in numbers.items() for part in option), "--claims-only"]


def oracle_failure(subject: Subject, oracle: str, finding: Finding) -> str:
    """Say why an oracle is not known to be correct for a class: a graph it does not lead to, or an open question."""
    found = finding.counterexample
    if found is None or found.graph is None:
        return plain(f"{verdict_text(finding)}, so the oracle is not known to be correct\n{detail_text(finding)}")
    return _not_derived(subject, verdict_text(finding), found.reason, found.graph, oracle)


def derivation_failure(subject: Subject, gold: Graph, reason: str, oracle: str | None) -> str:
    """Say why a gold graph was not derived."""
    return _not_derived(subject, "not derivable", reason, gold, oracle)


def _not_derived(subject: Subject, first: str, reason: str, gold: Graph, oracle: str | None) -> str:
    chosen = [] if oracle is None else ["--oracle", oracle]
    command = None if gold.heads_or_none is None else ["trace", *_heads(gold.heads), *chosen]
    return plain("\n".join((first, reason, *_drawn(gold), *_replay(subject, command))))


def _drawn(graph: Graph | None) -> Iterable[str]:
    if graph is None or not graph.words:
        return []
    return ["", *arc_diagram.to_text(graph).rstrip("\n").split("\n"), ""]


def _heads(heads: Heads) -> list[str]:
    return ["--heads", format_heads(heads) or "''"]


def _replay(subject: Subject, command: list[str] | None) -> list[str]:
    """The command that reproduces it; none for a system that cannot be named on the command line."""
    if command is None or subject.reference is None:
        return []
    name, *options = command
    return [" ".join(("replay: arcproof", name, subject.reference, *options))]
