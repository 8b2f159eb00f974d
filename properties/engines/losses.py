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

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, TypeAlias

from arcproof.properties.engines.outputs import Codes, as_output, bits_of, pieces_of
from arcproof.properties.engines.spaces import Space
from arcproof.transitions.syntax import GraphClass

from arcproof.process.arrays import np, npt
from arcproof.process.lazy_dataclass import dataclass

UNREACHABLE: Final = 255
MOST_BYTES: Final = 1 << 28
"""The memory for the losses of one batch of gold graphs before and after every transition."""


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
"""For one word in several graphs: one more than its head, or 0 for none."""
Blame: TypeAlias = Callable[[Heads, Heads], npt.NDArray[np.bool_]]
"""Whether a head counts as wrong, given the head that was built and the gold one; each is one more than the head, or 0
for none.

The arrays are broadcast against each other: outputs are the rows, gold graphs the columns.  To define a loss of your
own, write such a function of two arrays, and pass it to `losses` or `losses_for_class`; this one ignores words that
should be attached to the root:

>>> def below_the_root(built: Heads, gold: Heads) -> npt.NDArray[np.bool_]:
...     return (built != gold) & (gold > 1)
>>> below_the_root(np.array([2, 2, 0]), np.array([1, 3, 2])).tolist()
[False, True, True]
"""


def wrong_heads(built: Heads, gold: Heads) -> npt.NDArray[np.bool_]:
    """Whether the head differs from the gold one."""
    found: npt.NDArray[np.bool_] = built != gold
    return found


def missed_arcs(built: Heads, gold: Heads) -> npt.NDArray[np.bool_]:
    """Whether there is a gold head, and the head is not it."""
    found: npt.NDArray[np.bool_] = (built != gold) & (gold != 0)
    return found


def losses_for_class(space: Space, graphs: GraphClass, blame: Blame = wrong_heads) -> Iterator[Losses]:
    """The losses for every gold graph of a class, in batches, so that memory is bounded."""
    room = max(1, MOST_BYTES // max(1, space.size + space.transitions))
    for codes in pieces_of(graphs, space.words):
        golds = np.unique(as_output(space.system, codes, space.words))
        for first in range(0, len(golds), room):
            yield losses(space, golds[first : first + room], blame)


def losses(space: Space, golds: Codes, blame: Blame = wrong_heads) -> Losses:
    """The losses of every configuration for each of some gold graphs."""
    table = np.full((space.size, len(golds)), UNREACHABLE, dtype=np.uint8)
    ends, codes = space.ends
    outputs, place = np.unique(codes, return_inverse=True)
    table[ends] = _blamed(outputs, golds, space.words, blame)[place]
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
    starts, targets = space.steps.starts, space.steps.targets
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
    starts = space.steps.starts
    lengths = starts[layer + 1] - starts[layer]
    return space.steps.targets[_ranges(starts[layer], starts[layer + 1])], np.cumsum(lengths) - lengths


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
    ends, codes = space.ends
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
