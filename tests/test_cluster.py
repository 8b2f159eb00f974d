"""`--cluster`: the same results as without, from workers that share no files with whoever asks.

The workers are started as by hand, each in a directory of its own with its own home and cache; none of them sees the
files of a test.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arcproof.process.extras import install
from tests.in_process import Result

pytestmark = pytest.mark.process

Command = Callable[..., Result]
TIMES = ("seconds", "times")
FIGURE = """system mine
  state   stack σ, buffer β
  start   [0], [1..n]
  final   σ = [0], β = []
  LEFT-ARC(l)    σ|i|j, β  =>  σ|j, β       add j -l-> i    if i != 0
  RIGHT-ARC(l)   σ|i|j, β  =>  σ|i, β       add i -l-> j
  SHIFT          σ, i|β    =>  σ|i, β
  default SHIFT
  oracle none
  claims
    sound        projective trees
    length       = 2n
    equivalent to other.tsys
"""


@dataclass
class Machines:
    """A scheduler, and workers with nothing in common."""

    address: str
    file: Path
    processes: list[subprocess.Popen[bytes]]

    def worker_processes(self) -> list[int]:
        """Of the workers at this moment."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            return list(client.run(os.getpid).values())


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with started(tmp_path_factory.mktemp("cluster"), workers=2) as found:
        yield found


