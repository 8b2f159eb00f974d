"""Machine code that is kept: it is used again, made anew when a text that it rests on changes, and never believed when
it is damaged.
"""

import hashlib
import importlib.util
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arcproof.process import jit, object_code
from arcproof.process.building import CannotBeBuilt
from arcproof.process.cache import cache_folder
from tests.conftest import ROOT
from tests.planting import ELSEWHERE, WAYS, give_away, plant

pytestmark = pytest.mark.compiler

UMASK = os.umask(0o022)
os.umask(UMASK)
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
    return sorted((folder / "__pycache__").glob("caller.caller-*.o"))


def test_machine_code_is_kept(folder: Path) -> None:
    assert imported(folder, 1).caller(1) == 2
    before = {path: path.stat().st_mtime_ns for path in kept(folder)}

    assert before
    again = imported(folder, 1).caller
    assert again(1) == 2
    assert again.code.was_kept
    assert {path: path.stat().st_mtime_ns for path in kept(folder)} == before


def test_a_change_in_another_file_is_seen(folder: Path) -> None:
    assert imported(folder, 1).caller(1) == 2
    assert imported(folder, 5).caller(1) == 6


def test_machine_code_that_was_built_otherwise_is_not_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert imported(folder, 1).caller(1) == 2
    monkeypatch.setattr(object_code, "_builder", lambda: "another text")
    again = imported(folder, 1).caller

    assert again(1) == 2
    assert not again.code.was_kept
    assert len(kept(folder)) == 2


def test_damaged_machine_code_is_compiled_again(folder: Path) -> None:
    assert imported(folder, 1).caller(1) == 2
    for path in kept(folder):
        path.write_bytes(b"damaged")

    assert imported(folder, 1).caller(1) == 2


def forged(folder: Path) -> Path:
    """Machine code of our own that gives 666, in place of what gives 2, with a digest that fits.

    It stands in the user's cache; beside the text there is none.
    """
    native = imported(folder, 665).caller
    assert native(1) == 666
    [evil] = kept(folder)
    content = evil.read_bytes().partition(b"\n")
    symbol = json.loads(content[0])["symbol"]
    evil.unlink()
    good = imported(folder, 1).caller
    assert good(1) == 2
    [path] = kept(folder)
    path.unlink()
    user = cache_folder("machine")
    assert user is not None
    key = hashlib.sha256(f"{good.key}\n{object_code._processor()}\n{object_code._builder()}".encode()).hexdigest()
    needs = tuple(json.loads(content[0])["needs"])
    planted = user / path.name
    planted.write_bytes(object_code.ObjectFile(symbol, needs, content[2]).to_bytes(key))
    planted.chmod(0o600)
    return planted


@pytest.fixture
def in_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forged machine code in the user's cache."""
    monkeypatch.setenv("ARCPROOF_CACHE", str(folder.parent / "cache"))
    return forged(folder)


def test_machine_code_of_the_user_is_run(folder: Path, in_the_cache: Path) -> None:
    """What the next test keeps out would have been run."""
    assert in_the_cache.is_file()
    assert imported(folder, 1).caller(1) == 666


