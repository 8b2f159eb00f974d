"""Sets of graphs of n words as sorted arrays of numbers.

The *code* of a graph holds, for each word, one more than its head, or 0; the first word is in the highest bits, so
codes sort like the sequences of heads, with a missing head first.  Outputs in which a word has several heads are stored
separately: they are in no class.

For figures with `several heads`, and for comparisons with classes of graphs, codes have the form *graph* instead
(`graph_codes`); then outputs in which 0 has a head are stored separately.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from arcproof.generators.classes import contains, is_tree
from arcproof.generators.enumeration import FORESTS, TREES, all_graphs, selection_of
from arcproof.generators.graph_enumeration import graph_selection
from arcproof.generators.unranking import rows_of
from arcproof.properties.engines.graph_codes import (
    all_codes,
    are_in,
    bits_of_heads,
    code_of_graph,
    codes_of_bits,
    fewest_arcs,
    graph_of_code,
    hung_on_root,
    kind_of,
    pieces_of_codes,
    without_root,
)
from arcproof.transitions.graph import ROOT, Arc, Graph, Heads, graph_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

from arcproof.process.arrays import np, npt
from arcproof.process.lazy_dataclass import dataclass

Codes: TypeAlias = npt.NDArray[Any]
Form: TypeAlias = Literal["heads", "graph"]
Output: TypeAlias = Heads | int | frozenset[Arc]
"""The heads of a graph; its code, if words may have several heads; its arcs, if it has neither."""
MOST_BITS: Final = 63
MANY_WORDS: Final = 7
FEW_GRAPHS: Final = 4_096
MANY_GRAPHS: Final = 100_000
MOST_AT_ONCE: Final = 1 << 20
MUCH_LARGER: Final = 4
MOST_FOLLOWED: Final = 1 << 20  # graphs in which words may have several heads; with 5 words there are 2^25
ALL_TREES: Final = GraphClass((), "trees")


def bits_of(words: int) -> int:
    """The number of bits for a head or none."""
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
    """The codes in the order of the graphs; beyond 63 bits they are Python integers."""
    kind = np.int64 if words * bits_of(words) <= MOST_BITS else object
    return np.array([code_of(heads) for heads in graphs], dtype=kind)


def codes_of_rows(rows: npt.NDArray[np.int64]) -> Codes:
    """The codes of graphs given as rows that hold one more than each word's head, or 0."""
    words = rows.shape[1]
    codes = np.zeros(len(rows), dtype=np.int64)
    for word in range(words):
        codes = codes << bits_of(words) | rows[:, word]
    return codes


def form_of(system: System, graphs: GraphClass | None = None) -> Form:
    """The form of the codes of outputs, on their own or compared with a class."""
    return "graph" if system.figure.several_heads or (graphs is not None and graphs.base == "graphs") else "heads"


def output_of(graph: Graph, form: Form) -> Output:
    """The output as sets of outputs store it."""
    if form == "graph":
        return graph.arcs if any(arc.dependent == ROOT for arc in graph.arcs) else code_of_graph(graph)
    heads = graph.heads_or_none
    return graph.arcs if heads is None else heads


def decoded(code: int, words: int, form: Form) -> Graph:
    """The graph with this code, in one of the forms."""
    return graph_of_code(code, words) if form == "graph" else graph_of(heads_of(code, words))


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


def ranges_of(count: int, step: int) -> Iterator[range]:
    """The numbers from 0 to count - 1, in ranges."""
    for first in range(0, count, step):
        yield range(first, min(count, first + step))


def words_followed(graphs: GraphClass, words: int) -> int:
    """The number of words, at most this many, up to which all graphs of a class are tried.

    Trees and forests are tried up to the requested length; graphs with several heads soon become too numerous.
    """
    if graphs.base != "graphs":
        return words
    few = (n for n in range(words + 1) if graph_selection(graphs, n).enumeration.count(n) <= MOST_FOLLOWED)
    return max(few, default=0)


def size_of(graphs: GraphClass, words: int) -> int:
    """The number of graphs of a class."""
    if graphs.base == "graphs":
        return sum(map(len, pieces_of(graphs, words, "graph"))) if graphs.restrictions else 1 << words**2
    selection = selection_of(graphs)
    return selection.enumeration.count(words) if selection.is_exact else sum(map(len, pieces_of(graphs, words)))


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

    def minus(self, other: "Outputs") -> "Outputs":
        """The outputs that the other set does not have."""
        one, two = alike(self, other)
        return replace(one.without(two.codes), odd={o: n for o, n in one.odd.items() if o not in two.odd})

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
        return self.graph(least_of(self.codes, self.form)) if len(self.codes) else None

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


def least_of(codes: Codes, form: Form) -> int:
    """The code with the least heads among sorted codes; if words may have several heads, one with the fewest arcs."""
    return fewest_arcs(codes) if form == "graph" else int(codes[0])


def alike(one: Outputs, other: Outputs) -> tuple[Outputs, Outputs]:
    """Two sets of outputs converted to one form."""
    return (one, other) if one.form == other.form else (one.as_all_graphs(), other.as_all_graphs())


def comparable(one: Outputs, other: Outputs, systems: tuple[System, System]) -> tuple[Outputs, Outputs]:
    """The outputs of two systems in a form in which they can be compared.

    If no word has several heads, words without a head count as dependents of 0 with `root none`.
    """
    if any(system.figure.several_heads for system in systems):
        return alike(one, other)
    return one.rooted(systems[0]), other.rooted(systems[1])


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


def as_class_sees(system: System, graphs: GraphClass, graph: Graph) -> Graph:
    """An output in the form that a class uses: with `root none`, words without a head attach to 0 in trees."""
    if system.has_root or graphs.base != "trees":
        return graph
    headed = {arc.dependent for arc in graph.arcs}
    headless = (Arc(ROOT, None, word) for word in range(1, graph.words + 1) if word not in headed)
    return Graph(graph.words, graph.arcs.union(headless))
