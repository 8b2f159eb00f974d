"""Tables of grammars that are kept: they make the same parser, and are computed anew when they are damaged or cannot be kept."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.reading import statements
from lark import Lark
from lark.exceptions import UnexpectedInput

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


def outcome(parser: Lark, text: str, rule: str) -> object:
    """The tree with its tokens, or what was expected and where."""
    try:
        tree = parser.parse(text, start=rule)
    except UnexpectedInput as error:
        expected = getattr(error, "allowed", None) or getattr(error, "expected", None) or ()
        return type(error).__name__, error.pos_in_stream, sorted(expected)
    return tree, [(token.type, token.value, token.line, token.column) for token in tree.scan_values(bool)]


def test_figures_are_read_as_lark_reads_them(kept: Path) -> None:
    grammar = files("arcproof.transitions.reading").joinpath("grammar.lark").read_text(encoding="utf-8")
    options = {"start": list(statements.FORMS), "maybe_placeholders": True}
    plain = Lark(grammar, parser="lalr", propagate_positions=True, **options)
    first, again = parser_of(grammar, **options), parser_of(grammar, **options)

    assert len(list(kept.iterdir())) == 1
    assert first is not again
    for name in system_names():
        for item in statements.statements(source_of(name)):
            assert isinstance(item, statements.Statement)
            line = source_of(name).splitlines()[item.where.line - 1]
            for text in (line, line[: len(line) // 2], line.replace(" ", " ;", 3), line[::-1]):
                expected = outcome(plain, text, item.rule)
                assert outcome(first, text, item.rule) == expected
                assert outcome(again, text, item.rule) == expected
