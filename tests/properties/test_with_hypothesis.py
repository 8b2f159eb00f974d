"""The claims of the built-in systems, attacked by Hypothesis: random graphs of a class, and runs that `target` drives
to be long, deep and full of arcs.  That the same attack finds flaws is shown by `tests/testing/test_planted_flaws.py`.
"""

from collections import Counter

import pytest
from hypothesis import given, settings, target

from arcproof.generators.strategies import trees
from arcproof.properties.checks.oracle_correct import all_oracles
from arcproof.testing.properties import property_about
from arcproof.testing.subjects import Subject
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load

WORDS = 7


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_no_sample_contradicts_the_claims(name: str) -> None:
    system = load(name)
    for question in (*system.figure.claims, *all_oracles(system)):
        about = property_about(Subject(system, None), question, engine="interpreter")
        if about is not None:
            about.as_test(settings(max_examples=8))()


@given(trees(max_words=WORDS))
def test_swap_takes_two_transitions_per_word_and_two_per_swap(heads: tuple[int | None, ...]) -> None:
    taken = Counter(transition.name for transition in load("swap").derive(graph_of(heads)).transitions)
    target(float(taken["SWAP"]))
    assert taken.total() == 2 * len(heads) + 2 * taken["SWAP"]
