"""Invariants that a specification gives: checked by the interpreter, proved like any other, named where they are
used.
"""

import json

import jsonschema
import pytest

from arcproof.documents.prove import document
from arcproof.documents.wire import json_text
from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.property import check_statement
from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.proving.prover import Prover
from arcproof.properties.report import Effort, Report
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.proofs import text_of
from arcproof.transitions.system import load
from tests.properties.test_verify import schema

TOGGLE = """system toggle
  cite "in no paper"
  state stack σ, buffer β, counter k
  start [0], [1..n], 0
  final β = []
  invariant k = 0 or k = 2
  invariant all i in β: no head(i), all i in σ: all j in β: i < j

  UP       σ, i|β, 0     =>  σ|i, β, 2
  DOWN     σ, i|β, 2     =>  σ|i, β, 0
  ARC(l)   σ|i, j|β, k   =>  σ, j|β, k   add j -l-> i  if i != 0 or k = 1, no head(i)

  oracle none

  claims
    sound forests
"""
QUICK = Effort(3, Sampling(0), in_depth=False)


@pytest.fixture(scope="module")
def proved() -> ProofReport:
    return prove(load(TOGGLE))


@pytest.mark.solver
def test_a_claim_is_proved_with_what_is_given_and_says_so(proved: ProofReport) -> None:
    sound, *lines = proved.theorems

    assert [theorem.verdict for theorem in proved.theorems] == [Verdict.PROVED] * 4
    assert "k = 0 or k = 2" in sound.given
    assert [line.claim for line in lines] == [
        "invariant k = 0 or k = 2",
        "invariant all i in β: no head(i)",
        "invariant all i in σ: all j in β: i < j",
    ]
    assert "given: k = 0 or k = 2" in text_of(proved, invariants=True)
    value = json.loads(json_text(document([proved])))
    jsonschema.validate(value, schema("prove"))
    conjuncts = value["systems"][0]["theorems"][0]["invariant"]
    assert "given: k = 0 or k = 2" in [c["name"] for c in conjuncts if c["given"]]
    assert not all(c["given"] for c in conjuncts)


@pytest.mark.nightly
def test_without_it_the_claim_is_not_proved_and_what_is_missing_is_shown() -> None:
    system = load(TOGGLE.replace("  invariant k = 0 or k = 2\n", ""))
    theorem = Prover(system, rlimit=20_000).about(system.figure.claims[0])

    assert theorem.verdict is Verdict.UNREACHED
    assert theorem.failure is not None
    assert ", 1, " in theorem.failure.configuration, "the counter is 1 there"
    assert not theorem.failure.reached


def test_a_given_invariant_that_is_false_is_refuted_and_proves_nothing() -> None:
    system = load(TOGGLE.replace("k = 0 or k = 2", "k = 0"))
    (theorem,) = (t for t in [Prover(system).about(Invariance(system.figure.invariants[0]))])

    assert theorem.verdict is Verdict.REFUTED
    assert theorem.counterexample is not None
    assert [t.name for t in theorem.counterexample.transitions or ()] == ["UP"]
    assert "given: k = 0" not in [candidate.name for candidate in Prover(system).candidates]


@pytest.mark.solver
def test_a_given_invariant_that_is_true_but_not_preserved_is_not_believed() -> None:
    """`k != 1` holds in every run; but a state in which k is 3 leads to 1, and nothing excludes that."""
    text = TOGGLE.replace("k = 0 or k = 2", "k != 1").replace(
        "  DOWN     σ, i|β, 2 ", "  LOST     σ, i|β, 3     =>  σ|i, β, 1\n  DOWN     σ, i|β, 2 "
    )
    system = load(text)
    theorem = Prover(system, rlimit=100_000).about(Invariance(system.figure.invariants[0]))

    assert check_statement(Levels(system, 3), Invariance(system.figure.invariants[0])).verdict is Verdict.EXHAUSTED
    assert theorem.verdict is not Verdict.PROVED


def test_verify_checks_what_is_given() -> None:
    right = verify_system(load(TOGGLE), QUICK)
    wrong = verify_system(load(TOGGLE.replace("no head(i), all i in σ", "head(i), all i in σ")), QUICK)

    found = {check.text: check.verdict for check in right.checks if check.text.startswith("invariant")}
    assert found == dict.fromkeys(found, Verdict.EXHAUSTED)
    assert len(found) == 3
    bad = next(check for check in wrong.checks if check.text == "invariant all i in β: head(i)")
    assert bad.verdict is Verdict.REFUTED
    assert Report((right,)).exit_code(Verdict.SAMPLED) == 0
    assert Report((wrong,)).exit_code(Verdict.SAMPLED) == 1
