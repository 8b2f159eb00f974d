"""`pytest my-system.tsys`."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from arcproof.properties import examine
from arcproof.properties.engines import engine as engines
from arcproof.properties.engines import exhaustive
from arcproof.testing import checking
from arcproof.transitions.system import load
from tests.conftest import ROOT
from tests.documents import run as run_command
from tests.test_repository import HEAVY
from tests.testing import figures
from tests.testing.conftest import Run

Write = Callable[[str, str], Path]


def replay_of(result: pytest.RunResult) -> str:
    """The command that the failure names; where `CI` is set pytest repeats the failure in its summary."""
    [line] = {line for line in result.outlines if line.startswith("replay: ")}
    return line.removeprefix("replay: ")


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


# --- what is collected -----------------------------------------------------------------------------------------------


def test_every_claim_is_an_item_and_so_is_reading(write: Write, run: Run) -> None:
    write("good.tsys", figures.GOOD)

    result = run("good.tsys", "--collect-only", "-q")

    assert ids(result) == ["good.tsys::reads", *(f"good.tsys::{claim}" for claim in figures.CLAIMS)]


def test_files_in_folders_are_left_alone(write: Write, run: Run) -> None:
    write("below/good.tsys", figures.GOOD)

    for arguments in ([], ["below"]):
        assert run(*arguments).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_files_in_folders_are_collected_where_the_configuration_says_so(write: Write, run: Run) -> None:
    write("below/good.tsys", figures.GOOD)
    write("below/good.txt", "not a figure")
    write("pytest.ini", "[pytest]\narcproof_collect = true\n")

    result = run("--strict-config")

    result.assert_outcomes(passed=4)
    assert result.ret == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments", [["good.tsys", "-k", "sound"], ["good.tsys", "-k", "projective and not complete"], ["good.tsys::sound projective trees"]]
)  # fmt: skip
def test_a_claim_can_be_selected(arguments: list[str], write: Write, run: Run) -> None:
    write("good.tsys", figures.GOOD)

    result = run(*arguments, "-v")

    result.assert_outcomes(passed=1, deselected=3 * ("-k" in arguments))
    result.stdout.fnmatch_lines(["good.tsys::sound projective trees PASSED*"])


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_what_was_done_is_shown_on_request(write: Write, run: Run) -> None:
    write("good.tsys", figures.GOOD)

    result = run("good.tsys", "-rP", "-k", "complete", "--junit-xml=junit.xml")

    [done] = [line for line in result.outlines if line.startswith("exhausted, n ≤ 3: ")]
    assert " projective trees, all up to 3 words; beyond that, sampled: 10 graphs" in done
    assert f'<property name="arcproof" value="{done}"' in Path("junit.xml").read_text(encoding="utf-8")


def test_a_missing_tree_is_drawn_with_the_command_that_shows_it(write: Write, run: Run) -> None:
    write("mine.tsys", figures.INCOMPLETE)

    result = run("mine.tsys", "-k", "complete")

    result.assert_outcomes(failed=1, deselected=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    start = result.outlines.index("refuted, n = 2")
    assert result.outlines[start : start + 8] == [
        "refuted, n = 2",
        "2,0 is among the projective trees but is not the output of any run",
        "",
        " ┌─────────┐",
        " │    ┌──┐ │",
        " │    ▼  │ ▼",
        "ROOT  1   2",
        "",
    ]
    assert result.outlines[start + 8] == "replay: arcproof trace mine.tsys --heads 2,0 --search"
    result.stdout.fnmatch_lines(["FAILED mine.tsys::complete projective trees - Failed: refuted, n = 2"])


PLANTED = {
    "a dropped precondition": (figures.NO_PRECONDITION, "sound", "LEFT-ARC adds an arc into 0"),
    "a reversed arc": (figures.REVERSED_ARC, "sound", "*which already has a head"),
    "an arc added twice": (figures.ARC_TWICE, "sound", "RIGHT-ARC adds an arc to 1, which already has a head"),
}


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_is_red_with_its_run(bug: str, write: Write, run: Run) -> None:
    text, claim, reason = PLANTED[bug]
    write("mine.tsys", text)

    result = run("mine.tsys", "-k", claim)

    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.fnmatch_lines(["refuted, n = *", reason, "run: *", "replay: arcproof verify mine.tsys --words *"])


OPEN = {
    "not sound projective trees": "no counterexample was found, but the claim is that there is one",
    "published complete projective trees, refuted": "no counterexample was found, but the claim is that there is one",
    "like arc-eager[d=2] on projective trees": "*arc-eager has no parameter*",
}


@pytest.mark.long
@pytest.mark.parametrize("claim", OPEN)
def test_an_open_claim_is_not_a_success(claim: str, write: Write, run: Run) -> None:
    write("mine.tsys", figures.claiming(claim))

    result = run("mine.tsys", "--arcproof-words=2")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([OPEN[claim]])


def test_claims_about_runs_that_never_end_are_not_a_success(write: Write, run: Run) -> None:
    write("mine.tsys", figures.ENDLESS)

    run("mine.tsys").assert_outcomes(passed=1, failed=3)


def test_a_claim_of_which_nothing_is_tried_exhaustively_is_met_by_samples(write: Write, run: Run) -> None:
    write("mine.tsys", figures.SWAP)

    result = run("mine.tsys", "--arcproof-words=2", "-rP")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["sampled, n ≤ *: nothing was checked*; sampled: 10 graphs of up to * words*"])


def test_a_published_claim_that_is_refuted_as_it_says_passes(write: Write, run: Run) -> None:
    write("mine.tsys", figures.claiming("published complete trees, refuted", "not complete forests"))

    run("mine.tsys", "--arcproof-words=3").assert_outcomes(passed=3)


def test_a_counterexample_that_does_not_replay_is_a_failure_of_ours(
    write: Write, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def contradiction(*_: object) -> None:
        raise exhaustive.ReplayFailed("two meanings")

    monkeypatch.setattr(examine, "check_statement", contradiction)
    write("good.tsys", figures.GOOD)

    result = run("good.tsys")

    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["the engines contradict each other", "two meanings"])


# --- effort ----------------------------------------------------------------------------------------------------------


def test_a_claim_is_checked_when_its_item_runs(write: Write, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    check = examine.check_statement
    monkeypatch.setattr(
        examine, "check_statement", lambda levels, s: checked.append(type(s).__name__) or check(levels, s)
    )  # type: ignore[func-returns-value]
    write("good.tsys", figures.GOOD)

    run("good.tsys", "--collect-only")
    assert checked == []
    run("good.tsys", "-k", "length")
    assert checked == ["LengthBound"]


def test_claims_share_the_exploration(write: Write, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    explored: list[int] = []
    explore = engines.explore

    def counted(system: object, words: int, *more: object) -> object:
        explored.append(words)
        return explore(system, words, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(engines, "explore", counted)
    write("good.tsys", figures.GOOD)

    run("good.tsys").assert_outcomes(passed=4)

    assert explored == [1, 2, 3]


def test_only_the_last_few_state_spaces_are_kept() -> None:
    system = load(figures.GOOD)
    first = checking.levels_of(system, 1)
    assert checking.levels_of(load(figures.GOOD), 1) is first
    for words in range(2, checking.MAX_KEPT + 2):
        checking.levels_of(system, words)

    assert len(checking._KEPT) == checking.MAX_KEPT
    assert checking.levels_of(system, 1) is not first


# --- replays ---------------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize(
    "name",
    [
        "it's $(touch hacked).tsys",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("mine.tsys", "below/mine.tsys", "-x.tsys", "Größe σ.tsys")
        ),
    ],
)
@pytest.mark.parametrize(("text", "claim"), [(figures.INCOMPLETE, "complete"), (figures.NO_PRECONDITION, "sound")])
def test_the_replay_shows_the_failure_again(
    name: str, text: str, claim: str, write: Write, run: Run, pytester: pytest.Pytester
) -> None:
    write(name, text)

    command = replay_of(run(f"./{name}", "-k", claim))

    again = run_command(f'{command}; echo "exit code $?"', pytester.path)
    assert again.endswith("exit code 1\n")
    assert not (pytester.path / "hacked").exists()


# --- broken and hostile files ----------------------------------------------------------------------------------------


def test_a_broken_specification_is_one_red_item_with_every_diagnostic(write: Write, run: Run) -> None:
    write("mine.tsys", figures.changed("sound        projective trees", "sound  projectiv trees", figures.BROKEN))

    result = run("mine.tsys")

    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*mine.tsys: reads*",
            "mine.tsys:8:*: error: k is not bound",
            "  help: the pattern binds *",
            "mine.tsys:16:*: error: unknown class projectiv",
            "  help: did you mean projective*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_name_cannot_move_the_cursor(write: Write, pytester: pytest.Pytester) -> None:
    write("mine\x1b[2J.tsys", figures.INCOMPLETE)
    write("broken\x1b[2J.tsys", figures.BROKEN)
    write("pytest.ini", "[pytest]\narcproof_collect = true\n")

    recorded = pytester.inline_run("-p", "no:cacheprovider", "-p", "arcproof.testing.plugin")

    failures = recorded.getfailures()
    assert len(failures) == 3
    for report in failures:
        assert "\x1b" not in report.longreprtext + report.head_line


# --- how it is loaded ------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_loading_the_plugin_imports_nothing_heavy() -> None:
    code = "import sys, arcproof.testing.entry_point, arcproof.testing.plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {name.split(".")[0] for name in done.stdout.split()}

    assert {"arcproof", "pytest"} <= imported
    assert imported.isdisjoint({*HEAVY} - {"pygments"})  # which pytest imports itself
    assert "arcproof.transitions" not in done.stdout.split()


FEW = 'from hypothesis import settings\nsettings.register_profile("few", max_examples=5)\n'


@pytest.mark.nightly
@pytest.mark.process
def test_where_arcproof_is_installed_no_option_is_needed(write: Write, pytester: pytest.Pytester) -> None:
    if not entry_points(group="pytest11", name="arcproof"):
        pytest.skip("arcproof is not installed here")
    write("good.tsys", figures.GOOD)

    pytester.runpytest_subprocess("-Werror", "-p", "no:cacheprovider", "good.tsys").assert_outcomes(passed=4)


def test_the_project_declares_the_entry_point() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["entry-points"]["pytest11"] == {"arcproof": "arcproof.testing.entry_point"}


@pytest.mark.nightly
def test_workers_agree_on_the_items(write: Write, run_apart: Run) -> None:
    pytest.importorskip("xdist")
    write("conftest.py", FEW)
    write("good.tsys", figures.GOOD)
    write("mine.tsys", figures.INCOMPLETE)
    write(
        "test_it.py",
        f"from arcproof.testing import SystemSuite\nclass TestIt(SystemSuite):\n    system = {'good.tsys'!r}\n",
    )

    result = run_apart("-n2", "good.tsys", "mine.tsys", "test_it.py", "--arcproof-words=3", "--hypothesis-profile=few")

    result.assert_outcomes(passed=4 + 2 + 5, failed=2)
    result.stdout.fnmatch_lines(["ROOT  1   2", "FAILED mine.tsys::complete projective trees - Failed: refuted, n = 2"])
