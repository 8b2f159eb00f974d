"""The configurations of a sentence as the compiled explorer found them.

Answers are computed on packed configurations; what is shown to the reader (runs, reasons) comes from the interpreter,
which follows the numbers step by step.  If the interpreter does not confirm what the packed configurations say, two
meanings of the figure disagree: `ReplayFailed`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from math import floor
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exploration import change_after_end
from arcproof.properties.engines.output_sets import Form, Output, form_of, output_of
from arcproof.properties.engines.outputs import Codes, Outputs, regular_ends
from arcproof.properties.engines.satisfying import satisfying
from arcproof.properties.engines.spaces import (
    Ambiguity,
    Gaining,
    Heaviest,
    ReplayFailed,
    Run,
    RunProperty,
    Screen,
    Steps,
    Violation,
    Weight,
)
from arcproof.properties.engines.two_ways import StepsOfASpace, two_ways
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.graph import Graph
from arcproof.transitions.machine.packed.signs import GOES_ON, PERMITS, SECOND_ARC, TERMINAL
from arcproof.transitions.syntax import Condition, Not
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.transitions.machine.packed.explorer import Exploration
    from arcproof.transitions.machine.packed.paths import Edges


MANY: Final = 2**31  # numbers below are summed without overflow


class StepsInArrays(StepsOfASpace):
    """The steps of a level, with one number for each in an array."""

    parents: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    outputs: npt.NDArray[np.int64]

    def leading_to(self, configuration: int) -> list[int]:
        """The steps that lead into a configuration, in order."""
        return [int(step) for step in np.flatnonzero(self.targets == configuration)]

    def first_ambiguous(self) -> tuple[int, int | None] | None:
        """The first end whose output has several derivations, and the next one with the same output."""
        if not len(self.ends):
            return None
        _, first, counts = np.unique(self.outputs, return_index=True, return_counts=True)
        ambiguous = (counts > 1) | self._has_a_meeting_before()[self.ends[first]]
        if not ambiguous.any():
            return None
        place = int(first[ambiguous].min())
        others = self.ends[self.outputs == self.outputs[place]][1:2].tolist()
        return int(self.ends[place]), others[0] if others else None

    def _has_a_meeting_before(self) -> npt.NDArray[np.bool_]:
        """Whether the shortest way to each configuration passes one with two steps into it, or comes back to the
        start.
        """
        into = np.bincount(self.targets, minlength=len(self.parents))
        meets: npt.NDArray[np.bool_] = into > 1
        meets[0] = into[0] > 0
        above = np.maximum(self.parents, 0)
        while above.any():
            meets, above = np.logical_or(meets, meets[above]), above[above]
        meets |= meets[0]
        return meets


@dataclass
class CompiledSpace:
    """A `Space` over an exploration that kept its configurations."""

    exploration: "Exploration"

    @property
    def system(self) -> System:
        """The system that was explored."""
        return self.exploration.programs.system

    @property
    def words(self) -> int:
        """The number of words."""
        return self.exploration.layout.words

    @property
    def size(self) -> int:
        """The number of configurations."""
        return self.exploration.configurations

    @property
    def transitions(self) -> int:
        """The number of edges."""
        return self.exploration.transitions

    @property
    def terminal_count(self) -> int:
        """The number of terminal configurations."""
        return self.exploration.terminals

    @property
    def dead_end_count(self) -> int:
        """The number of configurations that are not terminal and permit no transition."""
        return self.exploration.dead_ends

    @property
    def has_clashes(self) -> bool:
        """Whether some transition adds an arc that it should not."""
        return bool(self.exploration.marks & SECOND_ARC)

    @property
    def _edges(self) -> "Edges":
        assert self.exploration.edges is not None
        return self.exploration.edges

    # --- configurations and runs -------------------------------------------------------------------------------------

    def configuration(self, number: int) -> Configuration:
        """The configuration with this number."""
        found = self.exploration
        return found.layout.unpack(int(found.k0[number]), int(found.k1[number]))

    def depth(self, number: int) -> int:
        """The length of a shortest run to a configuration."""
        return bisect_right(self.exploration.frontiers, number) - 1

    def two_derivations(self) -> tuple[Run, Run] | None:
        """Two runs to the first output that has several, one of them a shortest; None if every output has only one."""
        ends, arcs = self._ends
        outputs = np.unique(arcs, return_inverse=True)[1].astype(np.int64)
        parents = self.exploration.parents.astype(np.int64)
        steps = StepsInArrays(parents, self._edges.targets.astype(np.int64), self._edges.source, ends, outputs)
        found = two_ways(steps)
        return None if found is None else (self._transitions(found[0]), self._transitions(found[1]))

    def run_to(self, number: int) -> Run:
        """A shortest run from the start to a configuration."""
        edges: list[int] = []
        while number:
            parent = int(self.exploration.parents[number])
            first, after = self._edges.starts[parent], self._edges.starts[parent + 1]
            edges.append(int(first + np.flatnonzero(self._edges.targets[first:after] == number)[0]))
            number = parent
        return self._transitions(edges[::-1])

    def _transitions(self, edges: list[int]) -> Run:
        """The transitions of edges, in the interpreter's order for each configuration."""
        return tuple(self.transition(edge) for edge in edges)

    @property
    def steps(self) -> Steps:
        """Every transition between configurations."""
        return Steps(self._edges.starts, self._edges.targets, self._edges.names)

    def transition(self, edge: int) -> Transition:
        """The transition of an edge, without labels."""
        source = self._edges.source(edge)
        c = self.configuration(source)
        permissible = self.system.permissible(c)
        place = edge - int(self._edges.starts[source])
        names = list(self.system.transitions)
        if place >= len(permissible) or names[self._edges.names[edge]] != permissible[place].name:
            raise ReplayFailed(f"{self.system.name}: the compiled code and the interpreter disagree about {c}")
        return permissible[place]

    # --- violations --------------------------------------------------------------------------------------------------

    def violation(self, prop: RunProperty) -> Violation | None:
        """The first configuration that the screen shows, confirmed by the interpreter; without a screen, the
        interpreter checks every configuration.
        """
        screen = prop.screen(self.words)
        if screen is None:
            faults = (self._fault(number, prop) for number in range(self.size))
            return next((fault for fault in faults if fault is not None), None)
        number = self._first(screen)
        if number is None:
            return None
        found = self._fault(number, prop)
        if found is None:
            c = self.configuration(number)
            raise ReplayFailed(f"{self.system.name}, {self.words} words: the interpreter finds no fault with {c}")
        return found

    def _fault(self, number: int, prop: RunProperty) -> Violation | None:
        """What the property finds wrong with a configuration or with the steps that leave it."""
        c = self.configuration(number)
        terminal, permissible = self.system.is_terminal(c), self.system.permissible(c)
        expanded = [] if terminal and not self.exploration.settings.past_terminal else permissible
        reason = prop.at_configuration(c, terminal, expanded)
        if reason is not None:
            return Violation(number, self.run_to(number), reason)
        for transition in expanded:
            reason = prop.at_step(c, self.system.step(c, transition))
            if reason is not None:
                return Violation(number, (*self.run_to(number), transition), reason)
        return None

    def _first(self, screen: Screen) -> int | None:
        found: list[int] = []
        if screen.signs & self.exploration.marks:
            found.append(int(np.flatnonzero(self.exploration.flags & screen.signs)[0]))
        if screen.graphs is not None:
            outside = self.outputs.for_class(self.system, screen.graphs).outside(screen.graphs)
            found += [] if outside.earliest is None else [outside.earliest]
        if screen.space is not None:
            larger = np.flatnonzero(self._spaces > min(floor(screen.space), MANY))
            found += [int(larger[0])] if len(larger) else []
        if screen.fails is not None:
            found += islice(self.satisfying([Not(screen.fails)]), 1)
        return min(found, default=None)

    def satisfying(self, conditions: Sequence[Condition]) -> Iterator[int]:
        """Yield the numbers of the configurations in which all conditions hold; the machine evaluates them, or the
        interpreter if the machine has no program for them.
        """
        from arcproof.transitions.machine.packed.layout import DoesNotFit

        found = self.exploration
        try:
            holds = [
                found.programs.ask(self.system.plan.condition(condition), self.words, found.k0, found.k1)
                for condition in conditions
            ]
        except DoesNotFit:
            yield from satisfying(self, conditions)
            return
        yield from map(int, np.flatnonzero(np.logical_and.reduce([np.ones(self.size, dtype=np.bool_), *holds])))

    @cached_property
    def _spaces(self) -> npt.NDArray[np.int64]:
        return self.exploration.layout.space_of(self.exploration.k0, self.exploration.k1)

    def most_space(self) -> tuple[int, int]:
        """The most space that any configuration takes, and the first configuration that takes it."""
        number = int(np.argmax(self._spaces))
        return int(self._spaces[number]), number

    @property
    def permits_after_end(self) -> bool:
        """Whether something is permissible in a terminal configuration."""
        return bool(self.exploration.marks & PERMITS)

    @property
    def bytes(self) -> int:
        """The memory that the space takes."""
        return self.exploration.bytes_kept

    def changes_after_end(self) -> tuple[Run, str] | None:
        """The first terminal configuration whose arcs a transition would change."""
        if not self.exploration.marks & GOES_ON:
            return None
        number = int(np.flatnonzero(self.exploration.flags & GOES_ON)[0])
        found = change_after_end(self.system, self.configuration(number))
        if found is None:
            raise ReplayFailed(f"{self.system.name}: no transition changes the arcs of {self.configuration(number)}")
        return (*self.run_to(number), found[0]), found[1]

    # --- outputs -----------------------------------------------------------------------------------------------------

    @cached_property
    def _terminal(self) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = (self.exploration.flags & TERMINAL) != 0
        return found

    @cached_property
    def _ends(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The terminal configurations, and their packed arcs."""
        found = self.exploration
        numbers = np.flatnonzero(self._terminal)
        return numbers, found.layout.arcs_of(found.k1[numbers])

    @cached_property
    def ends(self) -> tuple[npt.NDArray[np.int64], Codes]:
        """The terminal configurations whose outputs have codes, and these codes."""
        numbers, arcs = self._ends
        if not self.exploration.programs.clashes:
            return numbers, arcs
        return regular_ends(self.words, numbers, map(self._output, arcs), self._form)

    @cached_property
    def outputs(self) -> Outputs:
        """Each output with the first terminal configuration that has it."""
        numbers, arcs = self._ends
        codes, first = np.unique(arcs, return_index=True)
        if not self.exploration.programs.clashes:
            return Outputs(self.words, codes, numbers[first], {}, self._form)
        found = {self._output(code): int(number) for code, number in zip(codes, numbers[first], strict=True)}
        return Outputs.of(self.words, found, self._form)

    @property
    def _form(self) -> Form:
        return form_of(self.system)

    def _output(self, packed: int) -> Output:
        """The output with packed arcs."""
        return output_of(Graph(self.words, self.exploration.layout.unpack_arcs(int(packed))), self._form)

    @cached_property
    def ambiguity(self) -> Ambiguity | None:
        """The least, mean and greatest number of runs that lead to one output; None if there is a cycle, no output, or
        if there are too many runs.
        """
        from arcproof.transitions.machine.packed.paths import add_up

        numbers, arcs = self._ends
        order = self._edges.order(np.ones(self.size, dtype=np.bool_))
        ways = None if order is None or not len(numbers) else self._edges.ways(order)
        if ways is None:
            return None
        codes, place = np.unique(arcs, return_inverse=True)
        counted = add_up(np.ascontiguousarray(place, dtype=np.int64), ways[numbers], len(codes))
        return None if counted is None else ambiguity_of([counted])

    # --- paths -------------------------------------------------------------------------------------------------------

    @cached_property
    def _useful(self) -> npt.NDArray[np.bool_]:
        return self._edges.leading_to(self._terminal)

    @cached_property
    def _useful_order(self) -> npt.NDArray[np.int32] | None:
        return self._edges.order(self._useful)

    def occurs(self, transition: str) -> bool:
        """Whether a transition occurs in a run that ends."""
        if transition not in self.system.transitions:
            return False
        name = list(self.system.transitions).index(transition)
        return bool(np.any(self._useful[self._edges.targets[self._edges.names == name]]))

    def cycle(self, only_useful: bool) -> tuple[Run, Run] | None:
        """A run to a configuration and a way from it back to itself; None if there is no cycle."""
        if self.exploration.graded:
            return None
        inside = self._useful if only_useful else np.ones(self.size, dtype=np.bool_)
        order = self._useful_order if only_useful else self._edges.order(inside)
        if order is not None:
            return None
        loop = self._edges.cycle(inside)
        return self.run_to(self._edges.source(loop[0])), self._transitions(loop)

    def heaviest(self, weight: Weight) -> Heaviest | Gaining | None:
        """The heaviest run that ends, with a weight for each transition's name, or why there is none; None if no run
        ends.
        """
        weights = tuple(weight(name) for name in self.system.transitions)
        if weights not in self._weighed:
            self._weighed[weights] = self._heaviest(weights)
        return self._weighed[weights]

    @cached_property
    def _weighed(self) -> dict[tuple[int, ...], Heaviest | Gaining | None]:
        """The heaviest runs computed so far; several claims may ask for the same one."""
        return {}

    def _heaviest(self, weights: tuple[int, ...]) -> Heaviest | Gaining | None:
        best, edge_to, loop = self._edges.heaviest(self._useful, self._useful_order, weights)
        if loop:
            return Gaining(self.run_to(self._edges.source(loop[0])), self._transitions(loop))
        ends = np.flatnonzero(self._terminal & (edge_to != -2))
        if not len(ends):
            return None
        number = int(ends[np.argmax(best[ends])])
        value = int(best[number])
        edges: list[int] = []
        while edge_to[number] >= 0:
            edges.append(int(edge_to[number]))
            number = self._edges.source(edges[-1])
        return Heaviest(value, self._transitions(edges[::-1]))


def ambiguity_of(pieces: list[npt.NDArray[np.int64]]) -> Ambiguity | None:
    """The ambiguity, from the number of derivations of each output, given in batches."""
    counts = [piece for piece in pieces if len(piece)]
    if not counts:
        return None
    total = sum(int(piece.sum()) if piece.max() < MANY else sum(map(int, piece)) for piece in counts)
    least, most = min(int(piece.min()) for piece in counts), max(int(piece.max()) for piece in counts)
    return Ambiguity(least, total / sum(map(len, counts)), most)
