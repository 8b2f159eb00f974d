"""Graphs of n words as numbers, and the outputs of a level as a set of them.

The *code* of a graph holds, for each word, one more than its head, or 0; the first word is in the highest bits, so
codes sort like the sequences of heads, with a missing head first.  Outputs in which a word has several heads are stored
separately: they are in no class.

For figures with `several heads`, and for comparisons with classes of graphs, codes have the form *graph* instead: n + 1
bits for each word, one for each node that may be its head, the first word in the lowest bits.  Then outputs in which 0
has a head are stored separately.

The interpreter finds few enough outputs for a dictionary (`OutputSet`); native code keeps them in arrays (`outputs`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from arcproof.generators.classes import contains, is_tree
from arcproof.generators.enumeration import all_graphs, selection_of
from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.graph_enumeration import all_graphs_of, graph_selection
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import ROOT, Arc, Graph, Heads
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

if TYPE_CHECKING:
    import numpy.typing as npt

    from arcproof.properties.engines.outputs import Outputs

Numbers: TypeAlias = "Sequence[int] | npt.NDArray[Any]"
"""Lists from the interpreter, arrays from native code."""
Form: TypeAlias = Literal["heads", "graph"]
Output: TypeAlias = Heads | int | frozenset[Arc]
"""The heads of a graph; its code, if words may have several heads; its arcs, if it has neither."""
MOST_FOLLOWED: Final = 1 << 20  # graphs in which words may have several heads; with 5 words there are 2^25


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


def code_of_graph(graph: Graph) -> int:
    """The code of a graph without arcs into 0, in the form *graph*.

    >>> code_of_graph(Graph(2, frozenset({Arc(0, None, 1), Arc(1, None, 2)})))
    17
    """
    wide = graph.words + 1
    return sum({1 << ((arc.dependent - 1) * wide + arc.head) for arc in graph.arcs})


def graph_of_code(code: int, words: int) -> Graph:
    """The graph with this code, in the form *graph*.

    >>> sorted(graph_of_code(17, 2).arcs)
    [Arc(head=0, label=None, dependent=1), Arc(head=1, label=None, dependent=2)]
    """
    bits = int(code)
    arcs = (
        Arc(h, None, d)
        for d in range(1, words + 1)
        for h in range(words + 1)
        if bits >> ((d - 1) * (words + 1) + h) & 1
    )
    return Graph(words, frozenset(arcs))


def form_of(system: System, graphs: GraphClass | None = None) -> Form:
    """The form of the codes of outputs, on their own or compared with a class."""
    return "graph" if system.figure.several_heads or (graphs is not None and graphs.base == "graphs") else "heads"


def output_of(graph: Graph, form: Form) -> Output:
    """The output as sets of outputs store it."""
    if form == "graph":
        return graph.arcs if any(arc.dependent == ROOT for arc in graph.arcs) else code_of_graph(graph)
    heads = graph.heads_or_none
    return graph.arcs if heads is None else heads


def coded(output: Heads | int) -> int:
    """The code of an output that has one."""
    return output if isinstance(output, int) else code_of(output)


def decoded(code: int, words: int, form: Form) -> Graph:
    """The graph with this code, in one of the forms; an output may have an arc from a word to itself."""
    if form == "graph":
        return graph_of_code(code, words)
    heads = heads_of(code, words)
    return Graph(words, frozenset(Arc(head, None, word) for word, head in enumerate(heads, 1) if head is not None))


def in_form(graph: Graph, form: Form) -> int:
    """The code of a graph that has one, in one of the forms."""
    return code_of_graph(graph) if form == "graph" else code_of(graph.heads)


def as_class_sees(system: System, graphs: GraphClass, graph: Graph) -> Graph:
    """An output in the form that a class uses: with `root none`, words without a head attach to 0 in trees."""
    return graph if system.has_root or graphs.base != "trees" else hung_on_root(graph)


def hung_on_root(graph: Graph) -> Graph:
    """The graph with every word that has no head attached to 0."""
    headed = {arc.dependent for arc in graph.arcs}
    headless = (Arc(ROOT, None, word) for word in range(1, graph.words + 1) if word not in headed)
    return Graph(graph.words, graph.arcs.union(headless))


# --- classes ---------------------------------------------------------------------------------------------------------


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


@lru_cache(maxsize=512)
def size_of(graphs: GraphClass, words: int) -> int:
    """The number of graphs of a class."""
    if graphs.base == "graphs":
        return len(members(graphs, words, "graph")) if graphs.restrictions else 1 << words**2
    selection = selection_of(graphs)
    return selection.enumeration.count(words) if selection.is_exact else sum(1 for _ in all_graphs(graphs, words))


@lru_cache(maxsize=512)
def members(graphs: GraphClass, words: int, form: Form = "heads") -> frozenset[int]:
    """The codes of all graphs of a class; cached because every system is compared with the same classes."""
    if form == "heads" and graphs.base != "graphs":
        return frozenset(map(code_of, all_graphs(graphs, words)))
    return frozenset(map(code_of_graph, all_graphs_of(graphs, words)))


# --- the outputs of a level ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OutputSet:
    """The outputs of one level: for each code the first terminal configuration that has it."""

    words: int
    numbers: Mapping[int, int]
    odd: Mapping[frozenset[Arc], int]
    form: Form = "heads"

    @classmethod
    def of(cls, words: int, found: Mapping[Output, int], form: Form = "heads") -> "OutputSet":
        """Make the outputs from a mapping of each to its first terminal configuration."""
        odd = {output: number for output, number in found.items() if isinstance(output, frozenset)}
        numbers = {coded(output): number for output, number in found.items() if not isinstance(output, frozenset)}
        return cls(words, numbers, odd, form)

    def __len__(self) -> int:
        """The number of outputs."""
        return len(self.numbers) + len(self.odd)

    def number_of(self, output: Heads | int) -> int | None:
        """The first terminal configuration with this output, if there is one."""
        return self.numbers.get(coded(output))

    def numbers_of_golds(self, system: System, codes: Numbers) -> list[int]:
        """For each gold graph the first terminal configuration whose output it is, or -1."""
        golds = (system.wanted(decoded(code, self.words, self.form)) for code in codes)
        return [self.numbers.get(in_form(gold, self.form), -1) for gold in golds]

    def rooted(self, system: System) -> "OutputSet":
        """The outputs read as trees: with `root none`, words without a head count as dependents of 0."""
        if system.has_root:
            return self
        graphs = ((hung_on_root(self.graph(code)), number) for code, number in self.numbers.items())
        return self._with((in_form(graph, self.form), number) for graph, number in graphs)

    def _with(self, numbered: Iterator[tuple[int, int]]) -> "OutputSet":
        """Other codes; of equal ones, the first terminal configuration counts."""
        least: dict[int, int] = {}
        for code, number in numbered:
            least[code] = min(number, least.get(code, number))
        return replace(self, numbers=least)

    def as_graphs(self) -> "OutputSet":
        """The same outputs in the form *graph*; those that cannot be written as heads stay apart."""
        if self.form == "graph":
            return self
        numbers = {code_of_graph(self.graph(code)): number for code, number in self.numbers.items()}
        return OutputSet(self.words, numbers, self.odd, "graph")

    def as_all_graphs(self) -> "OutputSet":
        """The same outputs, merged with those that cannot be written as heads."""
        merged = dict(self.as_graphs().numbers)
        apart: dict[frozenset[Arc], int] = {}
        for arcs, number in self.odd.items():
            output = output_of(Graph(self.words, arcs), "graph")
            if isinstance(output, int):
                merged[output] = number
            else:
                apart[arcs] = number
        return OutputSet(self.words, merged, apart, "graph")

    def for_class(self, system: System, graphs: GraphClass) -> "OutputSet":
        """The outputs in the form that a class uses."""
        if graphs.base == "graphs":
            return self.as_all_graphs() if self.odd else self.as_graphs()
        return self.rooted(system) if graphs.base == "trees" else self

    def outside(self, graphs: GraphClass) -> "OutputSet":
        """The outputs that are not in a class, with those stored separately."""
        return self._kept(lambda code: not self._is_in(graphs, code))

    def _is_in(self, graphs: GraphClass, code: int) -> bool:
        if self.form == "heads":
            return contains(graphs, heads_of(code, self.words))
        graph = graph_of_code(code, self.words)
        if graphs.base == "graphs":
            return contains_graph(graphs, graph)
        return graph.heads_or_none is not None and contains(graphs, graph.heads)

    def _kept(self, keep: Callable[[int], bool]) -> "OutputSet":
        """Some of the outputs, together with those stored separately."""
        return replace(self, numbers={code: number for code, number in self.numbers.items() if keep(code)})

    def minus(self, other: "Outputs | OutputSet") -> "Outputs | OutputSet":
        """The outputs that the other set does not have."""
        one, two = alike(self, other)
        if not isinstance(one, OutputSet):
            return one.minus(two)
        assert isinstance(two, OutputSet)
        left = one._kept(lambda code: code not in two.numbers)
        return replace(left, odd={output: number for output, number in one.odd.items() if output not in two.odd})

    def common(self, other: "Outputs | OutputSet") -> list[tuple[int, int]]:
        """The first terminal configurations of the outputs that both sets have, in the order of this one."""
        one, two = alike(self, other)
        if not isinstance(one, OutputSet):
            return one.common(two)
        assert isinstance(two, OutputSet)
        pairs = [(number, two.numbers[code]) for code, number in one.numbers.items() if code in two.numbers]
        return sorted(pairs + [(number, two.odd[output]) for output, number in one.odd.items() if output in two.odd])

    def least_missing(self, graphs: GraphClass) -> Graph | None:
        """The least graph of a class that is not among the outputs, which are in the form that the class uses."""
        missing = members(graphs, self.words, self.form) - self.numbers.keys()
        return self.graph(least_of(missing, self.form)) if missing else None

    @property
    def earliest(self) -> int | None:
        """The least number of a terminal configuration."""
        return min((*self.odd.values(), *self.numbers.values()), default=None)

    @property
    def least(self) -> Graph | None:
        """The earliest output that cannot be written as heads, if there is one; otherwise the graph with the least
        heads.
        """
        if self.odd:
            return Graph(self.words, min(self.odd, key=lambda arcs: self.odd[arcs]))
        return self.graph(least_of(self.numbers, self.form)) if self.numbers else None

    def graph(self, code: int) -> Graph:
        """The graph with this code."""
        return decoded(code, self.words, self.form)

    def tree_count(self) -> int:
        """The number of outputs that are trees."""
        found = (self.graph(code).heads_or_none for code in self.numbers)
        return sum(heads is not None and is_tree(heads) for heads in found)


def least_of(codes: Iterable[int], form: Form) -> int:
    """The code with the least heads; if words may have several heads, one with the fewest arcs."""
    return min(codes, key=lambda code: (code.bit_count(), code)) if form == "graph" else min(codes)


def alike(
    one: "Outputs | OutputSet", other: "Outputs | OutputSet"
) -> tuple["Outputs | OutputSet", "Outputs | OutputSet"]:
    """Two sets of outputs converted to one form; to arrays if either is in arrays."""
    if one.form != other.form:
        one, other = one.as_all_graphs(), other.as_all_graphs()
    if isinstance(one, OutputSet) != isinstance(other, OutputSet):
        from arcproof.properties.engines.outputs import in_arrays

        one, other = in_arrays(one), in_arrays(other)
    return one, other


def comparable(
    one: "Outputs | OutputSet", other: "Outputs | OutputSet", systems: tuple[System, System]
) -> tuple["Outputs | OutputSet", "Outputs | OutputSet"]:
    """The outputs of two systems in a form in which they can be compared.

    If no word has several heads, words without a head count as dependents of 0 with `root none`.
    """
    if any(system.figure.several_heads for system in systems):
        return alike(one, other)
    return alike(one.rooted(systems[0]), other.rooted(systems[1]))
