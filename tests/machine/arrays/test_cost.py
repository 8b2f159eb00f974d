"""What a transition costs does not depend on the length of the sentence: counted in reads of the arrays, not in
seconds.

`benchmarks/lengths.py` measures the same in seconds.
"""

import json
import subprocess
import sys

import numpy as np
import pytest

from arcproof.transitions.configuration import Transition
from arcproof.transitions.machine.arrays.module import Runner
from arcproof.transitions.system import load
from tests.conftest import ROOT

pytestmark = pytest.mark.compiler

FIGURES = ["arc-eager", "swap-max2", "list-nonprojective", "choi-palmer", "arc-swift", "nl-covington"]


@pytest.mark.nightly
def test_a_transition_of_a_long_sentence_costs_what_one_of_a_short_sentence_costs() -> None:
    command = [sys.executable, "-m", "tests.machine.arrays.reads", *FIGURES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["name"] for line in found] == FIGURES
    assert [line["name"] for line in found if line["long"] >= 1.5 * line["short"]] == []


def test_a_step_costs_what_it_changes() -> None:
    """SHIFT moves one cell, whatever the length of the sentence."""
    state = Runner.of(load("arc-eager")).state(20_000)
    before = state.cells.copy()

    assert state.take(Transition("SHIFT"))
    assert np.count_nonzero(state.cells != before) == 1
