"""Where an oracle goes wrong."""

import pytest

from arcproof.properties.checks.oracle_correct import check_oracle
from arcproof.properties.engines.mistake import first_mistake
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import graph_of
from arcproof.transitions.system import load
from tests.priceless import without_costs

TEXT = without_costs("arc-standard-stack")
TREES = s.GraphClass((), "trees")
PROJECTIVE_TREES = s.GraphClass((s.Restriction("projective", None),), "trees")
HASTY = load(TEXT.replace("if gold i -l-> j, complete(j)", "if gold i -l-> j"))
IDLE = load(TEXT.replace("    SHIFT\n\n  claims", "    SHIFT  σ, _|_|β\n\n  claims"))


def test_the_mistake_is_the_transition_that_loses_the_graph() -> None:
    """The second word is attached before its own dependent."""
    failure = check_oracle(HASTY, "static", PROJECTIVE_TREES, 3).failure
    assert failure is not None
    mistake = failure.mistake(HASTY, 1_000)

    assert failure.graph.heads == (0, 1)
    assert mistake is not None
    assert (mistake.number, mistake.transition.name, str(mistake.before)) == (2, "RIGHT-ARC", "([0, 1], [2], {})")


def test_a_run_that_is_only_too_short_has_no_mistake() -> None:
    failure = check_oracle(IDLE, "static", PROJECTIVE_TREES, 2).failure

    assert failure is not None
    assert failure.mistake(IDLE, 1_000) is None


def test_no_mistake_is_found_where_no_run_leads_to_the_graph_or_the_search_is_too_long() -> None:
    gold = graph_of((0, 4, 1, 1))
    with pytest.raises(NotDerivable) as stuck:
        load("arc-standard-stack").derive(gold)
    assert stuck.value.run is not None

    assert first_mistake(load("arc-standard-stack"), gold, stuck.value.run, 10_000) is None
    assert first_mistake(load("swap"), gold, stuck.value.run, 3) is None


def test_levels_with_too_many_graphs_are_left_out() -> None:
    tried = check_oracle(load("swap"), "eager", TREES, 4, most=100)

    assert tried.derived == (1, 3, 16)


@pytest.mark.compiler
def test_prove_says_first_that_the_oracle_is_wrong() -> None:
    """The claim itself is true: it is not refuted, and nothing is searched."""
    claim = next(c for c in HASTY.figure.claims if isinstance(c.statement, s.CompleteFor))
    theorem = Prover(HASTY).about(claim)

    assert theorem.verdict is Verdict.UNKNOWN
    assert theorem_text(theorem).startswith(
        "the oracle is wrong: on the way to 0,1, transition 2, RIGHT-ARC in ([0, 1], [2], {}), is a mistake: "
        "no run leads to that graph after it"
    )
