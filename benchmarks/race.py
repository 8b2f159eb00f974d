"""Running the contestants and keeping what they measured; they must all count the same."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from arcproof.process.progress import Say, silent
from arcproof.transitions.errors import CannotExport
from benchmarks.contestants import Contestant
from benchmarks.measure import Explored


class Disagreement(Exception):
    """Two contestants counted differently."""


@dataclass(frozen=True, slots=True)
class Task:
    """One system and one number of words."""

    system: str
    words: int


@dataclass(slots=True)
class Results:
    """Every measurement: by task, in the order they were done, then by contestant; and who refused what, and why."""

    found: dict[Task, dict[str, list[Explored]]] = field(default_factory=dict)
    refused: dict[tuple[Task, str], str] = field(default_factory=dict)

    def add(self, task: Task, key: str, explored: Explored) -> None:
        """Keep a measurement, if it counts what the others counted."""
        for other, earlier in self.found.setdefault(task, {}).items():
            _check_equal(task, (key, explored), (other, earlier[0]))
        self.found[task].setdefault(key, []).append(explored)

    def counts(self, task: Task) -> Explored | None:
        """A measurement of the task, for what they all agree on."""
        return next((runs[0] for runs in self.found.get(task, {}).values()), None)

    def configurations(self, task: Task) -> int | None:
        """How many there are, once a contestant has counted."""
        counted = self.counts(task)
        return counted.configurations if counted is not None else None

    def seconds(self, task: Task, key: str) -> float | None:
        """The median CPU time of a search."""
        return self._median(task, key, lambda run: run.seconds)

    def elapsed(self, task: Task, key: str) -> float | None:
        """The median of the time that passed during a search."""
        return self._median(task, key, lambda run: run.elapsed)

    def built(self, task: Task, key: str) -> float | None:
        """The median CPU time before the search."""
        return self._median(task, key, lambda run: run.built)

    def bytes_each(self, task: Task, key: str) -> float | None:
        """Bytes of memory for each configuration, where the contestant reports it."""
        return self._median(task, key, lambda run: None if run.memory is None else run.memory / run.configurations)

    def forecast(self, task: Task, key: str) -> float:
        """The CPU time of a task that was counted, if it grows as the configurations do; 0 if nothing is known."""
        earlier = [other for other, by in self.found.items() if other.system == task.system and key in by]
        now = self.configurations(task)
        if not earlier or now is None:
            return 0.0
        return (self.seconds(earlier[-1], key) or 0.0) * now / (self.configurations(earlier[-1]) or 1)

    def _median(self, task: Task, key: str, of: Callable[[Explored], float | None]) -> float | None:
        values = [value for run in self.found.get(task, {}).get(key, []) if (value := of(run)) is not None]
        return median(values) if values else None


def _check_equal(task: Task, first: tuple[str, Explored], second: tuple[str, Explored]) -> None:
    """Fail if two measurements are not of the same thing."""
    counted = [(run.configurations, run.transitions) for _, run in (first, second)]
    if counted[0] != counted[1]:
        raise Disagreement(
            f"{task.system}, {task.words} words: {first[0]} counts {counted[0][0]} configurations and {counted[0][1]} "
            f"transitions, {second[0]} {counted[1][0]} and {counted[1][1]}"
        )


@dataclass(frozen=True)
class Entry:
    """A contestant who is ready for a task, in a folder of its own."""

    racer: Contestant
    task: Task
    directory: Path
    built: float

    def measured(self) -> Explored:
        """Search once."""
        explored = self.racer.explore(self.task.system, self.task.words, self.directory)
        return replace(explored, built=explored.built + self.built)


def race(
    tasks: Sequence[Task],
    racers: Sequence[Contestant],
    times: int,
    patience: float,
    say: Say = silent,
) -> Results:
    """Run every contestant on every task.

    Contestants that do not take part, cannot, or are forecast to need more than `patience` seconds are left out.  In
    the first turn each gets ready when those before it have counted, so that a forecast knows the configurations.
    """
    results = Results()

    def turn(entry: Entry, number: int) -> None:
        explored = entry.measured()
        results.add(entry.task, entry.racer.key, explored)
        say(f"{entry.task.system} {entry.task.words} {entry.racer.key} {number}/{times}: {explored.seconds:.2f} s")

    for task in tasks:
        with tempfile.TemporaryDirectory() as folder:
            entries: list[Entry] = []
            for racer in racers:
                if racer.takes(task.system, task.words) and results.forecast(task, racer.key) <= patience:
                    for entry in _entered(racer, task, Path(folder), results):
                        turn(entry, 1)
                        entries.append(entry)
            for number in range(2, times + 1):
                for entry in entries:
                    turn(entry, number)
    return results


def _entered(racer: Contestant, task: Task, folder: Path, results: Results) -> list[Entry]:
    """The contestant, ready; none if it has no model of the system."""
    directory = folder / racer.key
    directory.mkdir()
    try:
        built = racer.prepare(task.system, task.words, directory, results.configurations(task))
    except CannotExport as reason:
        results.refused[task, racer.key] = str(reason)
        return []
    return [Entry(racer, task, directory, built)]
