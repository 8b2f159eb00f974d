"""Functions as text that are compiled and kept: what is executed is always the text that was asked for."""

from pathlib import Path

import pytest

from arcproof.process import kept_code as kept

pytestmark = pytest.mark.compiler

TEXT = kept.source_text({"ONE": 1}, [("def following(x):\n    return x + ONE\n", True)])


@pytest.fixture(autouse=True)
def _nothing_is_loaded() -> None:
    kept.module_of.cache_clear()


def test_code_is_kept_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the cache that has been changed is not executed."""
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path))
    assert kept.module_of(TEXT).following(1) == 2
    [path] = (tmp_path / "compiled").glob("*.py")
    text = path.read_text()
    path.write_text("raise SystemExit('tampered')")
    kept.module_of.cache_clear()

    assert kept.module_of(TEXT).following(2) == 3
    assert path.read_text() == text


def test_a_cache_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    assert kept.module_of(TEXT).following(1) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
