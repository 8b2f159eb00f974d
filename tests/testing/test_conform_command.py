"""`arcproof conform`: names of drivers, messages, exit codes, files; logs of transitions."""

import importlib
import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from arcproof.documents import schema_of
from arcproof.generators.treebank import read
from arcproof.process.side_by_side import in_chunks
from arcproof.properties.conformance import apart, logs
from arcproof.properties.conformance.logs import BadLog, check_log, names_of
from arcproof.properties.conformance.references import named
from arcproof.reports.logs import to_text
from arcproof.transitions.graph import graph_of
from arcproof.transitions.system import System, load
from tests.conftest import ROOT
from tests.in_process import Result

Command = Callable[..., Result]

MINE = """
from tests.testing.drivers import *
from dataclasses import dataclass

class Half:
    figure = "arc-eager"

class Suggests(ArcEager):
    figure = "arc-eager"
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "my_parser.py"
    file.write_text(MINE, encoding="utf-8")
    (tmp_path / "misspells.py").write_text("import my_parsr\n", encoding="utf-8")
    return file


# --- drivers ---------------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("driver", ["my_parser:ArcEager", "my_parser.py:ArcEager", "tests.testing.drivers:ArcEager"])
def test_a_driver_that_conforms(arcproof_apart: Command, driver: str) -> None:
    done = arcproof_apart("conform", "arc-eager", driver, "--words", "3", "--samples", "5")

    assert done.code == 0, done.err
    assert done.out.startswith(f"{driver} (plain 1.0) conforms to arc-eager\n  lockstep: 82 runs, all up to 3 words\n")


@pytest.mark.process
@pytest.mark.usefixtures("mine")
def test_a_driver_that_knows_its_figure(arcproof_apart: Command) -> None:
    done = arcproof_apart("conform", "my_parser:Suggests", "--words", "2", "--samples", "0")

    assert done.code == 0
    assert "conforms to arc-eager" in done.out


@pytest.mark.process
def test_a_divergence_with_all_that_can_be_written(arcproof_apart: Command, mine: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    arguments = ["conform", "arc-eager", "my_parser.py:Permits", "--words", "2", "--samples", "0"]
    files = ["--json", "a.json", "--html", "a.html", "--write-test", "test_it.py"]
    done = arcproof_apart(*arguments, *files)

    assert done.code == 1
    assert "✗ permits what the figure refuses" in done.out
    folder = mine.parent
    document = json.loads((folder / "a.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, json.loads(schema_of("conform")))
    assert document["conforms"] is False
    assert "compared with arc-eager" in (folder / "a.html").read_text(encoding="utf-8")
    assert not (folder / ".hypothesis").exists()

    replay = shlex.split(document["divergences"][0]["replay"])
    again = arcproof_apart(*replay[1:])
    assert again.code == 1
    assert "figure  ([0], [1], {})  permits RIGHT-ARC, SHIFT" in again.out
    assert "driver  σ = [0], β = [1], A = {}  permits LEFT-ARC, RIGHT-ARC, SHIFT" in again.out

    alone = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert alone.returncode == 1
    assert "the driver permits LEFT-ARC" in alone.stdout
    assert "1 failed" in alone.stdout


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize(
    ("file", "driver"),
    [
        ("src/my-driver.py", "src/my-driver.py:Permits"),
        ("src/2 parsers.py", "src/2 parsers.py:Permits"),
        ("src/random.py", "{here}/src/random.py:Permits"),
    ],
)
def test_a_written_test_may_move_with_its_driver(
    arcproof_apart: Command, tmp_path: Path, file: str, driver: str
) -> None:
    here, there = tmp_path / "src", tmp_path / "elsewhere"
    here.mkdir()
    (here / "beside_it.py").write_text("FIGURE = 'arc-eager'\n", encoding="utf-8")
    (tmp_path / file).write_text(MINE + "\nfrom beside_it import FIGURE\n", encoding="utf-8")
    (tmp_path / "tests").mkdir()
    words = ["--words", "1", "--samples", "0", "--write-test", "tests/test_it.py"]
    assert arcproof_apart("conform", "arc-eager", driver.format(here=tmp_path), *words).code == 1

    written = (tmp_path / "tests" / "test_it.py").read_text(encoding="utf-8")
    assert str(tmp_path) not in written
    assert written.startswith("# Written by arcproof conform ")
    there.mkdir()
    for moved in ("src", "tests"):
        (tmp_path / moved).rename(there / moved)
    alone = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", there / "tests"],
        cwd=there / "tests",
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (alone.returncode, "the driver permits LEFT-ARC" in alone.stdout) == (1, True), alone.stdout
    assert "1 failed" in alone.stdout


@pytest.mark.process
@pytest.mark.usefixtures("mine")
def test_without_a_divergence_no_test_is_written(arcproof: Command, tmp_path: Path) -> None:
    arguments = ("--words", "1", "--samples", "0", "--write-test", "test_it.py")
    done = arcproof("conform", "arc-eager", "my_parser.py:ArcEager", *arguments)

    assert done.code == 0
    assert done.out.endswith("\nno test is written, as nothing diverged\n")
    assert not (tmp_path / "test_it.py").exists()


SIBLINGS = """
from tests.testing.drivers import ArcEager
import beside_it
import package.inner


