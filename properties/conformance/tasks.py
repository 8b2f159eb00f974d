"""What a driver has to do, task by task, and how well it did each.

The tasks are: what each transition does, as far as the driver shows its state (`does`); where it is permitted
(`permits`); where a run ends (`ends`); the output; and the oracle, repairs, costs and encoding that a driver offers.
Whether a transition is permitted is a task only where the figure sometimes refuses it.  A method that is `given` to the
driver, as by an assignment, is not a task.

A task is *done* if the driver was never wrong about it and was right about it in cases that a stub gets wrong: a stub
does nothing, or gives the same answer every time.  So a transition must have changed something that the driver shows,
and every other task must have had two different right answers.  Nothing counts for or against a task where the driver's
state was wrong before.
"""

from collections import Counter, deque
from collections.abc import Collection, Hashable
from dataclasses import field
from typing import Final, Literal, TypeAlias, get_args

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.system import System

Aim: TypeAlias = Literal["does", "permits", "ends", "output", "oracle", "repair", "cost", "is_free", "encoding"]
AIMS: Final[tuple[Aim, ...]] = get_args(Aim)
METHODS: Final[dict[Aim, tuple[str, ...]]] = {
    "does": ("apply", "components", "arcs"),
    "permits": ("permissible", "name"),
    "ends": ("is_terminal",),
    "output": ("heads",),
    "oracle": ("oracle", "accepts"),
    "repair": ("repair",),
    "cost": ("cost",),
    "is_free": ("is_free",),
    "encoding": ("encode", "decode"),
}
"""The methods that each task is about."""
MOST_SEEN: Final = 2_000
"""How many configurations are searched for transitions that are permitted or refused."""


@dataclass(frozen=True, slots=True)
class DriverTask:
    """A task, about one transition or about none in particular."""

    aim: Aim
    transition: str = ""


@dataclass(frozen=True, slots=True)
class Performance:
    """How often a driver was right and wrong about a task; `is_telling` if a stub would have been wrong."""

    task: DriverTask
    right: int
    wrong: int
    is_telling: bool

    @property
    def is_done(self) -> bool:
        """Never wrong, and right in cases that a stub gets wrong."""
        return self.right > 0 and not self.wrong and self.is_telling


@dataclass
class DriverTally:
    """What a driver was right and wrong about so far; an error about a whole aim counts against all its transitions."""

    _right: Counter[DriverTask] = field(default_factory=Counter)
    _wrong: Counter[DriverTask] = field(default_factory=Counter)
    _answers: dict[DriverTask, set[Hashable]] = field(default_factory=dict)

    def right(self, task: DriverTask, *answers: Hashable) -> None:
        """Record a right answer; `answers` are those it had to tell apart, here or from those in other cases."""
        self._right[task] += 1
        known = self._answers.setdefault(task, set())
        if len(known) < 2:
            known.update(answers)

    def wrong(self, task: DriverTask) -> None:
        """Record a wrong answer."""
        self._wrong[task] += 1

    def performance(self, task: DriverTask) -> Performance:
        """Return how well a task was done so far."""
        wrong = self._wrong[task] + (self._wrong[DriverTask(task.aim)] if task.transition else 0)
        return Performance(task, self._right[task], wrong, len(self._answers.get(task, ())) > 1)


def aim_of(method: str) -> Aim | None:
    """Return what a method is for; None if every task depends on it."""
    return next((aim for aim in AIMS if method in METHODS[aim]), None)


def transition_in(instance: str) -> str:
    """Return the name of a transition without its choice: `LEFT-ARC` for `LEFT-ARC[2]`."""
    return instance.partition("[")[0]


def tasks_of(system: System, methods: Collection[str], given: Collection[str], words: range) -> tuple[DriverTask, ...]:
    """Return the tasks of a driver with these methods, for sentences of these lengths; what occurs only beyond the
    first `MOST_SEEN` configurations is left out.
    """
    permitted, refused = _occurring(system, words)
    where: dict[Aim, set[str]] = {"does": permitted, "permits": permitted & refused}
    own = [aim for aim in AIMS if METHODS[aim][0] not in given and _is_offered(aim, methods)]
    return tuple(
        DriverTask(aim, name)
        for aim in own
        for name in ([name for name in system.transitions if name in where[aim]] if aim in where else [""])
    )


def _is_offered(aim: Aim, methods: Collection[str]) -> bool:
    match aim:
        case "does":
            return "components" in methods or "arcs" in methods
        case "permits" | "ends":
            return True
        case _:
            return METHODS[aim][0] in methods


def _occurring(system: System, lengths: range) -> tuple[set[str], set[str]]:
    """Return the transitions that the figure permits somewhere, and those that it refuses somewhere."""
    names, permitted, refused = set(system.transitions), set[str](), set[str]()
    left = MOST_SEEN
    for words in lengths:
        seen: set[Configuration] = set()
        waiting = deque([system.start(words)])
        while waiting and left and not (permitted == refused == names):
            c = waiting.popleft()
            if c in seen or system.is_terminal(c):
                continue
            left -= 1
            seen.add(c)
            steps = system.steps(c)
            here = {step.transition.name for step in steps}
            permitted |= here
            refused |= names - here
            waiting += [step.configuration for step in steps]
    return permitted, refused
