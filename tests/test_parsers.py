"""Tables of grammars that are kept: they make the same parser, and are computed anew when they are damaged or cannot be
kept.
"""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from arcproof.process import parsers
from arcproof.process.parsers import parser_of
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.reading import statements
from tests.planting import WAYS, plant

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
    assert isinstance(json.loads(path.read_text().partition("\n")[2]), list)


@pytest.mark.parametrize("content", ["", "[]", "[{}, {}]", '{"a": 1}'])
def test_damaged_tables_are_computed_again(kept: Path, content: str) -> None:
    first = parsed(parser_of(GRAMMAR))
    [path] = kept.iterdir()
    path.write_text(content)

    assert parsed(parser_of(GRAMMAR)) == first
    assert path.read_text() != content


def forged(path: Path) -> None:
    """Tables of another grammar, as if they were of this one; whoever knows the program can write the digest, too."""
    content = path.read_bytes().partition(b"\n")[2].replace(b"[0-9]+", b"[a-z ]+")
    path.write_bytes(parsers._digest(content, path.stem) + b"\n" + content)


def test_tables_of_the_user_are_believed(kept: Path) -> None:
    """What the next test keeps out would have worked."""
    parser_of(GRAMMAR)
    [path] = kept.iterdir()
    forged(path)

    with pytest.raises(UnexpectedInput):
        parsed(parser_of(GRAMMAR))


@pytest.mark.parametrize("how", [*WAYS, "in an open folder"])
def test_planted_tables_are_not_believed(kept: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = parsed(parser_of(GRAMMAR))
    [path] = kept.iterdir()
    forged(path)
    if how == "in an open folder":
        kept.chmod(0o777)
    else:
        plant(path, monkeypatch, how)

    assert parsed(parser_of(GRAMMAR)) == first


@pytest.mark.parametrize(
    "option",
    ["postlex", "transformer", "lexer_callbacks", "tree_class", "regex", "use_bytes", "g_regex_flags", "debug"],
)
def test_tables_do_not_say_what_is_called(kept: Path, option: str) -> None:
    """Even tables that are believed: Lark would call a method of a text or a number if they named one."""
    first = parsed(parser_of(GRAMMAR))
    [path] = kept.iterdir()
    data, memo = json.loads(path.read_bytes().partition(b"\n")[2])
    data["options"][option] = (
        {"NUMBER": "x"} if option == "lexer_callbacks" else 1 if option == "g_regex_flags" else "x"
    )
    content = json.dumps([data, memo]).encode()
    path.write_bytes(parsers._digest(content, path.stem) + b"\n" + content)

    again = parser_of(GRAMMAR)
    assert parsed(again) == first
    assert not getattr(again.options, option)


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


@pytest.mark.long
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
