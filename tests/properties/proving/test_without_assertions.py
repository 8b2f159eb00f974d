"""`python -O`, which leaves assertions out: what is false is proved there as little as anywhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORPUS = ("test_false_proofs.py", "test_doctored.py", "test_store.py", "test_certificates.py", "test_helps.py")
CANARIES = """
import pytest
from arcproof.properties.proving.prover import Prover
from arcproof.transitions.system import load

def test_an_assertion_of_a_test_counts():
    assert not __debug__
    assert False

def test_an_assertion_of_the_prover_does_not():
    with pytest.raises(AttributeError):
        Prover(load("arc-eager"))._answered
"""


@pytest.mark.process
@pytest.mark.nightly
def test_nothing_false_is_proved_without_assertions(tmp_path: Path) -> None:
    """The assertions of tests are pytest's own.  It would make those of a package with a plugin its own, too."""
    (tmp_path / "test_canaries.py").write_text(CANARIES, encoding="utf-8")
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = ["-O", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestConfigWarning"]
    done = subprocess.run(
        [sys.executable, *command, "-rf", str(tmp_path), *(str(HERE / name) for name in CORPUS)],
        cwd=HERE.parents[2],
        env={**ours, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]

    assert len(failed) == 1, done.stdout + done.stderr
    assert "test_an_assertion_of_a_test_counts - assert False" in failed[0]
    assert "1 failed, " in done.stdout.splitlines()[-1]
    assert " passed" in done.stdout.splitlines()[-1]
