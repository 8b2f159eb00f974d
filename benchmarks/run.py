"""The benchmark: every contestant on the same systems in one run, the configurations counted and compared each time.

    python -m benchmarks.run                            everything, three times: RESULTS.md and results.svg
    python -m benchmarks.run --words 8 --times 1        one size, once
    python -m benchmarks.run --only ours spin --systems arc-eager --parts search

It has four parts: the search beside SPIN, TLC and plain Python, new figures, mutants, and two workers beside one.
What is measured is the CPU time (user and system), each search in a process of its own, the contestants taking turns;
the median of all repetitions is reported.  A contestant that counts other configurations or transitions than the others
fails the benchmark.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.conditions import checkers, load_average, machine
from benchmarks.contestants import contestants, crews
from benchmarks.mutants import judged
from benchmarks.new_figures import waits
from benchmarks.race import Disagreement, Task, race
from benchmarks.results import Measured, write

HERE: Final = Path(__file__).resolve().parent
SIZES: Final[Mapping[str, Sequence[int]]] = {
    "arc-eager": (8, 9, 10),
    **dict.fromkeys(("swap", "list-nonprojective", "choi-palmer"), (5, 6, 7)),
    **dict.fromkeys(("choi-nicolov", "covington", "nl-covington", "swap-max2"), (7,)),
    "attardi": (8,),
    **dict.fromkeys(("arc-swift", "list-projective"), (9,)),
    **dict.fromkeys(("arc-eager-2003", "arc-hybrid", "arc-hybrid-right", "arc-standard", "arc-standard-stack"), (10,)),
}
"""The largest of each system takes SPIN seconds; several sizes where the growth is plotted."""
TWO_WORKERS: Final = (Task("arc-eager", 11), Task("swap", 8))
LONG: Final = (Task("swap", 8),)
"""What takes minutes, and is left out unless it is asked for."""
PARTS: Final = ("search", "figures", "mutants", "workers")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0 if everything that was run agrees, 1 if not."""
    options = _options(arguments)
    began = time.perf_counter()
    try:
        measured = _measure(options)
    except Disagreement as error:
        _say(f"THE CONTESTANTS DISAGREE: {error}")
        return 1
    measured.minutes = (time.perf_counter() - began) / 60
    measured.facts = [*machine(), *checkers()]
    write(measured, options.output)
    print(f"{options.output / 'RESULTS.md'} and results.svg written")
    return 0


def _measure(options: argparse.Namespace) -> Measured:
    chosen = [racer for racer in contestants() if options.only is None or racer.key in options.only]
    absent = {racer.key: reason for racer in chosen if (reason := racer.missing()) is not None}
    measured = Measured(options.times, chosen, absent, load_average())
    if "search" in options.parts:
        racers = [racer for racer in chosen if racer.key not in absent]
        tasks = [Task(system, n) for system in options.systems for n in options.words or SIZES.get(system, (4, 5, 6))]
        measured.search = race(tasks, racers, options.times, options.patience, _say)
    if "figures" in options.parts:
        measured.waits = waits(options.times, _say)
    if "mutants" in options.parts:
        measured.mutants = judged(options.times, say=_say)
    if "workers" in options.parts:
        tasks = [task for task in TWO_WORKERS if options.long or task not in LONG]
        measured.workers = race(tasks, crews(), options.times, options.patience, _say)
        measured.left_out = [task for task in TWO_WORKERS if task not in tasks]
    return measured


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
        "--parts", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=f"some of {' '.join(PARTS)}"
    )
    parser.add_argument(
        "--long", action="store_true", help="two workers on 8 words of swap too, which takes minutes more"
    )
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
