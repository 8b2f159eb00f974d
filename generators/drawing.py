"""Draw graphs of a class, with Hypothesis (`strategies`) or a random number generator as the source.

Heads are drawn from left to right, each from the list of those after which the graph can still be completed, so that
nothing is filtered.  For trees and forests these are the heads that close no cycle.  For projective trees they are
those that also cross no arc drawn so far: an undecided word can always be attached to an end of the innermost arc over
it, or to 0 where there is none.  For non-projective trees anything goes until the last two words, because two undecided
words can always be attached so that two arcs cross.  For any other class a tree or forest is drawn and adjusted.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final, TypeAlias

from arcproof.generators.classes import contains, is_projective
from arcproof.generators.enumeration import (
    FORESTS,
    PROJECTIVE_FORESTS,
    PROJECTIVE_TREES,
    TREES,
    all_graphs,
    selection_of,
)
from arcproof.transitions.graph import ROOT, Heads
from arcproof.transitions.syntax import GraphClass, Restriction

Partial: TypeAlias = Sequence[int | None]
Candidates: TypeAlias = Callable[[Partial, int], Sequence[int | None]]


# --- which heads may come next ---------------------------------------------------------------------------------------
#
# Each function gets the heads drawn so far and the number of words, and lists the possible heads of the next word,
# least first.


def heads_in_trees(drawn: Partial, words: int) -> list[int]:
    """The possible heads of the next word after which the graph can still become a tree: all nodes that this word does
    not dominate.

    >>> heads_in_trees((2,), 2)
    [0]
    """
    word = len(drawn) + 1
    return [head for head in range(words + 1) if not _dominates(drawn, word, head)]


def heads_in_forests(drawn: Partial, words: int) -> list[int | None]:
    """The possible heads of the next word after which the graph can still become a forest; None (no head) comes first.

    >>> heads_in_forests((), 2)
    [None, 0, 2]
    """
    return [None, *heads_in_trees(drawn, words)]


def heads_in_projective_trees(drawn: Partial, words: int) -> list[int]:
    """The possible heads of the next word after which the graph can still become a projective tree.

    >>> heads_in_projective_trees((3,), 3)
    [1, 3]
    """
    return _visible(drawn, words)[1]


def heads_in_projective_forests(drawn: Partial, words: int) -> list[int | None]:
    """The possible heads of the next word after which the graph can still become a projective forest.

    >>> heads_in_projective_forests((None,), 3), heads_in_projective_forests((3,), 3)
    ([None, 1, 3], [1, 3])
    """
    covered, heads = _visible(drawn, words)
    return [*heads] if covered else [None, *heads]


def _visible(drawn: Partial, words: int) -> tuple[bool, list[int]]:
    """Whether the next word is under an arc, and the heads from which an arc to it crosses no arc and covers no
    headless word.
    """
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
    """The possible heads of the next word after which the graph can still become a non-projective tree (at least three
    words).

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


NON_PROJECTIVE_TREES: Final = GraphClass((Restriction("non-projective"),), "trees")
CANDIDATES: Final[dict[GraphClass, Candidates]] = {
    TREES.graph_class: heads_in_trees,
    FORESTS.graph_class: heads_in_forests,
    PROJECTIVE_TREES.graph_class: heads_in_projective_trees,
    PROJECTIVE_FORESTS.graph_class: heads_in_projective_forests,
    NON_PROJECTIVE_TREES: heads_in_nonprojective_trees,
}


# --- graphs ----------------------------------------------------------------------------------------------------------


def drawn_class(graphs: GraphClass) -> tuple[GraphClass, bool]:
    """A superclass whose heads can be drawn one by one, and whether the result may have to be adjusted."""
    selection = selection_of(graphs)
    direct = selection.enumeration.graph_class if selection.is_exact else graphs
    return (direct, False) if direct in CANDIDATES else (selection.enumeration.graph_class, True)


def random_graph(graphs: GraphClass, words: int, random: Random) -> Heads | None:
    """A graph of a class; None if no such graph with this many words is known."""
    around, is_mended = drawn_class(graphs)
    candidates = CANDIDATES[around]
    heads: list[int | None] = []
    for _ in range(words):
        choices = candidates(heads, words)
        if not choices:
            return None
        heads.append(random.choice(choices))
    if not is_mended:
        return tuple(heads)
    member = mended(graphs, tuple(heads))
    return member if contains(graphs, member) else None


def mended(cls: GraphClass, drawn: Heads) -> Heads:
    """The graph that was drawn, if it is in the class; otherwise a member that shares some of its heads."""
    if contains(cls, drawn):
        return drawn
    heads = plain_member(cls, len(drawn)) or drawn
    before = None
    while heads != before:
        before = heads
        for word, head in enumerate(drawn, start=1):
            changed = (*heads[: word - 1], head, *heads[word:])
            if changed != heads and contains(cls, changed):
                heads = changed
    return heads


_MOST_WORDS_OF_A_CORE: Final = 5


@lru_cache(maxsize=4096)
def plain_member(cls: GraphClass, words: int) -> Heads | None:
    """A member of the class: a small one, the *core*, and all further words headless (in a forest), attached to 0, or
    attached to 1.
    """
    further: tuple[int | None, ...] = (None, ROOT, 1) if cls.base == "forests" else (ROOT, 1)
    members = (
        (*core, *(head,) * (words - size))
        for size in range(min(words, _MOST_WORDS_OF_A_CORE) + 1)
        for core in all_graphs(GraphClass((), cls.base), size)
        for head in further
        if head is None or head <= size
    )
    return next((heads for heads in members if contains(cls, heads)), None)
