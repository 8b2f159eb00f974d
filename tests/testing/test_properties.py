"""What users of Hypothesis expect of the tests of claims: profiles, seeds, the database, statistics, examples."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, find, given, settings

from arcproof.testing import NoSuchClaim, claim_property
from arcproof.transitions.errors import BadArgument
from tests.testing import figures
from tests.testing.conftest import Run

Write = Callable[[str, str], Path]

CONFTEST = """\
from hypothesis import settings
settings.register_profile("seven", max_examples=7, database=None, derandomize=False)
"""
SUITE = """\
from hypothesis import settings
from arcproof.testing import SystemSuite

class TestIt(SystemSuite):
    system = "mine.tsys"
    settings = settings(max_examples=9)
"""
STATISTICS = "--hypothesis-show-statistics"


@pytest.mark.long
def test_a_profile_says_how_many_examples_there_are(write: Write, run: Run) -> None:
    write("conftest.py", CONFTEST)
    write("mine.tsys", figures.GOOD)

    result = run("mine.tsys", "-k", "sound", "--hypothesis-profile=seven", STATISTICS)

    result.stdout.fnmatch_lines(
        ["mine.tsys::sound projective trees:", "*label='transitions'*", "*Stopped because settings.max_examples=7"]
    )


@pytest.mark.long
def test_a_suite_may_have_settings_of_its_own(write: Write, run: Run) -> None:
    write("mine.tsys", figures.GOOD)
    write("test_it.py", SUITE)

    result = run("-m", "hypothesis", STATISTICS)

    result.assert_outcomes(passed=4, deselected=1)
    assert sum("settings.max_examples=9" in line for line in result.outlines) == 4


@pytest.mark.process
def test_a_seed_decides_what_is_drawn(write: Write, run_apart: Run) -> None:
    write("conftest.py", CONFTEST)
    write("mine.tsys", figures.GOOD)

    def drawn(seed: int) -> list[str]:
        options = ("-s", "--hypothesis-verbosity=verbose", "--hypothesis-profile=seven", f"--hypothesis-seed={seed}")
        result = run_apart("mine.tsys", "-k", "sound", "--arcproof-words=2", *options)
        return [line for line in result.outlines if "sample=" in line]

    first = drawn(1)
    assert len(first) >= 7
    assert drawn(1) == first
    assert drawn(2) != first


@pytest.mark.process
def test_a_failure_is_in_the_database_and_tried_first_the_next_time(
    write: Write, run_apart: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY", raising=False)
    write("mine.tsys", figures.claiming("length <= 14", "length <= 15"))
    arguments = ("mine.tsys", "-k", "14", STATISTICS, "--arcproof-words=2")

    results = [run_apart(*arguments) for _ in range(2)]

    reused = [any("during reuse phase" in line for line in result.outlines) for result in results]
    assert reused == [False, True]
    results[1].stdout.fnmatch_lines(["*during reuse phase*", "*1 failing*", "*Found 1 distinct error in this phase*"])


def test_the_example_of_a_failure_is_shown_below_the_picture(write: Write, run: Run) -> None:
    write("mine.tsys", figures.claiming("length <= 11"))

    result = run("mine.tsys", "-k", "length")

    result.assert_outcomes(failed=1, passed=0, deselected=1)
    result.stdout.fnmatch_lines(
        [
            "refuted, n = *",
            "the run has length *",
            "ROOT*1*2*3*4*",
            "run: *SHIFT*",
            "Transition * Stack σ * Buffer β * Added arc",
            "SHIFT *",
            "Failing test case: *",
            "*sample=*",
        ]
    )
    result.stdout.no_fnmatch_line("*/arcproof/*.py*")


def test_a_property_goes_with_given_example_and_settings() -> None:
    complete = claim_property(figures.INCOMPLETE, "complete projective trees")
    checked: list[object] = []

    @settings(max_examples=3)
    @example((0, 1))
    @given(complete.samples)
    def attempt(sample: tuple[int, ...]) -> None:
        checked.append(sample)
        complete.check(sample)

    with pytest.raises(AssertionError, match="is not the output of any run"):
        example((2, 0))(attempt)()
    assert checked[:2] == [(0, 1), (2, 0)] or checked[:1] == [(2, 0)]


def test_a_gold_graph_is_an_example_of_a_claim_about_runs() -> None:
    length = claim_property("swap", "length <= 2n + #SWAP")

    length.check((2, 0))
    with pytest.raises(AssertionError, match="the run has length 8"):
        length.check((3, 0, 2))


def test_a_graph_outside_the_class_is_no_example() -> None:
    with pytest.raises(ValueError, match="not among the projective trees"):
        claim_property("arc-hybrid", "complete projective trees").check((0, 0, 1))


def test_a_list_of_heads_is_no_example() -> None:
    with pytest.raises(BadArgument, match=r"\[2, 0\] is not a sample"):
        claim_property("arc-hybrid", "complete projective trees").check([2, 0])  # type: ignore[arg-type]


@pytest.mark.parametrize("claim", ["equivalent to arc-eager", "unambiguous", "not complete trees", "beautiful"])
def test_a_claim_without_a_property_is_refused(claim: str) -> None:
    with pytest.raises(NoSuchClaim):
        claim_property("arc-hybrid", claim)


def test_a_graph_that_is_not_derived_shrinks_to_the_fewest_words() -> None:
    complete = claim_property(figures.INCOMPLETE, "complete projective trees")

    assert find(complete.samples, lambda sample: complete.fault(sample) is not None) == (2, 0)