@pytest.mark.parametrize("how", [*WAYS, "in an open folder", "below an open folder", "in a folder of another user"])
def test_planted_machine_code_is_not_run(
    folder: Path, in_the_cache: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match how:
        case "in an open folder":
            in_the_cache.parent.chmod(0o777)
        case "below an open folder":
            in_the_cache.parent.parent.chmod(0o770)
        case "in a folder of another user":
            give_away(in_the_cache.parent, monkeypatch)
        case _:
            plant(in_the_cache, monkeypatch, how)

    assert imported(folder, 1).caller(1) == 2


@pytest.mark.parametrize("how", ["of another user", "open to others", "in an open folder"])
def test_machine_code_planted_beside_the_text_is_not_run(
    folder: Path, in_the_cache: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = folder / "__pycache__" / in_the_cache.name
    in_the_cache.rename(beside)
    if how == "in an open folder":
        beside.parent.chmod(0o777)
        object_code._beside.cache_clear()
    else:
        plant(beside, monkeypatch, how)

    assert imported(folder, 1).caller(1) == 2


def test_machine_code_under_the_name_of_another_is_compiled_again(folder: Path) -> None:
    assert imported(folder, 5).caller(1) == 6
    [other] = kept(folder)
    assert imported(folder, 1).caller(1) == 2
    [path] = set(kept(folder)) - {other}
    path.write_bytes(other.read_bytes())

    assert imported(folder, 1).caller(1) == 2


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"symbol": 1}', b"null", b"\xff"])
def test_a_damaged_first_line_is_noticed(folder: Path, line: bytes) -> None:
    assert imported(folder, 1).caller(1) == 2
    [path] = kept(folder)
    path.write_bytes(line + b"\n" + path.read_bytes().partition(b"\n")[2])

    assert imported(folder, 1).caller(1) == 2


def test_machine_code_that_root_installed_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a package in site-packages: another user can read it and not write there."""
    assert imported(folder, 1).caller(1) == 2
    [path] = kept(folder)
    assert stat.S_IMODE(path.stat().st_mode) & 0o444 == 0o444 & ~UMASK
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "geteuid", lambda: ELSEWHERE)
    object_code._beside.cache_clear()
    again = imported(folder, 1).caller

    assert again(1) == 2
    assert again.code.was_kept


def test_what_is_kept_is_loaded_without_the_compiler(folder: Path) -> None:
    imported(folder, 1).caller(1)
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(folder.parent)!r})\n"
        f"from {folder.name}.caller import caller\n"
        "assert caller(1) == 2 and caller.code.was_kept\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})


def test_earlier_texts_are_dropped(folder: Path) -> None:
    for constant in range(object_code.VERSIONS_KEPT + 2):
        assert imported(folder, constant).caller(1) == constant + 1
    assert len(kept(folder)) == object_code.VERSIONS_KEPT


def test_nothing_is_kept_where_nothing_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_code, "_folders", lambda _: iter([Path("/dev/null/folder")]))
    called = imported(folder, 1).caller
    assert called(1) == 2
    assert not called.code.was_kept


@jit.compiled("int64(int64[::1], boolean)")
def twice_the_sum(x: Any, really: bool) -> int:
    return 2 * x.sum() if really else 0  # type: ignore[no-any-return]


@jit.compiled("int64(int64[::1])")
def calling(x: Any) -> int:
    return int(twice_the_sum(x, True) + twice_the_sum(x, False) + 1)


class TestCalls:
    """Arguments and results are those of the Python text, or refused."""

    def test_numbers_truths_and_arrays(self) -> None:
        @jit.compiled("float64(float64, boolean, int64[:, ::1], float32[::1])")
        def mixed(x: float, doubled: bool, whole: Any, small: Any) -> float:
            total = x
            for i in range(whole.shape[0]):
                for j in range(whole.shape[1]):
                    total += whole[i, j] * (i + 1)
            for k in range(len(small)):
                total += small[k]
            return 2 * total if doubled else total

        arguments = np.arange(6, dtype=np.int64).reshape(2, 3), np.array([0.5, 0.25], dtype=np.float32)
        for doubled in (False, True):
            assert mixed(1.5, doubled, *arguments) == mixed.function(1.5, doubled, *arguments)

    def test_truths_and_nothing_are_returned(self) -> None:
        @jit.compiled("boolean(int64)")
        def positive(x: int) -> bool:
            return x > 0

        @jit.compiled("void(int64[::1])")
        def cleared(x: Any) -> None:
            x[:] = 0

        row = np.ones(3, dtype=np.int64)
        assert positive(np.int64(1)) is True
        assert positive(-1) is False
        assert cleared(row) is None
        assert not row.any()

    def test_a_native_function_calls_another(self) -> None:
        assert calling(np.array([4, 5], dtype=np.int64)) == 2 * 9 + 1
        assert calling.code.address != twice_the_sum.code.address

    @pytest.mark.parametrize(
        "array",
        [
            np.zeros(3, dtype=np.int32),
            np.zeros((1, 3), dtype=np.int64),
            np.zeros(6, dtype=np.int64)[::2],
        ],
    )
    def test_another_array_is_refused(self, array: Any) -> None:
        @jit.compiled("int64(int64[::1])")
        def first(x: Any) -> int:
            return int(x[0])

        with pytest.raises(TypeError, match="expected"):
            first(array)

    def test_a_matrix_within_a_vector(self) -> None:
        @jit.compiled("int64(int64[::1], int64)")
        def corner(flat: Any, begin: int) -> int:
            matrix = jit.matrix_within(flat, begin, 2, 3)
            return int(matrix[0, 1] * 100 + matrix[1, 2])

        flat = np.arange(9, dtype=np.int64)
        assert corner(flat, 2) == corner.function(flat, 2) == 307

    def test_an_error_is_a_fault(self) -> None:
        @jit.compiled("int64(int64)")
        def divided(x: int) -> int:
            return 1 // x

        assert divided(1) == 1
        with pytest.raises(jit.NativeFault, match="divided"):
            divided(0)

    def test_what_allocates_cannot_be_built(self) -> None:
        @jit.compiled("int64(int64)")
        def allocating(x: int) -> int:
            return int(np.zeros(x).sum())

        with pytest.raises(CannotBeBuilt, match="allocating needs NRT_MemInfo_alloc"):
            allocating(1)
