from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcproof.transitions.printing.escape import display_width, for_latex, for_terminal, for_xml

ANY_TEXT = st.text(
    st.characters(codec=None, exclude_categories=())
    | st.sampled_from('\n\r\t\x00\x1b\u0301\u2028\u202e\ud800|\\日<&"] '),
)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("word", 4),
        ("été", 3),
        ("e\u0301te\u0301", 3),
        ("日本語", 6),
        ("ｱ", 1),
        ("Ａ", 2),
        ("한국", 4),
        ("\u1112\u1161\u11ab", 2),
        ("zero\u200bwidth", 9),
        ("…", 1),
        ("🙂", 2),
    ],
)
def test_width_counts_terminal_columns(text: str, columns: int) -> None:
    assert columns == display_width(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc\u2028d", "a b c d"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("nul\x00", "nul\ufffd"),
        ("\ud800", "\ufffd"),
        ("\uffff", "\ufffd"),
        ("\ufdcf\ufdd0\ufdef\ufdf0", "\ufdcf\ufffd\ufffd\ufdf0"),
        ("abc\u202edef", "abc\ufffddef"),
        ("abc\u200fdef\u200e\u061c", "abc\ufffddef\ufffd\ufffd"),
        ("\u0301x", "\u25cc\u0301x"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_a_terminal_is_shown_only_what_has_a_picture(text: str, shown: str) -> None:
    assert shown == for_terminal(text)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50% & #1_a^b~{$}\\", r"50\%\ \&\ \#1\_a\textasciicircum{}b\textasciitilde{}\{\$\}\textbackslash{}"),
        ("--", "-{}-{}"),
        ("<|>", r"\textless{}\textbar{}\textgreater{}"),
        ("čeština", r"\v{c}e\v{s}tina"),
        ("naïve", r"na\"{\i}ve"),
        ("Łódź", r"\L{}\'{o}d\'{z}"),
        ("ệ", r"\^{\d{e}}"),
        ("日", r"\foreigntext{U+65E5}{日}"),
        ("ą", r"\foreigntext{U+0105}{ą}"),
    ],
)
def test_latex_signs_are_escaped_and_accents_composed(text: str, escaped: str) -> None:
    assert escaped == for_latex(text)


@given(ANY_TEXT)
def test_xml_gives_the_text_back(text: str) -> None:
    element = ElementTree.fromstring(f'<a b="{for_xml(text)}">{for_xml(text)}</a>')

    assert for_terminal(text) == (element.text or "")
    assert for_terminal(text) == element.get("b")
