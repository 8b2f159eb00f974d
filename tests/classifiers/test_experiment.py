"""Experiments: cells that are kept, and tables of them."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from arcproof.classifiers import experiment
from arcproof.classifiers.experiment import (
    CellPlan,
    ResultTable,
    run,
    variant,
)
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.native import CannotBeTrained
from arcproof.classifiers.parser import Parser
from arcproof.classifiers.scores import randomisation
from arcproof.documents.experiment import document
from arcproof.documents.wire import json_text, json_value
from arcproof.generators.treebank import Sentence
from arcproof.reports.experiment import details, gains, lengths, scores, write
from arcproof.transitions.errors import BadParameter
from arcproof.transitions.library import source_of
from tests.properties.test_verify import schema

VARIANTS = ["arc-eager", "arc-eager:head+path:default"]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[ResultTable, Path]:
    folder = tmp_path_factory.mktemp("experiment")
    return run(VARIANTS, ["artificial"], folder, sentences=150), folder


@pytest.mark.compiler
def test_every_cell_is_scored_and_every_parse_is_checked(done: tuple[ResultTable, Path]) -> None:
    table, folder = done

    for cell in table.cells.values():
        assert cell["las"] > 0.9
        assert (cell["checked"], cell["wrong"], cell["problems"], cell["not_ended"]) == (100, 0, [], 0)
        assert len(cell["classifier_runs"]) == len(cell["by_sentence"]) == len(cell["right_sentences"]) == 100
        assert len(cell["oracle_runs"]) == 150
    assert len(list((folder / "cells").glob("*.json"))) == 2


@pytest.mark.compiler
def test_a_contradiction_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "problems", lambda *_: ["one", "two"])
    table = run(VARIANTS[:1], ["artificial"], tmp_path, sentences=20)

    assert table.cells["arc-eager", "artificial"]["wrong"] == 200


@pytest.mark.compiler
def test_tables_and_plots_are_written(done: tuple[ResultTable, Path], tmp_path: Path) -> None:
    table, _ = done
    write(table, tmp_path, json_text(document(table)))

    assert (tmp_path / "table.csv").read_text(encoding="utf-8").count("\n") == 3
    assert "<td>arc-eager:head+path:default</td>" in (tmp_path / "table.html").read_text(encoding="utf-8")
    assert scores(table)[0] == ["LAS", "artificial", "mean"]
    assert lengths(table)[1][0] == "1-10"
    assert len(details(table)[0]) == len(details(table)[1])
    value = json_value(document(table))
    jsonschema.validate(value, schema("experiment"))
    assert 0 < value["cells"][0]["oracle_slope"][0] <= 2
    del value["cells"][0]["las"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schema("experiment"))


@pytest.mark.compiler
def test_what_is_done_is_not_done_again(done: tuple[ResultTable, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    table, folder = done

    def refuse(*_: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(experiment, "computed", refuse)

    assert scores(run(VARIANTS, ["artificial"], folder, sentences=150)) == scores(table)
    with pytest.raises(AssertionError, match="computed again"):
        run(VARIANTS, ["artificial"], folder, sentences=151)


def cell_of(plan: CellPlan) -> dict[str, Any]:
    """A cell as it might have been computed."""
    numbers = {name: 0 for name, kind in experiment._PARTS.items() if kind in (int, experiment._Number)}
    texts = {"variant": plan.variant.text, "treebank": plan.name, "right": "1", "right_sentences": "1"}
    pairs = {name: [[1, 1]] for name in ("oracle_runs", "classifier_runs", "by_sentence")}
    triples = {name: [None, 0.0, 1] for name in ("nonprojective", "roots")}
    return {**numbers, **texts, **pairs, **triples, "interval": [0.0, 1.0], "lengths": {}, "problems": []}


PLAN = CellPlan(variant("arc-eager"), "artificial", 20, Settings())


def test_a_cell_is_that_of_the_code_that_learns_and_parses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "computed", cell_of)
    first = experiment.cell(PLAN, tmp_path)
    monkeypatch.setattr(experiment, "computed", lambda plan: {**cell_of(plan), "words": 7})
    assert experiment.cell(PLAN, tmp_path) == first
    assert experiment.cell(PLAN, tmp_path, fresh=True)["words"] == 7
    assert experiment.cell(PLAN, tmp_path)["words"] == 7
    monkeypatch.setattr(experiment, "computed", lambda plan: {**cell_of(plan), "words": 8})
    monkeypatch.setattr(experiment, "code_digest", lambda _: "other code")
    assert experiment.cell(PLAN, tmp_path)["words"] == 8


@pytest.mark.parametrize(
    "change",
    [
        {"las": "high"},
        {"variant": "swap"},
        {"more": 1},
        {"oracle_runs": [[1]]},
        {"problems": [1]},
        {"lengths": {"1": 2}},
    ],
)
def test_a_cell_that_is_not_one_is_computed_again(
    change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment, "computed", cell_of)
    experiment.cell(PLAN, tmp_path)
    [file] = (tmp_path / "cells").glob("*.json")
    file.write_text(json.dumps({**cell_of(PLAN), **change}), encoding="utf-8")
    assert experiment.cell(PLAN, tmp_path) == cell_of(PLAN)


def test_a_cell_is_not_kept_under_the_name_of_files_that_were_changed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = tmp_path / "mine.tsys"
    figure.write_text(source_of("arc-eager"), encoding="utf-8")

    def computed(plan: CellPlan) -> dict[str, Any]:
        figure.write_text(source_of("arc-standard"), encoding="utf-8")
        return cell_of(plan)

    monkeypatch.setattr(experiment, "computed", computed)
    run([str(figure)], ["artificial"], tmp_path / "one", sentences=20)
    assert list((tmp_path / "one").rglob("*.json")) == []


@pytest.mark.compiler
def test_variants_that_differ_in_parsing_only_are_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[list[Sentence]] = []
    fit = Parser.fit
    monkeypatch.setattr(Parser, "fit", lambda self, some: (trained.append(some), fit(self, some))[1])
    variants = ["attardi[d=3]", "attardi[d=3]:parse.d=1", "attardi[d=1]"]
    together = run(variants, ["artificial"], tmp_path / "together", sentences=40)

    assert [len(some) for some in trained] == [2, 40, 2, 40]
    assert len({together.cells[name, "artificial"]["las"] for name in variants[:2]}) == 2
    for name in variants:
        experiment._trained.cache_clear()
        alone = run([name], ["artificial"], tmp_path / name, sentences=40).cells[name, "artificial"]
        assert {k: v for k, v in alone.items() if not k.endswith("_seconds")} == {
            k: v for k, v in together.cells[name, "artificial"].items() if not k.endswith("_seconds")
        }


@pytest.mark.compiler
def test_a_cell_depends_on_what_the_feature_model_says(tmp_path: Path) -> None:
    model = tmp_path / "m.features"
    model.write_text("features m\n  stack[0] cpos\n  buffer[0] cpos\n", encoding="utf-8")
    for _ in range(2):
        run([f"arc-eager:features={model}"], ["artificial"], tmp_path, sentences=20)
        model.write_text("features m\n  stack[0] cpos form\n  buffer[0] cpos\n", encoding="utf-8")

    assert len(list((tmp_path / "cells").glob("*.json"))) == 2


def test_variants_are_read() -> None:
    read = variant("covington[d=2]:svc:path:skip-nonprojective:default:oracle=static:features=nivre-2007:parse.d=1")

    assert read.system == "covington[d=2]"
    assert dict(read.options) == {
        "learner": "svc", "pseudo_projective": "path", "skip_nonprojective": True, "policy": "default", "oracle": "static", "features": "nivre-2007",
    }  # fmt: skip
    assert read.parsing == (("d", "1"),)
    with pytest.raises(CannotBeTrained, match="`magic` in `swap:magic` is not a technique"):
        variant("swap:magic")


@pytest.mark.compiler
def test_the_mean_of_a_variant_is_compared_with_that_of_the_first(tmp_path: Path) -> None:
    table = run(["arc-eager", "arc-eager:explore"], ["artificial"], tmp_path, sentences=20)
    found = table.gain("arc-eager:explore")
    assert found is not None
    first, second = (table.cells[name, "artificial"] for name in table.variants)

    assert found.las == pytest.approx(second["las"] - first["las"])
    assert found.p == randomisation(second["by_sentence"], first["by_sentence"])
    assert found.times == pytest.approx(second["learning_seconds"] / first["learning_seconds"])
    assert gains(table)[1][0] == "arc-eager:explore"
    del table.cells["arc-eager", "artificial"]
    assert table.gain("arc-eager:explore") is None
    assert len(gains(table)) == 1


@pytest.mark.compiler
def test_parameters_may_change_between_training_and_parsing() -> None:
    parser = Parser("attardi[d=3]").fit("artificial-train")
    parser.set_parameters({"d": "1"})
    parsed = parser.predict("artificial-test")

    assert max((t.choice[0] for p in parsed for t in p.transitions if t.choice), default=1) == 1
    with pytest.raises(BadParameter, match="has no parameter `k`"):
        parser.set_parameters({"k": "1"})
    with pytest.raises(BadParameter, match="`x` is not a value"):
        parser.set_parameters({"d": "x"})


@pytest.mark.compiler
def test_timeout_is_inconclusive_and_resumable(arcproof) -> None:  # type: ignore[no-untyped-def]
    arguments = ["experiment", "arc-eager", "--treebank", "artificial", "-o", "out", "--sentences", "50"]
    stopped = arcproof(*arguments, "--timeout", "0.001")

    assert (stopped.code, stopped.out) == (3, "")
    assert "the same command continues from here" in stopped.err
    assert arcproof(*arguments).code == 0
