"""stanza: a repair of the dynamic oracle that leads to a cycle."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from arcproof.generators.classes import contains
from arcproof.generators.treebank import read
from arcproof.properties.conformance.divergence import RepairFails
from arcproof.transitions.graph import Heads
from arcproof.transitions.reading.read import read_class

if find_spec("stanza") is None:
    pytest.skip("stanza is not installed; make audit-parsers", allow_module_level=True)

from arcproof.testing.drivers.stanza import TransitionParser
from tests.testing.released import found

CROSSING = read_class("non-projective single-root trees")


def test_a_repair_attaches_a_word_to_its_own_dependent() -> None:
    divergence = found(TransitionParser, 4)["repair fails", "refused by the figure"]

    assert (divergence.words, divergence.run) == (4, ("SHIFT", "SHIFT", "PROJECTIVE-LEFT"))
    assert isinstance(divergence.what, RepairFails)
    assert divergence.what.gold == (4, 3, 0, 2)
    assert divergence.what.sequence[divergence.what.at] == "NONPROJECTIVE-LEFT[3]"


def test_nothing_else_is_found() -> None:
    assert set(found(TransitionParser, 4, 20)) == {("repair fails", "refused by the figure")}


def test_stanza_raises_when_it_applies_the_repair() -> None:
    stanza, gold = TransitionParser(), (4, 3, 0, 2)

    with pytest.raises(AssertionError, match="Found a circular graph"):
        follow(stanza, gold, 2, "PROJECTIVE-LEFT")


def follow(stanza: TransitionParser, gold: Heads, length: int, mistake: str) -> None:
    """Apply what stanza's training would apply after a mistake, as long as it repairs nothing else."""
    done, c = list(stanza.oracle(gold))[:length], stanza.start(len(gold))
    for t in done:
        c = stanza.apply(c, t)
    [wrong] = [t for t in stanza.permissible(c) if t.name == mistake]
    answer = stanza.repair(gold, done, wrong)
    assert answer is not None
    c = stanza.apply(c, wrong)
    for t in answer:
        c = stanza.apply(c, t)


def test_how_often_in_a_treebank(treebanks: Path) -> None:
    stanza = TransitionParser()
    sentences = [one.heads for one in read(treebanks / "latin_perseus-test.conllu")]
    trees = [heads for heads in sentences if len(heads) <= 10 and contains(CROSSING, heads)]
    outcomes = [is_applicable(stanza, gold, length) for gold in trees for length in range(2 * len(gold))]

    assert len(trees) == 66
    repairs = [is_good for each in outcomes for is_good in each]
    assert (len(repairs), repairs.count(False)) == (1282, 4)


def is_applicable(stanza: TransitionParser, gold: Heads, length: int) -> list[bool]:
    """For each mistake after this many transitions that is repaired, whether the repair can be applied."""
    *done, right = list(stanza.oracle(gold))[: length + 1]
    c = stanza.start(len(gold))
    for t in done:
        c = stanza.apply(c, t)
    found = []
    for wrong in stanza.permissible(c):
        if wrong.name != right.name and stanza.repair(gold, done, wrong) is not None:
            try:
                follow(stanza, gold, length, wrong.name)
                found.append(True)
            except AssertionError:
                found.append(False)
    return found
