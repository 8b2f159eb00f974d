"""Exact losses: those worked out backwards are those found by searching from every configuration."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.engines.engine import engine_for
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.losses import UNREACHABLE, Losses, losses, losses_for_class
from arcproof.properties.engines.output_sets import heads_of
from arcproof.properties.engines.outputs import Codes, codes_of
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads
from arcproof.transitions.syntax import GraphClass, Restriction
from arcproof.transitions.system import System, load
from tests.catalogue import fewer
from tests.single_heads import SINGLE_HEADED

FORESTS = GraphClass((), "forests")
TREES = GraphClass((), "trees")
BACK_AND_FORTH = """system back-and-forth
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT    σ, j|β    =>  σ|j, β
  BACK     σ|i, j|β  =>  σ, i|j|β                 if i != 0
  ARC(l)   σ|i, j|β  =>  σ|i, β    add i -l-> j

  claims
    sound forests
"""


def outputs_from(system: System, start: Configuration) -> set[Heads]:
    """Every output that a run from a configuration reaches."""
    found: set[Heads] = set()
    seen, todo = {start}, [start]
    while todo:
        c = todo.pop()
        if system.is_terminal(c):
            found.add(c.graph.heads)
            continue
        for transition in system.permissible(c):
            after = system.apply(c, transition)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return found


@cache
def loss(output: Heads, gold: Heads) -> int:
    return sum(built != wanted for built, wanted in zip(output, gold, strict=True))


def agrees_with_a_search(found: Losses, system: System) -> bool:
    """For every configuration and every gold graph."""
    space = found.space
    golds = [heads_of(code, space.words) for code in found.golds]
    for number in range(space.size):
        reached = outputs_from(system, space.configuration(number))
        wanted = [min((loss(output, gold) for output in reached), default=UNREACHABLE) for gold in golds]
        if found.table[number].tolist() != wanted:
            return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("name", SINGLE_HEADED)
def test_losses_are_those_of_the_nearest_output_that_a_search_reaches(name: str, words: int) -> None:
    system = load(name)
    for found in losses_for_class(explore(system, min(words, fewer(name, 4))), TREES if words == 3 else FORESTS):
        assert agrees_with_a_search(found, system)


@pytest.mark.compiler
@pytest.mark.parametrize("name", ["arc-eager", "swap", "nl-covington", "list-nonprojective"])
def test_both_engines_give_the_same_losses(name: str) -> None:
    system = load(name)
    projective = GraphClass((Restriction("projective"),), "trees")
    by_hand, by_machine = (
        next(iter(losses_for_class(engine_for(system, engine).space(4, False, None), projective)))
        for engine in ("interpreter", "compiled")
    )

    assert np.array_equal(by_hand.golds, by_machine.golds)
    assert np.array_equal(by_hand.table, by_machine.table)


def test_other_losses_are_functions() -> None:
    """One that forgives words which should hang on the root is that of a search that does."""

    def below_the_root(built: Codes, gold: Codes) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return (built != gold) & (gold > 1)

    system, space = load("arc-hybrid"), explore(load("arc-hybrid"), 3)
    for found in losses_for_class(space, TREES, below_the_root):
        for number, place in product(range(space.size), range(len(found.golds))):
            gold = heads_of(found.golds[place], 3)
            least = min(
                sum(a != b and b != 0 for a, b in zip(output, gold, strict=True))
                for output in outputs_from(system, space.configuration(number))
            )
            assert found.table[number, place] == least


def test_a_way_back_does_not_hide_what_lies_behind_it() -> None:
    """After BACK the buffer is as long as before, so that losses must be passed on more than once."""
    system = load(BACK_AND_FORTH)
    (found,) = losses_for_class(explore(system, 3), FORESTS)

    assert agrees_with_a_search(found, system)


def test_the_cost_of_a_transition_is_what_it_makes_unreachable() -> None:
    """In arc-eager's ([0], [1, 2]), RIGHT-ARC costs the arc from 2 to 1."""
    system = load("arc-eager")
    space = explore(system, 2)
    found = losses(space, codes_of([(2, 0)], 2))
    edges = {space.transition(edge).name: edge for edge in range(space.steps.starts[1])}

    assert {name: found.costs(edge).tolist() for name, edge in edges.items()} == {"SHIFT": [0], "RIGHT-ARC": [1]}


def test_where_no_run_ends_there_is_no_loss() -> None:
    """A configuration in which the figure is stuck, or will be."""
    stuck = BACK_AND_FORTH.replace("  BACK     σ|i, j|β  =>  σ, i|j|β                 if i != 0\n", "").replace(
        "final β = []", "final β = [], |σ| = 1"
    )
    space = explore(load(stuck), 2)
    found = losses(space, codes_of(all_graphs(FORESTS, 2), 2))

    dead = [n for n in range(space.size) if not outputs_from(space.system, space.configuration(n))]
    assert dead
    assert (found.table[dead] == UNREACHABLE).all()
