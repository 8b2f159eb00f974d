"""Commands, their messages and exit codes, each in a process of its own."""

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

import pytest

from arcproof.process.side_by_side import in_processes
from tests.conftest import ROOT, Result

Run = Callable[..., Result]


def test_check_reads_every_file_and_lists_dropped_nodes(arcproof: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.tsys").write_text("system bad\n", encoding="utf-8")
    result = arcproof("check", "bad.tsys", "arc-eager")

    assert result.code == 2
    assert "`start` is missing" in result.err
    assert result.out.splitlines()[1:] == ["  LEFT-ARC drops i", "  REDUCE drops i"]


def test_new_writes_a_system_that_works_and_never_overwrites(arcproof: Run, tmp_path: Path) -> None:
    assert arcproof("new", "mine").code == 0
    assert arcproof("check", "mine.tsys").code == 0
    assert arcproof("trace", "mine.tsys", "--heads", "2,0,2").code == 0
    before = (tmp_path / "mine.tsys").read_bytes()
    again = arcproof("new", "mine")

    assert again.code == 2
    assert "exists already" in again.err
    assert before == (tmp_path / "mine.tsys").read_bytes()


HOSTILE = "\x1b[31mred\x1b]0;title\x07"


def test_what_a_file_says_does_not_command_the_terminal(arcproof: Run, tmp_path: Path) -> None:
    figure = arcproof("show", "arc-eager", "--format", "source").out
    figure = figure.replace('cite    "', f'note    "{HOSTILE}"\n  cite    "{HOSTILE}', 1)
    (tmp_path / "figure.tsys").write_text(figure, encoding="utf-8")
    row = f"1\tw\t_\t_\t_\t_\t0\t{HOSTILE}\t0:{HOSTILE.replace(':', '')}\t_\n\n"
    (tmp_path / "words.conllu").write_text(row, encoding="utf-8")

    for command in (
        ("show", "figure.tsys"),
        ("evaluate", "words.conllu", "words.conllu", "--details"),
        ("evaluate", "words.conllu", "words.conllu", "--details", "--graphs"),
    ):
        done = arcproof(*command)
        assert done.code == 0, done.err
        assert "\ufffd[31mred" in done.out
        assert "\x1b" not in done.out + done.err


def test_what_is_asked_for_does_not_command_the_terminal(arcproof: Run) -> None:
    for word in (HOSTILE, "\x01\x7f\x85\u2028\u200f"):
        done = arcproof("show", word)

        assert done.code == 2
        assert all(character.isprintable() or character == "\n" for character in done.err)


@pytest.mark.process
def test_an_error_that_nobody_reads_has_its_exit_code() -> None:
    import os
    import subprocess
    import sys

    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "arcproof", "show", "nothing"], stderr=writing, check=False)
    os.close(writing)

    assert done.returncode == 2


