"""Outputs beside classes: few outputs are looked at one by one, so that a large class is not written out for them."""

import pytest

from arcproof.generators.classes import known_classes
from arcproof.generators.enumeration import PROJECTIVE_TREES, all_graphs
from arcproof.properties.engines import outputs
from arcproof.properties.engines.outputs import Outputs, members
from arcproof.transitions.syntax import GraphClass, Restriction


def _projective_trees(words: int) -> Outputs:
    return Outputs.of(words, {heads: number for number, heads in enumerate(all_graphs(PROJECTIVE_TREES, words))})


def test_a_large_class_is_not_written_out_for_few_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    def written_out(graphs: GraphClass, words: int) -> outputs.Codes:
        raise AssertionError(f"{graphs} is written out for {words} words")

    monkeypatch.setattr(outputs, "members", written_out)
    derived = _projective_trees(6)
    assert not len(derived.outside(GraphClass((Restriction("well-nested"),), "forests")))
    assert len(derived.outside(GraphClass((Restriction("ill-nested"),), "forests"))) == len(derived)


def test_either_way_finds_the_same_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    derived = _projective_trees(4)
    monkeypatch.setattr(outputs, "FEW_GRAPHS", 0)
    monkeypatch.setattr(outputs, "MUCH_LARGER", 0)
    for graphs in known_classes():
        assert derived.outside(graphs).codes.tolist() == derived.without(members(graphs, 4)).codes.tolist()
