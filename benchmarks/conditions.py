"""The conditions of a measurement: the machine, the versions, and what else is running."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

from arcproof._version import __version__
from benchmarks.checkers import tla2tools


def machine() -> list[str]:
    """Where something was measured, and with what."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"Machine: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()}",
        f"arcproof {__version__}, Python {platform.python_version()}",
    ]


def load_average() -> float:
    """How many processes competed for a processor in the last minute: what else is running here."""
    return os.getloadavg()[0]


def checkers() -> list[str]:
    """What it is compared with."""
    found = (_version("spin", "-V"), _version("gcc", "--version"), _version("java", "-version"), _tlc())
    return [fact for fact in found if fact]


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(*command: str) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout or done.stderr).splitlines()[0].strip()


def _tlc() -> str | None:
    jar = tla2tools()
    if jar is None or shutil.which("java") is None:
        return None
    done = subprocess.run(["java", "-cp", str(jar), "tlc2.TLC"], capture_output=True, text=True)
    return next((line.strip() for line in done.stdout.splitlines() if line.startswith("TLC2 Version")), None)
