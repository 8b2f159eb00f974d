"""Reach: the shortest run to a configuration, or the certainty that there is none."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from arcproof.properties.engines.exhaustive import ReplayFailed
from arcproof.properties.engines.exploration import StateSpace, explore
from arcproof.properties.studies.reach import Reached, reach
from arcproof.reports.reach import to_text
from arcproof.transitions.graph import graph_of, parse_heads
from arcproof.transitions.system import load
from tests.in_process import Result

TWO_SWAPS = """\
swap reaches a configuration with #SWAP = 2, |σ| >= 3, head(1) with 3 words in 8 transitions; no run is shorter, and fewer words do not suffice

┌─l5─┐
▼    │
1    2  3

Transition      Stack σ     Buffer β    Added arc
                [0]         [1, 2, 3]
SHIFT           [0, 1]      [2, 3]
SHIFT           [0, 1, 2]   [3]
SWAP            [0, 2]      [1, 3]
SHIFT           [0, 2, 1]   [3]
RIGHT-ARC(l5)   [0, 2]      [3]         (2, l5, 1)
SHIFT           [0, 2, 3]   []
SWAP            [0, 3]      [2]
SHIFT           [0, 3, 2]   []
"""


def found(system: str, condition: str = "", heads: str | None = None, words: int = 4) -> Reached:
    output = None if heads is None else graph_of(parse_heads(heads))
    return reach(load(system), condition, output, words, engine="interpreter")


def names(reached: Reached) -> list[str]:
    assert reached.run is not None
    return [transition.instance for transition in reached.run.transitions]


def test_a_sentence_has_at_least_one_word(arcproof: Callable[..., Result]) -> None:
    """β = [] was reached with no words in no transitions."""
    run = found("arc-eager", "β = []")

    assert names(run) == ["RIGHT-ARC"]
    assert "with 1 word in 1 transition; no run is shorter\n" in to_text(run)
    assert arcproof("reach", "arc-eager", "β = []", "--words", "0").code == 2


@pytest.mark.parametrize(
    ("system", "condition", "run"),
    [
        ("arc-eager", "head(2)", "RIGHT-ARC RIGHT-ARC"),
        ("arc-eager", "0 -> 2, |σ| = 2", "RIGHT-ARC REDUCE RIGHT-ARC"),
        ("swap", "σ = [0, 2]", "SHIFT RIGHT-ARC SHIFT"),
        ("swap", "1 in β, 2 in σ", "SHIFT SHIFT SWAP"),
        ("swap", "#SHIFT >= 2, #LEFT-ARC = 1", "SHIFT SHIFT LEFT-ARC"),
        ("swap", "#SWAP + 1 = #RIGHT-ARC", "SHIFT RIGHT-ARC"),
        ("swap-max2", "k = 2", "SHIFT SHIFT SHIFT SWAP SWAP"),
        ("covington", "λ1 = [], 1 ->* 2", "RIGHT-ARC SHIFT RIGHT-ARC NO-ARC"),
        ("arc-eager", "exists i in σ: dependent(i), n = 3", "RIGHT-ARC"),
    ],
)
def test_the_run_is_the_shortest(system: str, condition: str, run: str) -> None:
    assert " ".join(names(found(system, condition))) == run


@pytest.mark.parametrize(
    ("system", "condition"),
    [("arc-eager", "head(0)"), ("swap-max2", "k = 3"), ("swap", "#SWAP > 6"), ("arc-eager", "#SHIFT = 0, 2 -> 1")],
)
def test_it_is_certain_that_there_is_none(system: str, condition: str) -> None:
    reached = found(system, condition)

    assert (reached.run, reached.words, reached.exit_code) == (None, 4, 1)
    assert to_text(reached).endswith("with up to 4 words: every run was tried\n")


def test_counts_agree_with_all_runs() -> None:
    """What the search with counts finds, and only that, is found by walking through every run."""
    system = load("swap")
    runs = [((), system.start(3))]
    seen: set[tuple[int, int, int]] = set()
    while runs:
        run, c = runs.pop()
        counts = Counter(run)
        values = c["σ"]
        assert isinstance(values, tuple)
        seen.add((counts["SWAP"], counts["LEFT-ARC"], len(values)))
        if not system.is_terminal(c):
            runs += [((*run, step.transition.name), step.configuration) for step in system.steps(c)]
    for swaps in range(0, 5, 2):
        for left in range(4):
            for size in range(1, 5, 2):
                asked = f"#SWAP = {swaps}, #LEFT-ARC = {left}, |σ| = {size}, n = 3"
                assert (found("swap", asked, words=3).run is not None) == ((swaps, left, size) in seen), asked


def test_without_counts_the_first_configuration_of_the_space_is_it() -> None:
    system = load("arc-eager")
    for size in range(1, 5):
        lengths = [
            space.depth(number)
            for space in [explore(system, 3)]
            for number, c in enumerate(space.configurations)
            if len(c["σ"]) == size and len(c.arcs) and 3 in c.heads_of  # type: ignore[arg-type]
        ]
        reached = found("arc-eager", f"|σ| = {size}, head(3)", words=3)
        assert (len(names(reached)) if reached.run is not None else None) == min(lengths, default=None)


def test_an_output_is_reached_by_a_shortest_derivation_or_not_at_all() -> None:
    assert names(found("arc-eager", heads="2,0,2")) == ["SHIFT", "LEFT-ARC", "RIGHT-ARC", "RIGHT-ARC"]
    crossing = found("arc-eager", heads="3,4,0,0")
    assert (crossing.run, crossing.exit_code) == (None, 1)
    assert to_text(crossing) == "arc-eager does not reach the output 3,4,0,0 with 4 words: every run was tried\n"
    assert names(found("swap", "#SWAP = 1", "2,0,2")).count("SWAP") == 1


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("condition", "heads"),
    [
        ("#SWAP = 2, |σ| >= 3, head(1)", None),
        ("σ = [0, 2]", None),
        ("1 ->* 3, n = 3", None),
        ("head(0)", None),
        ("#SWAP = 2", "3,3,0"),
        ("#SWAP = #SHIFT, #SHIFT > 3", None),
    ],
)
def test_the_engines_find_the_same_run(condition: str, heads: str | None) -> None:
    output = None if heads is None else graph_of(parse_heads(heads))
    by = [reach(load("swap"), condition, output, 3, engine=engine) for engine in ("compiled", "interpreter")]  # type: ignore[arg-type]

    assert by[0].run == by[1].run


def test_a_limit_leaves_the_answer_open() -> None:
    reached = reach(load("swap"), "#SWAP = 9", words=4, memory=400_000, engine="interpreter")

    assert (reached.run, reached.exit_code) == (None, 3)
    assert reached.words < 4
    assert "is open; there is none with up to" in to_text(reached)


def test_a_run_that_does_not_lead_there_is_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StateSpace, "satisfying", lambda space, _: iter([space.size - 1]))
    with pytest.raises(ReplayFailed, match="does not lead where it should"):
        found("arc-eager", "head(2)")


# --- formats ---------------------------------------------------------------------------------------------------------


def test_the_command_ends_with_its_codes(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    by = ("--engine", "interpreter")

    assert arcproof("reach", "swap", "#SWAP = 2, |σ| >= 3, head(1)", *by) == Result(0, TWO_SWAPS, "")
    assert arcproof("reach", "arc-eager", "head(0)", "--words", "3", *by).code == 1
    assert arcproof("reach", "arc-eager", "--output", "2,0,2", "--json", "run.json", *by).code == 0
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["reached"] is True
    for wrong in (
        ("reach", "swap"),
        ("reach", "swap", "head(1"),
        ("reach", "swap", "head(9)"),
        ("reach", "swap", "--output", "1,x"),
    ):
        done = arcproof(*wrong)
        assert (done.code, done.out) == (2, "")
        assert "Traceback" not in done.err
