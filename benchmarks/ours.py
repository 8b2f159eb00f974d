"""Our explorer as the benchmark runs it: this is the one place to change when the explorer does.

    python -m benchmarks.ours SYSTEM WORDS [--outputs] [--jobs N]

It prints what it counted and used, as JSON.  It counts configurations and transitions, as the others do, on one core
unless told otherwise; with `--outputs` also outputs and the derivations of each, as `arcproof explore` does in the same
pass.
"""

import argparse

from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.packed.explorer import ExplorationSettings
from arcproof.transitions.machine.packed.explorer import explore as explore_compiled
from arcproof.transitions.system import System, load
from benchmarks.measure import report


def prepare(system: System, settings: ExplorationSettings) -> Programs:
    """Load the machine, by exploring a short sentence."""
    code = Programs(system)
    explore_compiled(code, 2, settings)
    return code


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ours")
    parser.add_argument("system")
    parser.add_argument("words", type=int)
    parser.add_argument("--outputs", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    settings = ExplorationSettings(keep=False, outputs=options.outputs, jobs=options.jobs)
    ready: list[Programs] = []

    def explore() -> tuple[int, int]:
        found = explore_compiled(ready[0], options.words, settings)
        return found.configurations, found.transitions

    report(explore, lambda: ready.append(prepare(load(options.system), settings)))


if __name__ == "__main__":
    main()
