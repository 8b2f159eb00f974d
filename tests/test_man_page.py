"""The man page is made from the help of the commands, and renders without a warning."""

import re
import shutil
import subprocess
from functools import cache

import click
import pytest

from arcproof.commands import COMMANDS
from arcproof.commands.man_page import _text, man_page
from arcproof.interface.arguments import command_of
from tests.conftest import ROOT

page = cache(man_page)


def plain(text: str) -> str:
    for escape, sign in ((r"\-", "-"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\&", ""), (r"\e", "\\")):
        text = text.replace(escape, sign)
    return re.sub(r"\\\[u([0-9A-F]{4})\]", lambda found: chr(int(found[1], 16)), text)


def test_the_page_that_is_installed_is_the_one_that_the_help_makes() -> None:
    assert page() == (ROOT / "docs" / "arcproof.1").read_text(encoding="utf-8"), "make man"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_every_command_with_its_options_and_example(name: str) -> None:
    _, found, rest = page().partition(f".SS {_text(name)}\n")
    section = plain(re.split(rf"^\.S[HS] (?!{name} )", rest, maxsplit=1, flags=re.MULTILINE)[0])
    command = command_of(name)
    inner = command.commands.values() if isinstance(command, click.Group) else [command]

    assert found
    assert f"\n  arcproof {name}" in section
    for option in (option for one in inner for option in one.params if isinstance(option, click.Option)):
        assert f"{max(option.opts, key=len)}" in section
        assert " ".join((option.help or "").replace("…", "...").split()) in " ".join(section.split())


def test_the_page_has_exit_codes_environment_and_files() -> None:
    assert page().startswith('.TH ARCPROOF 1 "" "arcproof ')
    for line in (".SH EXIT STATUS", ".B 3\nInconclusive.", ".B ARCPROOF_CACHE", ".B pyproject.toml", ".SS runs remove"):
        assert line in page()


def test_the_page_is_ascii_and_no_text_is_a_request() -> None:
    known = (".TH", ".SH", ".SS", ".PP", ".TP", ".B ", ".I ", ".nf", ".fi")

    assert page().isascii()
    assert not [line for line in page().splitlines() if line.startswith((".", "'")) and not line.startswith(known)]
    assert _text(".json ends 'it' \\ σ") == r"\&.json ends 'it' \e \[u03C3]"


@pytest.mark.process
def test_the_page_renders_without_a_warning() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=page(), capture_output=True, encoding="utf-8", check=True
    )

    assert done.stderr == ""
    assert "EXIT STATUS" in re.sub(r".\x08", "", done.stdout)
    assert "σ" in done.stdout
