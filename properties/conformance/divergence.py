"""What can be wrong with a program that is checked against a figure, as data; the wording is in `arcproof.reports`.

A divergence is found after a run of the figure, given by the names of its transitions.  It is *smaller* than another if
its sentence has fewer words, then if its run is shorter, then if it comes first in the order of the figure.  Two of the
same kind have different *causes* if they are about different transitions, components, faults or errors.  The smallest
of each kind and cause is kept, and all are counted.

Once the driver's state is wrong, any later divergence may follow from that; likewise, an oracle may agree with the
driver where the driver differs from the figure.  Such divergences rank below those that cannot be the consequence of
another; they are reported once for each kind, and only for kinds of which there is no other.  Among divergences *drawn*
at random, the smallest is merely the smallest seen.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from enum import Enum
from typing import Literal, TypeAlias, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.driver import Labels
from arcproof.properties.conformance.tasks import DriverTally, DriverTask, aim_of, transition_in
from arcproof.transitions.configuration import Value
from arcproof.transitions.graph import Heads

Names: TypeAlias = tuple[str, ...]


class Kind(Enum):
    """The kinds of divergences, in reporting order."""

    PERMITS = "permits"
    REFUSES = "refuses"
    STATE = "state differs"
    ENDS = "ends differently"
    OUTPUT = "output differs"
    ORACLE = "oracle fails"
    REPAIR = "repair fails"
    COST = "cost is wrong"
    ENCODING = "tree changed"
    RAISES = "raises"
    HANGS = "hangs"
    CRASHES = "crashes"
    CHANGES = "changes state"


@dataclass(frozen=True)
class Permits:
    """The driver permits a transition that the figure refuses, for the reason given."""

    transition: str
    because: str


@dataclass(frozen=True)
class Refuses:
    """The driver refuses a transition that the figure permits."""

    transition: str


@dataclass(frozen=True)
class StateDiffers:
    """A component, or the arcs (`A`), is not what the figure says."""

    component: str
    figure: Value | frozenset[tuple[int, int]]
    driver: Value | frozenset[tuple[int, int]]


@dataclass(frozen=True)
class EndsDifferently:
    """The run ends here for one side but not for the other."""

    ends_in_figure: bool


@dataclass(frozen=True)
class OutputDiffers:
    """The outputs differ at a configuration that is terminal for both."""

    figure: Heads
    driver: Heads


OracleFault: TypeAlias = Literal[
    "refused by the figure",
    "refused by the driver",
    "ends early",
    "goes on",
    "wrong tree",
    "never ends",
    "raises",
]


@dataclass(frozen=True)
class OracleFails:
    """The static oracle does not lead to a gold tree; the run shows how far it got.

    `transition` is the next one it gave, if any; `permitted` is what the figure permits there; `reason` says why the
    transition is not permissible, or how the oracle failed; `output` is the tree with which it ended.
    """

    gold: Heads
    fault: OracleFault
    transition: str | None = None
    permitted: Names = ()
    reason: str = ""
    output: Heads | None = None


RepairFault: TypeAlias = Literal[
    "refused by the figure", "ends early", "goes on", "not the best", "never ends", "raises"
]


@dataclass(frozen=True)
class RepairFails:
    """The answer to a mistake cannot be applied, or does not lead to the best output that can be reached.

    The run ends with the mistake; `sequence` is the answer, and `at` is the position in it at which it fails.
    """

    gold: Heads
    fault: RepairFault
    sequence: Names = ()
    at: int | None = None
    permitted: Names = ()
    reason: str = ""
    loss: int | None = None
    best: int | None = None


CostFault: TypeAlias = Literal["costly called free", "free called costly", "wrong number"]


@dataclass(frozen=True)
class CostIsWrong:
    """A wrong cost; `true` is None if no run ends after the transition, and `better` is how the best run continues."""

    gold: Heads
    transition: str
    said: int | bool
    true: int | None
    better: Names = ()

    @property
    def fault(self) -> CostFault:
        """In which way the cost is wrong."""
        says_free = self.said if isinstance(self.said, bool) else self.said <= 0
        is_free = self.true == 0
        if says_free == is_free:
            return "wrong number"
        return "costly called free" if says_free else "free called costly"


EncodingFault: TypeAlias = Literal["heads", "labels", "not encoded"]


@dataclass(frozen=True)
class TreeChanged:
    """A tree changes when encoded and decoded, or its encoding is not in the class it should be in (`graphs`)."""

    gold: Heads
    labels: Labels
    encoded: tuple[Heads, Labels]
    decoded: tuple[Heads, Labels] | None
    graphs: str | None = None

    @property
    def fault(self) -> EncodingFault:
        """Which part is wrong."""
        if self.decoded is None:
            return "not encoded"
        return "heads" if self.decoded[0] != self.gold else "labels"


@dataclass(frozen=True)
class About:
    """What a method was asked about, apart from the configuration."""

    transition: str | None = None
    gold: Heads | None = None
    labels: Labels | None = None


@dataclass(frozen=True)
class Raises:
    """A method of the driver raises an exception."""

    method: str
    error: str
    about: About = About()


@dataclass(frozen=True)
class Hangs:
    """A method of the driver does not answer within this many seconds."""

    method: str
    seconds: float
    about: About = About()


@dataclass(frozen=True)
class Crashes:
    """A method of the driver ends the whole process."""

    method: str
    how: str
    about: About = About()


@dataclass(frozen=True)
class ChangesState:
    """Calling a method changed what the driver shows.

    `shown` is a component, `A`, the method itself if it answers differently when called again, or `configuration` if
    `apply` returns the object it was given.
    """

    method: str
    shown: str
    before: str
    after: str
    about: About = About()


What: TypeAlias = (
    Permits
    | Refuses
    | StateDiffers
    | EndsDifferently
    | OutputDiffers
    | OracleFails
    | RepairFails
    | CostIsWrong
    | TreeChanged
    | Raises
    | Hangs
    | Crashes
    | ChangesState
)


def kind_of(what: What) -> tuple[Kind, str]:
    """Return the kind and the cause, as far as it can be told."""
    match what:
        case Permits(transition=name):
            return Kind.PERMITS, transition_in(name)
        case Refuses(transition=name):
            return Kind.REFUSES, transition_in(name)
        case StateDiffers(component=name):
            return Kind.STATE, name
        case EndsDifferently(ends_in_figure=ends_in_figure):
            return Kind.ENDS, "not in the driver" if ends_in_figure else "not in the figure"
        case OutputDiffers():
            return Kind.OUTPUT, ""
        case OracleFails(fault=fault, transition=given):
            return Kind.ORACLE, fault if given is None else f"{fault}, {transition_in(given)}"
        case RepairFails(fault=fault):
            return Kind.REPAIR, fault
        case CostIsWrong(transition=name):
            return Kind.COST, f"{what.fault}, {transition_in(name)}"
        case TreeChanged(labels=labels):
            are_different = len(set(labels)) == len(labels)
            return Kind.ENCODING, f"{what.fault}, where labels {'differ' if are_different else 'repeat'}"
        case Raises(method=method, error=error):
            return Kind.RAISES, f"{method}, {error.partition(':')[0]}"
        case Hangs(method=method):
            return Kind.HANGS, method
        case Crashes(method=method):
            return Kind.CRASHES, method
        case ChangesState(method=method):
            return Kind.CHANGES, method
        case _:
            assert_never(what)


def task_at_fault(what: What, run: Names) -> DriverTask | None:
    """Return the task that the driver got wrong after a run; None if every task depends on it."""
    last = transition_in(run[-1]) if run else ""
    match what:
        case Permits(transition=name) | Refuses(transition=name):
            return DriverTask("permits", transition_in(name))
        case StateDiffers():
            return DriverTask("does", last)
        case EndsDifferently():
            return DriverTask("ends")
        case OutputDiffers():
            return DriverTask("output")
        case OracleFails():
            return DriverTask("oracle")
        case RepairFails():
            return DriverTask("repair")
        case CostIsWrong(said=said):
            return DriverTask("is_free" if isinstance(said, bool) else "cost")
        case TreeChanged():
            return DriverTask("encoding")
        case Raises(method=method) | Hangs(method=method) | Crashes(method=method) | ChangesState(method=method):
            return _of_method(method, what.about.transition, last)
        case _:
            assert_never(what)


def _of_method(method: str, about: str | None, last: str) -> DriverTask | None:
    aim = aim_of(method)
    if aim is None:
        return None
    return DriverTask(aim, (transition_in(about) if about else last) if aim == "does" else "")


@dataclass(frozen=True)
class Divergence:
    """What is wrong, and after which run.

    `follows` says that it may be the consequence of another divergence, `drawn` that it was found at random, so that
    there may be a smaller one.
    """

    words: int
    run: Names
    what: What
    follows: bool = False
    drawn: bool = False

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return kind_of(self.what)[0]


@dataclass(frozen=True)
class Found:
    """The smallest divergence of a kind and cause, and how many there are."""

    divergence: Divergence
    count: int


def _size(divergence: Divergence) -> tuple[bool, int, int]:
    return divergence.follows, divergence.words, len(divergence.run)


@dataclass
class Collected:
    """The smallest divergence of each kind and cause so far, and what the driver was right and wrong about."""

    _first: dict[tuple[Kind, str], Divergence] = field(default_factory=dict)
    _counts: Counter[tuple[Kind, str]] = field(default_factory=Counter)
    _is_drawing: bool = False
    tally: DriverTally = field(default_factory=DriverTally)

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Mark everything added in this block as found at random."""
        self._is_drawing = True
        try:
            yield
        finally:
            self._is_drawing = False

    def add(self, divergence: Divergence) -> None:
        """Count a divergence, and keep it if it is the smallest of its kind so far; one that cannot follow from another
        takes precedence over those that may.
        """
        key = kind_of(divergence.what)
        known = self._first.get(key)
        if known is None or _size(divergence) < _size(known):
            self._first[key] = replace(divergence, drawn=self._is_drawing)
        self._counts[key] += 1
        task = None if divergence.follows else task_at_fault(divergence.what, divergence.run)
        if task is not None:
            self.tally.wrong(task)

    def knows(self, divergence: Divergence) -> bool:
        """Whether a divergence of this kind was already found."""
        return kind_of(divergence.what) in self._first

    @property
    def found(self) -> tuple[Found, ...]:
        """What was found, in the order of the kinds."""
        return tuple(found for kind in Kind for found in self._of_kind(kind))

    def _of_kind(self, kind: Kind) -> list[Found]:
        """Return one divergence for each cause; if all may be consequences of others, the smallest."""
        causes = [Found(self._first[key], self._counts[key]) for key in sorted(self._first, key=str) if key[0] is kind]
        independent = [cause for cause in causes if not cause.divergence.follows]
        return independent or sorted(causes, key=lambda cause: _size(cause.divergence))[:1]
