"""What a user is told about a broken specification, word for word.

The table is `broken_specifications.txt`: what is changed in `plain.tsys` or `rich.tsys`, and the whole message.
Behind it stand the specifications that only look broken, and files that are no specifications at all.
"""

import os
import random
import re
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from arcproof.transitions.errors import BadSpecification, UnreadableFile
from arcproof.transitions.reading.read import MOST_DIAGNOSTICS, read, read_figure, read_text, render
from arcproof.transitions.system import load

HERE = Path(__file__).parent
PLAIN = (HERE / "plain.tsys").read_text(encoding="utf-8")
RICH = (HERE / "rich.tsys").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Broken:
    """A specification with a mistake, and what is said about it."""

    title: str
    text: str
    source: str
    message: str


def table() -> list[Broken]:
    _, *blocks = re.split("^=== ", (HERE / "broken_specifications.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [broken(block.rstrip("\n").split("\n")) for block in blocks]


def broken(block: list[str]) -> Broken:
    title, *lines = block
    changes = [line for line in lines if line.startswith(("- ", "+ "))]
    message = lines[len(changes) :]
    source = message[0].split(":")[0]
    return Broken(title, changed(HERE / source, changes), source, "\n".join(message))


def changed(path: Path, changes: list[str]) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    place = 0
    for change in changes:
        if change.startswith("- "):
            place = lines.index(change[2:], place)
            del lines[place]
        else:
            lines.insert(place, change[2:])
            place += 1
    return "\n".join(lines)


def complaint(text: str, source: str = "<text>") -> str:
    with pytest.raises(BadSpecification) as caught:
        read_figure(text, source)
    return str(caught.value)


def said(text: str, source: str) -> str:
    try:
        return render(read(text, source).warnings, text, source)
    except BadSpecification as error:
        return str(error)


def replaced(old: str, *new: str, base: str = PLAIN) -> str:
    assert base.count(old) == 1
    return base.replace(old, "\n".join(new))


SHIFT = "  SHIFT          σ, i|β    =>  σ|i, β\n"


@pytest.mark.parametrize("row", [pytest.param(row, id=row.title) for row in table()])
def test_the_message_is_this_and_nothing_else(row: Broken) -> None:
    assert row.message == said(row.text, row.source)


def test_a_figure_is_read_whatever_names_its_oracle_does_not_use() -> None:
    text = replaced("exists k in σ: gold k -> j or gold j -> k", "exists k in σ: gold i -> i")
    reading = read(text)
    assert [(warning.message, warning.severity) for warning in reading.warnings] == [
        ("j is not used", "warning"),
        ("k is not used", "warning"),
    ]
    assert reading.figure == read_figure(text)
    assert not read(PLAIN).warnings
    assert not read(RICH).warnings


def test_warnings_stand_beside_mistakes() -> None:
    text = replaced("exists k in σ: gold k -> j or gold j -> k", "head(x)")
    assert [line.split(": ")[1] for line in complaint(text).split("\n") if line.startswith("<text>")] == [
        "warning",
        "error",
    ]


def test_the_table_is_long_and_says_nothing_twice() -> None:
    rows = table()

    assert len(rows) >= 45
    assert len({row.title for row in rows}) == len(rows)
    assert len({row.text for row in rows}) == len(rows)


def test_the_specifications_that_are_broken_are_right_to_begin_with() -> None:
    assert read_figure(PLAIN).name == "plain"
    assert read_figure(RICH).name == "rich"


def test_the_error_carries_the_diagnostics_in_the_order_of_the_file() -> None:
    text = replaced("projective forests\n    length", "projectiv forests\n    length").replace("β = []", "γ = []")
    with pytest.raises(BadSpecification) as caught:
        read_figure(text)

    assert [(d.where.line, d.where.column, d.message) for d in caught.value.diagnostics] == [
        (5, 11, "unknown component γ"),
        (22, 18, "unknown class projectiv"),
    ]


# --- what only looks like a mistake ----------------------------------------------------------------------------------


def test_shared_makes_a_node_in_two_sequences_legal() -> None:
    text = replaced(SHIFT, "  shared", SHIFT.replace("=>  σ|i, β", "=>  σ|i, i|β"))

    assert read_figure(text).shared


def test_shared_makes_a_node_that_starts_in_two_sequences_legal() -> None:
    assert read_figure(replaced("  start   [0], [1..n]", "  shared", "  start   [0], [0..n]")).shared


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[], i|β => [i], β", "σ|j, i|β => σ|j|i, β"),
        ("σ, [i] => σ|i, []", "σ, i|j|β => σ|i, j|β"),
        ("[k|j], i|β => [k|j|i], β", "[j], i|β => [j|i], β"),
        ("σ, i|β => σ|i, β  if head(i)", "σ, j|β => σ|j, β  if no head(j)"),
        ("σ, i|β => σ|i, β  if i = 0", "σ, j|β => σ|j, β  if j != 0"),
        ("σ|k, i|β => σ|k|i, β  if k < i", "σ|j, i|β => σ|j|i, β  if j >= i"),
        ("σ|k, i|β => σ|k|i, β  if not k ->* i", "σ|j, i|β => σ|j|i, β  if j ->* i, head(i)"),
        ("σ, i|β => σ|i, β  if head(i) or σ = []", "σ, j|β => σ|j, β  if not head(j), σ != []"),
        ("σ, i|β => σ|i, β  if β = []", "σ, i|j|β => σ|i, j|β"),
        ("[], i|β => [i], β", "σ, i|β => σ|i, β  if σ != []"),
        ("σ, i|β => σ|i, β  if |σ| < 2", "σ, j|β => σ|j, β  if |σ| >= 2"),
        ("σ, i|β => σ|i, β  if exists k in σ: head(k)", "σ, j|β => σ|j, β  if not exists k in σ: head(k)"),
    ],
)  # fmt: skip
def test_cases_that_exclude_each_other_are_accepted(first: str, second: str) -> None:
    figure = read_figure(replaced(SHIFT, f"  SHIFT {first}", f"  SHIFT {second}", ""))

    assert len(figure.transitions()["SHIFT"]) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("σ, j|β, true, k, U => σ|j, β, true, k, U", "σ, j|β, false, k, U => σ|j, β, true, k, U"),
        ("σ, j|β, e, k, U => σ|j, β, true, k, U  if e", "σ, j|β, false, k, U => σ|j, β, true, k, U"),
        ("σ, j|β, f, k, U => σ|j, β, true, k, U  if f", "σ, j|β, e, k, U => σ|j, β, true, k, U  if not e"),
        ("σ, j|β, e, 0, U => σ|j, β, e, 1, U", "σ, j|β, e, 1, U => σ|j, β, e, 0, U"),
        ("σ, j|β, e, 0, U => σ|j, β, e, 1, U", "σ, j|β, e, k, U => σ|j, β, e, 0, U  if k > 0"),
        ("σ, j|β, e, m, U => σ|j, β, e, m, U  if m != 2", "σ, j|β, e, 2, U => σ|j, β, e, 0, U"),
        ("σ, j|β, e, k, U => σ|j, β, e, k, U  if j in U", "σ, i|β, e, k, V => σ|i, β, e, k, V  if i not in V"),
        (
            "σ|x|τ, j|β, e, k, U => σ|j, β, e, k, U  if head(x)",
            "σ|y|υ, j|β, e, k, U => σ|j, β, e, k, U  if no head(y)",
        ),
    ],
)  # fmt: skip
def test_cases_told_apart_by_flag_counter_set_or_run_are_accepted(first: str, second: str) -> None:
    old = "  SHIFT      σ, j|β, false, _, U  =>  σ|j, β, (β = []), 0, U\n"
    text = replaced(old, f"  SHIFT {first}", f"  SHIFT {second}", "", base=RICH)
    figure = read_figure(text[: text.index("  oracle")])

    assert len(figure.transitions()["SHIFT"]) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("σ, i|β => σ|i, β", "σ, i|β => σ|i, β"),
        ("σ, i|β => σ|i, β  if β = []", "σ, i|β => σ|i, β"),
        ("[], i|β => [i], β", "σ, i|β => σ|i, β  if β != []"),
        ("σ|k|j, i|β => σ|k|j|i, β  if head(j)", "σ|j|k, i|β => σ|j|k|i, β  if no head(j)"),
        ("i|σ|j, β => σ|i|j, β  if head(i)", "k|i|σ|j, β => σ|i|j|k, β  if no head(i)"),
        ("σ, i|β => σ|i, β  if |σ| < 2", "σ, j|β => σ|j, β  if |β| >= 2"),
        ("σ, i|β => σ|i, β  if head(i) or i != 0", "σ, j|β => σ|j, β  if not head(j)"),
    ],
)  # fmt: skip
def test_cases_that_do_not_exclude_each_other_overlap(first: str, second: str) -> None:
    text = replaced(SHIFT, f"  SHIFT {first}", f"  SHIFT {second}", "")

    assert complaint(text).split("\n")[0] == "<text>:11:3: error: two cases of SHIFT overlap"


