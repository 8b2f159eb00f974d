"""Figures that no paper has; one of them, arc-bridge, has an oracle that goes wrong with five words."""

from pathlib import Path

import pytest

from arcproof.properties.checks.oracle_correct import check_oracle
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load

FIGURES = Path(__file__).parent / "invented"


def figure(name: str) -> System:
    return load(FIGURES / f"{name}.tsys")


def completeness_of(system: System) -> s.Claim:
    return next(claim for claim in system.figure.claims if isinstance(claim.statement, s.CompleteFor))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("arc-return", None),
        ("two-pools", None),
        ("arc-bridge", 5),
        ("standard-last", None),
        ("eager-last", None),
        ("from-the-right", None),
    ],
)
def test_where_the_oracles_go_wrong(name: str, words: int | None) -> None:
    system = figure(name)
    claim = completeness_of(system)
    assert isinstance(claim.statement, s.CompleteFor)
    failure = check_oracle(system, system.oracle().name, claim.statement.graphs, 5, most=1_000).failure

    assert (None if failure is None else failure.graph.words) == words


@pytest.mark.compiler
def test_the_flaw_is_named_before_anything_is_searched() -> None:
    system = figure("arc-bridge")
    theorem = Prover(system).about(completeness_of(system))

    assert theorem.verdict is Verdict.UNKNOWN
    assert theorem_text(theorem).startswith(
        "the oracle is wrong: on the way to 0,1,5,5,2, transition 4, BRIDGE in ([0, 1, 2, 3], [4, 5], {}), is a mistake"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["arc-return", "two-pools", "standard-last", "eager-last"])
def test_the_others_are_proved_complete(name: str) -> None:
    """arc-return by clauses that are mined from its runs."""
    system = figure(name)
    theorem = Prover(system).about(completeness_of(system))

    assert theorem.verdict is Verdict.PROVED
    assert theorem.solvers == ("z3", "cvc5")
