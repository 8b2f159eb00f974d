"""Kill commands at random moments and start them again: does every rerun end with the same report, and what is left
behind?

    python -m tools.kill_runs [--kills N] [--seed N] [--only COMMAND]

Each command has a store of its own.  It is started, killed by SIGKILL after a random time, and started again with what
it has stored, until it comes to an end before it is killed; then its report is compared with that of a run that nothing
interrupted, but for times, and the next round begins with an empty store.  Printed is a table: kills, rounds, reports
that differ, how much of the work was done again (CPU seconds beyond those of a run that finds everything in the store,
in percent), processes and files that were left behind besides the store.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
MARK: Final = "ARCPROOF_KILLED_RUN"
SECONDS_TO_END: Final = 5.0
FIGURE: Final = """system leaky
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β       add j -l-> i     if i != 0
  RIGHT-ARC(l)   σ|i, j|β  =>  σ|i|j, β     add i -l-> j
  REDUCE         σ|i, β    =>  σ, β                          if head(i)
  SHIFT          σ, i|β    =>  σ|i, β

  default SHIFT

  oracle static
    LEFT-ARC(l)    σ|i, j|β   if gold j -l-> i
    RIGHT-ARC(l)   σ|i, j|β   if gold i -l-> j
    REDUCE         σ|i, j|β   if head(i), exists k in σ: gold k -> j or gold j -> k
    SHIFT

  claims
    sound projective forests
    terminates
