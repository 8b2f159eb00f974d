"""What the language server knows about a text: problems, meanings, declarations, what may come next, its printed
form.
"""

import random
import re
from pathlib import Path

import pytest

from arcproof.editors.completing import suggestions_at
from arcproof.editors.diagnosis import diagnose_text
from arcproof.editors.formatting import CannotFormat, formatted
from arcproof.editors.meaning import meaning_at, targets_at
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification, Diagnostic
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.printing.reference import doc
from arcproof.transitions.reading.read import read, read_figure
from arcproof.transitions.reading.vocabulary import ADJECTIVES, MEASURES
from tests.editors.test_highlighting import HELPED
from tests.transitions.test_broken_specifications import table

EAGER = source_of("arc-eager")
FIGURE = """\
system mine
  parameter d = 2
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  LEFT-ARC(l)  σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0, |σ| <= d
  SHIFT        σ, i|β    =>  σ|i, β
"""


def place(text: str, mark: str = "¦") -> tuple[str, int, int]:
    """A text without its mark, and the line and column of the mark."""
    at = text.index(mark)
    return text.replace(mark, "", 1), text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def said(text: str) -> str:
    found = meaning_at(*place(text))
    return "" if found is None else found.text


def offered(tail: str, text: str = FIGURE) -> set[str]:
    return {one.word for one in suggestions_at(*place(text + tail)).found}


def pieces(text: str) -> list[str]:
    """What the declarations of the thing at the mark are, cut out of the text."""
    plain, line, column = place(text)
    lines = plain.split("\n")
    found = [one.where for one in targets_at(plain, line, column)]
    return [f"{where.line}: {lines[where.line - 1][where.column - 1 : where.end - 1]}" for where in found]


# --- problems --------------------------------------------------------------------------------------------------------


def test_every_problem_of_the_table_is_found_with_its_place() -> None:
    """As many as are printed, each inside the text."""
    for row in table():
        found = diagnose_text(row.text).diagnostics
        lines = row.text.split("\n")
        printed = re.findall(r"^\w+\.tsys:(\d+):(\d+): (error|warning): ", row.message, flags=re.MULTILINE)

        assert [(str(one.where.line), str(one.where.column), one.severity) for one in found] == printed, row.title
        for one in found:
            assert 1 <= one.where.column < one.where.end <= len(lines[one.where.line - 1]) + 2, row.title


def test_every_reference_that_cannot_be_read_is_found(tmp_path: Path) -> None:
    (tmp_path / "broken.tsys").write_text("system broken\n", encoding="utf-8")
    claims = (
        "  claims\n    equivalent to attardi[e=2]\n    equivalent to broken.tsys\n    like covington[d=x] on trees\n"
    )
    found = diagnose_text(FIGURE + claims, tmp_path / "mine.tsys").diagnostics

    assert [(one.where.line, one.message) for one in found] == [
        (10, "attardi[e=2] cannot be read"),
        (11, "broken.tsys cannot be read"),
        (12, "covington[d=x] cannot be read"),
    ]


def test_a_file_is_looked_for_beside_the_text(tmp_path: Path) -> None:
    (tmp_path / "other.tsys").write_text(EAGER, encoding="utf-8")
    text = FIGURE + "  claims\n    equivalent to other.tsys\n"

    assert diagnose_text(text, tmp_path / "mine.tsys").is_sound
    assert [one.message for one in diagnose_text(text, tmp_path / "elsewhere" / "mine.tsys").diagnostics] == [
        "there is no file other.tsys"
    ]


