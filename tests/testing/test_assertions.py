"""`assert_claim`, `assert_derives`, and what the package exports."""

import re
from pathlib import Path

import pytest

import arcproof
from arcproof import testing
from arcproof.properties.verdict import Verdict
from arcproof.reports.sentences import detail_text
from arcproof.testing import assert_claim, assert_derives
from tests.testing import figures


@pytest.fixture(autouse=True)
def in_an_empty_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_claim_that_is_met_says_what_was_done() -> None:
    finding = assert_claim(figures.GOOD, "complete projective trees", words=3)

    assert finding.verdict is Verdict.EXHAUSTED
    exhausted, sampled = detail_text(finding).split("; ")
    assert re.fullmatch(r"\d+ projective trees, all up to 3 words", exhausted)
    assert re.fullmatch(r"beyond that, sampled: \d+ graphs of up to \d+ words, drawn by Hypothesis", sampled)


def test_the_figure_need_not_make_the_claim() -> None:
    assert_claim(figures.GOOD, "not complete trees", words=3)
    assert_claim(figures.GOOD, "equivalent to arc-hybrid", words=3)


def test_a_claim_that_is_refuted_is_drawn() -> None:
    Path("mine.tsys").write_text(figures.INCOMPLETE, encoding="utf-8")

    with pytest.raises(AssertionError) as caught:
        assert_claim("mine.tsys", "complete projective trees")

    assert str(caught.value).split("\n") == [
        "complete projective trees: refuted, n = 2",
        "2,0 is among the projective trees but is not the output of any run",
        "",
        " ┌─────────┐",
        " │    ┌──┐ │",
        " │    ▼  │ ▼",
        "ROOT  1   2",
        "",
        "replay: arcproof trace mine.tsys --heads 2,0 --search",
    ]


def test_a_claim_that_stays_open_is_not_met() -> None:
    with pytest.raises(
        AssertionError, match="unknown, so the claim is not met\nnothing was checked: no run ends up to 2 words"
    ):
        assert_claim(figures.ENDLESS, "sound projective trees", words=2)


def test_parameters_count() -> None:
    Path("bounded.tsys").write_text(figures.PARAMETER, encoding="utf-8")

    assert_claim("bounded.tsys[d=99]", "no dead ends", words=3)
    with pytest.raises(AssertionError, match=r"replay: arcproof verify bounded\.tsys --words 2"):
        assert_claim("bounded.tsys", "no dead ends", words=3)


# --- derivations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heads", ["2,0,2", [2, 0, 2], (2, 0, 2), arcproof.graph_of([2, 0, 2])])
def test_a_derivation_is_returned(heads: str | list[int | None]) -> None:
    derivation = assert_derives(figures.GOOD, heads)

    assert [str(transition) for transition in derivation.transitions] == [
        "SHIFT", "SHIFT", "LEFT-ARC", "SHIFT", "RIGHT-ARC", "RIGHT-ARC", "SHIFT",
    ]  # fmt: skip


def test_a_graph_that_is_not_derived_is_drawn_with_the_reason() -> None:
    Path("mine.tsys").write_text(figures.WRONG_ORACLE, encoding="utf-8")

    with pytest.raises(AssertionError) as caught:
        assert_derives(Path("mine.tsys"), "0,1", oracle="static")

    first, reason, *drawing, replay = str(caught.value).split("\n")
    assert first == "not derivable"
    assert reason.startswith("late-left with oracle static does not derive 0,1; it cannot build the arc (1, 2)")
    assert drawing == ["", " ┌────┐ ┌──┐", " │    ▼ │  ▼", "ROOT   1   2", ""]
    assert replay == "replay: arcproof trace mine.tsys --heads 0,1 --oracle static"


# --- the package -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", testing.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(testing, name).__doc__
