"""Every configuration of a system for a sentence of n words, by the reference interpreter.

Configurations are compared without labels.  A run stops at the first terminal configuration it reaches, so terminal
configurations are not expanded; with `past_terminal` they are, which is how Definition 5 of Nivre 2008 reads.
Configurations are numbered breadth first: number 0 is the initial one, and the first run found to a configuration is a shortest.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from arcproof.properties.engines.outputs import Output, Outputs
from arcproof.properties.engines.spaces import (
    Ambiguity,
    Gaining,
    Heaviest,
    OutOfBounds,
    Run,
    RunProperty,
    Violation,
    Weight,
)
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Graph
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Edge:
    """A step between two configurations, by number."""

    source: int
    target: int
    step: Step

    @property
    def transition(self) -> Transition:
        """The transition of the step."""
        return self.step.transition


Best: TypeAlias = dict[
    int, tuple[int, Edge | None]
]  # by configuration: the weight of a run to it, the last edge of that run
NOWHERE: Final = (0, None)


@dataclass
class StateSpace:
    """All reachable configurations for n words, and the transitions between them."""

    system: System
    words: int
    past_terminal: bool
    configurations: list[Configuration] = field(default_factory=list)
    terminal: list[bool] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    parents: list[Edge | None] = field(default_factory=list)

    # --- runs --------------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many configurations there are."""
        return len(self.configurations)

    @property
    def transitions(self) -> int:
        """How many edges there are."""
        return sum(map(len, self.edges))

    @property
    def terminal_count(self) -> int:
        """How many configurations are terminal."""
        return len(self.terminals)

    @property
    def dead_end_count(self) -> int:
        """How many are not terminal and permit nothing."""
        return sum(not edges and not terminal for edges, terminal in zip(self.edges, self.terminal, strict=True))

    def depth(self, number: int) -> int:
        """The length of a shortest run to a configuration."""
        return len(self.run_to(number))

    def run_to(self, number: int) -> Run:
        """A shortest run from the start to a configuration."""
        run: list[Transition] = []
        parent = self.parents[number]
        while parent is not None:
            run.append(parent.transition)
            parent = self.parents[parent.source]
        return tuple(reversed(run))

    def all_edges(self) -> Iterator[Edge]:
        """Every transition, breadth first."""
        for edges in self.edges:
            yield from edges

    @cached_property
    def terminals(self) -> list[int]:
        """The terminal configurations, those with the shortest runs first."""
        return [number for number, terminal in enumerate(self.terminal) if terminal]

    def violation(self, prop: RunProperty) -> Violation | None:
        """Ask the property of every configuration and every step."""
        for number, c in enumerate(self.configurations):
            permissible = [edge.transition for edge in self.edges[number]]
            reason = prop.at_configuration(c, self.terminal[number], permissible)
            if reason is not None:
                return Violation(number, self.run_to(number), reason)
            for edge in self.edges[number]:
                reason = prop.at_step(c, edge.step)
                if reason is not None:
                    return Violation(number, (*self.run_to(number), edge.transition), reason)
        return None

    def most_space(self) -> tuple[int, int]:
        """The most space that a configuration takes, and the first that takes it."""
        spaces = [c.space for c in self.configurations]
        return max(spaces), spaces.index(max(spaces))

    @cached_property
    def has_clashes(self) -> bool:
        """Whether some transition adds an arc to a word that has a head."""
        return any(edge.step.clashes for edge in self.all_edges())

    @property
    def permits_after_end(self) -> bool:
        """Whether something is permissible in a terminal configuration."""
        return any(self.system.permissible(self.configurations[number]) for number in self.terminals)

    @property
    def bytes(self) -> int:
        """The memory that the space takes, about."""
        return self.size * BYTES_A_CONFIGURATION

    def changes_after_end(self) -> tuple[Run, str] | None:
        """Try every transition that is permissible in a terminal configuration."""
        for number in self.terminals:
            found = change_after_end(self.system, self.configurations[number])
            if found is not None:
                return (*self.run_to(number), found[0]), found[1]
        return None

    def occurs(self, transition: str) -> bool:
        """Whether a transition occurs in a run that ends."""
        return any(edge.transition.name == transition and self.useful[edge.target] for edge in self.all_edges())

    # --- outputs -----------------------------------------------------------------------------------------------------

    @cached_property
    def first_ends(self) -> dict[Output, int]:
        """Each output with the first terminal configuration that has it."""
        found: dict[Output, int] = {}
        for number in self.terminals:
            found.setdefault(output_of(self.configurations[number].graph), number)
        return found

    @cached_property
    def outputs(self) -> Outputs:
        """The same as sorted codes."""
        return Outputs.of(self.words, self.first_ends)

    @cached_property
    def derivations(self) -> dict[Output, int] | None:
        """The number of runs to each output; None if there is a cycle, and so no number."""
        order = self.topological_order
        if order is None:
            return None
        ways = [0] * len(self.configurations)
        ways[0] = 1
        for number in order:
            for edge in self.edges[number]:
                ways[edge.target] += ways[number]
        counted: dict[Output, int] = {}
        for number in self.terminals:
            output = output_of(self.configurations[number].graph)
            counted[output] = counted.get(output, 0) + ways[number]
        return counted

    @property
    def ambiguity(self) -> Ambiguity | None:
        """How many runs lead to an output."""
        counts = list((self.derivations or {}).values())
        return Ambiguity(min(counts), sum(counts) / len(counts), max(counts)) if counts else None

    # --- order and lengths -------------------------------------------------------------------------------------------

    @cached_property
    def topological_order(self) -> list[int] | None:
        """The configurations such that every transition leads forward; None if there is a cycle."""
        waiting = [0] * len(self.configurations)
        for edge in self.all_edges():
            waiting[edge.target] += 1
        ready = deque(number for number, count in enumerate(waiting) if count == 0)
        order: list[int] = []
        while ready:
            number = ready.popleft()
            order.append(number)
            for edge in self.edges[number]:
                waiting[edge.target] -= 1
                if waiting[edge.target] == 0:
                    ready.append(edge.target)
        return order if len(order) == len(self.configurations) else None

    @cached_property
    def useful(self) -> list[bool]:
        """Whether a terminal configuration can be reached from here."""
        before: list[list[int]] = [[] for _ in self.configurations]
        for edge in self.all_edges():
            before[edge.target].append(edge.source)
        useful = list(self.terminal)
        todo = list(self.terminals)
        while todo:
            for source in before[todo.pop()]:
                if not useful[source]:
                    useful[source] = True
                    todo.append(source)
        return useful

    def cycle(self, only_useful: bool) -> tuple[Run, Run] | None:
        """A run to a configuration and a way from it back to itself; None if there is no cycle."""
        inside = self.useful if only_useful else [True] * len(self.configurations)
        state = [0] * len(self.configurations)
        for root in range(len(self.configurations)):
            if state[root] or not inside[root]:
                continue
            path: list[Edge] = []
            stack: list[tuple[int, Iterator[Edge]]] = [(root, iter(self.edges[root]))]
            state[root] = 1
            while stack:
                number, edges = stack[-1]
                edge = next(edges, None)
                if edge is None:
                    state[number] = 2
                    stack.pop()
                    if path:
                        path.pop()
                elif inside[edge.target] and state[edge.target] == 1:
                    start = next(k for k, (visited, _) in enumerate(stack) if visited == edge.target)
                    loop = [*(step.transition for step in path[start:]), edge.transition]
                    return self.run_to(edge.target), tuple(loop)
                elif inside[edge.target] and state[edge.target] == 0:
                    state[edge.target] = 1
                    path.append(edge)
                    stack.append((edge.target, iter(self.edges[edge.target])))
        return None

    def heaviest(self, weight: Weight) -> Heaviest | Gaining | None:
        """The heaviest run that ends, transitions being weighed by name, or why there is none; None if no run ends."""
        best, loop = self._weighed(weight)
        if loop:
            return Gaining(self.run_to(loop[0].source), tuple(edge.transition for edge in loop))
        ends = [(best[number][0], number) for number in self.terminals if number in best]
        if not ends:
            return None
        value, number = max(ends, key=lambda end: (end[0], -end[1]))
        run: list[Transition] = []
        edge_to = best[number][1]
        while edge_to is not None:
            run.append(edge_to.transition)
            edge_to = best[edge_to.source][1]
        return Heaviest(value, tuple(reversed(run)))

    def _weighed(self, weight: Weight) -> tuple[Best, list[Edge]]:
        """Heaviest runs on the way to the end, or a cycle there that gains weight.

        Where every transition leads forward, one round is enough.  Otherwise as Bellman and Ford do it: rounds until nothing gets heavier, or until
        the last edges of the runs found go round, which they do if and only if some cycle gains.
        """
        order = self._useful_order()
        forward = len(order) == sum(self.useful)
        if not forward:
            order = [number for number, useful in enumerate(self.useful) if useful]
        best: Best = {0: (0, None)} if self.useful and self.useful[0] else {}
        while self._round(order, weight, best) and not forward:
            if loop := _loop(order, best):
                return best, loop
        return best, []

    def _round(self, order: list[int], weight: Weight, best: Best) -> bool:
        """Lengthen each run by each edge; whether that made one heavier."""
        heavier = False
        for number in order:
            if number not in best:
                continue
            for edge in self.edges[number]:
                value = best[number][0] + weight(edge.transition.name)
                if self.useful[edge.target] and (edge.target not in best or value > best[edge.target][0]):
                    best[edge.target] = (value, edge)
                    heavier = True
        return heavier

    def _useful_order(self) -> list[int]:
        waiting = [0] * len(self.configurations)
        for edge in self.all_edges():
            if self.useful[edge.source] and self.useful[edge.target]:
                waiting[edge.target] += 1
        ready = deque(k for k, count in enumerate(waiting) if count == 0 and self.useful[k])
        order: list[int] = []
        while ready:
            number = ready.popleft()
            order.append(number)
            for edge in self.edges[number]:
                if self.useful[edge.target]:
                    waiting[edge.target] -= 1
                    if waiting[edge.target] == 0:
                        ready.append(edge.target)
        return order


