"""The English of sources, templates and documents: phrases that no native reader would write."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

PHRASES = {
    "on board": "built-in",
    "is no": "is not a",
    "are no": "are not",
    "so many": "this many",
    "is said": "say who says it",
    "that there is not": "unknown",
    "that there are not": "unknown",
    "one a line": "one per line",
    "a line each": "one per line",
    "by the clock": "wall-clock",
    "before its time": "interrupted",
    "was over": "was reached, timed out",
    "time is over": "time is up",
    "nothing is known of": "nothing is known about",
    "mend": "fix",
    "gives back": "returns",
    "held against": "checked against",
    "in the making": "in progress",
    "hang on": "attach to",
    "hangs on": "is attached to",
    "without head": "without a head",
    "allows to": "lets you",
    "see to it": "make sure",
    "found out about": "found about",
    "what came of": "what was found",
    "on the clock": "wall-clock time",
}
ALLOWED = {
    "is no": ("there is no", "is no longer"),
    "are no": ("there are no", "are no longer"),
    "without head": ("without header", "without heads"),
    "was over": ("was overwritten",),
}
"""Good English that begins alike."""

FOLDERS = ("transitions", "properties", "generators", "classifiers", "arcproof", "tools", "benchmarks")
ELSEWHERE = ("arcproof/commands/",)
"""Folders whose phrases are not looked for yet."""


def sources() -> list[Path]:
    """The sources and templates of the package."""
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".html", ".js") and not path.relative_to(ROOT).as_posix().startswith(ELSEWHERE)
    ]


def documents() -> list[Path]:
    """Everything that is written in Markdown, but for what is generated or not ours to word."""
    folders = ("docs", "examples", "proofs_notes", "benchmarks", "tests", "editors", ".github")
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.md"))]
    return [*sorted(ROOT.glob("*.md")), *(path for path in found if "node_modules" not in path.parts)]


def prose(text: str) -> str:
    """A document without its tables, which may be printed by programs, and what the prover writes into a note."""
    text = re.sub(r"^<!-- .*?^<!-- end -->$", lambda part: "\n" * part[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"^\|.*$", "", text, flags=re.M)


def stumbles(text: str) -> list[str]:
    """The phrases in a text, each with its line."""
    found = []
    for phrase, better in PHRASES.items():
        gap = r"(?:[ ]|[ ]*\n[ ]*)"
        for match in re.finditer(rf"\b{gap.join(phrase.split())}\b", text, re.IGNORECASE):
            around = " ".join(text[max(0, match.start() - 40) : match.end() + 12].split()).lower()
            if not any(good in around for good in ALLOWED.get(phrase, ())):
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{line}: `{phrase}`; better: {better}")
    return found


@pytest.mark.long
def test_sources_read_as_native_english() -> None:
    """Messages, docstrings, comments and templates; the words of proofs (`*.lemmas`) are names and stay."""
    wrong = [f"{path.relative_to(ROOT)}:{one}" for path in sources() for one in stumbles(path.read_text("utf-8"))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_documents_read_as_native_english() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{one}" for path in documents() for one in stumbles(prose(path.read_text("utf-8")))
    ]
    assert len(documents()) > 50
    assert not wrong, "\n".join(wrong)


def test_tables_and_what_the_prover_writes_are_no_prose() -> None:
    text = "<!-- a -->\n| x |\nso many\n<!-- end -->\n| so many |\nIt is\nno tree."
    assert stumbles(prose(text)) == ["6: `is no`; better: is not a"]


def test_a_planted_phrase_is_found() -> None:
    """Also where it is broken over two lines; what is good English is left alone."""
    assert stumbles("A system on\n    board.") == ["1: `on board`; better: built-in"]
    assert stumbles("It is no figure.") == ["1: `is no`; better: is not a"]
    assert stumbles("It is no longer a figure, and there\n        is no word.") == []
