"""How far the search goes when no limit is given.

A *task* is a question about all sentences of up to n words: a claim, a check, or the class of the outputs.  Every task
is done up to `LEAST_WORDS` words, whatever the cost; then the clock starts.  A level is explored if exploring it and
repeating the cheapest task are expected to fit into the time left.  Then each task is repeated if it is expected to
fit, the cheapest first; what takes less than a twentieth of the time always fits.  A task that does not fit, or that
more words cannot change, is not repeated.

One more word is expected to cost what the last level cost, times a growth factor: that of the configurations
(`predicted_size`), or that of the seconds if it is greater and they were long enough to be measured.  Where the
interpreter takes over from native code, all that is wrong: it ends an exploration when the time is up, and the tasks
are expected to become as much slower as the exploration did.  Memory is the engine's concern: where it refuses a level,
the search ends.

Where the interpreter does the work, `LEAST_WORDS` words may take hours.  So there the clock starts at once, half of the
time is left for the tasks and for what follows, and `OVERTIME` seconds after the time is up everything ends: with
`DeepeningIsOver` if not all tasks were done up to `LEAST_WORDS` words by then.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from arcproof.process.interruption import TimeIsOver, limit_reached, time_limit, what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.progress import Say, silent
from arcproof.properties.engines.engine import predicted_size
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.transitions.printing.wording import counted

WARM_UP: Final = 3
LEAST_WORDS: Final = 4
MOST_WORDS: Final = 20
SECONDS: Final = 10.0
MEASURABLE: Final = 0.02
NEGLIGIBLE: Final = 0.05
OVERTIME: Final = 3.0

Clock: TypeAlias = Callable[[], float]
K = TypeVar("K")


class DeepeningIsOver(TimeIsOver):
    """The time is up, and the interpreter is not ready."""


class Sized(Protocol):
    """The size of a level, explored or only counted."""

    @property
    def size(self) -> int:
        """The number of configurations."""

    @property
    def bytes(self) -> int:
        """The memory that they take."""


@dataclass(frozen=True, slots=True)
class NextLevel:
    """The expected cost of exploring one more word and repeating every task that got this far.

    `refused` is the reason if memory does not allow it.
    """

    words: int
    configurations: int
    bytes: int
    seconds: float
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a task got, and how many seconds one more word is expected to take; None if it would change nothing."""

    words: int
    next_seconds: float | None


@dataclass(frozen=True, slots=True)
class Deepened(Generic[K]):
    """How far everything got within the time, and what comes next; None if nothing is left to do."""

    seconds: float
    words: int
    next_level: NextLevel | None
    reached: Mapping[K, Reach]


@dataclass
class Task(Generic[K]):
    """A question to repeat with more words; `ask` says whether still more words could change the answer."""

    key: K
    ask: Callable[[Levels], bool]
    is_decided: bool = False
    does_not_fit: bool = False
    measured: dict[int, float] = field(default_factory=dict)

    @property
    def goes_on(self) -> bool:
        """Whether it should be repeated."""
        return not self.is_decided and not self.does_not_fit

    @property
    def words(self) -> int:
        """The number of words it got to."""
        return max(self.measured, default=0)