class Driver(ArcEager):
    pass
"""


@pytest.fixture
def siblings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver, what it imports, and what it may import when it is asked."""
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "package").mkdir()
    (tmp_path / "driver.py").write_text(SIBLINGS, encoding="utf-8")
    for name in ("beside_it.py", "package/__init__.py", "package/inner.py", "later.py"):
        (tmp_path / name).write_text("X = 1\n", encoding="utf-8")
    (tmp_path / "link.py").symlink_to("beside_it.py")


@pytest.mark.long
@pytest.mark.usefixtures("siblings")
@pytest.mark.parametrize("output", ["--write-test", "--json="])
@pytest.mark.parametrize("driver", ["driver.py:Driver", "driver:Driver"])
@pytest.mark.parametrize(
    "file", ["driver.py", "beside_it.py", "package/__init__.py", "package/inner.py", "later.py", "link.py"]
)
def test_no_program_is_overwritten(arcproof: Command, tmp_path: Path, driver: str, output: str, file: str) -> None:
    before = (tmp_path / file).read_bytes()
    options = [f"{output}{file}"] if output.endswith("=") else [output, file]
    done = arcproof("conform", "arc-eager", driver, "--words", "1", "--samples", "0", *options)

    reason = "exists and was not written by arcproof" if file == "later.py" else "is read by this command"
    assert (done.code, f"{file} {reason}" in done.err) == (2, True), done.err
    assert "give the name of another file" in done.err
    assert (tmp_path / file).read_bytes() == before


@pytest.mark.process
@pytest.mark.usefixtures("mine")
def test_a_test_is_written_anew(arcproof: Command, tmp_path: Path) -> None:
    again = tmp_path / "test_it.py"
    again.touch()
    for words in ("1", "2"):
        arguments = ("--words", words, "--samples", "0", "--write-test", "test_it.py")
        assert arcproof("conform", "arc-eager", "my_parser.py:Permits", *arguments).code == 1
    again.write_text("import os\n" + again.read_text(encoding="utf-8"), encoding="utf-8")

    assert arcproof("conform", "arc-eager", "my_parser.py:Permits", *arguments).code == 2


