"""The processors and the memory that this process may really use.

A container, a batch system or `taskset` may allow fewer than the machine has.  Linux says so in the affinity of the
process and in the files of its control group and of the groups around it, in version 1 or 2.  Inside a container the
path of the group may be that of the host, so that only the outermost folder exists.
"""

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

ROOT: Final = Path("/")
GROUPS: Final = Path("sys/fs/cgroup")
UNKNOWN_MEMORY: Final = 8 * 2**30


def processors(root: Path = ROOT) -> int:
    """How many processors this process may use: at least 1; a part of one counts as one."""
    with suppress(AttributeError, OSError):  # not every platform has affinities
        return min([len(os.sched_getaffinity(0)), *_quotas(root)])
    return os.cpu_count() or 1


def memory(root: Path = ROOT) -> int:
    """How many bytes this process may use; a guess where that cannot be determined."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        physical = UNKNOWN_MEMORY
    limits = (
        number for text in _settings(root, "memory", "memory.max", "memory.limit_in_bytes") if (number := _whole(text))
    )
    return min([physical, *limits])


def _quotas(root: Path) -> Iterator[int]:
    """The processors that each control group allows: its share of time, rounded up."""
    pairs = [text.split() for text in _settings(root, "cpu", "cpu.max")]
    quotas, periods = (_settings(root, "cpu", "", f"cpu.cfs_{part}_us") for part in ("quota", "period"))
    pairs += [[quota, period] for quota, period in zip(quotas, periods, strict=False)]
    for pair in pairs:
        numbers = [_whole(text) for text in pair]
        if len(numbers) == 2 and numbers[0] and numbers[1]:
            yield math.ceil(numbers[0] / numbers[1])


def _settings(root: Path, controller: str, version_2: str, version_1: str = "") -> Iterator[str]:
    """What a file says in the control group of this process and in those around it, innermost first."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, controllers, path = (*line.split(":", 2), "", "")[:3]
        if number == "0" and not controllers:
            folder, name = root / GROUPS, version_2
        elif controller in controllers.split(","):
            folder, name = root / GROUPS / controller, version_1
        else:
            continue
        group = Path(path.strip("/"))
        for inner in (group, *group.parents) if name and ".." not in group.parts else ():
            if text := _text(folder / inner / name).strip():
                yield text


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, ValueError):
        return ""


def _whole(text: str) -> int | None:
    """A positive number; None for `max`, `-1` and whatever is not one."""
    return int(text) if text.isascii() and text.isdigit() else None
