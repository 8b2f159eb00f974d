"""How many mutants are judged per second: `arcproof mutate`, the whole process, one worker."""

import json
import tempfile
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

from arcproof.process.progress import Say, silent
from benchmarks.checkers import Finished
from benchmarks.contestants import run_python
from benchmarks.race import Disagreement

SYSTEMS: Final = ("arc-eager", "swap", "list-nonprojective")
WORDS: Final = 5


@dataclass(frozen=True)
class Judged:
    """The mutants of a system: how many fall in each bucket and in all, and what it took to judge them."""

    system: str
    counts: dict[str, int] = field(default_factory=dict)
    runs: list[Finished] = field(default_factory=list)

    def add(self, done: Finished, counts: dict[str, int]) -> None:
        """Keep a run, if its buckets are those of the runs before."""
        if self.runs and counts != self.counts:
            raise Disagreement(f"the mutants of {self.system} were {self.counts}, and now {counts}")
        self.counts.update(counts)
        self.runs.append(done)


def judged(times: int, words: int = WORDS, say: Say = silent) -> list[Judged]:
    """The systems take turns, after one unmeasured run of each."""
    found = [Judged(system) for system in SYSTEMS]
    with tempfile.TemporaryDirectory() as folder:
        for system in SYSTEMS:
            _mutate(system, words, Path(folder))
        for turn, each in product(range(times), found):
            done, counts = _mutate(each.system, words, Path(folder))
            each.add(done, counts)
            say(f"mutate {each.system} --words {words} {turn + 1}/{times}: {done.seconds:.2f} s")
    return found


def _mutate(system: str, words: int, directory: Path) -> tuple[Finished, dict[str, int]]:
    arguments = ["mutate", system, "--words", str(words), "--jobs", "1", "--json", "-"]
    done = run_python("arcproof", arguments, directory)
    counts: dict[str, int] = json.loads(done.output)["systems"][0]["counts"]
    return done, counts
