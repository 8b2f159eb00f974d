"""Runs submissions with `arcproof conform`, each in a process of its own, several at a time.

A submission can bring down nothing but that process: it has its own limits of time and memory, the files it writes stay
small, what it prints is dropped, and the processes it started end with it.  One in a file runs in a folder of its own,
which is removed, and cannot import the others.  Nothing is trusted except the JSON document of the comparison, which is
read as data; without one, the submission has failed.  This is not a sandbox: a submission runs with the rights of
whoever grades it.
"""

import json
import os
import shlex
import signal
import site
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from arcproof.commands.conform_command import CALLS_TO_LOAD
from arcproof.commands.submissions import file_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.conform import Looked
from arcproof.properties.conformance.divergence import Kind
from arcproof.properties.conformance.grades import Grade, Outcome, PointsRule, Shortfall, Submission, points_of
from arcproof.properties.conformance.tasks import AIMS, DriverTask, Performance
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import graph_of
from arcproof.transitions.printing.escape import for_terminal

MOST_BYTES: Final = 1_000_000
"""The most that is read of what a process says."""
MOST_WRITTEN: Final = 50_000_000
"""The largest size of a file that a submission may write, and of the document that is read."""
MOST_WORDS: Final = 100
"""The most words that a divergence may have; a comparison needs far fewer."""
MOST_TEXT: Final = 10_000
MOST_SAID: Final = 400
"""The most characters shown of a reason, or of any other text that comes from a submission."""
GRACE: Final = 10.0
"""How many seconds beyond its time a submission may take to start and to end."""
LATE: Final = 3
"""The exit code of `conform` if a limit came first."""
GLANCE: Final = 0.02
"""Seconds between two looks at what is running."""


@dataclass(frozen=True)
class GradingLimits:
    """How much is tried, how long a submission may take, and how much memory."""

    words: int
    samples: int
    seed: int
    seconds: float
    call_seconds: float
    memory: int
    grace: float = GRACE


# --- one submission --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SubmissionPlaces:
    """Where a process finds the figure and the submission, as seen from its own folder, if it has one."""

    figure: str
    reference: str
    folder: Path | None
    given: tuple[str, str]

    @classmethod
    def of(cls, figure: str, reference: str, folder: Path) -> "SubmissionPlaces":
        """Create the folder if the submission is a file; a module is found from the working directory."""
        if file_of(reference) is None:
            return cls(figure, reference, None, (figure, reference))
        folder.mkdir()
        is_file = Path(figure.partition("[")[0]).is_file()
        absolute = str(Path(figure).absolute()) if is_file else figure
        return cls(absolute, str(Path(reference).absolute()), folder, (figure, reference))

    def as_given(self, text: str) -> str:
        """Return what was said, with the submission named as the user gave it."""
        file, given = file_of(self.reference), file_of(self.given[1])
        return text if file is None or given is None else text.replace(for_terminal(file), for_terminal(given))

    def replay_as_given(self, command: str) -> str:
        """Return a command with figure and submission named as the user gave them."""
        names = dict(zip((for_terminal(self.figure), for_terminal(self.reference)), self.given, strict=True))
        try:
            return shlex.join(names.get(word, word) for word in shlex.split(command))
        except ValueError:
            return command


