"""Every configuration of a system for a sentence of n words, by the reference interpreter.

Configurations are compared without labels.  A run stops at the first terminal configuration it reaches, so terminal
configurations are not expanded; with `past_terminal` they are, which is how Definition 5 of Nivre 2008 reads.
Configurations are numbered breadth first: number 0 is the initial one, and the first run found to a configuration is a
shortest.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import accumulate
from typing import Protocol, TypeVar

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.output_sets import Form, Output, OutputSet, coded, form_of, output_of
from arcproof.properties.engines.satisfying import satisfying
from arcproof.properties.engines.spaces import (
    Ambiguity,
    Gaining,
    Heaviest,
    OutOfBounds,
    Run,
    RunProperty,
    Steps,
    Violation,
    Weight,
)
from arcproof.properties.engines.two_ways import StepsOfASpace, two_ways
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.syntax import Condition
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


def steps_of(edges: Sequence[Sequence[Edge]], names: Sequence[str]) -> Steps:
    """The edges that leave each configuration, by numbers."""
    number = {name: k for k, name in enumerate(names)}
    flat = [edge for leaving in edges for edge in leaving]
    starts = [0, *accumulate(map(len, edges))]
    return Steps(starts, [edge.target for edge in flat], [number[edge.transition.name] for edge in flat])


@dataclass(frozen=True)
class Paths:
    """The heaviest paths from one configuration: for each number the weight, and the last edge of the path (none at its
    start).
    """

    weights: dict[int, int]
    last: dict[int, Edge]

    def to(self, number: int) -> list[Edge]:
        """The edges of the path to a configuration."""
        path: list[Edge] = []
        while number in self.last:
            path.append(self.last[number])
            number = path[-1].source
        return path[::-1]


class StepsAsGraph(Protocol):
    """The configurations as nodes, with their edges in the order of the figure; `paths` decides between equally good
    answers.
    """

    def order(self) -> list[int] | None:
        """The configurations in an order in which every edge leads forward; None if there is a cycle."""

    def leading_to(self, ends: Iterable[int]) -> frozenset[int]:
        """The configurations from which one of the ends can be reached."""

    def cycle(self, inside: frozenset[int]) -> list[Edge]:
        """The edges of a cycle; none if there is no cycle."""

    def heaviest(self, inside: frozenset[int], weight: Weight) -> Paths | list[Edge]:
        """The heaviest paths from 0 within these configurations, with a weight for each transition's name; or a cycle
        that gains weight.
        """


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

    def satisfying(self, conditions: Sequence[Condition]) -> Iterator[int]:
        """The numbers of the configurations in which all conditions hold."""
        return satisfying(self, conditions)

    # --- runs --------------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of configurations."""
        return len(self.configurations)

    @property
    def transitions(self) -> int:
        """The number of edges."""
        return sum(map(len, self.edges))

    @property
    def terminal_count(self) -> int:
        """The number of terminal configurations."""
        return len(self.terminals)

    @property
    def dead_end_count(self) -> int:
        """The number of configurations that are not terminal and permit no transition."""
        return sum(not edges and not terminal for edges, terminal in zip(self.edges, self.terminal, strict=True))

    def depth(self, number: int) -> int:
        """The length of a shortest run to a configuration."""
        return len(self.run_to(number))

    def configuration(self, number: int) -> Configuration:
        """The configuration with this number."""
        return self.configurations[number]

    def two_derivations(self) -> tuple[Run, Run] | None:
        """Two runs to the first output that has several, one of them a shortest; None if every output has only one."""
        edges = list(self.all_edges())
        numbers: dict[Output, int] = {}
        outputs = [numbers.setdefault(self._output(end), len(numbers)) for end in self.terminals]
        steps = StepsOfASpace(
            [-1 if parent is None else parent.source for parent in self.parents],
            [edge.target for edge in edges],
            lambda step: edges[step].source,
            self.terminals,
            outputs,
        )
        found = two_ways(steps)
        return None if found is None else _runs(edges, *found)

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
    def steps(self) -> Steps:
        """Every transition, by the numbers of its configurations."""
        return steps_of(self.edges, tuple(self.system.transitions))

    def transition(self, edge: int) -> Transition:
        """The transition of an edge, without labels."""
        source = bisect_right(self.steps.starts, edge) - 1
        return self.edges[source][edge - self.steps.starts[source]].transition

    @cached_property
    def terminals(self) -> list[int]:
        """The terminal configurations, by number, those with the shortest runs first."""
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
        """The most space that any configuration takes, and the first configuration that takes it."""
        spaces = [c.space for c in self.configurations]
        return max(spaces), spaces.index(max(spaces))

    @cached_property
    def has_clashes(self) -> bool:
        """Whether some transition adds an arc that it should not."""
        return any(edge.step.clashes for edge in self.all_edges())

    @property
    def permits_after_end(self) -> bool:
        """Whether something is permissible in a terminal configuration."""
        return any(self.system.permissible(self.configurations[number]) for number in self.terminals)

    @property
    def bytes(self) -> int:
        """The approximate memory of the space."""
        return self.size * BYTES_A_CONFIGURATION

    def changes_after_end(self) -> tuple[Run, str] | None:
        """The first transition out of a terminal configuration that changes something, with its run and the reason."""
        for number in self.terminals:
            found = change_after_end(self.system, self.configurations[number])
            if found is not None:
                return (*self.run_to(number), found[0]), found[1]
        return None

    def occurs(self, transition: str) -> bool:
        """Whether a transition occurs in a run that ends."""
        return any(edge.transition.name == transition and edge.target in self.useful for edge in self.all_edges())

    # --- outputs -----------------------------------------------------------------------------------------------------

    @cached_property
    def first_ends(self) -> dict[Output, int]:
        """Each output with the first terminal configuration that has it."""
        found: dict[Output, int] = {}
        for number in self.terminals:
            found.setdefault(self._output(number), number)
        return found

    @property
    def _form(self) -> Form:
        return form_of(self.system)

    def _output(self, number: int) -> Output:
        """The output of a terminal configuration."""
        return output_of(self.configurations[number].graph, self._form)

    @cached_property
    def ends(self) -> tuple[list[int], list[int]]:
        """The terminal configurations whose arcs give no word two heads, and the codes of their outputs."""
        found = [
            (number, output) for number in self.terminals if not isinstance(output := self._output(number), frozenset)
        ]
        return [number for number, _ in found], [coded(output) for _, output in found]

    @cached_property
    def outputs(self) -> OutputSet:
        """The outputs as codes."""
        return OutputSet.of(self.words, self.first_ends, self._form)

    @cached_property
    def derivations(self) -> dict[Output, int] | None:
        """The number of runs to each output; None if there is a cycle, and so no number."""
        order = self.graph.order()
        if order is None:
            return None
        ways = [0] * len(self.configurations)
        ways[0] = 1
        for number in order:
            for edge in self.edges[number]:
                ways[edge.target] += ways[number]
        counted: dict[Output, int] = {}
        for number in self.terminals:
            output = self._output(number)
            counted[output] = counted.get(output, 0) + ways[number]
        return counted

    @property
    def ambiguity(self) -> Ambiguity | None:
        """The least, mean and greatest number of runs that lead to one output."""
        counts = list((self.derivations or {}).values())
        return Ambiguity(min(counts), sum(counts) / len(counts), max(counts)) if counts else None

    # --- paths -------------------------------------------------------------------------------------------------------

    @cached_property
    def graph(self) -> StepsAsGraph:
        """The configurations and transitions as a networkx graph; networkx is loaded only here."""
        from arcproof.properties.engines.paths import StepGraph

        return StepGraph(self.edges)

    @cached_property
    def useful(self) -> frozenset[int]:
        """The configurations from which a terminal one can be reached."""
        return self.graph.leading_to(self.terminals)

    def cycle(self, only_useful: bool) -> tuple[Run, Run] | None:
        """A run to a configuration and a way from it back to itself; None if there is no cycle."""
        loop = self.graph.cycle(self.useful if only_useful else frozenset(range(self.size)))
        return (self.run_to(loop[0].source), _transitions(loop)) if loop else None

    def heaviest(self, weight: Weight) -> Heaviest | Gaining | None:
        """The heaviest run that ends, with a weight for each transition's name, or why there is none; None if no run
        ends.
        """
        found = self.graph.heaviest(self.useful, weight)
        if isinstance(found, list):
            return Gaining(self.run_to(found[0].source), _transitions(found))
        ends = [number for number in self.terminals if number in found.weights]
        if not ends:
            return None
        number = max(ends, key=lambda end: (found.weights[end], -end))
        return Heaviest(found.weights[number], _transitions(found.to(number)))


