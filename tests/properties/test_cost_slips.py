"""Slips in the costs of dynamic oracles: they are made, killed by `exact`, and repaired."""

import pytest

from arcproof.properties.engines.levels import Levels
from arcproof.properties.examine import check_claim
from arcproof.properties.studies.cost_slips import COST_OPERATORS
from arcproof.properties.studies.mutants import mutants_of
from arcproof.properties.studies.repair import repair
from arcproof.reports.repair import to_text
from arcproof.transitions.system import load
from tests.properties.test_dynamic_oracles import EAGER, HYBRID, with_costs

CLAIM = "    exact published on projective trees"


def test_an_empty_run_has_no_neighbours() -> None:
    costs = EAGER.replace("#{k in β: gold s -> k}\n", "#{k in []: gold s -> k}\n", 1)
    assert costs != EAGER
    assert mutants_of(load(with_costs("arc-eager", costs, CLAIM)))


def slips(name: str, costs: str) -> list[tuple[str, str, bool | None]]:
    """Every mutant of the costs: operator, change, and whether the costs are still exact."""
    system = load(with_costs(name, costs, CLAIM))
    found = []
    for mutant in mutants_of(system):
        if mutant.operator in COST_OPERATORS:
            assert mutant.problem is None
            changed = mutant.system(system)
            found.append(
                (mutant.operator, mutant.change, check_claim(Levels(changed, 4), changed.figure.claims[0]).met)
            )
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "costs", "survivors"),
    [
        ("arc-eager", EAGER, ["gold head(b) in b|β"]),
        ("arc-hybrid", HYBRID, []),
    ],
)
def test_exact_kills_every_slip_that_changes_a_cost(name: str, costs: str, survivors: list[str]) -> None:
    """No word is its own head, so that one run more does not matter there."""
    found = slips(name, costs)

    assert {operator for operator, _, _ in found} == set(COST_OPERATORS)
    alive = [change for _, change, met in found if met]
    assert len(alive) == len(survivors), alive
    assert all(part in change for part, change in zip(survivors, alive, strict=True))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "costs", "slip", "instead"),
    [
        ("arc-eager", EAGER, "k in b|β: gold s", "k in β: gold s"),
        ("arc-eager", EAGER, "#{k in σ: gold b -> k, no head(k)}", "#{k in σ: gold b -> k}"),
        ("arc-eager", EAGER, "#{k in β: gold s -> k}\n", "#{k in β: gold k -> s}\n"),
        ("arc-hybrid", HYBRID, "gold t -> s or ", ""),
    ],
)
def test_a_wrong_cost_is_repaired(name: str, costs: str, slip: str, instead: str) -> None:
    assert costs.count(slip) == 1
    found = repair(load(with_costs(name, costs.replace(slip, instead), CLAIM)), words=4)

    assert found.suggestions
    best = found.suggestions[0]
    assert not best.left_open
    assert {change.oracle for change in best.changes} == {"published"}
    assert best.system.figure.rules == load(name).figure.rules
    assert check_claim(Levels(best.system, 4), best.system.figure.claims[0]).met
    assert "cost " in to_text(found)