# --- meanings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EAGER.replace("REDUCE         σ|i, j|β", "RED¦UCE         σ|i, j|β", 1), "REDUCE         σ|i, β    =>  σ, β"),
        (EAGER.replace("default SHIFT", "default SHI¦FT"), "SHIFT          σ, i|β    =>  σ|i, β"),
        (EAGER.replace("cost REDUCE", "cost ¦REDUCE"), "REDUCE drops i"),
        (EAGER.replace("final   β", "final   ¦β"), "buffer β"),
        (EAGER.replace("final   β", "final   ¦β"), "β starts as `[1..n]`"),
        (EAGER.replace("sound        proj", "sound        p¦roj"), ADJECTIVES["projective"]),
        (EAGER.replace("sound  ", "sou¦nd  "), doc(s.Sound)),
        (EAGER.replace("add j -l-> i", "ad¦d j -l-> i", 1), doc(s.AddArc)),
        (EAGER.replace("head(i)", "he¦ad(i)", 1), doc(s.HasHead)),
        (EAGER.replace("exists", "exis¦ts", 1), doc(s.Quantified)),
        (EAGER.replace("gold j -l-> i", "go¦ld j -l-> i", 1), doc(s.GoldArc)),
        (EAGER.replace("<= 2n\n", "<= 2¦n\n", 1), doc(s.Words)),
        (EAGER.replace("exact        goldberg", "exact        ¦goldberg"), doc(s.DynamicOracle)),
        (FIGURE.replace("<= d", "<= ¦d"), "parameter d = 2"),
        (FIGURE.replace("start ", "st¦art "), "the value of each component in the initial configuration"),
        (FIGURE + "  claims\n    complete trees with gap-deg¦ree <= 1\n", MEASURES["gap-degree"]),
        (FIGURE + "  claims\n    complete tr¦ees\n", "*Trees* are forests in which every word has a head"),
        (FIGURE + "  claims\n    equivalent to att¦ardi[d=2]\n", "Attardi 2006"),
    ],
)
def test_hover_says_what_a_construct_means(text: str, expected: str) -> None:
    assert expected in said(text)


@pytest.mark.parametrize("name", ["arc-eager", "covington", "two-planar"])
def test_every_word_of_a_figure_means_something(name: str) -> None:
    text = source_of(name)
    for number, line in enumerate(text.split("\n"), start=1):
        for found in re.finditer(r"[^\W\d_][\w-]*", line.split("--")[0]):
            assert meaning_at(text, number, found.start() + 1) is not None, (line, found[0])


# --- declarations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EAGER.replace("default SHIFT", "default ¦SHIFT"), ["10: SHIFT"]),
        (EAGER.replace("cost LEFT-ARC", "cost LEFT-A¦RC"), ["7: LEFT-ARC"]),
        (EAGER.replace("    REDUCE         σ|i, j|β", "    ¦REDUCE         σ|i, j|β", 1), ["9: REDUCE"]),
        (EAGER.replace("final   β", "final   ¦β"), ["3: β"]),
        (EAGER.replace("final   β = []", "final   be¦ta = []"), ["3: β"]),
        (EAGER.replace("exact        goldberg", "exact        gold¦berg"), ["26: goldberg-nivre"]),
        (FIGURE.replace("<= d", "<= ¦d"), ["2: d"]),
        (FIGURE.replace("if i !=", "if ¦i !="), ["7: i"]),
        (EAGER.replace("gold k -> j", "gold ¦k -> j", 1), ["17: k"]),
        (FIGURE + "  claims\n    #LEFT¦-ARC <= n\n", ["7: LEFT-ARC"]),
        (FIGURE + "  oracle s\n    SH¦IFT  σ, ==\n", ["8: SHIFT"]),
        (EAGER.replace("head(i)", "he¦ad(i)", 1), []),
        (EAGER.replace("<= 2n\n", "<= 2¦n\n", 1), []),
        (EAGER.replace("default SHIFT", "default SHIFT -- ¦SHIFT"), []),
    ],
)
def test_names_lead_to_their_declarations(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


# --- what may come next ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tail", "wanted", "unwanted"),
    [
        ("  state stack σ, ¦", {"stack", "flag"}, {"σ", "if"}),
        ("  MOVE  ¦", {"σ", "β", "true"}, {"add", "gold", "SHIFT"}),
        ("  MOVE  σ, i|β  =>  σ|i, β  ¦", {"add", "remove", "tag", "if"}, {"σ", "head", "sound"}),
        ("  MOVE  σ, i|β  =>  σ|i, β  if no he¦", {"head", "dependent", "i", "d", "σ"}, {"gold", "complete", "mpc"}),
        ("  oracle s\n    LEF¦", {"LEFT-ARC", "SHIFT"}, {"sound", "σ"}),
        ("  oracle s\n    LEFT-ARC(l)  σ|i, j|β  if go¦", {"gold", "complete", "mpc", "i", "j"}, {"add"}),
        ("  oracle ¦", {"none"}, {"SHIFT"}),
        ("  default ¦", {"SHIFT", "LEFT-ARC"}, {"σ", "system"}),
        ("  claims\n    complete pro¦", {"projective", "trees", "non-projective"}, {"gap-degree", "sound"}),
        ("  claims\n    complete trees with ¦", {"gap-degree"}, {"projective", "trees"}),
        ("  claims\n    complete trees with gap-degree <= ¦", {"d", "inf"}, {"projective", "σ"}),
        ("  claims\n    length <= ¦", {"n", "d", "#SHIFT"}, {"σ", "SHIFT"}),
        ("  claims\n    like ¦", {"arc-eager", "swap"}, {"trees"}),
        ("  claims\n    #SH¦", {"#SHIFT"}, {"SHIFT"}),
        ("  dynamic costs\n    cost SHIFT = 0\n  claims\n    exact ¦", {"costs"}, {"arc-eager"}),
        ("  oracle s\n    SHIFT\n  invariant of ¦", {"s"}, {"costs"}),
        ('  note "SH¦', set(), {"SHIFT", "system"}),
        ("  -- SH¦", set(), {"SHIFT", "system"}),
        ("  MOVE => => ¦", set(), {"add"}),
    ],
)  # fmt: skip
def test_words_are_offered_where_they_may_stand(tail: str, wanted: set[str], unwanted: set[str]) -> None:
    found = offered(tail)

    assert wanted <= found
    assert not unwanted & found


