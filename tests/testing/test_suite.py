"""`SystemSuite`, and the fixture."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.testing import figures
from tests.testing.conftest import Run

Write = Callable[[str, str], Path]

SUITE = """\
from arcproof.testing import SystemSuite

class TestIt(SystemSuite):
    system = "mine.tsys"
"""


def test_a_good_figure_passes_every_test(write: Write, run: Run) -> None:
    write("mine.tsys", figures.GOOD)
    write("test_it.py", SUITE)

    result = run("-v")

    result.assert_outcomes(passed=5)
    names = [
        "test_reads",
        *(f"test_claim[[]{claim}]" for claim in figures.CLAIMS),
        "test_oracle[[]static on projective trees]",
    ]
    result.stdout.fnmatch_lines_random([f"test_it.py::TestIt::{name} PASSED*" for name in names])


def test_a_refuted_claim_fails_with_the_counterexample(write: Write, run: Run) -> None:
    write("mine.tsys", figures.INCOMPLETE)
    write("test_it.py", SUITE)

    result = run("-k", "test_claim and complete")

    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(
        ["refuted, n = 2", "2,0 is among*", "ROOT  1   2", "replay: arcproof trace mine.tsys --heads 2,0 --search"]
    )
    result.stdout.no_fnmatch_line("*suite.py*")


def test_a_wrong_oracle_fails_with_the_graph_and_its_name(write: Write, run: Run) -> None:
    write("mine.tsys", figures.WRONG_ORACLE)
    write("test_it.py", SUITE)

    result = run("-k", "test_oracle")

    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(
        [
            "refuted, n = 2",
            "late-left with oracle static does not derive 0,1; *",
            "ROOT   1   2",
            "replay: arcproof trace mine.tsys --heads 0,1 --oracle static",
        ]
    )


def test_a_broken_figure_is_one_failure(write: Write, run: Run) -> None:
    write("mine.tsys", figures.BROKEN)
    write("test_it.py", SUITE)

    result = run("-rs")

    result.assert_outcomes(failed=1, skipped=2)
    result.stdout.fnmatch_lines(["mine.tsys:8:*: error: k is not bound"])
    result.stdout.fnmatch_lines(["SKIPPED*the specification has mistakes; test_reads shows them"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_what_is_not_there_is_skipped_with_the_reason(write: Write, run: Run) -> None:
    write("mine.tsys", figures.claiming())
    write("test_it.py", SUITE)

    result = run("-rs")

    result.assert_outcomes(passed=1, skipped=2)
    result.stdout.fnmatch_lines_random(
        ["SKIPPED*the figure makes no claim", "SKIPPED*the figure has no oracle, or claims no completeness"]
    )


def test_dead_ends_are_tested_on_request(write: Write, run: Run) -> None:
    write("mine.tsys", figures.GOOD)
    write("test_it.py", f"{SUITE}    no_dead_ends = True\n")

    result = run("-k", "dead")

    result.assert_outcomes(failed=1, deselected=5)
    result.stdout.fnmatch_lines(
        ["refuted, n = 1", "nothing is permissible in (?0, 1], ??, {}), and it is not terminal"]
    )


def test_the_class_says_how_much_and_the_command_line_wins(write: Write, pytester: pytest.Pytester) -> None:
    write("mine.tsys", figures.claiming("length <= 7"))
    write("test_it.py", f"{SUITE}    words = 3\n")
    plugin = ("-p", "no:cacheprovider", "-p", "arcproof.testing.plugin")
    hypothesis = "Failing test case: test_claim(*"

    result = pytester.runpytest_inprocess(*plugin)
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.no_fnmatch_line(hypothesis)
    result = pytester.runpytest_inprocess(*plugin, "--arcproof-words=2")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines([hypothesis])


def test_a_system_may_be_built_in_or_have_parameters(write: Write, run: Run) -> None:
    write("bounded.tsys", figures.PARAMETER)
    write(
        "test_it.py",
        """\
from arcproof.testing import SystemSuite

class TestOnBoard(SystemSuite):
    system = "arc-hybrid"

class TestNarrow(SystemSuite):
    system = "bounded.tsys"

class TestWide(SystemSuite):
    system = "bounded.tsys[d=99]"

class TestNarrower(TestWide):
    system = "bounded.tsys[d=2]"
""",
    )

    result = run()

    result.assert_outcomes(passed=7 + 1 + 2 + 1, failed=2, skipped=3)
    result.stdout.fnmatch_lines(["*TestNarrow.*", "refuted, n = 2", "*bounded.tsys --words 2 *"])
    result.stdout.fnmatch_lines(["*TestNarrower.*", "refuted, n = 3", "*'bounded.tsys[[]d=2]' --words 3 *"])


# --- fixture and strategies ------------------------------------------------------------------------------------------


def test_the_fixture_loads_next_to_the_test_file_and_goes_with_hypothesis(write: Write, run: Run) -> None:
    write("below/mine.tsys", figures.GOOD)
    write(
        "below/test_it.py",
        """\
from hypothesis import given, settings
from arcproof.testing import assert_derives, projective_trees

@settings(derandomize=True, database=None, max_examples=20, deadline=None)
@given(heads=projective_trees(max_words=6))
def test_it(arcproof_system, heads):
    assert len(assert_derives(arcproof_system("mine.tsys"), heads)) >= 2 * len(heads)

def test_on_board(arcproof_system):
    assert arcproof_system("arc-hybrid").name == "arc-hybrid"
""",
    )

    run().assert_outcomes(passed=2)


def test_a_failing_graph_is_shrunk_and_can_be_replayed(write: Write, run: Run) -> None:
    write("mine.tsys", figures.INCOMPLETE)
    write(
        "test_it.py",
        """\
from hypothesis import given, settings
from arcproof.testing import assert_derives, projective_trees

@settings(derandomize=True, database=None, deadline=None)
@given(heads=projective_trees(max_words=6))
def test_it(arcproof_system, heads):
    assert_derives(arcproof_system("mine.tsys"), heads)
""",
    )

    result = run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*AssertionError: not derivable", "E*replay: arcproof trace mine.tsys --heads 2,0"])
