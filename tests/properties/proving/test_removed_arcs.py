"""Removed arcs: what does not depend on who reaches whom is proved, and what does is not proved falsely."""

import pytest
from arcproof.properties.proving.methods.completeness import sound
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.system import load

from arcproof.reports.proofs import theorem_text

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


@pytest.mark.slow
def test_what_is_left_open_is_not_proved() -> None:
    """Cycles would need reachability to be exact; the reason names what is missing."""
    system = load(FIGURE.format(condition="if i != 0", claim="sound forests"))
    theorem = sound(Prover(system, rlimit=5_000), system.figure.claims[1], s.GraphClass((), "forests"))

    assert theorem.verdict is not Verdict.PROVED
    assert "what dominates what is known only in part" in theorem_text(theorem)