class RunningSubmission:
    """One submission that is being compared with the figure; whatever it does, there is a grade."""

    def __init__(
        self, figure: str, submission: Submission, others: Sequence[str], rule: PointsRule, limits: GradingLimits
    ) -> None:
        """Start its process, unless there is nothing to compare; it cannot import the others as modules."""
        self.submission, self._rule, self._limits = submission, rule, limits
        self._began = time.monotonic()
        self._process: subprocess.Popen[bytes] | None = None
        self._home = tempfile.TemporaryDirectory(prefix="arcproof-grade-", ignore_cleanup_errors=True)
        self._places = SubmissionPlaces.of(figure, submission.reference, Path(self._home.name, "work"))
        self._written, self._said = Path(self._home.name, "found.json"), Path(self._home.name, "said.txt")
        if not submission.problem:
            command = _command(self._places, others, limits, self._written)
            self._process = _started(command, self._places.folder, self._said, limits)

    @property
    def _is_late(self) -> bool:
        return time.monotonic() - self._began > 2 * self._limits.seconds + self._limits.grace

    @property
    def is_over(self) -> bool:
        """Whether the process has ended, or has had its time."""
        return self._process is None or self._process.poll() is not None or self._is_late

    def grade(self) -> Grade:
        """Return the grade, given how the process ended."""
        submission, rule = self.submission, self._rule
        if self._process is None:
            return _graded(submission, rule, "failed", 0.0, _short(submission.problem))
        seconds = time.monotonic() - self._began
        ended = self._process.poll()
        _end(self._process)
        if ended is None:
            return _graded(
                submission, rule, "failed", seconds, f"it did not finish and was killed after {seconds:.0f} s"
            )
        try:
            found = read_result(self._written)
        except (OSError, BadResult):
            return _graded(submission, rule, "failed", seconds, self._places.as_given(self._why(ended, seconds)))
        return _as_found(submission, rule, self._places, found, ended, seconds, self._limits)

    def _why(self, ended: int, seconds: float) -> str:
        """Return why there is no result: what `conform` said, or how the process ended."""
        patience = min(self._limits.seconds, CALLS_TO_LOAD * self._limits.call_seconds)
        if ended == LATE and seconds > patience:
            return f"it was not imported within {patience:g} s"
        text = self._said.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")
        _, found, reason = text.rpartition("error: ")
        if found and ended in (2, LATE):
            return _short(reason.strip().partition("\n")[0])
        return f"the process {_how(ended)} and gave no result"

    def end(self) -> None:
        """Kill the process and those it has started, and remove its files."""
        if self._process is not None:
            _end(self._process)
        self._home.cleanup()


def grades(
    figure: str, submissions: Sequence[Submission], rule: PointsRule, limits: GradingLimits, jobs: int = 1
) -> Generator[tuple[int, Grade], None, None]:
    """Yield the grades as they become known, each with the position of its submission; `jobs` are compared at a time."""
    waiting, running = deque(enumerate(submissions)), dict[int, RunningSubmission]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                place, submission = waiting.popleft()
                running[place] = RunningSubmission(figure, submission, _beside(submission, submissions), rule, limits)
            over = [place for place, one in running.items() if one.is_over]
            for place in over:
                found = running[place].grade()
                running.pop(place).end()
                yield place, found
            if not over:
                time.sleep(GLANCE)
    finally:
        for one in running.values():
            one.end()


def _beside(submission: Submission, submissions: Sequence[Submission]) -> list[str]:
    """Return the other submissions in the same folder, by module name."""
    own = file_of(submission.reference)
    others = (file_of(one.given) for one in submissions)
    if own is None:
        return []
    return sorted(
        {Path(other).stem for other in others if other is not None and Path(other).parent == Path(own).parent}
        - {Path(own).stem}
    )


def _as_found(
    submission: Submission,
    rule: PointsRule,
    places: SubmissionPlaces,
    found: "Result",
    ended: int,
    seconds: float,
    limits: GradingLimits,
) -> Grade:
    outcome, looked, shortfalls, tasks, was_cut = found
    if outcome != {0: "conforms", 1: "diverges"}.get(ended, "open"):
        return _graded(submission, rule, "failed", seconds, f"the process {_how(ended)} after its result was written")
    reason = "nothing was compared" if outcome == "open" else ""
    if was_cut:
        reason = f"not everything was compared within the {limits.seconds:g} s that a submission may take"
    told = tuple(
        replace(one, text=places.as_given(one.text), replay=places.replay_as_given(one.replay)) for one in shortfalls
    )
    causes_first = tuple(sorted(told, key=lambda one: one.follows))
    return _graded(submission, rule, outcome, seconds, reason, looked, causes_first, tasks)


def _graded(
    submission: Submission,
    rule: PointsRule,
    outcome: Outcome,
    seconds: float,
    reason: str = "",
    looked: tuple[Looked, ...] = (),
    shortfalls: tuple[Shortfall, ...] = (),
    tasks: tuple[Performance, ...] = (),
) -> Grade:
    return Grade(submission, outcome, points_of(rule, outcome, tasks), seconds, reason, looked, shortfalls, tasks)


def _command(places: SubmissionPlaces, others: Sequence[str], limits: GradingLimits, written: Path) -> list[str]:
    numbers = {
        "--words": limits.words,
        "--samples": limits.samples,
        "--seed": limits.seed,
        "--timeout": limits.seconds,
        "--call-timeout": limits.call_seconds,
    }
    options = [text for name, value in numbers.items() for text in (name, str(value))]
    here = [
        sys.executable,
        "-B",  # nothing is left beside a submission
        "-P",
        "-m",
        "arcproof.alone",
        *others,
        "--",
        "conform",
    ]  # -P: no file beside the submissions is taken for a library
    return [*here, *options, "--json", str(written), "--", places.figure, places.reference]


