"""RESULTS.md and results.svg: what was measured, on which machine, with which versions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import Final

from arcproof.reports.chart import Axis, Panel, Points, to_svg
from benchmarks.checkers import Finished
from benchmarks.contestants import SPIN_FLAGS, TUNED_FLAGS, Contestant
from benchmarks.mutants import Judged
from benchmarks.new_figures import Waited
from benchmarks.race import Results, Task

NOT_RUN: Final = "–"
HEIGHT: Final = 300


@dataclass
class Measured:
    """All that one run of the benchmark found; a part that was not asked for is empty."""

    times: int
    racers: Sequence[Contestant]
    absent: Mapping[str, str]
    load: float = 0.0
    search: Results = field(default_factory=Results)
    workers: Results = field(default_factory=Results)
    left_out: Sequence[Task] = ()
    waits: Sequence[Waited] = ()
    mutants: Sequence[Judged] = ()
    minutes: float = 0.0
    facts: Sequence[str] = ()

    @property
    def present(self) -> list[Contestant]:
        """Those who searched at least once."""
        return [racer for racer in self.racers if any(racer.key in found for found in self.search.found.values())]

    @property
    def keys(self) -> set[str]:
        """Theirs."""
        return {racer.key for racer in self.present}


def write(measured: Measured, directory: Path) -> None:
    """Write both files; without a search there is nothing to plot."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "RESULTS.md").write_text(to_markdown(measured), encoding="utf-8")
    if measured.search.found:
        (directory / "results.svg").write_text(chart_of(_lines(measured)), encoding="utf-8")


def to_markdown(measured: Measured) -> str:
    """The tables, and what one needs to know to read them."""
    lines = [
        "# Benchmark",
        "",
        f"Measured on {datetime.now(UTC):%Y-%m-%d}; written by `python -m benchmarks.run`, "
        "which `make bench-search` calls.",
        "",
    ]
    lines += [f"- {fact}" for fact in (*measured.facts, _duration(measured))]
    lines += ["", *_method(measured)]
    for part in (_searches, _waits, _mutants, _workers):
        lines += ["", *part(measured)]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n") + "\n"


def _duration(measured: Measured) -> str:
    return (
        f"The whole run took {measured.minutes:.0f} minutes, one process at a time; "
        f"the load average before it was {measured.load:.2f}"
    )


def _method(measured: Measured) -> list[str]:
    many = f"the median of {measured.times} runs, the contestants taking turns, each"
    runs = "from one run" if measured.times == 1 else many
    return [
        f"Each number is {runs} in a process of its own.",
        "CPU time is user and system time.",
        "Every run found the same counts; otherwise there would be no numbers here.",
    ]


# --- tables ----------------------------------------------------------------------------------------------------------


