"""How often parsing reads the arrays for each transition: run by `test_cost` in a process of its own.

The machine and its loops run as plain Python then, over arrays that count.
"""

import json
import random
import sys
from typing import Any, ClassVar

import numpy as np

from arcproof.classifiers.features.model import load_model, program, suggested_model
from arcproof.classifiers.features.vocabulary import Vocabulary
from arcproof.classifiers.steps import proceed
from arcproof.process.jit import Native
from arcproof.transitions.configuration import Transition
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import Runner
from arcproof.transitions.system import load


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
    """Reads of the program and of the configurations of a random run."""
    system = load(name)
    code = Runner.of(system)
    state = code.state(words)
    cells, size, trees = (array.view(Counting) for array in (state.cells.ravel(), state.size, state.tree.ravel()))
    model = program(system, load_model(suggested_model(system)), Vocabulary.of([]))
    known = np.array(known_codes(code))
    rows, entries, r = code.figure
    everything = (
        *(array for whole in (cells, trees) for array in (whole, np.array([0, whole.size]))),
        np.zeros(5 * (words + 1), dtype=np.int64), np.array([0, 5 * (words + 1)]),
    )  # fmt: skip
    columns, nodes = np.zeros((1, len(model.features)), dtype=np.int32), np.zeros(len(model.addresses), dtype=np.int64)
    allowed, found = np.zeros((1, len(known)), dtype=np.bool_), np.zeros((3, 1), dtype=np.int64)
    limits = np.empty(kernel.MOST_CHOICES, dtype=np.int64)
    chance, taken, chosen = random.Random(seed), 0, -1
    Counting.reads = 0
    while True:
        assert proceed(
            rows.view(Counting), entries, r, np.array([0]), np.array([chosen]), np.array([0]), *everything[:2], size.reshape(1, -1),
            *everything[2:4], np.array([words]), code.no_gold(words), np.zeros(4 * words + 32, dtype=np.int64), *everything[4:], model.addresses,
            model.features, nodes, columns, known, limits, allowed, -1, False, *found,
        )  # fmt: skip
        if found[0, 0] <= 0 or not allowed.any():
            return Counting.reads / taken
        chosen = int(chance.choice(known[allowed[0]].tolist()))
        taken += 1


if __name__ == "__main__":
    Native.__call__ = lambda self, *arguments: self.function(*arguments)  # type: ignore[method-assign]
    for name in sys.argv[1:]:
        short = np.mean([reads_for_each_transition(name, 30, seed) for seed in range(10)])
        print(json.dumps({"name": name, "short": float(short), "long": reads_for_each_transition(name, 600, 1)}))
