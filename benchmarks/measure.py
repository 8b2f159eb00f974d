"""What a Python explorer uses, measured inside its own process so that imports do not count."""

import json
import resource
from collections.abc import Callable
from dataclasses import asdict, dataclass
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
    start, held = cpu_seconds(), _memory("VmRSS")
    configurations, transitions = explore()
    seconds, most = cpu_seconds() - start, _memory("VmHWM")
    memory = None if held is None or most is None else max(0, most - held)
    print(json.dumps(asdict(Explored(configurations, transitions, seconds, start - before, memory))))


def _memory(what: str) -> int | None:
    """Bytes of memory of this process, now (`VmRSS`) or at most (`VmHWM`); None where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return None
    lines = (line.split() for line in status.read_text(encoding="utf-8").splitlines())
    return next((int(words[1]) * 1024 for words in lines if words and words[0] == f"{what}:"), None)
