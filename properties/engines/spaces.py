"""What every engine says about the configurations of a sentence of n words.

A *space* has numbered configurations, number 0 the initial one, breadth first in the order of the figure's transitions,
whichever engine made it; so the first violation has a shortest run, and two engines find the same one.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias

from arcproof.properties.engines.outputs import Codes, Outputs
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.syntax import Condition, GraphClass
from arcproof.transitions.system import System

from arcproof.process.arrays import np, npt
from arcproof.process.lazy_dataclass import dataclass

Run: TypeAlias = tuple[Transition, ...]
Weight: TypeAlias = Callable[[str], int]


class OutOfBounds(Exception):
    """The exploration would need more than allowed; the message says what, and `configurations` were known by then."""

    def __init__(self, message: str, configurations: int = 0) -> None:
        """Keep the number."""
        super().__init__(message)
        self.configurations = configurations


class NotTogether(Exception):
    """The configurations lie with the workers of a cluster, and the question needs them in one place."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What to look for in packed configurations: some of the signs of `packed.signs`, outputs outside a class, more
    space than this, or that a condition fails.

    The screen shows exactly the configurations that the property objects to.
    """

    signs: int = 0
    graphs: GraphClass | None = None
    space: Fraction | None = None
    fails: Condition | None = None


class RunProperty(Protocol):
    """A property that shows in single configurations and steps of a run; each method gives the reason for a
    violation.
    """

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """A violation in a reachable configuration."""

    def at_step(self, before: Configuration, step: Step) -> str | None:
        """A violation in a step between reachable configurations."""

    def screen(self, words: int) -> Screen | None:
        """The same for packed configurations of this many words; None if they must be unpacked and asked one by one."""


@dataclass(frozen=True, slots=True)
class Violation:
    """The first configuration in which a property is violated, the run that shows it, and the reason."""

    number: int
    run: Run
    reason: str


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """The number of derivations of an output: spurious ambiguity if it is more than one."""

    least: int
    mean: float
    most: int


@dataclass(frozen=True, slots=True)
class Heaviest:
    """A run to a terminal configuration such that none is heavier."""

    weight: int
    run: Run


@dataclass(frozen=True, slots=True)
class Gaining:
    """A run to a configuration on the way to a terminal one, and a way from it back to itself that weighs more than 0:
    no run is heaviest.
    """

    lead: Run
    loop: Run


@dataclass(frozen=True)
class Steps:
    """The edges between numbered configurations: where those of each begin, their targets, the numbers of their
    transitions' names.
    """

    starts: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int32]
    names: npt.NDArray[np.uint8]


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
        """How many configurations there are."""

    @property
    def transitions(self) -> int:
        """How many pairs of a configuration that is expanded and a permissible transition."""

    @property
    def terminal_count(self) -> int:
        """How many configurations are terminal."""

    @property
    def dead_end_count(self) -> int:
        """How many are not terminal and permit nothing."""

    @property
    def outputs(self) -> Outputs:
        """The outputs, each with the first terminal configuration that has it."""

    @property
    def ends(self) -> tuple[npt.NDArray[np.int64], Codes]:
        """The terminal configurations whose outputs have codes (no word with two heads unless the figure allows them),
        and these.
        """

    @property
    def has_clashes(self) -> bool:
        """Whether some transition adds an arc that it should not: to a word that has a head, or, with `several heads`,
        one that is there.
        """

    @property
    def ambiguity(self) -> Ambiguity | None:
        """How many runs lead to an output; None if there is a cycle, no output, or no number that holds it."""

    def configuration(self, number: int) -> Configuration:
        """The configuration with this number."""

    def satisfying(self, conditions: Sequence[Condition]) -> Iterator[int]:
        """The numbers of the configurations in which all conditions hold, in order, so that the first has a shortest
        run.
        """

    @property
    def steps(self) -> Steps:
        """Every transition between configurations."""

    def transition(self, edge: int) -> Transition:
        """The transition of an edge, without labels."""

    def two_derivations(self) -> tuple[Run, Run] | None:
        """Two runs to the first output that has several, one of them shortest; None if every output has one."""

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
        """A run to a configuration and a way from it back to itself; with `only_useful` one on the way to a terminal
        configuration.
        """

    def heaviest(self, weight: Weight) -> Heaviest | Gaining | None:
        """The heaviest run that ends, transitions being weighed by name, or why there is none; None if no run ends."""

    def occurs(self, transition: str) -> bool:
        """Whether a transition occurs in a run that ends."""

    def most_space(self) -> tuple[int, int]:
        """The most space that a configuration takes, and the first that takes it."""
