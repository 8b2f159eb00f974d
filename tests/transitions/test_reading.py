"""Reading and printing figures: the text is one of many, the tree is one."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.reading.spelling import ascii_name, canonical
from tests.transitions.random_figures import Names, conditions, figures, polynomials

TEXTS = {name: source_of(name) for name in system_names()}
PLAIN = (Path(__file__).parent / "plain.tsys").read_text(encoding="utf-8")

every_text = pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TEXTS.items()])


@every_text
def test_what_is_printed_is_read_as_the_same_tree(text: str) -> None:
    figure = read_figure(text)
    printed = to_source(figure)

    assert read_figure(printed) == figure
    assert to_source(read_figure(printed)) == printed


# --- spellings -------------------------------------------------------------------------------------------------------


def outside_quotes(text: str) -> Iterator[tuple[bool, str]]:
    """The pieces of a text, and whether they are outside quotation marks."""
    for index, piece in enumerate(re.split('("[^"\n]*")', text)):
        yield index % 2 == 0, piece


def in_ascii(text: str) -> str:
    pieces = []
    for outside, piece in outside_quotes(text):
        if outside:
            piece = re.sub("[Ͱ-Ͽ]", lambda letter: ascii_name(letter[0]), piece)
            piece = piece.replace("·", ".").replace("∞", "inf").replace("²", "^2")
        pieces.append(piece)
    return "".join(pieces)


SIGNS = {
    "=>": "⇒", "<->*": "↔*", "->*": "→*", "->": "→", "!=": "≠", "<=": "≤", ">=": "≥", "<G": "<_G", "inf": "∞", "n^2": "n²",
}  # fmt: skip
WORDS = {"exists": "∃", "all": "∀", "not": "¬", "no": "¬", "in": "∈", "and": "∧", "or": "∨"}


def in_signs(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        if '"' in line:
            lines.append(line)
            continue
        for sign, other in SIGNS.items():
            line = line.replace(sign, other)
        if re.search(r"\bif\b|^ *final", line):
            line = re.sub(rf"\b({'|'.join(WORDS)})\b", lambda word: WORDS[word[0]], line)
        lines.append(line)
    return "\n".join(lines)


@every_text
def test_ascii_spelling_gives_the_same_tree(text: str) -> None:
    spelled = in_ascii(text)

    assert all(piece.isascii() for outside, piece in outside_quotes(spelled) if outside)
    assert read_figure(spelled) == read_figure(text)


@every_text
def test_the_signs_of_the_papers_give_the_same_tree(text: str) -> None:
    spelled = in_signs(text)

    assert "⇒" in spelled
    assert read_figure(spelled) == read_figure(text)


def test_every_greek_letter_has_one_name_in_both_spellings() -> None:
    for letter in "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ":
        for rest in ("", "1", "'", "12''"):
            assert canonical(ascii_name(letter) + rest) == letter + rest == canonical(letter + rest)


def test_a_label_may_be_greek_in_both_spellings() -> None:
    """`-λ->` could be printed but not read."""
    spelled = PLAIN.replace("(l)", "(lambda)").replace("-l->", "-lambda->")
    figure = read_figure(spelled)

    assert figure.rules[0].label == "λ"
    assert figure == read_figure(to_source(figure)) == read_figure(spelled.replace("lambda", "λ"))


def test_blanks_do_not_matter_where_words_stay_apart() -> None:
    dense = "\n".join(
        line if '"' in line else re.sub(r" *(=>|[|,=<>+:()\[\]·]|!=|<=) *", r"\1", line) for line in PLAIN.split("\n")
    )

    assert dense != PLAIN
    assert read_figure(dense) == read_figure(PLAIN)


# --- comments, continuation lines, order -----------------------------------------------------------------------------


@every_text
def test_statements_may_continue_on_the_next_line(text: str) -> None:
    broken = "".join(
        re.sub(r" (=>|add|remove|if|and|or)\b|, ", lambda sign: f"\n\n -- a comment\n  {sign[0]}", piece)
        if outside
        else piece
        for outside, piece in outside_quotes(text)
    )

    assert 2 * broken.count("\n") > 3 * text.count("\n")
    assert read_figure(broken) == read_figure(text)


def blocks(text: str) -> list[str]:
    """Declarations one by one; `final` with the transitions behind it; all oracles; the claims."""
    found: list[str] = []
    for line in filter(str.strip, text.split("\n")):
        word = line.split()[0]
        alone = word in (
            "system",
            "cite",
            "note",
            "parameter",
            "shared",
            "state",
            "start",
            "final",
            "default",
            "claims",
        )
        first_oracle = word == "oracle" and not any(block.split()[0] == "oracle" for block in found)
        first_note = word != "note" or not found[-1].startswith("  note")
        if (alone and first_note) or first_oracle:
            found.append(line)
        else:
            found[-1] += "\n" + line
    return found


@pytest.mark.long
@every_text
def test_the_order_of_the_parts_does_not_matter(text: str) -> None:
    figure = read_figure(text)
    parts = blocks(text)
    shuffled = random.Random(0)
    for _ in range(4):
        shuffled.shuffle(parts)
        again = read_figure("\n".join(parts))
        assert again == figure


def test_lines_and_columns_are_those_of_the_file_in_continuation_lines() -> None:
    text = PLAIN.replace("=>  σ|i, β\n", "\n  -- to the stack\n      =>  σ|k,\tβ\n")
    with pytest.raises(BadSpecification) as caught:
        read_figure(text)
    (diagnostic,) = caught.value.diagnostics

    assert (diagnostic.where.line, diagnostic.where.column) == (12, 13)


# --- random trees ----------------------------------------------------------------------------------------------------


@pytest.mark.long
@settings(max_examples=15)
@given(figures())
def test_a_random_figure_is_read_as_it_was_printed(figure: s.Figure) -> None:
    assert read_figure(to_source(figure)) == figure


@pytest.mark.nightly
@settings(max_examples=1500)
@given(figures())
def test_many_random_figures_are_read_as_they_were_printed(figure: s.Figure) -> None:
    assert read_figure(to_source(figure)) == figure


IN_ORACLE = Names(("i", "j"), ("σ", "β"), oracle=True)
BASE = read_figure(PLAIN)
PARAMETERS = (s.ParameterDeclaration("d", s.Number(1)), s.ParameterDeclaration("max", s.Number(2)))
BOTH_USED = s.Claim(s.SpaceBound("<=", s.Arithmetic("+", s.Parameter("d"), s.Parameter("max"))))


def with_parts(condition: s.Condition, bound: s.Term) -> s.Figure:
    """The plain figure with a condition in its oracle and a bound in its claims."""
    first, *others = BASE.oracles[0].lines
    line = s.OracleLine(first.transition, first.label, first.pattern, (*first.conditions, condition))
    return s.Figure(
        BASE.name,
        BASE.cite,
        BASE.notes,
        PARAMETERS,
        BASE.shared,
        BASE.state,
        BASE.start,
        BASE.final,
        BASE.rules,
        BASE.default,
        (s.Oracle("late", (line, *others)),),
        (BOTH_USED, s.Claim(s.LengthBound("=", bound))),
    )


@pytest.mark.long
@settings(max_examples=60)
@given(conditions(IN_ORACLE, 3), polynomials(("SHIFT", "LEFT-ARC")))
def test_conditions_and_bounds_are_read_as_they_were_printed(condition: s.Condition, bound: s.Term) -> None:
    figure = with_parts(condition, bound)

    assert read_figure(to_source(figure)) == figure


HEAD_I, HEAD_J = s.HasHead(s.Variable("i")), s.HasHead(s.Variable("j"))
SOME = s.Quantified("exists", "k", s.SequenceOf((s.Segment("σ"),)), s.HasHead(s.Variable("k")))
N, TWO = s.Words(), s.Number(2)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (s.Or((s.And((HEAD_I, HEAD_J)), SOME)), "head(i) and head(j) or exists k in σ: head(k)"),
        (s.And((s.Or((HEAD_I, HEAD_J)), HEAD_I)), "(head(i) or head(j)) and head(i)"),
        (s.Or((s.Or((HEAD_I, HEAD_J)), HEAD_I)), "(head(i) or head(j)) or head(i)"),
        (s.And((HEAD_I, s.And((HEAD_J, HEAD_I)))), "head(i) and (head(j) and head(i))"),
        (s.And((SOME, HEAD_I)), "(exists k in σ: head(k)) and head(i)"),
        (s.Or((s.Not(SOME), HEAD_I)), "(not exists k in σ: head(k)) or head(i)"),
        (s.Or((s.And((HEAD_I, SOME)), HEAD_J)), "(head(i) and exists k in σ: head(k)) or head(j)"),
        (s.Not(s.And((HEAD_I, HEAD_J))), "not (head(i) and head(j))"),
        (s.Not(s.Not(HEAD_I)), "not no head(i)"),
        (s.Not(s.Comparison((s.Variable("i"), s.Number(0)), ("=",))), "not i = 0"),
        (s.And((s.Not(HEAD_I), HEAD_J)), "no head(i) and head(j)"),
        (s.Not(s.InSequence(s.Variable("i"), s.SequenceOf((s.Segment("β"),)))), "i not in β"),
        (s.InSequence(s.Variable("i"), s.SequenceOf((s.Cell("j"),))), "i in [j]"),
    ],
)  # fmt: skip
def test_parentheses_stand_where_they_are_needed(condition: s.Condition, text: str) -> None:
    figure = with_parts(condition, N)

    assert f"  if gold j -l-> i, {text}\n" in to_source(figure)
    assert read_figure(to_source(figure)) == figure


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (s.Arithmetic("/", s.Arithmetic("*", N, s.Arithmetic("-", N, s.Number(1))), TWO), "n(n - 1)/2"),
        (s.Arithmetic("*", N, s.Arithmetic("/", s.Arithmetic("-", N, s.Number(1)), TWO)), "n((n - 1)/2)"),
        (s.Arithmetic("+", s.Arithmetic("*", TWO, N), s.Number(1)), "2n + 1"),
        (s.Arithmetic("*", TWO, s.Arithmetic("+", N, s.Number(1))), "2(n + 1)"),
        (s.Arithmetic("-", N, s.Arithmetic("-", N, TWO)), "n - (n - 2)"),
        (s.Arithmetic("-", s.Arithmetic("-", N, N), TWO), "n - n - 2"),
        (s.Arithmetic("^", s.Arithmetic("^", N, TWO), TWO), "(n^2)^2"),
        (s.Arithmetic("*", TWO, s.Arithmetic("^", N, TWO)), "2 * n^2"),
        (s.Arithmetic("^", s.Arithmetic("*", TWO, N), TWO), "(2n)^2"),
        (s.Arithmetic("*", N, s.Arithmetic("*", N, N)), "n(n * n)"),
        (s.Arithmetic("*", TWO, s.Count("SHIFT")), "2 #SHIFT"),
        (s.Arithmetic("-", s.Count("LEFT-ARC"), TWO), "#LEFT-ARC - 2"),
        (s.Arithmetic("*", TWO, s.Parameter("d")), "2d"),
    ],
)  # fmt: skip
def test_bounds_are_printed_as_papers_print_them(bound: s.Term, text: str) -> None:
    figure = with_parts(HEAD_I, bound)

    assert f"    length = {text}\n" in to_source(figure)
    assert read_figure(to_source(figure)) == figure


# --- mutations -------------------------------------------------------------------------------------------------------
