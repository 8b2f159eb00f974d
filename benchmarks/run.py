"""The benchmark: every contestant on the same systems in one run, the configurations counted and compared each time.

    python -m benchmarks.run                            everything, three times: RESULTS.md and results.svg
    python -m benchmarks.run --words 8 --times 1        one size, once
    python -m benchmarks.run --only ours spin --systems arc-eager

What is measured is the CPU time (user and system) of the search alone, each search in a process of its own, the contestants taking turns; the
median of all repetitions is reported.  A contestant that counts other configurations or transitions than the others fails the benchmark.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.contestants import contestants
from benchmarks.race import Disagreement, Task, race
from benchmarks.results import write

HERE: Final = Path(__file__).resolve().parent
SIZES: Final[Mapping[str, Sequence[int]]] = {
    "arc-eager": (6, 7, 8, 9, 10),
    "swap": (4, 5, 6, 7),
    "list-nonprojective": (4, 5, 6, 7),
    "choi-palmer": (4, 5, 6, 7),
    **dict.fromkeys(("choi-nicolov", "covington", "nl-covington", "swap-max2"), (5, 6, 7)),
    **dict.fromkeys(
        ("arc-eager-2003", "arc-hybrid", "arc-hybrid-right", "arc-standard", "arc-standard-stack"), (7, 8, 9)
    ),
    **dict.fromkeys(("arc-swift", "attardi", "list-projective"), (6, 7, 8)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0 if everything that was run agrees, 1 if not."""
    options = _options(arguments)
    chosen = [racer for racer in contestants() if options.only is None or racer.key in options.only]
    absent = {racer.key: reason for racer in chosen if (reason := racer.missing()) is not None}
    racers = [racer for racer in chosen if racer.key not in absent]
    tasks = [
        Task(system, words) for system in options.systems for words in options.words or SIZES.get(system, (4, 5, 6))
    ]
    try:
        results = race(tasks, racers, options.times, options.patience, _say)
    except Disagreement as error:
        _say(f"THE CONTESTANTS DISAGREE: {error}")
        return 1
    write(results, chosen, absent, options.times, options.output)
    print(f"{options.output / 'RESULTS.md'} and results.svg written")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run", description="Measure arcproof beside SPIN, TLC and Python."
    )
    keys = [racer.key for racer in contestants()]
    parser.add_argument("--words", type=int, nargs="+", metavar="N", help="sizes; by default those of each system")
    parser.add_argument("--times", type=int, default=3, metavar="K", help="repetitions (default 3)")
    parser.add_argument(
        "--systems", nargs="+", default=list(SIZES), metavar="SYSTEM", help=f"default: {' '.join(SIZES)}"
    )
    parser.add_argument("--only", nargs="+", choices=keys, metavar="WHO", help=f"some of {' '.join(keys)}")
    parser.add_argument(
        "--patience",
        type=float,
        default=60,
        metavar="SECONDS",
        help="leave out what is forecast to take longer (default 60)",
    )
    parser.add_argument("--output", type=Path, default=HERE, metavar="DIR", help="where RESULTS.md and results.svg go")
    return parser.parse_args(arguments)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
