"""The later systems of the catalogue, run by the interpreter alone: all that can be reached with up to 3 words.

The numbers are those of the catalogue of systems (`systems.md`) and of the counts of its graph classes.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.system import Choose, load
from tests.catalogue import FIRST, GRAPHS, LATER, SINGLE_ROOT

MOST_WORDS = 3


@dataclass(frozen=True)
class Explored:
    """Everything that can be reached with this many words."""

    configurations: frozenset[Configuration]
    outputs: frozenset[Graph]
    lengths: frozenset[tuple[int, int]]
    dead_ends: int


@cache
def explore(reference: str, words: int) -> Explored:
    """Breadth first; `lengths` are the pairs of length and number of SWAPs of the runs to terminal configurations."""
    figure = load(reference)
    start = figure.start(words)
    ways: dict[Configuration, set[tuple[int, int]]] = {start: {(0, 0)}}
    todo = [(start, 0, 0)]
    outputs: set[Graph] = set()
    lengths: set[tuple[int, int]] = set()
    dead_ends: set[Configuration] = set()
    while todo:
        c, length, swaps = todo.pop()
        if figure.is_terminal(c):
            outputs.add(c.graph)
            lengths.add((length, swaps))
            continue
        permissible = figure.permissible(c)
        if not permissible:
            dead_ends.add(c)
        for transition in permissible:
            after = figure.apply(c, transition)
            way = (length + 1, swaps + (transition.name == "SWAP"))
            if way not in ways.setdefault(after, set()):
                ways[after].add(way)
                todo.append((after, *way))
    return Explored(frozenset(ways), frozenset(outputs), frozenset(lengths), len(dead_ends))


def classes(figure: s.Figure, kind: type[s.Sound] | type[s.CompleteFor]) -> list[s.GraphClass]:
    """The classes that a figure claims to be sound or complete for."""
    return [
        claim.statement.graphs for claim in figure.claims if isinstance(claim.statement, kind) and claim.kind == "plain"
    ]


def in_turn(*names: str) -> Choose:
    """A `choose` that takes these transitions one after the other."""
    remaining = iter(names)
    return lambda _: Transition(next(remaining))


def test_all_of_the_catalogue_is_built_in() -> None:
    assert set(LATER) == {reference.partition("[")[0] for reference in OUTPUTS}
    assert {*FIRST, *LATER, *GRAPHS, *SINGLE_ROOT} == set(system_names())


OUTPUTS = {
    "attardi-extract": (1, 2, 8, 50),
    "attardi-original": (1, 2, 8, 49),
    "choi-mccallum": (1, 2, 8, 50),
    "easy-first": (1, 1, 3, 12),
    "hybrid-swap": (1, 1, 3, 16),
    "link2": (1, 1, 3, 16),
    "mh[k=3]": (1, 1, 3, 12),
    "mh": (1, 1, 3, 16),
    "nivre-2008b": (1, 2, 7, 36),
    "nonmonotonic-2013": (1, 1, 3, 12),
    "nonmonotonic-2015": (1, 1, 3, 12),
    "planar": (1, 2, 8, 44),
    "pointer": (1, 1, 2, 9),
    "spacy": (1, 1, 3, 12),
    "tree-constrained": (1, 1, 3, 12),
    "two-planar": (1, 2, 8, 50),
}


@pytest.mark.parametrize("reference", OUTPUTS)
def test_number_of_outputs_with_0_to_3_words(reference: str) -> None:
    assert OUTPUTS[reference] == tuple(len(explore(reference, words).outputs) for words in range(MOST_WORDS + 1))


def test_nonmonotonic_2015_as_reconstructed_has_dead_ends() -> None:
    """A word that is taken back when it was alone on the stack can neither be shifted again nor be attached."""
    assert tuple(explore("nonmonotonic-2015", words).dead_ends for words in range(3)) == (0, 1, 7)


def test_easy_first_has_one_action_for_each_word() -> None:
    for words in range(MOST_WORDS + 1):
        assert {words} == {length for length, _ in explore("easy-first", words).lengths}


def test_every_swap_of_hybrid_swap_costs_two_transitions() -> None:
    for words in range(MOST_WORDS + 1):
        runs = explore("hybrid-swap", words).lengths

        assert all(length == 2 * words + 2 * swaps for length, swaps in runs)
        assert words * (words - 1) // 2 == max(swaps for _, swaps in runs)


def test_mh_with_k_3_is_arc_hybrid() -> None:
    for words in range(MOST_WORDS + 1):
        assert explore("arc-hybrid", words).outputs == explore("mh[k=3]", words).outputs
        assert explore("arc-hybrid", words).configurations == explore("mh[k=3]", words).configurations


def test_mh_with_k_4_has_the_seven_transitions_of_the_catalogue() -> None:
    figure = load("mh")
    start = figure.start(4)
    c = Configuration(4, start.names, ((0, 1, 2, 3), (4,)))
    built = {
        (arc.head, arc.dependent): after["σ"]
        for transition in figure.permissible(c)
        for after in [figure.apply(c, transition)]
        for arc in after.arcs
    }

    assert built == {
        (4, 3): (0, 1, 2),
        (2, 3): (0, 1, 2),
        (1, 3): (0, 1, 2),
        (4, 2): (0, 1, 3),
        (3, 2): (0, 1, 3),
        (1, 2): (0, 1, 3),
    }
    assert [t.name for t in figure.permissible(c) if not figure.apply(c, t).arcs] == ["SHIFT"]


def test_right_arc2_of_link2_returns_the_node_between_to_the_buffer() -> None:
    figure = load("link2")
    start = figure.start(3)
    c = Configuration(3, start.names, ((0, 1, 2, 3), ()))
    after = figure.apply(c, next(t for t in figure.permissible(c) if t.name == "RIGHT-ARC2"))

    assert (after["σ"], after["β"], after.graph.heads) == ((0, 1), (2,), (None, None, 1))


def test_two_planar_never_switches_twice_in_a_row() -> None:
    figure = load("two-planar")
    c = figure.apply(figure.start(2), next(t for t in figure.permissible(figure.start(2)) if t.name == "SWITCH"))

    assert c["f"] is True
    assert "SWITCH" not in {t.name for t in figure.permissible(c)}


def test_left_arc_of_nonmonotonic_2013_overwrites_a_head() -> None:
    figure = load("nonmonotonic-2013")
    run = figure.parse(2, in_turn("SHIFT", "RIGHT-ARC", "LEFT-ARC", "LEFT-ARC"))

    assert graph_of((0, 0)) == run.graph
    assert [[(a.head, a.dependent) for a in step.added] for step in run.steps[1:]] == [[(1, 2)], [(0, 2)], [(0, 1)]]


def test_spacy_takes_a_word_without_a_head_back_and_never_shifts_it_again() -> None:
    figure = load("spacy")
    c = figure.start(3)
    for name in ("SHIFT", "SHIFT", "REDUCE"):
        c = figure.apply(c, next(t for t in figure.permissible(c) if t.name == name))

    assert ((1,), (2, 3), frozenset({2})) == (c["σ"], c["β"], c["U"])
    assert Counter({"REDUCE": 1, "LEFT-ARC": 1, "RIGHT-ARC": 1, "BREAK": 1}) == Counter(
        t.name for t in figure.permissible(c)
    )


def test_spacy_builds_no_arc_across_a_sentence_boundary() -> None:
    figure = load("spacy")
    c = figure.start(2)
    for name in ("BREAK", "SHIFT"):
        c = figure.apply(c, next(t for t in figure.permissible(c) if t.name == name))

    assert frozenset({2}) == c["S"]
    assert [t.name for t in figure.permissible(c)] == ["REDUCE"]