def _transitions(edges: list[Edge]) -> Run:
    return tuple(edge.transition for edge in edges)


S = TypeVar("S", bound=StateSpace)


def explore(
    system: System,
    words: int,
    past_terminal: bool = False,
    limit: int | None = None,
    is_over: Callable[[], bool] | None = None,
) -> StateSpace:
    """Visit every configuration; raises `OutOfBounds` if there are more than `limit`, or if the time is up."""
    return explored(StateSpace(system, words, past_terminal), limit, is_over)


def explored(space: S, limit: int | None, is_over: Callable[[], bool] | None = None) -> S:
    """Fill an empty space with every configuration."""
    system = space.system
    start = system.start(space.words)
    number_of = {start: 0}
    _enter(space, start, None)
    for number in _growing(space.configurations):
        c = space.configurations[number]
        if is_over is not None and number % BETWEEN_LOOKS == 0 and is_over():
            raise OutOfBounds(
                f"the time was up after {len(space.configurations)} configurations",
                len(space.configurations),
            )
        if space.terminal[number] and not space.past_terminal:
            continue
        for step in system.steps(c):
            target = number_of.setdefault(step.configuration, len(number_of))
            edge = Edge(number, target, step)
            if target == len(space.configurations):
                if _grows(step.configuration):
                    raise OutOfBounds("the state appears to grow without bound", target)
                if limit is not None and target >= limit:
                    raise OutOfBounds(f"more than {limit} configurations", target)
                _enter(space, step.configuration, edge)
            space.edges[number].append(edge)
    return space


def _runs(edges: list[Edge], *ways: list[int]) -> tuple[Run, Run]:
    one, other = (tuple(edges[step].transition for step in way) for way in ways)
    return one, other


def _grows(c: Configuration) -> bool:
    """Whether a sequence or counter is larger than in any sensible figure for this many words."""
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
    """A transition out of a terminal configuration that changes the arcs, and the reason."""
    for step in system.steps(c):
        if step.configuration.arcs != c.arcs:
            return step.transition, f"{step.transition.instance} changes the arcs of the terminal {c}"
    return None


MAX_NAMES_OF_STEPS = 256
"""Native code refuses figures with more transitions; the interpreter does not."""
BYTES_A_CONFIGURATION = 4_000
BETWEEN_LOOKS = 256
"""How many configurations are expanded between two looks at the clock."""


def configurations_in(memory: int) -> int:
    """The number of configurations that the interpreter may hold in this many bytes; measured, with some room to
    spare.
    """
    return max(1, memory // BYTES_A_CONFIGURATION)