def table(header: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> list[str]:
    """A table whose first columns are texts and whose others are numbers."""
    aligned = ["---"] * texts + ["---:"] * (len(header) - texts)
    return [f"| {' | '.join(row)} |" for row in (header, aligned, *rows)]


def _seconds(value: float | None) -> str:
    return NOT_RUN if value is None else f"{value:.3f}" if value < 1 else f"{value:.2f}"


def _quotient(one: float | None, other: float | None) -> str:
    return NOT_RUN if one is None or not other else f"{one / other:.3g}"


def _rounded(value: float | None) -> str:
    return NOT_RUN if value is None else f"{value:.0f}"


def _medians(runs: Sequence[Finished]) -> tuple[float, float]:
    """CPU seconds and time passed."""
    return median(run.seconds for run in runs), median(run.elapsed for run in runs)


# --- the search ------------------------------------------------------------------------------------------------------


def _searches(measured: Measured) -> list[str]:
    absent = [racer for racer in measured.racers if racer.key in measured.absent]
    lines = ["## The search", "", *_contestants(measured), ""]
    lines += [f"Not run: {racer.title}: {measured.absent[racer.key]}." for racer in absent]
    lines += [
        f"Not run: {key} on {task.system}, {task.words} words: {why}."
        for (task, key), why in measured.search.refused.items()
    ]
    if not measured.search.found:
        return [*lines, "", "Not run."]
    lines += ["", "![CPU seconds by words](results.svg)"]
    if {"ours", "typed", "spin"} <= measured.keys:
        lines += ["", *_beside_spin(measured.search)]
    return [*lines, "", *_in_detail(measured)]


def _contestants(measured: Measured) -> list[str]:
    """What each contestant does, for those who took part."""
    start_up = next((runs["tlc"][0].built for runs in measured.search.found.values() if "tlc" in runs), 0.0)
    said = {
        "ours": "arcproof: the functions that `benchmarks/ours.py` calls, with one worker, "
        "without starting Python and reading the figure; memory is what the process grew by.",
        "typed": "`arcproof explore SYSTEM --words N`: what a user types; the whole process, with outputs, lengths and "
        "derivations of all sizes up to N; CPU time of all workers.",
        "spin": f"SPIN, exported model: `arcproof export --to promela`, gcc `{_gcc(SPIN_FLAGS)}`; the time is that of "
        "`pan` alone. SPIN stores every state in full (no bitstate, no hash compaction); memory is that for "
        "states and hash table.",
        "spin-tuned": f"SPIN, tuned: `benchmarks/arc_eager_tuned.pml`, gcc `{_gcc(TUNED_FLAGS)}`.",
        "tlc": "TLC: `arcproof export --to tla`, `-workers 1`, "
        f"without the start-up of {start_up:.2f} CPU seconds, which a model with one state takes. "
        "TLC stores only a 64-bit fingerprint of each state.",
        "plain_python": "Python: `benchmarks/plain_python.py`, tuples in a set; memory is what the process grew by.",
    }
    lines = [line for key, text in said.items() if key in measured.keys for line in item(text)]
    return [
        *lines,
        "",
        f"A {NOT_RUN} means that this was not run, because it was not asked for or would take too long;",
        "in the table of memory it means that the contestant does not report it.",
    ]


def item(text: str) -> list[str]:
    """An item of a list, in lines within 120 columns."""
    return wrap(text, 120, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _gcc(flags: Sequence[str]) -> str:
    return " ".join((*flags, "-DSAFETY", "-DNOREDUCE"))


def _beside_spin(results: Results) -> list[str]:
    """The largest size of each system."""
    largest = {task.system: task for task in sorted(results.found, key=lambda task: task.words)}
    header = [
        *("system", "words", "configurations", "arcproof", "SPIN", "×"),
        *("bytes", "SPIN's bytes", "`arcproof explore`", "×"),
    ]
    rows = [
        [
            *_name(task, results),
            _seconds(ours := results.seconds(task, "ours")),
            _seconds(spin := results.seconds(task, "spin")),
            _quotient(spin, ours),
            _rounded(results.bytes_each(task, "ours")),
            _rounded(results.bytes_each(task, "spin")),
            _seconds(typed := results.seconds(task, "typed")),
            _quotient(spin, typed),
        ]
        for task in results.found
        if task == largest[task.system]
    ]
    about = [
        "CPU seconds of the search, bytes of memory per configuration, and CPU seconds of the whole process;",
        "× says how many times as long SPIN takes.",
    ]
    return ["### Beside SPIN, at the largest size", "", *about, "", *table(header, rows)]


def _in_detail(measured: Measured) -> list[str]:
    results = measured.search
    kinds: dict[str, Callable[[Task, str], str]] = {
        "CPU seconds": lambda task, key: _seconds(results.seconds(task, key)),
        "As a multiple of arcproof's time": lambda task, key: _quotient(
            results.seconds(task, key), results.seconds(task, "ours")
        ),
        "Bytes of memory for each configuration": lambda task, key: _rounded(results.bytes_each(task, key)),
        "CPU seconds before the search (compiling, starting Java), not counted above": lambda task, key: _seconds(
            results.built(task, key)
        ),
    }
    header = ["system", "words", "configurations", *(racer.title for racer in measured.present)]
    lines: list[str] = []
    for title, cell in kinds.items():
        rows = [
            [*_name(task, results), *(cell(task, racer.key) for racer in measured.present)] for task in results.found
        ]
        lines += [f"### {title}", "", *table(header, rows), ""]
    return lines


def _name(task: Task, results: Results) -> list[str]:
    count = results.configurations(task)
    return [task.system, str(task.words), NOT_RUN if count is None else f"{count:,}"]


# --- what else a user waits for --------------------------------------------------------------------------------------


def _waits(measured: Measured) -> list[str]:
    rows = []
    for wait in measured.waits:
        kept = "nothing" if wait.first_use else "bytecode"
        command = f"`arcproof {' '.join(wait.command)}`"
        rows.append([wait.system, command, kept, *map(_seconds, _medians(wait.runs))])
    lines = [
        "## A figure never seen before",
        "",
        "The figure is a built-in one with new names, made for each run; the answers are those for the built-in one.",
        "The times are for the whole process, in a copy of the package with a home and a cache of its own.",
        "If nothing is kept, Python makes its bytecode first.",
        "",
    ]
    header = ["figure", "command", "kept", "CPU seconds", "seconds passed"]
    return [*lines, *(table(header, rows, 3) if rows else ["Not run."])]


def _mutants(measured: Measured) -> list[str]:
    buckets = list(measured.mutants[0].counts) if measured.mutants else []
    rows = []
    for judged in measured.mutants:
        seconds, elapsed = _medians(judged.runs)
        counts = [str(judged.counts[bucket]) for bucket in buckets]
        rate = _quotient(judged.counts["total"], seconds)
        rows.append([judged.system, *counts, _seconds(seconds), _seconds(elapsed), rate])
    header = ["system", *buckets, "CPU seconds", "seconds passed", "mutants per CPU second"]
    lines = ["## Mutants", "", "`arcproof mutate SYSTEM --words 5 --jobs 1`, the whole process.", ""]
    return [*lines, *(table(header, rows) if rows else ["Not run."])]


def _workers(measured: Measured) -> list[str]:
    results = measured.workers
    rows = []
    for task in (*results.found, *measured.left_out):
        for kind, title in {"counting": "counting alone", "outputs": "with outputs and derivations"}.items():
            one, two = (results.elapsed(task, f"{kind}-{jobs}") for jobs in (1, 2))
            cpu = (results.seconds(task, f"{kind}-{jobs}") for jobs in (1, 2))
            numbers = [_seconds(one), _seconds(two), _quotient(one, two), *map(_seconds, cpu)]
            rows.append([task.system, title, *_name(task, results)[1:], *numbers])
    header = ["system", "search", "words", "configurations", "seconds passed, 1", "2", "×", "CPU seconds, 1", "2"]
    lines = ["## One worker and two", "", "The search alone.", "× says how many times as fast two workers are."]
    lines += [f"Rows with {NOT_RUN} are run only with `--long`." if measured.left_out else "", ""]
    return [*lines, *(table(header, rows, 2) if rows else ["Not run."])]


# --- the plot --------------------------------------------------------------------------------------------------------


def chart_of(systems: Mapping[str, Mapping[str, Points]]) -> str:
    """A panel for each system, with a line for each contestant by its title; one size is not plotted beside several."""
    systems = {name: lines for name, lines in systems.items() if max(map(len, lines.values())) > 1} or systems
    seconds = Axis.of_powers(
        "CPU seconds", (y for lines in systems.values() for line in lines.values() for _, y in line)
    )
    panels = [
        Panel(system, Axis.of_each("words", (x for line in lines.values() for x, _ in line)), seconds, (), lines, True)
        for system, lines in systems.items()
    ]
    title = "CPU seconds of an exhaustive search (logarithmic), by words of the sentence"
    return to_svg(title, panels, HEIGHT)


def _lines(measured: Measured) -> dict[str, dict[str, Points]]:
    results = measured.search
    found: dict[str, dict[str, Points]] = {}
    for system in dict.fromkeys(task.system for task in results.found):
        lines = {
            racer.title: [
                (task.words, seconds)
                for task in results.found
                if task.system == system and (seconds := results.seconds(task, racer.key)) is not None
            ]
            for racer in measured.present
        }
        found[system] = {title: line for title, line in lines.items() if line}
    return found
