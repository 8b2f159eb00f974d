"""Every example in the documents is executed."""

import doctest
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documents import blocks, commands, run

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "examples").glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_print_what_the_document_says(path: Path, tmp_path: Path) -> None:
    executed = 0
    for language, content in blocks(path):
        if language == "python":
            test = doctest.DocTestParser().get_doctest(content, {}, path.name, str(path), 0)
            results = doctest.DocTestRunner(verbose=False).run(test)
            assert results.failed == 0
            executed += results.attempted
        else:
            for command in commands(content):
                assert command.expected == run(command.line, tmp_path), f"{path.name}: {command.line}"
                executed += 1

    assert executed, f"{path.name} has no example"


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    [command] = commands("$ echo one\ntwo\n")

    assert command.expected != run(command.line, tmp_path)


def test_the_docstrings_examples_hold() -> None:
    import importlib
    import pkgutil

    import arcproof

    attempted = 0
    for module in pkgutil.walk_packages(arcproof.__path__, "arcproof."):
        if module.name != "arcproof.__main__":
            results = doctest.testmod(importlib.import_module(module.name))
            assert results.failed == 0, module.name
            attempted += results.attempted
    attempted += doctest.testmod(arcproof).attempted

    assert attempted > 5
