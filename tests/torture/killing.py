"""Every command killed at a random moment, by each signal; run again, it must print and write what it does undisturbed.

What is asked of a command that gets SIGINT or SIGTERM: it ends soon, without a traceback, with exit code 3 or, if it
was done, its own, and leaves no process and no file behind but what it was to write.  SIGTERM may also end it at once.
"""

import shutil
import signal
import time
from itertools import count
from pathlib import Path
from random import Random

from tests.torture.bases import ROOT
from tests.torture.children import Ended, files_of, run, surroundings
from tests.torture.commands import COMMANDS, Command, Reference, difference, forget, reference, shuffled, workplace
from tests.torture.table import Row

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
SOON = 5.0
"""Seconds from the signal to the end, on a machine that does other things, too."""


def references(folder: Path, kept: Path, cache: Path, names: tuple[str, ...] = ()) -> dict[Command, Reference]:
    """What each command does undisturbed; with a cache that is new the second run counts, for the first compiles and
    fills it.
    """
    found = {}
    chosen = [command for command in COMMANDS if not names or command.name in names]
    is_new = not any(cache.iterdir()) if cache.is_dir() else True
    for command in [*(chosen if is_new else ()), *chosen]:
        found[command] = reference(command, folder / "reference", kept, cache)
    return found


def torture(
    expected: dict[Command, Reference], folder: Path, kept: Path, cache: Path, seconds: float, seed: int
) -> list[Row]:
    """A row for each signal; command after command until the time is over."""
    rows = {number: Row("killing", f"{number.name} at a random moment, then again") for number in SIGNALS}
    draw, end = Random(f"{seed}/killing"), time.monotonic() + seconds
    for turn in count():
        if time.monotonic() > end:
            break
        for command, known in shuffled(expected, seed, f"killing {turn}"):
            number = draw.choice(SIGNALS)
            row = rows[number]
            began = time.monotonic()
            _one(command, known, number, draw, folder / "killed", kept, cache, row)
            row.tried, row.seconds = row.tried + 1, row.seconds + time.monotonic() - began
            if time.monotonic() > end:
                break
    return list(rows.values())


def _one(
    command: Command,
    known: Reference,
    number: signal.Signals,
    draw: Random,
    folder: Path,
    kept: Path,
    cache: Path,
    row: Row,
) -> None:
    place = workplace(folder, kept)
    forget(cache)
    moment = draw.random() * known.seconds * 1.05
    shown = f"{' '.join(command.arguments)}  # {number.name} after {moment:.3f} s"
    first = run(command.arguments, place, surroundings(cache), kill=(number, moment))
    problem = wrong_end(first, known, number)
    if problem:
        row.fail(f"{command.name}: {problem}", f"{shown}\n\n{first.err[-3000:]}", shown.encode())
    extra = sorted(files_of(place).keys() - known.files.keys())
    if extra and number != signal.SIGKILL:
        row.fail(f"{command.name}: leaves {_general(extra[0])}", shown, shown.encode())
    second = run(command.arguments, place, surroundings(cache))
    if number == signal.SIGKILL:
        for name in extra:
            (place / name).unlink(missing_ok=True)
    problem = difference(known, second, place)
    if problem:
        row.fail(
            f"{command.name}: after {number.name} the second run: {problem}",
            f"{shown}\n\n{second.err[-3000:]}",
            shown.encode(),
        )
    if extra and number == signal.SIGKILL:
        row.note = f"SIGKILL leaves files such as {_general(extra[0])}"
    shutil.rmtree(place)


def _general(name: str) -> str:
    """A name without what is drawn at random in it."""
    import re

    return re.sub(r"tmp\w+|\d{3,}", "…", name)


def is_start_up(ended: Ended) -> bool:
    """Whether Python itself was interrupted, or the package while Python was looking for its entry point, where it must
    not change what a signal does: it may be imported by another program.
    """
    ours = {line.partition('"')[0] for line in ended.err.split(f'File "{ROOT}/arcproof/')[1:]}
    return not ours or (ours == {"__init__.py"} and "_get_module_details" in ended.err)


def wrong_end(ended: Ended, known: Reference, number: signal.Signals) -> str:
    """What is wrong with the way in which a command ended that got a signal."""
    if number == signal.SIGKILL:
        return "" if ended.code in (-signal.SIGKILL, known.code) else f"exit code {ended.code}"
    if "Traceback (most recent call last)" in ended.err + ended.out:
        return "" if is_start_up(ended) else f"traceback after {number.name}"
    allowed = {3, known.code, -number} | ({128 + signal.SIGTERM} if number == signal.SIGTERM else set())
    if ended.signalled is not None and ended.code not in allowed:
        return f"exit code {ended.code} after {number.name}"
    if ended.signalled is not None and ended.signalled > SOON:
        return f"goes on for more than {SOON:.0f} s after {number.name}"
    if ended.left:
        return f"processes stay behind after {number.name}"
    return ""
