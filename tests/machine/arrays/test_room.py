"""Figures with `shared` may put a node into as many places as they like: what does not fit has room when there is more
of it.
"""

import math
import random
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, assume, given, settings

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.arrays.module import ArrayState, Runner
from arcproof.transitions.machine.meaning import NotAssembled
from arcproof.transitions.system import System, load
from tests.transitions.random_figures import figures

pytestmark = pytest.mark.compiler

STEPS = 60
ROOMS = 4**4


def taken(runner: Runner, words: int, run: list[Transition]) -> ArrayState | None:
    """The configuration that a run leads to, or None where it does not fit."""
    state = runner.state(words)
    return state if all(state.take(transition) for transition in run) else None


def walk(system: System, words: int, seed: int) -> int:
    """A random run; a transition that is permitted is taken, if not at once then with more room.  How much more was
    needed.
    """
    chance, runner = random.Random(seed), Runner.of(system)
    run: list[Transition] = []
    state: ArrayState | None = runner.state(words)
    while len(run) < STEPS:
        assert state is not None
        permitted = state.permitted()
        if not permitted:
            break
        run.append(chance.choice(permitted))
        if not state.take(run[-1]):
            while (state := taken(runner, words, run)) is None and runner.rooms < ROOMS:
                runner = runner.roomier
            if state is None:
                break
    return runner.rooms


@pytest.mark.parametrize("name", [name for name in system_names() if load(name).figure.shared])
def test_built_in_figures_have_the_usual_room(name: str) -> None:
    assert {walk(load(name), words, seed) for words in (1, 2, 5) for seed in range(5)} == {1}


def check_random(figure: s.Figure) -> None:
    assume(figure.shared)
    values = {d.name: d.default.value if isinstance(d.default, s.Number) else math.inf for d in figure.parameters}
    try:
        system = System(figure, MappingProxyType(values), "")
        rooms = [walk(system, words, seed) for words in (1, 3) for seed in range(3)]
    except NotAssembled:
        return
    assert all(room <= ROOMS for room in rooms)


def test_a_figure_that_copies_nodes_gets_the_room_that_it_needs() -> None:
    copies = load(
        "system copies\n  shared\n  state stack σ, buffer β\n  start [0], [1..n]\n  final β = []\n"
        "  SHIFT  σ, i|β  =>  σ|i|i|i|i, β\n  oracle none\n"
    )
    assert [walk(copies, words, 1) for words in (1, 4, 5, 20)] == [1, 4, 4, 4]


def test_a_start_with_every_node_three_times_has_room() -> None:
    system = load(
        "system thrice\n  shared\n  state stack σ, buffer β\n  start [0..n, 0..n, 0..n], [1..n]\n  final β = []\n"
        "  SHIFT  σ, i|β  =>  σ|i, β\n  oracle none\n"
    )
    assert Runner.of(system).state(40).configuration() == system.start(40)
    assert walk(system, 40, 1) == 4


@pytest.mark.nightly
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(figures())
def test_many_random_figures_refuse_nothing_that_they_permit(figure: s.Figure) -> None:
    check_random(figure)
