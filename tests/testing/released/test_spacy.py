"""spaCy: costs of moves that can be taken back, and trees that do not survive `nonproj`."""

from pathlib import Path

import pytest

from arcproof.generators.classes import contains
from arcproof.generators.enumeration import all_graphs
from arcproof.generators.treebank import read
from arcproof.properties.conformance.divergence import CostIsWrong, TreeChanged
from arcproof.transitions.reading.read import read_class

pytest.importorskip("spacy", reason="spaCy is not installed; make audit-parsers")

from arcproof.testing.drivers.spacy import DependencyParser
from tests.testing.released import found

SINGLE_ROOT = read_class("single-root trees")
CROSSING = read_class("non-projective single-root trees")


def test_a_shift_that_can_be_taken_back_is_called_costly() -> None:
    divergence = found(DependencyParser, 3)["cost is wrong", "free called costly"]

    assert (divergence.words, divergence.run) == (3, ("SHIFT",))
    assert isinstance(divergence.what, CostIsWrong)
    assert (divergence.what.gold, divergence.what.transition) == ((0, 1, 1), "SHIFT")
    assert (divergence.what.said, divergence.what.true) == (1, 0)


def test_what_spacy_calls_free_is_free_and_nothing_else_is_found() -> None:
    kinds = {("cost is wrong", "free called costly"), ("cost is wrong", "wrong number"), ("tree changed", "heads")}

    assert set(found(DependencyParser, 4)) == kinds


def test_there_is_always_a_free_move() -> None:
    spacy, asked = DependencyParser(), 0
    golds = list(all_graphs(read_class(spacy.golds), 3))
    todo = [spacy.start(3)]
    while todo:
        c = todo.pop()
        moves = [] if spacy.is_terminal(c) else spacy.permissible(c)
        for gold in golds if moves else ():
            costs = [cost for t in moves if (cost := spacy.cost(c, gold, t)) is not None]
            assert min(costs, default=0) <= 0
            asked += 1
        todo += [spacy.apply(c, t) for t in moves]
    assert asked > 1000


def test_a_tree_changes_because_two_words_have_the_same_label() -> None:
    divergence = found(DependencyParser, 4)["tree changed", "heads"]

    assert isinstance(divergence.what, TreeChanged)
    assert divergence.what.gold == (2, 3, 0, 1)
    assert divergence.what.decoded == ((2, 3, 0, 2), ("a",) * 4)


@pytest.mark.parametrize(("words", "trees", "changed"), [(3, 9, 0), (4, 64, 4), (5, 625, 124)])
def test_trees_change_even_if_all_labels_differ(words: int, trees: int, changed: int) -> None:
    spacy, labels = DependencyParser(), tuple("abcde"[:words])
    back = [(gold, spacy.decode(*map(tuple, spacy.encode(gold, labels)))[0]) for gold in all_graphs(SINGLE_ROOT, words)]

    assert len(back) == trees
    assert sum(gold != tuple(heads) for gold, heads in back) == changed


@pytest.mark.parametrize(
    ("treebank", "nonprojective", "changed"),
    [("english_ewt", 9, 0), ("german_gsd", 48, 8), ("danish_ddt", 78, 9), ("ancientgreek_perseus", 313, 83)],
)
def test_trees_of_treebanks_change(treebanks: Path, treebank: str, nonprojective: int, changed: int) -> None:
    spacy = DependencyParser()
    sentences = [(one.heads, one.labels) for one in read(treebanks / f"{treebank}-test.conllu")]
    trees = [(heads, labels) for heads, labels in sentences if contains(CROSSING, heads)]
    back = [tuple(spacy.decode(*map(tuple, spacy.encode(heads, labels)))[0]) for heads, labels in trees]

    assert len(trees) == nonprojective
    assert sum(heads != again for (heads, _), again in zip(trees, back, strict=True)) == changed