def test_a_rule_may_name_a_node_that_it_only_drops() -> None:
    assert read_figure(replaced("=>  σ, β       if head(i)", "=>  σ, β")).name == "plain"


def test_a_component_may_be_called_by_its_own_name_where_it_is_not_used() -> None:
    text = replaced(
        "σ, j|β, false, _, U  =>  σ|j, β, (β = []), 0, U", "σ, j|β, e, k, U => σ|j, β, true, 0, {}", base=RICH
    )

    assert read_figure(text).name == "rich"


# --- lines that are too long, too many, too deep ---------------------------------------------------------------------


def first_line(text: str) -> str:
    return complaint(text).split("\n")[0]


def help_line(text: str) -> str:
    return complaint(text).split("\n")[-1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if head(i)\n", "if " + "not " * 200 + "head(i)\n"),
        ("if head(i)\n", "if " + "(" * 200 + "head(i)" + ")" * 200 + "\n"),
        ("if head(i)\n", "if |σ|" + " + 1" * 200 + " < 9\n"),
        ("if head(i)\n", "if " + "".join(f"exists x{k} in σ: " for k in range(60)) + "head(i)\n"),
        ("<= 2n\n", "<= " + "n " * 900 + "\n"),
        ("<= 2n\n", "<= n" + " + n" * 400 + "\n"),
        ("<= 2n\n", "<= " + "(" * 200 + "n" + ")^2" * 200 + "\n"),
    ],
)
def test_a_statement_that_is_nested_too_deeply(old: str, new: str) -> None:
    """Products without a sign between their factors used to end in a RecursionError."""
    text = replaced(old, new)

    assert first_line(text).endswith(": error: the statement is nested too deeply")
    assert help_line(text) == "  help: at most 50 levels are read"


