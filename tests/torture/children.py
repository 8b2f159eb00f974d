"""Commands as processes of their own, looked at from outside: exit code, what is printed, wall clock, memory of all
processes together, what stays behind.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.torture.bases import ROOT

PAGE = os.sysconf("SC_PAGE_SIZE")
LINGERING = 3.0
"""So long may a worker process take to end after its command."""
LONGEST = 300.0
INTERPRETER = 30 * 2**20
"""Bytes that a process has which does arcproof's work; those that only look after others have less."""
CODES = (0, 1, 2, 3)
"""What a command may end with; 4 would say that the engines contradict each other."""


@dataclass(frozen=True)
class Ended:
    """How a command ended.  `peak` is the largest sum of the resident memory of its processes, without counting shared
    pages twice; `left` are processes that stayed.
    """

    code: int
    out: str
    err: str
    seconds: float
    peak: int
    left: tuple[int, ...]
    signalled: float | None = None
    """Seconds from the signal to the end."""
    processes: int = 1
    """How many there were at once that do work, and have the memory of an interpreter."""

    @property
    def complaint(self) -> str:
        """What no command may do, whatever happens to it."""
        if "Traceback (most recent call last)" in self.err + self.out or re.search(
            r"^\w+Error: ", self.err, re.MULTILINE
        ):
            return f"traceback: {self.err.strip().splitlines()[-1][:200] if self.err.strip() else ''}"
        if self.code not in CODES:
            return f"exit code {self.code}"
        return ""


def surroundings(cache: Path) -> dict[str, str]:
    """The environment of a command: a cache of its own, nothing of the suite's."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TMPDIR", "HOME")}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "0",
        "ARCPROOF_CACHE": str(cache),
        "COLUMNS": "100",
        "PYTHONUTF8": "1",
    }


def start(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    prepare: Callable[[], None] | None = None,
    **streams: Any,
) -> "subprocess.Popen[bytes]":
    """A command in a session of its own, so that all its processes are known."""
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(
        [sys.executable, "-m", "arcproof", *arguments],
        cwd=folder, env=dict(environment), start_new_session=True, preexec_fn=prepare, **given,
    )  # fmt: skip


def run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    prepare: Callable[[], None] | None = None,
    kill: tuple[signal.Signals, float] | None = None,
    longest: float = LONGEST,
    **streams: Any,
) -> Ended:
    """Run a command to its end, or send it a signal after so many seconds."""
    began = time.monotonic()
    child = start(arguments, folder, environment, prepare, **streams)
    return watched(child, began, kill, longest)


def watched(
    child: "subprocess.Popen[bytes]",
    began: float,
    kill: tuple[signal.Signals, float] | None = None,
    longest: float = LONGEST,
) -> Ended:
    """Wait for a command; one that takes too long is ended by force, and its exit code is -9."""
    import threading

    texts: list[list[bytes]] = [[], []]
    readers = []
    for place, stream in enumerate((child.stdout, child.stderr)):
        if stream is not None:
            readers.append(threading.Thread(target=lambda s=stream, p=place: texts[p].append(s.read()), daemon=True))
            readers[-1].start()
    peak, many, sent = 0, 1, None
    while child.poll() is None:
        now = time.monotonic()
        if kill is not None and sent is None and now - began >= kill[1]:
            sent = now
            os.kill(child.pid, kill[0])
        if now - began > longest:
            os.killpg(child.pid, signal.SIGKILL)
        used, working = memory_of(child.pid)
        peak, many = max(peak, used), max(many, working)
        time.sleep(0.02)
    ended = time.monotonic()
    left = lingering(child.pid)
    for process in left:
        _end(process)
    for reader in readers:
        reader.join(10)
    for stream in (child.stdout, child.stderr):
        if stream is not None:
            stream.close()
    out, err = (b"".join(part).decode("utf-8", "replace") for part in texts)
    return Ended(child.returncode, out, err, ended - began, peak, left, None if sent is None else ended - sent, many)


def lingering(session: int) -> tuple[int, ...]:
    """The processes that are still there after a while."""
    end = time.monotonic() + LINGERING
    while (left := processes_of(session)) and time.monotonic() < end:
        time.sleep(0.05)
    return tuple(left)


def _end(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def processes_of(session: int) -> list[int]:
    """The processes of a session that have not ended."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if (
                os.getsid(int(entry)) == session
                and " Z " not in Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2][:3]
            ):
                found.append(int(entry))
        except OSError:
            continue
    return found


def memory_of(session: int) -> tuple[int, int]:
    """Bytes of memory that the processes of a session have, and how many of them work: resident pages, and of all but
    the first only what is not shared.
    """
    total = working = 0
    for number, process in enumerate(sorted(processes_of(session))):
        try:
            fields = Path(f"/proc/{process}/statm").read_text().split()
        except OSError:
            continue
        total += (int(fields[1]) - (int(fields[2]) if number else 0)) * PAGE
        working += int(fields[1]) * PAGE > INTERPRETER
    return total, working


# --- reports compared ------------------------------------------------------------------------------------------------

TIMES = (
    (re.compile(r'"[a-z_]*(seconds|time|wall|elapsed|per_second)[a-z_]*": *-?[0-9.e+-]+'), '"seconds": 0'),
    (re.compile(r"\b\d+(\.\d+)? (s|ms|seconds|min)\b"), "T s"),
    (re.compile(r"\b[\d,.]+ (sentences|words|transitions|tokens|configurations) (a|per) second"), "N a second"),
    (re.compile(r" time=\"[0-9.]+\""), ""),
)


def without_times(text: str) -> str:
    """A report without what differs from one run to the next."""
    for pattern, put in TIMES:
        text = pattern.sub(put, text)
    return text


ALL_TIMES = re.compile(r"table\.(csv|md|html)$")
"""Files with columns of times: of their numbers none is compared; they are in `table.json` too."""


def files_of(folder: Path) -> dict[str, str]:
    """Every file in a folder, by name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = without_times(path.read_bytes().decode("utf-8", "replace"))
            found[str(path.relative_to(folder))] = re.sub(r"[\d.]+", "N", text) if ALL_TIMES.search(path.name) else text
    return found
