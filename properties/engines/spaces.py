"""The protocol of the configurations of a sentence of n words, whichever engine explores them.

A *space* numbers its configurations breadth first, in the order of the figure's transitions, from the initial one,
which is number 0.  Every engine numbers them in this way; so the first violation has a shortest run, and two engines
find the same one.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.output_sets import Numbers, OutputSet
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.syntax import Condition, GraphClass
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.engines.outputs import Outputs

Run: TypeAlias = tuple[Transition, ...]
Weight: TypeAlias = Callable[[str], int]


class ReplayFailed(Contradiction):
    """The interpreter does not confirm what another engine says."""


class OutOfBounds(Exception):
    """The exploration would need more than allowed; the message says what, and `configurations` is the number known by
    then.
    """

    def __init__(self, message: str, configurations: int = 0) -> None:
        """Store the message and the number."""
        super().__init__(message)
        self.configurations = configurations


@dataclass(frozen=True, slots=True)
class Screen:
    """What to look for in packed configurations: some of the signs of `packed.signs`, outputs outside a class, more
    space than this, or a condition that fails.

    The screen shows exactly the configurations that the property objects to.
    """

    signs: int = 0
    graphs: GraphClass | None = None
    space: Fraction | None = None
    fails: Condition | None = None


class RunProperty:
    """A property that can be checked in single configurations and steps of a run; each method returns the reason for a
    violation.
    """

    __slots__ = ()

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """The reason why a reachable configuration violates the property, if it does."""
        return None

    def at_step(self, before: Configuration, step: Step) -> str | None:
        """The reason why a step between reachable configurations violates the property, if it does."""
        return None

    def screen(self, words: int) -> Screen | None:
        """What to look for in packed configurations of this many words; None if they must be unpacked and checked one
        by one.
        """
        return None


@dataclass(frozen=True, slots=True)
class Violation:
    """The first configuration in which a property is violated, the run that shows it, and the reason."""

    number: int
    run: Run
    reason: str


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """The least, mean and greatest number of derivations of an output; there is spurious ambiguity if any is more than
    one.
    """

    least: int
    mean: float
    most: int


@dataclass(frozen=True, slots=True)
class Heaviest:
    """A heaviest run to a terminal configuration."""

    weight: int
    run: Run


@dataclass(frozen=True, slots=True)
class Gaining:
    """A run to a configuration on the way to a terminal one, and a path from it back to itself that weighs more than 0:
    then no run is heaviest.
    """

    lead: Run
    loop: Run


@dataclass(frozen=True)
class Steps:
    """The edges between numbered configurations: where those of each configuration begin, their targets, and the
    numbers of their transitions' names.
    """

    starts: Numbers
    targets: Numbers
    names: Numbers


class Space(Protocol):
    """All reachable configurations for n words."""

    @property
    def system(self) -> System:
        """The system that was explored."""

    @property
    def words(self) -> int:
        """The number of words."""

    @property
    def size(self) -> int:
        """The number of configurations."""

    @property
    def transitions(self) -> int:
        """The number of pairs of a configuration that is expanded and a transition permissible in it."""

    @property
    def terminal_count(self) -> int:
        """The number of terminal configurations."""

    @property
    def dead_end_count(self) -> int:
        """The number of configurations that are not terminal and permit no transition."""

    @property
    def outputs(self) -> "Outputs | OutputSet":
        """The outputs, each with the first terminal configuration that has it."""

    @property
    def ends(self) -> tuple[Numbers, Numbers]:
        """The terminal configurations whose outputs have codes (no word has two heads unless the figure allows it), and
        these codes.
        """

    @property
    def has_clashes(self) -> bool:
        """Whether some transition adds an arc that it should not: to a word that has a head, or, with `several heads`,
        an arc that exists already.
        """

    @property
    def ambiguity(self) -> Ambiguity | None:
        """The least, mean and greatest number of runs that lead to one output; None if there is a cycle, no output, or
        more runs than can be counted.
        """

    def configuration(self, number: int) -> Configuration:
        """The configuration with this number."""

    def satisfying(self, conditions: Sequence[Condition]) -> Iterator[int]:
        """Yield the numbers of the configurations in which all conditions hold, in order, so that the first has a
        shortest run.
        """

    @property
    def steps(self) -> Steps:
        """Every transition between configurations."""

    def transition(self, edge: int) -> Transition:
        """The transition of an edge, without labels."""

    def two_derivations(self) -> tuple[Run, Run] | None:
        """Two runs to the first output that has several, one of them a shortest; None if every output has only one."""

    def run_to(self, number: int) -> Run:
        """A shortest run from the start to a configuration."""

    def depth(self, number: int) -> int:
        """The length of a shortest run to a configuration."""

    def violation(self, prop: RunProperty) -> Violation | None:
        """The first violation of a property."""

    @property
    def permits_after_end(self) -> bool:
        """Whether something is permissible in a terminal configuration."""

    @property
    def bytes(self) -> int:
        """The memory that the space takes."""

    def changes_after_end(self) -> tuple[Run, str] | None:
        """A run to a terminal configuration and a transition that changes its arcs, with the reason; None if there is
        none.
        """

    def cycle(self, only_useful: bool) -> tuple[Run, Run] | None:
        """A run to a configuration and a path from it back to itself; with `only_useful`, one on the way to a terminal
        configuration.
        """

    def heaviest(self, weight: Weight) -> Heaviest | Gaining | None:
        """The heaviest run that ends, with a weight for each transition's name, or why there is none; None if no run
        ends.
        """

    def occurs(self, transition: str) -> bool:
        """Whether a transition occurs in a run that ends."""

    def most_space(self) -> tuple[int, int]:
        """The most space that any configuration takes, and the first configuration that takes it."""
