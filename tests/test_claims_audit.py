"""The audit of the papers' claims: every command and session in it is executed, and its summary is what its entries
say.

An entry of `proofs_notes/claims.md` begins with `### N08.5 Title`.  Its blocks are executed in order: ```console blocks
as in the other documents, ```python blocks as one doctest session that begins with the blocks before the summary.
Blocks marked `slow` are left out unless slow tests are asked for.
"""

import doctest
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.documents import commands, run

AUDIT = ROOT / "proofs_notes" / "claims.md"
VERDICT = re.compile(r"confirmed( up to \d+ words| with \d+ words)?|refuted with \d+ words?|one reading|open", re.ASCII)

_ENTRY = re.compile(r"^### (?P<name>[NCS]\d\d\.\d+) (?P<title>.*)\n(?P<body>(?:(?!##).*\n)*)", re.MULTILINE)
_BLOCK = re.compile(
    r"^```(?P<language>console|python)(?P<slow> slow)?\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL
)
_ROW = re.compile(
    r"^\| \[(?P<name>[NCS]\d\d\.\d+)\]\(#(?P<anchor>[^)]*)\) \| (?P<title>.*?) \| (?P<where>.*?) \| "
    r"(?P<verdict>.*?) \|$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A session of commands or of Python."""

    language: str
    is_slow: bool
    content: str


@dataclass(frozen=True)
class Entry:
    """A claim of a paper with what was found about it; without a verdict it lists what was not checked."""

    name: str
    title: str
    body: str

    def part(self, name: str) -> str | None:
        """What the entry says under a heading such as `Where`."""
        found = re.search(rf"^- \*\*{name}\*\*: (.*(?:\n  .*)*)$", self.body, re.MULTILINE)
        return found and re.sub(r"\s+", " ", found[1])

    @property
    def blocks(self) -> list[Block]:
        return blocks(self.body)


def blocks(text: str) -> list[Block]:
    """The executable blocks of a part of the audit."""
    return [Block(m["language"], m["slow"] is not None, m["content"]) for m in _BLOCK.finditer(text)]


TEXT = AUDIT.read_text(encoding="utf-8")
BEFORE_THE_SUMMARY, SUMMARY = TEXT.split("\n## Nivre 2007\n")[0].split("\n## Summary\n")
ENTRIES = [Entry(m["name"], m["title"], m["body"]) for m in _ENTRY.finditer(TEXT)]
CLAIMS = [entry for entry in ENTRIES if entry.part("Verdict")]


@pytest.fixture(scope="module")
def prelude() -> dict[str, Any]:
    """The names that every Python session assumes."""
    names: dict[str, Any] = {}
    for block in blocks(BEFORE_THE_SUMMARY):
        hold(block.content, names, "prelude")
    return names


def hold(session: str, names: dict[str, Any], where: str) -> None:
    """Run a doctest session that may use these names, and leaves its own among them."""
    test = doctest.DocTestParser().get_doctest(session, names, where, str(AUDIT), 0)
    test.globs = names
    problems: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=problems.append, clear_globs=False)

    assert results.attempted
    assert not results.failed, "".join(problems)


def execute(entry: Entry, names: dict[str, Any], directory: Path, *, with_slow: bool) -> None:
    """Run the blocks of an entry in order."""
    session = dict(names)
    for block in entry.blocks:
        if block.is_slow and not with_slow:
            continue
        if block.language == "python":
            hold(block.content, session, entry.name)
        else:
            for command in commands(block.content):
                assert command.expected == run(command.line, directory), f"{entry.name}: {command.line}"


@pytest.mark.process
@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, marks=() if entry.name.endswith(".1") else pytest.mark.nightly, id=entry.name)
        for entry in CLAIMS
    ],
)
def test_what_an_entry_says_is_reproduced(entry: Entry, prelude: dict[str, Any], tmp_path: Path) -> None:
    execute(entry, prelude, tmp_path, with_slow=False)


@pytest.mark.nightly
@pytest.mark.parametrize("entry", [e for e in CLAIMS if any(b.is_slow for b in e.blocks)], ids=lambda entry: entry.name)
def test_what_takes_long_is_reproduced_too(entry: Entry, prelude: dict[str, Any], tmp_path: Path) -> None:
    execute(entry, prelude, tmp_path, with_slow=True)


@pytest.mark.parametrize("entry", CLAIMS, ids=lambda entry: entry.name)
def test_an_entry_has_all_its_parts(entry: Entry) -> None:
    verdict = entry.part("Verdict")

    quoted = re.sub(r"\n> (?!\")", " ", entry.body)
    assert re.search(r"^> \".+\"( \(restored.*\)| \(the rest is lost\))?$", quoted, re.MULTILINE), "a quotation"
    assert entry.part("Where")
    assert entry.part("Read as")
    assert entry.part("Scope")
    assert verdict
    assert VERDICT.fullmatch(verdict)
    assert entry.part("Witness") or verdict.startswith(("confirmed", "open")), "what is refuted has a witness"
    assert any(not block.is_slow for block in entry.blocks), "something to execute"


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e not in CLAIMS], ids=lambda entry: entry.name)
def test_what_was_not_checked_has_a_reason(entry: Entry) -> None:
    assert entry.title == "Not checked"
    assert re.search(r"^- .+", entry.body, re.MULTILINE)
    assert not entry.blocks


def test_the_summary_is_what_the_entries_say() -> None:
    rows = list(_ROW.finditer(SUMMARY))

    assert [(entry.name, entry.title) for entry in CLAIMS] == [(row["name"], row["title"]) for row in rows]
    for entry, row in zip(CLAIMS, rows, strict=True):
        verdict, where = entry.part("Verdict"), entry.part("Where")
        assert where is not None
        assert where.startswith(row["where"])
        assert row["verdict"] == verdict or row["verdict"].startswith(f"**{verdict}**: ")
        assert row["anchor"] == anchor(f"{entry.name} {entry.title}")


def test_the_claims_are_counted() -> None:
    count = Counter(str(entry.part("Verdict")).split()[0] for entry in CLAIMS)
    told = f"Of {len(CLAIMS)} claims {count['confirmed']} are confirmed, {count['one']} hold in one reading"

    assert f"{told}, {count['refuted']} are refuted and {count['open']} is open.\n" in SUMMARY


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_entries_are_numbered_without_gaps() -> None:
    def numbers() -> Iterator[tuple[str, int]]:
        for entry in ENTRIES:
            paper, _, number = entry.name.partition(".")
            yield paper, int(number)

    papers = dict.fromkeys(paper for paper, _ in numbers())

    assert list(papers) == ["N07", "N08", "N09", "C11", "S26"]
    for paper in papers:
        found = [number for name, number in numbers() if name == paper]
        assert found == list(range(1, len(found) + 1))


def test_no_executable_block_is_overlooked() -> None:
    found = len(blocks(BEFORE_THE_SUMMARY)) + sum(len(entry.blocks) for entry in ENTRIES)

    assert found == len(re.findall(r"^```\w", TEXT, re.MULTILINE))


def test_every_line_of_prose_is_one_sentence() -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    for line in prose.splitlines():
        if not line.startswith((">", "|", "- **", "#")):
            assert not re.search(r"[a-z)\]]\. [A-Z]", line), line


def test_a_wrong_session_is_noticed() -> None:
    with pytest.raises(AssertionError):
        hold(">>> 1 + 1\n3\n", {}, "nowhere")