"""
OUT: Final = "out.json"
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "verify": ("verify", "arc-eager", "leaky.tsys", "--words", "6", "--json", OUT),
    "verify, deepening": ("verify", "arc-standard", "--time", "0", "--json", OUT),
    "mutate": ("mutate", "arc-eager", "--words", "4", "--jobs", "1", "--json", OUT),
    "repair": ("repair", "leaky.tsys", "--words", "5", "--edits", "1", "--time", "1000", "--json", OUT),
    "explore": ("explore", "swap", "--words", "7", "--json"),
    "coverage": ("coverage", "arc-eager", "swap", "arc-standard", "--treebank", "artificial-train", "artificial-test", "--json"),
    "experiment": ("experiment", "arc-eager", "arc-standard", "arc-hybrid", "swap", "--treebank", "artificial", "-o", "cells", "--json"),
    "prove": ("prove", "arc-standard", "--jobs", "1", "--json", OUT),
    "report": ("report", "arc-standard", "arc-hybrid", "--mutate", "3", "--jobs", "1", "-o", "page.html"),
}  # fmt: skip
"""The commands that resume."""
FORKING: Final = ("prove",)
"""The CPU time of processes that are killed with the one that forked them is not seen."""
TIMES: Final = ("seconds", "kept", "times")
"""What depends on the time of the work."""


@dataclass(frozen=True)
class Finished:
    """A run that finished or was killed."""

    code: int
    report: Any
    cpu: float
    seconds: float
    orphans: int = 0


@dataclass
class Tally:
    """What happened to one command."""

    kills: int = 0
    rounds: int = 0
    different: int = 0
    again: list[float] = field(default_factory=list)
    orphans: int = 0
    left: set[str] = field(default_factory=set)


class Place:
    """A folder to work in, a cache and a folder for temporary files."""

    def __init__(self, root: Path, warm: Path | None) -> None:
        """With the compiled code of another place, since compilation is not what is tested here."""
        self.root = root
        if warm is not None:
            shutil.rmtree(root, ignore_errors=True)
        for name in ("work", "cache", "tmp"):
            (root / name).mkdir(parents=True, exist_ok=True)
        (root / "work" / "leaky.tsys").write_text(FIGURE, encoding="utf-8")
        for name in ("machine", "grammars") if warm is not None else ():
            assert warm is not None
            if (warm / "cache" / name).is_dir():
                shutil.copytree(warm / "cache" / name, root / "cache" / name)

    def run(self, arguments: tuple[str, ...], kill_after: float | None = None) -> Finished:
        """Run a command, and kill it after this many seconds."""
        mark = f"{self.root.name}-{time.monotonic_ns()}"
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ARCPROOF_")},
            "ARCPROOF_CACHE": str(self.root / "cache"),
            "TMPDIR": str(self.root / "tmp"),
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
            MARK: mark,
        }
        began = time.monotonic()
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "arcproof", *arguments],
                cwd=self.root / "work", env=environment, stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            )  # fmt: skip
            status, cpu = _waited(process.pid, kill_after)
            process.returncode = status
            seconds = time.monotonic() - began
            out.seek(0)
            text = out.read().decode()
        killed = os.WIFSIGNALED(status)
        orphans = _left_running(mark) if killed else 0
        return Finished(-1 if killed else os.waitstatus_to_exitcode(status), self._report(text), cpu, seconds, orphans)

    def _report(self, text: str) -> Any:
        """The document, from where it was written or printed; of a page its text without times."""
        page, file = self.root / "work" / "page.html", self.root / "work" / OUT
        if page.is_file():
            import re

            return re.sub(r"[0-9.]+ s\b", "", page.read_text(encoding="utf-8"))
        try:
            document = json.loads(file.read_text(encoding="utf-8") if file.is_file() else text)
        except ValueError:
            return text
        if isinstance(document, dict):
            for system in document.get("systems", ()):
                system.pop("repairs", None)  # `verify` searches them for a limited time; `repair` is given enough
        return without_times(document)

    def left(self) -> set[str]:
        """What exists apart from the store, other caches, the figure and the outputs."""
        kept = ("cache/runs/", "cache/machine/", "cache/grammars/", "cache/proofs/", "work/leaky.tsys", "work/cells/")
        paths = (path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())
        known = ("work/page.html", f"work/{OUT}")
        return {path for path in paths if path not in known and (not path.startswith(kept) or path.endswith(".part"))}


def without_times(value: Any) -> Any:
    """A document without times."""
    match value:
        case dict():
            return {k: without_times(v) for k, v in value.items() if not any(part in k for part in TIMES)}
        case list():
            return [without_times(one) for one in value]
        case _:
            return value


def _waited(process: int, kill_after: float | None) -> tuple[int, float]:
    """The status of a process, and its CPU seconds with those of the processes it has waited for."""
    until = None if kill_after is None else time.monotonic() + kill_after
    while True:
        found, status, used = os.wait4(process, 0 if until is None else os.WNOHANG)
        if found:
            return status, used.ru_utime + used.ru_stime
        if until is not None and time.monotonic() >= until:
            os.kill(process, signal.SIGKILL)
            until = None
        time.sleep(0.005)


def _left_running(mark: str) -> int:
    """How many processes of a run still exist some seconds after it was killed; they are ended."""
    until = time.monotonic() + SECONDS_TO_END
    while (left := _marked(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    for process in left:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return len(left)


def _marked(mark: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={mark}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def tried(name: str, kills: int, folder: Path, draw: random.Random) -> Tally:
    """Kill a command this many times."""
    arguments, tally = COMMANDS[name], Tally()
    warm = Place(folder / "warm", None)
    warm.run(arguments)
    alone = Place(folder / "alone", warm.root)
    whole = alone.run(arguments)
    stored = alone.run(arguments)
    if (stored.code, stored.report) != (whole.code, whole.report):
        print(f"{name}: a run from the store alone differs", file=sys.stderr)
        tally.different += 1
    work = max(0.01, whole.cpu - stored.cpu)
    while tally.kills < kills:
        place, spent = Place(folder / "trial", warm.root), 0.0
        while True:
            done = place.run(arguments, draw.uniform(0.05, whole.seconds) if tally.kills < kills else None)
            spent += max(0.0, done.cpu - stored.cpu)
            tally.orphans += done.orphans
            if done.code >= 0:
                break
            tally.kills += 1
        tally.rounds += 1
        tally.again.append(100 * (spent - work) / work)
        tally.left |= place.left()
        if (done.code, done.report) != (whole.code, whole.report):
            tally.different += 1
            shutil.copytree(place.root, folder / f"different-{tally.different}", dirs_exist_ok=True)
    return tally


def main() -> int:
    """Print the table; 1 if a report differs or something is left behind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=list(COMMANDS))
    given = parser.parse_args()
    names = given.only or list(COMMANDS)
    draw, failed = random.Random(given.seed), False
    print("| command | kills | rounds | other reports | done again | processes left | files left | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for place, name in enumerate(names):
            began = time.monotonic()
            share = given.kills // len(names) + (place < given.kills % len(names))
            tally = tried(name, share, Path(folder), draw)
            again = sum(tally.again) / max(1, len(tally.again))
            left = ", ".join(sorted(tally.left)) or "0"
            redone = "not measured" if name in FORKING else f"{max(0.0, again):.0f} %"
            row = (name, tally.kills, tally.rounds, tally.different, redone, tally.orphans, left)
            print(f"| {' | '.join(map(str, row))} | {time.monotonic() - began:.0f} |", flush=True)
            failed = failed or bool(tally.different or tally.left or tally.orphans)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
