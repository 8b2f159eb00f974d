"""The suite does not see who runs it: `conftest.sealed`, and a part of it run in the worst of homes."""

import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest

from tests.conftest import FIXED, ROOT
from tests.in_process import run_here

PART = (
    "tests/test_cache.py",
    "tests/test_parsers.py",
    "tests/test_new_user.py",
    "tests/test_replacing.py",
    "tests/test_sessions.py",
    "tests/properties/proving/test_unambiguous.py",
    "tests/test_sealed.py::test_a_test_has_a_machine_of_its_own",
)
"""Tests that meet caches, kept proofs, stored runs, modes of files, encodings and child processes."""


def test_a_test_has_a_machine_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    base = tmp_path_factory.getbasetemp()
    folders = [Path.home(), Path.cwd(), Path(tempfile.gettempdir())]

    assert len(set(folders)) == len([folder for folder in folders if folder.is_relative_to(base)]) == 3
    assert not any([*folder.iterdir()] for folder in folders)
    ours = {name: value for name, value in os.environ.items() if name.startswith(("ARCPROOF_", "XDG_", "LC_", "LANG"))}
    assert Path(ours.pop("ARCPROOF_CACHE")).is_relative_to(base)
    assert {
        name: value for name, value in ours.items() if name not in {"ARCPROOF_CHROMIUM", "ARCPROOF_SCREENSHOTS"}
    } == FIXED
    assert os.umask(0o022) == 0o022


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home after `make report`, in which everything that is cached has then been damaged, too.

    Kept proofs are left as they are: in such a home a test once asked for the version of Z3.
    """
    home = tmp_path_factory.mktemp("a home")
    made = {"HOME": str(home), "ARCPROOF_CACHE": str(home / ".cache" / "arcproof"), "ARCPROOF_STORE": "on"}
    arguments = (
        "report",
        "arc-hybrid",
        "--words",
        "2",
        "--samples",
        "0",
        "--proofs",
        "certified",
        "--output",
        "page.html",
    )
    assert run_here(arguments, home, environment={**made, "COLUMNS": "100"}).code == 0
    assert list(home.glob(".cache/arcproof/proofs/*/*.json.gz"))
    for kind, name in (("runs", "runs.sqlite"), ("grammars", "0.json"), ("machine", "machine.explore-0.o")):
        path = home / ".cache" / "arcproof" / kind / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"damaged")
    for path in (".config/arcproof", ".hypothesis", ".local"):
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text("not a folder", encoding="utf-8")
    return home


@pytest.mark.process
@pytest.mark.solver
@pytest.mark.long
@pytest.mark.parametrize(("umask", "workers"), [(0o077, "0"), (0o000, "2")])
def test_a_part_of_the_suite_passes_in_the_worst_home(umask: int, workers: str, home: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "a folder for what is temporary"
    temporary.mkdir()
    before = contents(home)
    hostile = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "LC_ALL": "C",
        "COLUMNS": "20",
        "FORCE_COLOR": "1",
        "CI": "1",
        "ARCPROOF_CACHE": str(home / ".cache" / "arcproof"),
        "ARCPROOF_ENGINE": "nonsense",
        "ARCPROOF_PROOFS": "kept",
        "ARCPROOF_STORE": "on",
        "ARCPROOF_WORDS": "1",
        "ARCPROOF_JOBS": "none",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", workers, "--color=no"]
    done = subprocess.run(
        [*command, *(str(ROOT / path) for path in PART)],
        env=hostile, cwd=temporary, umask=umask, capture_output=True, text=True, timeout=600,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert contents(home) == before


def contents(folder: Path) -> dict[Path, str]:
    """What each file holds."""
    return {path: sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}