def test_a_long_line_is_cut_around_the_caret() -> None:
    text = replaced("if head(i)\n", "if " + "head(i), " * 60 + "head(k), " + "head(i), " * 60 + "head(i)\n")
    where, line, caret, _ = complaint(text).split("\n")

    assert where == "<text>:9:591: error: k is not bound"
    assert line.startswith("  9 | …")
    assert line.endswith("…")
    assert line[caret.index("^")] == "k"


def test_the_number_of_mistakes_shown_is_limited() -> None:
    text = replaced(SHIFT, *(f"  SHIFT{k}  σ, i|β  =>  σ|k, β" for k in range(30)), SHIFT)
    shown = complaint(text, "f")

    assert shown.count(": error: ") == MOST_DIAGNOSTICS
    assert shown.endswith("\nf: and 10 more")


LONG = {
    "conditions": ("if head(i)\n", "if " + "no head(i), " * 150 + "head(i)\n"),
    "alternatives": ("if head(i)\n", "if " + "no head(i) or " * 130 + "head(i)\n"),
    "comparisons": ("if head(i)\n", "if i " + "< j " * 400 + "\n"),
    "sums": ("<= 2n\n", "<= n" + " + n" * 400 + "\n"),
    "quantifiers": ("if head(i)\n", "if " + "exists k in σ: head(k), " * 40 + "head(i)\n"),
}


@pytest.mark.parametrize("what", LONG)
def test_too_much_text_is_refused_quickly(what: str) -> None:
    """Half a million characters that are each in order took half a minute to be refused for their number of
    statements.
    """
    old, new = LONG[what]
    line = next(line for line in replaced(old, new).splitlines(keepends=True) if len(line) > 500)
    for text in (PLAIN + line * 600, PLAIN + line * 40):
        began = time.process_time()
        shown = complaint(text, "f.tsys")
        assert time.process_time() - began < 1
        assert re.fullmatch(
            r"f\.tsys: (more than (100000 characters|500 statements)|statements of more than 30000 characters); "
            r"no figure is that long",
            shown,
        )


