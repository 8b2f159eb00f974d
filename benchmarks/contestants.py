"""The contestants of the benchmark, and how each is run: every configuration visited once."""

import json
import math
import re
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final

from arcproof.transitions.export.promela import to_promela
from arcproof.transitions.export.tla import TlaModel, to_tla
from arcproof.transitions.system import load
from benchmarks.checkers import Finished, build_spin, run, run_spin, run_tlc, spin_missing, tlc_missing
from benchmarks.measure import Explored

HERE: Final = Path(__file__).resolve().parent
ARC_EAGER: Final = "arc-eager"
DEPTH: Final = 100_000
SPIN_FLAGS: Final = ("-O3", "-DMEMLIM=12000", "-DNOFAIR")
TUNED_FLAGS: Final = (*SPIN_FLAGS, "-march=native", "-DNOBOUNDCHECK", "-DNOVSZ")
"""All exact; measured to be no faster: -DCOLLAPSE, -DSFH, -DBFS, a hash table twice as large."""


def run_python(
    module: str, arguments: Sequence[str], directory: Path, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run a module of this checkout in a process of its own."""
    settings = {"PYTHONPATH": str(HERE.parent), "PYTHONHASHSEED": "0", "ARCPROOF_STORE": "off", **(environment or {})}
    return run([sys.executable, "-m", module, *arguments], directory, settings)


@dataclass
class Contestant(ABC):
    """One explorer; `most` has the systems it is run on, each with the most words; None means everything."""

    key: str
    title: str
    most: Mapping[str, int] | None = None

    def missing(self) -> str | None:
        """Why it cannot be run here."""
        return None

    def takes(self, system: str, words: int) -> bool:
        """Whether it is run on this."""
        return self.most is None or words <= self.most.get(system, -1)

    def prepare(self, system: str, words: int, directory: Path, known: int | None) -> float:  # noqa: ARG002 - unused
        """What is done once before the search, others having counted `known` configurations: its CPU seconds."""
        return 0.0

    @abstractmethod
    def explore(self, system: str, words: int, directory: Path) -> Explored:
        """Search once."""


@dataclass
class Script(Contestant):
    """A Python module that is told the system and the words, and prints what it counted and used."""

    module: str = ""
    more: tuple[str, ...] = ()

    def explore(self, system: str, words: int, directory: Path) -> Explored:
        """Run it in a process of its own."""
        done = run_python(f"benchmarks.{self.module or self.key}", [system, str(words), *self.more], directory)
        return Explored(**json.loads(done.output))


class Typed(Contestant):
    """`arcproof explore` as a user types it: the whole process, all sizes up to the one asked for."""

    def explore(self, system: str, words: int, directory: Path) -> Explored:
        """Run it, and read its last row."""
        done = run_python("arcproof", ["explore", system, "--words", str(words)], directory)
        configurations, transitions = levels_of(done.output)[words]
        return Explored(configurations, transitions, done.seconds, elapsed=done.elapsed)


def levels_of(printed: str) -> dict[int, tuple[int, int]]:
    """The configurations and transitions that `arcproof explore` printed, by words."""
    rows = re.findall(r"^ +(\d+) +(\d+) +(\d+) ", printed, re.MULTILINE)
    return {int(words): (int(configurations), int(transitions)) for words, configurations, transitions in rows}


@dataclass
class Spin(Contestant):
    """SPIN on the exported model, with a hash table of as many places as there are configurations."""

    flags: tuple[str, ...] = SPIN_FLAGS
    bits: dict[Path, int] = field(default_factory=dict)

    def missing(self) -> str | None:
        """SPIN makes a C program of a model."""
        return spin_missing()

    def model(self, system: str, words: int) -> str:
        """The text that SPIN reads."""
        return to_promela(load(system), words)

    def prepare(self, system: str, words: int, directory: Path, known: int | None) -> float:
        """Write the model and compile its verifier; if the configurations have not been counted yet, run it to size its
        table.
        """
        seconds = build_spin(self.model(system, words), directory, self.flags)
        found = run_spin(directory, 24, DEPTH).configurations if known is None else known
        self.bits[directory] = max(16, math.ceil(math.log2(found)))
        return seconds

    def explore(self, system: str, words: int, directory: Path) -> Explored:  # noqa: ARG002 - it is in the model
        """Run the verifier."""
        return run_spin(directory, self.bits[directory], DEPTH)


class TunedSpin(Spin):
    """SPIN on the model written by hand, which takes the number of words as a macro."""

    def model(self, system: str, words: int) -> str:  # noqa: ARG002 - there is one
        """The model for this many words."""
        return f"#define N {words}\n" + (HERE / "arc_eager_tuned.pml").read_text(encoding="utf-8")


@dataclass
class Tlc(Contestant):
    """TLC on the exported model; what it takes for a sentence without words is its start-up, and does not count."""

    models: dict[Path, TlaModel] = field(default_factory=dict)

    def missing(self) -> str | None:
        """TLC is a Java program."""
        return tlc_missing()

    @cached_property
    def start_up(self) -> float:
        """CPU seconds for a model with one state: the median of three."""
        with tempfile.TemporaryDirectory() as directory:
            model = to_tla(load(ARC_EAGER), 0)
            return median(run_tlc(model, Path(directory)).seconds for _ in range(3))

    def prepare(self, system: str, words: int, directory: Path, known: int | None) -> float:  # noqa: ARG002 - unknown
        """Make the model; TLC compiles nothing."""
        self.models[directory] = to_tla(load(system), words)
        return 0.0

    def explore(self, system: str, words: int, directory: Path) -> Explored:  # noqa: ARG002 - it is in the model
        """Run it and take the start-up off."""
        found = run_tlc(self.models[directory], directory)
        return Explored(found.configurations, found.transitions, max(0.0, found.seconds - self.start_up), self.start_up)


def contestants() -> list[Contestant]:
    """Those who search, ours first."""
    return [
        Script("ours", "arcproof"),
        Script("ours-full", "arcproof, also outputs and derivations", module="ours", more=("--outputs",)),
        Typed("typed", "arcproof explore, whole process"),
        Spin("spin", "SPIN, exported model"),
        TunedSpin("spin-tuned", "SPIN, model tuned by hand", {ARC_EAGER: 20}, TUNED_FLAGS),
        Tlc("tlc", "TLC, exported model", {ARC_EAGER: 8, "swap": 6, "list-nonprojective": 6}),
        Script("plain_python", "Python, written by hand", {ARC_EAGER: 9}),
    ]


def crews() -> list[Contestant]:
    """One worker and two, counting alone and with outputs."""
    kinds = {"counting": (), "outputs": ("--outputs",)}
    return [
        Script(f"{kind}-{jobs}", f"{kind}, {jobs}", module="ours", more=("--jobs", str(jobs), *more))
        for kind, more in kinds.items()
        for jobs in (1, 2)
    ]
