"""Who takes part in the benchmark, and how each is run: every configuration visited once, by one worker."""

import json
import math
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final

from arcproof.transitions.export.promela import to_promela
from arcproof.transitions.export.tla import to_tla
from arcproof.transitions.system import load

from benchmarks.checkers import build_spin, run, run_spin, run_tlc, spin_missing, tlc_missing
from benchmarks.measure import Explored

HERE: Final = Path(__file__).resolve().parent
ARC_EAGER: Final = "arc-eager"
DEPTH: Final = 100_000
SPIN_FLAGS: Final = ("-O3", "-DMEMLIM=12000", "-DNOFAIR")
TUNED_FLAGS: Final = (*SPIN_FLAGS, "-march=native", "-DNOBOUNDCHECK", "-DNOVSZ")
"""All exact; measured to be no faster: -DCOLLAPSE, -DSFH, -DBFS, a hash table twice as large."""


@dataclass
class Contestant(ABC):
    """One explorer; `only` is the single system it knows, if it does not know them all."""

    key: str
    title: str
    most_words: int = 20
    only: str | None = None

    def missing(self) -> str | None:
        """Why it cannot be run here."""
        return None

    def takes(self, system: str, words: int) -> bool:
        """Whether it is asked for this."""
        return words <= self.most_words and self.only in (None, system)

    def prepare(self, system: str, words: int, directory: Path) -> float:  # noqa: ARG002 - most need nothing
        """Whatever is done once before the search: the CPU seconds it takes."""
        return 0.0

    @abstractmethod
    def explore(self, system: str, words: int, directory: Path) -> Explored:
        """Search once."""


@dataclass
class Script(Contestant):
    """A Python module that prints what it counted and used."""

    module: str = ""
    more: tuple[str, ...] = ()

    def explore(self, system: str, words: int, directory: Path) -> Explored:
        """Run it in a process of its own."""
        arguments = [*([] if self.only else [system]), str(words), *self.more]
        done = run(
            [sys.executable, "-m", f"benchmarks.{self.module or self.key}", *arguments],
            directory,
            {"PYTHONPATH": str(HERE.parent), "PYTHONHASHSEED": "0"},
        )
        return Explored(
            **json.loads(done.output.splitlines()[-1])
        )  # a line before it may say that something is compiled


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

    def prepare(self, system: str, words: int, directory: Path) -> float:
        """Write the model and compile its verifier; run it once, unmeasured, to know how large a hash table it wants."""
        seconds = build_spin(self.model(system, words), directory, self.flags)
        found = run_spin(directory, 24, DEPTH).configurations
        self.bits[directory] = max(16, math.ceil(math.log2(found)))
        return seconds

    def explore(self, system: str, words: int, directory: Path) -> Explored:  # noqa: ARG002 - it is in the model
        """Run the verifier."""
        return run_spin(directory, self.bits[directory], DEPTH)


class TunedSpin(Spin):
    """SPIN on the model written by hand, which takes the number of words as a macro."""

    def model(self, system: str, words: int) -> str:  # noqa: ARG002 - there is one
        """The model for so many words."""
        return f"#define N {words}\n" + (HERE / "arc_eager_tuned.pml").read_text(encoding="utf-8")


class Tlc(Contestant):
    """TLC on the exported model; what it takes for a sentence without words is its start-up, and does not count."""

    def missing(self) -> str | None:
        """TLC is a Java program."""
        return tlc_missing()

    @cached_property
    def start_up(self) -> float:
        """CPU seconds for a model with one state: the median of three."""
        import tempfile

        with tempfile.TemporaryDirectory() as directory:
            model = to_tla(load(ARC_EAGER), 0)
            return median(run_tlc(model, Path(directory)).seconds for _ in range(3))

    def explore(self, system: str, words: int, directory: Path) -> Explored:
        """Run it and take the start-up off."""
        found = run_tlc(to_tla(load(system), words), directory)
        return Explored(found.configurations, found.transitions, max(0.0, found.seconds - self.start_up), self.start_up)


def contestants() -> list[Contestant]:
    """All of them, ours first."""
    return [
        Script("ours", "arcproof"),
        Script("ours-full", "arcproof, also outputs and derivations", module="ours", more=("outputs",)),
        Spin("spin", "SPIN, exported model"),
        TunedSpin("spin-tuned", "SPIN, model tuned by hand", only=ARC_EAGER, flags=TUNED_FLAGS),
        Tlc("tlc", "TLC, exported model", 8),
        Script("plain_python", "Python, written by hand", 9, ARC_EAGER),
    ]
