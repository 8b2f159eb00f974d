"""The documentation site: links, generated pages, and the check of what was built; `make docs` builds all of it."""

import html
import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from arcproof.transitions.printing.escape import for_terminal
from tests.conftest import ROOT
from tests.transitions.test_escape import ANY_TEXT
from tools.site import links, sources
from tools.site.check import problems
from tools.site.markdown import for_markdown

PLACES = {
    "README.md": "index.md",
    "docs/tour.md": "tour.md",
    "proofs_notes/method.md": "notes/method.md",
    "LICENSE": "files/LICENSE",
}


@pytest.mark.parametrize(
    ("source", "written", "expected"),
    [
        ("README.md", "[t](docs/tour.md#figures)", "[t](tour.md#figures)"),
        ("docs/tour.md", "[m](../proofs_notes/method.md)", "[m](notes/method.md)"),
        ("proofs_notes/method.md", "[t](../docs/tour.md), [l](../LICENSE)", "[t](../tour.md), [l](../files/LICENSE)"),
        ("README.md", "![a `b`](docs/tour.md)", "![a `b`](tour.md)"),
        ("README.md", "the folder [`docs`](docs)", "the folder `docs`"),
        ("README.md", "`LEFT-ARC[2](docs/tour.md)`", "`LEFT-ARC[2](docs/tour.md)`"),
        ("README.md", "```\n[t](docs/tour.md)\n```\n[t](docs/tour.md)", "```\n[t](docs/tour.md)\n```\n[t](tour.md)"),
        ("README.md", "[a](#here) [b](https://json-schema.org) [c](missing.md)", "[a](#here) [b](https://json-schema.org) [c](missing.md)"),
    ],
)  # fmt: skip
def test_links_lead_to_the_same_document_on_the_site(source: str, written: str, expected: str) -> None:
    assert links.on_the_site(written, source, PLACES, ROOT) == expected


def test_every_link_in_a_document_leads_to_something_in_the_repository() -> None:
    documents = [source for source in sources.places() if source.endswith(".md")]
    broken = [
        f"{source}: {target}"
        for source in documents
        for target in links.targets((ROOT / source).read_text(encoding="utf-8"))
        if not links.is_elsewhere(target) and not (ROOT / links.in_repository(target, source)).exists()
    ]

    assert len(documents) > 40
    assert broken == []


def test_every_link_to_a_heading_finds_it() -> None:
    """The site is searched for them too, but takes minutes to build."""
    broken = []
    for source in (source for source in sources.places() if source.endswith(".md")):
        for target in links.targets((ROOT / source).read_text(encoding="utf-8")):
            path = source if target.startswith("#") else links.in_repository(target, source)
            _, sign, anchor = target.partition("#")
            if sign and path.endswith(".md") and (ROOT / path).is_file() and anchor not in anchors(path):
                broken.append(f"{source}: {target}")

    assert {"write-a-condition", "classes-of-graphs"} <= anchors("docs/language.md")
    assert broken == []


