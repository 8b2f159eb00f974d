"""Sets of graphs of n words as sorted arrays of numbers, for native code; `output_sets` says which numbers."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.generators.classes import contains, is_tree
from arcproof.generators.enumeration import FORESTS, TREES, all_graphs, selection_of
from arcproof.generators.unranking import rows_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.graph_codes import (
    all_codes,
    are_in,
    bits_of_heads,
    codes_of_bits,
    fewest_arcs,
    hung_on_root,
    kind_of,
    pieces_of_codes,
    without_root,
)
from arcproof.properties.engines.output_sets import (
    Form,
    Numbers,
    Output,
    OutputSet,
    alike,
    bits_of,
    code_of,
    decoded,
    heads_of,
    output_of,
    ranges_of,
)
from arcproof.transitions.graph import Arc, Graph, Heads
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

Codes: TypeAlias = npt.NDArray[Any]
MOST_BITS: Final = 63
MANY_WORDS: Final = 7
FEW_GRAPHS: Final = 4_096
MANY_GRAPHS: Final = 100_000
MOST_AT_ONCE: Final = 1 << 20
MUCH_LARGER: Final = 4
ALL_TREES: Final = GraphClass((), "trees")


def codes_of(graphs: Iterable[Heads], words: int) -> Codes:
    """The codes in the order of the graphs; beyond 63 bits they are Python integers."""
    return np.array([code_of(heads) for heads in graphs], dtype=kind_of_heads(words))


def kind_of_heads(words: int) -> type:
    """The type that holds codes of lists of heads."""
    return np.int64 if words * bits_of(words) <= MOST_BITS else object


def codes_of_rows(rows: npt.NDArray[np.int64]) -> Codes:
    """The codes of graphs given as rows that hold one more than each word's head, or 0."""
    words = rows.shape[1]
    codes = np.zeros(len(rows), dtype=np.int64)
    for word in range(words):
        codes = codes << bits_of(words) | rows[:, word]
    return codes


def as_bits(codes: Codes, words: int) -> Codes:
    """The codes of graphs given as lists of heads, in the form *graph*."""
    bits = bits_of(words)
    entries = [(codes >> (bits * (words - word)) & ((1 << bits) - 1)).astype(np.int64) for word in range(1, words + 1)]
    return codes_of_bits(bits_of_heads(np.stack(entries, axis=1))) if entries else codes.astype(kind_of(words))


def pieces_of(graphs: GraphClass, words: int, form: Form = "heads") -> Iterator[Codes]:
    """Yield all graphs of a class, in sorted batches; never more than `MOST_AT_ONCE` are in memory at once."""
    if graphs.base == "graphs":
        yield from (
            [members(graphs, words, form)]
            if 1 << words**2 <= MOST_AT_ONCE
            else map(np.sort, pieces_of_codes(graphs, words))
        )
        return
    if form == "graph":
        yield from (np.sort(as_bits(piece, words)) for piece in pieces_of(graphs, words))
        return
    if selection_of(graphs).enumeration.count(words) <= MOST_AT_ONCE:
        yield members(graphs, words)
        return
    for ranks in ranges_of(selection_of(graphs).enumeration.count(words), MOST_AT_ONCE):
        yield np.sort(_codes_of_ranks(graphs, words, ranks))


@lru_cache(maxsize=512)
def members(graphs: GraphClass, words: int, form: Form = "heads") -> Codes:
    """All graphs of a class, sorted; cached because every system is compared with the same classes."""
    if graphs.base == "graphs":
        return all_codes(graphs, words)
    if form == "graph":
        return np.sort(as_bits(members(graphs, words), words))
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
    """All graphs of a small class, as rows that hold one more than each word's head, or 0; cached because they are used
    again and again.
    """
    return rows_of(all_graphs(graphs, words), words)


