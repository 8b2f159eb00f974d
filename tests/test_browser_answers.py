"""What the page in the browser is told is what the commands say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arcproof.interface.browser import MOST_CHARACTERS, answer
from arcproof.reports.playground import Playground
from arcproof.transitions.library import source_of
from arcproof.transitions.system import load
from tests.conftest import Result

MISTAKE = source_of("arc-eager").replace("default SHIFT", "default SHFIT")
FALSE = source_of("arc-eager").replace("<= 2n\n", "<= n\n", 1)


def asked(**question: Any) -> Any:
    return json.loads(answer(json.dumps(question)))


def timeless(value: Any) -> Any:
    """Without seconds, and without what the text was called."""
    if isinstance(value, dict):
        return {name: timeless(one) for name, one in value.items() if name not in ("seconds", "file", "source")}
    return [timeless(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("text", [source_of("arc-eager"), source_of("list-graph"), MISTAKE, "", "system"])
def test_check(text: str, arcproof: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "own.tsys").write_text(text, encoding="utf-8")
    by_command = arcproof("check", "own.tsys")
    (document,) = json.loads(arcproof("check", "own.tsys", "--json").out)
    found = asked(ask="check", text=text)

    assert timeless({name: found[name] for name in document}) == timeless(document)
    assert found["told"].replace("<text>", "own.tsys").strip() == by_command.err.strip()
    assert "\n".join(found["summary"]).replace("<text>", "own.tsys").strip() == by_command.out.strip()


@pytest.mark.long
@pytest.mark.parametrize("text", [source_of("arc-standard"), source_of("list-graph"), FALSE])
def test_verify(text: str, arcproof: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "own.tsys").write_text(text, encoding="utf-8")
    options = (
        "--words",
        "2",
        "--samples",
        "0",
        "--proofs",
        "none",
        "--engine",
        "interpreter",
        "--require",
        "exhausted",
    )
    by_command = arcproof("verify", "own.tsys", *options, "--json", "-")
    found = asked(ask="verify", text=text, words=2)

    assert timeless(found["document"]) == timeless(json.loads(by_command.out))
    assert found["exit_code"] == by_command.code == (1 if text == FALSE else 0)


def test_step() -> None:
    query = {"heads": "2,0,2", "run": "SHIFT LEFT-ARC"}
    found = asked(ask="step", text=source_of("arc-eager"), query=query)
    status, page = Playground(load("arc-eager")).page(query)

    assert (found["status"], status) == (200, 200)
    assert found["html"].strip() in page
    assert asked(ask="step", text=source_of("arc-eager"), query={"heads": "2,0,2", "run": "REDUCE"})["status"] == 400


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ({"ask": "verify", "text": source_of("arc-eager"), "words": 5}, "verify takes 1 to 4 words here"),
        ({"ask": "verify", "text": source_of("arc-eager")}, "verify takes 1 to 4 words here"),
        ({"ask": "check", "text": "x" * (MOST_CHARACTERS + 1)}, "the figure is longer than 100000 characters"),
        ({"ask": "step", "text": "system"}, "<text>:1:7: error:"),
    ],
)
def test_what_cannot_be_answered_is_told(question: dict[str, Any], problem: str) -> None:
    assert asked(**question)["problem"].startswith(problem)
