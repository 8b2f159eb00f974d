"""Sets of graphs of n words as sorted arrays of numbers.

The *code* of a graph has for each word one more than its head, or 0, the first word in the highest bits; so codes order graphs as their heads do from the
left, a missing head first.  Outputs that cannot be written by heads are kept apart: they are in no class.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from arcproof.generators.classes import contains, is_tree
from arcproof.generators.enumeration import FORESTS, TREES, all_graphs, selection_of
from arcproof.generators.unranking import rows_of
from arcproof.transitions.graph import Arc, Graph, Heads, graph_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

from arcproof.process.lazy_dataclass import dataclass

Codes: TypeAlias = npt.NDArray[Any]
Output: TypeAlias = Heads | frozenset[Arc]
MOST_BITS: Final = 63
MANY_WORDS: Final = 7
FEW_GRAPHS: Final = 4_096
MANY_GRAPHS: Final = 100_000
MOST_AT_ONCE: Final = 1 << 20
MUCH_LARGER: Final = 4


def bits_of(words: int) -> int:
    """Bits of a head or none."""
    return max(1, (words + 1).bit_length())


def code_of(heads: Heads) -> int:
    """The code of a graph.

    >>> code_of((2, None))
    12
    """
    code = 0
    for head in heads:
        code = code << bits_of(len(heads)) | (0 if head is None else head + 1)
    return code


def heads_of(code: int, words: int) -> Heads:
    """The graph with this code.

    >>> heads_of(12, 2)
    (2, None)
    """
    bits = bits_of(words)
    entries = [int(code) >> (bits * (words - word)) & ((1 << bits) - 1) for word in range(1, words + 1)]
    return tuple(entry - 1 if entry else None for entry in entries)


def codes_of(graphs: Iterable[Heads], words: int) -> Codes:
    """The codes in the order of the graphs; beyond 63 bits they are Python's own numbers."""
    kind = np.int64 if words * bits_of(words) <= MOST_BITS else object
    return np.array([code_of(heads) for heads in graphs], dtype=kind)


def codes_of_rows(rows: npt.NDArray[np.int64]) -> Codes:
    """The codes of graphs given as rows of one more than the head."""
    words = rows.shape[1]
    codes = np.zeros(len(rows), dtype=np.int64)
    for word in range(words):
        codes = codes << bits_of(words) | rows[:, word]
    return codes


def pieces_of(graphs: GraphClass, words: int) -> Iterator[Codes]:
    """All graphs of a class, some at a time and sorted; never more than `MOST_AT_ONCE` in memory, so that it does not matter how many there are."""
    if selection_of(graphs).enumeration.count(words) <= MOST_AT_ONCE:
        yield members(graphs, words)
        return
    for ranks in ranges_of(selection_of(graphs).enumeration.count(words), MOST_AT_ONCE):
        yield np.sort(_codes_of_ranks(graphs, words, ranks))


def ranges_of(count: int, step: int) -> Iterator[range]:
    """0 to count - 1, in pieces."""
    for first in range(0, count, step):
        yield range(first, min(count, first + step))


def size_of(graphs: GraphClass, words: int) -> int:
    """How many graphs of a class there are."""
    selection = selection_of(graphs)
    return selection.enumeration.count(words) if selection.is_exact else sum(map(len, pieces_of(graphs, words)))


@lru_cache(maxsize=512)
def members(graphs: GraphClass, words: int) -> Codes:
    """All graphs of a class, sorted; kept because every system is compared with the same classes."""
    return np.sort(_codes_of_ranks(graphs, words, range(selection_of(graphs).enumeration.count(words))))


def _codes_of_ranks(graphs: GraphClass, words: int, ranks: range) -> Codes:
    selection = selection_of(graphs)
    native = words >= MANY_WORDS and words * bits_of(words) <= MOST_BITS and selection.enumeration in (TREES, FORESTS)
    if native and selection.is_exact:
        with suppress(ImportError):
            from arcproof.generators.unranking import rows_of_forests, rows_of_trees

            return codes_of_rows((rows_of_trees if selection.enumeration is TREES else rows_of_forests)(words, ranks))
    if words and len(ranks) == selection.enumeration.count(words) <= FEW_GRAPHS:
        return codes_of_rows(rows_of_class(graphs, words))
    return codes_of(all_graphs(graphs, words, ranks), words)


@lru_cache(maxsize=64)
def rows_of_class(graphs: GraphClass, words: int) -> npt.NDArray[np.int64]:
    """All graphs of a class that has few, as rows of one more than the head; kept because they are asked for again and again."""
    return rows_of(all_graphs(graphs, words), words)


