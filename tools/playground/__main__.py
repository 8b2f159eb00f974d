"""Build the page: `python -m tools.playground build/site/playground`.

Pyodide comes from npm, in one version whose hash is known; whatever is Python comes from this checkout and from the
environment in which this runs.  Nothing is loaded from elsewhere when the page is viewed.  The page is put together
beside its place and moved there when it is complete.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arcproof._version import __version__
from arcproof.interface.browser import MOST_WORDS
from arcproof.transitions.library import source_of, system_names

ROOT: Final = Path(__file__).resolve().parent.parent.parent
HERE: Final = Path(__file__).resolve().parent
DOWNLOADS: Final = ROOT / "build" / "npm"
PYODIDE: Final = "314.0.7"
INTEGRITY: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package, as npm writes it."""
FROM_PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
DISTRIBUTIONS: Final = ("click", "jinja2", "lark", "markupsafe", "networkx")
"""What the answers of `arcproof.interface.browser` need; all of it runs as pure Python."""
SCRIPTS: Final = ("page.js", "worker.js", "page.css")
FIRST: Final = "arc-eager"
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)


class NotThere(Exception):
    """What the page is made of is not there; the message says what."""


def pyodide_package() -> Path:
    """The package of Pyodide, downloaded unless it is there."""
    path = DOWNLOADS / f"pyodide-{PYODIDE}.tgz"
    if not path.is_file():
        npm = shutil.which("npm")
        if npm is None:
            raise NotThere("npm is not installed")
        DOWNLOADS.mkdir(parents=True, exist_ok=True)
        command = [npm, "pack", "--silent", "--pack-destination", str(DOWNLOADS), f"pyodide@{PYODIDE}"]
        done = subprocess.run(command, cwd=DOWNLOADS, capture_output=True, text=True, check=False)
        if done.returncode or not path.is_file():
            reason = (done.stderr.strip().splitlines() or ["no reason is given"])[-1]
            raise NotThere(f"npm cannot fetch pyodide {PYODIDE}: {reason}")
    if base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode("ascii") != INTEGRITY:
        path.unlink()
        raise NotThere(f"pyodide {PYODIDE} from npm is not the package that is expected, and was deleted")
    return path


def unpack_pyodide(package: Path, folder: Path) -> None:
    """The files that a browser needs."""
    folder.mkdir()
    with tarfile.open(package) as archive:
        for name in FROM_PYODIDE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name
            (folder / name).write_bytes(member.read())


def package_files() -> Iterator[tuple[str, Path]]:
    """The files of the package as they are installed, each with its place there."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    homes, data = settings["package-dir"], settings["package-data"]["*"]
    for package in settings["packages"]:
        home = max((name for name in homes if f"{package}.".startswith(f"{name}.")), key=len)
        folder = ROOT.joinpath(homes[home], *package.removeprefix(home).strip(".").split("."))
        for path in sorted({path for pattern in ("*.py", *data) for path in folder.glob(pattern)}):
            yield f"{package.replace('.', '/')}/{path.relative_to(folder).as_posix()}", path


def distribution_files(name: str) -> Iterator[tuple[str, Path]]:
    """The files of a package of the environment, without native code and tests."""
    for file in distribution(name).files or ():
        parts = file.parts
        if ".." not in parts and "tests" not in parts and "__pycache__" not in parts and file.suffix != ".so":
            path = Path(str(file.locate()))
            if path.is_file():
                yield file.as_posix(), path


def write_python(target: Path) -> None:
    """Everything in Python, in an archive that is the same whenever it is made of the same files."""
    files = dict(package_files())
    for name in DISTRIBUTIONS:
        files.update(distribution_files(name))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED)


def write_page(folder: Path) -> None:
    """The page, its scripts and styles, and the texts of the built-in systems."""
    names = sorted(system_names(), key=lambda name: (name != FIRST, name))
    templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    html = templates.get_template("index.html").render(
        policy=POLICY, systems=names, words=range(1, MOST_WORDS + 1), version=__version__, pyodide=PYODIDE
    )
    (folder / "index.html").write_text(html, encoding="utf-8")
    for name in SCRIPTS:
        shutil.copyfile(HERE / name, folder / name)
    for name in ("style.css", "runs.js"):
        shutil.copyfile(ROOT / "arcproof" / "reports" / "templates" / name, folder / name)
    sources = {name: source_of(name) for name in names}
    (folder / "systems.json").write_text(json.dumps(sources), encoding="utf-8")


def build(target: Path) -> None:
    """Put the page together and move it to its place; `NotThere` leaves nothing there."""
    shutil.rmtree(target, ignore_errors=True)
    package = pyodide_package()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".playground-") as beside:
        folder = Path(beside) / "page"
        folder.mkdir()
        unpack_pyodide(package, folder / "pyodide")
        write_python(folder / "python.zip")
        write_page(folder)
        folder.rename(target)


def main() -> int:
    """Build the page, or say in one sentence why there is none: the rest of the site does without."""
    target = Path(sys.argv[1]).resolve()
    try:
        build(target)
    except NotThere as error:
        print(f"the site has no playground: {error}", file=sys.stderr)
        return 0
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{sys.argv[1]}: {size / 1e6:.1f} MB, Pyodide {PYODIDE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
