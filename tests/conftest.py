"""The suite is sealed: what a test sees of the machine is its own, whoever runs it, where, and after what.

The environment has nothing of the user's but how to find tools (`INHERITED`).  Every test has an empty home, cache and
working folder and a temporary folder of its own, which are removed after it; umask and locale are fixed.  Only what is
slow to make is shared: tables of grammars (`SHARED`), which every process of the suite finds in its cache.
"""

import itertools
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from arcproof.process import side_by_side
from arcproof.process.cache import is_trusted
from tests.in_process import SETTINGS, Result, run_here

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"

INHERITED = {
    "PATH",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "JAVA_HOME",
    "TLA2TOOLS_JAR",
    "PYTHONHASHSEED",
    "HYPOTHESIS_PROFILE",
    "ARCPROOF_CHROMIUM",
    "ARCPROOF_SCREENSHOTS",
}
"""What the suite takes over from the environment in which it is started."""
FIXED = {
    "LC_ALL": "C.UTF-8",
    "ARCPROOF_ENGINE": "interpreter",  # most tests ask the definition; those of native code name it or use the default
    "ARCPROOF_PROOFS": "none",  # tests of kept proofs and of the run store say that they want one
    "ARCPROOF_STORE": "off",
}
SHARED = ("grammars",)


def _shared_cache() -> Path:
    """A folder of the suite's for what is slow to make: in the checkout, or where others can write to that, outside."""
    folder = ROOT / "build" / "suite"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_trusted(folder):
        folder = Path(tempfile.gettempdir(), f"arcproof-suite-{os.getuid()}")
    for kind in SHARED:
        (folder / kind).mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


os.umask(0o022)
_inherited = {
    name: value for name, value in os.environ.items() if name in INHERITED or name.startswith(("PYTEST_XDIST_", "COV_"))
}
os.environ.clear()
os.environ.update(_inherited | FIXED)
CACHE = _shared_cache()
os.environ["ARCPROOF_CACHE"] = str(CACHE)  # for what is made before a test begins
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(ROOT / "build" / "hypothesis")

# How fast the machine is decides nothing: short calls stay in this process, however long they take.
side_by_side.ALONE = math.inf  # type: ignore[misc]

settings.register_profile("suite", derandomize=True, deadline=None, database=None, max_examples=30)
settings.register_profile("nightly", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

# A suite that is started in the background inherits that Ctrl-C is ignored, and so would what it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def _folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for the folders of the tests, one after the other."""
    base = tmp_path_factory.mktemp("sealed")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def sealed(_folders: Iterator[Path]) -> Iterator[None]:
    """A home, a cache, a working and a temporary folder, and an environment, of this test alone."""
    folder = next(_folders)
    for name in ("home", "tmp", "work", "cache"):
        (folder / name).mkdir(parents=True)
    for kind in SHARED:
        (folder / "cache" / kind).symlink_to(CACHE / kind)
    before, modules, path = dict(os.environ), set(sys.modules), list(sys.path)
    os.environ.update(HOME=str(folder / "home"), TMPDIR=str(folder / "tmp"), ARCPROOF_CACHE=str(folder / "cache"))
    tempfile.tempdir = None
    os.umask(0o022)
    os.chdir(folder / "work")
    yield
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(before)
    tempfile.tempdir = None
    sys.path[:] = path
    for name in sys.modules.keys() - modules:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(folder.parent.parent)):
            del sys.modules[name]
    shutil.rmtree(folder, ignore_errors=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """These fixtures start a process."""
    if not {"arcproof_apart", "run_apart"}.isdisjoint(getattr(item, "fixturenames", ())):
        item.add_marker("process")


@pytest.fixture
def arcproof(tmp_path: Path) -> Callable[..., Result]:
    """Run the command line in an empty directory."""

    def run(*arguments: str, stdin: str = "") -> Result:
        return run_here(arguments, tmp_path, stdin)

    return run


@pytest.fixture
def arcproof_apart(tmp_path: Path) -> Callable[..., Result]:
    """Run the command line in an empty directory, in a process of its own."""

    def run(*arguments: str, stdin: str = "") -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "arcproof", *arguments],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            env={**os.environ, "PYTHONPATH": str(ROOT), **SETTINGS},
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def treebanks() -> Path:
    """The folder of real treebanks; the test is skipped where there is none."""
    if not TREEBANKS.is_dir():
        pytest.skip("no treebanks beside the project: ../shared/treebanks is missing")
    return TREEBANKS
