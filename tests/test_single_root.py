"""The systems with a single root: what they derive, how long their runs are, and what changes without their guards."""

import pytest

from arcproof.properties.checks.class_of import check_class
from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Refuted
from arcproof.properties.property import check_statement
from arcproof.transitions.syntax import GraphClass, Restriction, Sound
from arcproof.transitions.system import load
from tests.catalogue import SINGLE_ROOT
from tests.examples import NEWS

PROJECTIVE = GraphClass((Restriction("single-root"), Restriction("projective")), "trees")
DERIVATIONS = {
    "arc-standard-single-root": (
        "SHIFT SHIFT LEFT-ARC SHIFT LEFT-ARC SHIFT SHIFT LEFT-ARC SHIFT SHIFT SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC "
        "RIGHT-ARC SHIFT RIGHT-ARC RIGHT-ARC"
    ),
    "arc-hybrid-single-root": (
        "SHIFT LEFT-ARC SHIFT LEFT-ARC SHIFT SHIFT LEFT-ARC SHIFT SHIFT SHIFT LEFT-ARC SHIFT RIGHT-ARC RIGHT-ARC "
        "RIGHT-ARC SHIFT RIGHT-ARC LEFT-ARC"
    ),
    "arc-eager-single-root": (
        "SHIFT LEFT-ARC SHIFT LEFT-ARC SHIFT SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC SHIFT LEFT-ARC RIGHT-ARC REDUCE "
        "REDUCE REDUCE RIGHT-ARC REDUCE ROOT"
    ),
}
"""Of Nivre 2008, Figure 2, whose root is `had`."""
GUARDS = {"arc-standard-single-root": "if i != 0 or β = []", "arc-hybrid-single-root": "if j != 0 or σ = []"}


def test_every_system_with_a_single_root_has_a_derivation() -> None:
    assert set(SINGLE_ROOT) == set(DERIVATIONS)


@pytest.mark.parametrize("name", SINGLE_ROOT)
def test_the_derivation_of_a_printed_sentence(name: str) -> None:
    derivation = load(name).derive(NEWS.graph)

    assert " ".join(step.transition.instance for step in derivation.steps) == DERIVATIONS[name]
    assert derivation.graph == NEWS.graph


@pytest.mark.compiler
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SINGLE_ROOT)
def test_the_outputs_are_as_many_as_single_root_projective_trees(name: str, engine: EngineName) -> None:
    """C(3n - 2, n - 1)/n of them; nothing is a dead end, and some run is as long as the figure claims."""
    counted = [engine_for(load(name), engine).count(words, None) for words in range(1, 6)]

    assert [level.outputs for level in counted] == [level.trees for level in counted] == [1, 2, 7, 30, 143]
    assert [level.dead_ends for level in counted] == [0] * 5
    longest = 4 if name == "arc-eager-single-root" else 2
    assert [level.longest for level in counted] == [longest * n - (longest - 2) for n in range(1, 6)]


def test_the_class_that_is_claimed_is_compared_with_the_outputs() -> None:
    found = {one.graphs: one.relation for one in check_class(Levels(load("arc-hybrid-single-root"), 3))}

    assert found[PROJECTIVE] == "equal"
    assert list(found.values()).count("equal") == 1


@pytest.mark.parametrize("name", GUARDS)
def test_without_its_guard_0_gets_two_dependents(name: str) -> None:
    changed = load(load(name).text.replace(GUARDS[name], ""))
    found = check_statement(Levels(changed, 3), Sound(PROJECTIVE))

    assert isinstance(found, Refuted)
    assert str(found.counterexample.graph) == "0,0"
