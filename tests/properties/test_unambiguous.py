"""Unambiguity: which systems have one derivation for each output, and the smallest output with two, in every report."""

import pytest

from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Exhausted, NoCase, Open, Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load

CLAIM = s.Claim(s.Unambiguous())

LOOP = """system loop
  cite "in no paper"
  state stack σ, buffer β
  start [], [1..n]
  final β = []

  SHIFT   σ, i|β    =>  σ|i, β
  TURN    σ, i|j|β  =>  σ, j|i|β

  oracle none
"""


def runs_of(found: Refuted) -> tuple[str, str]:
    assert found.counterexample.transitions is not None
    assert found.counterexample.other is not None
    one, other = found.counterexample.transitions, found.counterexample.other
    return " ".join(t.instance for t in one), " ".join(t.instance for t in other)


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_it_agrees_with_the_number_of_derivations(name: str) -> None:
    """Derivations are counted elsewhere, along all paths; here no path is counted."""
    system = load(name)
    counts = [explore(system, words).ambiguity for words in range(1, 4)]
    expected = all(count is not None and count.most == 1 for count in counts)

    found = check_statement(Levels(system, 3), s.Unambiguous())
    assert isinstance(found, Exhausted) is expected
    assert found.verdict in (Verdict.EXHAUSTED, Verdict.REFUTED)


@pytest.mark.compiler
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "words", "runs"),
    [
        ("list-nonprojective", 1, ("SHIFT", "NO-ARC SHIFT")),
        ("arc-eager", 2, ("RIGHT-ARC SHIFT", "RIGHT-ARC REDUCE SHIFT")),
        ("attardi", 2, ("SHIFT RIGHT-ARC[1] SHIFT RIGHT-ARC[1]", "SHIFT SHIFT RIGHT-ARC[2] RIGHT-ARC[1]")),
    ],
)
def test_the_smallest_output_with_two(name: str, words: int, runs: tuple[str, str], engine: EngineName) -> None:
    system = load(name)
    found = check_statement(Levels(system, 3, engine=engine_for(system, engine)), s.Unambiguous())

    assert isinstance(found, Refuted)
    assert found.words == words
    assert runs_of(found) == runs


def test_a_loop_makes_derivations_without_end() -> None:
    """Once round is another derivation; a count of derivations would not end."""
    found = check_statement(Levels(load(LOOP), 3), s.Unambiguous())

    assert isinstance(found, Refuted)
    assert runs_of(found) == ("SHIFT SHIFT", "TURN SHIFT SHIFT")


def test_where_nothing_ends_nothing_is_checked() -> None:
    endless = load(LOOP.replace("final β = []", "final β = [], σ = [], β != []"))
    found = check_statement(Levels(endless, 2), s.Unambiguous())

    assert isinstance(found, Open)
    assert isinstance(found.why, NoCase)


@pytest.mark.solver
def test_the_prover_refutes_it_by_a_witness_or_says_why_it_is_open() -> None:
    refuted = Prover(load("arc-eager")).about(CLAIM)
    left_open = Prover(load("nl-covington")).about(CLAIM)

    assert refuted.verdict is Verdict.REFUTED
    assert refuted.counterexample is not None
    assert refuted.counterexample.other is not None
    assert left_open.verdict is Verdict.UNKNOWN
    assert theorem_text(left_open).startswith("the invariant found is too weak to prove")
