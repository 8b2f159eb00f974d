"""Ctrl-C and time limits: what is known is shown, what was not examined is named and open, and nothing swallows
them.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arcproof.commands import cli
from arcproof.properties import verify
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.studies import mutation
from arcproof.properties.verdict import Verdict
from arcproof.reports.sentences import detail_text
from arcproof.transitions.library import source_of
from arcproof.transitions.system import load
from tests.conftest import ROOT

DROPPED = """
import gc, signal, time
from arcproof.process.interruption import TimeIsOver, time_limit, watch, what_ended

def collected(phase, info):
    gc.callbacks.remove(collected)
    {raised}

signal.signal(signal.SIGINT, signal.default_int_handler)  # who started the tests may have it ignored
watch()
gc.callbacks.append(collected)
try:
    with time_limit({limit}):
        gc.collect()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            time.sleep(0.01)
    print("nobody stopped it")
except KeyboardInterrupt as interruption:
    print(what_ended(interruption))
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "100"}


@pytest.mark.process
@pytest.mark.parametrize(
    ("raised", "limit", "printed"),
    [
        ("raise KeyboardInterrupt", "None", "interrupted\n"),
        ("signal.raise_signal(signal.SIGINT)", "None", "interrupted\n"),
        ("signal.raise_signal(signal.SIGALRM)", "1000", "the time limit of 1000 s was reached\n"),
    ],
)
def test_an_interruption_that_python_drops_is_raised_again(raised: str, limit: str, printed: str) -> None:
    code = DROPPED.format(raised=raised, limit=limit)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=120, check=False
    )

    assert (done.stdout, done.stderr) == (printed, "")


@pytest.mark.process
def test_an_interruption_that_a_library_swallows_stops_the_work_at_the_next_sign_of_progress() -> None:
    code = """
import signal
from arcproof.reports.progress import tracked
from arcproof.process.interruption import watch, what_ended

watch()
try:
    signal.raise_signal(signal.SIGINT)
except BaseException:
    pass
with tracked("work") as progress:
    try:
        progress.say("more")
        print("nobody stopped it")
    except KeyboardInterrupt as interruption:
        print(what_ended(interruption))
    progress.say("what was heeded is over")
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=120, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip

    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def interrupt_at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Ctrl-C when the claims of this system come."""
    original = verify.check_claim

    def check(levels: Any, *rest: Any) -> Any:
        if levels.system.name == name:
            raise KeyboardInterrupt
        return original(levels, *rest)

    monkeypatch.setattr(verify, "check_claim", check)


@pytest.mark.parametrize("command", ["report", "verify"])
def test_systems_that_were_not_examined_are_named_and_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    interrupt_at(monkeypatch, "arc-standard")
    systems = ["arc-hybrid", "arc-standard", "choi-nicolov"]
    output = ["-o", str(tmp_path / "x.html")] if command == "report" else []
    done = CliRunner().invoke(
        cli, [command, *systems, "--words", "2", "--samples", "0", "--proofs", "none", "--jobs", "1", *output]
    )

    assert done.exit_code == 3, done.output
    assert "arc-hybrid: every claim is met" in done.output
    assert "arc-standard: inconclusive\n" in done.output
    assert "choi-nicolov: inconclusive: not examined" in done.output
    assert "interrupted: whatever was not reached by then is open; not examined: choi-nicolov" in done.output
    if command == "report":
        assert "3 systems" in done.output
        assert ", 0 open" not in done.output


def test_what_few_words_show_is_known_when_the_rest_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """SWAP without `i < j` is refuted with two words; that was lost if the time was over before the last level was
    explored.
    """
    endless = load(source_of("swap").replace("0 < i < j", "0 < i"))
    original = verify.check_claim

    def check(levels: Any, *rest: Any) -> Any:
        if levels.words == 5:
            raise KeyboardInterrupt
        return original(levels, *rest)

    monkeypatch.setattr(verify, "check_claim", check)
    report = verify.verify_system(endless, verify.Effort(5, Sampling(0)))
    found = {finding.text: finding for finding in report.claims}

    assert found["length <= n^2 + n"].verdict is Verdict.REFUTED
    assert found["length <= n^2 + n"].words == 2
    assert (found["sound trees"].verdict, found["sound trees"].words) == (Verdict.EXHAUSTED, 3)
    assert detail_text(found["sound trees"]).endswith("all up to 3 words; interrupted before more was checked")
    assert report.summary(Verdict.SAMPLED) == "refuted"
    sound = verify.verify_system(load("arc-hybrid"), verify.Effort(5, Sampling(0)))
    assert sound.summary(Verdict.SAMPLED) == "inconclusive: interrupted at 3 of 5 words"
    assert verify.Report((report,)).exit_code(Verdict.SAMPLED) == 1
    assert verify.Report((sound,)).exit_code(Verdict.SAMPLED) == 3


