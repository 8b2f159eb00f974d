"""The configurations of a sentence as the workers of a cluster found them.

Numbers, outputs, signs and space are known.  A property of every configuration is checked by the workers, which explore
the level again to do so.  Runs are found in the same way (`partitioned`).  Questions that need all edges in one place
cannot be answered: they raise `NotTogether`, and for them the level counts as unexplored.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property, partial
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import numpy as np
import numpy.typing as npt
from arcproof.properties.engines.exploration import change_after_end
from arcproof.properties.engines.outputs import Codes, Outputs
from arcproof.properties.engines.packed_space import MANY, CompiledSpace, ReplayFailed, ambiguity_of
from arcproof.properties.engines.spaces import (
    Ambiguity,
    Gaining,
    Heaviest,
    NotTogether,
    OutOfBounds,
    Run,
    RunProperty,
    Screen,
    Steps,
    Violation,
)
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.machine.packed.climbs import LONGEST, SHORTEST, WAYS, Carried, choices_of
from arcproof.transitions.printing.wording import counted, size_text
from arcproof.transitions.syntax import Condition, Not

from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.engines.engine import Compiled
    from arcproof.transitions.machine.figure_programs import Programs
    from arcproof.transitions.machine.packed.explorer import Exploration
    from arcproof.transitions.machine.packed.partitioned import Look, Partitioned, Runs
    from arcproof.transitions.machine.packed.partitions import Block

    from arcproof.process.dask_cluster import Cluster


R = TypeVar("R")


@dataclass
class PartitionedSpace(CompiledSpace):
    """A `Space` whose configurations are held by the workers of a cluster."""

    parts: "Partitioned"
    cluster: "Cluster"
    memory: int | None = None
    _ways: dict[int, list[Configuration]] = field(default_factory=dict)
    _one_at_a_time: bool = False

    # --- configurations and runs
    # -----------------------------------------------------------------------------------------

    def configuration(self, number: int) -> Configuration:
        """The configuration with this number, found by taking a run to it."""
        return self._way(number)[-1]

    def _way(self, number: int) -> list[Configuration]:
        from arcproof.transitions.machine.packed.partitioned import way_to

        if number not in self._ways:
            found = self.exploration
            packed = way_to(self.cluster, found.programs, self.words, found.frontiers, number)
            self._ways[number] = [found.layout.unpack(*words) for words in packed]
        return self._ways[number]

    def run_to(self, number: int) -> Run:
        """A shortest run from the start to a configuration, by the interpreter."""
        way = self._way(number)
        return tuple(self._between(before, after) for before, after in pairwise(way))

    def _between(self, before: Configuration, after: Configuration) -> Transition:
        for transition in self.system.permissible(before):
            if self.system.step(before, transition).configuration == after:
                return transition
        raise ReplayFailed(f"{self.system.name}: the interpreter does not lead from {before} to {after}")

    # --- violations
    # ------------------------------------------------------------------------------------------------------

    def violation(self, prop: RunProperty) -> Violation | None:
        """The first configuration that the screen shows, confirmed by the interpreter; without a screen, the workers'
        interpreters check every configuration.
        """
        if prop.screen(self.words) is not None:
            return super().violation(prop)
        number = self._looked_for(partial(first_fault, prop))
        return None if number is None else self._fault(number, prop)

    def _first(self, screen: Screen) -> int | None:
        found: list[int] = []
        signs = enumerate(self.parts.signs)
        found += [number for sign, number in signs if number is not None and screen.signs >> sign & 1]
        if screen.graphs is not None:
            outside = self.outputs.for_class(self.system, screen.graphs).outside(screen.graphs)
            found += [] if outside.earliest is None else [outside.earliest]
        if screen.space is not None:
            most = min(floor(screen.space), MANY)
            found += [number for space, number in self.parts.spaces.items() if space > most]
        if screen.fails is not None:
            failing = self._looked_for(partial(first_satisfying, (Not(screen.fails),)))
            found += [] if failing is None else [failing]
        return min(found, default=None)

    def _looked_for(self, look: "Look") -> int | None:
        """The first configuration that `look` selects, found by exploring once more."""
        from arcproof.transitions.machine.packed.partitioned import explore_in_parts

        with _told_in_memory():
            return explore_in_parts(self.cluster, self.exploration.programs, self.words, self.memory, look).looked_for

    def satisfying(self, conditions: Sequence[Condition]) -> Iterator[int]:
        """Yield the number of the first configuration in which all conditions hold; any later ones are not computed."""
        found = self._looked_for(partial(first_satisfying, tuple(conditions)))
        if found is None:
            return
        yield found
        self._not_told()

    def most_space(self) -> tuple[int, int]:
        """The most space that any configuration takes, and the first configuration that takes it."""
        return max(self.parts.spaces.items())

    @property
    def bytes(self) -> int:
        """The memory that the space takes in this process."""
        return self.parts.arcs.nbytes + self.parts.numbers.nbytes

    def changes_after_end(self) -> tuple[Run, str] | None:
        """The first terminal configuration whose arcs a transition would change."""
        from arcproof.transitions.machine.packed.signs import GOES_ON

        number = self.parts.signs[GOES_ON.bit_length() - 1]
        if number is None:
            return None
        found = change_after_end(self.system, self.configuration(number))
        if found is None:
            raise ReplayFailed(f"{self.system.name}: no transition changes the arcs of {self.configuration(number)}")
        return (*self.run_to(number), found[0]), found[1]

    # --- outputs
    # ---------------------------------------------------------------------------------------------------------

    @cached_property
    def outputs(self) -> Outputs:
        """Each output with the first terminal configuration that has it."""
        codes, numbers = self.parts.arcs, self.parts.numbers
        if not self.exploration.programs.clashes:
            return Outputs(self.words, codes, numbers, {}, self._form)
        found = {self._output(code): int(number) for code, number in zip(codes, numbers, strict=True)}
        return Outputs.of(self.words, found, self._form)

    # --- what is not available
    # -----------------------------------------------------------------------------------------------

    def _not_told(self) -> NoReturn:
        raise NotTogether

    @property
    def ends(self) -> tuple[npt.NDArray[np.int64], Codes]:
        """Not available."""
        self._not_told()

    @property
    def steps(self) -> Steps:
        """Not available."""
        self._not_told()

    def transition(self, edge: int) -> Transition:  # noqa: ARG002
        """Not available."""
        self._not_told()

    def two_derivations(self) -> tuple[Run, Run] | None:
        """Not available."""
        self._not_told()

    # --- all runs
    # --------------------------------------------------------------------------------------------------------

    @property
    def ambiguity(self) -> Ambiguity | None:
        """The least, mean and greatest number of runs that lead to one output; None if there is no output, or if there
        are too many runs.
        """
        return ambiguity_in(self._counts)

    @cached_property
    def _counts(self) -> "Runs":
        return self._runs(Carried("counts"))

    def occurs(self, transition: str) -> bool:
        """Whether a transition occurs in a run that ends."""
        found = self.heaviest(lambda name: int(name == transition))
        return isinstance(found, Heaviest) and found.weight > 0

    def cycle(self, only_useful: bool) -> tuple[Run, Run] | None:  # noqa: ARG002
        """None if every transition leads to a higher rank; otherwise the answer is not available."""
        if not self.exploration.graded:
            self.heaviest(lambda _: 1)
        return None

    def _heaviest(self, weights: tuple[int, ...]) -> Heaviest | Gaining | None:
        """The heaviest run for each set of weights.  Other weights that are likely to be asked for are computed along
        with it, unless they take too much memory: all runs are followed for each.
        """
        names = len(weights)
        ones = (1,) * names
        single = [tuple(int(name == other) for other in range(names)) for name in range(names)]
        likely = [weights, *(tuple(-weight for weight in some) for some in (weights, ones)), ones, *single]
        asked = tuple(dict.fromkeys(some for some in likely if some not in self._weighed))
        try:
            self._weigh((weights,) if self._one_at_a_time else asked)
        except NotTogether:
            if self._one_at_a_time or len(asked) == 1:
                raise
            self._one_at_a_time = True
            self._weigh((weights,))
        return self._weighed[weights]

    def _weigh(self, asked: tuple[tuple[int, ...], ...]) -> None:
        values = self._runs(Carried("weight", asked)).values
        for place, some in enumerate(asked):
            later = cast(Run, FoundLater(partial(self._heaviest_run, some)))
            self._weighed[some] = None if values is None else Heaviest(int(values[place, 0]), later)

    def _heaviest_run(self, weights: tuple[int, ...]) -> Run:
        """The heaviest run itself: all runs are followed again, with their transitions."""
        bits = max(1, (self.exploration.programs.expansion(self.words).emits - 1).bit_length())
        carried = Carried("run", (weights,), bits)
        values = self._runs(carried).values
        assert values is not None
        c, run = self.system.start(self.words), []
        for choice in choices_of(carried, values):
            run.append(self.system.permissible(c)[choice])
            c = self.system.apply(c, run[-1])
        return tuple(run)

    def _runs(self, carried: Carried) -> "Runs":
        from arcproof.transitions.machine.packed.partitioned import climb_in_parts

        with _told_in_memory():
            found = climb_in_parts(self.cluster, self.exploration.programs, self.words, carried, self.memory)
        if found is None:
            self._not_told()
        return found


@contextmanager
def _told_in_memory() -> Iterator[None]:
    """Turn a lack of memory into `NotTogether`: an answer that takes more memory than the level itself is not
    available.
    """
    from arcproof.transitions.machine.packed.explorer import OutOfMemory

    try:
        yield
    except OutOfMemory:
        raise NotTogether from None


class FoundLater(Sequence[Transition]):
    """A run that is computed when it is first used."""

    def __init__(self, find: Callable[[], Run]) -> None:
        """Store how to find the run, which has not been computed yet."""
        self._find = find

    @cached_property
    def _run(self) -> Run:
        return self._find()

    def __len__(self) -> int:
        """The number of transitions."""
        return len(self._run)

    def __getitem__(self, place: Any) -> Any:
        """One transition, or a slice of them."""
        return self._run[place]


def ambiguity_in(runs: "Runs") -> Ambiguity | None:
    """The ambiguity, from the number of runs to each output."""
    return None if runs.values is None or not runs.is_exact else ambiguity_of([runs.values[WAYS]])


def first_satisfying(conditions: tuple[Condition, ...], programs: "Programs", words: int, block: "Block") -> int | None:
    """The first configuration of a block in which all conditions hold; the machine evaluates them, or the interpreter
    if the machine has no program for them.
    """
    from arcproof.properties.engines.satisfying import holds_in
    from arcproof.transitions.machine.packed.layout import DoesNotFit

    try:
        plan = programs.system.plan
        answers = [programs.ask(plan.condition(one), words, block.k0, block.k1) for one in conditions]
    except DoesNotFit:
        return _first_of(programs, words, block, lambda c: holds_in(programs.system, c, conditions))
    places = np.flatnonzero(np.logical_and.reduce([np.ones(len(block), dtype=np.bool_), *answers]))
    return int(places[0]) if len(places) else None


def first_fault(prop: RunProperty, programs: "Programs", words: int, block: "Block") -> int | None:
    """The first configuration of a block such that a property objects to it or to one of its steps, according to the
    interpreter.
    """
    system = programs.system

    def has_fault(c: Configuration) -> bool:
        terminal = system.is_terminal(c)
        expanded = [] if terminal else system.permissible(c)
        if prop.at_configuration(c, terminal, expanded) is not None:
            return True
        return any(prop.at_step(c, system.step(c, transition)) is not None for transition in expanded)

    return _first_of(programs, words, block, has_fault)


def _first_of(programs: "Programs", words: int, block: "Block", is_it: Callable[[Configuration], bool]) -> int | None:
    layout = programs.layout(words)
    second = block.k1 if layout.is_wide else np.zeros(len(block), dtype=np.int64)
    for place, packed in enumerate(zip(block.k0.tolist(), second.tolist(), strict=True)):
        if is_it(layout.unpack(*packed)):
            return place
    return None


def partitioned_space(
    engine: "Compiled", words: int, memory: int | None, cluster: "Cluster"
) -> PartitionedSpace | None:
    """All configurations, on a cluster with at most this much memory for each worker; None if they cannot be packed.
    Raises `OutOfBounds` if they need more.
    """
    from arcproof.transitions.machine.packed.partitioned import explore_in_parts

    found = _within(engine, words, memory, cluster, lambda: explore_in_parts(cluster, engine.programs, words, memory))
    if found is None:
        return None
    engine.remember(words, found.level)
    return PartitionedSpace(found.level, found, cluster, memory)


def counted_in_parts(engine: "Compiled", words: int, memory: int | None, cluster: "Cluster") -> "Exploration | None":
    """The counts of a level, from the cluster; None also if a transition leads to no higher rank."""
    from arcproof.transitions.machine.packed.partitioned import climb_in_parts

    def climb() -> "Runs | None":
        return climb_in_parts(cluster, engine.programs, words, Carried("counts"), memory)

    found = _within(engine, words, memory, cluster, climb)
    if found is None:
        return None
    level = found.level
    engine.remember(words, level)
    level.outputs, level.ways = [found.arcs], None
    if found.values is not None:
        level.longest, level.shortest = int(found.values[LONGEST].max()), int(found.values[SHORTEST].min())
        level.ways = [found.values[WAYS]] if found.is_exact else None
    return level


def _within(
    engine: "Compiled", words: int, memory: int | None, cluster: "Cluster", explore: Callable[[], R | None]
) -> R | None:
    """What an exploration finds, with more room for each configuration if necessary; raises `OutOfBounds` if memory
    does not suffice.
    """
    from arcproof.transitions.machine.packed.explorer import OutOfMemory, SecondHead
    from arcproof.transitions.machine.packed.layout import DoesNotFit

    try:
        return explore()
    except SecondHead:
        engine.programs = engine.programs.with_matrix()
        return _within(engine, words, memory, cluster, explore)
    except DoesNotFit:
        return _within(engine, words, memory, cluster, explore) if engine.find_room(words) else None
    except OutOfMemory as error:
        needed = f"{size_text(error.needed)} would be needed after {error.configurations} configurations"
        together = size_text((memory or 0) * cluster.workers)
        text = f"{needed}, more than the {together} that --memory leaves {counted(cluster.workers, 'worker')} together"
        raise OutOfBounds(text, error.configurations) from None
