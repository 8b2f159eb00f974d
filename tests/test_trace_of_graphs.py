"""`trace` of figures with several heads, in every format; options that give a graph again."""

import json
from pathlib import Path

import pytest

from tests.test_command_line import Run
from tests.transitions.test_several_heads import LISTS

ARCS = "0>2:root 2>1:det 2>3:obj 1>3:ref"


@pytest.fixture
def lists(tmp_path: Path) -> str:
    path = tmp_path / "lists.tsys"
    path.write_text(LISTS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("form", "sign"), [("latex", "ref"), ("svg", "→ 3 (ref)")])
def test_a_graph_is_traced_in_other_forms(arcproof: Run, lists: str, form: str, sign: str) -> None:
    result = arcproof("trace", lists, "--arcs", ARCS, "--format", form)

    assert result.code == 0
    assert sign in result.out


def test_a_graph_is_traced_as_json(arcproof: Run, lists: str) -> None:
    result = arcproof("trace", lists, "--arcs", "1>2 0>2", "--words", "3", "--format", "json")
    found = json.loads(result.out)

    assert found["arcs"] == [[0, None, 2], [1, None, 2]]
    assert found["steps"][-1]["configuration"]["lambda1"] == [0, 1, 2, 3]


def test_cycles_and_heads_are_traced_too(arcproof: Run, lists: str) -> None:
    assert arcproof("trace", lists, "--arcs", "1>2 2>1").code == 0
    assert arcproof("trace", lists, "--heads", "2,1").code == 0
    assert arcproof("trace", "arc-eager", "--arcs", "2>1 0>2").code == 0
