"""`--memory` and `--timeout` as an observer sees them: resident memory of all processes together, and the wall clock.

Memory: a command may take `--memory` and a fifth more, besides what its processes need for themselves, which is what
the same command takes for sentences of two words, for each process that it starts.  Time: it ends within `ALLOWANCE`
and a fifth of the time after it is over; start-up is not counted in `--timeout`. Predictions: what an exploration says
it took against what it took, and what was said of the next level against what that came to.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.torture.bases import ROOT
from tests.torture.children import LONGEST, Ended, run, surroundings
from tests.torture.table import Row

TOLERANCE = 0.2
ALLOWANCE = 4.0
"""Seconds for start-up and for saying what is known, on a machine that does other things too."""
ROOM = 24 * 2**20
"""Bytes by which a process grows that asks for nothing large: native code that is loaded, a page that is made."""
MEMORY_CASES = (
    (("explore", "swap", "--words", "8"), "64M"),
    (("explore", "two-planar", "--words", "6"), "64M"),
    (("explore", "swap", "--words", "6", "--engine", "interpreter"), "64M"),
    (("compare", "swap", "list-nonprojective", "--words", "7"), "64M"),
    (("verify", "swap", "--words", "7", "--samples", "0", "--proofs", "none", "--timeout", "40"), "64M"),
    (("reach", "swap", "|σ| > 30", "--words", "8", "--timeout", "40"), "64M"),
    (("mutate", "swap", "--words", "5", "--timeout", "30"), "64M"),
    (("why", "swap", "SWAP", "--words", "5"), "64M"),
    (("repair", "broken.tsys", "--words", "6", "--samples", "0", "--timeout", "30"), "64M"),
    (("report", "swap", "--words", "6", "--samples", "0", "--proofs", "none", "-o", "-"), "64M"),
    (("train", "arc-eager", "artificial-train", "-o", "some.model"), "16M"),
)
"""Work that needs more than it is given; what is left out for that is said, and the command ends by itself."""
TIMEOUT_CASES = (
    ("verify", "swap", "--words", "8"),
    ("prove", "swap", "--no-cache"),
    ("mutate", "swap", "--words", "6"),
    ("repair", "broken.tsys", "--words", "9", "--samples", "5000", "--time", "100"),
    ("reach", "swap", "|σ| > 30", "--words", "10"),
    ("oracle", "swap", "--derive", "--words", "6"),
    ("experiment", "arc-eager", "swap", "covington", "arc-eager:svc", "--treebank", "artificial", "--output", "cells"),
    ("conform", "arc-eager", "tests.torture.slow_driver:Slow", "--call-timeout", "5", "--words", "8"),
    ("explore", "swap", "--words", "12"),
    ("compare", "swap", "list-nonprojective", "--words", "10"),
    ("why", "swap", "SWAP", "--words", "9"),
    ("report", "swap", "--words", "9", "--proofs", "none", "-o", "-"),
    ("coverage", "swap", "covington", "--treebank", *["train.conllu"] * 500),
    ("check-proof", "objects", "--jobs", "1"),
)
SECONDS = 4.0


def torture(folder: Path, kept: Path, cache: Path) -> list[Row]:
    """A row for each kind of limit."""
    from tests.torture.commands import workplace

    place = workplace(folder / "limited", kept)
    return [memory(place, cache), timeouts(place, cache), predictions(cache)]


def unaided(cache: Path) -> dict[str, str]:
    """Nothing is recalled: all the work is done."""
    return {**surroundings(cache), "ARCPROOF_STORE": "off"}


def memory(place: Path, cache: Path, cases: tuple[tuple[tuple[str, ...], str], ...] = MEMORY_CASES) -> Row:
    """Every command that takes --memory, with less than it needs."""
    row, began, worst = Row("limits", "--memory against resident memory"), time.monotonic(), 0.0
    for arguments, size in cases:
        small = run(with_few_words(arguments), place, unaided(cache))
        ended = run((*arguments, "--memory", size), place, unaided(cache), longest=LONGEST)
        allowed = int(size[:-1]) * 2**20
        taken = int(ended.peak - small.peak * max(1.0, ended.processes / max(1, small.processes)))
        worst = max(worst, taken / allowed)
        row.tried += 1
        problem = overrun(taken, allowed) or ended.complaint or ("processes stay behind" if ended.left else "")
        if not problem and 2 in (small.code, ended.code):
            problem = "it is refused, so nothing is measured"
        if problem:
            row.fail(f"{arguments[0]}: {problem}", _shown(arguments, size, small, ended))
    row.seconds, row.note = time.monotonic() - began, f"at most {worst:.2f} of what was allowed"
    return row


def overrun(taken: int, allowed: int) -> str:
    """What is said of a command that took more than it was allowed."""
    if taken > allowed * (1 + TOLERANCE) + ROOM:
        return f"takes {taken / 2**20:.0f} MB with --memory {allowed / 2**20:.0f}M"
    return ""


def with_few_words(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The same command for sentences of two words."""
    if "--words" not in arguments:
        return arguments
    place = arguments.index("--words") + 1
    return (*arguments[:place], "2", *arguments[place + 1 :])


