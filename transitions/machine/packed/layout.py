"""How a configuration is packed into two machine words.

The first word holds the cells of all sequences one after the other, each sequence from its head on, and then their
lengths; the second holds the arcs and then flags, counters and sets.

Arcs are packed in one of three forms.  *heads*: for each word one more than its head, or 0, the first word in the
highest bits, so that packed arcs order graphs as `2,0,2` does from the left, a missing head first.  *graph*: n + 1 bits
for each word, one for each node that may be its head, the first word in the lowest bits; for figures with `several
heads`.  *matrix*: the same with a row for 0 below; for figures in which something goes wrong, a second head without
`several heads`, an arc that already exists, or an arc into 0.

Where no node is in two places, all sequences together have n + 1 cells.  A layout with *room* for k places of each node
has k times as many, and twice the bits for a counter if k is more than 1.  A configuration that does not fit is never
truncated: the machine reports it, and a roomier layout or the interpreter takes over.
"""

from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Value
from arcproof.transitions.graph import Arc, Graph

Words64: TypeAlias = npt.NDArray[np.int64]
ArcForm: TypeAlias = Literal["heads", "graph", "matrix"]

COUNTER_BITS: Final = 8
WORD: Final = 64


class DoesNotFit(Exception):
    """This figure cannot be packed for this many words."""


