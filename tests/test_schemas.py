"""The JSON documents: what is printed follows its schema, and the schemas are made of the types."""

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from arcproof.commands import cli
from arcproof.documents import NAMES, schema_of
from arcproof.documents.wire import Part, json_value, schema
from arcproof.transitions.printing.source import to_source
from tests.properties.test_claims import changed

PRINTED: Final = [
    "trace arc-swift --heads 2,0,2 --labels a,b,c --format json",
    "trace swap --heads 3,4,0,3 --labels α,b,c,d --format json",
    "explore swap --words 4 --memory 400K --json",
    "explore arc-eager-2003 --words 2 --json",
    "compare broken.tsys arc-eager --words 3 --json",
    "compare arc-eager arc-eager-2003 --words 2 --json",
    "compare swap arc-eager --words 4 --memory 400K --json",
    "verify broken.tsys --words 2 --samples 2 --json -",
    "verify arc-eager-2003 --words 2 --samples 2 --json -",
    "evaluate t.conllu t.conllu t.conllu --json",
    "oracle arc-hybrid --derive --words 1 --json -",
]


def problems(name: str, document: object) -> list[str]:
    text = files("arcproof.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return [error.message for error in Draft202012Validator(json.loads(text)).iter_errors(document)]


@pytest.mark.parametrize("arguments", PRINTED)
def test_what_is_printed_follows_its_schema(arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))
    (tmp_path / "broken.tsys").write_text(to_source(broken.figure), encoding="utf-8")
    rows = [f"{word}\tw\t_\tN\tN\t_\t{head}\tdep\t_\t_" for word, head in enumerate((3, 4, 0, 3), start=1)]
    (tmp_path / "t.conllu").write_text("\n".join([*rows, "", ""]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, arguments.split())

    assert result.exit_code in (0, 1, 3), result.output
    assert problems(arguments.split()[0], json.loads(result.stdout)) == []


# --- how schemas are made --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_made_of_the_types(name: str) -> None:
    written = files("arcproof.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")

    assert written == schema_of(name), "run `make docs`"


@dataclass(frozen=True)
class Sign:
    """A sign.

    With a second paragraph.
    """

    class_: str
    """What it is."""
    absent: int | None = None


def test_names_docstrings_and_absent_fields() -> None:
    assert json_value((Sign("a"), Sign("b", 2))) == [{"class": "a"}, {"class": "b", "absent": 2}]
    made = schema(Sign)

    assert (made["title"], made["description"]) == ("A sign", "With a second paragraph.")
    assert made["required"] == ["class"]
    assert made["properties"] == {
        "class": {"type": "string", "description": "What it is."},
        "absent": {"type": "integer"},
    }


def test_what_json_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError, match="a frozenset has no place in a document"):
        json_value(frozenset({1}))


def test_two_types_of_one_name_are_refused() -> None:
    other = Annotated[int, Part("Sign", "Another.")]
    with pytest.raises(TypeError, match="two types of one document have the name Sign"):
        schema(Annotated[tuple[Sign, other], Part("Both", "Both.")])
