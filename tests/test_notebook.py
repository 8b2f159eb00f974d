"""`examples/notebook.ipynb` is executed, and what it shows stays small."""

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.notebooks import cells, execute

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
MOST = 5000
"""Characters of the output of a cell, but for pictures."""


@pytest.mark.nightly
@pytest.mark.compiler
@pytest.mark.solver
@pytest.mark.process
def test_the_notebook_is_executed_and_its_outputs_are_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    done = execute(NOTEBOOK)

    assert [cell.source for cell in done if cell.size > MOST] == []
    shown = {cell.source.rpartition("\n")[2].partition("(")[0]: cell for cell in done}
    assert "every claim is met" in done[3].text
    assert shown["arcproof.repair"].text.endswith("`add i -l-> j` → `add j -l-> i`")
    assert "1 of 1 theorem proved" in shown["arcproof.prove"].text
    assert "swap: 100.00 % of the sentences" in shown["arcproof.coverage"].text
    assert "LAS" in shown["arcproof.evaluate"].text
    assert sum("<svg" in cell.html for cell in done) == 3
    assert sum("<table" in cell.html for cell in done) >= 6
    assert done[-1].printed.startswith("there is no built-in system `arc-eagre`")
    assert not any(cell.printed for cell in done[:-1])


def test_the_notebook_is_committed_without_outputs() -> None:
    """Outputs have times and paths in them, and go stale."""
    for cell in cells(NOTEBOOK):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n" == text
    assert "/home/" not in text
    assert "/tmp/" not in text
