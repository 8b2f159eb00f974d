"""Submissions run one after the other, each by `arcproof conform` in a process of its own.

A submission can end nothing but that process: it has its own limits of time and memory, files it writes stay small,
what it prints is dropped, and the processes it started end with it.  Nothing is believed but the
JSON document of the comparison, which is read as data; without one the submission has failed.  This is not a sandbox: a
submission runs with the rights of whoever grades it.
"""

import ast
import json
import os
import re
import signal
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.conform import Looked
from arcproof.properties.conformance.divergence import Kind
from arcproof.properties.conformance.grades import Grade, Outcome, PointsRule, Shortfall, Submission, points_of
from arcproof.properties.conformance.tasks import AIMS, Performance, Task
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import graph_of
from arcproof.transitions.printing.escape import for_terminal

COURSE_CLASS: Final = "PartialParse"
MOST_BYTES: Final = 1_000_000
"""Of a submitted file."""
MOST_WRITTEN: Final = 50_000_000
"""Of a file that a submission writes, and of the document that is read."""
MOST_WORDS: Final = 100
"""Of a divergence: a comparison takes far fewer."""
MOST_TEXT: Final = 10_000
MOST_SAID: Final = 400
"""Characters of a reason, and of any other text that comes from a submission."""
GRACE: Final = 10.0
"""Seconds beyond its time that a submission may take to start and to end."""
DRIVES: Final = ("parse_step", "permissible")
"""A class with one of these methods is what is graded."""


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


# --- what is graded --------------------------------------------------------------------------------------------------


def file_of(given: str) -> str | None:
    """The file of a submission, `a.py` or `a.py:Class`; None for a module."""
    place = given.rpartition(":")[0] if ".py:" in given else given
    return place if place.endswith(".py") else None


def submissions_of(given: Sequence[str], class_name: str | None) -> list[Submission]:
    """The submissions, each with its driver and a name of its own."""
    names = _names(given)
    return [_submission(one, name, class_name) for one, name in zip(given, names, strict=True)]


def _submission(given: str, name: str, class_name: str | None) -> Submission:
    shown = for_terminal(given)
    if not given.endswith(".py"):
        return Submission(shown, name, given)
    try:
        kind = class_name or _class_in(Path(given))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        return Submission(shown, name, problem=_unreadable(error))
    return Submission(shown, name, f"{given}:{kind}")


