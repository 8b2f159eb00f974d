"""The benchmark of the prover: CPU seconds of a search, of checks, of giving up, and what a second process gains.

    python -m benchmarks.proofs                 everything, three times: PROOFS.md
    python -m benchmarks.proofs --times 1 --only check

Each command runs in a process of its own, without kept proofs and with one job.  What is measured is the CPU time
(user and system) of it and of the processes it starts; for two jobs, the time that passes.  The median of all
repetitions is reported; what takes about a minute is done once.
Everything is loaded once before anything is measured.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from arcproof.transitions.library import system_names
from benchmarks.conditions import load_average, machine
from benchmarks.results import item

HERE: Final = Path(__file__).resolve().parent
SETTINGS: Final = {"PYTHONHASHSEED": "0", "ARCPROOF_STORE": "off"}
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "search": ("arc-eager", "--no-cache"),
    "check": ("arc-eager", "--check"),
    "library": (*system_names(), "--check"),
    "giving up": (str(HERE / "wrong_when_deep.tsys"), "--no-cache"),
}
"""What `arcproof prove` is asked."""
ONCE: Final = ("library", "giving up")
TITLES: Final[Mapping[str, str]] = {
    "search": "every claim of arc-eager, searched",
    "check": "every claim of arc-eager, from its certificates",
    "library": "every claim of every built-in figure, from the certificates",
    "giving up": "completeness by an oracle that goes wrong with ten words and more",
}
SIDE_BY_SIDE: Final = ("arc-eager", "--no-cache")


@dataclass(frozen=True)
class Used:
    """What a command took, and its exit code."""

    cpu: float
    elapsed: float
    code: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=[*COMMANDS, "jobs"], default=[*COMMANDS, "jobs"])
    parser.add_argument("--beside", default="nothing that we know of", help="what else runs on the machine")
    parser.add_argument("--output", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    prove("arc-standard", "--claim", "length", "--check")
    load = load_average()
    used = {
        name: [prove(*COMMANDS[name]) for _ in range(1 if name in ONCE else options.times)]
        for name in COMMANDS
        if name in options.only
    }
    jobs: list[tuple[Used, Used]] = []
    if "jobs" in options.only:
        jobs = [(prove(*SIDE_BY_SIDE), prove(*SIDE_BY_SIDE, jobs=2)) for _ in range(options.times)]
    facts = [
        *machine(),
        f"Load average before: {load:.1f}, after: {load_average():.1f}",
        f"At the same time ran {options.beside}",
    ]
    (options.output / "PROOFS.md").write_text(to_markdown(used, jobs, facts), encoding="utf-8")
    print(f"{options.output / 'PROOFS.md'} written")
    return 0


def prove(*arguments: str, jobs: int = 1) -> Used:
    """Run `arcproof prove`; what it prints goes to the error output."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "arcproof", "prove", *arguments, "--jobs", str(jobs)]
    done = subprocess.run(command, stdout=sys.stderr, check=False, env={**os.environ, **SETTINGS})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Used(cpu, time.perf_counter() - began, done.returncode)


ENDED: Final = {0: "all proved", 1: "one refuted", 3: "one open"}


def to_markdown(used: Mapping[str, Sequence[Used]], jobs: Sequence[tuple[Used, Used]], facts: Sequence[str]) -> str:
    """The results of one run."""
    lines = [
        "# Benchmark of the prover",
        "",
        "Written by `make bench-prove`.",
        "CPU seconds with one job; each row has the median of its runs.",
        "",
    ]
    lines += [line for fact in facts for line in item(fact)]
    lines += ["", "| | CPU seconds | from | to | runs | |", "|---|--:|--:|--:|--:|---|"]
    for name, runs in used.items():
        seconds = [run.cpu for run in runs]
        ends = ", ".join(sorted({ENDED.get(run.code, f"exit code {run.code}") for run in runs}))
        numbers = f"{median(seconds):.1f} | {min(seconds):.1f} | {max(seconds):.1f} | {len(seconds)}"
        lines.append(f"| {TITLES[name]} | {numbers} | {ends} |")
    if jobs:
        ratio = median(one.elapsed / two.elapsed for one, two in jobs)
        one, two = (median(pair[k].elapsed for pair in jobs) for k in (0, 1))
        shown = f"{ratio:.2f} times as fast as with one job ({two:.1f} and {one:.1f} seconds of wall-clock time)"
        lines += ["", "With `--jobs 2`, the search for proofs of all claims of arc-eager is", f"{shown}."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