@pytest.mark.process
@pytest.mark.usefixtures("mine")
def test_a_limit_that_comes_first(arcproof_apart: Command) -> None:
    done = arcproof_apart("conform", "arc-eager", "my_parser:ArcEager", "--words", "9", "--timeout", "1")

    assert done.code == 3
    assert "timed out" in done.out


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize("driver", ["Hangs", "HearsNoAlarm"])
def test_ctrl_c_ends_it_immediately_whatever_the_driver_does(mine: Path, driver: str) -> None:
    command = [sys.executable, "-m", "arcproof", "conform", "arc-eager", f"my_parser:{driver}", "--call-timeout", "100"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=mine.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)

    assert process.returncode == 3
    assert "interrupted" in out
    assert "Traceback" not in out


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "give a figure and a driver"),
        (["arc-eager", "nothing_here:Driver"], "there is no module `nothing_here`"),
        (["arc-eager", "nothing.py:Driver"], "nothing.py: there is no such file"),
        (["arc-eager", "my_parser.py:Driver"], "my_parser.py has no class `Driver`; it has Half, Suggests"),
        (["arc-eager", "my_parser.py:Half"], "def start(self, n)  # the initial configuration for n words"),
        (
            ["arc-eager", "../ds p/my_parser:Suggest"],
            "the name of a file must end in .py, as in ../ds p/my_parser.py:Suggest",
        ),
        (
            ["arc-eager", "misspells.py:Driver"],
            "misspells.py imports my_parsr, and there is no such module; did you mean my_parser?",
        ),
        (
            ["arc-eager", "misspells:Driver"],
            "misspells imports my_parsr, and there is no such module; did you mean my_parser?",
        ),
        (["arc-eager", "my_parser.py:Suggest"], "my_parser.py has no class `Suggest`; did you mean Suggests?"),
        (["arc-eager", "nlkt"], "there is no driver `nlkt`; did you mean nltk?"),
        (["arc-eager", "nlkt:ArcEager"], "there is no module `nlkt`; did you mean nltk?"),
        (["arc-eager", "nltk:ArcEagre"], "nltk has no driver `ArcEagre`; did you mean ArcEager?"),
        (
            ["arc-eager", "Driver"],
            "write package.module:Class, path/to/file.py:Class or the name of an included driver",
        ),
        (["arc-eagre", "my_parser.py:ArcEager"], "did you mean arc-eager"),
        (["my_parser.py:ArcEager"], "does not say which figure it follows"),
        (["arc-eager", "my_parser.py:ArcEager", "--gold", "0"], "--gold and --labels go with --replay"),
        (["arc-eager", "my_parser.py:ArcEager", "--replay", "", "--labels", "a"], "--labels needs --gold"),
        (["arc-eager", "my_parser.py:ArcEager", "--replay", "SHIFT"], "--replay needs the number of words: --words N"),
        (
            ["arc-eager", "my_parser.py:ArcEager", "--replay", "", "--gold", "2,0", "--words", "3"],
            "--words 3 contradicts --gold, which has 2 heads",
        ),
        (["arc-eager", "my_parser.py:ArcEager", "--names", "A=B"], "go with --log"),
        (["arc-eager", "my_parser.py:ArcEager", "--html", "my_parser.py"], "is read by this command"),
        (["arc-eager", "my_parser.py:ArcEager", "--log", "x"], "--log takes a figure and no driver"),
        (["arc-eager", "my_parser.py:Permits", "--write-test", "t.txt"], "t.txt: pytest reads only files whose names"),
        (["arc-eager", "my_parser.py:ArcEager", "--jobs", "2"], "--jobs goes with --log"),
        (["arc-eager", "--log", "x", "--write-test", "t.py"], "--write-test cannot be used with --log"),
        (["arc-eager", "--log", "x", "--replay", "", "--html", "a"], "--replay and --html cannot be used with --log"),
        (["arc-eager"], "arc-eager is a figure; a driver is missing, as in `arcproof conform arc-eager my_parser.py:"),
        (["covington[d=1]"], "covington[d=1] is a figure; a driver is missing"),
        (["mine.tsys"], "mine.tsys is a figure; a driver is missing"),
    ],
)
def test_wrong_usage(arcproof: Command, arguments: list[str], text: str) -> None:
    done = arcproof("conform", *arguments)

    assert done.code == 2
    assert text in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["random", "colorsys"])