def _loop(order: list[int], best: Best) -> list[Edge]:
    """The edges of a cycle among the last edges of the runs found; none if there is no cycle."""
    seen: dict[int, int] = {}
    for root in order:
        number = root
        while number not in seen and (edge := best.get(number, NOWHERE)[1]) is not None:
            seen[number] = root
            number = edge.source
        if seen.get(number) == root:
            loop = [_last(best, number)]
            while loop[-1].source != number:
                loop.append(_last(best, loop[-1].source))
            return loop[::-1]
    return []


def _last(best: Best, number: int) -> Edge:
    edge = best[number][1]
    assert edge is not None, "every configuration of a cycle has an edge that leads to it"
    return edge


def explore(system: System, words: int, past_terminal: bool = False, limit: int | None = None) -> StateSpace:
    """Visit every configuration; `OutOfBounds` if there are more than `limit`."""
    space = StateSpace(system, words, past_terminal)
    start = system.start(words)
    number_of = {start: 0}
    _enter(space, start, None)
    for number in _growing(space.configurations):
        c = space.configurations[number]
        if space.terminal[number] and not past_terminal:
            continue
        for transition in system.permissible(c):
            step = system.step(c, transition)
            target = number_of.setdefault(step.configuration, len(number_of))
            edge = Edge(number, target, step)
            if target == len(space.configurations):
                if _grows(step.configuration):
                    raise OutOfBounds("the state seems to grow without bound", target)
                if limit is not None and target >= limit:
                    raise OutOfBounds(f"more than {limit} configurations", target)
                _enter(space, step.configuration, edge)
            space.edges[number].append(edge)
    return space


