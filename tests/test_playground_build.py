"""Building the page that runs in the browser: complete or not there."""

import zipfile
from pathlib import Path

import pytest

import tools.playground.__main__ as builder


@pytest.fixture
def without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of a page from an earlier build, where neither npm nor its package is there."""
    place = tmp_path / "site" / "playground"
    place.mkdir(parents=True)
    (place / "index.html").write_text("old")
    monkeypatch.setattr(builder, "DOWNLOADS", tmp_path / "npm")
    monkeypatch.setattr(builder.shutil, "which", lambda _: None)
    monkeypatch.setattr("sys.argv", ["playground", str(place)])
    return place


def test_without_npm_there_is_one_sentence_and_no_page(without_npm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert builder.main() == 0
    assert capsys.readouterr() == ("", "the site has no playground: npm is not installed\n")
    assert list(without_npm.parent.iterdir()) == []


def test_another_package_than_the_one_that_is_known_is_refused(
    without_npm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder.DOWNLOADS.mkdir()
    package = builder.DOWNLOADS / f"pyodide-{builder.PYODIDE}.tgz"
    package.write_bytes(b"something else")

    assert builder.main() == 0
    assert "is not the package that is expected" in capsys.readouterr().err
    assert not package.exists()
    assert not without_npm.exists()


def test_what_is_half_built_is_not_left_behind(without_npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "pyodide_package", lambda: Path("nowhere.tgz"))
    with pytest.raises(FileNotFoundError):
        builder.build(without_npm)
    assert list(without_npm.parent.iterdir()) == []


@pytest.mark.long
def test_the_archive_is_pure_python_and_always_the_same(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        builder.write_python(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()

    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert {"arcproof/interface/browser.py", "arcproof/transitions/systems/arc-eager.tsys", "lark/lark.py"} <= {*names}
    assert not [name for name in names if name.endswith((".so", ".pyc")) or "/tests/" in name]


def test_the_page_allows_nothing_but_its_own_files(tmp_path: Path) -> None:
    builder.write_page(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")

    assert "default-src &#39;none&#39;; script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39;;" in page
    assert "//" not in page.replace("<!DOCTYPE html>", "")
    assert "unsafe-inline" not in page
