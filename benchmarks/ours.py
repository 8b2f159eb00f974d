"""Our explorer as the benchmark runs it: this is the one place to change when the explorer does.

Run as a script with a system and a number of words it prints what it counted and used, as JSON.  It counts configurations and transitions on one
core, as the others do; with a third argument also outputs and the derivations of each, as `arcproof explore` does in the same pass.
"""

import sys

from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.packed.explorer import ExplorationSettings
from arcproof.transitions.machine.packed.explorer import explore as explore_compiled
from arcproof.transitions.system import System, load

from benchmarks.measure import report


def prepare(system: System) -> Programs:
    """Load the machine, by exploring a short sentence."""
    code = Programs(system)
    explore(code, 2)
    return code


def explore(code: Programs, words: int, outputs: bool = False) -> tuple[int, int]:
    """The number of configurations that can be reached, and of the transitions between them."""
    found = explore_compiled(code, words, ExplorationSettings(keep=False, outputs=outputs))
    return found.configurations, found.transitions


if __name__ == "__main__":
    ready: list[Programs] = []
    outputs = len(sys.argv) > 3
    report(lambda: explore(ready[0], int(sys.argv[2]), outputs), lambda: ready.append(prepare(load(sys.argv[1]))))
