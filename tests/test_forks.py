"""Copies of a process: their answers, their mistakes, and that none is left behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import chdir
from multiprocessing import active_children
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arcproof.process import side_by_side
from arcproof.process.forks import CopyEnded, in_copies
from arcproof.process.side_by_side import in_chunks
from tests.conftest import ROOT

pytestmark = pytest.mark.process


def squared(number: int) -> int:
    time.sleep(0.05 if number == 0 else 0)
    return number * number


def refused(number: int) -> int:
    if number == 2:
        raise ValueError("two is refused")
    return number


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_answers_are_in_the_order_of_the_questions(jobs: int) -> None:
    assert list(in_copies(squared, range(4), jobs)) == [0, 1, 4, 9]
    assert list(in_copies(squared, [], jobs)) == []


@pytest.mark.parametrize("ending", [3, 70, 199])
def test_what_a_copy_leaves_behind_is_done_here(monkeypatch: pytest.MonkeyPatch, ending: int) -> None:
    monkeypatch.setattr(side_by_side, "ALONE", 0.0)
    here = os.getpid()

    def fatal(number: int) -> int:
        if number == ending and os.getpid() != here:
            os._exit(1)
        return number

    assert list(in_chunks(fatal, ((number,) for number in range(200)), 2)) == list(range(200))
    assert not active_children()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_copy_raises_is_raised(jobs: int) -> None:
    with pytest.raises(ValueError, match="two is refused"):
        list(in_copies(refused, range(4), jobs))
    assert not active_children()


def test_a_copy_that_ends_too_early_is_an_error() -> None:
    with pytest.raises(CopyEnded):
        list(in_copies(lambda _: os._exit(1), range(2), 2))
    assert not active_children()


def test_copies_end_whatever_they_are_doing() -> None:
    began = time.monotonic()
    answers = in_copies(lambda seconds: time.sleep(seconds), [0, 60], 2)
    next(answers)
    answers.close()  # type: ignore[attr-defined]

    assert time.monotonic() - began < 30
    assert not active_children()


def test_a_signal_right_after_the_fork_is_not_handled_twice() -> None:
    """Ctrl-C at a terminal reaches a copy that has only just been made, before it can say that it does not listen."""
    code = """
import os, signal
from multiprocessing.context import ForkProcess
from arcproof.process.forks import Copies
from arcproof.process.interruption import watch

watch()
bootstrap = ForkProcess._bootstrap

def signalled(self, *arguments, **named):
    for number in (signal.SIGINT, signal.SIGALRM):
        os.kill(os.getpid(), number)
    return bootstrap(self, *arguments, **named)

ForkProcess._bootstrap = signalled
with Copies(lambda number: number + 1, 1) as copies:
    copies.ask(1)
    try:
        print(copies.next())
    except Exception as error:
        print(repr(error))
"""
    done = apart(code)

    assert (done.stdout, done.stderr) == ("(1, 2)\n", "")


def test_a_copy_ends_with_the_process_that_made_it() -> None:
    """Also where that is killed, and the copy is busy and does not see that nobody listens any more."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells a process when another ends")
    code = """
import os, signal
from arcproof.process.forks import Copies

def busy(_):
    while True:
        pass

copies = Copies(busy, 2)
copies.ask(1), copies.ask(2)
print(*(process.pid for process in copies._processes.values()), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = apart(code)
    assert gone(list(map(int, done.stdout.split())), 2), done.stderr


def test_workers_of_joblib_end_with_the_process_that_started_them() -> None:
    """They went on with what they were at when it was killed, for minutes if that takes minutes."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells a process when another ends")
    code = """
import os, signal, time
from arcproof.process.side_by_side import in_processes

def busy(told):
    os.write(told, f"{os.getpid()} ".encode())
    while True:
        pass

def opened(path):
    busy(os.open(path, os.O_WRONLY))

os.mkfifo("told")
hears = os.open("told", os.O_RDWR)
results = in_processes(opened, [("told",), ("told",)], 2)
import threading
threading.Thread(target=lambda: next(results), daemon=True).start()
pids = b""
while pids.count(b" ") < 2:
    pids += os.read(hears, 100)
print(pids.decode(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    with TemporaryDirectory() as folder, chdir(folder):
        done = apart(code)
    assert gone(list(map(int, done.stdout.split())), 2), done.stderr


def gone(pids: list[int], number: int) -> bool:
    """Whether these processes, as many as there should be, end within seconds; if not they are ended here."""
    end = time.monotonic() + 5
    while (alive := [pid for pid in pids if is_running(pid)]) and time.monotonic() < end:
        time.sleep(0.05)
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    return len(pids) == number and not alive


def apart(code: str) -> "subprocess.CompletedProcess[str]":
    """Run a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is not just waiting to be buried."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
