"""What the strategies draw, and what they shrink to."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from arcproof.generators import drawing
from arcproof.generators.classes import (
    ADJECTIVES,
    contains,
    gap_degree,
    is_forest,
    is_ill_nested,
    is_projective,
    is_tree,
    known_classes,
)
from arcproof.generators.enumeration import (
    FORESTS,
    PROJECTIVE_FORESTS,
    PROJECTIVE_TREES,
    TREES,
    all_graphs,
)
from arcproof.generators.strategies import (
    DrawnRun,
    forests,
    labelled,
    nonprojective_trees,
    projective_forests,
    projective_trees,
    runs,
    trees,
    trees_of,
)
from arcproof.transitions.graph import Arc, Graph, Heads, dependents
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Number, Restriction

FOUND = (Phase.generate, Phase.shrink)  # nobody reads an explanation of what is to be found
SIMPLEST = settings(max_examples=2000, derandomize=True, database=None, deadline=None, phases=FOUND)
QUICK = settings(max_examples=30, derandomize=True, database=None, deadline=None)
NON_PROJECTIVE = GraphClass((Restriction("non-projective"),), "trees")
WELL_NESTED = GraphClass((Restriction("well-nested"), Restriction("gap-degree", Number(1))), "trees")


def simplest(strategy: SearchStrategy[Heads], condition: Callable[[Heads], bool] = lambda _: True) -> Heads:
    return find(strategy, condition, settings=SIMPLEST, random=Random(0))


def size_of(heads: Heads) -> tuple[int, list[int]]:
    """The order that the strategies promise."""
    return len(heads), [-1 if head is None else head for head in heads]


def least(graphs: GraphClass, condition: Callable[[Heads], bool], max_words: int) -> Heads:
    return min((h for n in range(1, max_words + 1) for h in all_graphs(graphs, n) if condition(h)), key=size_of)


# --- what can be drawn -----------------------------------------------------------------------------------------------


def everything(candidates: drawing.Candidates, words: int) -> Iterator[Heads]:
    """Every graph to which the candidates lead, however they are drawn."""
    partial: list[Heads] = [()]
    for _ in range(words):
        partial = [(*heads, head) for heads in partial for head in candidates(heads, words)]
    return iter(partial)


@pytest.mark.parametrize("words", range(1, 6))
@pytest.mark.parametrize(
    ("candidates", "graph_class"),
    [
        (drawing.heads_in_trees, TREES.graph_class),
        (drawing.heads_in_forests, FORESTS.graph_class),
        (drawing.heads_in_projective_trees, PROJECTIVE_TREES.graph_class),
        (drawing.heads_in_projective_forests, PROJECTIVE_FORESTS.graph_class),
        (drawing.heads_in_nonprojective_trees, NON_PROJECTIVE),
    ],
    ids=["trees", "forests", "projective trees", "projective forests", "non-projective trees"],
)
def test_heads_from_left_to_right_lead_to_every_graph_once_in_order(
    candidates: drawing.Candidates, graph_class: GraphClass, words: int
) -> None:
    assert sorted(all_graphs(graph_class, words), key=size_of) == list(everything(candidates, words))


@pytest.mark.parametrize("words", range(3, 7))
@pytest.mark.parametrize("candidates", [drawing.heads_in_projective_trees, drawing.heads_in_nonprojective_trees])
def test_no_draw_comes_to_a_dead_end(candidates: drawing.Candidates, words: int) -> None:
    partial: list[Heads] = [()]
    for _ in range(words):
        assert all(candidates(heads, words) for heads in partial)
        partial = [(*heads, head) for heads in partial for head in candidates(heads, words)][:2000]


@pytest.mark.parametrize(
    ("strategy", "holds"),
    [
        (trees(max_words=30), is_tree),
        (forests(max_words=30), is_forest),
        (projective_trees(max_words=30), lambda heads: is_tree(heads) and is_projective(heads)),
        (projective_forests(max_words=30), lambda heads: is_forest(heads) and is_projective(heads)),
        (nonprojective_trees(max_words=30), lambda heads: is_tree(heads) and not is_projective(heads)),
    ],
    ids=["trees", "forests", "projective trees", "projective forests", "non-projective trees"],
)
def test_long_graphs_are_of_their_kind(strategy: SearchStrategy[Heads], holds: Callable[[Heads], bool]) -> None:
    lengths = set()

    @settings(QUICK, phases=[Phase.generate])
    @given(strategy)
    def draw(heads: Heads) -> None:
        lengths.add(len(heads))
        assert holds(heads)

    draw()
    assert max(lengths) > 20


@pytest.mark.long
@pytest.mark.parametrize("graph_class", known_classes(), ids=class_text)
def test_graphs_of_any_class_are_drawn_without_filtering(graph_class: GraphClass) -> None:
    drawn = set()

    @settings(QUICK, phases=[Phase.generate])
    @given(trees_of(graph_class, max_words=10))
    def draw(heads: Heads) -> None:
        drawn.add(heads)
        assert contains(graph_class, heads)

    draw()
    assert len(drawn) > 20


# --- what is shrunk to -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (trees(), (0,)),
        (trees(min_words=3), (0, 0, 0)),
        (forests(min_words=3), (None, None, None)),
        (projective_trees(min_words=4), (0, 0, 0, 0)),
        (projective_forests(min_words=2), (None, None)),
        (nonprojective_trees(), (0, 0, 1)),
        (nonprojective_trees(min_words=5), (0, 0, 0, 0, 1)),
        (trees_of(GraphClass((Restriction("single-root"),), "trees"), min_words=3), (0, 1, 1)),
        (trees_of(WELL_NESTED, min_words=3), (0, 0, 0)),
    ],
)
def test_the_simplest_graph_attaches_words_to_0(strategy: SearchStrategy[Heads], expected: Heads) -> None:
    assert expected == simplest(strategy)


def has_dependents(heads: Heads, number: int) -> bool:
    return max(map(len, dependents(heads)[1:]), default=0) >= number


CONDITIONS: dict[str, Callable[[Heads], bool]] = {
    "one root": lambda heads: heads.count(0) == 1,
    "the last word hangs on the first": lambda heads: len(heads) > 1 and heads[-1] == 1,
    "the first word hangs on the last": lambda heads: len(heads) > 1 and heads[0] == len(heads),
    "word 2 hangs on word 3": lambda heads: len(heads) > 2 and heads[1] == 3,
    "two dependents": lambda heads: has_dependents(heads, 2),
    "three dependents": lambda heads: has_dependents(heads, 3),
    "three words hang on words": lambda heads: sum(1 for head in heads if head) >= 3,
    "a gap": lambda heads: gap_degree(heads) > 0,
    "two gaps": lambda heads: gap_degree(heads) > 1,
    "ill-nested": is_ill_nested,
    "words cross": lambda heads: not ADJECTIVES["planar-words"](heads),
}
ALSO_PROJECTIVE = list(CONDITIONS)[:7]


@pytest.mark.nightly
@pytest.mark.long
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("make", [trees, forests])
def test_graphs_shrink_to_the_fewest_words_and_no_head_can_be_less(
    make: Callable[..., SearchStrategy[Heads]], condition: str
) -> None:
    graph_class = TREES.graph_class if make is trees else FORESTS.graph_class
    holds = CONDITIONS[condition]
    found = simplest(make(max_words=12), holds)
    one_less = [
        (*found[:k], less, *found[k + 1 :]) for k in range(len(found)) for less in (None, *range(found[k] or 0))
    ]

    assert len(least(graph_class, holds, 5)) == len(found)
    assert not any(size_of(h) < size_of(found) and contains(graph_class, h) and holds(h) for h in one_less)


@pytest.mark.long
@pytest.mark.parametrize("condition", [c for c in ALSO_PROJECTIVE if c != "three dependents"])
@pytest.mark.parametrize("make", [projective_trees, projective_forests])
def test_projective_graphs_shrink_to_the_fewest_words(
    make: Callable[..., SearchStrategy[Heads]], condition: str
) -> None:
    projective = PROJECTIVE_TREES if make is projective_trees else PROJECTIVE_FORESTS
    holds = CONDITIONS[condition]

    assert len(least(projective.graph_class, holds, 4)) == len(simplest(make(max_words=12), holds))


def test_labels_shrink_to_the_first() -> None:
    strategy = labelled(trees(min_words=2), labels=("SBJ", "OBJ"))

    assert Graph(2, frozenset({Arc(0, "SBJ", 1), Arc(0, "SBJ", 2)})) == find(
        strategy, lambda _: True, settings=SIMPLEST
    )


@pytest.mark.long
def test_labels_can_be_drawn_from_a_strategy_and_headless_words_have_none() -> None:
    strategy = labelled(forests(), labels=st.text("xyz", min_size=1))
    graph = find(
        strategy,
        lambda graph: any(arc.label == "yz" for arc in graph.arcs) and None in graph.heads,
        settings=SIMPLEST,
        random=Random(0),
    )

    assert len(graph.arcs) == sum(head is not None for head in graph.heads)
    assert all(set(arc.label or "-") <= set("xyz") for arc in graph.arcs)


# --- wrong arguments -------------------------------------------------------------------------------------------------


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piles:
    """A toy: words move from the left pile to the right one or back, until the left one is empty."""

    left: int
    right: int


@dataclass(frozen=True)
class Moving:
    """`forth` and, where allowed, `back`; it can be made to get stuck with one word left."""

    back: bool = False
    stuck: bool = False

    def start(self, n: int) -> Piles:
        return Piles(n, 0)

    def permissible(self, c: Piles) -> Sequence[Literal["forth", "back"]]:
        assert not self.is_terminal(c), "a run goes on after it has ended"
        moves: list[Literal["forth", "back"]] = []
        if c.left > self.stuck:
            moves.append("forth")
        if self.back and c.right:
            moves.append("back")
        return moves

    def apply(self, c: Piles, t: Literal["forth", "back"]) -> Piles:
        step = 1 if t == "forth" else -1
        return replace(c, left=c.left - step, right=c.right + step)

    def is_terminal(self, c: Piles) -> bool:
        return c.left == 0


@settings(QUICK)
@given(runs(Moving(back=True), max_words=4, max_steps=10))
def test_a_run_follows_the_system_from_the_start(run: DrawnRun[Piles, str]) -> None:
    system = Moving(back=True)

    assert system.start(run.words) == run.configurations[0]
    assert len(run.transitions) + 1 == len(run.configurations) <= 11
    for c, t, following in zip(run.configurations, run.transitions, run.configurations[1:], strict=False):
        assert not system.is_terminal(c)
        assert t in system.permissible(c)
        assert following == system.apply(c, "forth" if t == "forth" else "back")
    assert system.is_terminal(run.last) == (run.end == "terminal")


def test_a_run_ends_at_the_first_terminal_configuration() -> None:
    run = find(runs(Moving(back=True)), lambda run: run.end == "terminal", settings=SIMPLEST, random=Random(0))

    assert DrawnRun(1, (Piles(1, 0), Piles(0, 1)), ("forth",), "terminal") == run


def test_a_run_is_cut_off_after_too_many_steps() -> None:
    run = find(runs(Moving(), min_words=3, max_steps=2), lambda _: True, settings=SIMPLEST, random=Random(0))

    assert run.end == "cut off"
    assert run.transitions == ("forth", "forth")


# --- imports ---------------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_only_the_strategies_import_hypothesis() -> None:
    modules = "classes, definitions, drawing, drawn_run, enumeration, graph_shapes, shapes, wellformed"
    code = f"import sys; from arcproof.generators import {modules}; sys.exit('hypothesis' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
