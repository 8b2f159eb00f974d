"""Foreign text in three places: a terminal, LaTeX, XML.

Words and labels come from treebanks and may hold anything.  Each function takes such a text and returns one that shows
the same characters in its target and means nothing else there.  Two conventions hold everywhere:
- Characters without a glyph are replaced: white space of every kind by a space; other control characters, lone
  surrogates, non-characters and bidirectional control characters by U+FFFD.
- A text that begins with a zero-width character, such as a combining accent, gets the dotted circle of the Unicode
  charts before it, so that the accent does not combine with what is to its left.

Widths are those of a terminal: East-Asian wide characters take two columns, combining ones none, and those of
ambiguous width one.
"""

import unicodedata
from itertools import groupby
from typing import Final

_REPLACEMENT: Final = "\ufffd"
_DOTTED_CIRCLE: Final = "\u25cc"
_SOFT_HYPHEN: Final = "\u00ad"
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


# --- terminals -------------------------------------------------------------------------------------------------------


def for_terminal(text: str) -> str:
    """The text on one line, without anything that could move the cursor.

    >>> for_terminal("a\\tb\\x1b[2J")
    'a b�[2J'
    """
    shown = "".join(map(_visible, text))
    return _DOTTED_CIRCLE + shown if shown and _columns(shown[0]) == 0 else shown


def lines_for_terminal(text: str) -> str:
    """The text without anything that could move the cursor, except its line breaks.

    >>> lines_for_terminal("error: `\\x1b[2J`\\n  here")
    'error: `�[2J`\\n  here'
    """
    return "\n".join("".join(map(_visible, line)) for line in text.split("\n"))


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) in ("Cc", "Cs") or character in _TURNING or _is_no_character(character):
        return _REPLACEMENT
    return character


def _is_no_character(character: str) -> bool:
    """Whether Unicode reserves the code point for internal use: the last two of each plane, and U+FDD0 to U+FDEF."""
    return ord(character) & 0xFFFE == 0xFFFE or "\ufdd0" <= character <= "\ufdef"


def isolated(text: str) -> str:
    """The text with each run of right-to-left letters isolated, so that such words keep their places in a line that
    runs from left to right.

    >>> isolated("[\u05d0\u05d11, b]") == "[\u2068\u05d0\u05d1\u20691, b]"
    True
    """
    return "".join(
        f"\u2068{run}\u2069" if turns else run
        for turns, run in ((turns, "".join(some)) for turns, some in groupby(text, _is_right_to_left))
    )


def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in ("R", "AL", "NSM")


def display_width(text: str) -> int:
    """The number of terminal columns a text takes.

    >>> display_width("été"), display_width("日本"), display_width("e\\u0301")
    (3, 4, 1)
    """
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if character.isascii() or character == _SOFT_HYPHEN:
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or _continues_hangul(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _continues_hangul(character: str) -> bool:
    """Whether this is a Hangul vowel or final consonant, which joins the syllable before it."""
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff"


def padded(text: str, width: int) -> str:
    """The text padded with spaces to this many columns."""
    return text + " " * (width - display_width(text))


# --- LaTeX -----------------------------------------------------------------------------------------------------------

_LATEX: Final[dict[str, str]] = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}", '"': "\\textquotedblright{}", "-": "-{}", "'": "'{}", "`": "`{}", "!": "!{}", "?": "?{}",
    " ": "\\ ",
    "ß": "\\ss{}", "æ": "\\ae{}", "Æ": "\\AE{}", "œ": "\\oe{}", "Œ": "\\OE{}", "ø": "\\o{}", "Ø": "\\O{}", "ł": "\\l{}",
    "Ł": "\\L{}", "ı": "\\i{}", "“": "\\textquotedblleft{}", "”": "\\textquotedblright{}", "‘": "\\textquoteleft{}",
    "’": "\\textquoteright{}", "–": "\\textendash{}", "—": "\\textemdash{}", "…": "\\ldots{}",
    "∞": "$\\infty$",
}  # fmt: skip
_ACCENTS: Final[dict[str, str]] = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0331": "b",
}  # fmt: skip
_BELOW: Final = frozenset("dcb")

LATEX_PREAMBLE: Final = r"""% Characters that pdfLaTeX's own fonts lack are shown by their code point; XeLaTeX and LuaLaTeX print the characters.
\ifdefined\XeTeXrevision\newcommand{\foreigntext}[2]{#2}\else
\ifdefined\directlua\newcommand{\foreigntext}[2]{#2}\else
\newcommand{\foreigntext}[2]{{\tiny#1}}\fi\fi
"""
"""What the preamble of a document must contain for `for_latex`."""

LATEX_FRAGMENT_PREAMBLE: Final = LATEX_PREAMBLE.replace("\\newcommand", "\\providecommand")
"""The same preamble for part of a document, where it may occur several times."""


def for_latex(text: str) -> str:
    r"""The text in LaTeX's text mode; compiles with pdfLaTeX and its standard fonts whatever the text is.

    >>> print(for_latex("50% & é"))
    50\%\ \&\ \'{e}
    """
    return "".join(map(_latex_cluster, _clusters(unicodedata.normalize("NFC", for_terminal(text)))))


def _clusters(text: str) -> list[str]:
    """The characters, each together with the combining ones that follow it."""
    clusters: list[str] = []
    for character in text:
        if clusters and unicodedata.category(character) in ("Mn", "Me"):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _latex_cluster(cluster: str) -> str:
    if cluster in _LATEX:
        return _LATEX[cluster]
    if len(cluster) == 1 and cluster.isascii():
        return cluster
    base, *marks = list(unicodedata.normalize("NFD", cluster))
    if base.isascii() and base.isalpha() and all(mark in _ACCENTS for mark in marks):
        return _accented(base, [_ACCENTS[mark] for mark in marks])
    codes = " ".join(f"U+{ord(character):04X}" for character in cluster)
    return f"\\foreigntext{{{codes}}}{{{cluster}}}"


def _accented(base: str, accents: list[str]) -> str:
    dotless = base in "ij" and any(accent not in _BELOW for accent in accents)
    text = f"\\{base}" if dotless else base
    for accent in accents:
        text = f"\\{accent}{{{text}}}"
    return text


# --- XML -------------------------------------------------------------------------------------------------------------

_XML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def for_xml(text: str) -> str:
    """The text as character data or attribute value of XML and HTML.

    >>> for_xml("a<b\\x00")
    'a&lt;b�'
    """
    return for_terminal(text).translate(_XML)
