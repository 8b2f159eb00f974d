"""What a transition costs does not depend on the length of the sentence: counted in reads of the arrays, not in seconds.

The generated text runs as plain Python over arrays that count; `benchmarks/lengths.py` measures the same in native code and seconds.
"""

import random
from typing import Any, ClassVar

import numpy as np
import pytest
from arcproof.classifiers.features.model import Vocabulary, load_model, program, suggested_model
from arcproof.transitions.configuration import Transition
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import Runner, no_gold
from arcproof.transitions.system import load

from tests.machine.arrays.test_agreement import interpreted


class Counting(np.ndarray):  # type: ignore[type-arg]
    """An array that counts how often it is read."""

    reads: ClassVar[int] = 0

    def __getitem__(self, key: Any) -> Any:
        Counting.reads += 1
        return super().__getitem__(key)


def known_codes(code: Runner) -> list[int]:
    """Every transition, those with a choice with lengths of up to three."""
    found = [Transition(name, None, choice) for name in code.names for choice in ((), (1,), (2,), (3,))]
    return sorted({code.code(transition) for transition in found})


def reads_for_each_transition(name: str, words: int, seed: int) -> float:
    system = load(name)
    code = interpreted(system)
    state = code.state(words)
    cells, size, tree = (array.view(Counting) for array in (state.cells, state.size, state.tree))
    model = program(system, load_model(suggested_model(system)), Vocabulary.of([]))
    tokens, gold = np.zeros((5, words + 1), dtype=np.int64), no_gold(words)
    nodes, row = np.zeros(len(model.addresses), dtype=np.int64), np.zeros(len(model.features), dtype=np.int32)
    known = np.array(known_codes(code))
    allowed = np.zeros(len(known), dtype=np.bool_)
    scratch = np.zeros(4 * words + 32, dtype=np.int64)
    chance = random.Random(seed)
    taken = 0
    Counting.reads = 0
    while True:
        found = code.module.look(
            cells, size, tree, words, tokens, model.addresses, model.features, nodes, row, known, allowed
        )
        if found <= 0:
            return Counting.reads / taken
        chosen = int(chance.choice(known[allowed].tolist()))
        assert code.module.step(cells, size, tree, words, gold, chosen, 0, scratch) == kernel.DONE
        taken += 1


@pytest.mark.parametrize(
    "name", ["arc-eager", "swap-max2", "list-nonprojective", "choi-palmer", "arc-swift", "nl-covington"]
)
def test_a_transition_of_a_long_sentence_costs_what_one_of_a_short_sentence_costs(name: str) -> None:
    short = np.mean([reads_for_each_transition(name, 30, seed) for seed in range(10)])
    long = reads_for_each_transition(name, 300, 1)

    assert long < 1.5 * short
