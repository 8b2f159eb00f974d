"""A figure never seen before, on a machine that has been used and on one that has not: how long a user waits.

The figure is a built-in one with new names, the machine a copy of the package without bytecode, with a
home and a cache of its own.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path
from typing import Final

from arcproof.process.progress import Say, silent
from arcproof.transitions.library import source_of
from arcproof.transitions.syntax import SameTransitions
from arcproof.transitions.system import System, load
from benchmarks.checkers import Finished
from benchmarks.contestants import HERE, run_python
from benchmarks.race import Disagreement

FIGURES: Final = ("arc-eager", "swap")
COMMANDS: Final = (("explore", "--words", "5"), ("verify", "--words", "5", "--claims-only"))
PACKAGE: Final = ("arcproof", "transitions", "generators", "properties", "classifiers")


def unseen(system: str, mark: str) -> str:
    """A built-in system with new names for it and its transitions, except those that a claim compares by name."""
    loaded = load(system)
    renamed = sorted(set(loaded.transitions) - _compared(loaded), key=len, reverse=True)
    pattern = rf"(?<![\w-])({'|'.join(map(re.escape, renamed))})(?![\w-])"
    text = re.sub(pattern, rf"\1-{mark}", source_of(system))
    return re.sub(r"^system .*$", f"system {system}-{mark.lower()}", text, count=1, flags=re.MULTILINE)


def _compared(system: System) -> set[str]:
    """The transitions of systems that are said to take the same ones."""
    others = (c.statement.system for c in system.figure.claims if isinstance(c.statement, SameTransitions))
    return {name for other in others for name in load(other).transitions}


@dataclass(frozen=True)
class NewMachine:
    """A folder with the package as distributed, and nothing cached."""

    place: Path
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @classmethod
    def at(cls, place: Path) -> "NewMachine":
        """Copy the package there."""
        for folder in PACKAGE:
            shutil.copytree(HERE.parent / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__"))
        for folder in ("home", "cache", "work"):
            (place / folder).mkdir()
        return cls(place)

    def built_in(self, command: Sequence[str], system: str) -> str:
        """What a command answers for a built-in figure."""
        return _answer(self._run([command[0], system, *command[1:]]), "")

    def unseen(self, command: Sequence[str], system: str) -> tuple[Finished, str]:
        """Run a command on a figure that is new here: what it took, and what it answered in the old names."""
        mark = f"N{next(self.numbers)}"
        path = self.place / "work" / f"{system}-{mark.lower()}.tsys"
        path.write_text(unseen(system, mark), encoding="utf-8")
        done = self._run([command[0], str(path), *command[1:]])
        return done, _answer(done, mark)

    def _run(self, arguments: Sequence[str]) -> Finished:
        own = {"PYTHONPATH": self.place, "HOME": self.place / "home", "XDG_CACHE_HOME": self.place / "cache"}
        environment = {name: str(path) for name, path in own.items()}
        return run_python("arcproof", arguments, self.place / "work", environment)


def _answer(done: Finished, mark: str) -> str:
    """The words printed after the first line, which has the time in it, without the mark of new names."""
    text = done.output.partition("\n")[2]
    for each in (mark, mark.lower()) if mark else ():
        text = text.replace(f"-{each}", "")
    return " ".join(text.split())


@dataclass(frozen=True)
class Waited:
    """A command on new figures, where nothing was kept or where bytecode was: the runs, and what each answered."""

    system: str
    command: tuple[str, ...]
    first_use: bool
    runs: list[Finished] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def measure(self, machine: NewMachine, say: Say) -> None:
        """Once more."""
        done, answer = machine.unseen(self.command, self.system)
        self.runs.append(done)
        self.answers.append(answer)
        say(f"{' '.join(self.command)} of a new {self.system}{', first use' * self.first_use}: {done.seconds:.2f} s")


def waits(times: int, say: Say = silent) -> list[Waited]:
    """Every figure with bytecode, and first use for one of them, because they all share the bytecode."""
    fresh = [Waited(FIGURES[0], command, True) for command in COMMANDS]
    used = [Waited(system, command, False) for system, command in product(FIGURES, COMMANDS)]
    with tempfile.TemporaryDirectory() as folder:
        for turn, wait in product(range(times), fresh):
            machine = NewMachine.at(Path(folder) / f"{turn}-{wait.command[0]}")
            wait.measure(machine, say)
        expected = {(wait.system, wait.command): machine.built_in(wait.command, wait.system) for wait in used}
        for _, wait in product(range(times), used):
            wait.measure(machine, say)
    for wait in (*fresh, *used):
        check_answers(wait, expected[wait.system, wait.command])
    return [*used, *fresh]


def check_answers(wait: Waited, expected: str) -> None:
    """Fail if a new figure is not answered as the built-in one is."""
    for answer in wait.answers:
        if answer != expected:
            command = f"{' '.join(wait.command)} of a new {wait.system}"
            raise Disagreement(f"{command} answers:\n{answer}\nand of the built-in one:\n{expected}")