def test_a_driver_does_not_take_the_place_of_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """`random` has been imported by now, `colorsys` has not."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "beside_it.py").write_text("FIGURE = 'arc-eager'\n", encoding="utf-8")
    source = "from beside_it import FIGURE\nfrom tests.testing.drivers import ArcEager\n\n\nclass Driver(ArcEager):\n    figure = FIGURE\n"
    (tmp_path / f"{name}.py").write_text(f"{source}\n    def fail(self):\n        1 / 0\n", encoding="utf-8")
    before = importlib.import_module("random")
    found = named(f"{tmp_path / name}.py:Driver")
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)

    assert not hasattr(importlib.import_module(name), "Driver")
    assert sys.modules["random"] is before
    assert (found.module, found.figure) == (name, "arc-eager")
    assert type(pickle.loads(pickle.dumps(found.kind()))) is found.kind
    with pytest.raises(ZeroDivisionError) as raised:
        found.kind().fail()
    assert raised.traceback[-1].path == tmp_path / f"{name}.py"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import not_there_at_all", "needs not_there_at_all, which is not installed; pip install not_there_at_all, or"),
        ("import broken.inner", "broken.py imports broken.inner, and there is no such module\n"),
        ("from random import nothing", "broken.py cannot be imported: ImportError: cannot import name 'nothing' from"),
        ("1 / 0", "broken.py cannot be imported: ZeroDivisionError: division by zero"),
        ("def f(:", "broken.py cannot be imported: SyntaxError"),
        ("import sys; sys.exit(0)", "broken.py cannot be imported: SystemExit: 0"),
        ("class E(Exception):\n    def __str__(self): 1 / 0\nraise E", "broken.py cannot be imported: E\n"),
    ],
)
def test_a_file_that_cannot_be_imported(
    arcproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, text: str
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "broken.py").write_text(source, encoding="utf-8")
    done = arcproof("conform", "arc-eager", "broken.py:Driver")

    assert done.code == 2
    assert text in done.err


def test_a_part_of_a_package_is_named_as_a_module(arcproof: Command, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "part.py").write_text("from . import other\n", encoding="utf-8")
    done = arcproof("conform", "arc-eager", "package/part.py:Driver")

    assert (done.code, "so name it package.module:Class" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("import sys; sys.exit(0)", "Driver() cannot be created: SystemExit: 0"),
        ("raise ValueError('no model')", "Driver() cannot be created: ValueError: no model"),
        ("[] + 1", "Driver() cannot be created: TypeError: can only concatenate list"),
        ("self.version = lambda: 1 / 0", "Driver() cannot be created: ZeroDivisionError: division by zero"),
    ],
)
def test_a_driver_that_cannot_be_made(arcproof: Command, tmp_path: Path, body: str, text: str) -> None:
    source = f"from tests.testing.drivers import ArcEager\nclass Driver(ArcEager):\n    def __init__(self): {body}\n"
    (tmp_path / "unmade.py").write_text(source, encoding="utf-8")
    done = arcproof("conform", "arc-eager", "unmade.py:Driver")

    assert done.code == 2
    assert text in done.err
    assert "Traceback" not in done.err


ODD = """
from tests.testing.drivers import ArcEager

class Odd:
    pass

class Driver(ArcEager):
    {}
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("figure = Odd", "Driver.figure is <class 'odd.Odd'>; it must be"),
        ("def __init__(self): raise ValueError(Odd)", "cannot be created: ValueError: <class 'odd.Odd'>"),
        ("def components(self, c): return {'σ': Odd()}", "components gives <odd.Odd object> for σ"),
        ("def name(self, t): return str(Odd())", "the driver has a transition '<odd.Odd object>'"),
        ("def heads(self, c): raise KeyError(Odd())", "heads raises KeyError: <odd.Odd object>"),
    ],
)
def test_messages_name_the_users_modules(arcproof: Command, tmp_path: Path, body: str, text: str) -> None:
    (tmp_path / "odd.py").write_text(ODD.format(body), encoding="utf-8")
    done = arcproof("conform", "arc-eager", "odd.py:Driver", "--words", "1", "--samples", "0")

    assert text in done.out + done.err
    assert "_arcproof" not in done.out + done.err


