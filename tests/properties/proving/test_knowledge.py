"""The prover's knowledge says what it said; a change of wording changes `knowledge.json`, and perhaps certificates."""

import json
from importlib.resources import files

import pytest

from arcproof.properties.proving.language.lemmas import read
from arcproof.properties.proving.library import instances as instances_module
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.transitions.system import load
from tests.properties.proving import knowledge


@pytest.mark.nightly
@pytest.mark.long
def test_the_knowledge_is_that_on_file() -> None:
    """After a change that is meant: `python -m tests.properties.proving.knowledge`."""
    assert knowledge.knowledge() == json.loads(knowledge.FILE.read_text(encoding="utf-8"))


def test_a_changed_formula_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    meanings = meanings_of(load("arc-eager"))
    before = knowledge.of_runs(meanings)
    file, statement = instances_module.file, "x -> z and y -> z => x = y"
    text = files(instances_module.LIBRARY).joinpath("graph.lemmas").read_text(encoding="utf-8")
    assert text.count(statement) == 1
    changed = read(text.replace(statement, "x -> z and y -> z => y = x"), "graph.lemmas")
    monkeypatch.setattr(instances_module, "file", lambda name: changed if name == "graph" else file(name))

    assert knowledge.of_runs(meanings) != before
