"""The exact loss of configurations: the distance from a gold graph to the nearest output that can still be reached.

The *loss* of an output is the number of words whose head is not the gold one, a missing head counting like a wrong one
(`wrong_heads`); other losses are functions that say which words' heads count as wrong (`Blame`), such as `missed_arcs`.
Labels are handled in `labels`.  An output in which a word has two heads has no loss, and its configuration does not
count as an end. The loss of a configuration is the least loss of an output that some run from it reaches; if no run
from it ends, it has none (`UNREACHABLE`).  The *cost* of a transition in a configuration is the loss after it minus the
loss before it (Goldberg & Nivre 2012).  So it is never negative, and in every configuration from which a run ends some
transition is free.

The losses of all configurations of n words are worked out backwards from the ends, for many gold graphs at once.  Gold
graphs are given as the system builds them: with `root none`, a dependent of 0 has no head.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.defined_losses import MAX_BYTES, UNREACHABLE, Apart, Blame, wrong_heads
from arcproof.properties.engines.output_sets import bits_of
from arcproof.properties.engines.outputs import Codes, as_output, pieces_of
from arcproof.properties.engines.spaces import Space
from arcproof.transitions.syntax import GraphClass


@dataclass(frozen=True)
class Losses:
    """A table of losses, by the number of a configuration and the index of a gold graph."""

    space: Space
    golds: Codes
    table: npt.NDArray[np.uint8]

    def costs(self, edge: int) -> npt.NDArray[np.int16]:
        """The cost of a transition for each gold graph; meaningless if no run from its source ends."""
        source = int(np.searchsorted(self.space.steps.starts, edge, side="right")) - 1
        target = self.space.steps.targets[edge]
        found: npt.NDArray[np.int16] = self.table[target].astype(np.int16) - self.table[source]
        return found

    @cached_property
    def heads(self) -> npt.NDArray[np.int64]:
        """The gold graphs as rows that hold one more than each word's head, or 0."""
        return rows_of_codes(self.golds, self.space.words)


def rows_of_codes(codes: Codes, words: int) -> npt.NDArray[np.int64]:
    """Graphs as rows that hold one more than each word's head, or 0."""
    bits = bits_of(words)
    columns = [codes >> (bits * (words - word)) & ((1 << bits) - 1) for word in range(1, words + 1)]
    return np.stack(columns, axis=1).astype(np.int64) if words else np.zeros((len(codes), 0), dtype=np.int64)


Heads: TypeAlias = npt.NDArray[np.int64]
"""For one word in several graphs: one more than its head, or 0 for none.

A `Blame` gets two such arrays, which are broadcast against each other: outputs are the rows, gold graphs the columns.
To define a loss of your own, write such a function, and pass it to `losses` or `losses_for_class`; this one ignores
words that should be attached to the root:

>>> def below_the_root(built: Heads, gold: Heads) -> npt.NDArray[np.bool_]:
...     return (built != gold) & (gold > 1)
>>> below_the_root(np.array([2, 2, 0]), np.array([1, 3, 2])).tolist()
[False, True, True]
"""