@dataclass(frozen=True)
class Outputs:
    """The outputs of one level: their codes, sorted, and for each the first terminal configuration that has it."""

    words: int
    codes: Codes
    numbers: npt.NDArray[np.int64]
    odd: Mapping[frozenset[Arc], int]

    @classmethod
    def of(cls, words: int, found: Mapping[Output, int]) -> "Outputs":
        """From outputs with their first terminal configurations."""
        regular = [(output, number) for output, number in found.items() if isinstance(output, tuple)]
        odd = {output: number for output, number in found.items() if not isinstance(output, tuple)}
        codes = codes_of((heads for heads, _ in regular), words)
        numbers = np.array([number for _, number in regular], dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        return cls(words, codes[order], numbers[order], odd)

    def __len__(self) -> int:
        """How many outputs there are."""
        return len(self.codes) + len(self.odd)

    def numbers_of(self, codes: Codes) -> npt.NDArray[np.int64]:
        """For each code the first terminal configuration with this output, or -1."""
        if not len(self.codes):
            return np.full(len(codes), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[places] == codes, self.numbers[places], -1)

    def rooted(self, system: System) -> "Outputs":
        """As trees see them: in a system without node 0, words without head count as dependents of 0."""
        if system.has_root or not len(self.codes):
            return self
        codes = self.codes.copy()
        for word in range(self.words):
            place = bits_of(self.words) * word
            entry = codes >> place & ((1 << bits_of(self.words)) - 1)
            codes = codes + ((entry == 0).astype(codes.dtype) << place)
        order = np.lexsort((self.numbers, codes)) if codes.dtype != object else np.argsort(codes, kind="stable")
        distinct, first = np.unique(codes[order], return_index=True)
        return Outputs(self.words, distinct, self.numbers[order][first], self.odd)

    def for_class(self, system: System, graphs: GraphClass) -> "Outputs":
        """As a class sees them."""
        return self.rooted(system) if graphs.base == "trees" else self

    def outside(self, graphs: GraphClass) -> "Outputs":
        """Those that are not in a class; the class is only written out where it is not much larger than the outputs."""
        if self._is_worth_writing_out(graphs):
            return self.without(members(graphs, self.words))
        kept = np.array([not contains(graphs, heads_of(code, self.words)) for code in self.codes], dtype=np.bool_)
        return Outputs(self.words, self.codes[kept], self.numbers[kept], self.odd)

    def _is_worth_writing_out(self, graphs: GraphClass) -> bool:
        selection = selection_of(graphs)
        count = selection.enumeration.count(self.words)
        is_quick = count <= FEW_GRAPHS or selection.is_exact
        return count <= MOST_AT_ONCE and (is_quick or count <= MUCH_LARGER * len(self.codes))

    def without(self, codes: Codes) -> "Outputs":
        """Those whose codes are not among these, which are sorted; odd outputs stay."""
        kept = ~np.isin(self.codes, codes, assume_unique=True)
        return Outputs(self.words, self.codes[kept], self.numbers[kept], self.odd)

    def minus(self, other: "Outputs") -> "Outputs":
        """Those that the other does not have."""
        rest = self.without(other.codes)
        return Outputs(self.words, rest.codes, rest.numbers, {o: n for o, n in self.odd.items() if o not in other.odd})

    @property
    def earliest(self) -> int | None:
        """The least of all numbers."""
        numbers = [*self.odd.values(), *([int(self.numbers.min())] if len(self.numbers) else [])]
        return min(numbers, default=None)

    @property
    def least(self) -> Graph | None:
        """The earliest output that has no heads if there is one, else the graph with the least heads."""
        if self.odd:
            return Graph(self.words, min(self.odd, key=lambda arcs: self.odd[arcs]))
        return graph_of(heads_of(self.codes[0], self.words)) if len(self.codes) else None

    def tree_count(self) -> int:
        """How many are trees."""
        if len(self.codes) >= MANY_GRAPHS and self.codes.dtype != object:
            with suppress(ImportError):
                from arcproof.generators.unranking import count_trees

                return int(count_trees(np.ascontiguousarray(self.codes), self.words, bits_of(self.words), True))
        return sum(is_tree(heads_of(code, self.words)) for code in self.codes)


def regular_ends(
    words: int, numbers: npt.NDArray[np.int64], found: Iterable[Output]
) -> tuple[npt.NDArray[np.int64], Codes]:
    """The numbers of terminal configurations whose outputs can be written by heads, and the codes of these."""
    regular = [(number, output) for number, output in zip(numbers, found, strict=True) if isinstance(output, tuple)]
    kept = np.array([number for number, _ in regular], dtype=np.int64)
    return kept, codes_of((heads for _, heads in regular), words)


def as_output(system: System, codes: Codes, words: int) -> Codes:
    """The codes of what a system builds for gold graphs: without node 0, dependents of 0 stay without head."""
    if system.has_root:
        return codes
    bits = bits_of(words)
    for word in range(words):
        entry = codes >> (bits * word) & ((1 << bits) - 1)
        codes = codes - ((entry == 1).astype(codes.dtype) << (bits * word))
    return codes
