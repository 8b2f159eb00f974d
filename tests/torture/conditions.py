"""Every command in bad surroundings: no disk, no memory, no home, odd terminals, closed streams, clocks that jump.

Where nothing that matters is missing the report must be the same; otherwise the command says in a line what is missing,
exit code 2 or 3, and afterwards, in good surroundings, prints and writes what it should.
"""

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.torture.bases import ROOT
from tests.torture.children import Ended, run, surroundings, without_times
from tests.torture.commands import Command, Reference, difference, forget, shuffled, workplace
from tests.torture.table import Row

NOBODY = '''"""A user whom the machine does not know."""
import pwd


def _unknown(number):
    raise KeyError(f"getpwuid(): uid not found: {number}")


pwd.getpwuid = _unknown
'''
CLOCKS = '''"""Clocks that jump back and forth by up to an hour, put in place before anything else is imported."""
import random
import time

_draw = random.Random(1)
_true = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
_jump = {name: 0.0 for name in _true}


def _jumping(name):
    def clock():
        if _draw.random() < 0.02:
            _jump[name] = _draw.uniform(-3600, 3600) if name == "time" else _jump[name] + _draw.uniform(0, 3600)
        return _true[name]() + _jump[name]

    return clock


for _name in _true:
    setattr(time, _name, _jumping(_name))
'''


@dataclass(frozen=True)
class Condition:
    """What is different; `same` if the report must not be, and then whether standard output is seen at all."""

    name: str
    changes: dict[str, str | None] = field(default_factory=dict)
    prepare: Callable[[], None] | None = None
    same: bool = True
    unseen: bool = False
    streams: dict[str, Any] = field(default_factory=dict)
    skip: tuple[str, ...] = ()


def limit(what: int, size: int) -> Callable[[], None]:
    """For a process that is about to start."""
    return lambda: resource.setrlimit(what, (size, size))


def closing(*numbers: int) -> Callable[[], None]:
    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


