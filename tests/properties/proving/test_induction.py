"""What a proof lacks is shown as a configuration, the smallest; a run that reaches a fault refutes."""

from dataclasses import replace
from functools import cache

import pytest

from arcproof.properties.engines.levels import Levels
from arcproof.properties.property import check_statement
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.meaning.small_configurations import anywhere, graphs, placements
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods import completeness as completeness_module
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.induction import Failure, Guided, smallest_blocking
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.verdict import Verdict
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import graph_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import load

LATE = """system late
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β      =>  σ|i, β
  ARC(l)  σ|i, j|β    =>  σ|i, β   add j -l-> i  if j > 5

  oracle none

  claims
    sound forests
"""


@cache
def known_of_arc_eager() -> list[Candidate]:
    return list(Prover(load("arc-eager")).candidates)


def test_a_fault_that_only_longer_sentences_show_is_found_by_a_run() -> None:
    """Up to four words nothing is wrong; no proof is tried before random runs are."""
    system = load(LATE)
    theorem = Prover(system).about(system.figure.claims[0])

    assert theorem.verdict is Verdict.REFUTED
    found = theorem.counterexample
    assert found is not None
    assert found.transitions is not None
    assert found.words >= 6
    c = system.start(found.words)
    steps = [system.step(c, transition) for transition in found.transitions[:1]]
    for transition in found.transitions[1:]:
        steps.append(system.step(steps[-1].configuration, transition))
    assert steps[-1].clashes or any(arc.dependent == 0 for arc in steps[-1].added)


def test_the_smallest_configuration_that_the_invariant_allows_is_shown() -> None:
    """With no invariant at all, RIGHT-ARC may find that the top of the stack has a head."""
    system = load("arc-standard-stack")
    problem = soundness(meanings_of(system), GraphClass((), "forests"))
    goal = next(g for g in problem.goals if g.name == "RIGHT-ARC adds an arc to a word that has no head")

    found = smallest_blocking(system, problem, goal, [])
    assert found is not None
    assert found.failure == Failure(goal.name, 1, "([0, 1], [], {(0, 1)})", reached=False)


@pytest.mark.long
def test_what_the_invariant_excludes_is_not_shown() -> None:
    system = load("arc-standard-stack")
    meanings = meanings_of(system)
    problem = soundness(meanings, GraphClass((), "forests"))
    goal = next(g for g in problem.goals if g.name == "RIGHT-ARC adds an arc to a word that has no head")
    stack = Candidate(
        "stack words have no head",
        lambda c: t.for_all(lambda x: t.implies(t.equal(c.place(x), 0), t.negation(c.headed(x)))),
    )

    assert smallest_blocking(system, problem, goal, [stack]) is None


def test_what_a_run_reaches_is_said_to_be_reached() -> None:
    system = load("arc-eager")
    problem = soundness(meanings_of(system), GraphClass((), "forests"))
    never = Goal("there is only 0 on the stack", (), t.at_most(problem.before.heights["σ"], 1))

    found = smallest_blocking(system, problem, never, known_of_arc_eager())
    assert found is not None
    assert (found.failure.words, found.failure.configuration, found.failure.reached) == (1, "([0, 1], [], {})", True)


def test_on_the_way_to_gold_only_the_oracle_counts() -> None:
    system = load("arc-eager")
    problem = soundness(meanings_of(system), GraphClass((), "forests"))
    never = Goal("no arc is built", (), t.for_all(lambda x, y: t.negation(problem.before.arc(x, y))))
    headless = Gold(graph_of([None]))
    guided = Guided(lambda words: [headless] if words == 1 else [], lambda _: [system.start(1)])

    found = smallest_blocking(system, problem, never, known_of_arc_eager(), guided)
    assert found is not None
    assert (found.failure.gold, found.failure.reached) == (str(headless.graph), False)


def test_all_configurations_of_two_words_are_tried_once() -> None:
    system = load("arc-eager")
    found = list(placements(system, 2))

    assert len(set(found)) == len(found) == 1 * 1 + 3 * 2 + 6 * 3 + 6 * 4
    assert len(set(graphs(2))) == len(graphs(2)) == 64
    assert [len(graph) for graph in graphs(2)] == sorted(len(graph) for graph in graphs(2))


@pytest.mark.solver
def test_a_goal_that_fails_where_the_interpreter_sees_no_fault_is_a_contradiction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong encoding of the goals: the solvers would call the system unsound in configurations that runs reach."""
    system = load("arc-eager")

    def wrong(*arguments: object) -> object:
        problem = soundness(*arguments)  # type: ignore[arg-type]
        return replace(problem, goals=(Goal("low stack", (), t.at_most(problem.before.heights["σ"], 1)),))

    monkeypatch.setattr(completeness_module, "soundness", wrong)
    claim = system.figure.claims[0]
    assert check_statement(Levels(system, 2), claim.statement).verdict is Verdict.EXHAUSTED
    with pytest.raises(WrongMeaning):
        Prover(system, rlimit=100_000).about(claim)


TWICE_HEADED = """system twice-headed
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  LEFT-ARC(l)   σ|i, j|β  =>  σ, j|β    add j -l-> i  if i != 0
  RIGHT-ARC(l)  σ|i, j|β  =>  σ|i|j, β  add i -l-> j
  SHIFT         σ, i|β    =>  σ|i, β

  claims
    space <= 3n + 1
"""


@pytest.mark.solver
def test_what_only_the_argument_needs_refutes_nothing() -> None:
    """That no arc is added twice is needed to count arcs, and a run to where one is says nothing about the space."""
    system = load(TWICE_HEADED)
    theorem = Prover(system, rlimit=100_000).about(system.figure.claims[0])

    assert theorem.verdict is Verdict.UNKNOWN
    assert theorem.failure is not None
    assert theorem.failure.reached
    assert "to a word that has no head" in theorem.failure.goal


def test_some_of_all_configurations_are_spread_over_them() -> None:
    system = load("arc-eager")
    found = list(anywhere(system, 3, 300))

    assert 150 <= len(found) <= 400
    assert len({c.values for c in found}) > 100
    assert len({c.arcs for c in found}) > 50
    assert set(anywhere(system, 1, 10**6)) == {replace(c, arcs=g) for c in placements(system, 1) for g in graphs(1)}
