"""How a configuration is packed into one or two machine words.

The first word holds the cells of all sequences one after the other, each sequence from its head on, and then their lengths; the
second holds the arcs and then flags, counters and sets.  Where both fit into 64 bits they are one word.

Arcs are packed in one of two forms.  *heads*: for each word one more than its head, or 0, the first word in the highest bits, so that packed
arcs order graphs as `2,0,2` does from the left, a missing head first.  *matrix*: one bit for each pair of nodes, which also holds graphs in which a word has
several heads or 0 has one; it is used for figures in which that happens.

A configuration that does not fit (a node twice, a counter out of range) is never cut short: the code says so, and the interpreter takes over.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Value
from arcproof.transitions.execute import nodes_of
from arcproof.transitions.graph import Arc, Graph

Words64: TypeAlias = npt.NDArray[np.int64]
ArcForm: TypeAlias = Literal["heads", "matrix"]

COUNTER_BITS: Final = 8
WORD: Final = 64

# Where the numbers of a layout stand in the array that is handed to native code.
WORDS, NODE_BITS, NODE_MASK, HEAD_BITS, HEAD_MASK, CELLS_BITS, LENGTH_BITS, LENGTH_MASK = range(8)
ARCS_BITS, ARCS_MASK, FIRST_BITS, SECOND_MASK, WIDE, LITERALS = range(8, 14)


class DoesNotFit(Exception):
    """No packed configuration holds this figure for this many words."""


@dataclass(frozen=True)
class Layout:
    """The packing for sentences of n words; `literals` are the sequences that the figure compares with."""

    state: tuple[s.Component, ...]
    words: int
    arc_form: ArcForm
    literals: tuple[tuple[s.LiteralSequence, s.Side], ...] = ()

    def __post_init__(self) -> None:
        """`DoesNotFit` if two machine words do not suffice."""
        if self.first_bits > WORD or self.second_bits > WORD - 1 or self.arcs_bits > WORD - 1:
            raise DoesNotFit(f"{self.words} words do not fit into two machine words")

    # --- widths --------------------------------------------------------------------------------------------------------

    @cached_property
    def sequences(self) -> tuple[int, ...]:
        """The places of the sequences among the components."""
        return tuple(k for k, c in enumerate(self.state) if isinstance(c, s.SequenceComponent))

    @property
    def node_bits(self) -> int:
        """Bits of a node 0..n."""
        return max(1, self.words.bit_length())

    @property
    def head_bits(self) -> int:
        """Bits of a head or none."""
        return max(1, (self.words + 1).bit_length())

    @property
    def length_bits(self) -> int:
        """Bits of the length of a sequence, at most n + 1."""
        return (self.words + 1).bit_length()

    @property
    def cells_bits(self) -> int:
        """Bits of all cells: no node is in two places."""
        return (self.words + 1) * self.node_bits

    @property
    def first_bits(self) -> int:
        """Bits of the first word."""
        return self.cells_bits + len(self.sequences) * self.length_bits

    @property
    def arcs_bits(self) -> int:
        """Bits of the arcs."""
        return self.words * self.head_bits if self.arc_form == "heads" else (self.words + 1) ** 2

    def value_bits(self, component: s.Component) -> int:
        """Bits of a flag, counter or set."""
        assert isinstance(component, s.ValueComponent)
        return {"flag": 1, "counter": COUNTER_BITS, "set": self.words + 1}[component.kind]

    @cached_property
    def value_places(self) -> dict[int, int]:
        """For each flag, counter and set the bit of the second word where it begins."""
        places: dict[int, int] = {}
        bit = self.arcs_bits
        for index, component in enumerate(self.state):
            if isinstance(component, s.ValueComponent):
                places[index] = bit
                bit += self.value_bits(component)
        return places

    @property
    def second_bits(self) -> int:
        """Bits of the second word."""
        return self.arcs_bits + sum(self.value_bits(self.state[index]) for index in self.value_places)

    @property
    def is_wide(self) -> bool:
        """Whether a configuration takes two words."""
        return self.first_bits + self.second_bits > WORD

    @property
    def bytes(self) -> int:
        """Bytes of a packed configuration."""
        return 16 if self.is_wide else 8

    @cached_property
    def shape(self) -> Words64:
        """The numbers that native code needs, in the places named above, then word and length of each literal."""
        numbers = [
            self.words, self.node_bits, _mask(self.node_bits), self.head_bits, _mask(self.head_bits), self.cells_bits,
            self.length_bits, _mask(self.length_bits), self.arcs_bits, _mask(self.arcs_bits), self.first_bits,
            _mask(self.second_bits), int(self.is_wide),
        ]  # fmt: skip
        for literal, side in self.literals:
            nodes = nodes_of(literal, self.words)
            fits = len(nodes) <= self.words + 1 and all(node <= self.words for node in nodes)
            numbers += [self._cells(nodes, side), len(nodes)] if fits else [0, -1]
        return np.array(numbers, dtype=np.int64)

    # --- packing -------------------------------------------------------------------------------------------------------

    def _cells(self, nodes: tuple[int, ...], head: s.Side) -> int:
        ordered = nodes if head == "left" else nodes[::-1]
        return sum(node << (self.node_bits * k) for k, node in enumerate(ordered))

    def pack(self, c: Configuration) -> tuple[int, int]:
        """The two words of a configuration, as signed numbers; `DoesNotFit` if it has no packed form."""
        first = used = 0
        lengths = 0
        for place, index in enumerate(self.sequences):
            component, nodes = self.state[index], c.values[index]
            assert isinstance(component, s.SequenceComponent)
            assert isinstance(nodes, tuple)
            first |= self._cells(nodes, component.head) << (self.node_bits * used)
            lengths |= len(nodes) << (self.length_bits * place)
            used += len(nodes)
        if used > self.words + 1:
            raise DoesNotFit(f"{c} has a node in two places")
        first |= lengths << self.cells_bits
        second = self.pack_arcs(c.graph)
        for index, bit in self.value_places.items():
            second |= self._packed_value(index, c.values[index]) << bit
        if self.is_wide:
            return _signed(first), _signed(second)
        return _signed(first | second << self.first_bits), 0

    def _packed_value(self, index: int, value: Value) -> int:
        if isinstance(value, frozenset):
            return sum(1 << node for node in value)
        assert isinstance(value, int)
        if not 0 <= value < 1 << self.value_bits(self.state[index]):
            raise DoesNotFit(f"a counter has the value {value}")
        return int(value)

    def pack_arcs(self, graph: Graph) -> int:
        """The arcs alone; `DoesNotFit` if a word has two heads, or 0 has one, and they are packed as heads."""
        arcs = {(arc.head, arc.dependent) for arc in graph.arcs}
        if self.arc_form == "matrix":
            return sum(1 << (dependent * (self.words + 1) + head) for head, dependent in arcs)
        dependents = [dependent for _, dependent in arcs]
        if len(set(dependents)) < len(arcs) or 0 in dependents:
            raise DoesNotFit("a word has two heads, or 0 has one")
        return sum((head + 1) << ((self.words - dependent) * self.head_bits) for head, dependent in arcs)

    def unpack(self, first: int, second: int) -> Configuration:
        """The configuration with these words."""
        first &= _mask(WORD)
        second &= _mask(WORD)
        if not self.is_wide:
            first, second = first & _mask(self.first_bits), first >> self.first_bits
        values: list[Value] = [0] * len(self.state)
        bit = 0
        for place, index in enumerate(self.sequences):
            component = self.state[index]
            assert isinstance(component, s.SequenceComponent)
            length = first >> (self.cells_bits + place * self.length_bits) & _mask(self.length_bits)
            nodes = tuple(first >> (bit + k * self.node_bits) & _mask(self.node_bits) for k in range(length))
            values[index] = nodes if component.head == "left" else nodes[::-1]
            bit += length * self.node_bits
        for index, at in self.value_places.items():
            values[index] = self._value(index, second >> at & _mask(self.value_bits(self.state[index])))
        names = tuple(component.name for component in self.state)
        return Configuration(self.words, names, tuple(values), self.unpack_arcs(second & _mask(self.arcs_bits)))

    def _value(self, index: int, packed: int) -> Value:
        component = self.state[index]
        assert isinstance(component, s.ValueComponent)
        match component.kind:
            case "flag":
                return bool(packed)
            case "counter":
                return packed
            case "set":
                return frozenset(node for node in range(self.words + 1) if packed >> node & 1)

    def unpack_arcs(self, arcs: int) -> frozenset[Arc]:
        """The arcs of a packed graph."""
        nodes = range(self.words + 1)
        if self.arc_form == "matrix":
            return frozenset(Arc(h, None, d) for d in nodes for h in nodes if arcs >> (d * (self.words + 1) + h) & 1)
        entries = ((d, arcs >> ((self.words - d) * self.head_bits) & _mask(self.head_bits)) for d in nodes if d)
        return frozenset(Arc(entry - 1, None, d) for d, entry in entries if entry)

    # --- many at once --------------------------------------------------------------------------------------------------

    def arcs_of(self, first: Words64, second: Words64) -> Words64:
        """The packed arcs of packed configurations."""
        found: Words64 = second if self.is_wide else first >> self.first_bits
        return found & _mask(self.arcs_bits)

    def space_of(self, first: Words64, second: Words64) -> Words64:
        """The space of packed configurations: cells, arcs, flags, counters and members of sets."""
        values: Words64 = second if self.is_wide else first >> self.first_bits
        total = np.zeros(len(first), dtype=np.int64)
        for place in range(len(self.sequences)):
            total += first >> (self.cells_bits + place * self.length_bits) & _mask(self.length_bits)
        width = self.head_bits if self.arc_form == "heads" else 1
        for bit in range(0, self.arcs_bits, width):
            total += (values >> bit & _mask(width)) != 0
        for index, at in self.value_places.items():
            component = self.state[index]
            if isinstance(component, s.ValueComponent) and component.kind == "set":
                for node in range(self.words + 1):
                    total += values >> (at + node) & 1
            else:
                total += 1
        return total


def _mask(bits: int) -> int:
    return (1 << bits) - 1


def _signed(word: int) -> int:
    return word - (1 << WORD) if word >> (WORD - 1) else word