@pytest.mark.long
@pytest.mark.parametrize("place", ["module", "__init__"])
@pytest.mark.parametrize(("limit", "seconds"), [("--timeout", 0.5), ("--call-timeout", 0.05)])
def test_a_driver_that_is_never_ready(
    arcproof: Command, tmp_path: Path, place: str, limit: str, seconds: float
) -> None:
    loop = "while True: pass"
    source = loop if place == "module" else f"class Driver:\n    def __init__(self):\n        {loop}\n"
    (tmp_path / "endless.py").write_text(source, encoding="utf-8")
    done = arcproof("conform", "arc-eager", "endless.py:Driver", limit, str(seconds))

    assert done.code == 3
    assert "endless.py:Driver was not imported and created within 0." in done.err
    assert "Traceback" not in done.err


NOISY = """
import ctypes, os
from tests.testing.drivers import ArcEager

def noise():
    print("python")
    os.write(1, b"descriptor")
    ctypes.CDLL(None).printf(b"native")

noise()

class Driver(ArcEager):
    def __init__(self):
        noise()

    def start(self, n):
        noise()
        os.write(2, b"descriptor")
        return super().start(n)
"""


@pytest.mark.process
def test_what_a_driver_prints_is_dropped(arcproof_apart: Command, tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY, encoding="utf-8")
    done = arcproof_apart("conform", "arc-eager", "noisy.py:Driver", "--words", "1", "--samples", "0", "--json", "-")

    assert json.loads(done.out)["conforms"] is True
    assert "descriptor" not in done.err


@pytest.mark.process
def test_a_closed_standard_output(mine: Path) -> None:
    command = f"{sys.executable} -m arcproof conform arc-eager my_parser.py:{{}} --words 1 --samples 0 >&-"
    for driver, code in (("ArcEager", 0), ("Permits", 1)):
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command.format(driver), shell=True, cwd=mine.parent, stderr=subprocess.PIPE, text=True, env=environment
        )
        assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.process
def test_a_list_of_drivers_that_nobody_reads() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "arcproof", "conform", "--drivers"], stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (141, "")


def test_the_list_of_drivers(arcproof: Command) -> None:
    assert arcproof("conform", "--drivers").code == 0


# --- logs ------------------------------------------------------------------------------------------------------------

NAMES = "SH=SHIFT LA=LEFT-ARC RA=RIGHT-ARC RE=REDUCE"


def checked(*lines: str, system: str = "arc-eager", words: int | None = None) -> str:
    loaded = load(system)
    return to_text(check_log(loaded, lines, "a.log", names_of(NAMES if system == "arc-eager" else "", loaded), words))


@pytest.mark.parametrize(
    "line",
    [
        "SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC",
        "SH\tLA\tRA\tRA",
        "SH LA~det RA:root RA(obj)",
        "SH LA-det RA-root RA-obj",
        "shift left_arc RIGHTARC:root RightArc=obj",
        "SHIFT LEFT-ARC(a:b(c)) RIGHT-ARC~x~y RIGHT-ARC",
    ],
)
def test_names_and_labels_in_several_spellings(line: str) -> None:
    assert checked(line) == "a.log: 1 sentence, 4 transitions; every line is a run of arc-eager\n"


def test_labels_are_those_of_the_arcs() -> None:
    system = load("arc-eager")
    gold = graph_of((2, 0), ("a:b(c)", "root"))
    done = check_log(system, ["SHIFT LEFT-ARC(a:b(c)) RIGHT-ARC~root"], "a.log", {}, golds=[gold], with_gold=True)

    assert done.exit_code == 0
    other = check_log(system, ["SHIFT LEFT-ARC:x RIGHT-ARC:root"], "a.log", {}, golds=[gold], with_gold=True)
    assert other.counts == {"wrong tree": 1}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "SH LA LA",
            "line 1, transition 3: LA is refused in ([0], [2], {(2, 1)}): the precondition `i != 0` is violated "
            "with i = 0, j = 2; permitted: RIGHT-ARC, SHIFT",
        ),
        ("LA", "line 1, transition 1: LA is refused in ([0], [1], {}): the precondition `i != 0` is violated"),
        ("RA RE RE RA", "line 1, transition 3: RE is refused in ([0], [2], {(0, 1)})"),
    ],
)
def test_a_transition_that_is_refused(line: str, text: str) -> None:
    assert text in checked(line)


