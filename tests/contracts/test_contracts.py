"""The JSON contracts: documents of version 0.1 and of today follow the schemas of both, and what the old schemas refuse
the new ones refuse too.

`documents_of_0_1` were printed by version 0.1, with long lists cut short; `schemas_of_0_1` are the schemas that were
kept by hand.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from arcproof.transitions.printing.source import to_source
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from arcproof.commands import cli
from arcproof.documents import NAMES, schema_of
from arcproof.documents.wire import Part, json_value, schema
from tests.properties.test_claims import changed

HERE: Final = Path(__file__).parent
OLD_DOCUMENTS: Final = sorted(path.stem for path in (HERE / "documents_of_0_1").glob("*.json"))
KINDS: Final = sorted(path.name.removesuffix(".schema.json") for path in (HERE / "schemas_of_0_1").glob("*.json"))
WRONG: Final = (None, -1, "no such word", [None])
BY_NAME: Final = ("labels", "lengths", "features", "classes")

PRINTED: Final = [
    "list --json",
    "trace arc-swift --heads 2,0,2 --labels a,b,c --format json",
    "trace swap --heads 3,4,0,3 --labels α,b,c,d --format json",
    "explore arc-eager --words 3 --json",
    "explore swap --words 4 --memory 400K --json",
    "explore arc-eager-2003 --words 2 --json",
    "compare arc-eager arc-standard-stack --words 3 --json",
    "compare broken.tsys arc-eager --words 3 --json",
    "compare arc-eager arc-eager-2003 --words 2 --json",
    "compare swap arc-eager --words 4 --memory 400K --json",
    "coverage arc-eager swap --treebank t.conllu --json",
    "mutate arc-hybrid --words 2 --jobs 1 --json -",
    "why arc-eager LEFT-ARC --words 3 --json -",
    "verify broken.tsys --words 2 --samples 2 --json -",
    "verify arc-eager-2003 --words 2 --samples 2 --json -",
    "features --json",
    "evaluate t.conllu t.conllu t.conllu --json",
]


@cache
def old(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((HERE / "schemas_of_0_1" / f"{name}.schema.json").read_text("utf-8")))


@cache
def new(name: str) -> Draft202012Validator:
    text = files("arcproof.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


def problems(name: str, document: object) -> list[str]:
    return [error.message for validator in (old(name), new(name)) for error in validator.iter_errors(document)]


@pytest.mark.parametrize("case", OLD_DOCUMENTS)
def test_documents_of_0_1_follow_both_schemas(case: str) -> None:
    document = json.loads((HERE / "documents_of_0_1" / f"{case}.json").read_text("utf-8"))

    assert problems(case.partition("_")[0], document) == []


def test_there_is_a_document_of_each_kind() -> None:
    assert {case.partition("_")[0] for case in OLD_DOCUMENTS} == set(KINDS)


@pytest.mark.parametrize("arguments", PRINTED)
def test_what_is_printed_today_follows_both_schemas(
    arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))
    (tmp_path / "broken.tsys").write_text(to_source(broken.figure), encoding="utf-8")
    rows = [f"{word}\tw\t_\tN\tN\t_\t{head}\tdep\t_\t_" for word, head in enumerate((3, 4, 0, 3), start=1)]
    (tmp_path / "t.conllu").write_text("\n".join([*rows, "", ""]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, arguments.split())

    assert result.exit_code in (0, 1, 3), result.output
    assert problems(arguments.split()[0], json.loads(result.stdout)) == []


# --- what the old schemas refuse
# ---------------------------------------------------------------------------------------


def places(value: Any, where: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a document."""
    yield where
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, entry in entries:
        yield from places(entry, (*where, name))


def shape_of(where: tuple[str | int, ...]) -> tuple[str, ...]:
    """The kind of a place: entries of a list are of one kind, and so are entries with names of their own."""
    return tuple(
        "*" if isinstance(name, int) or above in BY_NAME else name
        for above, name in zip(("", *where), where, strict=False)
    )


def one_of_each(value: Any, seen: set[tuple[str, ...]], where: tuple[str | int, ...] = ()) -> Any:
    """The document without those objects in lists whose places are all of kinds that were seen before."""
    seen.add(shape_of(where))
    if isinstance(value, dict):
        return {name: one_of_each(entry, seen, (*where, name)) for name, entry in value.items()}
    if not isinstance(value, list):
        return value
    kept = []
    for number, entry in enumerate(value):
        kinds = {shape_of(place) for place in places(entry, (*where, number))}
        if not isinstance(entry, dict) or not kinds <= seen:
            kept.append(one_of_each(entry, seen, (*where, number)))
    return kept


def planted(document: Any) -> Iterator[str]:
    """What is wrong with the document while the loop looks at it: one value, or one field that is missing, once for
    each kind of place.
    """
    seen: set[tuple[str, ...]] = set()
    for where in list(places(document)):
        if not where or shape_of(where) in seen:
            continue
        seen.add(shape_of(where))
        inside = document
        for name in where[:-1]:
            inside = inside[name]
        right = inside[where[-1]]
        for wrong in WRONG:
            inside[where[-1]] = wrong
            yield f"{where} is {wrong!r}"
        if isinstance(where[-1], str):
            del inside[where[-1]]
            yield f"{where} is missing"
        inside[where[-1]] = right


@pytest.mark.parametrize("case", OLD_DOCUMENTS)
def test_the_new_schemas_are_as_strict(case: str) -> None:
    name = case.partition("_")[0]
    document = json.loads((HERE / "documents_of_0_1" / f"{case}.json").read_text("utf-8"))
    kinds = {shape_of(where) for where in places(document)}
    document = one_of_each(document, set())
    assert {shape_of(where) for where in places(document)} == kinds
    assert problems(name, document) == []
    refused = [(what, new(name).is_valid(document)) for what in planted(document) if not old(name).is_valid(document)]

    assert refused
    assert [what for what, is_valid in refused if is_valid] == []


def named(part: Any, whole: Any, where: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The fields that a schema names, each with those it is inside of."""
    if "$ref" in part:
        yield from named(whole["$defs"][part["$ref"].removeprefix("#/$defs/")], whole, where)
    for name, field in part.get("properties", {}).items():
        yield (*where, name)
        yield from named(field, whole, (*where, name))
    inside = [part.get("items"), part.get("additionalProperties"), *part.get("anyOf", ()), *part.get("prefixItems", ())]
    for entry in inside:
        if isinstance(entry, dict):
            yield from named(entry, whole, where)


@pytest.mark.parametrize("name", KINDS)
def test_no_field_is_lost(name: str) -> None:
    before, after = old(name).schema, new(name).schema
    known = set(named(before, before))

    assert len(known) > 2
    assert known <= set(named(after, after))


# --- how schemas are made
# ----------------------------------------------------------------------------------------------


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