def test_an_interruption_among_the_mutants_keeps_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mutation, "standard_of", stop)
    arguments = ["--words", "2", "--samples", "0", "--mutate", "2", "--proofs", "none"]
    done = CliRunner().invoke(cli, ["report", "arc-hybrid", *arguments, "-o", str(tmp_path / "x.html")])

    assert done.exit_code == 3, done.output
    assert "interrupted: not all mutants were tried" in done.output
    assert (tmp_path / "x.html").is_file()


def started(arguments: list[str], folder: Path, code: str | None = None) -> "subprocess.Popen[str]":
    """The command in a group of processes of its own, as a terminal starts it."""
    program = ["-m", "arcproof"] if code is None else ["-c", code]
    return subprocess.Popen(
        [sys.executable, *program, *arguments], cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


def left_behind(session: int) -> list[str]:
    """The processes of a session that are still there, after a moment in which they may end."""
    end = time.monotonic() + 5
    while (found := in_session(session)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def in_session(session: int) -> list[str]:
    """The processes of a session, as `ps` shows them."""
    asked = subprocess.run(["ps", "-e", "-o", "sid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = (line.split(None, 2) for line in asked.stdout.splitlines())
    return [args for sid, state, args in rows if int(sid) == session and not state.startswith("Z")]


@pytest.mark.process
@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_a_signal_shows_what_is_known_and_leaves_no_worker(number: int, said: str, tmp_path: Path) -> None:
    """Ctrl-C at a terminal goes to the whole group; the workers leave it to who started them."""
    code = (
        "import sys, arcproof.properties.studies.mutation as m; from arcproof.__main__ import main; judge_all = m._judge_all\n"
        "def slowly(*a):\n"
        "    for one in judge_all(*a):\n"
        "        print('first', file=sys.stderr, flush=True); yield one\n"
        "m._judge_all = slowly; main()"
    )
    process = started(["mutate", "arc-eager", "--words", "3", "--jobs", "2", "--json", "-"], tmp_path, code)
    assert process.stderr is not None
    assert process.stderr.readline() == "first\n"
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        os.kill(process.pid, number)
    out, err = process.communicate(timeout=120)

    assert process.returncode == 3
    assert [line for line in err.splitlines() if line not in ("first", said)] == []
    assert json.loads(out)["systems"][0]["interrupted"] is True
    assert left_behind(process.pid) == []


@pytest.mark.process
@pytest.mark.parametrize(("number", "said"), [("SIGINT", "interrupted"), ("SIGTERM", "terminated")])
def test_a_signal_before_the_work_begins_is_one_line(number: str, said: str, tmp_path: Path) -> None:
    """While `gc` is imported, which comes before everything else."""
    code = (
        "import builtins, signal\nfrom arcproof.__main__ import main\nreal = builtins.__import__\n"
        "def importing(name, *rest):\n"
        "    if name == 'gc':\n"
        f"        builtins.__import__ = real; signal.raise_signal(signal.{number})\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = importing\nmain()"
    )
    process = started(["list"], tmp_path, code)
    out, err = process.communicate(timeout=60)

    assert (process.returncode, out, err) == (3, "", f"{said}\n")


BUSY = """
import hashlib, sys
from arcproof.classifiers.parser import Parser

def fit(*_, **__):
    print("busy", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)  # native code that hears nothing, without the interpreter's lock

Parser.fit = fit
from arcproof.__main__ import main
main()
"""


@pytest.mark.process
@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_training_stops_immediately_whatever_native_code_is_doing(number: int, said: str, tmp_path: Path) -> None:
    """It took up to six seconds, and minutes with the support vector machines."""
    process = started(["train", "arc-eager", "artificial-train", "-o", "m"], tmp_path, BUSY)
    assert process.stdout is not None
    assert process.stdout.readline() == "busy\n"
    began = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)

    assert (process.returncode, out, err.strip()) == (3, "", said)
    assert time.monotonic() - began < 5
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_workers_are_started_with_ctrl_c_blocked() -> None:
    code = """
import signal
from joblib import Parallel, delayed
from arcproof.process.interruption import out_of_reach

with out_of_reach():
    masks = Parallel(n_jobs=2, return_as="generator")(delayed(signal.pthread_sigmask)(signal.SIG_BLOCK, []) for _ in range(4))
print([signal.SIGINT in mask for mask in masks], signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=120, check=False)

    assert (done.stdout, done.stderr) == ("[True, True, True, True] False\n", "")


@pytest.mark.process
@pytest.mark.parametrize(
    "goes_on",
    ["ctypes.CDLL(None).sleep(60)", "time.sleep(60)"],
    ids=["native code that does not return", "a report that takes long"],
)
def test_sigterm_ends_the_process_within_seconds_whatever_it_does(goes_on: str) -> None:
    """`verify` computed on for 38 seconds."""
    program = f"""
import ctypes, os, signal, threading, time
from arcproof.process import interruption
signal.signal(signal.SIGTERM, signal.SIG_DFL)
interruption.SECONDS_TO_END = 0.3
interruption.watch()
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
for _ in range(9):
    try:
        {goes_on}
    except KeyboardInterrupt:
        pass
"""
    began = time.monotonic()
    ended = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (3, b"terminated\n")
    assert time.monotonic() - began < 30