def _class_in(path: Path) -> str:
    """The class of a file that is graded; nothing in the file is executed."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"the file has more than {MOST_BYTES:,} bytes")
    body = ast.parse(path.read_bytes()).body
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    driving = [node.name for node in classes if any(_method(part) in DRIVES for part in node.body)]
    if len(driving) == 1:
        return driving[0]
    if COURSE_CLASS in (node.name for node in classes):
        return COURSE_CLASS
    if driving:
        raise ValueError(f"several classes could be graded, {', '.join(driving)}; choose one with --class")
    raise ValueError("it has no class with the method parse_step and no driver; name one with --class")


def _method(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.FunctionDef) else ""


def _unreadable(error: Exception) -> str:
    match error:
        case SyntaxError(msg=said, lineno=line):
            return f"it is not Python: {said}" + ("" if line is None else f", line {line}")
        case OSError():
            return f"it cannot be read: {error.strerror}"
        case RecursionError() | MemoryError():
            return "it is nested too deeply to be read"
        case _:
            return str(error)


def _names(given: Sequence[str]) -> list[str]:
    """The names of the reports: the paths without what they have in common; `alice/solution.py` is `alice-solution`."""
    files = [file_of(one) for one in given]
    parts = [
        (one,) if path is None else Path(path).with_suffix("").parts for one, path in zip(given, files, strict=True)
    ]
    common = len(list(takewhile(lambda level: len(set(level)) == 1, zip(*(part[:-1] for part in parts), strict=False))))
    taken = {"grades"}
    names = []
    for part in parts:
        plain = re.sub(r"[^\w.-]+", "-", "-".join(part[common:]), flags=re.ASCII).strip("-.")[:80] or "submission"
        name = next(one for one in _numbered(plain) if one.lower() not in taken)
        taken.add(name.lower())
        names.append(name)
    return names


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


# --- one submission --------------------------------------------------------------------------------------------------


def grade(figure: str, submission: Submission, rule: PointsRule, limits: GradingLimits) -> Grade:
    """Compare one submission with the figure; whatever it does, there is a grade."""
    began = time.monotonic()
    if submission.problem:
        return _graded(submission, rule, "failed", 0.0, _short(submission.problem))
    with tempfile.TemporaryDirectory(prefix="arcproof-grade-") as folder:
        written, said = Path(folder, "found.json"), Path(folder, "said.txt")
        ended = _run(_command(figure, submission.reference, limits, written), said, limits)
        seconds = time.monotonic() - began
        if ended is None:
            return _graded(submission, rule, "failed", seconds, f"it did not end; it was ended after {seconds:.0f} s")
        try:
            found = read_result(written)
        except (OSError, BadResult):
            return _graded(submission, rule, "failed", seconds, _why(ended, said))
    outcome, looked, shortfalls, tasks, note = found
    if outcome != {0: "conforms", 1: "diverges"}.get(ended, "open"):
        return _graded(submission, rule, "failed", seconds, f"the process {_how(ended)} after its result was written")
    return _graded(submission, rule, outcome, seconds, note, looked, shortfalls, tasks)


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


def _command(figure: str, reference: str, limits: GradingLimits, written: Path) -> list[str]:
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
        "arcproof",
        "conform",
    ]  # -P: no file beside the submissions is taken for a library
    return [*here, *options, "--json", str(written), "--", figure, reference]


def _environment() -> dict[str, str]:
    """That of this process, without settings for `conform`; a checkout is found as well."""
    from arcproof import _version

    package = str(Path(_version.__file__).resolve().parent.parent)
    known = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    found = [] if package in site.getsitepackages() else [package]
    path = {"PYTHONPATH": os.pathsep.join([*known, *found])} if known or found else {}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARCPROOF_CONFORM_")}
    return {**kept, **path, "ARCPROOF_CONFIG": "off"}


def _run(command: list[str], said: Path, limits: GradingLimits) -> int | None:
    """How the process ended; None if it had to be ended."""
    with said.open("wb") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            env=_environment(),
            preexec_fn=_limited(limits.memory),
        )
        try:
            return process.wait(2 * limits.seconds + limits.grace)
        except subprocess.TimeoutExpired:
            return None
        finally:
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


def _why(ended: int, said: Path) -> str:
    """Why there is no result: what `conform` said, or how the process ended."""
    with said.open("rb") as file:
        text = file.read(MOST_BYTES).decode("utf-8", "replace")
    _, found, reason = text.rpartition("error: ")
    if found and ended == 2:
        return _short(reason.strip().partition("\n")[0])
    return f"the process {_how(ended)} and gave no result"


def _how(ended: int) -> str:
    return f"was ended by signal {-ended}" if ended < 0 else f"ended with exit code {ended}"


def _short(text: str) -> str:
    shown = for_terminal(text)
    return shown if len(shown) <= MOST_SAID else f"{shown[:MOST_SAID]}…"


# --- what the comparison wrote ---------------------------------------------------------------------------------------


class BadResult(ArcproofError, ValueError):
    """A file that is not the document of a comparison."""


Result: TypeAlias = tuple[Outcome, tuple[Looked, ...], tuple[Shortfall, ...], tuple[Performance, ...], str]


def read_result(path: Path) -> Result:
    """The document of the comparison; `BadResult` if it is not valid, as the submission itself may have written it."""
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
    note = document["note"]
    reason = "" if note is None else _short(_text(note))
    return outcome, looked, shortfalls, tasks, reason or ("nothing was compared" if outcome == "open" else "")


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
    task = Task(_one_of(one["aim"], AIMS), "" if transition is None else _text(transition))
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