def test_what_is_offered_in_a_figure_can_be_read_there() -> None:
    """Cut a figure before every word: the word that stood there is offered, if it is one of the language or
    declared.
    """
    text = (
        FIGURE + "  default SHIFT\n  oracle s\n    LEFT-ARC(l)  σ|i, j|β  if gold j -l-> i, no head(j)\n    SHIFT\n  "
        "claims\n    sound projective forests\n    length <= 2n\n"
    )
    read_figure(text)
    missing = []
    for found in re.finditer(r"(?<![\w-])[^\W\d_][\w-]*", text):
        line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
        words = {one.word for one in suggestions_at(text[: found.start()], line, column).found}
        if found[0] not in words:
            missing.append(found[0])

    new = {"mine", "l", "i", "j", "s", "n", "LEFT-ARC", "SHIFT", "σ", "β", "d"}
    assert set(missing) <= new


# --- the printed form ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_formatting_keeps_the_figure() -> None:
    for name in system_names():
        text = source_of(name)
        printed = formatted(text)
        assert read_figure(printed) == read_figure(text), name
        assert formatted(printed) == printed, name


def test_formatting_refuses_to_lose_a_comment() -> None:
    with pytest.raises(CannotFormat, match="the comment in line 5 would be lost"):
        formatted(FIGURE.replace("final   β = []", "final   β = []  -- all read"))
    assert formatted(FIGURE.replace("  parameter", '  note "no -- comment"\n  parameter'))


# --- whatever the text is --------------------------------------------------------------------------------------------


def test_no_text_makes_anything_fail() -> None:
    """Figures with pieces cut out, doubled and replaced; every request at random places."""
    chosen = random.Random(7)
    for _ in range(60):
        text = chosen.choice((EAGER, HELPED, FIGURE))
        for _ in range(chosen.randint(1, 4)):
            first, second = sorted(chosen.randrange(len(text) + 1) for _ in range(2))
            second = min(second, first + 40)
            put = chosen.choice(("", text[first:second] * 2, "\r\n#{|", "\ud800"))
            text = text[:first] + put + text[second:]
        for _ in range(10):
            line, column = chosen.randrange(1, text.count("\n") + 3), chosen.randrange(1, 90)
            meaning_at(text, line, column)
            targets_at(text, line, column)
            suggestions_at(text, line, column)
        assert all(one.where.line >= 1 for one in problems(text))


def problems(text: str) -> tuple[Diagnostic, ...]:
    """What reading alone finds."""
    try:
        return read(text).warnings
    except BadSpecification as error:
        return error.diagnostics
