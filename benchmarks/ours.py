"""Our explorer as the benchmark runs it: this is the one place to change when the explorer does.

Run as a script with a system and a number of words it prints what it counted and used, as JSON.
"""

import sys

from arcproof.properties.levels import explore_level
from arcproof.transitions.system import System, load
from benchmarks.measure import report


def prepare(system: System) -> None:
    """What is done once for a system before its configurations are visited, such as compiling it."""


def explore(system: System, words: int) -> tuple[int, int]:
    """The number of configurations that can be reached, and of the transitions between them."""
    level = explore_level(system, words, None)
    assert level.transitions is not None
    return level.configurations, level.transitions


if __name__ == "__main__":
    loaded = load(sys.argv[1])
    report(lambda: explore(loaded, int(sys.argv[2])), lambda: prepare(loaded))
