"""What is packed: the wheel has every module and data file, the sdist everything that make needs, and both work where
there are no symbolic links.
"""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from arcproof._version import __version__
from arcproof.process.extras import EXTRAS
from tests.conftest import ROOT
from tests.test_repository import FOLDERS, tracked
from tools.playground.__main__ import package_files

pytestmark = pytest.mark.process

NOT_PACKED = {".ci/run"}
BY_SETUPTOOLS = ("PKG-INFO", "setup.cfg", "arcproof.egg-info/")
NEEDED = (
    "Makefile",
    "constraints.txt",
    "tests/conftest.py",
    "proofs_notes/claims.md",
    "tools/assemble.py",
    "benchmarks/run.py",
    "docs/language.md",
)
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"


IN_THE_WHEEL = (
    "arcproof/py.typed",
    "arcproof/reports/templates/report.html",
    "arcproof/reports/templates/play_body.html",
    "arcproof/reports/templates/runs.js",
    "arcproof/reports/templates/style.css",
    "arcproof/schemas/verify.schema.json",
    "arcproof/transitions/reading/grammar.lark",
    "arcproof/transitions/systems/arc-eager.tsys",
)
NOT_IN_THE_WHEEL = ("tests", "docs", "tools", "benchmarks", "examples", "proofs_notes", "editors", "build")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree: building leaves folders behind."""
    pytest.importorskip("setuptools", minversion="77")
    copy = tmp_path_factory.mktemp("tree")
    for path in tracked():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return copy


def built(kind: str, tree: Path, folder: Path) -> Path:
    """A wheel or an sdist of the tree."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, f"build_{kind}", folder], cwd=tree, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel_file(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once."""
    return built("wheel", tree, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_has_every_file_of_every_package(wheel_file: Path) -> None:
    with zipfile.ZipFile(wheel_file) as wheel:
        packed = {name for name in wheel.namelist() if not name.startswith(f"arcproof-{__version__}.")}
    inside = [path.relative_to(ROOT).as_posix() for path in tracked()]
    wanted = {name if name.startswith("arcproof/") else f"arcproof/{name}" for name in inside if in_a_package(name)}

    native = {name for name in packed if name.endswith((".so", ".pyd"))}
    assert packed - native == wanted
    assert any("any_processor" in name for name in native) or not shutil.which("cc")
    assert packed >= set(IN_THE_WHEEL)
    assert not [name for name in packed if name.split("/")[0] in NOT_IN_THE_WHEEL or name.endswith((".png", ".md"))]
    suffixes = {Path(name).suffix for name in packed}
    assert suffixes >= {
        ".py",
        ".tsys",
        ".lemmas",
        ".lark",
        ".features",
        ".conllu",
        ".json",
        ".html",
        ".css",
        ".js",
        ".typed",
    }


def test_the_metadata_say_who_what_and_for_which_python(wheel_file: Path) -> None:
    with zipfile.ZipFile(wheel_file) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(wheel.read(name))
        entry_points = wheel.read(name.replace("METADATA", "entry_points.txt")).decode("utf-8")
    versions = {text.rpartition(" ")[2] for text in metadata.get_all("Classifier", []) if " :: Python :: 3." in text}
    needed = [text for text in metadata.get_all("Requires-Dist", []) if "extra ==" not in text]

    assert (metadata["Name"], metadata["Version"]) == ("arcproof", __version__)
    assert (metadata["Author"], metadata["License-Expression"]) == ("The arcproof authors", "MIT")
    assert metadata["Requires-Python"] == ">=3.11"
    assert versions == {"3.11", "3.12", "3.13", "3.14"}
    assert set(metadata.get_all("Provides-Extra", [])) == {*EXTRAS, "all", "dev", "docs"}
    assert not [text for text in needed for modules in EXTRAS.values() if re.split(r"[<>=]", text)[0] in modules]
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "arcproof = arcproof.__main__:main" in entry_points


def test_the_playground_has_the_files_of_the_wheel() -> None:
    """It is made without a build: `pyproject.toml` says what is installed."""
    packed = {name for name, _ in package_files()}
    inside = [path.relative_to(ROOT).as_posix() for path in tracked()]

    assert packed == {
        name if name.startswith("arcproof/") else f"arcproof/{name}"
        for name in inside
        if in_a_package(name) and not name.endswith((".c", ".h"))
    }


def in_a_package(name: str) -> bool:
    return name.split("/")[0] in ("arcproof", *FOLDERS)


@pytest.mark.nightly
def test_the_sdist_is_the_whole_tree(tree: Path, tmp_path: Path) -> None:
    with tarfile.open(built("sdist", tree, tmp_path)) as sdist:
        members = sdist.getmembers()
        packed = {member.name.partition("/")[2] for member in members if member.isfile()}
    wanted = {path.relative_to(ROOT).as_posix() for path in tracked()} - NOT_PACKED

    assert {name for name in packed if not name.startswith(BY_SETUPTOOLS)} == {
        name for name in wanted if not name.startswith(BY_SETUPTOOLS)
    }
    assert packed >= set(NEEDED)
    assert not any(member.issym() or member.islnk() for member in members)


@pytest.mark.nightly
def test_a_checkout_runs_without_being_installed(tmp_path: Path) -> None:
    """Without `site-packages` of its own arcproof is found beside its folders; from elsewhere too."""
    code = "import arcproof, arcproof.transitions as t; print(arcproof.load('arc-eager').name, t.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    assert done.stdout == f"arc-eager {ROOT / 'transitions' / '__init__.py'}\n", done.stderr


@pytest.mark.nightly
def test_a_wheel_runs_without_the_checkout(wheel_file: Path, tmp_path: Path) -> None:
    """Unpacked into a folder of its own, as pip does it: all data are found."""
    zipfile.ZipFile(wheel_file).extractall(tmp_path / "site")
    code = "import arcproof, sys; print(arcproof.__file__); from arcproof.__main__ import main; sys.argv = ['arcproof', 'check', 'arc-eager']; main()"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "site" / "arcproof" / "__init__.py"))


@pytest.mark.nightly
def test_an_environment_can_be_made_where_there_are_no_symbolic_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the Makefile falls back to: `lib64` is a folder already, and the interpreter is copied."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "symlink", refused)
    (tmp_path / "e" / "lib64").mkdir(parents=True)
    venv.EnvBuilder(symlinks=False, with_pip=False).create(tmp_path / "e")

    assert (tmp_path / "e" / "bin" / "python").is_file()
    assert not any(path.is_symlink() for path in (tmp_path / "e").rglob("*"))
    assert "lib64" in (ROOT / "Makefile").read_text(encoding="utf-8")
