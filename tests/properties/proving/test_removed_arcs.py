"""Removed arcs: in a forest it is known who reaches whom, and nothing is proved falsely."""

import pytest

from arcproof.properties.proving.methods.completeness import sound
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.system import load

FIGURE = """system removing
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT     σ, i|β    =>  σ|i, β
  ARC(l)    σ|i, j|β  =>  σ|i|j, β   remove * -> j add i -l-> j
  BACK(l)   σ|i, j|β  =>  σ|i|j, β   remove * -> i add j -l-> i   {condition}

  claims
    length = n
    {claim}
"""


@pytest.mark.solver
def test_a_length_does_not_depend_on_arcs() -> None:
    system = load(FIGURE.format(condition="if i != 0", claim="terminates"))
    theorems = [Prover(system).about(claim) for claim in system.figure.claims]

    assert [theorem.verdict for theorem in theorems] == [Verdict.PROVED, Verdict.PROVED]


@pytest.mark.solver
def test_what_was_reached_over_a_removed_arc_is_known_in_a_forest() -> None:
    """No cycle: the word that gets dependents has no head, and what it gets loses the head it had."""
    system = load(FIGURE.format(condition="if i != 0", claim="sound forests"))
    theorem = Prover(system).about(system.figure.claims[1])

    assert theorem.verdict is Verdict.PROVED


@pytest.mark.nightly
def test_a_cycle_that_removal_does_not_prevent_is_not_proved_away() -> None:
    """The head that i loses is not the one that closes the cycle; the interpreter is not asked."""
    turn = "\n  TURN(l)   σ|i|j, β  =>  σ|i|j, β   remove * -> i add j -l-> i   if i != 0, i -> j\n\n  claims"
    system = load(FIGURE.format(condition="if i != 0", claim="sound forests").replace("\n\n  claims", turn, 1))
    theorem = sound(Prover(system, rlimit=5_000), system.figure.claims[1], s.GraphClass((), "forests"))

    assert theorem.verdict is not Verdict.PROVED
    assert "dominance is known only in part" in theorem_text(theorem)
