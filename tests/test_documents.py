"""Every example in the documents is executed."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documents import blocks, commands, file_named, run, run_apart
from tools.assemble import HOMES

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "examples").glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
DOCUMENTS += [ROOT / "proofs_notes" / name for name in ("catalogue.md", "dynamic-oracles.md", "graphs.md")]
for _name in (
    "decisions.md",
    "glossary.md",
    "playground.md",
    "promises.md",
    "releasing.md",
):  # there is nothing to execute in them
    DOCUMENTS.remove(ROOT / "docs" / _name)

DAILY = {"README.md", "start.md", "tutorial.md", "your-own-system.md"}
"""What who is new reads; the others are executed at night."""


@pytest.mark.process
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path.name in DAILY else pytest.mark.nightly, id=path.name) for path in DOCUMENTS],
)
def test_the_examples_print_what_the_document_says(path: Path, tmp_path: Path) -> None:
    executed = 0
    for language, content in blocks(path):
        if language == "python" and (name := file_named(content)) is not None:
            (tmp_path / name).write_text(content, encoding="utf-8")
        elif language == "python":
            test = doctest.DocTestParser().get_doctest(content, {}, path.name, str(path), 0)
            results = doctest.DocTestRunner(verbose=False).run(test)
            assert results.failed == 0
            executed += results.attempted
        else:
            for command in commands(content):
                assert command.expected == run(command.line, tmp_path), f"{path.name}: {command.line}"
                executed += 1

    assert executed, f"{path.name} has no example"


@pytest.mark.process
@pytest.mark.parametrize("line", ["echo one", "arcproof --version", "arcproof trace arc-eager; echo $?"])
def test_a_wrong_example_is_noticed(line: str, tmp_path: Path) -> None:
    [command] = commands(f"$ {line}\ntwo\n")

    assert command.expected != run(command.line, tmp_path)


@pytest.mark.process
@pytest.mark.parametrize(
    "line",
    [
        "arcproof --version",
        "arcproof trace arc-eager --heads 2,0 | head -3",
        "arcproof trace no-such-system --heads 1; echo $?",
        "arcproof reach arc-eager 'head(1), 1 in β' --words 2 > found; cat found",
    ],
)
def test_a_command_prints_here_what_it_prints_in_a_process_of_its_own(line: str, tmp_path: Path) -> None:
    assert run(line, tmp_path) == run_apart(line, tmp_path)


@pytest.mark.solver
def test_the_docstrings_examples_hold() -> None:
    import importlib
    import pkgutil

    packages = {folder: home.replace("/", ".") for folder, home in HOMES.items() if home.startswith("arcproof")}
    names = [
        module.name
        for folder, package in packages.items()
        for module in pkgutil.walk_packages([str(ROOT / folder)], f"{package}.")
        if module.name != "arcproof.__main__"
    ]
    attempted = 0
    for name in [*packages.values(), *names]:
        results = doctest.testmod(importlib.import_module(name))
        assert results.failed == 0, name
        attempted += results.attempted

    assert attempted > 5


def test_the_reference_of_the_language_is_current() -> None:
    from arcproof.transitions.printing.reference import reference

    assert reference() == (ROOT / "docs" / "language.md").read_text(encoding="utf-8"), "make docs"


def test_the_reference_of_the_python_interface_is_current() -> None:
    from arcproof.interface.reference import reference

    assert reference() == (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), "make docs"


def test_every_rule_of_the_grammar_and_every_part_of_the_tree_is_in_the_reference() -> None:
    from typing import get_args

    from arcproof.transitions import syntax as s
    from arcproof.transitions.printing.reference import MEANS, grammar_text, groups

    name = re.compile(r"^\??([a-z_]+) *:| *-> ([a-z_]+) *$")
    lines = (line for group in groups(grammar_text())[:-1] for line in group.lines)
    rules = {found for line in lines for pair in name.findall(line) for found in pair if found}
    assert rules == set(MEANS)
    told = {part for means in MEANS.values() if not isinstance(means, str) for part in means}
    told |= {s.SetFrom, s.Comparison, s.Degree, s.GoldFunction}  # in words of their own
    for union in (s.Component, s.Pattern, s.Update, s.StartValue, s.Term, s.Condition, s.Effect, s.Statement):
        assert set(get_args(union)) <= told | {s.CounterFrom}


def test_the_version_is_the_same_everywhere() -> None:
    import json

    from arcproof._version import __version__

    def text(*path: str) -> str:
        return ROOT.joinpath(*path).read_text(encoding="utf-8")

    assert f"\nversion: {__version__}\n" in text("CITATION.cff")
    assert f"version = {{{__version__}}}" in text("docs", "citing.md")
    assert json.loads(text("editors", "vscode", "package.json"))["version"] == __version__
    released = re.search(r"^## \[([0-9.]+)\] - ([0-9-]+)$", text("CHANGELOG.md"), re.MULTILINE)
    assert released is not None
    assert released[1] == __version__
    assert f"\ndate-released: {released[2]}\n" in text("CITATION.cff")


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    versions = [line for line in lines if line.startswith("## ")]
    groups = {line.removeprefix("### ") for line in lines if line.startswith("### ")}

    assert versions[0] == "## [Unreleased]"
    assert all(re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", line) for line in versions[1:])
    assert groups <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_readme_is_read_in_a_minute() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150


def test_the_lines_to_copy_name_commands_and_options_that_exist() -> None:
    import click

    from arcproof.commands import cli

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [
        line
        for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    tried = [shlex.split(line.partition(" > ")[0]) for line in lines if line.startswith("arcproof ")]
    for _, name, *words in tried:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None, name
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= known, name

    assert len(tried) == 9


LONGEST_LINE = 120


def long_lines(text: str) -> list[int]:
    """Lines of a document that are too long, but for tables, code, addresses, and what a note has from the prover."""
    found, fence = [], ""
    text = re.sub(
        r"^<!-- .*?^<!-- end -->$", lambda part: "\n" * part[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL
    )
    for number, line in enumerate(text.splitlines(), start=1):
        marks = re.match(r" *(```+|~~~+)", line)
        if fence:
            fence = "" if marks and marks[1] == fence else fence
        elif marks:
            fence = marks[1]
        elif len(line) > LONGEST_LINE and not line.lstrip().startswith("|") and not line.startswith("    "):
            bare = re.sub(r"\]\([^)]*\)|https?://\S+|^\s*!\[.*\]", "", line)
            found += [number] if len(bare) > LONGEST_LINE else []
    return found


@pytest.mark.process
def test_lines_of_documents_are_within_120_columns() -> None:
    from tests.test_repository import tracked

    documents = [path for path in tracked() if path.suffix == ".md"]
    found = [
        f"{path.relative_to(ROOT)}:{n}" for path in documents for n in long_lines(path.read_text(encoding="utf-8"))
    ]

    assert len(documents) > 50
    assert found == []


def test_a_long_line_is_noticed_where_it_is_prose() -> None:
    long = "word " * 30

    assert long_lines(f"short\n{long}") == [2]
    assert long_lines(f"| {long} |\n```\n{long}\n```\n    {long}") == []
    assert long_lines(f"[a](https://example.org/{'x' * 130})") == []
    assert long_lines(f"```\n```\n{long}") == [3]
