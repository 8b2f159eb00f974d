"""Lifting and the pseudo-projective encodings."""

from itertools import product

import pytest

from arcproof.classifiers.projectivity import SCHEMES, Scheme, decode, encode, lift
from arcproof.generators.classes import is_projective, nonprojective_arcs
from arcproof.generators.enumeration import all_graphs
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.syntax import GraphClass

TREES = GraphClass((), "trees")


def trees(words: int) -> list[tuple[int, ...]]:
    return [tuple(head or 0 for head in heads) for heads in all_graphs(TREES, words)]


@pytest.mark.parametrize("words", range(6))
def test_a_lifted_tree_is_a_projective_tree_and_a_projective_one_stays(words: int) -> None:
    for heads in trees(words):
        lifted = lift(heads)

        assert is_projective(lifted.heads)
        assert lifted.is_changed == (not is_projective(heads))
        assert (lifted.heads == heads) == is_projective(heads)


def test_the_shortest_arc_is_lifted_first() -> None:
    """Nivre & Nilsson 2005: of two crossing arcs the shorter one moves."""
    heads = (3, 0, 2, 1)
    crossing = sorted(nonprojective_arcs(heads), key=lambda arc: abs(arc.head - arc.dependent))

    assert [arc.dependent for arc in crossing] == [1, 4]
    assert lift(heads).passed == ((3,), (), (), (1,))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("words", range(6))
def test_the_encoding_is_a_projective_tree_within_its_label_bound(scheme: Scheme, words: int) -> None:
    seen: set[str] = set()
    for heads in trees(words):
        new, marked = encode(heads, [f"l{word % 2}" for word in range(words)], scheme)
        seen.update(marked)
        assert is_projective(new)
        if is_projective(heads):
            assert new == heads
    labels = min(words, 2)
    bound = {
        "baseline": labels,
        "head": labels * (labels + 1),
        "path": 4 * labels,
        "head+path": 2 * labels * (labels + 1),
    }

    assert len(seen) <= bound[scheme]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_decoding_gives_plain_labels_and_a_tree(scheme: Scheme) -> None:
    for heads in trees(5):
        labels = [f"l{word % 3}" for word in range(5)]
        new, plain = decode(*encode(heads, labels, scheme), scheme)

        assert list(plain) == labels
        lift(new)  # refuses what is no tree


def smallest_that_is_lost(scheme: Scheme, labels: int) -> tuple[int, ...] | None:
    """The smallest tree that encoding and decoding change, with different labels for so many words from the left."""
    for words in range(6):
        for heads in trees(words):
            names = [f"l{min(word, labels - 1)}" for word in range(words)]
            if decode(*encode(heads, names, scheme), scheme)[0] != heads:
                return heads
    return None


@pytest.mark.parametrize(
    ("scheme", "labels", "expected"),
    [
        ("baseline", 9, (3, 0, 0)),
        ("head", 1, (3, 0, 0)),
        ("head", 9, (5, 4, 0, 1, 0)),
        ("path", 9, (4, 0, 0, 2)),
        ("head+path", 9, (5, 4, 0, 1, 0)),
    ],
)
def test_the_smallest_tree_that_is_not_recovered(scheme: Scheme, labels: int, expected: tuple[int, ...]) -> None:
    """With different labels everywhere the head scheme fails first where two lifted arcs depend on each other."""
    assert smallest_that_is_lost(scheme, labels) == expected


@pytest.mark.parametrize(
    ("scheme", "expected", "lost"),
    [("baseline", (3, 0, 0), 4), ("head", (3, 0, 0), 1), ("path", (4, 0, 0, 2), 6), ("head+path", (0, 4, 1, 0), 4)],
)
def test_the_smallest_tree_that_some_labels_do_not_recover(
    scheme: Scheme, expected: tuple[int, ...], lost: int
) -> None:
    """Over all labellings with two labels; the second number is how many trees of that size some labelling loses."""
    for words in range(6):
        found = [
            heads
            for heads in trees(words)
            if any(
                decode(*encode(heads, labels, scheme), scheme) != (heads, labels)
                for labels in product("ab", repeat=words)
            )
        ]
        if found:
            break

    assert (found[0], len(found)) == (expected, lost)


@pytest.mark.parametrize("label", ["a↑b", "a↓"])
def test_labels_that_look_encoded_are_refused(label: str) -> None:
    """Decoding would take them for marks of its own: it would move heads and lose a part of the label."""
    for scheme in ("head", "path", "head+path"):
        with pytest.raises(BadGraph, match=f"the label `{label}` contains ↑ or ↓"):
            encode((0, 1), ("root", label), scheme)
    assert encode((0, 1), ("root", label), "baseline") == ((0, 1), ("root", label))
