"""Running over arrays, and by the definition: the same transitions, the same configurations, the same oracles.

Most of these tests run the generated text as plain Python, which needs no compiler; one does the same in native code.
"""

import random
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from arcproof.classifiers.native import PARTS
from arcproof.generators.enumeration import count_projective_trees, count_trees, unrank_projective_tree, unrank_tree
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.execute import reaches
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.emit import NotCompilable, decoded, encoded
from arcproof.transitions.machine.arrays.module import ArrayState, Runner, runner, source_of
from arcproof.transitions.system import System, load

from tests.conftest import ROOT

TO_COME = sorted((ROOT / "tests" / "figures_to_come").glob("*.tsys"))
REFERENCES = [*system_names(), "covington[d=1]", "covington[d=0]", "attardi[d=3]", *map(str, TO_COME)]


def interpreted(system: System) -> Runner:
    """The generated code as plain Python, with that of features and whole runs."""
    text = source_of(system, *PARTS).replace(
        "from numba import njit", "def njit(**_):\n    return lambda function: function"
    )
    module = ModuleType("plain")
    exec(compile(text, f"<{system.name}>", "exec"), vars(module))
    return Runner(system, module)


def without_labels(c: Configuration) -> Configuration:
    return Configuration(c.words, c.names, c.values, frozenset(Arc(a.head, None, a.dependent) for a in c.arcs))


def forest_steps(system: System, c: Configuration) -> list[Transition]:
    """The permissible transitions that keep the graph a forest in which 0 is a root."""
    found = []
    for step in system.steps(c):
        after = step.configuration
        closes = any(reaches(after, arc.dependent, arc.head) for arc in step.added)
        if not step.clashes and not closes and all(arc.dependent != 0 for arc in step.added):
            found.append(step.transition)
    return found


def walk_together(system: System, code: Runner, words: int, seed: int) -> int:
    """A random run, step by step in both meanings; its length."""
    chance = random.Random(seed)
    c, state = system.start(words), code.state(words)
    for length in range(200):
        assert state.configuration() == without_labels(c)
        assert state.is_terminal() == system.is_terminal(c)
        wanted = forest_steps(system, c)
        assert state.permitted() == wanted
        if system.is_terminal(c) or not wanted:
            return length
        possible = [
            Transition(name, None, choice)
            for name in code.names
            for choice in [(), *((k,) for k in range(1, words + 3))]
        ]
        assert [transition for transition in possible if state.allows(transition)] == [
            transition for transition in possible if transition in wanted
        ]
        for transition in possible:
            assert transition in wanted or not state.take(transition), transition
        chosen = chance.choice(wanted)
        c = system.apply(c, chosen)
        assert state.take(chosen)
    return 200


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_random_runs_agree_with_the_interpreter(reference: str) -> None:
    system = load(reference)
    try:
        code = interpreted(system)
    except NotCompilable as reason:
        pytest.skip(f"no code for {reason}")
    longest = max(walk_together(system, code, seed % 7, seed) for seed in range(40))

    assert longest > 3


def oracles_agree(system: System, code: Runner, gold: Graph) -> None:
    kept = gold if system.has_root else Graph(gold.words, frozenset(a for a in gold.arcs if a.head))
    rows = code.gold(gold, [0] * gold.words)
    for place, oracle in enumerate(system.figure.oracles):
        c, state = system.start(gold.words), code.state(gold.words)
        for _ in range(100):
            if system.is_terminal(c):
                break
            wanted = system.predict(c, Gold(kept), oracle)
            assert state.predict(place, rows) == (
                None if wanted is None else Transition(wanted.name, None, wanted.choice)
            )
            if wanted is None or Transition(wanted.name, None, wanted.choice) not in forest_steps(system, c):
                break
            c = system.apply(c, wanted)
            assert state.take(Transition(wanted.name, None, wanted.choice), 0, rows)


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_oracles_agree_with_the_interpreter(reference: str) -> None:
    system = load(reference)
    if not system.figure.oracles:
        pytest.skip("oracle none")
    try:
        code = interpreted(system)
    except NotCompilable as reason:
        pytest.skip(f"no code for {reason}")
    chance = random.Random(1)
    for words in range(7):
        for _ in range(6):
            oracles_agree(system, code, graph_of(unrank_tree(words, chance.randrange(count_trees(words)))))
            rank = chance.randrange(count_projective_trees(words))
            oracles_agree(system, code, graph_of(unrank_projective_tree(words, rank)))


@pytest.mark.compiler
def test_native_code_does_the_same() -> None:
    system = load("arc-eager")
    code = runner(system)

    assert max(walk_together(system, code, seed % 7, seed) for seed in range(40)) > 3
    oracles_agree(system, code, graph_of((2, 0, 2)))


def test_codes_and_transitions_are_the_same_thing() -> None:
    for name, choice in ((0, ()), (3, (1,)), (7, (5000, 2, 99_999))):
        assert decoded(encoded(name, choice)) == (name, choice)


def test_a_second_head_a_cycle_and_a_head_of_node_0_are_never_permitted() -> None:
    text = 'system loose\n  cite "none"\n  state stack σ, buffer β\n  start [0], [1..n]\n  final β = []\n\n  LEFT σ|i, j|β => σ|i, j|β add j -> i\n  RIGHT σ|i, j|β => σ|i, j|β add i -> j\n  SHIFT σ, j|β => σ|j, β\n\n  oracle none\n'
    code = interpreted(load(text))
    state = code.state(2)

    assert state.permitted() == [Transition("RIGHT"), Transition("SHIFT")]
    assert state.take(Transition("SHIFT"))
    assert state.take(Transition("LEFT"))
    assert state.permitted() == [Transition("SHIFT")]
    assert not state.take(Transition("RIGHT"))


def test_a_step_costs_what_it_changes() -> None:
    """A sentence of 20,000 words: SHIFT moves one cell, so that a run over all of them is quick even in plain Python."""
    code = interpreted(load("arc-eager"))
    state: ArrayState = code.state(20_000)
    step, gold, scratch = (
        code.module.step,
        np.zeros((kernel.GOLD_ROWS, 20_001), dtype=np.int64),
        np.zeros(8, dtype=np.int64),
    )
    shift = code.code(Transition("SHIFT"))
    for _ in range(20_000):
        assert step(state.cells, state.size, state.tree, 20_000, gold, shift, 0, scratch) == kernel.DONE

    assert state.is_terminal()
