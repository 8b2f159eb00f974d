"""Hypothesis strategies for dependency graphs, sentences, and runs of a transition system.

For your own suite:

    from hypothesis import given
    from arcproof.generators.strategies import projective_trees, runs

    @given(projective_trees(max_words=12))
    def test_my_oracle_derives_every_projective_tree(heads): ...

    @given(runs(my_system))
    def test_my_system_never_repeats_a_configuration(run):
        assert len(set(run.configurations)) == len(run.configurations)

Graphs are `Heads`: a tuple with the head of each word, None for a word without head (forests only); `labelled` makes
labelled graphs of them.  A system is anything with the four methods of `TransitionSystem`.  All strategies take
`min_words` and `max_words`.

**What a failing example shrinks to**: the fewest words, then the least heads, word by word from the left, where a
missing head is the least, then come 0, 1, 2, …  So the simplest tree of three words is `0,0,0`, and the simplest
forest `_,_,_`.  Runs shrink to the fewest transitions, then the fewest words, then the transitions that `permissible`
lists first.  Hypothesis looks for the simplest example by small steps and does not promise to find it: the number of
words is nearly always the least there is, and, save in projective graphs, no head can be made less alone.

**How it is done.**  Heads are drawn from left to right, each from the list of those after which the graph can still
be completed, so that nothing is filtered.  For trees and forests these are the heads that close no cycle.  For
projective trees they are those that also cross no arc drawn so far: an undecided word can always hang on an end of
the innermost arc over it, or on 0 where there is none.  For non-projective trees anything goes until the last two
words, for two undecided words can always be hung so that two arcs cross.  For any other class see `trees_of`.

What is drawn is a number up to `max_words`, and the head is the one in the list that is nearest below; so a smaller
number is a smaller head, equal heads can be lowered together, and a word can be left out though the others keep their
numbers.  In projective graphs, where few heads can be seen from a word, the place in the list is drawn.  There is a
draw even where there is but one choice, for Hypothesis takes what needs fewer draws for simpler.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from arcproof.generators.classes import contains, is_projective
from arcproof.generators.enumeration import (
    FORESTS,
    PROJECTIVE_FORESTS,
    PROJECTIVE_TREES,
    TREES,
    all_graphs,
    selection_of,
)
from arcproof.transitions.graph import ROOT, Graph, Heads, graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Restriction
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

C = TypeVar("C")
T = TypeVar("T")

MAX_WORDS: Final = 8
Partial: TypeAlias = Sequence[int | None]
Candidates: TypeAlias = Callable[[Partial, int], Sequence[int | None]]


def _check_words(min_words: int, max_words: int) -> None:
    if not 0 <= min_words <= max_words:
        raise ValueError(f"min_words={min_words} and max_words={max_words} leave no number of words")


# --- which heads may come next ---------------------------------------------------------------------------------------
#
# Each function gets the heads drawn so far and the number of words, and lists the heads of the next word, least first.


def heads_in_trees(drawn: Partial, words: int) -> list[int]:
    """The heads after which the words can still make a tree: all that the next word does not dominate.

    >>> heads_in_trees((2,), 2)
    [0]
    """
    word = len(drawn) + 1
    return [head for head in range(words + 1) if not _dominates(drawn, word, head)]


def heads_in_forests(drawn: Partial, words: int) -> list[int | None]:
    """The heads after which the words can still make a forest; no head comes first.

    >>> heads_in_forests((), 2)
    [None, 0, 2]
    """
    return [None, *heads_in_trees(drawn, words)]


def heads_in_projective_trees(drawn: Partial, words: int) -> list[int]:
    """The heads after which the words can still make a projective tree.

    >>> heads_in_projective_trees((3,), 3)
    [1, 3]
    """
    return _visible(drawn, words)[1]


def heads_in_projective_forests(drawn: Partial, words: int) -> list[int | None]:
    """The heads after which the words can still make a projective forest.

    >>> heads_in_projective_forests((None,), 3), heads_in_projective_forests((3,), 3)
    ([None, 1, 3], [1, 3])
    """
    covered, heads = _visible(drawn, words)
    return [*heads] if covered else [None, *heads]


def _visible(drawn: Partial, words: int) -> tuple[bool, list[int]]:
    """Whether the next word is under an arc, and the heads whose arc to it crosses none and covers no headless word."""
    word = len(drawn) + 1
    covered = False
    leftmost, rightmost = 0, words
    hidden = [False] * (words + 1)
    for dependent, head in enumerate(drawn, start=1):
        if head is None:
            leftmost = max(leftmost, dependent)
            continue
        left, right = min(dependent, head), max(dependent, head)
        if right > word:
            covered = True
            leftmost, rightmost = max(leftmost, left), min(rightmost, right)
        else:
            hidden[left + 1 : right] = [True] * (right - left - 1)
    visible = (head for head in range(leftmost, rightmost + 1) if not hidden[head])
    return covered, [head for head in visible if not _dominates(drawn, word, head)]


def heads_in_nonprojective_trees(drawn: Partial, words: int) -> list[int]:
    """The heads after which the words can still make a non-projective tree (there are none below three words).

    >>> heads_in_nonprojective_trees((0,), 3), heads_in_nonprojective_trees((0, 0), 3)
    ([0], [1])
    """
    candidates = heads_in_trees(drawn, words)
    if len(drawn) + 2 < words:
        return candidates
    if len(drawn) + 1 < words:
        return [head for head in candidates if heads_in_nonprojective_trees((*drawn, head), words)]
    return [head for head in candidates if not is_projective((*drawn, head))]


def _dominates(drawn: Partial, word: int, node: int | None) -> bool:
    while node and node != word:
        node = drawn[node - 1] if node <= len(drawn) else None
    return node == word


# --- graphs ----------------------------------------------------------------------------------------------------------


def _draw_by_number(draw: DrawFn, choices: Sequence[int | None], max_words: int) -> int | None:
    """The choice that is, or is nearest below, a number drawn from the first choice on."""
    drawn = draw(st.integers(_number(choices[0]), _number(max_words)))
    return choices[bisect_right(choices, drawn, key=_number) - 1]


def _number(head: int | None) -> int:
    return 0 if head is None else 1 + head


def _draw_by_place(draw: DrawFn, choices: Sequence[T], _: int = 0) -> T:
    """The choice at a place in the list; not `sampled_from`, which draws nothing if there is but one."""
    return choices[draw(st.integers(0, len(choices) - 1))]


@dataclass(frozen=True, slots=True)
class _Kind:
    """How graphs are drawn: the candidates for each head, and how to draw one of them."""

    candidates: Candidates
    draw_head: Callable[[DrawFn, Sequence[int | None], int], int | None] = _draw_by_number


_NON_PROJECTIVE_TREES: Final = GraphClass((Restriction("non-projective"),), "trees")
_KINDS: Final = {
    TREES.graph_class: _Kind(heads_in_trees),
    FORESTS.graph_class: _Kind(heads_in_forests),
    PROJECTIVE_TREES.graph_class: _Kind(heads_in_projective_trees, _draw_by_place),
    PROJECTIVE_FORESTS.graph_class: _Kind(heads_in_projective_forests, _draw_by_place),
    _NON_PROJECTIVE_TREES: _Kind(heads_in_nonprojective_trees),
}


@st.composite
def _graphs(draw: DrawFn, kind: _Kind, min_words: int, max_words: int) -> Heads:
    words = draw(st.integers(min_words, max_words))
    heads: list[int | None] = []
    for _ in range(words):
        heads.append(kind.draw_head(draw, kind.candidates(heads, words), max_words))
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
    return trees_of(_NON_PROJECTIVE_TREES, min_words=min_words, max_words=max_words)


_MOST_WORDS_OF_A_CORE: Final = 5


def trees_of(cls: GraphClass, *, min_words: int = 1, max_words: int = MAX_WORDS) -> SearchStrategy[Heads]:
    """The graphs of any class, trees or forests, such as `GraphClass((Restriction("well-nested"),), "trees")`.

    The classes with a strategy of their own are drawn directly.  For any other a tree or forest is drawn and, if it is
    not in the class, mended: beginning with a plain member of the class (every word on 0, where that is one), each head
    drawn is put in if that leads to another member, until no more can be.  So every member can be drawn and none is
    filtered out; the less room a class leaves, the plainer its graphs.
    Numbers of words for which no plain member is found are left out, and `ValueError` says so if none remains.
    """
    _check_words(min_words, max_words)
    lengths = [words for words in range(min_words, max_words + 1) if _plain_member(cls, words) is not None]
    if not lengths:
        raise ValueError(f"no {class_text(cls)} of {min_words} to {max_words} words are known")
    selection = selection_of(cls)
    direct = _KINDS.get(selection.enumeration.graph_class if selection.is_exact else cls)
    if direct is not None:
        return _graphs(direct, lengths[0], lengths[-1])
    graphs = _graphs(_KINDS[selection.enumeration.graph_class], lengths[0], lengths[-1])
    return graphs.map(partial(mended, cls)).filter(partial(contains, cls))


def mended(cls: GraphClass, drawn: Heads) -> Heads:
    """The graph that was drawn if it is in the class, else a member that has some of its heads."""
    if contains(cls, drawn):
        return drawn
    heads = _plain_member(cls, len(drawn)) or drawn
    before = None
    while heads != before:
        before = heads
        for word, head in enumerate(drawn, start=1):
            changed = (*heads[: word - 1], head, *heads[word:])
            if contains(cls, changed):
                heads = changed
    return heads


@lru_cache(maxsize=4096)
def _plain_member(cls: GraphClass, words: int) -> Heads | None:
    """A member of the class: a small one, the *core*, and all further words headless (in a forest), on 0 or on 1."""
    further: tuple[int | None, ...] = (None, ROOT, 1) if cls.base == "forests" else (ROOT, 1)
    members = (
        (*core, *(head,) * (words - size))
        for size in range(min(words, _MOST_WORDS_OF_A_CORE) + 1)
        for core in all_graphs(GraphClass((), cls.base), size)
        for head in further
        if head is None or head <= size
    )
    return next((heads for heads in members if contains(cls, heads)), None)


def labelled(
    graphs: SearchStrategy[Heads], labels: Sequence[str] | SearchStrategy[str] = ("a", "b", "c")
) -> SearchStrategy[Graph]:
    """The graphs with a label on every arc; of a sequence of labels the first is the simplest.

    For instance `labelled(projective_trees(), labels=("SBJ", "OBJ"))`.
    """
    return _labelled(graphs, labels if isinstance(labels, SearchStrategy) else st.sampled_from(labels))


@st.composite
def _labelled(draw: DrawFn, graphs: SearchStrategy[Heads], labels: SearchStrategy[str]) -> Graph:
    heads = draw(graphs)
    return graph_of(heads, [draw(labels) for _ in heads])


def sentences(
    *, min_words: int = 1, max_words: int = MAX_WORDS, forms: SearchStrategy[str] | None = None
) -> SearchStrategy[tuple[str, ...]]:
    """Sentences as tuples of word forms; without `forms`, any text that has no blanks and control characters."""
    _check_words(min_words, max_words)
    if forms is None:
        forms = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=12)
    return st.lists(forms, min_size=min_words, max_size=max_words).map(tuple)


# --- runs ------------------------------------------------------------------------------------------------------------


class TransitionSystem(Protocol[C, T]):
    """What `runs` needs of a transition system; configurations and transitions may be anything."""

    def start(self, n: int, /) -> C:
        """The initial configuration for n words."""

    def permissible(self, c: C, /) -> Sequence[T]:
        """The transitions that may be applied."""

    def apply(self, c: C, t: T, /) -> C:
        """The configuration after the transition."""

    def is_terminal(self, c: C, /) -> bool:
        """Whether a run ends here."""


End: TypeAlias = Literal["terminal", "dead end", "cut off"]


@dataclass(frozen=True, slots=True)
class DrawnRun(Generic[C, T]):
    """A run from the initial configuration: `transitions[k]` leads from `configurations[k]` to the next.

    It ends at the first terminal configuration, at a dead end, or was cut off after too many steps.
    """

    words: int
    configurations: tuple[C, ...]
    transitions: tuple[T, ...]
    end: End

    @property
    def last(self) -> C:
        """The configuration at which the run ends."""
        return self.configurations[-1]


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
    """Configurations the system can reach from a start: any of a run, not only the last."""
    return runs(system, min_words=min_words, max_words=max_words, max_steps=max_steps).flatmap(
        _one_of_its_configurations
    )


def _one_of_its_configurations(run: DrawnRun[C, T]) -> SearchStrategy[C]:
    return st.sampled_from(run.configurations)
