"""What a verdict covers and what it does not, in words, and how to reproduce it."""

import shlex
from collections.abc import Sequence
from typing import Final, assert_never

from arcproof.properties.evidence import NoOracle, Open, Underived
from arcproof.properties.finding import Finding
from arcproof.properties.report import Effort, SystemReport
from arcproof.properties.verdict import Verdict
from arcproof.transitions.printing.notation import help_text
from arcproof.transitions.printing.wording import counted

MEANINGS: Final = {
    Verdict.PROVED: "for sentences of every length, by the solvers named",
    Verdict.EXHAUSTED: "no counterexample among all configurations and graphs of up to this many words",
    Verdict.SAMPLED: "no counterexample among random samples",
    Verdict.UNREACHED: "an induction step fails, but no run is known to reach the state in which it fails",
    Verdict.UNKNOWN: "open, for the reason given",
    Verdict.REFUTED: "there is a counterexample, and the interpreter has replayed it",
}


def tally_text(reports: Sequence[SystemReport]) -> str:
    """Count the claims of systems by what is known, and the checks that are refuted, if any."""
    claims = [finding for report in reports for finding in report.claims]
    met, refuted, left = (sum(f.met is is_met for f in claims) for is_met in (True, False, None))
    checks = sum(len(report.refuted_checks) for report in reports)
    told = f"{counted(len(claims), 'claim')}: {met} met, {refuted} refuted, {left} open"
    return f"{told}; {counted(checks, 'check')} refuted" if checks else told


def untested_help(report: SystemReport) -> list[str]:
    """The measures and lemmas of a figure that no proof of the report uses: nothing here says that they are true."""
    theorems = (finding.theorem for finding in report.claims if finding.verdict is Verdict.PROVED)
    used = {line for theorem in theorems if theorem is not None for line in theorem.given}
    figure = report.system.figure
    said = [*map(help_text, figure.measures), *map(help_text, figure.lemmas)]
    return [text for text in said if text not in used]


def not_done(finding: Finding) -> str:
    """Say what the verdict leaves open."""
    match finding.verdict:
        case Verdict.PROVED:
            assumed = "; ".join(finding.assumptions)
            return f"It rests on these assumptions: {assumed}." if assumed else "Nothing is left open."
        case Verdict.EXHAUSTED if finding.kind == "negated":
            return "Nothing is left open: one witness suffices."
        case Verdict.EXHAUSTED:
            return (
                f"Sentences of more than {finding.words} words {_beyond(finding)}; there is no proof for every length."
            )
        case Verdict.SAMPLED:
            return "Only samples were examined: even short sentences may contain a counterexample."
        case Verdict.UNREACHED:
            return "Whether a run reaches the state at fault is open."
        case Verdict.UNKNOWN:
            return "Nothing is decided."
        case Verdict.REFUTED:
            return "Nothing is left open: the interpreter has replayed the counterexample."
        case _:
            assert_never(finding.verdict)


def _beyond(finding: Finding) -> str:
    """Say what was done about longer sentences."""
    if finding.seed is not None:
        return "were sampled, not all tried"
    for piece in finding.evidence:
        match piece:
            case Open(_, NoOracle()):
                return "were not sampled, because the figure has no oracle"
            case Open(_, Underived(graph)):
                return f"were sampled in vain: no oracle derives {graph}"
    return "were not examined"


def verify_command(report: SystemReport) -> str:
    """The command that reproduces the findings about a system."""
    options = [*_options(report.effort, report.words), *_proofs(report)]
    return " ".join(["arcproof", "verify", shlex.quote(report.system.reference), *options])


def _proofs(report: SystemReport) -> list[str]:
    """The option that proves what the report says is proved, also where no proof is kept."""
    if not any(finding.verdict is Verdict.PROVED for finding in (*report.claims, *report.checks)):
        return []
    source = report.effort.proofs
    return ["--proofs", source if source in ("certified", "afresh") else "new"]


def _options(effort: Effort, words: int) -> list[str]:
    """The options of `verify` that decide what is found; with a number of words, so that it does not depend on the
    machine.
    """
    sampling = effort.sampling
    given = ["--words", str(words), "--samples", str(sampling.samples)]
    if sampling.samples:
        given += ["--sample-words", str(sampling.words), "--seed", str(sampling.seed)]
    if effort.engine != "compiled":
        given += ["--engine", effort.engine]
    if not effort.in_depth:
        given.append("--claims-only")
    return given
