"""What a Python explorer uses, measured inside its own process so that imports do not count."""

import json
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Explored:
    """What was counted, and what it took.

    `seconds` is the CPU time of the search alone, `built` that of compiling beforehand; `elapsed` is the time that
    passes during the search, `memory` the bytes held for the configurations, where that is known.
    """

    configurations: int
    transitions: int
    seconds: float
    built: float = 0.0
    memory: int | None = None
    elapsed: float = 0.0


def cpu_seconds() -> float:
    """CPU time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def report(explore: Callable[[], tuple[int, int]], prepare: Callable[[], object] = lambda: None) -> None:
    """Prepare, explore, and print what was counted and used as JSON."""
    before = cpu_seconds()
    prepare()
    start, held, began = cpu_seconds(), _memory("VmRSS"), time.perf_counter()
    configurations, transitions = explore()
    elapsed, seconds, most = time.perf_counter() - began, cpu_seconds() - start, _memory("VmHWM")
    memory = None if held is None or most is None else max(0, most - held)
    print(json.dumps(asdict(Explored(configurations, transitions, seconds, start - before, memory, elapsed))))


def _memory(what: str) -> int | None:
    """Bytes of memory of this process, now (`VmRSS`) or at most (`VmHWM`); None where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return None
    lines = (line.split() for line in status.read_text(encoding="utf-8").splitlines())
    return next((int(words[1]) * 1024 for words in lines if words and words[0] == f"{what}:"), None)
