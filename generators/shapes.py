"""Graphs that random sampling hardly ever produces: chains, stars, combs, nesting, crossing arcs.

A *shape* has a graph for every number of words.  Whatever goes wrong with a deep stack, a long buffer or many arcs goes
wrong with one of them, however long the sentence has to be.  Every shape comes with its mirror image.  `shapes_of`
gives the shapes of a class: one that is not in the class is adjusted, as samples are (`drawing`).
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from arcproof.generators.classes import contains
from arcproof.generators.drawing import mended
from arcproof.transitions.graph import ROOT, Heads
from arcproof.transitions.syntax import GraphClass

Shape: TypeAlias = Callable[[int], Heads]


def chain(words: int) -> Heads:
    """Every word is attached to the word before it.

    >>> chain(4)
    (0, 1, 2, 3)
    """
    return tuple(range(words))


def flat(words: int) -> Heads:
    """Every word is attached to 0."""
    return (ROOT,) * words


def star(words: int) -> Heads:
    """Every word is attached to the first.

    >>> star(4)
    (0, 1, 1, 1)
    """
    return (ROOT, *(1,) * (words - 1))


def centred(words: int) -> Heads:
    """Every word is attached to the one in the middle.

    >>> centred(5)
    (3, 3, 0, 3, 3)
    """
    middle = (words + 1) // 2
    return tuple(ROOT if word == middle else middle for word in range(1, words + 1))


def comb(words: int) -> Heads:
    """A chain of every other word, each with the word next to it as a leaf.

    >>> comb(6)
    (0, 1, 1, 3, 3, 5)
    """
    return tuple(word - 1 if word % 2 == 0 else max(0, word - 2) for word in range(1, words + 1))


def zigzag(words: int) -> Heads:
    """As many nested arcs as possible: of 1, n, 2, n - 1, … each is attached to the one before.

    >>> zigzag(5)
    (0, 5, 4, 2, 1)
    """
    order = [ROOT]
    first, last = 1, words
    while first <= last:
        order.append(first)
        if first < last:
            order.append(last)
        first, last = first + 1, last - 1
    heads = dict(zip(order[1:], order, strict=False))
    return tuple(heads[word] for word in range(1, words + 1))


def brackets(words: int) -> Heads:
    """The first half is a chain, and each of its words has a dependent in the second half: brackets in brackets.

    >>> brackets(6)
    (0, 1, 2, 3, 2, 1)
    """
    half = (words + 1) // 2
    return tuple(word - 1 if word <= half else words + 1 - word for word in range(1, words + 1))


def interleaved(words: int) -> Heads:
    """Two chains, of the odd and of the even words; every arc crosses its neighbours.

    >>> interleaved(5)
    (0, 0, 1, 2, 3)
    """
    return tuple(max(0, word - 2) for word in range(1, words + 1))


def parallel(words: int) -> Heads:
    """The second half is attached to the first, word by word: all these arcs cross each other.

    >>> parallel(6)
    (0, 0, 0, 1, 2, 3)
    """
    half = (words + 1) // 2
    return tuple(max(0, word - half) for word in range(1, words + 1))


def arch(words: int) -> Heads:
    """The last word is attached to the first, and all others to 0.

    >>> arch(4)
    (0, 0, 0, 1)
    """
    return (*(ROOT,) * (words - 1), int(words > 1))


def lone_arch(words: int) -> Heads:
    """The last word is attached to the first; there is no other arc."""
    return (*(None,) * (words - 1), 1 if words > 1 else None)


def headless(words: int) -> Heads:
    """No arcs."""
    return (None,) * words


def pairs(words: int) -> Heads:
    """Every other word has no head, and is the head of the word after it.

    >>> pairs(5)
    (None, 1, None, 3, None)
    """
    return tuple(word - 1 if word % 2 == 0 else None for word in range(1, words + 1))


def headless_chain(words: int) -> Heads:
    """A chain whose first word has no head.

    >>> headless_chain(4)
    (None, 1, 2, 3)
    """
    return tuple(word - 1 or None for word in range(1, words + 1))


def mirrored(heads: Heads) -> Heads:
    """The mirror image of the words; 0 stays where it is.

    >>> mirrored((0, 1, 1))
    (3, 3, 0)
    """
    return tuple(head and len(heads) + 1 - head for head in reversed(heads))


TREE_SHAPES: Final[tuple[Shape, ...]] = (
    chain, star, centred, flat, comb, zigzag, brackets, interleaved, parallel, arch,
)  # fmt: skip
FOREST_SHAPES: Final[tuple[Shape, ...]] = (headless, pairs, headless_chain, lone_arch)


def shapes(base: str) -> tuple[Shape, ...]:
    """The shapes of trees, or of forests, each with its mirror image."""
    drawn = TREE_SHAPES if base == "trees" else (*TREE_SHAPES, *FOREST_SHAPES)
    return tuple(shape for one in drawn for shape in (one, _mirror_of(one)))


def _mirror_of(shape: Shape) -> Shape:
    return lambda words: mirrored(shape(words))


def shapes_of(graphs: GraphClass) -> tuple[Callable[[int], Heads | None], ...]:
    """The shapes as graphs of a class; a shape yields None for a number of words if no member is known."""
    return tuple(_mended(shape, graphs) for shape in shapes(graphs.base))


def _mended(shape: Shape, graphs: GraphClass) -> Callable[[int], Heads | None]:
    def member(words: int) -> Heads | None:
        heads = mended(graphs, shape(words))
        return heads if contains(graphs, heads) else None

    return member