@dataclass(frozen=True)
class Layout:
    """The packing for sentences of n words."""

    state: tuple[s.Component, ...]
    words: int
    arc_form: ArcForm
    room: int = 1

    def __post_init__(self) -> None:
        """Raise `DoesNotFit` if two machine words are not enough."""
        if self.first_bits > WORD or self.second_bits > WORD - 1 or self.arcs_bits > WORD - 1:
            raise DoesNotFit(f"{self.words} words do not fit into two machine words")

    # --- widths ------------------------------------------------------------------------------------------------------

    @cached_property
    def sequences(self) -> tuple[int, ...]:
        """The indices of the sequences among the components."""
        return tuple(k for k, c in enumerate(self.state) if isinstance(c, s.SequenceComponent))

    @cached_property
    def node_bits(self) -> int:
        """The number of bits for a node 0..n."""
        return max(1, self.words.bit_length())

    @cached_property
    def head_bits(self) -> int:
        """The number of bits for a head or none."""
        return max(1, (self.words + 1).bit_length())

    @cached_property
    def length_bits(self) -> int:
        """The number of bits for the length of a sequence."""
        return self.capacity.bit_length()

    @cached_property
    def capacity(self) -> int:
        """The number of cells of all sequences together."""
        return (self.words + 1) * min(self.room, max(1, len(self.sequences)))

    @cached_property
    def digit(self) -> int:
        """One more than the greatest number that a chosen length has in the code of a transition."""
        return self.capacity + 2

    @cached_property
    def cells_bits(self) -> int:
        """The number of bits for all cells."""
        return self.capacity * self.node_bits

    @cached_property
    def first_bits(self) -> int:
        """The number of bits in the first word."""
        return self.cells_bits + len(self.sequences) * self.length_bits

    @cached_property
    def arcs_bits(self) -> int:
        """The number of bits for the arcs."""
        return (
            self.words * self.head_bits
            if self.arc_form == "heads"
            else (self.words + 1) * (self.words + 1 - self.first_row)
        )

    @cached_property
    def first_row(self) -> int:
        """The first node that has a row, where arcs are packed as rows of bits."""
        return 1 if self.arc_form == "graph" else 0

    def bias(self, component: s.Component) -> int:
        """The offset that makes a value non-negative, since a counter may be negative."""
        assert isinstance(component, s.ValueComponent)
        return 1 << (self.value_bits(component) - 1) if component.kind == "counter" else 0

    def value_bits(self, component: s.Component) -> int:
        """The number of bits for a flag, counter or set."""
        assert isinstance(component, s.ValueComponent)
        counter = COUNTER_BITS * (1 if self.room == 1 else 2)
        return {"flag": 1, "counter": counter, "set": self.words + 1}[component.kind]

    @cached_property
    def value_places(self) -> dict[int, int]:
        """The bit of the second word at which each flag, counter and set begins."""
        places: dict[int, int] = {}
        bit = self.arcs_bits
        for index, component in enumerate(self.state):
            if isinstance(component, s.ValueComponent):
                places[index] = bit
                bit += self.value_bits(component)
        return places

    @cached_property
    def second_bits(self) -> int:
        """The number of bits in the second word."""
        return self.arcs_bits + sum(self.value_bits(self.state[index]) for index in self.value_places)

    @cached_property
    def arcs_mask(self) -> int:
        """A mask with as many ones as the arcs have bits."""
        return _mask(self.arcs_bits)

    # --- packing -----------------------------------------------------------------------------------------------------

    def packed_cells(self, nodes: tuple[int, ...], head: s.Side) -> int:
        """The cells of a sequence, from its head on."""
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
            first |= self.packed_cells(nodes, component.head) << (self.node_bits * used)
            lengths |= len(nodes) << (self.length_bits * place)
            used += len(nodes)
        if used > self.capacity:
            raise DoesNotFit(f"{c} has a node in two places")
        if any(node > self.words for index in self.sequences for node in _nodes(c.values[index])):
            raise DoesNotFit(f"{c} has a node that is not in the sentence")
        first |= lengths << self.cells_bits
        second = self.pack_arcs(c.graph)
        for index, bit in self.value_places.items():
            second |= self._packed_value(index, c.values[index]) << bit
        return _signed(first), _signed(second)

    def _packed_value(self, index: int, value: Value) -> int:
        if isinstance(value, frozenset):
            return sum(1 << node for node in value)
        assert isinstance(value, int)
        biased = value + self.bias(self.state[index])
        if not 0 <= biased < 1 << self.value_bits(self.state[index]):
            raise DoesNotFit(f"a counter has the value {value}")
        return biased

    def pack_arcs(self, graph: Graph) -> int:
        """The arcs alone; `DoesNotFit` if there is no place for an arc into 0, or for a second head."""
        arcs = {(arc.head, arc.dependent) for arc in graph.arcs}
        dependents = [dependent for _, dependent in arcs]
        if self.arc_form != "heads":
            if 0 in dependents and self.first_row:
                raise DoesNotFit("0 has a head")
            return sum(1 << self._bit(head, dependent) for head, dependent in arcs)
        if len(set(dependents)) < len(arcs) or 0 in dependents:
            raise DoesNotFit("a word has two heads, or 0 has one")
        return sum((head + 1) << ((self.words - dependent) * self.head_bits) for head, dependent in arcs)

    def _bit(self, head: int, dependent: int) -> int:
        """The bit of an arc, where arcs are packed as rows of bits."""
        return (dependent - self.first_row) * (self.words + 1) + head

    def unpack(self, first: int, second: int) -> Configuration:
        """The configuration with these words."""
        first &= _mask(WORD)
        second &= _mask(WORD)
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
                return packed - self.bias(component)
            case "set":
                return frozenset(node for node in range(self.words + 1) if packed >> node & 1)

    def unpack_arcs(self, arcs: int) -> frozenset[Arc]:
        """The arcs of a packed graph."""
        nodes = range(self.words + 1)
        if self.arc_form != "heads":
            dependents = nodes[self.first_row :]
            return frozenset(Arc(h, None, d) for d in dependents for h in nodes if arcs >> self._bit(h, d) & 1)
        entries = ((d, arcs >> ((self.words - d) * self.head_bits) & _mask(self.head_bits)) for d in nodes if d)
        return frozenset(Arc(entry - 1, None, d) for d, entry in entries if entry)

    # --- arrays of them ----------------------------------------------------------------------------------------------

    def arcs_of(self, second: Words64) -> Words64:
        """The packed arcs of packed configurations, of which only the second word has any."""
        return second & self.arcs_mask

    def space_of(self, first: Words64, second: Words64) -> Words64:
        """The space of packed configurations: cells, arcs, flags, counters and members of sets."""
        total = np.zeros(len(first), dtype=np.int64)
        for place in range(len(self.sequences)):
            total += first >> (self.cells_bits + place * self.length_bits) & _mask(self.length_bits)
        width = self.head_bits if self.arc_form == "heads" else 1
        for bit in range(0, self.arcs_bits, width):
            total += (second >> bit & _mask(width)) != 0
        for index, at in self.value_places.items():
            component = self.state[index]
            if isinstance(component, s.ValueComponent) and component.kind == "set":
                for node in range(self.words + 1):
                    total += second >> (at + node) & 1
            else:
                total += 1
        return total


def most_room(state: tuple[s.Component, ...]) -> int:
    """The room needed for every sequence to hold all nodes."""
    return max(2, sum(isinstance(component, s.SequenceComponent) for component in state))


def _nodes(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def _mask(bits: int) -> int:
    return (1 << bits) - 1


def _signed(word: int) -> int:
    return word - (1 << WORD) if word >> (WORD - 1) else word
