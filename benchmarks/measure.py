"""What a Python explorer uses, measured inside its own process so that imports do not count."""

import json
import os
import platform
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Explored:
    """What was counted, and what it took.

    `seconds` is the CPU time of the search alone, `built` that of compiling beforehand; `memory` the bytes held for the configurations,
    where that is known.
    """

    configurations: int
    transitions: int
    seconds: float
    built: float = 0.0
    memory: int | None = None


def cpu_seconds() -> float:
    """CPU time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def report(explore: Callable[[], tuple[int, int]], prepare: Callable[[], object] = lambda: None) -> None:
    """Prepare, explore, and print what was counted and used as JSON."""
    before = cpu_seconds()
    prepare()
    start, held = cpu_seconds(), _memory()
    configurations, transitions = explore()
    end = cpu_seconds()
    memory = _most_memory() - held
    print(
        json.dumps(
            {
                "configurations": configurations,
                "transitions": transitions,
                "seconds": end - start,
                "built": start - before,
                "memory": memory,
            }
        )
    )


def _memory() -> int:
    """Bytes of memory in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _most_memory() -> int:
    """The most bytes of memory that were in use at once."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if platform.system() == "Darwin" else most * 1024
