"""The torture suite can fail: a planted crash, hang, memory hog, script and overrun limit are each reported, and what
is right is not.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from click import Command as ClickCommand

from arcproof.commands import COMMANDS, cli, serving
from arcproof.reports.playground import Playground
from arcproof.transitions.system import load
from tests.torture import children, commands, conditions, fuzzing, hostile_words, killing, limits, planted
from tests.torture import serving as attacks
from tests.torture.bases import ROOT
from tests.torture.children import Ended
from tests.torture.minimise import minimised
from tests.torture.mutation import VALUES, changed_json, changed_text, json_bytes
from tests.torture.table import Row, to_markdown, write_findings
from tests.torture.worker import Outcome, apart, outcome, smallest

MODULE = "tests.torture.planted"


# --- fuzzing ---------------------------------------------------------------------------------------------------------


def test_an_exception_is_a_finding_and_a_message_is_not() -> None:
    found = outcome(planted.Raises(), b"some boom")

    assert (found.kind, found.signature) == ("failed", "ValueError in elsewhere")
    assert outcome(planted.Raises(), b"some") == Outcome("read")


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize(
    ("target", "signature", "seconds"),
    [
        (planted.Raises, "ValueError in elsewhere", 20),
        (planted.Crashes, "crash with signal 6", 20),
        (planted.Hangs, "hang", 0.4),
        (planted.Grows, "memory", 20),
    ],
)
def test_planted_mistakes_are_told_apart(target: Any, signature: str, seconds: float) -> None:
    assert apart(target(), b"x boom y", seconds=seconds, memory=2**27).signature == signature
    assert apart(target(), b"x y", seconds=20, memory=2**30).kind == "read"


@pytest.mark.nightly
@pytest.mark.process
def test_a_finding_is_made_as_small_as_it_gets() -> None:
    assert smallest(planted.Crashes(), b"a b c\nd boom e\nf g", "crash with signal 6", 10) == b"boom"


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "signature"),
    [("Raises", "ValueError in elsewhere"), ("Crashes", "crash with signal 6"), ("Hangs", "hang"), ("Right", None)],
)
def test_workers_are_watched(name: str, signature: str | None) -> None:
    """The worker after one that died goes on behind the input at fault; what a target counts is in the note."""
    with patch.object(fuzzing, "HANG_SECONDS", 0.3):
        fed = fuzzing.feed(f"{MODULE}:{name}", 1, 0, 1, 0.4)

    assert set(fed.failures) == ({signature} if signature else set())
    assert fed.inputs > 1
    assert fed.counts["fed"] == (fed.inputs if signature is None else 0)
    assert (f"; {fed.inputs:,} fed" in fuzzing._row("x", 1, [replace(fed, failures={})], 1.0).note) == (
        signature is None
    )


def test_what_is_left_out_does_not_matter() -> None:
    assert minimised(b"one two\nthree (four) five\n", lambda data: b"(" in data and b"five" in data, 5) == b"(five"


def test_inputs_depend_on_the_seed_alone() -> None:
    texts = [changed_text(Random(f"1/{k}"), "SHIFT σ, i|β => σ|i, β", ("x y",)) for k in (1, 1, 2)]
    values = [changed_json(Random(k), {"a": [1, "b"], "c": {"d": None}}) for k in (1, 1, 2)]

    assert texts[0] == texts[1] != texts[2]
    assert repr(values[0]) == repr(values[1]) != repr(values[2])


def test_values_that_are_put_in_are_never_changed() -> None:
    """They were, so that one held itself after some ten thousand inputs, and no seed drew the same again."""
    before = repr(VALUES)
    for number in range(2_000):
        changed_json(Random(number), {"a": [[]], "c": {}}, deep=False)
        assert repr(VALUES) == before


def test_a_value_that_is_nested_too_deeply_to_be_written_is_an_input_too() -> None:
    """Nested values were put into one another, and the suite ended with a RecursionError after twenty minutes."""
    value: list[Any] = []
    for _ in range(5_000):
        value = [value]

    assert json_bytes(Random(0), {"a": value}).count(b"[") >= 1_000
    for number in range(50):
        json_bytes(Random(number), changed_json(Random(number), {"a": value, "b": [1]}))


def test_findings_are_files_and_rows_of_the_table(tmp_path: Path) -> None:
    row = Row("fuzzing", "figures", 10, 1.0)
    row.fail("ValueError in x.py:f", "how", b"input")
    row.fail("ValueError in x.py:f", "how", b"another")
    written = write_findings([row], tmp_path)

    assert [path.read_bytes() for path in written] == [b"input"]
    assert "| fuzzing | figures | 10 | 2 | 1 |  |" in to_markdown([row])


# --- commands --------------------------------------------------------------------------------------------------------


def options(name: str) -> set[str]:
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert isinstance(command, ClickCommand)
    return {option for parameter in command.params for option in parameter.opts}


def test_every_command_is_tortured() -> None:
    assert {command.name for command in commands.COMMANDS} == set(COMMANDS)


def test_every_limit_is_measured() -> None:
    assert {case[0][0] for case in limits.MEMORY_CASES} == {name for name in COMMANDS if "--memory" in options(name)}
    assert {case[0] for case in limits.TIMEOUT_CASES} == {name for name in COMMANDS if "--timeout" in options(name)}


def ended(code: int = 0, err: str = "", **others: Any) -> Ended:
    return Ended(code, "", err, 1.0, 10**8, **{"left": (), **others})


KNOWN = commands.Reference(0, "", {}, 1.0, 10**8)
TRACEBACK = "Traceback (most recent call last):\n  …\nValueError: x"
OURS = TRACEBACK.replace("…", f'File "{ROOT}/arcproof/commands/__init__.py", line 1')
"""In the start-up of Python itself nobody else can say something."""
PACKAGE = TRACEBACK.replace("…", f'File "{ROOT}/arcproof/__init__.py", line 20')
LOOKED_FOR = PACKAGE.replace("  File", '  File "<frozen runpy>", line 112, in _get_module_details\n  File')


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (ended(3, signalled=0.1), ""),
        (ended(0, signalled=0.1), ""),
        (ended(1, signalled=0.1), "exit code 1 after SIGINT"),
        (ended(-2, signalled=0.1), ""),  # before Python looks after signals
        (ended(-15, signalled=0.1), "exit code -15 after SIGINT"),
        (ended(3, OURS, signalled=0.1), "traceback after SIGINT"),
        (ended(1, TRACEBACK, signalled=0.1), ""),
        (ended(1, LOOKED_FOR, signalled=0.1), ""),
        (ended(1, PACKAGE, signalled=0.1), "traceback after SIGINT"),
        (ended(1, LOOKED_FOR + OURS, signalled=0.1), "traceback after SIGINT"),
        (ended(3, signalled=20.0), "goes on for more than 5 s after SIGINT"),
        (ended(3, signalled=0.1, left=(77,)), "processes stay behind after SIGINT"),
    ],
)
def test_a_command_that_ends_badly_is_reported(end: Ended, said: str) -> None:
    assert killing.wrong_end(end, KNOWN, killing.signal.SIGINT) == said


def test_another_report_and_what_is_left_behind_are_reported(tmp_path: Path) -> None:
    assert commands.difference(KNOWN, ended(), tmp_path) == ""
    assert commands.difference(KNOWN, ended(1), tmp_path) == "exit code 1, not 0"
    assert commands.difference(KNOWN, ended(0, TRACEBACK), tmp_path) == "traceback: ValueError: x"
    (tmp_path / "out.part").write_text("x")
    assert commands.difference(KNOWN, ended(), tmp_path) == "other files: out.part too many, none missing"


def test_times_are_not_compared() -> None:
    report = '{"seconds": 1.25, "next_seconds": 3}, done in 3.1 s'

    assert children.without_times(report) == children.without_times(report.replace("1.25", "7").replace("3.1", "0.2"))
    assert children.without_times("2 words") != children.without_times("3 words")


# --- limits ----------------------------------------------------------------------------------------------------------


def instead(script: str) -> Any:
    """Commands are this script."""

    def start(_: object, folder: Path, *__: object, **___: object) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", script], cwd=folder, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return patch.object(children, "start", start)


HOG = "import time; x = b'x' * (200 * 2**20); time.sleep(1)"


@pytest.mark.nightly
@pytest.mark.process
def test_memory_beyond_the_limit_is_reported(tmp_path: Path) -> None:
    with instead(HOG), patch.object(limits, "with_few_words", lambda _: ()):
        small = children.run((), tmp_path, {})
        assert small.peak > 200 * 2**20
        with patch.object(limits, "run", side_effect=[ended(), small]):
            row = limits.memory(tmp_path, tmp_path, ((("explore",), "64M"),))
    assert row.failures == 1
    assert limits.overrun(64 * 2**20, 64 * 2**20) == ""


@pytest.mark.nightly
@pytest.mark.process
def test_a_command_that_does_not_stop_is_reported(tmp_path: Path) -> None:
    with instead("import time; time.sleep(0.6)"), patch.object(limits, "ALLOWANCE", 0.1):
        assert limits.timeouts(tmp_path, tmp_path, (("verify",),), 0.1).failures == 1
    with instead("import sys; sys.exit(3)"):
        assert limits.timeouts(tmp_path, tmp_path, (("verify",),), 0.1).failures == 0


@pytest.mark.nightly
@pytest.mark.process
def test_what_stays_behind_is_seen(tmp_path: Path) -> None:
    leaves = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    with instead(leaves), patch.object(children, "LINGERING", 0.2):
        assert len(children.run((), tmp_path, {}).left) == 1


# --- the server and the browser --------------------------------------------------------------------------------------


@pytest.fixture
def port() -> Iterator[int]:
    with serving.PlayServer(Playground(load("arc-eager")), 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_server_that_answers_other_sites_is_reported(port: int) -> None:
    assert attacks._foreign(port).failures == 0
    with patch.object(serving._Handler, "_is_foreign", lambda _: False):
        assert attacks._foreign(port).failures > 0


@pytest.mark.nightly
@pytest.mark.browser
def test_a_script_that_runs_and_a_request_that_leaves_are_reported(tmp_path: Path) -> None:
    from tests.browser import launched

    bad, good = tmp_path / "bad.html", tmp_path / "good.html"
    bad.write_text(f"<html><body>{hostile_words.WORDS[0]}<img src=other.png></body></html>")
    good.write_text("<html><body>&lt;script&gt;</body></html>")
    with launched() as browser:
        complaints = hostile_words.visited(browser, bad.as_uri())
        assert hostile_words.visited(browser, good.as_uri()) == []
    assert any(hostile_words.RAN in complaint for complaint in complaints)
    assert any(complaint.startswith("request: ") for complaint in complaints)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("\x1b[31m", "terminal"),
        ("\u202e", "terminal"),
        ("\\input{/etc/passwd}", "latex"),
        ("<script>", "markdown"),
        ("[a](javascript:b)", "markdown"),
    ],
)
def test_what_must_not_be_in_a_text_is_reported(text: str, kind: str) -> None:
    assert hostile_words.wrong_text(text, kind)
    assert not hostile_words.wrong_text("a plain text", kind)


def test_clocks_jump() -> None:
    """The surroundings are what they say."""
    import time

    with patch.multiple(time, time=time.time, monotonic=time.monotonic, perf_counter=time.perf_counter):
        exec(compile(conditions.CLOCKS, "sitecustomize", "exec"), {})
        moments = [time.time() for _ in range(500)]
    assert min(b - a for a, b in pairwise(moments)) < -60