def _shown(arguments: tuple[str, ...], size: str, small: Ended, ended: Ended) -> str:
    return (
        f"{' '.join(arguments)} --memory {size}: {ended.peak / 2**20:.0f} MB, {small.peak / 2**20:.0f} MB with two words; "
        f"exit code {ended.code}, {ended.seconds:.1f} s\n\n{ended.out[-1500:]}\n{ended.err[-1500:]}"
    )


def timeouts(
    place: Path, cache: Path, cases: tuple[tuple[str, ...], ...] = TIMEOUT_CASES, seconds: float = SECONDS
) -> Row:
    """Every command that takes --timeout, with work for longer."""
    row, began, worst = Row("limits", "--timeout against the clock"), time.monotonic(), 0.0
    for arguments in cases:
        ended = run((*arguments, "--timeout", f"{seconds:g}"), place, unaided(cache), longest=seconds + 60)
        row.tried += 1
        over = ended.seconds - seconds
        worst = max(worst, over)
        problem = ended.complaint or ("processes stay behind" if ended.left else "")
        if not problem and over > ALLOWANCE + TOLERANCE * seconds:
            problem = f"ends {over:.0f} s late"
        if not problem and ended.seconds >= seconds and ended.code not in (1, 3):
            problem = f"exit code {ended.code} when the time is over"
        if problem:
            row.fail(
                f"{arguments[0]}: {problem}",
                f"{' '.join(arguments)}: {ended.seconds:.1f} s\n\n{ended.out[-1500:]}\n{ended.err[-1500:]}",
            )
    row.seconds, row.note = time.monotonic() - began, f"at most {worst:.1f} s over, with start-up"
    return row


# --- predictions -----------------------------------------------------------------------------------------------------

SYSTEMS = (
    "arc-eager",
    "arc-standard",
    "swap",
    "list-nonprojective",
    "two-planar",
    "covington",
    "attardi",
    "nl-covington",
)
SMALLEST = 30_000
"""Levels with fewer configurations take less than what else moves in a process."""
LARGEST = 3_000_000
MEASURED = """
import json, sys
from pathlib import Path
from arcproof.properties.engines.engine import engine_for, predicted_size
from arcproof.transitions.machine.packed.explorer import predicted_bytes
from arcproof.transitions.system import load

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":"))

name, smallest, largest = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
engine = engine_for(load(name), "compiled", 1)
for words in range(1, 12):
    size = predicted_size(engine._sizes, words)
    if size is not None and size > largest:
        break
    each = predicted_bytes(engine.programs, words, engine._branching, True)
    Path("/proc/self/clear_refs").write_text("5")
    before = status("VmRSS")
    found = engine._explore(words, None, True, False)
    if found is None:
        break
    used = status("VmHWM") - before
    if size is not None and found.configurations >= smallest:
        print(json.dumps([words, size, found.configurations, size * each, found.bytes, used]))
    del found
"""


def predictions(cache: Path, systems: tuple[str, ...] = SYSTEMS) -> Row:
    """For each level: was it as large as predicted, did it take what was reckoned with?"""
    row, began = Row("limits", "memory predicted against memory taken"), time.monotonic()
    if not os.access("/proc/self/clear_refs", os.W_OK):
        row.skipped = "no /proc/self/clear_refs"
        return row
    low, high = 1.0, 1.0
    for name in systems:
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, name, str(SMALLEST), str(LARGEST)],
            cwd=ROOT, env=unaided(cache), capture_output=True, text=True, check=True,
        )  # fmt: skip
        for line in done.stdout.splitlines():
            words, size, configurations, predicted, reckoned, used = json.loads(line)
            row.tried += 1
            shown = (
                f"{name}, {words} words: {size} configurations predicted, {configurations} found; {predicted / 2**20:.1f} MB predicted, "
                f"{reckoned / 2**20:.1f} MB reckoned with, {used / 2**20:.1f} MB taken"
            )
            low, high = min(low, predicted / max(used, 1)), max(high, predicted / max(used, 1))
            if used > (1 + TOLERANCE) * reckoned + ROOM:
                row.fail(f"{name}: more is taken than was reckoned with", shown)
            if used > (1 + TOLERANCE) * predicted + ROOM:
                row.fail(f"{name}: more is taken than was predicted", shown)
            if not 1 - TOLERANCE <= size / configurations <= 1 + TOLERANCE:
                row.fail(f"{name}: the size of a level is predicted wrongly", shown)
    row.seconds = time.monotonic() - began
    row.note = f"predicted {low:.2f} to {high:.2f} times what was taken"
    return row
