"""NLTK: LEFT-ARC into the root, and oracles that take graphs for projective that they cannot derive."""

from itertools import islice, product
from typing import Any

import pytest

from arcproof.generators.classes import contains
from arcproof.generators.enumeration import PROJECTIVE_TREES, TREES
from arcproof.properties.conformance.divergence import Kind, OracleFails, Permits
from arcproof.transitions.graph import Heads

pytest.importorskip("nltk", reason="NLTK is not installed; make audit-parsers")

from arcproof.testing.drivers.nltk import ArcEager, ArcStandard
from tests.testing.released import found, held

DRIVERS = (ArcStandard, ArcEager)


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_root_gets_a_head(driver: type) -> None:
    divergence = found(driver, 3)["permits", "LEFT-ARC"]

    assert (divergence.words, divergence.run) == (1, ())
    assert isinstance(divergence.what, Permits)
    assert divergence.what.transition == "LEFT-ARC"


def test_the_eager_oracle_never_ends_if_a_word_under_an_arc_has_no_head() -> None:
    divergence = found(ArcEager, 3)["oracle fails", "never ends"]

    assert (divergence.words, divergence.run) == (2, ("SHIFT",))
    assert isinstance(divergence.what, OracleFails)
    assert (divergence.what.gold, divergence.what.transition) == ((None, 0), "REDUCE")


@pytest.mark.parametrize(("driver", "gold"), [(ArcStandard, (0, None, 1)), (ArcEager, (3, None, 2))])
def test_an_oracle_misses_an_arc_over_a_word_without_a_head(driver: type, gold: Heads) -> None:
    divergence = found(driver, 3)["oracle fails", "wrong tree"]

    assert isinstance(divergence.what, OracleFails)
    assert divergence.what.gold == gold


@pytest.mark.parametrize("driver", DRIVERS)
def test_nothing_else_is_found(driver: type) -> None:
    kinds = {("permits", "LEFT-ARC"), ("oracle fails", "wrong tree"), ("oracle fails", "never ends")}

    assert set(found(driver, 3, 20)) <= kinds


@pytest.mark.parametrize("driver", DRIVERS)
def test_trees_are_taken_exactly_if_they_are_projective_and_then_the_oracle_ends(driver: type) -> None:
    nltk = driver()
    for words in range(1, 5):
        for heads in product(range(words + 1), repeat=words):
            if contains(TREES.graph_class, heads):
                assert nltk.accepts(heads) == contains(PROJECTIVE_TREES.graph_class, heads)
                assert len(list(islice(nltk.oracle(heads), 100))) < 100


def test_the_eager_oracle_never_ends_for_some_graphs_with_a_cycle() -> None:
    nltk = ArcEager()

    assert nltk.accepts((2, 1, 0))
    assert len(list(islice(nltk.oracle((2, 1, 0)), 1000))) == 1000


@pytest.mark.parametrize("driver", DRIVERS)
def test_with_the_condition_on_the_stack_nothing_is_permitted_that_the_figure_refuses(
    driver: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nltk.parse.transitionparser import Transition

    as_released = Transition.left_arc

    def mended(self: Transition, conf: Any, relation: str) -> int | None:
        return -1 if conf.stack[-1:] == [0] else as_released(self, conf, relation)

    monkeypatch.setattr(Transition, "left_arc", mended)
    kinds = {one.divergence.kind for one in held.__wrapped__(driver, 3).found}
    assert kinds == {Kind.ORACLE}
