"""The TextMate grammar and the Pygments lexer: every figure of the repository without a mistake, planted mistakes as
such.
"""

import json
import re
from functools import cache
from typing import Any

import pytest
from pygments.token import Error

from arcproof.editors import textmate
from arcproof.editors.highlighting import contexts
from arcproof.editors.pygments_lexer import ArcproofLexer
from arcproof.transitions.library import source_of, system_names
from tests.conftest import ROOT

VSCODE = ROOT / "editors" / "vscode"
GRAMMAR = VSCODE / "syntaxes" / "arcproof.tmLanguage.json"
OTHERS = sorted(path for folder in ("arcproof", "benchmarks", "tests") for path in (ROOT / folder).rglob("*.tsys"))
FIGURES = {
    **{name: source_of(name) for name in system_names()},
    **{path.name: path.read_text("utf-8") for path in OTHERS},
}
HELPED = """\
system helped  -- a comment "with quotation marks"
  note    "two -- dashes"
  parameter d = ∞
  state   stack σ, list λ1 head left, buffer β, flag e, counter k, set U
  start   [0], [], [1..n], true, 0, {}
  root    none
  final   β = [], not e
  invariant all i in σ: no head(i) ∧ ∃ j ∈ β: i ->* j
  invariant of static: all i in σ: complete(i)
  measure V = 2|β| + |A| - n²
  lemma "a title": forall x: x in σ => node(x)
    using "another"

  LEFT-ARC(l)  σ|i, λ1, j|β, _, k, U
    => σ, λ1·i, j|β, (β = []), k + 1, U + i - j
    add j -l-> i
    remove * → j
    if i <G j, degree(i, j) <= d
  TAG(p)  σ, λ1, i|β, e, k, U  =>  σ|i, λ1, β, e, k, {}  tag i p
  default TAG

  oracle static
    LEFT-ARC(l)  σ|i, λ1, j|β, _, _, _  if gold j -l-> i
    TAG(p)       σ, λ1, i|β, _, _, _    if gold tag i p
  dynamic exactly
    cost LEFT-ARC(l)  σ|s, λ1, b|β, _, _, _  = #{k in b|β: gold s -> k} + [gold head(s) in β] - 1
    loss tabular(σ, β)

  claims
    #LEFT-ARC <= n(n - 1)/2
    not complete well-nested trees with gap-degree <= d and edge-degree-2007 <= 1, witness 2,3,5,0,4,0,1
    published complete acyclic graphs with heads <= ∞, refuted, witness 0>1 2>1
    like other.tsys on projective trees
    equivalent to attardi[d=2]
    never stuck exactly on 1-endpoint-crossing-words trees  -- "why?"
    weakly incremental
    no dead ends
  measure W = |β|
"""
WRONG = {
    "a foreign sign": ("if head(i)", "if head(i) & head(i)", "&"),
    "a second equals sign": ("final   β = []", "final   β == []; x", ";"),
    "another script": ("σ|i, β", "σ|ж, β", "ж"),
    "an unclosed quotation mark": ('cite    "Nivre', "cite    “Nivre", "“"),
    "a class that does not exist": ("complete     projective forests", "complete     projectiv forests", "projectiv"),
    "a claim that does not exist": ("incremental", "incrementel", "incrementel"),
    "a sign in a bound": ("<= 2n\n", "<= 2n $\n", "$"),
}


def scopes(text: str) -> list[tuple[str, str]]:
    """Each piece of a text that is not blank, with the innermost scope that the grammar gives it, by the engine of the
    editor babi.
    """
    from babi.highlight import highlight_line

    compiler = grammars().compiler_for_scope(textmate.SCOPE)
    state, found = compiler.root_state, []
    for number, line in enumerate(text.splitlines(keepends=True)):
        state, regions = highlight_line(compiler, state, line, first_line=number == 0)
        pieces = [(line[region.start : region.end], region.scope[-1]) for region in regions]
        found += [(piece, scope.removesuffix(".arcproof")) for piece, scope in pieces if piece.strip()]
    return found


@cache
def grammars() -> Any:
    from babi.highlight import Grammars

    made = Grammars()
    made._scope_to_files[textmate.SCOPE] = str(GRAMMAR)
    return made