@dataclass(frozen=True)
class Outputs:
    """The outputs of one level: their codes, sorted, and for each the first terminal configuration that has it."""

    words: int
    codes: Codes
    numbers: npt.NDArray[np.int64]
    odd: Mapping[frozenset[Arc], int]
    form: Form = "heads"

    @classmethod
    def of(cls, words: int, found: Mapping[Output, int], form: Form = "heads") -> "Outputs":
        """Make the outputs from a mapping of each to its first terminal configuration."""
        regular = [(output, number) for output, number in found.items() if not isinstance(output, frozenset)]
        odd = {output: number for output, number in found.items() if isinstance(output, frozenset)}
        codes = codes_of_outputs((output for output, _ in regular), words, form)
        numbers = np.array([number for _, number in regular], dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        return cls(words, codes[order], numbers[order], odd, form)

    def __len__(self) -> int:
        """The number of outputs."""
        return len(self.codes) + len(self.odd)

    def numbers_of(self, codes: Codes) -> npt.NDArray[np.int64]:
        """For each code, the first terminal configuration with this output, or -1."""
        if not len(self.codes):
            return np.full(len(codes), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[places] == codes, self.numbers[places], -1)

    def number_of(self, output: Heads | int) -> int | None:
        """The first terminal configuration with this output, if there is one."""
        number = int(self.numbers_of(codes_of_outputs([output], self.words, self.form))[0])
        return None if number < 0 else number

    def numbers_of_golds(self, system: System, codes: Numbers) -> list[int]:
        """For each gold graph the first terminal configuration whose output it is, or -1."""
        found: list[int] = self.numbers_of(as_output(system, np.asarray(codes), self.words, self.form)).tolist()
        return found

    def rooted(self, system: System) -> "Outputs":
        """The outputs read as trees: with `root none`, words without a head count as dependents of 0."""
        if system.has_root or not len(self.codes):
            return self
        codes = hung_on_root(self.codes, self.words) if self.form == "graph" else self._hung_on_root()
        order = np.lexsort((self.numbers, codes)) if codes.dtype != object else np.argsort(codes, kind="stable")
        distinct, first = np.unique(codes[order], return_index=True)
        return replace(self, codes=distinct, numbers=self.numbers[order][first])

    def _hung_on_root(self) -> Codes:
        codes = self.codes.copy()
        for word in range(self.words):
            place = bits_of(self.words) * word
            entry = codes >> place & ((1 << bits_of(self.words)) - 1)
            codes = codes + ((entry == 0).astype(codes.dtype) << place)
        return codes

    def as_graphs(self) -> "Outputs":
        """The same outputs in the form *graph*; those that cannot be written as heads stay apart."""
        if self.form == "graph":
            return self
        codes = as_bits(self.codes, self.words)
        order = np.argsort(codes, kind="stable")
        return Outputs(self.words, codes[order], self.numbers[order], self.odd, "graph")

    def as_all_graphs(self) -> "Outputs":
        """The same outputs, merged with those that cannot be written as heads."""
        plain = self.as_graphs()
        known: dict[Output, int] = dict(zip(map(int, plain.codes), plain.numbers.tolist(), strict=True))
        known |= {output_of(Graph(self.words, arcs), "graph"): number for arcs, number in self.odd.items()}
        return Outputs.of(self.words, known, "graph")

    def for_class(self, system: System, graphs: GraphClass) -> "Outputs":
        """The outputs in the form that a class uses."""
        if graphs.base == "graphs":
            return self.as_all_graphs() if self.odd else self.as_graphs()
        return self.rooted(system) if graphs.base == "trees" else self

    def outside(self, graphs: GraphClass) -> "Outputs":
        """The outputs that are not in a class; the class is enumerated only if it is not much larger than the
        outputs.
        """
        if self.form == "graph":
            if graphs.base == "graphs":
                return self._kept(~are_in(graphs, self.codes, self.words))
            return self.without(members(graphs, self.words, "graph"))
        if self._is_worth_writing_out(graphs):
            return self.without(members(graphs, self.words))
        return self._kept(
            np.array([not contains(graphs, heads_of(code, self.words)) for code in self.codes], dtype=np.bool_)
        )

    def _kept(self, kept: npt.NDArray[np.bool_]) -> "Outputs":
        """Some of the outputs, together with those stored separately."""
        return replace(self, codes=self.codes[kept], numbers=self.numbers[kept])

    def _is_worth_writing_out(self, graphs: GraphClass) -> bool:
        selection = selection_of(graphs)
        count = selection.enumeration.count(self.words)
        is_quick = count <= FEW_GRAPHS or selection.is_exact
        return count <= MOST_AT_ONCE and (is_quick or count <= MUCH_LARGER * len(self.codes))

    def without(self, codes: Codes) -> "Outputs":
        """The outputs whose codes are not among these (which are sorted); those stored separately stay."""
        return self._kept(~np.isin(self.codes, codes, assume_unique=True))

    def minus(self, other: "Outputs | OutputSet") -> "Outputs":
        """The outputs that the other set does not have."""
        one, two = map(in_arrays, alike(self, other))
        return replace(one.without(two.codes), odd={o: n for o, n in one.odd.items() if o not in two.odd})

    def common(self, other: "Outputs | OutputSet") -> list[tuple[int, int]]:
        """The first terminal configurations of the outputs that both sets have, in the order of this one."""
        one, two = map(in_arrays, alike(self, other))
        found = two.numbers_of(one.codes)
        both = found >= 0
        pairs = list(zip(one.numbers[both].tolist(), found[both].tolist(), strict=True))
        return sorted(pairs + [(number, two.odd[output]) for output, number in one.odd.items() if output in two.odd])

    def least_missing(self, graphs: GraphClass) -> Graph | None:
        """The least graph of a class that is not among the outputs, which are in the form that the class uses."""
        pieces = pieces_of(graphs, self.words, self.form)
        missing = np.sort(np.concatenate([np.setdiff1d(piece, self.codes, assume_unique=True) for piece in pieces]))
        return self.graph(_least_of(missing, self.form)) if len(missing) else None

    @property
    def earliest(self) -> int | None:
        """The least number of a terminal configuration."""
        numbers = [*self.odd.values(), *([int(self.numbers.min())] if len(self.numbers) else [])]
        return min(numbers, default=None)

    @property
    def least(self) -> Graph | None:
        """The earliest output that cannot be written as heads, if there is one; otherwise the graph with the least
        heads.
        """
        if self.odd:
            return Graph(self.words, min(self.odd, key=lambda arcs: self.odd[arcs]))
        return self.graph(_least_of(self.codes, self.form)) if len(self.codes) else None

    def graph(self, code: int) -> Graph:
        """The graph with this code."""
        return decoded(code, self.words, self.form)

    def tree_count(self) -> int:
        """The number of outputs that are trees."""
        if self.form == "graph":
            return len(self.codes) - len(
                self._kept(~np.isin(self.codes, members(ALL_TREES, self.words, "graph"))).codes
            )
        if len(self.codes) >= MANY_GRAPHS and self.codes.dtype != object:
            with suppress(ImportError):
                from arcproof.generators.unranking import count_trees

                return int(count_trees(np.ascontiguousarray(self.codes), self.words, bits_of(self.words), True))
        return sum(is_tree(heads_of(code, self.words)) for code in self.codes)


def codes_of_outputs(found: Iterable[Output], words: int, form: Form) -> Codes:
    """The codes of those outputs that have one."""
    if form == "graph":
        return np.array(list(found), dtype=kind_of(words))
    return codes_of((heads for heads in found if isinstance(heads, tuple)), words)


def _least_of(codes: Codes, form: Form) -> int:
    """The code with the least heads among sorted codes; if words may have several heads, one with the fewest arcs."""
    return fewest_arcs(codes) if form == "graph" else int(codes[0])


def in_arrays(outputs: "Outputs | OutputSet") -> Outputs:
    """The same outputs in arrays."""
    if isinstance(outputs, Outputs):
        return outputs
    kind = kind_of(outputs.words) if outputs.form == "graph" else kind_of_heads(outputs.words)
    codes: Codes = np.array(sorted(outputs.numbers), dtype=kind)
    numbers = np.array([outputs.numbers[code] for code in sorted(outputs.numbers)], dtype=np.int64)
    return Outputs(outputs.words, codes, numbers, outputs.odd, outputs.form)


def regular_ends(
    words: int, numbers: npt.NDArray[np.int64], found: Iterable[Output], form: Form
) -> tuple[npt.NDArray[np.int64], Codes]:
    """The numbers of the terminal configurations whose outputs have codes, and these codes."""
    regular = [
        (number, output) for number, output in zip(numbers, found, strict=True) if not isinstance(output, frozenset)
    ]
    kept = np.array([number for number, _ in regular], dtype=np.int64)
    return kept, codes_of_outputs((output for _, output in regular), words, form)


def as_output(system: System, codes: Codes, words: int, form: Form = "heads") -> Codes:
    """The codes of the outputs that a system builds for gold graphs: with `root none`, dependents of 0 stay without a
    head.
    """
    if system.has_root:
        return codes
    if form == "graph":
        return without_root(codes, words)
    bits = bits_of(words)
    for word in range(words):
        entry = codes >> (bits * word) & ((1 << bits) - 1)
        codes = codes - ((entry == 1).astype(codes.dtype) << (bits * word))
    return codes
