"""The commands in `proofs_notes/parsers.md` print what it says, with the releases that it is about."""

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documents import blocks, commands, run

NOTE = ROOT / "proofs_notes" / "parsers.md"
PINS = "".join((ROOT / "tools" / name).read_text() for name in ("audit.txt", "audit-alone.txt"))
RELEASES = dict(re.findall(r"^([a-z]+)==(.*)$", PINS, flags=re.MULTILINE))
COMMANDS = [command for _, content in blocks(NOTE) for command in commands(content)]


def installed(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


for library, release in RELEASES.items():
    if installed(library) != release:
        pytest.skip(f"{library} {release} is not installed; make audit-parsers", allow_module_level=True)


def test_the_commands_print_what_the_note_says(tmp_path: Path) -> None:
    for command in COMMANDS:
        assert command.expected == run(command.line, tmp_path), command.line

    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("library", ["NLTK", "spaCy", "stanza", "UUParser"])
def test_the_note_is_about_these_releases(library: str) -> None:
    assert f"| {library} {RELEASES[library.lower()]} |" in NOTE.read_text(encoding="utf-8")
