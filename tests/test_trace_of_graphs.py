"""`trace` of figures with several heads, in every format; options that give a graph again."""

import json
from pathlib import Path

import pytest

from arcproof.reports.given import graph_options
from arcproof.transitions.graph import format_graph, graph_of, parse_arcs, parse_graph
from tests.test_command_line import Run
from tests.transitions.test_several_heads import LISTS

ARCS = "0>2:root 2>1:det 2>3:obj 1>3:ref"


@pytest.fixture
def lists(tmp_path: Path) -> str:
    path = tmp_path / "lists.tsys"
    path.write_text(LISTS, encoding="utf-8")
    return str(path)


def test_a_graph_is_traced_as_text(arcproof: Run, lists: str) -> None:
    result = arcproof("trace", lists, "--arcs", ARCS, "--forms", "The cat itself")

    assert result.code == 0
    assert "▲" in result.out
    assert "RIGHT(ref)" in result.out


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


def test_costs_are_not_asked_of_several_heads(arcproof: Run, lists: str) -> None:
    result = arcproof("oracle", lists, "--arcs", "0>1 1>2 0>2")

    assert result.code == 2
    assert "costs count the words whose head is wrong" in result.err


def test_options_say_the_graph_again() -> None:
    assert graph_options(graph_of((2, 0))) == ["--heads", "2,0"]
    assert graph_options(parse_arcs("0>2 1>2:a")) == ["--arcs", "0>2 1>2:a"]
    assert graph_options(parse_arcs("0>2 1>2", 3)) == ["--arcs", "0>2 1>2", "--words", "3"]
    for text in ("2,0,_", "0>2 1>2"):
        assert format_graph(parse_graph(text)) == text
