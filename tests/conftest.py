"""Settings for the whole suite: fixed seeds, no deadlines on shared machines."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.in_process import SETTINGS, Result, run_here

settings.register_profile("suite", derandomize=True, deadline=None, database=None, max_examples=30)
settings.register_profile("nightly", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

# Most tests ask the definition; those of the compiled engine, and the documents, name it or use the default.
os.environ.setdefault("ARCPROOF_ENGINE", "interpreter")

# Reports must not depend on which proofs happen to be kept on this machine.
os.environ.setdefault("ARCPROOF_PROOFS", "none")

# Nor on what earlier runs have stored; tests of the run store have one of their own.
os.environ["ARCPROOF_STORE"] = "off"

# A suite that is started in the background inherits that Ctrl-C is ignored, and so would what it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ("tests.lanes",)

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"


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
