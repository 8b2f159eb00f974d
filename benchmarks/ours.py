"""Our explorer as the benchmark runs it: this is the one place to change when the explorer does.

Run as a script with a system and a number of words it prints what it counted and used, as JSON.  The exploration is the one of `arcproof explore`
on one core: besides configurations and transitions it counts the outputs and the derivations of each.
"""

import sys

from arcproof.transitions.compiled.explorer import Settings
from arcproof.transitions.compiled.explorer import explore as explore_compiled
from arcproof.transitions.compiled.module import Native, native
from arcproof.transitions.system import System, load
from benchmarks.measure import report


def prepare(system: System) -> Native:
    """Compile the system, or load its code, by exploring a short sentence."""
    code = native(system)
    explore(code, 2)
    return code


def explore(code: Native, words: int) -> tuple[int, int]:
    """The number of configurations that can be reached, and of the transitions between them."""
    found = explore_compiled(code, words, Settings(keep=False))
    return found.configurations, found.transitions


if __name__ == "__main__":
    ready: list[Native] = []
    report(lambda: explore(ready[0], int(sys.argv[2])), lambda: ready.append(prepare(load(sys.argv[1]))))
