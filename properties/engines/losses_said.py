"""Vectorised loss functions: for one configuration, an array of losses, one per gold graph.

The definitions are in `transitions.loss_functions`; tests compare every number with theirs.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.properties.engines.golds import Costs, Golds, Truths
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import ROOT
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS, Nodes, sequences_of, within_reach
from arcproof.transitions.syntax import LossOf

Trees: TypeAlias = dict[int, Costs]
"""For each head, the fewest wrong arcs of a tree, by gold graph."""
NONE: Final = 1_000
"""More wrong arcs than any tree can have."""


def losses_said(loss: LossOf, c: Configuration, golds: Golds) -> Costs:
    """The value of a loss function for a configuration, by gold graph."""
    sequences = sequences_of(c, loss)
    quick = _QUICK.get(loss.function)
    if quick is not None:
        return quick(c, sequences, golds)
    value = LOSS_FUNCTIONS[loss.function].value
    return np.array([value(c, sequences, gold) for gold in golds.golds], dtype=np.int64)


# --- tabular ---------------------------------------------------------------------------------------------------------


def _tabular(c: Configuration, sequences: Sequence[Nodes], golds: Golds) -> Costs:
    stack, buffer = sequences
    wrong = sum(
        (~golds.arc(head, word) for word, heads in c.heads_of.items() for head in heads), np.zeros(len(golds.rows))
    )
    column: list[Trees] = []
    kept = [golds.all(True), *_kept(stack, buffer, golds)]
    for word, is_kept in zip((None, *buffer), kept, strict=True):
        column = _next_column(column, tuple(reversed(stack)), word, is_kept, golds)
    least = column[-1].get(ROOT) if column else None
    none = np.full(len(golds.rows), c.words + 1)
    return none if least is None else np.where(least < NONE, wrong + least, none).astype(np.int64)


def _kept(stack: Nodes, buffer: Nodes, golds: Golds) -> list[Truths]:
    """For each word of the buffer, a mask of the gold graphs where that word matters."""
    found: list[Truths] = []
    for word in buffer:
        is_kept = ~_any([golds.arc(other, word) for other in buffer], golds)
        is_kept |= _any([golds.arc(word, child) for child in stack], golds)
        is_kept |= _any([golds.arc(word, child) & one for child, one in zip(buffer, found, strict=False)], golds)
        found.append(is_kept)
    return found


def _any(parts: list[Truths], golds: Golds) -> Truths:
    return np.logical_or.reduce(parts) if parts else golds.all(False)


def _next_column(before: list[Trees], down: Nodes, word: int | None, is_kept: Truths, golds: Golds) -> list[Trees]:
    """The next column, as in the definition; where the word is not kept, nothing changes."""
    found: list[Trees] = []
    for place, node in enumerate(down):
        ways: Trees = {node: np.zeros(len(golds.rows), dtype=np.int64)} if place == 0 and word is None else {}
        if place:
            _extend(ways, found[-1], node, golds)
        if word is not None:
            _extend(ways, before[place], word, golds)
            ways = {head: np.where(is_kept, wrong, before[place].get(head, NONE)) for head, wrong in ways.items()}
        found.append(ways)
    return found


def _extend(ways: Trees, trees: Trees, node: int, golds: Golds) -> None:
    for head, wrong in trees.items():
        if node != ROOT:
            _offer(ways, head, wrong + ~golds.arc(head, node))
        if head != ROOT:
            _offer(ways, node, wrong + ~golds.arc(node, head))


def _offer(ways: Trees, head: int, wrong: Costs) -> None:
    ways[head] = np.minimum(wrong, ways[head]) if head in ways else wrong


# --- arcwise ---------------------------------------------------------------------------------------------------------


def _arcwise(c: Configuration, sequences: Sequence[Nodes], golds: Golds) -> Costs:
    nodes = np.arange(c.words + 1)
    within = np.array([_within(c, sequences, word) for word in range(1, c.words + 1)], dtype=np.bool_)
    rows = golds.rows
    fits = within[nodes[:-1], rows] if c.words else np.zeros(rows.shape, dtype=np.bool_)
    built = np.array([c.heads_of.get(word, (-1,))[0] + 1 for word in range(1, c.words + 1)], dtype=np.int64)
    heads = np.where(built > 0, built, np.where(fits, rows, 0))
    lost: Costs = (~fits).sum(axis=1)
    return lost + _cycles(heads)


def _within(c: Configuration, sequences: Sequence[Nodes], word: int) -> list[bool]:
    """Whether a word can still end without a head, and with each node as its head."""
    built = c.heads_of.get(word, ())
    possible = (head in built or within_reach(c, sequences, head, word) for head in range(c.words + 1))
    return [not built, *possible]


def _cycles(heads: npt.NDArray[np.int64]) -> Costs:
    """The number of cycles in each row that holds one more than each word's head, or 0."""
    count, words = heads.shape
    found = np.zeros(count, dtype=np.int64)
    parents = np.concatenate([np.zeros((count, 1), dtype=np.int64), np.maximum(heads - 1, 0)], axis=1)
    every = np.arange(count)
    for word in range(1, words + 1):
        node = parents[:, word]
        for _ in range(words - word):
            node = np.where(node > word, parents[every, node], node)
        found += node == word
    return found


_QUICK: Final[dict[str, Callable[[Configuration, Sequence[Nodes], Golds], Costs]]] = {
    "tabular": _tabular,
    "arcwise": _arcwise,
}
