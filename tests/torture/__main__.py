"""`python -m tests.torture`: everything within a given time, a table of it, and exit code 1 if anything failed.

--seconds 3600     how long, about; half of it goes to fuzzing
--seed 1           what is drawn at random; the same seed draws the same inputs
--output FOLDER    table.md, findings, what is made on the way; default build/torture
--only PART        fuzzing, killing, surroundings, racing, server, words, limits; may be given several times
--target NAME      only this target of fuzzing; may be given several times
"""

import argparse
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from tests.torture import bases, conditions, fuzzing, hostile_words, killing, limits, racing, serving
from tests.torture.table import Row, to_markdown, write_findings

SHARES = {
    "fuzzing": 0.5,
    "killing": 0.2,
    "surroundings": 0.12,
    "racing": 0.05,
    "server": 0.03,
    "words": 0.1,
    "limits": 0.0,
}
"""Which part of the time each part gets; limits are measured once, whatever that takes (three minutes)."""
LIMITS = 180.0


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    given = parsed(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    output = given.output.resolve()
    shutil.rmtree(output / "findings", ignore_errors=True)
    shutil.rmtree(output / "work", ignore_errors=True)
    began = time.monotonic()
    rows: list[Row] = []
    written: list[Path] = []
    for some in tortured(output, given.seconds, given.seed, given.only or list(SHARES), given.target):
        rows += some
        written = write_findings(rows, output / "findings")
        text = f"Seed {given.seed}, {time.monotonic() - began:.0f} s by the clock.\n\n{to_markdown(rows)}"
        (output / "table.md").write_text(text, encoding="utf-8")
    shutil.rmtree(output / "work", ignore_errors=True)
    print((output / "table.md").read_text(encoding="utf-8"))
    for row in rows:
        for found in row.findings:
            print(f"{row.part}: {row.what}: {found.what}".encode("ascii", "backslashreplace").decode())
    if written:
        print(f"{len(written)} findings in {output / 'findings'}")
    return 1 if any(row.failures for row in rows) else 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m tests.torture")
    reader.add_argument("--seconds", type=float, default=3600)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--output", type=Path, default=Path("build/torture"))
    reader.add_argument("--only", action="append", choices=list(SHARES))
    reader.add_argument("--target", action="append", default=[])
    return reader.parse_args(arguments)


def tortured(
    output: Path, seconds: float, seed: int, parts: Sequence[str], targets: Sequence[str]
) -> Iterator[list[Row]]:
    """The rows of each part, one part after the other."""
    kept = bases.made(output / "bases")
    work, cache = output / "work", output / "cache"
    work.mkdir(parents=True, exist_ok=True)
    cache.mkdir(mode=0o700, exist_ok=True)
    left = seconds - (LIMITS if "limits" in parts and len(parts) > 1 else 0)
    whole = sum(SHARES[part] for part in parts) or 1.0
    share = {part: max(left, 60) * SHARES[part] / whole for part in parts}
    expected = killing.references(work, kept, cache) if {"killing", "surroundings", "racing"} & set(parts) else {}
    words = tuple(Random(f"{seed}/words").sample(hostile_words.WORDS, len(hostile_words.WORDS)))
    each: dict[str, Callable[[float], list[Row]]] = {
        "fuzzing": lambda time: fuzzing.run(output, time, seed, targets),
        "killing": lambda time: killing.torture(expected, work, kept, cache, time, seed),
        "surroundings": lambda time: conditions.torture(expected, work, kept, cache, time, seed),
        "racing": lambda time: racing.torture(expected, work, kept, cache, time, seed),
        "server": lambda time: serving.torture(cache, time, seed),
        "words": lambda time: hostile_words.torture(work / "hostile", cache, time, words),
        "limits": lambda _: limits.torture(work, kept, cache),
    }
    for part in SHARES:
        if part in parts:
            print(f"{part}: {share[part]:.0f} s", file=sys.stderr, flush=True)
            yield each[part](share[part])


if __name__ == "__main__":
    sys.exit(main())
