"""A system whose configurations are stored in arrays, and one such configuration."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition, Value
from arcproof.transitions.execute import start_value
from arcproof.transitions.gold import GOLD_FUNCTIONS
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.machine import codes
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.assemble import ArrayProgram, Whole, assembled
from arcproof.transitions.machine.codes import NAME_BITS, NAME_MASK
from arcproof.transitions.system import System

SPARE_CELLS: Final = 6


def encoded(name: int, choice: tuple[int, ...]) -> int:
    """The code of a transition."""
    return name + sum(length << (NAME_BITS + kernel.CHOICE_BITS * place) for place, length in enumerate(choice))


def decoded(code: int) -> tuple[int, tuple[int, ...]]:
    """The number of a transition's name, and its choice, from its code."""
    choice = []
    rest = code >> NAME_BITS
    while rest:
        choice.append(rest & kernel.CHOICE_MASK)
        rest >>= kernel.CHOICE_BITS
    return code & NAME_MASK, tuple(choice)


@dataclass(frozen=True)
class Runner:
    """A system with its program for configurations in arrays; `rooms` is how many times the usual room these have.

    The usual room is enough where every node is in one place.  A figure with `shared` may put a node into any number of
    places.
    """

    system: System
    program: ArrayProgram
    rooms: int = 1

    @staticmethod
    def of(system: System, loose: bool = False) -> "Runner":
        """The runner of a system; `NotAssembled` if part of the figure cannot be assembled."""
        return Runner(system, assembled(system, loose))

    def with_costs(self, oracle: s.DynamicOracle | None) -> "Runner":
        """The runner that also knows which transitions are offered and what they cost; `NotAssembled` if that cannot be
        assembled.
        """
        from arcproof.transitions.machine.arrays.costs import with_costs

        return replace(self, program=with_costs(self.system, self.program, oracle))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the transitions; a code begins with the index of a name."""
        return tuple(self.system.transitions)

    def code(self, transition: Transition) -> int:
        """The code of a transition, without its label."""
        return encoded(self.names.index(transition.name), transition.choice)

    def transition(self, code: int, label: str | None = None) -> Transition:
        """The transition of a code."""
        name, choice = decoded(code)
        return Transition(self.names[name], label, choice)

    def capacity(self, words: int) -> int:
        """How many cells a component has: room for all nodes twice, or as often as they are in the start."""
        starts = [start.ranges for start in self.system.figure.start if isinstance(start, s.LiteralSequence)]
        times = max(2, *map(len, starts)) if starts else 2
        return self.rooms * (times * (words + 1) + SPARE_CELLS)

    def scratch(self, words: int) -> Whole:
        """Room into which sequences are copied."""
        return np.zeros(2 * self.capacity(words) + 2 * SPARE_CELLS, dtype=np.int64)

    @property
    def roomier(self) -> "Runner":
        """This runner with four times the room."""
        return replace(self, rooms=4 * self.rooms)

    @cached_property
    def asks(self) -> tuple[bool, bool]:
        """Whether the oracles ask for the projective order, and whether they ask for functions of the gold graph."""
        figure = self.system.figure
        parts = list(s.walk((figure.oracles, figure.dynamic_oracles)))
        return any(isinstance(p, s.Precedes) for p in parts), any(isinstance(p, s.GoldFunction) for p in parts)

    @property
    def several_heads(self) -> bool:
        """Whether words may have several heads."""
        return self.system.figure.several_heads

    def no_gold(self, words: int) -> Whole:
        """The gold data where there is no gold graph: all zero."""
        return np.zeros((kernel.GOLD_ROWS + (words + 1 if self.several_heads else 0), words + 1), dtype=np.int64)

    def gold_arcs(self, gold: Graph, labels: Mapping[tuple[int, int], int]) -> Whole:
        """The gold data for words that may have several heads, with the numbers of labels by head and dependent, 0 for
        arcs without one.
        """
        rows = self.no_gold(gold.words)
        for arc in self.system.gold(gold).graph.arcs:
            rows[kernel.GOLD_ARCS_OF + arc.dependent, arc.head] = labels.get((arc.head, arc.dependent), 0) + 1
            rows[kernel.GOLD_DEGREE, arc.head] += 1
        return rows

    def gold(self, gold: Graph, labels: Sequence[int]) -> Whole:
        """The gold data for a gold graph, with the numbers of its labels by word; arcs from 0 are left out in a system
        without 0.
        """
        notions = self.system.gold(gold)
        rows = self.no_gold(gold.words)
        rows[codes.GOLD_HEADS, 1:] = [0 if head is None else head + 1 for head in notions.heads]
        ordered, functions = self.asks
        if ordered:
            rows[codes.GOLD_ORDER] = notions.order
        if functions:
            for name, row in codes.ROWS_OF_GOLD_FUNCTIONS.items():
                rows[row] = [GOLD_FUNCTIONS[name].value(notions, node) for node in range(gold.words + 1)]
        rows[kernel.GOLD_DEGREE] = [len(children) for children in notions.dependents]
        rows[kernel.GOLD_LABELS, 1:] = labels
        return rows

    def state(self, words: int) -> "ArrayState":
        """The initial configuration."""
        state = self.system.figure.state
        cells = np.zeros((len(state), self.capacity(words)), dtype=np.int64)
        size = np.zeros(len(state), dtype=np.int64)
        for index, (component, start) in enumerate(zip(state, self.system.figure.start, strict=True)):
            match start:
                case s.LiteralSequence(ranges):
                    assert isinstance(component, s.SequenceComponent)
                    parts = [np.arange(p.first, (words if p.last is None else p.last) + 1) for p in ranges]
                    nodes = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
                    size[index] = len(nodes)
                    cells[index, : len(nodes)] = nodes if component.head == "right" else nodes[::-1]
                case s.SetFrom():
                    pass
                case _:
                    value = start_value(start, words)
                    assert isinstance(value, int)
                    size[index] = value
        rows = kernel.ARCS_OF + words + 1 if self.several_heads else kernel.TREE_ROWS
        tree = np.full((rows, words + 1), -1, dtype=np.int64)
        tree[kernel.LABEL] = 0
        tree[kernel.CORRECT :] = 0
        tree[kernel.UP] = np.arange(words + 1)
        return ArrayState(self, words, cells, size, tree)


@dataclass(frozen=True)
class ArrayState:
    """A configuration in arrays; taking a transition changes it."""

    runner: Runner
    words: int
    cells: Whole
    size: Whole
    tree: Whole

    @native.cached_structure
    def structure(self) -> Any:
        """This configuration, as native code takes it."""
        components, capacity = self.cells.shape
        return native.structure(
            "state", components=components, capacity=capacity, nodes=self.words + 1, tree_rows=len(self.tree),
            cells=native.pointer(self.cells), size=native.pointer(self.size), tree=native.pointer(self.tree),
        )  # fmt: skip

    def sentence(self, gold: Whole | None = None) -> Any:
        """This configuration with all that questions need, as native code takes it."""
        if gold is not None and gold.shape != self.runner.no_gold(self.words).shape:
            raise ValueError(f"gold data of {gold.shape[1] - 1} words for a sentence of {self.words}")
        scratch = self.runner.scratch(self.words)
        return native.structure(
            "sentence", figure=self.runner.program.structure, state=self.structure, scratch=native.pointer(scratch),
            gold=native.ffi.NULL if gold is None else native.pointer(gold), scratch_size=len(scratch),
            registers=native.pointer(np.zeros(self.runner.program.registers, dtype=np.int64)),
        )  # fmt: skip

    def is_terminal(self) -> bool:
        """Whether a run ends here."""
        return self._performed(kernel.TERMINAL, 0, 0, None) is not None

    def permitted(self) -> list[Transition]:
        """The transitions that can be taken and keep the graph a forest, in the order of the figure."""
        return [transition for transition, _ in self._listed(kernel.PERMITTED, None)]

    def take(self, transition: Transition, label: int = 0, gold: Whole | None = None) -> bool:
        """Take a transition; False if it is not permitted."""
        return self._performed(kernel.STEP, self.runner.code(transition), label, gold) is not None

    def allows(self, transition: Transition) -> bool:
        """Whether the transition can be taken."""
        return self._performed(kernel.ALLOWS, self.runner.code(transition), 0, None) is not None

    def predict(self, oracle: int, gold: Whole) -> Transition | None:
        """What the oracle with this index asks for."""
        sentence = self._performed(kernel.PREDICT, oracle, 0, gold)
        return None if sentence is None else self.runner.transition(sentence.registers[kernel.ANSWER])

    def offered(self, gold: Whole) -> list[tuple[Transition, int]]:
        """The transitions that can be taken, each with the word to which it adds a gold arc, or -1; only for a runner
        `with_costs`.
        """
        return list(self._listed(kernel.OFFERED, gold))

    def cost(self, transition: Transition, gold: Whole) -> int | None:
        """The cost of a transition by the dynamic oracle, None if no line matches; only for a runner `with_costs`."""
        sentence = self._performed(kernel.COST, self.runner.code(transition), 0, gold)
        return None if sentence is None else int(sentence.registers[kernel.ANSWER])

    def _performed(self, kind: int, code: int, label: int, gold: Whole | None) -> Any:
        """The sentence in which a question found its answer, or None."""
        sentence = self.sentence(gold)
        return sentence if native.library.performed(sentence, kind, code, label) == kernel.DONE else None

    def _listed(self, kind: int, gold: Whole | None) -> Iterator[tuple[Transition, int]]:
        """The permissible transitions, each with the word whose gold arc it adds."""
        sentence = self.sentence(gold)
        place = native.library.begin_permitted(sentence, kind)
        while (place := native.library.execute(sentence, place)) >= 0:
            registers = sentence.registers
            yield self.runner.transition(registers[kernel.ANSWER]), registers[kernel.LABELLED_WORD]

    def configuration(self) -> Configuration:
        """This configuration as the interpreter represents it, with unlabelled arcs."""
        values: list[Value] = []
        for index, component in enumerate(self.runner.system.figure.state):
            if isinstance(component, s.SequenceComponent):
                nodes = [int(node) for node in self.cells[index, : self.size[index]]]
                values.append(tuple(nodes if component.head == "right" else nodes[::-1]))
            elif component.kind == "set":
                values.append(frozenset(int(node) for node in np.flatnonzero(self.cells[index])))
            else:
                values.append(bool(self.size[index]) if component.kind == "flag" else int(self.size[index]))
        names = tuple(component.name for component in self.runner.system.figure.state)
        return Configuration(self.words, names, tuple(values), self.graph().arcs)

    def graph(self) -> Graph:
        """The arcs built so far, without labels."""
        if self.runner.several_heads:
            return Graph(self.words, frozenset(Arc(head, None, word) for head, word in self.labels()))
        heads = self.tree[kernel.HEAD]
        arcs = (Arc(int(heads[word]), None, word) for word in range(1, self.words + 1) if heads[word] >= 0)
        return Graph(self.words, frozenset(arcs))

    def labels(self) -> dict[tuple[int, int], int]:
        """The number of each arc's label, by head and dependent; only where words may have several heads."""
        labels = self.tree[kernel.ARCS_OF :]
        return {(int(h), int(d)): int(labels[d, h]) - 1 for d, h in zip(*np.nonzero(labels), strict=True)}
