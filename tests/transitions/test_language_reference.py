"""The reference of the language: every rule has its place, every example is read, and links lead somewhere."""

import re

import pytest

from arcproof.editors.diagnosis import diagnose_text
from arcproof.transitions.printing.reference import FIGURE, MEANS, TOPICS, meanings, reference, rows
from arcproof.transitions.reading.statements import Statement, statements

HEAD = "system example\nstate stack σ, buffer β\n"
FRAMES = (
    "{}",
    "oracle none\n{}",
    "dynamic none\n{}",
    "claims\n{}",
    "state {}",
    "start {}",
    "final {}",
    "final 1 < {}",
    "T(l) {} => σ",
    "T(l) σ => {}",
    "T(l) σ => σ {}",
    "T(l) σ => σ if {}",
    "dynamic none\ncost T = {}",
)
"""What may stand around an example of a part of a statement."""


def is_read(example: str) -> bool:
    """Whether the grammar has a place for an example; `…` stands for a condition or for other text."""
    text = re.sub(r"^… ", "head(i) ", example)
    text = text.replace('"…"', '"premise"').replace("…", "head(i)")
    frames = [*FRAMES]
    frames += ["claims\nsound {}"] if re.search("forests|trees|graphs", example) else []
    frames += ["claims\nlength <= {}"] if re.match("[2n]", example) else []
    return any(
        all(isinstance(one, Statement) for one in statements(HEAD + frame.format(text.replace("{}", "{ }"))))
        for frame in frames
    )


def examples() -> list[str]:
    shown = [example for topic in TOPICS for name in topic.rules for example, _ in rows(name)]
    tasks = [example for topic in TOPICS for _, example in topic.tasks]
    return [*tasks, *(code for cell in shown for code in re.findall("`([^`]+)`", cell))]


def test_every_rule_that_means_something_has_its_place() -> None:
    placed = [name for topic in TOPICS for name in topic.rules]

    assert len(set(placed)) == len(placed)
    assert set(placed) == {name for name in MEANS if meanings(name)}


@pytest.mark.parametrize("example", examples())
def test_every_example_is_read(example: str) -> None:
    assert is_read(example)


@pytest.mark.parametrize("wrong", ["stack of σ", "add j l i", "exists k: head(k)", "gold ->", "2 trees ="])
def test_what_the_grammar_refuses_is_noticed(wrong: str) -> None:
    assert not is_read(wrong)


def test_every_example_has_a_meaning() -> None:
    assert [name for topic in TOPICS for name in topic.rules for _, meaning in rows(name) if not meaning] == []


def test_the_figure_is_right() -> None:
    assert diagnose_text(FIGURE).diagnostics == ()


def test_links_on_the_page_lead_to_headings() -> None:
    text = reference()
    titles = [line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")]
    headings = {re.sub(r"[^\w -]", "", title).strip().replace(" ", "-") for title in titles}
    links = set(re.findall(r"\]\(#([^)]+)\)", text))

    assert len(links) > 10
    assert links <= headings
