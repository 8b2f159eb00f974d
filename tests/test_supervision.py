"""Tasks in processes that can be ended: their results, their limits, and that nothing they do keeps them alive."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arcproof.commands.results import ProvedSystems
from arcproof.process.supervision import Done, Ended, supervised
from tests.conftest import ROOT, Result

Say = Callable[[str], None]


def work(task: str, say: Say) -> str:
    """Tasks by name."""
    say(f"at {task}")
    match task.split():
        case ["sleep", seconds]:
            signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
            time.sleep(float(seconds))
        case ["fail"]:
            raise ValueError("as asked")
        case ["read"]:
            raise OSError("as asked")
        case ["kill"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["leave", descriptor]:
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=[int(descriptor)])
        case ["die"]:
            os._exit(1)
    return task.upper()


def outcomes(*tasks: str, jobs: int = 1, whole: float | None = None, each: float | None = None) -> dict[str, object]:
    return dict(supervised(work, tasks, lambda _: None, jobs, whole, each))


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_task_is_done(jobs: int) -> None:
    assert outcomes("a", "b", "c", jobs=jobs) == {"a": Done("A"), "b": Done("B"), "c": Done("C")}


@pytest.mark.process
def test_a_task_that_takes_too_long_is_ended_and_the_next_is_done() -> None:
    began = time.monotonic()
    found = outcomes("sleep 60", "b", each=0.5)

    assert time.monotonic() - began < 30
    assert found == {"sleep 60": Ended("the time limit of 0.5 s for a claim was reached"), "b": Done("B")}


@pytest.mark.process
def test_after_the_timeout_nothing_is_started() -> None:
    over = Ended("the time limit of 0.5 s was reached")
    found = outcomes("a", "sleep 60", "c", whole=0.5)

    assert found == {"a": Done("A"), "sleep 60": over, "c": over}
    spent = [outcome.seconds for outcome in found.values() if isinstance(outcome, Ended)]
    assert spent[0] > 0
    assert spent[1] == 0


@pytest.mark.process
def test_what_a_task_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="as asked"):
        outcomes("a", "fail", "c")
    with pytest.raises(OSError, match="as asked"):
        outcomes("a", "read", "c")


@pytest.mark.process
def test_a_process_that_is_lost_loses_its_task_alone() -> None:
    assert outcomes("die", "b") == {"die": Ended("its process ended unexpectedly"), "b": Done("B")}
    assert outcomes("kill", "b") == {"kill": Ended("its process ended unexpectedly, by signal 9"), "b": Done("B")}


@pytest.mark.process
def test_what_a_task_has_started_ends_with_its_process() -> None:
    """Workers of a worker kept the output open for minutes after the command had ended."""
    reading, writing = os.pipe()
    assert outcomes(f"leave {writing}") == {f"leave {writing}": Done(f"LEAVE {writing}")}
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], 20)
    os.close(reading)

    assert ready, "somebody still holds the other end"


@pytest.mark.process
def test_an_interruption_ends_every_process() -> None:
    began = time.monotonic()
    found = supervised(work, ["a", "sleep 60", "sleep 61"], lambda _: None, jobs=2)
    assert next(found) == ("a", Done("A"))
    with pytest.raises(KeyboardInterrupt):
        found.throw(KeyboardInterrupt())
    assert time.monotonic() - began < 30


# --- prove -----------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_prove_reacts_to_ctrl_c_within_a_second(jobs: str) -> None:
    """Whatever a solver is at; what was found by then is shown."""
    systems = ["arc-swift", "swap", "swap-max2", "choi-nicolov"]
    command = [sys.executable, "-m", "arcproof", "prove", *systems, "--no-cache", "--jobs", jobs]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        time.sleep(8)
        began = time.monotonic()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)

    assert time.monotonic() - began < 5, "one second, on a machine that does nothing else"
    assert (run.returncode, err.strip()) == (3, "interrupted")
    assert "arc-swift" in out, "where Ctrl-C comes between two systems, nothing is left undecided in what is shown"


@pytest.mark.process
def test_prove_ends_at_the_timeout(arcproof: Callable[..., Result]) -> None:
    run = arcproof("prove", "arc-swift", "swap", "--no-cache", "--timeout", "0.5")

    assert run.code == 3
    assert "swap" in run.out
    assert "proved" not in run.out


@pytest.mark.process
@pytest.mark.solver
def test_only_the_claims_that_are_named_are_proved(arcproof: Callable[..., Result]) -> None:
    run = arcproof("prove", "arc-standard-stack", "--no-cache", "--claim", "length", "--jobs", "1")

    assert run.code == 0, run.err
    assert [line.split()[:2] for line in run.out.splitlines()] == [["arc-standard-stack"], ["proved", "length"]]


def test_an_interruption_between_two_systems_is_not_success() -> None:
    """Everything that was examined is proved, and the rest was not examined."""

    def code(codes: set[int], ended_by: str | None) -> int:
        reports: Any = tuple(SimpleNamespace(exit_code=one) for one in codes)
        return ProvedSystems(reports, ended_by).exit_code

    assert [code(codes, "interrupted") for codes in ({0}, {0, 3}, {0, 1}, {0, 4})] == [3, 3, 1, 4]
    assert [code(codes, None) for codes in ({0}, {0, 3}, {0, 1})] == [0, 3, 1]
