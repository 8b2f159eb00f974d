"""Spaces of the interpreter whose paths native code finds, beside those whose paths networkx finds."""

import pytest

from arcproof.properties.engines.engine import Interpreter
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.small_space import small_space
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.studies.mutation import explorer
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load
from tests.catalogue import each

pytestmark = pytest.mark.compiler

BACK_AND_FORTH = """system x
state   stack σ, buffer β
start   [0], [1..n]
final   β = []
SHIFT   σ, i|β  =>  σ|i, β
BACK    σ|i, β  =>  σ, i|β   if i != 0
"""
NEVER_ENDS = BACK_AND_FORTH.replace("final   β = []", "final   σ = []")


@pytest.mark.parametrize(
    "text", [*each(system_names()), BACK_AND_FORTH, NEVER_ENDS], ids=lambda text: text.split("\n")[0]
)
def test_paths_are_those_of_the_reference(text: str) -> None:
    system = load(text)
    for words in range(4):
        small, reference = small_space(system, words, False, None), explore(system, words)
        assert small.configurations == reference.configurations
        assert small.useful == reference.useful
        assert small.derivations == reference.derivations
        for only_useful in (False, True):
            assert small.cycle(only_useful) == reference.cycle(only_useful)
        for name in system.transitions:
            weigh = {name: 2}
            for other in (0, 1, -1):
                assert small.heaviest(lambda t, w=weigh, o=other: w.get(t, o)) == reference.heaviest(
                    lambda t, w=weigh, o=other: w.get(t, o)
                )


def test_memory_is_watched() -> None:
    with pytest.raises(OutOfBounds, match="more than 1 configurations"):
        small_space(load("arc-eager"), 2, False, 1)


MANY = "system many\n  state stack σ, buffer β\n  start [0], [1..n]\n  final β = []\n" + "".join(
    f"  T{number} σ, i|β => σ|i, β  if n = {number}\n" for number in range(300)
)


def test_a_figure_may_have_more_transitions_than_native_code_can_number() -> None:
    """Their numbers were kept in bytes: an OverflowError."""
    system = load(MANY)
    assert explore(system, 1).steps.names == [1]
    last = load(MANY.replace("if n = 299", ""))
    assert explore(last, 1).steps.names == [1, 299]


@pytest.mark.compiler
def test_variants_of_such_a_figure_are_left_to_the_interpreter() -> None:
    found = explorer(load(MANY), "compiled")
    assert found.space(1, False, None).heaviest(lambda _: 1) is not None


def test_levels_past_the_end_predict_nothing() -> None:
    """Their sizes went into the predictions for ordinary levels."""
    engine = Interpreter(load("arc-standard"))
    for words in (1, 2, 3):
        engine.space(words, True, None)
    assert engine.learnt == ({}, 0.0)
    engine.space(3, False, None)
    assert list(engine.learnt[0]) == [3]
