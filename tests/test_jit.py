"""Machine code that is kept: it is used again, made anew when a text that it rests on changes, and never believed when it is damaged."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from arcproof.process import jit

pytestmark = pytest.mark.compiler

CALLED = """from arcproof.process.jit import inlined

@inlined
def called(x):
    return x + {}
"""
CALLER = """from arcproof.process.jit import compiled
from {folder}.called import called

@compiled("int64(int64)")
def caller(x):
    return called(x)
"""


def imported(folder: Path, constant: int) -> ModuleType:
    """A package of two files, one with a function that the other calls."""
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").write_text("")
    (folder / "called.py").write_text(CALLED.format(constant))
    if not (folder / "caller.py").exists():
        (folder / "caller.py").write_text(CALLER.format(folder=folder.name))
    jit.digest.cache_clear()
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]
    importlib.invalidate_caches()
    return importlib.import_module(f"{folder.name}.caller")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path / "arcproof_kept_code"


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").glob("caller.caller*.nb*"))


def test_machine_code_is_kept(folder: Path) -> None:
    assert imported(folder, 1).caller(1) == 2
    before = {path: path.stat().st_mtime_ns for path in kept(folder)}

    assert before
    again = imported(folder, 1).caller
    assert again(1) == 2
    assert sum(again.stats.cache_hits.values()) == 1
    assert {path: path.stat().st_mtime_ns for path in kept(folder)} == before


def test_a_change_in_another_file_is_seen(folder: Path) -> None:
    assert imported(folder, 1).caller(1) == 2
    assert imported(folder, 5).caller(1) == 6


def test_damaged_machine_code_is_compiled_again(folder: Path) -> None:
    assert imported(folder, 1).caller(1) == 2
    for path in kept(folder):
        path.write_bytes(b"damaged")

    assert imported(folder, 1).caller(1) == 2