def _environment() -> dict[str, str]:
    """Return the environment of this process, without settings for `conform`; a checkout of arcproof is found as well."""
    from arcproof import _version

    package = str(Path(_version.__file__).resolve().parent.parent)
    known = [str(Path(one).absolute()) for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    found = [] if package in site.getsitepackages() else [package]
    path = {"PYTHONPATH": os.pathsep.join([*known, *found])} if known or found else {}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARCPROOF_CONFORM_")}
    return {**kept, **path, "ARCPROOF_CONFIG": "off"}


def _started(command: list[str], folder: Path | None, said: Path, limits: GradingLimits) -> "subprocess.Popen[bytes]":
    with said.open("wb") as errors:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            env=_environment(),
            preexec_fn=_limited(limits.memory),
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the process and those it has started."""
    with suppress(ProcessLookupError, PermissionError, AttributeError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _limited(memory: int) -> Callable[[], None] | None:
    try:
        import resource
    except ImportError:
        return None

    def limit() -> None:
        for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, MOST_WRITTEN)):
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def _how(ended: int) -> str:
    return f"was ended by signal {-ended}" if ended < 0 else f"ended with exit code {ended}"


def _short(text: str) -> str:
    shown = for_terminal(text)
    return shown if len(shown) <= MOST_SAID else f"{shown[:MOST_SAID]}…"


# --- what the comparison wrote ---------------------------------------------------------------------------------------


class BadResult(ArcproofError, ValueError):
    """A file that is not the document of a comparison."""


Result: TypeAlias = tuple[Outcome, tuple[Looked, ...], tuple[Shortfall, ...], tuple[Performance, ...], bool]
"""The result of a comparison; the last element says whether it was cut off."""


def read_result(path: Path) -> Result:
    """Read the document of the comparison; raise `BadResult` if it is not valid, as the submission may have written it
    itself.
    """
    with path.open("rb") as file:
        data = file.read(MOST_WRITTEN)
    try:
        return _result(json.loads(data))
    except (ArcproofError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadResult(f"{path.name} is not the document of a comparison: {error}") from None


def _result(document: Any) -> Result:
    shortfalls = tuple(_shortfall(one) for one in document["divergences"])
    looked = tuple(
        Looked(_one_of(one["part"], PARTS), _natural(one["words"]), _natural(one["cases"]), _one_of(one["way"], WAYS))
        for one in document["looked"]
    )
    outcome = OUTCOMES[document["conforms"]]
    if (outcome == "diverges") != bool(shortfalls):
        raise ValueError("divergences and verdict contradict each other")
    tasks = tuple(map(_performance, document["tasks"]))
    return outcome, looked, shortfalls, tasks, document["note"] is not None


OUTCOMES: Final[dict[bool | None, Outcome]] = {True: "conforms", False: "diverges", None: "open"}
PARTS: Final = ("runs", "oracle", "repair", "cost", "encoding")
WAYS: Final = ("all", "merged", "drawn", "partly")


def _shortfall(one: dict[str, Any]) -> Shortfall:
    gold = None if one.get("gold") is None else tuple(None if head is None else _natural(head) for head in one["gold"])
    labels = None if one.get("labels") is None else tuple(map(_text, one["labels"]))
    if gold is not None:
        graph_of(gold, labels)
    return Shortfall(
        Kind(one["kind"]),
        _short(_text(one["detail"] or "")),
        _natural(one["words"], MOST_WORDS),
        tuple(map(_text, one["run"])),
        _short(_text(one["text"])),
        bool(one["follows"]),
        bool(one["drawn"]),
        sum(_natural(count["count"]) for count in one["counts"]),
        _text(one["replay"]),
        gold,
        labels,
    )


def _performance(one: dict[str, Any]) -> Performance:
    transition = one["transition"]
    task = DriverTask(_one_of(one["aim"], AIMS), "" if transition is None else _text(transition))
    right, wrong = _natural(one["right"]), _natural(one["wrong"])
    return Performance(task, right, wrong, one["done"] is True)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise TypeError("a text is missing")
    return for_terminal(value)


def _natural(value: object, most: int = 10**12) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError("a number is missing")
    return value


def _one_of(value: object, known: tuple[str, ...]) -> Any:
    if value not in known:
        raise ValueError(f"{value} is not one of {known}")
    return value
