"""From a system to native code that runs it, and the arrays that this code works on."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, Final, TypeAlias

import numpy as np
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition, Value
from arcproof.transitions.execute import start_value
from arcproof.transitions.gold import GOLD_FUNCTIONS, Gold
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.machine import codes
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.emit import NotCompilable, RunningEmitter, decoded, encoded
from arcproof.transitions.machine.arrays.figure_code import most_transitions
from arcproof.transitions.system import System

from arcproof.process.kept_code import (
    NoCompiler,
    announced,
    constants_of,
    module_of,
    need_compiler,
    source_text,
    to_terminal,
)

Whole: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
GENERATED: Final = ("terminal", "permitted", "step", "allows", "predict", "advise")
SPARE_CELLS: Final = 8


def source_of(system: System, *parts: ModuleType) -> str:
    """The text of the module of a system; `NotCompilable` says what has no code.

    `parts` are modules whose functions are compiled with it: `KEPT` names those that are called from outside, `LAST` those that come after what they call.
    """
    own = RunningEmitter(system).functions()
    texts = {name: text for module in (kernel, *parts) for name, text in _functions(module)}
    texts |= {text.split("(", 1)[0]: f"def {text}" for text in own.split("def ")[1:]}
    kept = [*GENERATED, *(name for part in parts for name in part.KEPT)]
    last = [name for part in parts for name in part.LAST]
    helpers = [name for name in texts if name not in kept]
    order = sorted([*helpers, *kept], key=lambda name: last.index(name) if name in last else -1)
    return source_text(constants_of(codes, kernel, *parts), [(texts[name], name in kept) for name in order])


def _functions(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The functions that a module defines itself, as text."""
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            yield name, inspect.getsource(function)


@dataclass(frozen=True)
class Runner:
    """A system whose transitions run natively."""

    system: System
    module: ModuleType

    def function(self, name: str) -> Callable[..., Any]:
        """One of the functions of the figure or of the parts, compiled."""
        function: Callable[..., Any] = getattr(self.module, name)

        def called(*arguments: Any) -> Any:
            if getattr(function, "signatures", True):
                return function(*arguments)
            with announced(f"compiling {self.system.name} (once; kept for the next time)", to_terminal):
                return function(*arguments)

        return called

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the transitions; a code begins with the place of one."""
        return tuple(self.system.transitions)

    def code(self, transition: Transition) -> int:
        """The code of a transition, without its label."""
        return encoded(self.names.index(transition.name), transition.choice)

    def transition(self, code: int, label: str | None = None) -> Transition:
        """The transition of a code."""
        name, choice = decoded(code)
        return Transition(self.names[name], label, choice)

    def most_codes(self, words: int) -> int:
        """No configuration permits more transitions."""
        return most_transitions(self.system, self.capacity(words) + 1)

    def capacity(self, words: int) -> int:
        """How many cells a component has."""
        return 2 * words + SPARE_CELLS

    @cached_property
    def asks(self) -> tuple[bool, bool]:
        """Whether the oracles ask for the projective order, and for functions of the gold graph."""
        parts = list(s.walk(self.system.figure.oracles))
        return any(isinstance(p, s.Precedes) for p in parts), any(isinstance(p, s.GoldFunction) for p in parts)

    def gold(self, gold: Graph, labels: Sequence[int]) -> Whole:
        """What an oracle may ask about a gold graph, with the numbers of its labels by word; arcs from 0 are left out in a system without 0."""
        notions = Gold(self.system.wanted(gold))
        rows = no_gold(gold.words)
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
        tree = np.full((kernel.TREE_ROWS, words + 1), -1, dtype=np.int64)
        tree[kernel.LABEL] = 0
        tree[kernel.CORRECT :] = 0
        tree[kernel.UP] = np.arange(words + 1)
        return ArrayState(self, words, cells, size, tree)


@dataclass(frozen=True)
class ArrayState:
    """A configuration in arrays; taking a transition changes them."""

    runner: Runner
    words: int
    cells: Whole
    size: Whole
    tree: Whole

    @property
    def _arrays(self) -> tuple[Whole, Whole, Whole, int]:
        return self.cells, self.size, self.tree, self.words

    def is_terminal(self) -> bool:
        """Whether a run ends here."""
        return bool(self.runner.function("terminal")(*self._arrays))

    def permitted(self) -> list[Transition]:
        """The transitions that can be taken and keep the graph a forest, in the order of the figure."""
        codes = np.zeros(self.runner.most_codes(self.words), dtype=np.int64)
        count = self.runner.function("permitted")(*self._arrays, codes)
        return [self.runner.transition(int(code)) for code in codes[:count]]

    def take(self, transition: Transition, label: int = 0, gold: Whole | None = None) -> bool:
        """Take a transition; False if it is not permitted."""
        asked = no_gold(self.words) if gold is None else gold
        scratch = np.zeros(4 * self.words + 4 * SPARE_CELLS, dtype=np.int64)
        code = self.runner.code(transition)
        return bool(self.runner.function("step")(*self._arrays, asked, code, label, scratch) == kernel.DONE)

    def allows(self, transition: Transition) -> bool:
        """Whether the transition can be taken."""
        return bool(self.runner.function("allows")(*self._arrays, self.runner.code(transition)) == kernel.DONE)

    def predict(self, oracle: int, gold: Whole) -> Transition | None:
        """What the oracle at this place of the figure asks for."""
        code, _ = self.runner.function("predict")(oracle, *self._arrays, gold)
        return None if code < 0 else self.runner.transition(int(code))

    def configuration(self) -> Configuration:
        """The same as the interpreter has it, with arcs without labels."""
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
        heads = self.tree[kernel.HEAD]
        arcs = (Arc(int(heads[word]), None, word) for word in range(1, self.words + 1) if heads[word] >= 0)
        return Graph(self.words, frozenset(arcs))


def no_gold(words: int) -> Whole:
    """What an oracle may ask where there is no gold graph."""
    return np.zeros((kernel.GOLD_ROWS, words + 1), dtype=np.int64)


def runner(system: System, *parts: ModuleType) -> Runner:
    """The native code of a system and of `parts`, see `source_of`; `NotCompilable` if the figure has something that there is no code for, `NoCompiler` without numba."""
    need_compiler()
    return Runner(system, module_of(source_of(system, *parts)))


__all__ = ["ArrayState", "NoCompiler", "NotCompilable", "Runner", "no_gold", "runner", "source_of"]
