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
from arcproof.properties.conformance import apart, logs
from arcproof.properties.conformance.logs import check_log, names_of
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
@pytest.mark.parametrize(
    ("driver", "output", "file"),
    [
        ("driver.py:Driver", "--write-test", "driver.py"),
        ("driver:Driver", "--json=", "driver.py"),
        ("driver.py:Driver", "--json=", "beside_it.py"),
        ("driver:Driver", "--write-test", "package/inner.py"),
        ("driver.py:Driver", "--write-test", "later.py"),
        ("driver:Driver", "--json=", "link.py"),
    ],
)
def test_no_program_is_overwritten(arcproof: Command, tmp_path: Path, driver: str, output: str, file: str) -> None:
    before = (tmp_path / file).read_bytes()
    options = [f"{output}{file}"] if output.endswith("=") else [output, file]
    done = arcproof("conform", "arc-eager", driver, "--words", "1", "--samples", "0", *options)

    assert done.code == 2
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


def test_choices() -> None:
    run = " ".join(map(str, load("arc-swift").derive(graph_of((0, 1, 1), ("a", "b", "c"))).transitions))

    assert "[2](c)" in run
    assert "every line is a run" in checked(run, system="arc-swift")
    assert "is refused" in checked(run.replace("[2]", "[4]"), system="arc-swift")


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
