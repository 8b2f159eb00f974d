"""`check --json`, and the hook that calls `check`."""

import json
import re
import shlex
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from arcproof.transitions.library import source_of, system_names
from tests.conftest import ROOT
from tests.in_process import Result
from tests.transitions.test_broken_specifications import table

Run = Callable[..., Result]
SCHEMA = Draft202012Validator(json.loads(files("arcproof.schemas").joinpath("check.schema.json").read_text("utf-8")))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.mark.long
def test_every_problem_of_the_table_is_there_with_its_place(arcproof: Run, tmp_path: Path) -> None:
    rows = table()
    names = [f"{number}.tsys" for number in range(len(rows))]
    for name, row in zip(names, rows, strict=True):
        (tmp_path / name).write_text(row.text, encoding="utf-8")
    done = arcproof("check", *names, "--json")
    document = json.loads(done.out)

    assert (done.code, done.err) == (2, "")
    assert list(SCHEMA.iter_errors(document)) == []
    assert [entry["file"] for entry in document] == names
    for entry, row in zip(document, rows, strict=True):
        printed = re.findall(r"^\w+\.tsys:(\d+):(\d+): (error|warning): (.*)$", row.message, flags=re.MULTILINE)
        told = [(str(one["line"]), str(one["column"]), one["severity"], one["message"]) for one in entry["problems"]]
        assert [one[:3] for one in told] == [one[:3] for one in printed], row.title
        assert entry["ok"] == all(one["severity"] == "warning" for one in entry["problems"])
        assert (entry["system"] is None) != entry["ok"]
        carets = [line for line in row.message.split("\n") if re.fullmatch(r" +\| +\^+", line)]
        widths = zip(entry["problems"], carets, strict=True)
        assert all(one["end"] - one["column"] >= caret.count("^") for one, caret in widths), row.title


def test_a_figure_without_problems_says_what_was_read(arcproof: Run) -> None:
    done = arcproof("check", "arc-eager", *system_names()[:3], "--json")
    [eager, *_] = document = json.loads(done.out)

    assert done.code == 0
    assert list(SCHEMA.iter_errors(document)) == []
    assert eager["problems"] == []
    assert eager["system"] == {
        "name": "arc-eager",
        "transitions": ["LEFT-ARC", "RIGHT-ARC", "REDUCE", "SHIFT"],
        "oracles": ["reduce-late", "reduce-early"],
        "dynamic_oracles": ["goldberg-nivre"],
        "claims": 7,
        "drops": [
            {"transition": "LEFT-ARC", "line": 7, "nodes": ["i"]},
            {"transition": "REDUCE", "line": 9, "nodes": ["i"]},
        ],
    }


def test_a_specification_is_never_overwritten(arcproof: Run, tmp_path: Path) -> None:
    """What exists and does not end in .json is read, wherever --json stands."""
    text = source_of("arc-eager")
    for name in ("mine.tsys", "plain"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = arcproof("check", "swap", "--json", "mine.tsys")
    itself = arcproof("check", "plain", "--json=plain")

    assert [one["file"] for one in json.loads(before.out)] == ["swap", "mine.tsys"]
    assert (itself.code, "plain is read by this command" in itself.err) == (2, True)
    assert {(tmp_path / name).read_text(encoding="utf-8") for name in ("mine.tsys", "plain")} == {text}


# --- the hook --------------------------------------------------------------------------------------------------------


def test_the_hook_takes_specifications_and_nothing_else() -> None:
    [hook] = HOOKS

    assert hook["id"] == "arcproof-check"
    assert (hook["language"], hook["entry"]) == ("python", "arcproof check")
    assert re.search(hook["files"], "figures/mine.tsys")
    assert not re.search(hook["files"], "figures/mine.tsys.txt")


@pytest.mark.parametrize(("changed", "code"), [("β = []", 0), ("γ = []", 2)])
def test_the_hook_stops_a_commit_with_an_error(arcproof: Run, tmp_path: Path, changed: str, code: int) -> None:
    (tmp_path / "good.tsys").write_text(source_of("swap"), encoding="utf-8")
    (tmp_path / "mine.tsys").write_text(source_of("arc-eager").replace("β = []", changed), encoding="utf-8")
    done = arcproof(*shlex.split(HOOKS[0]["entry"])[1:], "good.tsys", "mine.tsys")

    assert done.code == code
    assert ("mine.tsys:5:11: error: unknown component γ" in done.err) == (code == 2)
