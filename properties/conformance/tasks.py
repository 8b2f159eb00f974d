"""What a driver has to do, task by task, and how well it did each.

The tasks are: what each transition does, as far as the driver shows its state (`does`); where it is permitted
(`permits`); where a run ends (`ends`); the output; and the oracle, repairs, costs and encoding that a driver offers.
Whether a transition is permitted is a task only where the figure sometimes refuses it.  Methods that are `given` to a
driver, as by an assignment, make no task.

A task is *done* if the driver was never wrong about it and was right about it in cases that a stub gets wrong: a stub
does nothing, or gives the same answer every time.  So a transition has to have changed something that is shown, and of
every other task there have to be two different right answers.  Nothing counts for or against a task where the driver's
state was wrong before.
"""

from collections import Counter, deque
from collections.abc import Collection, Hashable
from dataclasses import field
from typing import Final, Literal, TypeAlias, get_args

from arcproof.transitions.configuration import Configuration
from arcproof.transitions.system import System

from arcproof.process.lazy_dataclass import dataclass

Aim: TypeAlias = Literal["does", "permits", "ends", "output", "oracle", "repair", "cost", "is_free", "encoding"]
AIMS: Final[tuple[Aim, ...]] = get_args(Aim)
OPTIONAL: Final[frozenset[Aim]] = frozenset({"oracle", "repair", "cost", "is_free", "encoding"})
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
"""The methods that a task is about."""
MOST_SEEN: Final = 2_000
"""Configurations in which it is looked whether transitions are permitted."""


@dataclass(frozen=True, slots=True)
class DriverTask:
    """Something to be done, of a transition or of none."""

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
    """What a driver was right and wrong about so far; what is wrong with a whole aim counts for all its transitions."""

    _right: Counter[DriverTask] = field(default_factory=Counter)
    _wrong: Counter[DriverTask] = field(default_factory=Counter)
    _answers: dict[DriverTask, set[Hashable]] = field(default_factory=dict)

    def right(self, task: DriverTask, *answers: Hashable) -> None:
        """It was right; these are answers that it had to tell apart, here or from those elsewhere."""
        self._right[task] += 1
        known = self._answers.setdefault(task, set())
        if len(known) < 2:
            known.update(answers)

    def wrong(self, task: DriverTask) -> None:
        """It was wrong."""
        self._wrong[task] += 1

    def performance(self, task: DriverTask) -> Performance:
        """What is known of a task."""
        wrong = self._wrong[task] + (self._wrong[DriverTask(task.aim)] if task.transition else 0)
        return Performance(task, self._right[task], wrong, len(self._answers.get(task, ())) > 1)


def aim_of(method: str) -> Aim | None:
    """What a method is for; None if everything depends on it."""
    return next((aim for aim in AIMS if method in METHODS[aim]), None)


def transition_in(instance: str) -> str:
    """The transition of `LEFT-ARC[2]`."""
    return instance.partition("[")[0]


def tasks_of(system: System, methods: Collection[str], given: Collection[str], words: range) -> tuple[DriverTask, ...]:
    """The tasks of a driver with these methods, in sentences of these lengths; what occurs only beyond the first
    `MOST_SEEN` configurations is left out.
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
    """The transitions that the figure somewhere permits, and those that it somewhere refuses."""
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