@cache
def anchors(path: str) -> set[str]:
    """Of the headings of a document, as the site and GitHub name them."""
    headings = re.findall(r"^#+ (.*?) *$", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_document_is_in_the_navigation() -> None:
    written = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {place for place in sources.places().values() if place.endswith(".md")}

    assert {place for place in pages if not re.search(rf"[ \[]{re.escape(place)}$", written, re.MULTILINE)} == set()


def built(folder: Path, **pages: str) -> Path:
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


def test_a_sound_site_has_no_problems(tmp_path: Path) -> None:
    (tmp_path / "own.js").write_text('fetch("data.json")')
    (tmp_path / "own.css").write_text("a { background: url(own.png) }")
    one = '<script src="own.js"></script><link rel="stylesheet" href="own.css"><a href="two.html#there">x</a>'
    two = '<p id="there"><a href="https://json-schema.org">elsewhere</a> <a href="one.html">back</a>'

    assert problems(built(tmp_path, one=one, two=two)) == []


def test_the_examples_of_the_modules_hold() -> None:
    import doctest

    from tools.site import markdown

    for module in (links, markdown):
        results = doctest.testmod(module)
        assert results.failed == 0
        assert results.attempted > 0


# --- generated pages -------------------------------------------------------------------------------------------------


def test_every_command_and_option_is_in_the_reference() -> None:
    from arcproof.commands import COMMANDS
    from tools.site.commands_page import commands_page

    text = commands_page()

    assert [name for name in COMMANDS if f"\n## `arcproof {name}` " not in text] == []
    assert "--heads" in text


def test_every_document_and_its_types_are_in_the_reference() -> None:
    from arcproof.documents import NAMES
    from tools.site.documents_page import documents_page, schema_files

    text = documents_page()
    anchors = set(re.findall(r"\{ #([\w-]+) \}", text))

    assert set(NAMES) <= anchors
    assert {target[1:] for target in links.targets(text) if target.startswith("#")} <= anchors
    assert all(json.loads(schema) for schema in schema_files().values())


def test_classes_are_shown_with_a_tree_inside_and_one_outside() -> None:
    from tools.site.classes_page import classes_page

    text = classes_page()

    assert "## Well-nested trees { #well-nested }" in text
    assert "| [projective trees](#projective) | 1 | 3 | 12 | 55 | 273 |" in text
    assert text.count("not in the class") > 8
    assert {target[1:] for target in links.targets(text) if target.startswith("#")} <= set(
        re.findall(r"#([\w-]+) \}", text)
    )


@pytest.mark.compiler
def test_the_page_of_a_system(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.site import library_pages

    monkeypatch.setenv("SITE_PROOFS", "none")
    monkeypatch.setattr(library_pages, "WORDS", 2)
    text = library_pages.system_pages("arc-hybrid")["arc-hybrid"]

    for heading in (
        "The figure",
        "Claims",
        "The class it derives",
        "A derivation",
        "How many, how long",
        "The specification",
    ):
        assert f"\n## {heading}\n" in text
    assert '<div class="deduction" id="arc-hybrid.rule.0">' in text
    assert "exhausted, n ≤ 2" in text
    assert "By its first oracle, in 12 transitions." in text
    assert [target for target in links.targets(text) if not links.is_elsewhere(target)] == ["../verdicts.md"]


def test_every_system_has_an_entry_in_the_library() -> None:
    from arcproof.transitions.library import system_names
    from tools.site.generated import navigation
    from tools.site.library_pages import index_page

    assert {f"{name}.md" for name in system_names()} <= set(links.targets(index_page()))
    [entry] = navigation([{"Library": "library/index.md"}])
    assert len(entry["Library"]) == 1 + len(system_names())


def test_the_style_of_reports_stays_inside_the_parts_that_show_them() -> None:
    from tools.site.style import stylesheet

    text = stylesheet()

    assert "--proved:" in text
    assert "\n.plate {" in text
    assert not re.search(r"^(body|main|html|h1|a|\*) ", text, re.MULTILINE)
    assert text.count("{") == text.count("}")


# --- Markdown --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("\\", r"\\"),
        ("*x*_y_", r"\*x\*\_y\_"),
        ("[a](b)", r"\[a\](b)"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("http://x", r"http\://x"),
        ("nsubj:pass", "nsubj:pass"),
    ],
)
def test_markdown_signs_are_escaped(text: str, escaped: str) -> None:
    assert escaped == for_markdown(text)


@given(ANY_TEXT)
def test_a_markdown_table_shows_the_text_and_nothing_else(text: str) -> None:
    """Read by an independent Markdown parser; it strips blanks at the ends of a cell and joins none inside."""
    source = f"| head | b |\n| --- | --- |\n| x{for_markdown(text)}x | y |\n"
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(source)
    cells = [part.split("</td>")[0] for part in rendered.split("<td>")[1:]]

    assert [f"x{for_terminal(text)}x".strip(), "y"] == [html.unescape(cell) for cell in cells]