def _grows(c: Configuration) -> bool:
    """Whether a sequence or a counter is beyond anything a figure for so many words could mean."""
    return any(
        len(value) > 20 * (c.words + 2) if isinstance(value, tuple | frozenset) else abs(value) > 1000 * (c.words + 2)
        for value in c.values
    )


def _growing(items: list[Configuration]) -> Iterator[int]:
    number = 0
    while number < len(items):
        yield number
        number += 1


def _enter(space: StateSpace, c: Configuration, parent: Edge | None) -> None:
    space.configurations.append(c)
    space.terminal.append(space.system.is_terminal(c))
    space.edges.append([])
    space.parents.append(parent)


def change_after_end(system: System, c: Configuration) -> tuple[Transition, str] | None:
    """A transition out of a terminal configuration that changes its arcs, and the reason."""
    for transition in system.permissible(c):
        if system.apply(c, transition).arcs != c.arcs:
            return transition, f"{transition.instance} changes the arcs of the terminal {c}"
    return None


def output_of(graph: Graph) -> Output:
    """The heads of a graph, or its arcs where a node has several arcs into it."""
    try:
        return graph.heads
    except BadGraph:
        return graph.arcs


BYTES_A_CONFIGURATION = 4_000


def configurations_in(memory: int) -> int:
    """How many configurations the interpreter may hold in this many bytes; measured, with room to spare."""
    return max(1, memory // BYTES_A_CONFIGURATION)
