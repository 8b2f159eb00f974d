"""Unambiguity and strict incrementality for all n: proved where they hold, and nowhere else."""

import pytest

from arcproof.properties.engines.exploration import explore
from arcproof.properties.proving.goals.agreement import Goals
from arcproof.properties.proving.goals.unambiguous import unambiguous
from arcproof.properties.proving.meaning.model import model_of
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.library import source_of
from arcproof.transitions.system import System, load

UNAMBIGUOUS = s.Claim(s.Unambiguous())
STRICTLY = s.Claim(s.Incremental("strictly"))
POINTER = source_of("pointer")
CHOICES = """system choices
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT    σ, j|β    =>  σ|j, β
  WAIT     σ, j|β    =>  σ|j, β    if n > 4
  ARC(l)   σ|i, j|β  =>  σ|i, β    add i -l-> j

  oracle none
"""


def asked(system: System, claim: s.Claim) -> Theorem:
    """What is proved if nothing is looked for that refutes the claim."""
    prover = Prover(system)
    return prover._proved(claim)


@pytest.mark.solver
def test_pointing_at_another_node_builds_another_graph() -> None:
    theorem = Prover(load(POINTER)).about(UNAMBIGUOUS)

    assert (theorem.verdict, theorem.solvers) == (Verdict.PROVED, ("z3", "cvc5"))


@pytest.mark.solver
def test_two_ways_to_one_output_are_not_overlooked_although_short_sentences_have_one() -> None:
    """SHIFT and WAIT do the same, with five words or more; SHIFT and ARC are told apart only by the arc that is
    missing.
    """
    assert asked(load(CHOICES), UNAMBIGUOUS).verdict is not Verdict.PROVED


@pytest.mark.parametrize("name", ["arc-eager", "arc-standard-stack", "list-nonprojective", "nl-covington"])
def test_where_an_output_has_two_derivations_a_goal_is_false(name: str) -> None:
    system = load(name)
    goals = Goals(unambiguous(meanings_of(system)).goals)

    assert any(goals.broken(model_of(system, c), 3) for c in explore(system, 3).configurations)


def test_the_goals_hold_where_every_output_has_one() -> None:
    system = load(POINTER)
    goals = Goals(unambiguous(meanings_of(system)).goals)

    assert not any(goals.broken(model_of(system, c), 3) for c in explore(system, 3).configurations)


def test_where_arcs_are_removed_a_difference_need_not_stay() -> None:
    with pytest.raises(Unsupported, match="removes arcs"):
        unambiguous(meanings_of(load("nonmonotonic-2013")))


def test_where_a_word_may_have_several_heads_the_other_may_come_later() -> None:
    with pytest.raises(Unsupported, match="several heads"):
        unambiguous(meanings_of(load("arc-eager-graph")))


@pytest.mark.solver
def test_words_leave_the_buffer_from_left_to_right() -> None:
    assert Prover(load("arc-eager")).about(STRICTLY).verdict is Verdict.PROVED


@pytest.mark.solver
@pytest.mark.parametrize("name", ["arc-standard", "nivre-2008b"])
def test_a_buffer_to_which_something_returns_is_not_strictly_incremental(name: str) -> None:
    system = load(name)

    assert asked(system, STRICTLY).verdict is not Verdict.PROVED
    assert Prover(system).about(STRICTLY).verdict is Verdict.REFUTED
