"""Ranking functions: which shapes are found from short sentences."""

from fractions import Fraction

import pytest

from arcproof import load
from arcproof.properties.proving.goals.ranking import TERMINATION, Demand, rankings
from arcproof.properties.proving.prover import Prover
from arcproof.transitions.polynomial import Polynomial


@pytest.mark.solver
@pytest.mark.parametrize(
    ("system", "times", "ranking"),
    [
        ("arc-standard", 2, "-1 + |σ| + 2 |β|"),
        ("nl-covington", 2, "n + |β| - |A|"),
        ("planar", 3, "-1 + n + |σ| + 2 |β| - |A|"),
    ],
)
def test_the_first_ranking_for_a_multiple_of_n(system: str, times: int, ranking: str) -> None:
    """Heights alone where they do, else the number of arcs too."""
    prover = Prover(load(system))
    demand = Demand(lambda _: Fraction(1), "<=", Polynomial((Fraction(0), Fraction(times))))

    assert str(next(rankings(prover.meanings, demand, prover.observed))) == ranking


@pytest.mark.solver
def test_a_flag_that_counts_less_is_outweighed_by_a_constant() -> None:
    """Else the ranking would be negative in sentences that are longer than those looked at."""
    prover = Prover(load("two-planar"))
    found = next(rankings(prover.meanings, TERMINATION, prover.observed))
    of = {monomial: coefficient for monomial, coefficient in found.coefficients.items() if coefficient}
    negative = {monomial for monomial, coefficient in of.items() if coefficient < 0}

    assert negative == {(("A",),), (("f",),)}
    assert of[((),)] + of[(("A",),)] >= 0
    assert of[()] + of[(("f",),)] >= 0


@pytest.mark.solver
def test_a_ranking_by_cases_of_a_flag() -> None:
    prover = Prover(load("tree-constrained"))
    demand = Demand(lambda _: Fraction(1), "<=", Polynomial((Fraction(0), Fraction(4))))
    found = next(rankings(prover.meanings, demand, prover.observed))
    (flag,) = prover.meanings.before.flags

    assert f"{flag}·|" in str(found)
