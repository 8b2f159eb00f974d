"""Which preconditions follow from the others, for all n."""

from dataclasses import replace

import pytest

from arcproof.properties.engines.exploration import explore
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.redundancy import redundancies
from arcproof.reports.proofs import redundancy_lines
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.system import load

pytestmark = pytest.mark.solver

TWO = """system two
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT    σ, i|β    =>  σ|i, β   if i != 0, 0 < i
  LEFT(l)  σ|i, j|β  =>  σ, j|β   add j -l-> i  if i != 0

  oracle none

  claims
    length <= 2n
"""


def test_a_redundant_precondition_is_proved_and_a_necessary_one_has_a_witness() -> None:
    found = redundancies(Prover(load("arc-standard")), None)

    assert [(p.transition, p.precondition, p.redundant, p.witness) for p in found.preconditions] == [
        ("LEFT-ARC", "i != 0", False, "([0], [1], {})"),
        ("LEFT-ARC", "no head(i)", True, None),
        ("RIGHT-ARC", "no head(j)", True, None),
    ]
    assert all(p.theorem is None or p.theorem.solvers == ("z3", "cvc5") for p in found.preconditions)
    assert [(q.transition, q.kept, q.dropped, q.minimal) for q in found.sets] == [
        ("LEFT-ARC", ("i != 0",), ("no head(i)",), True),
        ("RIGHT-ARC", (), ("no head(j)",), True),
    ]
    assert "LEFT-ARC: sufficient for all n: `i != 0`" in redundancy_lines(found)


def test_a_sufficient_set_is_about_all_that_is_dropped_together() -> None:
    """`i != 0` and `0 < i` follow from each other; that both follow from the pattern is another matter, and here
    true.
    """
    found = redundancies(Prover(load(TWO)), None)
    shift, left = found.sets

    assert [p.redundant for p in found.preconditions] == [True, True, False]
    assert (shift.kept, shift.dropped) == ((), ("i != 0", "0 < i"))
    assert shift.theorem is not None
    assert {done.obligation.name for done in shift.theorem.obligations} >= {
        "SHIFT: i != 0 follows",
        "SHIFT: 0 < i follows",
    }
    assert left.kept == ("i != 0",)


def test_a_precondition_written_twice_is_dropped_twice() -> None:
    found = redundancies(Prover(load(TWO.replace("if i != 0, 0 < i", "if i != 0, i != 0"))), None)

    assert [p.redundant for p in found.preconditions] == [True, True, False]
    assert (found.sets[0].kept, found.sets[0].dropped) == ((), ("i != 0", "i != 0"))


def test_what_is_redundant_singly_may_not_be_so_jointly() -> None:
    twice = load(TWO.replace("if i != 0\n\n", "if i != 0, 0 < i\n\n"))
    found = redundancies(Prover(twice), None)
    left = found.sets[1]

    assert [p.redundant for p in found.preconditions[2:]] == [True, True]
    assert (left.kept, left.dropped, left.minimal) == (("0 < i",), ("i != 0",), True)


def test_without_what_is_redundant_the_runs_are_the_same() -> None:
    system = load("arc-standard")
    found = redundancies(Prover(system), None)
    kept = {q.transition: q.kept for q in found.sets}
    rules = tuple(
        replace(rule, preconditions=tuple(c for c in rule.preconditions if condition_text(c, SOURCE) in kept.get(rule.name, ())))
        for rule in system.figure.rules
    )  # fmt: skip
    lighter = replace(system, figure=replace(system.figure, rules=rules))

    assert rules != system.figure.rules
    for words in range(5):
        one, other = explore(system, words), explore(lighter, words)
        assert one.configurations == other.configurations
        assert one.transitions == other.transitions
