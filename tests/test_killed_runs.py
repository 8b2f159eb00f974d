"""Commands that are killed and started again: the same report, and what was stored is not done again.

A command runs in a process forked from that of the tests, which has imported everything.  It is killed by SIGKILL while
it stores a piece, before or after that is written, or at any moment; nothing can be caught or tidied up.
"""

import json
import os
import random
import resource
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arcproof.process.run_store import FILE, FILES, RunStore
from tests.in_process import SETTINGS, run_here
from tests.stored_pieces import pieces_of
from tests.test_run_store import FIGURE, without_times

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here"),
]

SOUND = FIGURE.replace("-l-> i", "-l-> i  if i != 0").replace("forests", "forests\n    space <= 2n + 1")
"""A figure whose claims hold."""


class Killed(Exception):
    """The command was killed."""


class Runs:
    """A folder, a store, and commands that are forked."""

    def __init__(self, place: Path) -> None:
        self.work, self.cache = place / "work", place / "cache"
        self.work.mkdir(parents=True)
        self.figure(FIGURE, SOUND)

    def figure(self, lost: str, sound: str) -> None:
        (self.work / "lost.tsys").write_text(lost, encoding="utf-8")
        (self.work / "sound.tsys").write_text(sound.replace("system lost", "system found"), encoding="utf-8")

    def start(self, arguments: tuple[str, ...], before: Callable[[], None] = lambda: None, out: str = "out") -> int:
        """Fork a command that writes what it prints."""
        child = os.fork()
        if child:
            return child
        code = 99
        try:
            before()
            done = run_here(arguments, self.work, environment=self.environment)
            text = json.dumps([done.code, done.out, done.err])
            (self.cache.parent / out).write_text(text, encoding="utf-8")
            code = 0
        finally:
            os._exit(code)

    @property
    def environment(self) -> dict[str, str]:
        return {**SETTINGS, "ARCPROOF_STORE": "on", "ARCPROOF_CACHE": str(self.cache), "ARCPROOF_PROOFS": "kept"}

    def result(self, child: int, out: str = "out") -> tuple[int, Any, str]:
        """Exit code, document without times, and what is said on standard error; `Killed` if it was."""
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            raise Killed
        assert status == 0
        code, text, error = json.loads((self.cache.parent / out).read_text(encoding="utf-8"))
        return code, without_origin(json.loads(text)), error

    def run(self, arguments: tuple[str, ...], before: Callable[[], None] = lambda: None) -> tuple[int, Any, str]:
        return self.result(self.start(arguments, before))

    @property
    def store(self) -> RunStore:
        return RunStore(self.cache / "runs")


def without_origin(document: Any) -> Any:
    """Without times and their quotients, and without whether a proof was kept, which says whose times they are."""
    match document:
        case dict():
            left = without_times(document)
            return {name: without_origin(one) for name, one in left.items() if name not in ("kept", "stored", "times")}
        case list():
            return [without_origin(one) for one in document]
        case _:
            return document


@cache
def expected(arguments: tuple[str, ...]) -> tuple[int, Any, int]:
    """Exit code and document of a command that nothing interrupts, and how many pieces it stores.

    It runs in the process of the tests, so that those that are forked later have imported what it needs.
    """
    with tempfile.TemporaryDirectory() as place:
        alone = Runs(Path(place) / "alone")
        done = run_here(arguments, alone.work, environment=alone.environment)
        store = alone.store
        total = len(pieces_of(store))
        store.close()
    return done.code, without_origin(json.loads(done.out)), total


def killing(number: int, written: bool) -> Callable[[], None]:
    """Be killed while this piece is stored, before it is written or after."""

    def prepare() -> None:
        keep, count = RunStore.keep, 0

        def kept(store: RunStore, *arguments: Any) -> None:
            nonlocal count
            count += 1
            if count == number and not written:
                os.kill(os.getpid(), signal.SIGKILL)
            keep(store, *arguments)
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)

        RunStore.keep = kept  # type: ignore[method-assign]

    return prepare


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


VERIFY = ("verify", "lost.tsys", "sound.tsys", "--words", "3", "--samples", "5", "--claims-only", "--json", "-")
MUTATE = ("mutate", "lost.tsys", "--words", "2", "--jobs", "1", "--json", "-")
PROVE = ("prove", "sound.tsys", "--jobs", "1", "--claim", "sound", "--json", "-")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("arguments", "kills", "least"),
    [
        pytest.param(VERIFY, 4, 1.0, id="verify"),
        pytest.param(MUTATE, 4, 0.8, id="mutate"),
    ],
)
def test_a_killed_command_resumes_with_the_same_report(
    arguments: tuple[str, ...], kills: int, least: float, runs: Runs
) -> None:
    code, document, total = expected(arguments)
    draw, stored = random.Random(0), 0
    for kill in range(kills):
        with pytest.raises(Killed):
            runs.run(arguments, killing(draw.randint(1, max(1, total // kills - 1)), written=kill % 2 == 0))
        assert len(pieces_of(runs.store)) >= stored
        stored = len(pieces_of(runs.store))
    again, said, error = runs.run(arguments)

    assert (again, said) == (code, document)
    assert stored > 0
    assert int(error.rpartition("\n")[0].rpartition("\n")[2].split()[0]) >= least * stored, error
    assert len(pieces_of(runs.store)) == total
    assert set(os.listdir(runs.cache / "runs")) <= set(FILES)


@pytest.mark.nightly
@pytest.mark.solver
def test_a_killed_proof_resumes_with_the_same_report(runs: Runs) -> None:
    """A claim is proved by a process that the command forks, so that alone is killed; the command says so."""
    code, document, total = expected(PROVE)
    assert code == 0
    number = 5
    _, cut_short, _ = runs.run(PROVE, killing(number, written=True))
    assert cut_short["systems"][0]["theorems"][0]["verdict"] == "unknown"
    assert len(pieces_of(runs.store)) == number
    again, said, error = runs.run(PROVE)

    assert (again, said) == (code, document)
    assert f"{number} pieces were taken" in error
    assert len(pieces_of(runs.store)) == total


def test_a_command_is_killed_at_any_moment(runs: Runs) -> None:
    whole = expected(VERIFY)[:2]
    draw = random.Random(1)
    for _ in range(4):
        child = runs.start(VERIFY)
        time.sleep(draw.uniform(0.0, 0.3))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert runs.run(VERIFY)[:2] == whole


def test_two_commands_share_a_store(runs: Runs) -> None:
    whole = expected(VERIFY)[:2]
    children = {out: runs.start(VERIFY, out=out) for out in ("one", "two")}
    for out, child in children.items():
        *said, error = runs.result(child, out)
        assert tuple(said) == whole
        assert "not stored" not in error
    database = sqlite3.connect(runs.cache / "runs" / FILE)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()


@pytest.mark.parametrize("size", [0, 20_000])
def test_a_full_disk_costs_one_sentence(size: int, runs: Runs) -> None:
    whole = expected(VERIFY)[:2]

    def full() -> None:
        # what the command prints goes through a file too, so the store alone must not grow
        opened = RunStore._opened

        def limited(store: RunStore) -> sqlite3.Connection:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            return opened(store)

        close = RunStore.close

        def unlimited(store: RunStore) -> None:
            close(store)
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        RunStore._opened = limited  # type: ignore[method-assign]
        RunStore.close = unlimited  # type: ignore[method-assign]

    *said, error = runs.run(VERIFY, full)
    assert tuple(said) == whole
    assert error.count("runs are not stored: ") == 1
    assert "Traceback" not in error
    assert runs.run(VERIFY)[:2] == whole