def losses_for_class(space: Space, graphs: GraphClass, blame: Blame = wrong_heads) -> Iterator[Losses]:
    """The losses for every gold graph of a class, in batches, so that memory is bounded."""
    room = max(1, MAX_BYTES // max(1, space.size + space.transitions))
    for codes in pieces_of(graphs, space.words):
        golds = np.unique(as_output(space.system, codes, space.words))
        for first in range(0, len(golds), room):
            yield losses(space, golds[first : first + room], blame)


def losses(space: Space, golds: Codes, blame: Blame = wrong_heads) -> Losses:
    """The losses of every configuration for each of some gold graphs."""
    table = np.full((space.size, len(golds)), UNREACHABLE, dtype=np.uint8)
    ends, codes = space.ends
    outputs, place = np.unique(codes, return_inverse=True)
    table[np.asarray(ends, dtype=np.int64)] = _blamed(outputs, golds, space.words, blame)[place]
    layers = list(_layers(space))
    while _passed_back(space, table, layers):
        pass
    return Losses(space, golds, table)


def _blamed(outputs: Codes, golds: Codes, words: int, blame: Blame) -> npt.NDArray[np.uint8]:
    found = np.zeros((len(outputs), len(golds)), dtype=np.uint8)
    built, wanted = rows_of_codes(outputs, words), rows_of_codes(golds, words)
    for word in range(words):
        found += blame(built[:, word, None], wanted[None, :, word])
    return found


def _layers(space: Space) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the configurations with transitions, ordered by their longest path, shortest first.

    So every transition leads to an earlier layer; if there are cycles, the configurations that lead to one are in the
    last layer.
    """
    starts, targets = _arrays(space)
    sources = np.repeat(np.arange(space.size), np.diff(starts))
    open_edges = np.diff(starts)
    order = np.argsort(targets, kind="stable")
    into = np.searchsorted(targets[order], np.arange(space.size + 1))
    layer = np.flatnonzero(open_edges == 0)
    known = np.zeros(space.size, dtype=np.bool_)
    while len(layer):
        known[layer] = True
        edges = order[_ranges(into[layer], into[layer + 1])]
        lost = np.bincount(sources[edges], minlength=space.size)
        open_edges = open_edges - lost
        layer = np.flatnonzero((open_edges == 0) & (lost > 0))
        if len(layer):
            yield layer
    if not known.all():
        yield np.flatnonzero(~known)


def _ranges(firsts: npt.NDArray[np.int64], afters: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """All numbers of several ranges, concatenated."""
    lengths = afters - firsts
    ends = np.cumsum(lengths)
    found: npt.NDArray[np.int64] = np.arange(int(lengths.sum())) + np.repeat(firsts - (ends - lengths), lengths)
    return found


def _leaving(space: Space, layer: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The targets of the transitions from a layer, and the indices at which those of each configuration begin."""
    starts, targets = _arrays(space)
    lengths = starts[layer + 1] - starts[layer]
    return targets[_ranges(starts[layer], starts[layer + 1])], np.cumsum(lengths) - lengths


def _arrays(space: Space) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Where the edges of each configuration begin, and their targets."""
    return np.asarray(space.steps.starts, dtype=np.int64), np.asarray(space.steps.targets, dtype=np.int32)


def _passed_back(space: Space, table: npt.NDArray[np.uint8], layers: list[npt.NDArray[np.int64]]) -> bool:
    """Lower the losses of a layer to the least of those one transition later; return whether that has to be repeated.

    If no transition leads to the same layer, once is enough.
    """
    for layer in layers:
        reached, firsts = _leaving(space, layer)
        best = np.minimum.reduceat(table[reached], firsts, axis=0)
        np.minimum(table[layer], best, out=best)
        again = layer is layers[-1] and bool((best < table[layer]).any()) and bool(np.isin(reached, layer).any())
        table[layer] = best
    return bool(layers) and again


def arcs_within_reach(space: Space) -> npt.NDArray[np.bool_]:
    """A mask, by the number of a configuration, a word, and one more than a head or 0: whether some run from there
    gives the word that head.
    """
    words = space.words
    found = np.zeros((space.size, words, words + 2), dtype=np.bool_)
    ends, codes = (np.asarray(one) for one in space.ends)
    built = rows_of_codes(codes, words)
    for word in range(words):
        found[ends, word, built[:, word]] = True
    changed = True
    while changed:
        changed = False
        for layer in _layers(space):
            reached, firsts = _leaving(space, layer)
            within = np.logical_or.reduceat(found[reached], firsts, axis=0) | found[layer]
            changed = changed or bool((within != found[layer]).any() and np.isin(reached, layer).any())
            found[layer] = within
    return found


def apart_in_arrays(
    space: Space, graphs: GraphClass, blame: Blame, attached: int | None
) -> Iterator[tuple[Losses, int, Apart | None]]:
    """For batches of gold graphs: their losses, the number of situations, and the first configuration from which the
    gold arcs within reach cannot all be built.
    """
    within = arcs_within_reach(space)
    for found in losses_for_class(space, graphs, blame):
        yield found, int((found.table != UNREACHABLE).sum()), _apart(found, within, attached)


def _apart(found: Losses, within: npt.NDArray[np.bool_], attached: int | None) -> Apart | None:
    words, rows = found.space.words, found.heads
    lost = np.zeros(found.table.shape, dtype=np.uint8)
    for word in range(words):
        lost += ~within[:, word, :][:, rows[:, word]] & ((rows[:, word] != 0) | (attached is not None))
    wrong = (found.table != UNREACHABLE) & (found.table != lost)
    numbers = np.flatnonzero(wrong.any(axis=1))
    if not len(numbers):
        return None
    number, place = int(numbers[0]), int(np.argmax(wrong[numbers[0]]))
    reached = (word for word in range(words) if within[number, word, rows[place, word]])
    return Apart(number, place, frozenset(word + 1 for word in reached))
