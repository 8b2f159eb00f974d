"""RESULTS.md and results.svg: what was measured, on which machine, with which versions."""

import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from arcproof._version import __version__
from arcproof.reports.chart import Axis, Panel, Points, to_svg
from benchmarks.checkers import tla2tools
from benchmarks.contestants import SPIN_FLAGS, TUNED_FLAGS, Contestant
from benchmarks.race import Results, Task

NOT_RUN = "–"


def write(
    results: Results, racers: Sequence[Contestant], absent: Mapping[str, str], times: int, directory: Path
) -> None:
    """Write both files."""
    directory.mkdir(parents=True, exist_ok=True)
    present = [racer for racer in racers if any(racer.key in found for found in results.found.values())]
    (directory / "RESULTS.md").write_text(to_markdown(results, racers, present, absent, times), encoding="utf-8")
    (directory / "results.svg").write_text(chart_of(_lines(results, present)), encoding="utf-8")


def to_markdown(
    results: Results, racers: Sequence[Contestant], present: Sequence[Contestant], absent: Mapping[str, str], times: int
) -> str:
    """The tables, and what one needs to know to read them."""
    lines = [
        "# Benchmark",
        "",
        f"Measured on {datetime.now(UTC):%Y-%m-%d}; written by `python -m benchmarks.run`, which `make bench-search` calls.",
        "",
    ]
    lines += [f"- {fact}" for fact in (*machine(), *_checkers())]
    lines += ["", "![CPU seconds by words](results.svg)", "", *_method(results, present, times)]
    lines += ["", *(f"Not run: {racer.title}: {absent[racer.key]}." for racer in racers if racer.key in absent)]
    for system in dict.fromkeys(task.system for task in results.found):
        lines += ["", *_section(system, results, present)]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _method(results: Results, present: Sequence[Contestant], times: int) -> list[str]:
    keys = {racer.key for racer in present}
    lines = [
        "Each number is the median of "
        + ("one run." if times == 1 else f"{times} runs, the contestants taking turns."),
        "CPU time is user and system time of the search alone, by one worker, in a process of its own.",
        "Every run counted the same configurations and the same transitions; otherwise there would be no numbers here.",
        "",
        f"A {NOT_RUN} means that this was not run: the contestant does not know the system, was forecast to take too long, or is not asked",
        "for so many words; in the tables of memory, that it does not report it.",
        "",
    ]
    if "ours" in keys:
        lines.append(
            "- arcproof: what `benchmarks/ours.py` calls, without starting Python and reading the figure; memory is what the process grew by."
        )
    if "spin" in keys:
        lines.append(
            f"- SPIN, exported model: `arcproof export --to promela`, gcc `{' '.join(SPIN_FLAGS)} -DSAFETY -DNOREDUCE`."
        )
    if "spin-tuned" in keys:
        lines.append(
            f"- SPIN, tuned: `benchmarks/arc_eager_tuned.pml`, gcc `{' '.join(TUNED_FLAGS)} -DSAFETY -DNOREDUCE`."
        )
    if "spin" in keys or "spin-tuned" in keys:
        lines.append(
            "  SPIN stores every state in full (no bitstate, no hash compaction); memory is that for states and hash table."
        )
    if "tlc" in keys:
        lines.append(
            f"- TLC: `arcproof export --to tla`, `-workers 1`, without the start-up of {results.start_up:.2f} CPU seconds, which a model with one "
            "state takes. TLC stores a 64-bit fingerprint of each state."
        )
    if "plain_python" in keys:
        lines.append(
            "- Python: `benchmarks/plain_python.py`, tuples in a set. Memory of Python is its growth during the search."
        )
    return lines


def _section(system: str, results: Results, present: Sequence[Contestant]) -> list[str]:
    tasks = [task for task in results.found if task.system == system]
    racers = [racer for racer in present if any(racer.key in results.found[task] for task in tasks)]
    lines = [f"## {system}", "", "CPU seconds:", ""]
    lines += _table(tasks, racers, results, lambda task, key: _seconds(results.seconds(task, key)))
    if any(racer.key == "ours" for racer in racers) and len(racers) > 1:
        lines += ["", "As a multiple of arcproof's time:", ""]
        lines += _table(tasks, racers, results, lambda task, key: _ratio(results, task, key))
    lines += ["", "Bytes of memory for each configuration:", ""]
    lines += _table(tasks, racers, results, lambda task, key: _rounded(results.bytes_each(task, key)))
    lines += ["", "CPU seconds before the search (compiling, starting Java), not counted above:", ""]
    lines += _table(tasks, racers, results, lambda task, key: _seconds(results.built(task, key)))
    return lines


def _table(
    tasks: Sequence[Task], racers: Sequence[Contestant], results: Results, cell: Callable[[Task, str], str]
) -> list[str]:
    header = ["words", "configurations", *(racer.title for racer in racers)]
    rows = [header, ["---:"] * len(header)]
    for task in tasks:
        numbers = [str(task.words), f"{results.counts(task).configurations:,}"]
        rows.append([*numbers, *(cell(task, racer.key) for racer in racers)])
    return ["| " + " | ".join(row) + " |" for row in rows]


def _seconds(value: float | None) -> str:
    return NOT_RUN if value is None else f"{value:.3f}" if value < 1 else f"{value:.2f}"


def _ratio(results: Results, task: Task, key: str) -> str:
    theirs, ours = results.seconds(task, key), results.seconds(task, "ours")
    return NOT_RUN if theirs is None or not ours else f"{theirs / ours:.3g}"


def _rounded(value: float | None) -> str:
    return NOT_RUN if value is None else f"{value:.0f}"


def chart_of(systems: Mapping[str, Mapping[str, Points]]) -> str:
    """A panel for each system, with a line for each contestant by its title."""
    seconds = Axis.of_powers(
        "CPU seconds", (y for lines in systems.values() for line in lines.values() for _, y in line)
    )
    panels = [
        Panel(system, Axis.of_each("words", (x for line in lines.values() for x, _ in line)), seconds, (), lines, True)
        for system, lines in systems.items()
    ]
    title = "CPU seconds of an exhaustive search (logarithmic), by words of the sentence"
    return to_svg(title, panels, height=300)


def _lines(results: Results, present: Sequence[Contestant]) -> dict[str, dict[str, Points]]:
    found: dict[str, dict[str, Points]] = {}
    for system in dict.fromkeys(task.system for task in results.found):
        lines = {
            racer.title: [
                (task.words, seconds)
                for task in results.found
                if task.system == system and (seconds := results.seconds(task, racer.key)) is not None
            ]
            for racer in present
        }
        found[system] = {title: line for title, line in lines.items() if line}
    return found


# --- the machine -----------------------------------------------------------------------------------------------------


def machine() -> list[str]:
    """Where something was measured, and with what."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"Machine: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()}",
        f"arcproof {__version__}, Python {platform.python_version()}",
    ]


def _checkers() -> list[str]:
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
