"""Two processes with the same command and one cache, from an empty cache on: both print what one alone prints."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.torture.children import run, surroundings
from tests.torture.commands import Command, Reference, difference, forget, shuffled, workplace
from tests.torture.table import Row


def torture(
    expected: dict[Command, Reference], folder: Path, kept: Path, cache: Path, seconds: float, seed: int
) -> list[Row]:
    """First with a cache that is empty at the start, then with the one that is filled, until the time is over."""
    row = Row("racing", "two at once with one cache")
    began = time.monotonic()
    for place, shared in enumerate((folder / "empty-cache", cache), start=1):
        for command, known in shuffled(expected, seed, str(shared == cache)):
            if time.monotonic() - began > seconds * place / 2:
                break
            forget(shared)
            places = [workplace(folder / f"racer-{k}", kept) for k in range(2)]
            with ThreadPoolExecutor(2) as pool:
                both = list(
                    pool.map(lambda place, c=command, s=shared: run(c.arguments, place, surroundings(s)), places)
                )
            for where, ended in zip(places, both, strict=True):
                problem = difference(known, ended, where)
                if problem:
                    row.fail(
                        f"{command.name}: {problem}", f"{' '.join(command.arguments)}, twice\n\n{ended.err[-3000:]}"
                    )
                shutil.rmtree(where)
            row.tried += 1
    row.seconds = time.monotonic() - began
    shutil.rmtree(folder / "empty-cache", ignore_errors=True)
    return [row]