@pytest.mark.parametrize("code", [0xD800, 0xDFFF, 0xDC80])
def test_half_a_character_is_named_with_its_place(code: int) -> None:
    """Only a text in a program can have one: a file that has is not UTF-8.  It was a UnicodeEncodeError, now and
    then.
    """
    half = chr(code)
    expected = f"error: U+{ord(half):04X} is half of a character; decode the text as UTF-8"

    assert complaint(replaced("if head(i)\n", f"if head({half})\n"), "f").endswith(f": {expected}")
    assert complaint(f"{half}\n", "f") == f"f:1:1: {expected}"
    assert complaint(f"system x\n -- {half}\n", "f") == f"f:2:5: {expected}"


# --- files that are no specifications --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "-- only a comment\n\n  -- and another", "\ufeff"])
def test_an_empty_specification_gets_one_line(text: str) -> None:
    assert complaint(text, "f.tsys") == "f.tsys: the specification is empty; a figure begins with `system NAME`"


def unreadable(path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read_text(path)
    return str(caught.value)


def test_a_named_pipe_gets_one_line_and_nobody_waits(tmp_path: Path) -> None:
    path = tmp_path / "pipe.tsys"
    os.mkfifo(path)
    assert f"{path}: this is a named pipe; give a file, or /dev/stdin with `< {path}`" == unreadable(path)


def test_ten_megabytes_of_noise_get_one_line(tmp_path: Path) -> None:
    path = tmp_path / "noise.tsys"
    path.write_bytes(random.Random(1).randbytes(10_000_000))

    assert f"{path}: larger than 97.7 kB; no figure is that long" == unreadable(path)


def test_a_byte_order_mark_is_not_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "marked.tsys"
    path.write_text(PLAIN, encoding="utf-8-sig")

    assert load(path).figure == read_figure(PLAIN) == read_figure("\ufeff" + PLAIN)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_endings_are_not_a_mistake(end: str, tmp_path: Path) -> None:
    text = PLAIN.replace("\n", end)
    path = tmp_path / "ends.tsys"
    path.write_bytes(text.encode())

    assert load(path).figure == read_figure(PLAIN) == read_figure(text)


def test_a_caret_behind_a_tab_stands_under_its_place() -> None:
    _, line, caret, _ = complaint(PLAIN.replace("  =>  σ|i, β\n", "\t=>\tσ|k, β\n")).split("\n")

    assert line[caret.index("^")] == "k"


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\x1b", "\x7f", "\u200b", "\ufffd", "\U000e0001"])
def test_control_characters_are_shown_as_something_else(letter: str) -> None:
    shown = complaint(replaced("default SHIFT", f"default {letter}SHIFT"))

    assert shown.split("\n")[0] == "<text>:12:11: error: unexpected `�`"
    assert shown.split("\n")[1] == "  12 |   default �SHIFT"
    assert all(char.isprintable() or char == "\n" for char in shown)


ALPHABETS = {
    "ascii": [chr(code) for code in range(32, 127)] + ["\n"] * 3,
    "signs of the language": list('σβτλαωijk|,=>[]()-#"{}_ \n'),
    "latin-1": [chr(code) for code in range(256)],
    "chinese": [chr(code) for code in range(0x4E00, 0x4E40)] + ["\n"],
    "control characters": [chr(code) for code in range(32)],
    "all over unicode": [chr(code) for code in range(1, 0xD7FF, 17)],
    "words of the language": re.findall(
        r"\S+ ", "system state stack σ buffer β => add if head ( ) i j -l-> , | [ ] 0 1..n oracle claims gold "
    )
    + ["\n"] * 4,
}


@pytest.mark.parametrize("lines", [400, 5000], ids=["few lines", "many lines"])
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_noise_gets_a_quick_answer(alphabet: str, lines: int) -> None:
    """400 lines are looked at one by one, 5000 are not."""
    chosen = random.Random(alphabet)
    text = ""
    while len(text) < 90_000:
        text += "".join(chosen.choices(ALPHABETS[alphabet], k=90_000 // lines)) + "\n"
    begun = time.process_time()
    shown = complaint(text[:90_000], "noise.tsys")

    assert time.process_time() - begun < 2
    assert shown.count(": error: ") <= MOST_DIAGNOSTICS
    assert re.search(r"\d more$|  help: .+$|no figure is that long$|is half of a character", shown)


def test_a_line_that_continues_should_have_ended() -> None:
    told = complaint('system x\n  cite "y" §\n')

    assert "expected the end of the line" in told
    assert "end-of-file" not in told
