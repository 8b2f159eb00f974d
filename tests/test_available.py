"""Processors and memory are those that the process may use, not those of the machine."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import pytest

from arcproof.process.available import memory, processors
from arcproof.process.side_by_side import in_processes
from tests.in_process import Result

Machine = Callable[[dict[str, str]], Path]
MANY = frozenset(range(384))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine of 384 processors and 64 GB with these files under its root."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: MANY, raising=False)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**24}.__getitem__)

    def make(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return make


V1 = "4:cpu,cpuacct:/job\n3:memory:/job\n1:name=systemd:/\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, (384, 64.0)),
        ({"proc/self/cgroup": "0::/\n"}, (384, 64.0)),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000", "sys/fs/cgroup/memory.max": "max"}, (384, 64.0)),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000", "sys/fs/cgroup/memory.max": str(2**31)}, (2, 2.0)),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "300000 100000", "sys/fs/cgroup/a/b/cpu.max": "max 100000"}, (3, 64.0)),
        ({"proc/self/cgroup": "0::/host/path\n", "sys/fs/cgroup/memory.max": str(2**30)}, (384, 1.0)),
        (
            {
                "proc/self/cgroup": V1,
                "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "400000",
                "sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": str(2**32),
            },
            (4, 4.0),
        ),
        (
            {
                "proc/self/cgroup": V1,
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": str(2**63 - 4096),
            },
            (384, 64.0),
        ),
        ({"proc/self/cgroup": "nonsense\n0::\n::\n0::/../..\n", "sys/fs/cgroup/cpu.max": "many"}, (384, 64.0)),
    ],
)  # fmt: skip
def test_control_groups_limit_processors_and_memory(
    machine: Machine, files: dict[str, str], expected: tuple[int, float]
) -> None:
    root = machine(files)
    assert (processors(root), memory(root) / 2**30) == expected


def test_the_affinity_limits_processors(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    root = machine({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "500000 100000"})
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 3}, raising=False)
    assert processors(root) == 2


def test_a_machine_of_many_processors_runs_every_command(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, arcproof: Callable[..., Result]
) -> None:
    """`384` was not a whole number from 1 to 256."""
    machine({})
    monkeypatch.setattr(os, "cpu_count", lambda: 384)
    found = arcproof("reach", "arc-eager", "|σ| = 2", "--words", "1", "--engine", "interpreter")
    assert found.code == 0, found.err


def test_there_are_never_more_processes_than_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Threads(joblib.Parallel):  # type: ignore[misc]
        def __init__(self, n_jobs: int, **options: Any) -> None:
            started.append(n_jobs)
            super().__init__(n_jobs, backend="threading", **options)

    monkeypatch.setattr(joblib, "Parallel", Threads)
    assert list(in_processes(abs, ((number,) for number in (-1, -2, -3)), 128)) == [1, 2, 3]
    assert started == [3]
