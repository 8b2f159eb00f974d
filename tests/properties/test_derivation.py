"""Costs that are found from the figure alone."""

import numpy as np
import pytest

from arcproof.properties.engines.levels import Levels
from arcproof.properties.examine import check_claim
from arcproof.properties.studies.costs import study
from arcproof.properties.studies.derivation import (
    Derived,
    derive,
    fewest,
    with_oracle,
)
from arcproof.reports.costs import to_text
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import SOURCE, cost_text, pattern_text
from arcproof.transitions.printing.source import dynamic_lines, to_source
from arcproof.transitions.reading.read import read_class, read_figure
from arcproof.transitions.system import load
from tests.priceless import without_costs

PROJECTIVE = read_class("projective trees")
TREES = read_class("trees")


def lines_of(found: Derived) -> list[str]:
    """Each line as the figure would write it."""
    return [
        f"{line.transition} {', '.join(pattern_text(part, SOURCE) for part in line.pattern or ())} = "
        f"{cost_text(line, SOURCE)}"
        for line in found.lines
    ]


def test_the_published_costs_of_arc_eager_are_found() -> None:
    """Goldberg & Nivre 2012, 2013; the order of the summands is ours."""
    found = derive(load("arc-eager"), PROJECTIVE, 3, beyond=1)

    assert lines_of(found) == [
        "LEFT-ARC σ|i, j|β = #{k in j|β: gold i -> k} + [gold head(i) in β]",
        "RIGHT-ARC σ|i, j|β = [gold head(j) in σ] + #{k in σ|i: gold j -> k, no head(k)} + [gold head(j) in β]",
        "REDUCE σ|i, β = #{k in β: gold i -> k}",
        "SHIFT σ, i|β = #{k in σ: gold i -> k, no head(k)} + [gold head(i) in σ]",
    ]
    assert found.is_exact


@pytest.mark.long
def test_the_published_costs_of_arc_hybrid_are_found() -> None:
    """LEFT-ARC asks for the node below, which the rule does not name; three words are too few to see that all of it is
    needed.
    """
    found = derive(load("arc-hybrid"), PROJECTIVE, 3, beyond=1)

    assert lines_of(found) == [
        "LEFT-ARC σ|x|i, j|β = [gold x -> i] + #{k in j|β: gold i -> k} + [gold head(i) in β]",
        "RIGHT-ARC σ|i|j, β = #{k in β: gold j -> k} + [gold head(j) in β]",
        "SHIFT σ|x, j|β = [gold head(j) in σ] + #{k in σ|x: gold j -> k}",
    ]
    assert (found.learned, found.is_exact) == (4, True)


def test_costs_of_a_system_for_which_none_are_in_print_are_found() -> None:
    name = "arc-swift"
    found = derive(load(name), PROJECTIVE, 3, beyond=0)

    assert found.is_exact
    assert found.oracle is not None
    system = with_oracle(load(name), found.oracle)
    assert read_figure(to_source(system.figure)) == system.figure


@pytest.mark.long
def test_what_is_found_is_checked_with_more_words() -> None:
    """With one word every cost of arc-hybrid's LEFT-ARC is 0; the situations with more words are learned from, too."""
    found = derive(load("arc-hybrid"), PROJECTIVE, 1, beyond=2)

    assert found.learned > 1


def test_the_cases_of_a_transition_have_their_lines_in_common() -> None:
    system = load("nonmonotonic-2013")
    found = derive(system, PROJECTIVE, 2, beyond=0)

    assert found.is_exact
    assert found.oracle is not None
    checked = with_oracle(system, found.oracle)
    assert check_claim(Levels(checked, 2), s.Claim(s.Exact("derived", PROJECTIVE))).met


def test_what_is_printed_can_be_pasted_into_a_figure_with_names_of_one_letter() -> None:
    text = """system letters
  parameter k = 1
  state stack σ, buffer β, flag x
  start [0], [1..n], false
  final β = []

  SHIFT     σ, i|β, _    =>  σ|i, β, true
  RIGHT(l)  σ|i, j|β, _  =>  σ|i|j, β, true  add i -l-> j  if |σ| >= k

  oracle none
"""
    found = derive(load(text), TREES, 2, beyond=1)

    assert found.is_exact
    assert found.oracle is not None
    assert load(text + "\n".join(dynamic_lines(found.oracle))).figure.dynamic_oracles == (found.oracle,)


def test_costs_of_which_nothing_is_known_with_more_words_are_not_called_exact() -> None:
    """With three words the second case of ATTACH gives a word two heads."""
    system = load(
        """system two-heads
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β        =>  σ|i, β
  ATTACH  σ|i, j|β      =>  σ|i, j|β      add i -> j  if no head(j)
  ATTACH  σ|i|h|k, j|β  =>  σ|i|h|k, j|β  add i -> j  if head(j)

  oracle none
"""
    )
    found = study(system, TREES, 1, is_derived=True)

    assert found.derived is not None
    assert found.derived.oracle is not None
    assert not found.derived.is_exact
    assert found.exit_code == 3
    assert "exact" not in to_text(found)


@pytest.mark.parametrize(
    ("rows", "coefficients"),
    [
        ([[1, 0, 1], [0, 1, 0], [1, 1, 1]], [1, 0]),
        ([[1, 1, 2], [1, 0, 1], [0, 1, 1]], [1, 1]),
        ([[1, 1, 0], [0, 1, 0]], [0, 0]),
        ([[1, 0, 1], [1, 0, 0]], None),
        ([[1, 1, 1], [0, 1, 5]], None),
    ],
)
def test_the_fewest_features_that_add_up(rows: list[list[int]], coefficients: list[int] | None) -> None:
    assert fewest(np.array(rows)) == coefficients


# --- the command -----------------------------------------------------------------------------------------------------

WRONG = without_costs("arc-eager").replace(
    "  claims\n",
    """  dynamic mine
    cost LEFT-ARC   σ|s, b|β  = #{k in b|β: gold s -> k}
    cost RIGHT-ARC  σ|s, b|β  = [gold head(b) in σ or gold head(b) in β] + #{k in σ|s: gold b -> k, no head(k)}
    cost REDUCE     σ|s, β    = #{k in β: gold s -> k}
    cost SHIFT      σ, b|β    = [gold head(b) in σ] + #{k in σ: gold b -> k, no head(k)}

  claims
""",
)


def test_an_interruption_ends_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arcproof.properties.studies.costs.derive", interrupted)
    found = study(load("arc-eager"), None, 3, True)

    assert found.ended_by
    assert found.exit_code == 3


def test_words_that_were_not_tried_leave_the_answer_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """With three words there are more situations than are tried."""
    monkeypatch.setattr("arcproof.properties.claims.dynamic_oracle.MOST_SITUATIONS", 100)
    right = WRONG.replace("#{k in b|β: gold s -> k}\n", "#{k in b|β: gold s -> k} + [gold head(s) in β]\n", 1)
    found = study(load(right), PROJECTIVE, 3, False)

    assert [finding.exhausted_to for finding in found.findings] == [2, 2, 2]
    assert found.exit_code == 3
    assert "too many situations" in to_text(found)
