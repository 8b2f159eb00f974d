"""Experiments: cells that are kept, and tables of them."""

from pathlib import Path

import pytest

from arcproof.classifiers import experiment
from arcproof.classifiers.experiment import Table, run, variant
from arcproof.classifiers.parser import CannotBeTrained, Parser
from arcproof.transitions.errors import BadParameter, UnreadableFile

VARIANTS = ["arc-eager", "arc-eager:head+path:default"]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Table, Path]:
    folder = tmp_path_factory.mktemp("experiment")
    return run(VARIANTS, ["artificial"], folder, sentences=150), folder


def test_every_cell_is_scored_checked_and_written(done: tuple[Table, Path]) -> None:
    table, folder = done

    assert all(cell["las"] > 0.9 and cell["problems"] == [] and cell["not_ended"] == 0 for cell in table.cells.values())
    assert len(list((folder / "cells").glob("*.json"))) == 2
    assert (folder / "table.md").read_text(encoding="utf-8").startswith("# Experiment\n")
    assert (folder / "table.csv").read_text(encoding="utf-8").count("\n") == 3
    assert "<td>arc-eager:head+path:default</td>" in (folder / "table.html").read_text(encoding="utf-8")
    assert table.rows()[0] == ["LAS", "artificial", "mean"]
    assert table.lengths()[1][0] == "1-10"
    assert 0 < table.cells["arc-eager", "artificial"]["oracle_slope"][0] <= 2


def test_what_is_done_is_not_done_again(done: tuple[Table, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    table, folder = done

    def refuse(*_: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(experiment, "_computed", refuse)

    assert run(VARIANTS, ["artificial"], folder, sentences=150).rows() == table.rows()
    with pytest.raises(AssertionError, match="computed again"):
        run(VARIANTS, ["artificial"], folder, sentences=151)


def test_variants_are_read() -> None:
    read = variant("covington[d=2]:svc:path:skip-nonprojective:default:oracle=static:features=nivre-2007:parse.d=1")

    assert read.system == "covington[d=2]"
    assert dict(read.options) == {
        "learner": "svc", "pseudo_projective": "path", "skip_nonprojective": True, "policy": "default", "oracle": "static", "features": "nivre-2007",
    }  # fmt: skip
    assert read.parsing == (("d", "1"),)
    with pytest.raises(CannotBeTrained, match="no technique `magic` in `swap:magic`"):
        variant("swap:magic")


def test_a_missing_treebank_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"none-train\.conllu: no such file"):
        run(VARIANTS, ["none"], tmp_path)


def test_parameters_may_change_between_training_and_parsing() -> None:
    parser = Parser("attardi[d=3]").fit("artificial-train")
    parser.set_parameters({"d": "1"})
    parsed = parser.predict("artificial-test")

    assert max((t.choice[0] for p in parsed for t in p.transitions if t.choice), default=1) == 1
    with pytest.raises(BadParameter, match="has no parameter `k`"):
        parser.set_parameters({"k": "1"})
    with pytest.raises(BadParameter, match="`x` is no value"):
        parser.set_parameters({"d": "x"})


def test_the_command_line(arcproof) -> None:  # type: ignore[no-untyped-def]
    result = arcproof("experiment", "arc-eager", "--treebank", "artificial", "-o", "out", "--sentences", "50")

    assert result.code == 0, result.err
    assert result.out.startswith("LAS        artificial  mean\narc-eager  ")
    assert arcproof("experiment", "arc-eager:x", "--treebank", "artificial", "-o", "out").code == 2
