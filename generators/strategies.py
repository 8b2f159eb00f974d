"""Hypothesis strategies for dependency graphs, sentences, and runs of a transition system.

For your own suite:

    from hypothesis import given
    from arcproof.generators.strategies import projective_trees, runs

    @given(projective_trees(max_words=12))
    def test_my_oracle_derives_every_projective_tree(heads): ...

    @given(runs(my_system))
    def test_my_system_never_repeats_a_configuration(run):
        assert len(set(run.configurations)) == len(run.configurations)

Trees and forests are `Heads`: a tuple with the head of each word, None for a word without a head (forests only);
graphs, in which a word may have several heads, are `Graph`; `labelled` makes labelled graphs of either.  A system is
anything with the four methods of `TransitionSystem`.  All strategies take `min_words` and `max_words`.

**What a failing example shrinks to**: the fewest words, then the least heads, word by word from the left, where a
missing head is the least, then come 0, 1, 2, …  So the simplest tree of three words is `0,0,0`, and the simplest forest
`_,_,_`.  Runs shrink to the fewest transitions, then the fewest words, then the transitions that `permissible` lists
first.  Hypothesis looks for the simplest example by small steps and does not promise to find it: the number of words is
nearly always the least possible, and, except in projective graphs, no single head can be made smaller.  Graphs shrink
to the fewest words, then the fewest arcs, then the least arcs, by dependent and head.

**How it is done.**  Heads are drawn from left to right, each from the list of those after which the graph can still
be completed (`drawing`), so that nothing is filtered.

What is drawn is a number up to `max_words`, and the head is the greatest one in the list that does not exceed it; so a
smaller number means a smaller head, equal heads can be lowered together, and a word can be left out while the others
keep their numbers.  In projective graphs, where a word has few possible heads, the place in the list is drawn instead.
There is a draw even where there is only one choice, because Hypothesis considers fewer draws simpler.

Graphs are drawn as a list of arcs, and an arc that would leave the class is left out (`graph_drawing`).  A node beyond
the last word is the last word, so that words can be left out; an arc to 0, or from a word to itself, is ignored.  Dummy
draws make words more expensive than arcs.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from arcproof.generators.classes import contains
from arcproof.generators.drawing import CANDIDATES, NON_PROJECTIVE_TREES, drawn_class, mended, plain_member
from arcproof.generators.drawn_run import DrawnRun, End
from arcproof.generators.enumeration import FORESTS, PROJECTIVE_FORESTS, PROJECTIVE_TREES, TREES
from arcproof.generators.graph_drawing import made_of, plain_graph
from arcproof.transitions.graph import Graph, Heads, graph_of, graph_with
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Restriction

C = TypeVar("C")
T = TypeVar("T")

MAX_WORDS: Final = 8


def _check_words(min_words: int, max_words: int) -> None:
    if not 0 <= min_words <= max_words:
        raise ValueError(f"min_words={min_words} and max_words={max_words} leave no number of words")


# --- graphs ----------------------------------------------------------------------------------------------------------


def _draw_by_number(draw: DrawFn, choices: Sequence[int | None], max_words: int) -> int | None:
    """Draw a number that is at least the first choice, and return the greatest choice that does not exceed it."""
    drawn = draw(st.integers(_number(choices[0]), _number(max_words)))
    return choices[bisect_right(choices, drawn, key=_number) - 1]


def _number(head: int | None) -> int:
    return 0 if head is None else 1 + head


def _draw_by_place(draw: DrawFn, choices: Sequence[T], _: int = 0) -> T:
    """Draw a place in the list and return the choice there; `sampled_from` would draw nothing if there is only one."""
    return choices[draw(st.integers(0, len(choices) - 1))]


_DRAWN_BY_PLACE: Final = (PROJECTIVE_TREES.graph_class, PROJECTIVE_FORESTS.graph_class)


@st.composite
def _graphs(draw: DrawFn, graphs: GraphClass, min_words: int, max_words: int) -> Heads:
    draw_head = _draw_by_place if graphs in _DRAWN_BY_PLACE else _draw_by_number
    words = draw(st.integers(min_words, max_words))
    heads: list[int | None] = []
    for _ in range(words):
        heads.append(draw_head(draw, CANDIDATES[graphs](heads, words), max_words))
    return tuple(heads)


def trees(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """Trees: every word has a head, 0 may have several dependents."""
    return trees_of(TREES.graph_class, min_words=min_words, max_words=max_words)


def forests(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """Forests: words may have no head."""
    return trees_of(FORESTS.graph_class, min_words=min_words, max_words=max_words)


def projective_trees(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """Projective trees."""
    return trees_of(PROJECTIVE_TREES.graph_class, min_words=min_words, max_words=max_words)


def projective_forests(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """Projective forests: no headless word lies under an arc."""
    return trees_of(PROJECTIVE_FORESTS.graph_class, min_words=min_words, max_words=max_words)


def nonprojective_trees(*, min_words: int = 3, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """Non-projective trees; they have at least three words."""
    return trees_of(NON_PROJECTIVE_TREES, min_words=min_words, max_words=max_words)


def trees_of(cls: GraphClass, *, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """The graphs of any class, trees or forests, such as `GraphClass((Restriction("well-nested"),), "trees")`.

    The classes with a strategy of their own are drawn directly.  For any other, a tree or forest is drawn and, if it is
    not in the class, adjusted: starting from a plain member of the class (every word attached to 0, where that is one),
    each drawn head is used if that gives another member, until no more can be.  So every member can be drawn and
    nothing is filtered out; the more restrictive a class, the plainer its graphs. Numbers of words for which no plain
    member is found are left out, and `ValueError` says so if none remains.
    """
    _check_words(min_words, max_words)
    lengths = [words for words in range(min_words, max_words + 1) if plain_member(cls, words) is not None]
    if not lengths:
        raise ValueError(f"no {class_text(cls)} of {min_words} to {max_words} words are known")
    around, is_mended = drawn_class(cls)
    graphs = _graphs(around, lengths[0], lengths[-1])
    return graphs.map(partial(mended, cls)).filter(partial(contains, cls)) if is_mended else graphs


# --- graphs with several heads ---------------------------------------------------------------------------------------


def graphs(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Graph]:
    """Graphs in which words may have several heads, or none; there may be cycles."""
    return graphs_of(GraphClass((), "graphs"), min_words=min_words, max_words=max_words)


def acyclic_graphs(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Graph]:
    """Graphs without cycles; words may have several heads."""
    return graphs_of(GraphClass((Restriction("acyclic"),), "graphs"), min_words=min_words, max_words=max_words)


def planar_graphs(*, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Graph]:
    """Graphs without crossing arcs; words may have several heads."""
    return graphs_of(GraphClass((Restriction("planar"),), "graphs"), min_words=min_words, max_words=max_words)


def graphs_of(cls: GraphClass, *, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Graph]:
    """The graphs of any class, such as `GraphClass((Restriction("connected"), Restriction("heads", Number(2))),
    "graphs")`, without labels.

    Those of a class of trees or forests are drawn by `trees_of`.  `ValueError` if no graph with any of these numbers of
    words is known.
    """
    if cls.base != "graphs":
        return trees_of(cls, min_words=min_words, max_words=max_words).map(graph_of)
    _check_words(min_words, max_words)
    lengths = [words for words in range(min_words, max_words + 1) if plain_graph(cls, words) is not None]
    if not lengths:
        raise ValueError(f"no {class_text(cls)} of {min_words} to {max_words} words are known")
    return _graphs_by_arcs(cls, lengths[0], lengths[-1])


@st.composite
def _graphs_by_arcs(draw: DrawFn, cls: GraphClass, min_words: int, max_words: int) -> Graph:
    words = draw(st.integers(min_words, max_words))
    least = draw(st.integers(0, 2 * words))
    node = st.integers(0, max_words)
    drawn = draw(st.lists(st.tuples(node, node), min_size=least, max_size=max(least, words * words)))
    for _ in range(words * max_words):
        draw(st.integers(0, 0))
    arcs = [(min(head, words), min(dependent, words)) for dependent, head in drawn]
    sets = made_of(cls, words, [(head, dependent) for head, dependent in arcs if dependent and dependent != head])
    assert sets is not None, "a class with a plain graph has graphs"
    return graph_with(sets)


def labelled(
    graphs: SearchStrategy[Heads | Graph],
    labels: Sequence[str] | SearchStrategy[str] = ("a", "b", "c"),
) -> SearchStrategy[Graph]:
    """The graphs with a label on every arc; if the labels are a sequence, its first one is the simplest.

    For instance `labelled(projective_trees(), labels=("SBJ", "OBJ"))`.
    """
    return _labelled(graphs, labels if isinstance(labels, SearchStrategy) else st.sampled_from(labels))


@st.composite
def _labelled(draw: DrawFn, graphs: SearchStrategy[Heads | Graph], labels: SearchStrategy[str]) -> Graph:
    drawn = draw(graphs)
    if isinstance(drawn, Graph):
        return Graph(drawn.words, frozenset(arc._replace(label=draw(labels)) for arc in drawn.sorted_arcs()))
    return graph_of(drawn, [draw(labels) for _ in drawn])


def sentences(
    *, min_words: int = 1, max_words: int = MAX_WORDS, forms: SearchStrategy[str] | None = None
) -> SearchStrategy[tuple[str, ...]]:
    """Sentences as tuples of word forms; without `forms`, any text without spaces and control characters."""
    _check_words(min_words, max_words)
    if forms is None:
        forms = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=12)
    return st.lists(forms, min_size=min_words, max_size=max_words).map(tuple)


# --- runs ------------------------------------------------------------------------------------------------------------


class TransitionSystem(Protocol[C, T]):
    """What `runs` needs from a transition system; configurations and transitions may be anything."""

    def start(self, n: int, /) -> C:
        """The initial configuration for n words."""

    def permissible(self, c: C, /) -> Sequence[T]:
        """The transitions that may be applied."""

    def apply(self, c: C, t: T, /) -> C:
        """The configuration after the transition."""

    def is_terminal(self, c: C, /) -> bool:
        """Whether a run ends here."""


def runs(
    system: TransitionSystem[C, T], *, min_words: int = 1, max_words: int = 6, max_steps: int = 200
) -> SearchStrategy[DrawnRun[C, T]]:
    """Runs of the system that take any permissible transition at every step."""
    _check_words(min_words, max_words)
    return _runs(system, min_words, max_words, max_steps)


@st.composite
def _runs(
    draw: DrawFn, system: TransitionSystem[C, T], min_words: int, max_words: int, max_steps: int
) -> DrawnRun[C, T]:
    words = draw(st.integers(min_words, max_words))
    c = system.start(words)
    configurations, transitions = [c], list[T]()
    while not system.is_terminal(c):
        choices = system.permissible(c)
        if not choices or len(transitions) == max_steps:
            end: End = "cut off" if choices else "dead end"
            return DrawnRun(words, tuple(configurations), tuple(transitions), end)
        transitions.append(_draw_by_place(draw, choices))
        c = system.apply(c, transitions[-1])
        configurations.append(c)
    return DrawnRun(words, tuple(configurations), tuple(transitions), "terminal")


def configurations(
    system: TransitionSystem[C, T], *, min_words: int = 1, max_words: int = 6, max_steps: int = 200
) -> SearchStrategy[C]:
    """Configurations that the system can reach: any in a run, not only the last."""
    return runs(system, min_words=min_words, max_words=max_words, max_steps=max_steps).flatmap(
        _one_of_its_configurations
    )


def _one_of_its_configurations(run: DrawnRun[C, T]) -> SearchStrategy[C]:
    return st.sampled_from(run.configurations)