def invalid(text: str) -> list[str]:
    return [piece for piece, scope in scopes(text) if scope == "invalid.illegal"]


def errors(text: str) -> list[str]:
    return [piece for kind, piece in ArcproofLexer().get_tokens(text) if kind is Error]


# --- both ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_highlighted_without_a_mistake(name: str) -> None:
    text = FIGURES[name]

    assert invalid(text) == []
    assert errors(text) == []
    assert "".join(piece for _, piece in ArcproofLexer(stripnl=False, ensurenl=False).get_tokens(text)) == text


def test_every_construct_is_highlighted_without_a_mistake() -> None:
    assert invalid(HELPED) == []
    assert errors(HELPED) == []


@pytest.mark.parametrize("what", WRONG)
def test_a_planted_mistake_is_invalid(what: str) -> None:
    old, new, wrong = WRONG[what]
    text = source_of("arc-eager").replace(old, new, 1)

    assert text != source_of("arc-eager")
    assert wrong in invalid(text)
    assert wrong in errors(text)


def test_the_two_agree_on_every_piece() -> None:
    """They are made of the same rules, but by different engines: one line by line, one not."""
    token_of_scope = {}
    for text in (*FIGURES.values(), HELPED):
        pieces = scopes(text)
        tokens = [(piece, kind) for kind, piece in ArcproofLexer().get_tokens(text) if piece.strip()]
        assert [piece.strip() for piece, _ in pieces if piece.strip()] == [piece.strip() for piece, _ in tokens]
        for (_, scope), (piece, kind) in zip(pieces, tokens, strict=True):
            assert token_of_scope.setdefault(scope, kind) == kind, piece


def test_words_have_the_expected_scopes() -> None:
    found = set(scopes(HELPED))

    assert found >= {
        ("system", "keyword.control"),
        ("helped", "entity.name.type"),
        ("stack", "storage.type"),
        ("σ", "variable.other.sequence"),
        ("LEFT-ARC", "entity.name.function.transition"),
        ("#LEFT-ARC", "entity.name.function.transition"),
        ("l", "variable.parameter.label"),
        ("i", "variable.other.node"),
        ("add", "keyword.other"),
        ("head", "support.function"),
        ("head", "keyword.other"),
        ("complete", "support.function"),
        ("complete", "keyword.other.claim"),
        ("gap-degree", "support.class"),
        ("∃", "keyword.operator.word"),
        ("∞", "constant.language"),
        ("true", "constant.language"),
        ('"two -- dashes"', "string.quoted.double"),
        ('-- "why?"', "comment.line.double-dash"),
        ("none", "keyword.other"),
        ("forall", "keyword.other"),
        ("other.tsys", "entity.name.type"),
        ("2,3,5,0,4,0,1", "constant.numeric"),
        ("measure", "keyword.control"),
    }


# --- the words come from the language --------------------------------------------------------------------------------


def test_the_grammar_file_is_current() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == textmate.text(), "make docs"


def test_no_pattern_looks_beyond_its_line() -> None:
    for context in contexts().values():
        for pattern in context.patterns:
            assert "\\s*" not in pattern.regex
            re.compile(pattern.regex)


# --- where they are found --------------------------------------------------------------------------------------------


def test_the_extension_names_what_is_there() -> None:
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    [language], [grammar] = package["contributes"]["languages"], package["contributes"]["grammars"]

    assert language["extensions"] == [".tsys"]
    assert (VSCODE / language["configuration"]).is_file()
    assert (grammar["language"], grammar["scopeName"]) == (language["id"], textmate.SCOPE)
    assert (VSCODE / grammar["path"]).resolve() == GRAMMAR
    assert (VSCODE / package["main"]).is_file()
    settings = json.loads((VSCODE / language["configuration"]).read_text(encoding="utf-8"))
    assert settings["comments"] == {"lineComment": "--"}
    assert re.fullmatch(settings["wordPattern"], "LEFT-ARC")
    assert '"lsp"' in (VSCODE / package["main"]).read_text(encoding="utf-8")
    assert set(package["contributes"]["configuration"]["properties"]) == {"arcproof.command"}
