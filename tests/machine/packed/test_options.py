"""`--engine`, `--jobs` and `--memory` on the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.machine.packed.figures import MANY_LISTS

Arcproof = Callable[..., Result]


@pytest.fixture(autouse=True)
def _no_engine_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARCPROOF_ENGINE", raising=False)


def levels(result: Result) -> object:
    assert result.code == 0
    return json.loads(result.out)["levels"]


@pytest.mark.compiler
def test_native_code_is_the_default(arcproof: Arcproof) -> None:
    result = arcproof("explore", "arc-eager", "--words", "3", "--json")

    assert json.loads(result.out)["engine"] == "compiled"
    assert json.loads(result.out)["note"] is None


@pytest.mark.compiler
@pytest.mark.parametrize("system", ["arc-eager", "swap"])
def test_explore_says_the_same_whoever_explores(arcproof: Arcproof, system: str) -> None:
    command = ["explore", system, "--words", "4", "--json"]
    reference = levels(arcproof(*command, "--engine", "interpreter"))

    assert levels(arcproof(*command)) == reference
    assert levels(arcproof(*command, "--jobs", "2")) == reference


@pytest.mark.compiler
def test_verify_names_the_engine(arcproof: Arcproof) -> None:
    for options, engine in (([], "compiled"), (["--engine", "interpreter"], "interpreter")):
        result = arcproof(
            "verify", "arc-eager", "--words", "3", "--samples", "0", "--claims-only", "--json", "-", *options
        )
        [system] = json.loads(result.out)["systems"]
        assert {claim["engine"] for claim in system["claims"]} == {engine}
        assert system["skipped"] == []


@pytest.mark.compiler
def test_compare_says_the_same_whoever_explores(arcproof: Arcproof) -> None:
    command = ["compare", "arc-eager", "arc-standard-stack", "--words", "4", "--json"]

    assert arcproof(*command).out == arcproof(*command, "--engine", "interpreter", "--jobs", "2").out


@pytest.mark.compiler
def test_levels_left_out_are_listed(arcproof: Arcproof) -> None:
    result = arcproof("verify", "swap", "--words", "6", "--memory", "9M", "--samples", "0", "--claims-only")

    assert result.code == 3
    assert "levels left out" in result.out
    assert "6 or more words: " in result.out
    assert "swap: inconclusive: the search hit the --memory limit at 5 of 6 words" in result.out


@pytest.mark.compiler
def test_explore_lists_what_was_left_out(arcproof: Arcproof) -> None:
    result = arcproof("explore", "swap", "--words", "6", "--memory", "2M")

    assert result.code == 3
    assert "6 words were left out: " in result.out
    assert "  1 word was left out: " in arcproof("explore", "swap", "--words", "2", "--memory", "1").out


@pytest.mark.compiler
def test_the_interpreter_takes_over_with_a_note(arcproof: Arcproof, tmp_path: Path) -> None:
    (tmp_path / "x.tsys").write_text(MANY_LISTS, encoding="utf-8")
    result = arcproof("explore", "x.tsys", "--words", "4")

    assert result.code == 0
    assert "the interpreter takes over from 4 words on" in result.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "fast"], "'fast' is not one of 'compiled', 'interpreter'"),
        (["--jobs", "0"], "`0` is not a whole number from 1 to 256"),
        (["--jobs", "two"], "`two` is not a whole number from 1 to 256"),
        (["--memory", "lots"], "`lots` is not a size"),
    ],
)
def test_wrong_options_are_wrong_usage(arcproof: Arcproof, options: list[str], message: str) -> None:
    for command in (["explore", "arc-eager"], ["verify", "arc-eager"], ["compare", "arc-eager", "swap"]):
        result = arcproof(*command, *options)
        assert result.code == 2
        assert message in result.err
        assert "Traceback" not in result.err


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1"])
def test_a_time_limit_is_a_number_of_seconds(arcproof: Arcproof, seconds: str) -> None:
    result = arcproof("verify", "arc-eager", "--timeout", seconds)

    assert result.code == 2
    assert "Traceback" not in result.err


@pytest.mark.compiler
def test_compare_says_what_was_left_out(arcproof: Arcproof) -> None:
    result = arcproof("compare", "swap", "attardi", "--words", "6", "--memory", "5M")

    assert result.code == 3
    assert "swap: 6 or more words: " in result.out
