"""Running the contestants and keeping what they measured; they must all count the same."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from arcproof.process.progress import Say, silent
from benchmarks.contestants import Contestant, Tlc
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
    """Every measurement: by task, in the order in which they were done, then by contestant."""

    found: dict[Task, dict[str, list[Explored]]] = field(default_factory=dict)
    start_up: float | None = None

    def add(self, task: Task, key: str, explored: Explored) -> None:
        """Keep a measurement, if it counts what the others counted."""
        for other, earlier in self.found.setdefault(task, {}).items():
            _check_equal(task, (key, explored), (other, earlier[0]))
        self.found[task].setdefault(key, []).append(explored)

    def counts(self, task: Task) -> Explored:
        """A measurement of the task, for what they all agree on."""
        return next(iter(self.found[task].values()))[0]

    def seconds(self, task: Task, key: str) -> float | None:
        """The median CPU time of a search."""
        runs = self.found[task].get(key)
        return median(run.seconds for run in runs) if runs else None

    def built(self, task: Task, key: str) -> float | None:
        """The median CPU time before the search."""
        runs = self.found[task].get(key)
        return median(run.built for run in runs) if runs else None

    def bytes_each(self, task: Task, key: str) -> float | None:
        """Bytes of memory for each configuration, where the contestant reports it."""
        sizes = [run.memory for run in self.found[task].get(key, []) if run.memory is not None]
        return median(sizes) / self.counts(task).configurations if sizes else None

    def forecast(self, system: str, key: str) -> float:
        """The CPU time of the next size of a system, if it grows as the configurations did last; 0 if nothing is known."""
        done = [task for task in self.found if task.system == system]
        ran = [task for task in done if key in self.found[task]]
        if not ran:
            return 0.0
        sizes = [self.counts(task).configurations for task in done]
        growth = sizes[-1] / sizes[-2] if len(sizes) > 1 else 1.0
        return (self.seconds(ran[-1], key) or 0.0) * growth * sizes[-1] / self.counts(ran[-1]).configurations


def _check_equal(task: Task, first: tuple[str, Explored], second: tuple[str, Explored]) -> None:
    """Fail if two measurements are not of the same thing."""
    counted = [(run.configurations, run.transitions) for _, run in (first, second)]
    if counted[0] != counted[1]:
        raise Disagreement(
            f"{task.system}, {task.words} words: {first[0]} counts {counted[0][0]} configurations and {counted[0][1]} "
            f"transitions, {second[0]} {counted[1][0]} and {counted[1][1]}"
        )


def race(
    tasks: Sequence[Task],
    racers: Sequence[Contestant],
    times: int,
    patience: float,
    say: Say = silent,
) -> Results:
    """Run every contestant on every task, except where it does not take part or is forecast to need more than `patience` seconds."""
    results = Results(start_up=next((racer.start_up for racer in racers if isinstance(racer, Tlc)), None))
    for task in tasks:
        able = [
            racer
            for racer in racers
            if racer.takes(task.system, task.words) and results.forecast(task.system, racer.key) <= patience
        ]
        with tempfile.TemporaryDirectory() as folder:
            places = {racer.key: Path(folder) / racer.key for racer in able}
            built: dict[str, float] = {}
            for racer in able:
                places[racer.key].mkdir()
                built[racer.key] = racer.prepare(task.system, task.words, places[racer.key])
            for turn in range(times):
                for racer in able:
                    explored = racer.explore(task.system, task.words, places[racer.key])
                    results.add(task, racer.key, replace(explored, built=explored.built + built[racer.key]))
                    say(f"{task.system} {task.words} {racer.key} {turn + 1}/{times}: {explored.seconds:.2f} s")
    return results