@pytest.mark.process
def test_a_closed_pipe_ends_a_command_as_it_ends_other_programs(tmp_path: Path) -> None:
    """A shell shows 141 of a program that SIGPIPE ended; no verdict has this code."""
    import os
    import subprocess
    import sys

    for command in ("verify", "mutate"):
        reader, writer = os.pipe()
        os.close(reader)
        arguments = ["arc-hybrid", "--words", "1"]
        done = subprocess.run(
            [sys.executable, "-m", "arcproof", command, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True,
            check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path,
        )  # fmt: skip
        os.close(writer)

        assert (done.returncode, done.stderr) == (141, "")


def test_report_ends_with_1_when_an_oracle_fails(arcproof: Run, tmp_path: Path) -> None:
    text = arcproof("show", "arc-hybrid", "--format", "source").out.replace(
        "gold i -l-> j, complete(j)", "gold i -l-> j"
    )
    (tmp_path / "broken.tsys").write_text(text, encoding="utf-8")
    result = arcproof("report", "broken.tsys", "--words", "3", "--samples", "0")

    assert result.code == 1
    assert "5 claims: 5 met" in result.out


@pytest.mark.process
@pytest.mark.parametrize("command", ["list", "verify arc-hybrid --words 2 --samples 2 --claims-only"])
def test_a_terminal_without_unicode_and_a_full_disk_get_no_traceback(command: str) -> None:
    import os
    import subprocess
    import sys

    line = f"{sys.executable} -m arcproof {command}"
    ascii_only = subprocess.run(line, shell=True, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ascii_only.returncode == 0
    assert ascii_only.stderr == b""
    if Path("/dev/full").exists():
        full = subprocess.run(f"{line} > /dev/full", shell=True, capture_output=True, text=True)
        assert full.returncode == 2
        assert full.stderr == "error: No space left on device\n"


CONLLU = """# sent_id = 1
1-2	zum	_	_	_	_	_	_	_	_
1	zu	zu	ADP	_	Case=Dat	3	case	_	_
2	dem	der	DET	_	_	3	det	_	_
3	Haus	Haus	NOUN	_	_	0	root	_	_
3.1	x	_	_	_	_	_	_	_	_

# sent_id = 2
1	#	#	SYM	_	_	0	root	_	_
"""


def test_trace_reads_words_from_conllu(arcproof: Run, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(CONLLU, encoding="utf-8")
    traced = json.loads(arcproof("trace", "swap", "--conllu", "a.conllu", "--format", "json").out)

    assert traced["words"] == ["zu", "dem", "Haus"]
    assert [3, "case", 1] in traced["arcs"]
    assert arcproof("trace", "swap", "--conllu", "a.conllu", "--sentence", "2").code == 0
    assert (
        "there is no sentence 3; the file has 2"
        in arcproof("trace", "swap", "--conllu", "a.conllu", "--sentence", "3").err
    )


def test_report_writes_the_page_and_a_summary(arcproof: Run, tmp_path: Path) -> None:
    result = arcproof("report", "arc-eager", "--words", "3", "--samples", "0", "-o", "page.html")

    assert result.code == 0
    assert "1 system, 7 claims: 7 met, 0 refuted, 0 open" in result.out
    assert "<!DOCTYPE html>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_lack_of_memory_is_reported_in_one_line(arcproof: Run) -> None:
    """Where the address space was bounded, numpy's error was a traceback."""
    with patch("arcproof.transitions.library.system_names", side_effect=MemoryError("Unable to allocate 320. MiB")):
        done = arcproof("list")

    assert done.code == 3
    assert done.err == (
        "error: not enough memory (Unable to allocate 320. MiB); ask for fewer words, or give the process more memory\n"
    )


@pytest.mark.long
def test_a_sentence_too_long_to_keep_every_configuration_is_refused(arcproof: Run) -> None:
    """20,000 words took 12 GB."""
    with patch("arcproof.commands.trace_command.MAX_SPACE", 2**16):
        done = arcproof("trace", "arc-eager", "--heads", ",".join(map(str, range(300))))

    assert (done.code, done.out) == (2, "")
    assert "300 words are too many for a derivation that is kept with every configuration: the first 1" in done.err
    assert "have more than 65536 cells and arcs" in done.err


def test_a_bug_is_not_taken_for_a_refutation(arcproof: Run) -> None:
    """Python ends with 1 where nothing catches an error, and here 1 says that a claim is refuted."""
    with patch("arcproof.transitions.library.system_names", side_effect=AssertionError("never")):
        done = arcproof("list")

    assert done.code == 70
    assert done.err.startswith("Traceback")
    assert done.err.endswith(
        "AssertionError: never\nerror: this is a bug in arcproof, not a result; please report it with the lines above\n"
    )


def test_pipes_that_joblib_cannot_open_are_reported_as_such() -> None:
    """It closes, in a `finally`, pipes that it could not open: an UnboundLocalError."""

    def parallel(**_: object) -> NoReturn:
        try:
            raise OSError(errno.EMFILE, "Too many open files")
        finally:
            raise UnboundLocalError

    with patch("joblib.Parallel", parallel), pytest.raises(OSError, match="Too many open files"):
        list(in_processes(len, [("a",), ("b",)], 2))


def test_too_many_open_files_say_what_to_do(arcproof: Run) -> None:
    """Pipes between processes have no name that a message could show."""
    with patch(
        "arcproof.commands.list_command.command.callback", side_effect=OSError(errno.EMFILE, "Too many open files")
    ):
        found = arcproof("list")
    assert (found.code, "--jobs 1" in found.err, "ulimit -n" in found.err) == (2, True, True)
