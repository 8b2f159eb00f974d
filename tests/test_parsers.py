"""Tables of grammars that are kept: they make the same parser, and are computed anew when they are damaged or cannot be kept."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.reading import statements
from lark import Lark

from arcproof.process.parsers import parser_of

GRAMMAR = """start: "a" NUMBER+
NUMBER: /[0-9]+/
%ignore " "
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path))
    return tmp_path / "grammars"


def parsed(parser: Lark) -> str:
    return parser.parse("a 1 23").pretty()


def test_tables_are_used_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = parsed(parser_of(GRAMMAR))
    [path] = kept.iterdir()
    monkeypatch.setattr("arcproof.process.parsers.Lark.__init__", lambda *_, **__: pytest.fail("computed again"))

    assert parsed(parser_of(GRAMMAR)) == first
    assert isinstance(json.loads(path.read_text()), list)


@pytest.mark.parametrize("content", ["", "[]", "[{}, {}]", '{"a": 1}'])
def test_damaged_tables_are_computed_again(kept: Path, content: str) -> None:
    first = parsed(parser_of(GRAMMAR))
    [path] = kept.iterdir()
    path.write_text(content)

    assert parsed(parser_of(GRAMMAR)) == first
    assert path.read_text() != content


def test_another_grammar_has_other_tables(kept: Path) -> None:
    parser_of(GRAMMAR)
    parser_of(GRAMMAR.replace("NUMBER+", "NUMBER*"))
    assert len(list(kept.iterdir())) == 2


def test_without_a_cache_tables_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcproof.process.parsers.cache_folder", lambda _: None)
    assert parsed(parser_of(GRAMMAR)).startswith("start")


def test_kept_tables_read_figures_alike(kept: Path) -> None:
    grammar = files("arcproof.transitions.reading").joinpath("grammar.lark").read_text(encoding="utf-8")
    options = {"start": list(statements.FORMS), "maybe_placeholders": True}
    computed = parser_of(grammar, **options)
    again = parser_of(grammar, **options)

    assert len(list(kept.iterdir())) == 1
    assert computed is not again
    for name in system_names():
        for item in statements.statements(source_of(name)):
            assert isinstance(item, statements.Statement)
            text = "\n" * (item.where.line - 1) + source_of(name).splitlines()[item.where.line - 1]
            try:
                expected = computed.parse(text, start=item.rule)
            except Exception:  # a statement of several lines
                continue
            assert again.parse(text, start=item.rule) == expected
