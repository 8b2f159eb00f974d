"""Proofs that a statement fails, by one run, loop or graph."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION
from arcproof.properties.engines.sampled import sample_runs
from arcproof.properties.evidence import Evidence, Refuted
from arcproof.properties.property import check_statement, property_of, run_check, witness_graph
from arcproof.properties.proving.short_sentences import ATTACK
from arcproof.properties.proving.theorem import (
    Hindrance,
    Theorem,
    not_proved,
)
from arcproof.transitions import syntax as s

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover

MOST_SEARCHED: Final = 200_000
"""The most configurations that a search for a run to a graph may visit."""


def by_witness(prover: "Prover", claim: s.Claim) -> Theorem:
    """Prove that a statement fails: one run, loop or graph settles it, whatever holds for other sentences.

    The interpreter has replayed the run, or tried everything with as many words as the graph has.
    """
    evidence = _failing(prover, claim)
    if not isinstance(evidence, Refuted):
        return not_proved(claim, Hindrance.NO_WITNESS)
    return Theorem(claim, None, witness=evidence.counterexample)


def _failing(prover: "Prover", claim: s.Claim) -> Evidence:
    """The evidence for the witness that the claim names, or else for one found in short sentences, or in random runs of
    longer ones.
    """
    if claim.witness is not None:
        levels = replace(prover.levels, memory=MOST_SEARCHED * BYTES_A_CONFIGURATION)
        return property_of(claim.statement).check_witness(levels, claim.statement, witness_graph(claim))
    found = check_statement(prover.levels, claim.statement)
    if isinstance(found, Refuted):
        return found
    check = run_check(prover.system, claim.statement)
    longer = found if check is None else sample_runs(prover.system, {None: check}, ATTACK)[None]
    return longer if isinstance(longer, Refuted) else found