def test_a_run_that_stops_too_soon_or_too_late() -> None:
    early = (
        "line 1: the run stops in ([0, 1], [2, 3], {}), which is not terminal; permitted: LEFT-ARC, RIGHT-ARC, SHIFT"
    )
    assert early in checked("SH", words=3)
    assert "line 1, transition 2: SH comes after the end, ([0, 1], [], {})" in checked("SH SH", words=1)
    assert "line 1, transition 2: RE comes after the end, ([0, 1], [], {(0, 1)})" in checked("RA RE", words=1)


def test_lines_are_counted_as_the_file_has_them() -> None:
    text = checked("SH", "", "LA", "RA", "LA")

    assert "a.log: 4 sentences, 4 transitions; 2 lines are not runs of arc-eager (refused 2)" in text
    assert "line 3, transition 1" in text
    assert "line 5, transition 1" in text


def test_many_faults_are_not_all_shown() -> None:
    assert "  and 5 more lines\n" in checked(*["LA"] * 25)


def test_after_an_interruption_the_lines_checked_by_then_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later lines are not read before."""
    check = logs.check_run

    def interrupted(system: System, run: Any, line: int, *others: Any) -> Any:
        if line == 3:
            raise KeyboardInterrupt
        return check(system, run, line, *others)

    monkeypatch.setattr(logs, "check_run", interrupted)
    text = checked("SH LA RA RA", "LA", "SH", "what is this", "SH")

    assert "2 sentences, 5 transitions; 1 line is not a run of arc-eager" in text
    assert "interrupted: 3 more lines not checked" in text


@pytest.mark.process
def test_lines_are_checked_in_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def noted(function: Any, calls: Any, jobs: int = 1) -> Any:
        asked.append(jobs)
        return in_chunks(function, calls, jobs)

    monkeypatch.setattr(logs, "in_chunks", noted)
    monkeypatch.setattr("arcproof.process.side_by_side.ALONE", 0.0)
    system, lines = load("arc-eager"), ["SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC", "LEFT-ARC"] * 200
    alone, together = (to_text(check_log(system, lines, "a.log", {}, jobs=jobs)) for jobs in (1, 2))

    assert asked == [1, 2]
    assert alone == together


def test_choices() -> None:
    run = " ".join(map(str, load("arc-swift").derive(graph_of((0, 1, 1), ("a", "b", "c"))).transitions))

    assert "[2](c)" in run
    assert "every line is a run" in checked(run, system="arc-swift")
    assert "is refused" in checked(run.replace("[2]", "[4]"), system="arc-swift")


@pytest.mark.parametrize(
    ("lines", "names", "text"),
    [
        (["SHIFT POP"], "", "a.log, line 1, transition 2: `POP` is not a transition of arc-eager, which has LEFT-ARC"),
        (["SHIFTED"], "", "`SHIFTED` is not a transition"),
        (["SH\u0131FT"], "", "is not a transition of arc-eager"),
        (["RIGHT-ARC-PRIME"], "", "`RIGHT-ARC-PRIME` is not a transition of arc-eager"),
        (["SHIFT-nonsense RIGHT-ARC"], "", "`SHIFT-nonsense` is not a transition of arc-eager"),
        (["SHIFT:x RIGHT-ARC"], "", "`SHIFT:x` has a label, and SHIFT of arc-eager takes none; write SHIFT"),
        (["SH"], "SH=PUSH", "`SH=PUSH` does not name a transition of arc-eager"),
        (["SH"], "SH", "`SH` does not name a transition"),
        (["SH"], "SH=SHIFT SH=REDUCE", "SH is given twice, as SHIFT and as REDUCE"),
    ],
)
def test_names_that_are_not_known(lines: list[str], names: str, text: str) -> None:
    system = load("arc-eager")
    with pytest.raises(BadLog) as raised:
        check_log(system, lines, "a.log", names_of(names, system))

    assert text in str(raised.value)


def test_the_oracles_own_log_of_a_treebank(arcproof: Command, tmp_path: Path) -> None:
    """What the oracle of the figure does for a treebank is a log that leads to its gold trees; one slip is found."""
    from arcproof.classifiers.artificial import on_board

    place = on_board("artificial-test")
    assert place is not None
    system = load("swap")
    sentences = [sentence for sentence, _ in zip(read(place), range(40), strict=False)]
    runs = [" ".join(map(str, system.derive(one.graph).transitions)) for one in sentences]
    (tmp_path / "a.log").write_text("\n".join(runs) + "\n", encoding="utf-8")
    (tmp_path / "a.conllu").write_bytes(b"".join(line for one in sentences for line in one.lines))
    done = arcproof("conform", "swap", "--log", "a.log", "--treebank", "a.conllu", "--expect-gold")
    assert done.code == 0, done.out + done.err
    assert "40 sentences" in done.out

    slipped = runs[4].replace("LEFT-ARC", "RIGHT-ARC", 1)
    (tmp_path / "a.log").write_text("\n".join([*runs[:4], slipped, *runs[5:]]) + "\n", encoding="utf-8")
    done = arcproof("conform", "swap", "--log", "a.log", "--treebank", "a.conllu", "--expect-gold", "--json", "a.json")
    assert done.code == 1
    document = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    pytest.importorskip("jsonschema").validate(document, json.loads(schema_of("conform_log")))
    assert [fault["line"] for fault in document["faults"]] == [5]

    (tmp_path / "a.log").write_text("\n".join(runs[:-1]), encoding="utf-8")
    done = arcproof("conform", "swap", "--log", "a.log", "--treebank", "a.conllu")
    assert done.code == 2
    assert "39 lines with transitions, but the treebank has 40 sentences" in done.err


def test_a_log_without_lines_or_none_at_all(arcproof: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.log").write_text("\n", encoding="utf-8")

    assert arcproof("conform", "arc-eager", "--log", "empty.log").code == 3
    missing = arcproof("conform", "arc-eager", "--log", "nowhere.log")
    assert (missing.code, "nowhere.log cannot be read" in missing.err) == (2, True)
    assert arcproof("conform", "arc-eager", "--log", "-", stdin="SHIFT\n").code == 0


@pytest.mark.long
@pytest.mark.parametrize("way", ["timeout", "Ctrl-C"])
@pytest.mark.parametrize(("first", "code"), [("SHIFT RIGHT-ARC", 3), ("SHIFT", 1)])
def test_what_is_known_of_a_log_is_shown(
    arcproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, first: str, code: int
) -> None:
    from arcproof.properties.conformance import logs

    def slow(system: System, run: Sequence[logs.WrittenTransition], line: int, *rest: Any) -> logs.LogFault | None:
        if line > 2:
            time.sleep(20) if way == "timeout" else signal.raise_signal(signal.SIGINT)
        return real(system, run, line, *rest)

    real = logs.check_run
    monkeypatch.setattr(logs, "check_run", slow)
    (tmp_path / "a.log").write_text(f"{first}\n" + 4 * "SHIFT RIGHT-ARC\n", encoding="utf-8")
    limit = ("--timeout", "0.5") if way == "timeout" else ()
    done = arcproof("conform", "swap", "--log", "a.log", "--json=a.json", *limit)
    document = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))

    assert (done.code, done.err) == (code, "")
    assert done.out.startswith("a.log: 2 sentences, ")
    assert ("whether every line is a run of swap is open" in done.out) == (code == 3)
    assert "3 more lines not checked" in done.out
    assert (document["conforms"], document["left"], document["sentences"]) == (None if code == 3 else False, 3, 2)


def test_hypothesis_has_its_files_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder elsewhere was left behind when the command was killed; there is one only where there is no cache."""
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with apart._home() as home:
        assert home == str(tmp_path / "cache" / "hypothesis")
    monkeypatch.setenv("ARCPROOF_CACHE", "/dev/null/cache")
    with apart._home() as home:
        assert Path(home).parent == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