@dataclass
class Deepening(Generic[K]):
    """Goes from level to level within `seconds`, but at least to the levels' own number of words.

    `level`, if given, says how large a level is without exploring it.
    """

    levels: Levels
    tasks: Sequence[Task[K]]
    seconds: float = SECONDS
    clock: Clock = time.perf_counter
    say: Say = silent
    level: "Callable[[int], Sized] | None" = None
    words: int = 0
    _explored: dict[int, float] = field(default_factory=dict)
    _sizes: dict[int, int] = field(default_factory=dict)
    _bytes_each: float = 0.0
    _refused: str | None = None
    _ends: float = 0.0

    def run(self) -> Levels:
        """Go as far as possible, and return the levels that were reached; raises `DeepeningIsOver` if the time did not
        suffice for the levels' own number of words.
        """
        least = self.levels.words
        self._ends = time.monotonic() + self.seconds + OVERTIME
        until = self.clock() + self.seconds / 2
        try:
            if not self._explore_at_least(least):
                return self.levels
            for words in dict.fromkeys((min(WARM_UP, least), least)):
                self._ask([task for task in self.tasks if task.goes_on], words)
            self._go_further(until if self._is_interpreted else self.clock() + self.seconds)
        except DeepeningIsOver as over:
            if any(task.goes_on and task.words < least for task in self.tasks):
                raise
            what_ended(over)
        finally:
            self.levels.explorer.is_over = None
        return self.levels.up_to(self.words)

    def _explore_at_least(self, least: int) -> bool:
        """Explore the first levels; False if memory does not allow it.  The interpreter takes half of the time at most,
        so that what it got to can be asked about.
        """
        half = time.monotonic() + (self.seconds + OVERTIME) / 2
        self.levels.explorer.is_over = lambda: time.monotonic() > half
        for words in range(1, least + 1):
            if not self._explore(words):
                is_over = self._is_interpreted and time.monotonic() > half
                self.levels.explorer.is_over = None
                self._ask(self.tasks, self.words if is_over else least)
                if is_over:
                    raise self._over
                return False
        return True

    def _go_further(self, until: float) -> None:
        while self.words < MOST_WORDS:
            words = self.words + 1
            left = until - self.clock()
            standing = [task for task in self.tasks if task.goes_on]
            cheapest = min((self._expected(task.measured, words) for task in standing), default=None)
            if cheapest is None or self._expected(self._explored, words) + cheapest > left:
                return
            self.say(counted(words, "word"))
            expected = self._expected(self._explored, words)
            self.levels.explorer.is_over = lambda: self.clock() > until
            if not self._explore(words):
                return
            takes_over = self.levels.explorer.until == words
            slower = self._explored[words] / expected if expected > 0 and takes_over else 1.0
            for task in sorted(standing, key=lambda task: self._expected(task.measured, words)):
                left = max(until - self.clock(), self.seconds * NEGLIGIBLE)
                task.does_not_fit = self._expected(task.measured, words) * slower > left
                if not task.does_not_fit:
                    self._ask([task], words)

    @property
    def _is_interpreted(self) -> bool:
        """Whether the interpreter does the work."""
        explorer = self.levels.explorer
        return explorer.name == "interpreter" or explorer.until is not None

    @property
    def _over(self) -> DeepeningIsOver:
        return DeepeningIsOver(limit_reached(self.seconds))

    @contextmanager
    def in_time(self, at_least: float = 0.0) -> Iterator[None]:
        """End the block when the time is up, but not before these seconds have passed, if it is the interpreter's
        work.
        """
        left = max(at_least, self._ends - time.monotonic())
        with time_limit(left if self._is_interpreted else None, self._over):
            yield

    def _explore(self, words: int) -> bool:
        """Explore a level; False if memory does not allow it."""
        began = self.clock()
        try:
            space = self.levels.space(words) if self.level is None else self.level(words)
        except OutOfBounds as error:
            self._refused = str(error)
            return False
        self._explored[words] = self.clock() - began
        self._sizes[words], self._bytes_each = space.size, space.bytes / max(1, space.size)
        self.words = words
        return True

    def _ask(self, tasks: Sequence[Task[K]], words: int) -> None:
        levels = self.levels.up_to(words)
        for task in tasks if words else ():
            began = self.clock()
            with self.in_time():
                task.is_decided = not task.ask(levels)
            task.measured[words] = self.clock() - began

    # --- what comes next ---------------------------------------------------------------------------------------------

    def _configurations(self, words: int) -> int:
        """The number of configurations of a level, known or expected."""
        return self._sizes.get(words) or predicted_size(self._sizes, words) or 0

    def _expected(self, measured: Mapping[int, float], words: int) -> float:
        """The expected seconds for this many words, from those for one word less and for two less."""
        last, before = measured.get(words - 1, 0.0), measured.get(words - 2, 0.0)
        growth = self._configurations(words) / max(1, self._configurations(words - 1))
        return last * max(growth, last / before if before >= MEASURABLE else 0.0)

    @property
    def deepened(self) -> Deepened[K]:
        """How far the search got, even if it was interrupted."""
        reached = {
            task.key: Reach(min(task.words, self.words), self._next_seconds(task))
            for task in self.tasks
            if task.measured
        }
        return Deepened(self.seconds, self.words, self._next_level(), reached)

    def _next_seconds(self, task: Task[K]) -> float | None:
        """The expected seconds for one more word, including the exploration if no task got that far."""
        words = task.words + 1
        if task.is_decided or words > min(MOST_WORDS, self.words + 1):
            return None
        exploring = self._expected(self._explored, words) if words > self.words else 0.0
        return exploring + self._expected(task.measured, words)

    def _next_level(self) -> NextLevel | None:
        words = self.words + 1
        asked = [task for task in self.tasks if not task.is_decided and task.words == self.words]
        if not asked or words > MOST_WORDS:
            return None
        configurations = self._configurations(words)
        seconds = sum(self._expected(measured, words) for measured in (self._explored, *(t.measured for t in asked)))
        return NextLevel(words, configurations, int(configurations * self._bytes_each), seconds, self._refused)