def conditions(folder: Path) -> list[Condition]:
    """All of them; `folder` is for what they need."""
    clocks, nobody = (folder / name for name in ("clocks", "nobody"))
    for place, text in ((clocks, CLOCKS), (nobody, NOBODY)):
        place.mkdir(parents=True, exist_ok=True)
        (place / "sitecustomize.py").write_text(text, encoding="utf-8")
    timed = ("mutate", "repair")
    return [
        Condition(
            "locale C, no UTF-8",
            {"LC_ALL": "C", "LANG": None, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            unseen=True,
        ),
        Condition("no HOME", {"HOME": None, "ARCPROOF_CACHE": None, "XDG_CACHE_HOME": str(folder / "xdg")}),
        Condition("HOME cannot be written", {"HOME": "/proc/1", "ARCPROOF_CACHE": None}),
        Condition(
            "a user without a name and a home", {"HOME": None, "ARCPROOF_CACHE": None, "PYTHONPATH": f"{nobody}:{ROOT}"}
        ),
        Condition("TERM=dumb", {"TERM": "dumb"}),
        Condition("20 columns", {"COLUMNS": "20"}, unseen=True),
        Condition("standard input closed", prepare=closing(0)),
        Condition("standard output closed", prepare=closing(1), unseen=True),
        Condition("standard error closed", prepare=closing(2)),
        Condition("all three closed", prepare=closing(0, 1, 2), unseen=True),
        Condition("standard output on a full device", same=False, streams={"stdout": open("/dev/full", "wb")}),
        Condition("clocks that jump", {"PYTHONPATH": f"{clocks}:{ROOT}"}, same=True, skip=timed),
        Condition("files of at most 2 KB", prepare=limit(resource.RLIMIT_FSIZE, 2048), same=False),
        Condition("200 MB of address space", prepare=limit(resource.RLIMIT_AS, 200 * 2**20), same=False),
        Condition("700 MB of address space", prepare=limit(resource.RLIMIT_AS, 700 * 2**20), same=False),
        Condition("20 open files", prepare=limit(resource.RLIMIT_NOFILE, 20), same=False),
    ]


def torture(
    expected: dict[Command, Reference], folder: Path, kept: Path, cache: Path, seconds: float, seed: int
) -> list[Row]:
    """Every command under every condition, then a small disk; what the time does not allow is left out, and the row
    says so.
    """
    rows, end = [], time.monotonic() + seconds
    every = conditions(folder)
    for place, condition in enumerate(every):
        row = Row("surroundings", condition.name)
        began = time.monotonic()
        share = (end - began) / (len(every) + 1 - place)
        for command, known in shuffled(expected, seed, condition.name):
            if time.monotonic() - began > share:
                row.note = f"{row.tried} of {len(expected)} commands: the time was over"
                break
            if command.name not in condition.skip:
                _one(condition, command, known, folder / "place", kept, cache, row)
        row.seconds = time.monotonic() - began
        rows.append(row)
    rows.append(_small_disk(expected, folder, kept, max(end - time.monotonic(), 1.0), seed))
    return rows


def _one(
    condition: Condition, command: Command, known: Reference, folder: Path, kept: Path, cache: Path, row: Row
) -> None:
    place = workplace(folder, kept)
    forget(cache)
    environment: dict[str, str] = {
        name: value for name, value in {**surroundings(cache), **condition.changes}.items() if value is not None
    }
    first = run(command.arguments, place, environment, condition.prepare, **condition.streams)
    row.tried += 1
    problem = _problem(condition, known, first, place)
    if problem:
        row.fail(f"{command.name}: {problem}", f"{' '.join(command.arguments)}\n\n{first.err[-3000:]}")
    if not condition.same and not problem:
        again = run(command.arguments, place, surroundings(cache))
        problem = difference(known, again, place)
        if problem:
            row.fail(f"{command.name}: afterwards: {problem}", f"{' '.join(command.arguments)}\n\n{again.err[-3000:]}")
    shutil.rmtree(place)


def _problem(condition: Condition, known: Reference, ended: Ended, place: Path) -> str:
    if ended.complaint or ended.left:
        return ended.complaint or "processes stay behind"
    if not condition.same:
        said = ended.code in (0, known.code) or ended.err.strip() or "stderr" in condition.streams
        return "" if said else f"exit code {ended.code} and no message"
    if condition.unseen:
        known = replace(known, out=without_times(ended.out))
    return difference(known, ended, place)


# --- a disk that is full ---------------------------------------------------------------------------------------------


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[str]:
    """A file system in memory of this size, mounted there; the reason if that cannot be done."""
    place.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        yield done.stderr.strip() or "mount failed"
        return
    try:
        yield ""
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def _small_disk(expected: dict[Command, Reference], folder: Path, kept: Path, seconds: float, seed: int) -> Row:
    """The cache and the temporary files on a disk that is full, the outputs on one that is not."""
    row = Row("surroundings", "cache and temporary files on a full disk")
    began = time.monotonic()
    if shutil.which("mount") is None or os.getuid() != 0:
        row.skipped = "mounting a small file system is for root"
        return row
    disk = folder / "disk"
    with small_disk(disk, "64k") as refused:
        if refused:
            row.skipped = refused
            return row
        (disk / "full").write_bytes(b"x" * 50_000)
        for command, known in shuffled(expected, seed, "full disk"):
            if time.monotonic() - began > seconds:
                row.note = f"{row.tried} of {len(expected)} commands: the time was over"
                break
            place = workplace(folder / "place", kept)
            ended = run(command.arguments, place, {**surroundings(disk), "TMPDIR": str(disk)})
            row.tried += 1
            problem = ended.complaint or ("processes stay behind" if ended.left else "")
            if not problem and ended.code not in (known.code, 2, 3):
                problem = f"exit code {ended.code}"
            if not problem and ended.code == known.code:
                problem = difference(known, ended, place)
            if problem:
                row.fail(f"{command.name}: {problem}", f"{' '.join(command.arguments)}\n\n{ended.err[-3000:]}")
            shutil.rmtree(place)
    row.seconds = time.monotonic() - began
    return row