@contextmanager
def started(folder: Path, workers: int) -> Iterator[Machines]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    file = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"]
    processes = [start(folder, "scheduler", *options, "--scheduler-file", str(file))]
    for number in range(workers):
        place = folder / f"worker{number}"
        processes.append(start(place, "worker", address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"))
    try:
        while not file.exists():  # the scheduler writes it when it is ready
            time.sleep(0.05)
        yield Machines(address, file, processes)
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def start(folder: Path, *command: str) -> subprocess.Popen[bytes]:
    """A part of the cluster, in a directory of its own."""
    home = folder / "home"
    home.mkdir(parents=True)
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "ARCPROOF_CACHE": str(home / "kept")}
    environment = {**os.environ, **places, "DASK_TEMPORARY_DIRECTORY": str(folder)}
    arguments = [sys.executable, "-m", "dask", *command]
    return subprocess.Popen(
        arguments, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def without_times(document: Any) -> Any:
    match document:
        case dict():
            return {key: without_times(value) for key, value in document.items() if not any(t in key for t in TIMES)}
        case list():
            return [without_times(value) for value in document]
        case _:
            return document


def told(result: Result) -> tuple[int, str]:
    """What a command printed but for times, and its exit code."""
    return result.code, json.dumps(without_times(json.loads(result.out))) if result.out else result.err


@pytest.fixture
def figure(tmp_path: Path) -> str:
    """One that names another; both only here."""
    (tmp_path / "mine.tsys").write_text(FIGURE, encoding="utf-8")
    other = FIGURE.replace("system mine", "system other").replace("    equivalent to other.tsys\n", "")
    (tmp_path / "other.tsys").write_text(other, encoding="utf-8")
    return "mine.tsys"


@pytest.mark.nightly
@pytest.mark.compiler
def test_mutants_are_judged_elsewhere(arcproof: Command, machines: Machines, figure: str) -> None:
    arguments = ("mutate", figure, "--words", "2", "--json", "-")
    here, there = arcproof(*arguments), arcproof(*arguments, "--cluster", machines.address)

    assert told(here) == told(there)


@pytest.mark.compiler
def test_several_systems_are_verified_elsewhere(arcproof: Command, machines: Machines, figure: str) -> None:
    arguments = ("verify", figure, "arc-standard", "--words", "2", "--samples", "2", "--claims-only", "--json", "-")
    here, there = arcproof(*arguments), arcproof(*arguments, "--cluster", str(machines.file))

    assert told(here) == told(there)
    assert here.code == 0


@pytest.mark.solver
def test_solvers_are_asked_elsewhere(arcproof: Command, machines: Machines) -> None:
    arguments = ("prove", "arc-standard-stack", "--claim", "length", "--no-cache", "--jobs", "1", "--json", "-")
    here, there = arcproof(*arguments), arcproof(*arguments, "--cluster", machines.address)

    assert told(here) == told(there)
    assert here.code == 0


@pytest.mark.compiler
def test_cells_are_computed_where_their_files_are_not(arcproof: Command, machines: Machines, tmp_path: Path) -> None:
    from arcproof.classifiers.artificial import on_board

    for part in ("train", "test"):
        whole = on_board(f"artificial-{part}")
        assert whole is not None
        text = whole.read_text(encoding="utf-8")
        (tmp_path / f"own-{part}.conllu").write_text("\n\n".join(text.split("\n\n")[:8]) + "\n\n", encoding="utf-8")
    arguments = ("experiment", "arc-standard", "--treebank", "own", "--json")
    here, there = arcproof(*arguments, "-o", "a"), arcproof(*arguments, "-o", "b", "--cluster", machines.address)

    assert told(here) == told(there)
    assert len(list((tmp_path / "b" / "cells").iterdir())) == 1


def test_coverage_is_counted_elsewhere(arcproof: Command, machines: Machines) -> None:
    arguments = ("coverage", "arc-standard", "--treebank", "artificial-test", "--json")
    here, there = arcproof(*arguments), arcproof(*arguments, "--cluster", machines.address)

    assert here == there


@pytest.mark.nightly
@pytest.mark.compiler
def test_a_time_limit_ends_what_workers_are_doing(arcproof: Command, machines: Machines) -> None:
    began = time.monotonic()
    ended = arcproof("mutate", "swap", "--words", "6", "--timeout", "2", "--json", "-", "--cluster", machines.address)

    assert ended.code == 3
    assert "the time limit of 2 s was reached" in ended.err
    assert time.monotonic() - began < 20
    again = arcproof("mutate", "arc-standard", "--words", "1", "--json", "-", "--cluster", machines.address)
    assert again.code in (0, 3)


def test_an_error_of_a_call_is_not_taken_for_a_scheduler_that_is_gone(machines: Machines) -> None:
    from arcproof.process.dask_cluster import connected

    with connected(machines.address) as cluster:
        with pytest.raises(FileNotFoundError):
            list(cluster.results(os.listdir, [("/nowhere/to/be/found",)]))
        assert list(cluster.results(abs, [(number,) for number in range(-9, 0)])) == list(range(9, 0, -1))


def test_a_worker_that_dies_is_replaced(arcproof: Command, machines: Machines) -> None:
    arguments = ("mutate", "swap", "--words", "3", "--engine", "interpreter", "--fresh", "--json", "-")
    here = arcproof(*arguments)
    before = machines.worker_processes()
    killed = threading.Timer(1.0, os.kill, (before[0], signal.SIGKILL))
    killed.start()
    there = arcproof(*arguments, "--cluster", machines.address)
    killed.join()

    assert machines.worker_processes() != before
    assert told(here) == told(there)


def test_it_is_said_if_a_call_kills_every_worker_that_makes_it(machines: Machines) -> None:
    """joblib alone would wait for ever.  With a single worker it would make the call in this process."""
    from arcproof.process.cluster import ClusterLost
    from arcproof.process.dask_cluster import connected

    while len(machines.worker_processes()) < 2:  # one is being replaced after the test before
        time.sleep(0.1)
    with (
        connected(machines.address) as cluster,
        pytest.raises(ClusterLost, match=r"killed every worker that made it \(4 so far\)"),
    ):
        list(cluster.results(os._exit, [(1,)]))


def test_it_is_said_if_the_scheduler_is_gone(tmp_path: Path) -> None:
    from arcproof.process.cluster import ClusterLost
    from arcproof.process.dask_cluster import connected

    with started(tmp_path, workers=1) as cluster, connected(cluster.address) as connection:
        results = connection.results(time.sleep, [(0,), (60,)])
        next(results)
        cluster.processes[0].kill()
        with pytest.raises(ClusterLost, match="is gone"):
            next(results)


def test_an_address_where_nobody_answers(arcproof: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from arcproof.process import dask_cluster

    monkeypatch.setattr(dask_cluster, "SECONDS_TO_CONNECT", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        refused = arcproof("mutate", "arc-eager", "--cluster", f"127.0.0.1:{taken.getsockname()[1]}")

    assert refused.code == 2
    assert "no scheduler answers at 127.0.0.1:" in refused.err


def test_without_the_extra(arcproof: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused = arcproof("mutate", "arc-eager", "--cluster", "local")

    assert refused.code == 2
    assert install("cluster") in refused.err


def test_workers_have_whatever_a_stored_piece_depends_on() -> None:
    """What they find is stored here, as if it had been found here."""
    from arcproof.classifiers import experiment
    from arcproof.process import dask_cluster
    from arcproof.properties import stored

    assert {*stored.RUNS_ON, *experiment.RUNS_ON} <= {*dask_cluster.LIBRARIES}
    assert {*stored.CODE, *experiment.CODE} <= {*dask_cluster.CODE}
    assert "networkx" in dask_cluster.identity()


def test_other_code_is_not_asked(arcproof: Command, machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    from arcproof.process import dask_cluster

    monkeypatch.setattr(dask_cluster, "code_digest", lambda _: "changed")
    refused = arcproof("mutate", "arc-eager", "--cluster", machines.address)

    assert refused.code == 2
    assert re.search(r"has arcproof [0-9a-f]{12} instead of changed", refused.err)


def test_a_worker_that_joins_later_must_have_the_same_code(machines: Machines) -> None:
    from arcproof.process.cluster import ClusterLost
    from arcproof.process.dask_cluster import connected

    with connected(machines.address) as cluster, pytest.MonkeyPatch.context() as patched:
        patched.setattr("arcproof.process.dask_cluster.code_digest", lambda _: "changed")
        with pytest.raises(ClusterLost, match="instead of changed"):
            list(cluster.results(abs, [(1,)]))
