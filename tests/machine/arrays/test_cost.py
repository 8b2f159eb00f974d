"""What a transition costs does not depend on the length of the sentence: counted in steps of the machine, not in
seconds.

`benchmarks/lengths.py` measures the same in seconds.
"""

import random
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from arcproof import native
from arcproof.transitions.configuration import Transition
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import Runner
from arcproof.transitions.system import load

pytestmark = pytest.mark.compiler

FIGURES = ["arc-eager", "swap-max2", "list-nonprojective", "choi-palmer", "arc-swift", "nl-covington"]
MAX_LENGTH = 2  # of runs that a transition chooses: a parser tries only those that it knows


Choose: TypeAlias = Callable[[list[int]], int]


def work_for_each_transition(name: str, words: int, choose: Choose) -> float:
    """Steps of the machine in a run: to see whether it ends, to list what is permissible, and to go on."""
    runner, taken = Runner.of(load(name)), 0
    sentence = runner.state(words).sentence()
    ask, registers = native.library, sentence.registers
    while ask.performed(sentence, kernel.TERMINAL, 0, 0) != kernel.DONE:
        place, codes = ask.begin_permitted(sentence, kernel.PERMITTED), []
        for choice in range(kernel.MOST_CHOICES):
            registers[kernel.FIRST_CHOICE + choice] = MAX_LENGTH
        while (place := ask.execute(sentence, place)) >= 0:
            codes.append(registers[kernel.ANSWER])
        if not codes:
            break
        assert ask.performed(sentence, kernel.STEP, choose(codes), 0) == kernel.DONE
        taken += 1
    assert taken >= words
    return float(sentence.work) / taken


@pytest.mark.parametrize("name", FIGURES)
def test_a_transition_of_a_long_sentence_costs_what_one_of_a_short_sentence_costs(name: str) -> None:
    choose = random.Random(1).choice
    short = np.mean([work_for_each_transition(name, 30, choose) for _ in range(10)])

    assert work_for_each_transition(name, 600, choose) < 1.5 * short


def test_a_long_path_of_arcs_is_not_walked_again_and_again() -> None:
    """Arc-eager's first choice attaches every word to the one before it."""
    short, long = (work_for_each_transition("arc-eager", words, lambda codes: codes[0]) for words in (30, 600))

    assert long < 1.5 * short


def test_a_figure_whose_transitions_look_at_the_whole_sentence_costs_more() -> None:
    """Removing an arc does."""
    choose = random.Random(1).choice
    short, long = (work_for_each_transition("nonmonotonic-2013", words, choose) for words in (30, 600))

    assert long > 1.5 * short


def test_a_step_costs_what_it_changes() -> None:
    """SHIFT moves one cell, whatever the length of the sentence."""
    state = Runner.of(load("arc-eager")).state(20_000)
    before = state.cells.copy()

    assert state.take(Transition("SHIFT"))
    assert np.count_nonzero(state.cells != before) == 1
