"""One question at a time: what the exhaustive engine finds, and what samples add."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from arcproof.process.progress import Say, silent
from arcproof.properties.engines.engine import predicted_size
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns, long_runs
from arcproof.properties.engines.sampled import ENGINE, Sampling, sample_runs
from arcproof.properties.engines.sampled_graphs import sample_graphs
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.evidence import Evidence, NoAnswer, Open, Refuted, Sampled, Underived
from arcproof.properties.finding import Finding
from arcproof.properties.property import (
    Asked,
    Question,
    asked_of,
    check_statement,
    property_of,
    run_check,
    text_of,
    witness_graph,
)
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError

CHEAP: Final = 300_000
CHEAP_FOR_THE_INTERPRETER: Final = 12_000
NEAR: Final = 100


def check_claim(levels: Levels, claim: s.Claim, progress: Say = silent) -> Finding:
    """The exhaustive engine's answer to a claim; an error that ends the check leaves the claim open."""
    return _checked(levels, claim, progress, lambda asked: _claim_evidence(asked, claim))


def check_question(levels: Levels, question: Question, progress: Say = silent) -> Finding:
    """The exhaustive engine's answer to a question that is asked of every figure."""
    return _checked(levels, question, progress, lambda asked: check_statement(asked, asked_of(question)))


def _checked(levels: Levels, question: Question, progress: Say, check: Callable[[Levels], Evidence]) -> Finding:
    progress(text_of(levels.system, question))
    began = time.perf_counter()
    evidence = check(levels)
    return Finding(levels.system, question, (evidence,), time.perf_counter() - began)


def _claim_evidence(levels: Levels, claim: s.Claim) -> Evidence:
    try:
        if claim.witness is not None:
            return property_of(claim.statement).check_witness(levels, claim.statement, witness_graph(claim))
        return check_statement(levels, claim.statement)
    except ArcproofError as error:
        return levels.no_answer(str(error))


def sample_claims(
    levels: Levels, sampling: Sampling, findings: Sequence[Finding], progress: Say = silent
) -> dict[s.Claim, Evidence]:
    """What sampling finds about the plain claims that have not been refuted.

    If a sample refutes one, all shorter sentences are tried, as far as that is cheap.
    """
    system = levels.system
    standing = [
        finding.question
        for finding in findings
        if isinstance(finding.question, s.Claim) and finding.kind == "plain" and _is_worth_sampling(finding)
    ]
    progress(f"{sampling.samples} samples of up to {sampling.words} words")
    checks = {claim: check for claim in standing if (check := run_check(system, claim.statement)) is not None}
    runs = long_runs(system, levels.explorer.name)
    found: dict[s.Claim, Evidence] = {**sample_runs(system, checks, sampling, runs)} if checks else {}
    for claim in standing:
        of_graphs = _graph_evidence(runs, claim.statement, sampling)
        if of_graphs is not None:
            found[claim] = of_graphs
    exhausted = {finding.question: finding.exhausted_to for finding in findings}
    for claim, evidence in found.items():
        if isinstance(evidence, Refuted):
            found[claim] = with_fewest_words(levels, claim.statement, evidence, exhausted[claim])
    return found


def with_fewest_words(levels: Levels, statement: Asked, found: Refuted, exhausted_to: int) -> Refuted:
    """The first counterexample among all sentences with fewer words, searched for as long as the next level is
    small.
    """
    apart = Levels(levels.system, found.words - 1, levels.memory_left, levels.explorer)
    most = CHEAP if levels.explorer.goes_far else CHEAP_FOR_THE_INTERPRETER
    sizes: dict[int, int] = {}
    for words in range(1, found.words):
        if (predicted_size(sizes, words) or 0) > most:
            return found
        try:
            sizes[words] = apart.space(words).size
        except OutOfBounds:
            return found
        if words > exhausted_to:
            again = check_statement(apart.up_to(words), statement)
            if isinstance(again, Refuted):
                return again
    return found


def _is_worth_sampling(finding: Finding) -> bool:
    asked = finding.asked
    return finding.decided is not Verdict.REFUTED and property_of(asked).worth_sampling(asked, finding.evidence[0])


def _graph_evidence(runs: LongRuns, statement: s.Statement, sampling: Sampling) -> Evidence | None:
    """The evidence from random graphs; None if the statement is not about individual graphs."""
    why_not = property_of(statement).why_not_sampled(runs.system, statement)
    if why_not is not None:
        return Open(ENGINE, why_not)
    try:
        asked = property_of(statement).graph_check(runs, statement)
        if asked is None:
            return None
        near = NEAR if runs.is_swift else 0
        found = sample_graphs(asked.graphs, asked.check, sampling, lambda: bool(asked.undecided), near)
    except ArcproofError as error:
        return Open(ENGINE, NoAnswer(str(error)))
    if asked.undecided and isinstance(found, Sampled):
        return Open(ENGINE, Underived(asked.undecided[0]))
    return found
