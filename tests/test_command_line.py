"""Commands, their messages and exit codes, each in a process of its own."""

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

import pytest

from arcproof._version import __version__
from arcproof.commands import COMMANDS
from arcproof.process.side_by_side import in_processes
from tests.conftest import ROOT, Result

RANGE = "write a number from 0 to 999999 or inf"

Run = Callable[..., Result]


def test_version(arcproof: Run) -> None:
    assert arcproof("--version").out == f"arcproof, version {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_stands_on_its_own(arcproof: Run, command: str) -> None:
    help_text = arcproof(command, "--help")

    assert help_text.code == 0
    assert f"Usage: arcproof {command}" in help_text.out
    assert len(help_text.out) > 200


def test_the_top_level_help_names_every_command_and_the_exit_codes(arcproof: Run) -> None:
    text = arcproof("--help").out

    for command in COMMANDS:
        assert command in text
    for code in ("0 everything", "1 something", "2 wrong", "3 inconclusive", "4 the engines"):
        assert code in " ".join(text.split())


def test_list_follows_its_contract(arcproof: Run) -> None:
    listed = json.loads(arcproof("list", "--json").out)
    eager = next(entry for entry in listed if entry["name"] == "arc-eager")

    assert set(eager) >= {"name", "cite", "claims"}
    assert eager["claims"][0] == "sound projective forests"


@pytest.mark.parametrize("form", ["text", "latex", "json", "source"])
def test_show_prints_each_format(arcproof: Run, form: str) -> None:
    shown = arcproof("show", "covington[d=1]", "--format", form)

    assert shown.code == 0
    assert shown.err == ""
    assert "covington" in shown.out


def test_show_prints_the_value_of_a_parameter(arcproof: Run) -> None:
    assert "d = 1" in arcproof("show", "covington[d=1]").out
    assert "d = ∞" in arcproof("show", "covington").out


def test_trace_follows_its_contract(arcproof: Run) -> None:
    traced = json.loads(arcproof("trace", "arc-swift", "--heads", "2,0,2", "--format", "json").out)

    assert set(traced) >= {"system", "oracle", "initial", "steps", "arcs"}
    assert traced["initial"] == {"sigma": [0], "beta": [1, 2, 3]}
    step = traced["steps"][1]
    assert step["transition"] == "LEFT-ARC[1]"
    assert step["label"] is None
    assert step["arc"] == [2, None, 1]
    assert step["configuration"] == {"sigma": [0], "beta": [2, 3]}
    assert sorted(traced["arcs"], key=lambda arc: arc[2]) == [[2, None, 1], [0, None, 2], [2, None, 3]]


def test_trace_of_a_graph_that_cannot_be_derived_ends_with_1(arcproof: Run) -> None:
    result = arcproof("trace", "arc-eager", "--heads", "3,4,0,3")

    assert result.code == 1
    assert result.out == ""
    assert "it cannot build the arc" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "arc-eagre"], "did you mean arc-eager or arc-eager-2003 or arc-eager-graph?"),
        (["show", "covington[x=1]"], "covington has no parameter `x`; its parameters are: d"),
        *(
            (["show", f"covington[d={value}]"], f"`{value}` is not a value for the parameter d of covington; {RANGE}")
            for value in ("-1", "x", "9" * 20)
        ),
        (["show", "arc-eager[d=1]"], "arc-eager has no parameter `d`; it has no parameters"),
        (["show", "a[b"], "is not the name of a system"),
        (["show", "a" * 300], "is neither the name of a system nor that of a file: it is too long"),
        (["show", "missing.tsys"], "missing.tsys: No such file or directory"),
        (
            ["trace", "swap"],
            'give the gold graph either by --heads 2,0,2 or by --arcs "0>1 1>2 3>2" or by --conllu FILE',
        ),
        (
            ["trace", "swap", "--heads", "0", "--arcs", "0>1"],
            "the gold graph is given by --heads and by --arcs; give one",
        ),
        (["trace", "swap", "--arcs", "0>1", "--labels", "a"], "with --arcs a label is written 1>2:nsubj"),
        (["trace", "swap", "--heads", "0", "--words", "2"], "--words goes with --arcs"),
        (["trace", "swap", "--arcs", "0>1", "--words", "2", "--forms", "a"], "--forms has 1 entry, --words says 2"),
        (["trace", "swap", "--arcs", "0>1 1>3", "--forms", "a b"], "arc 2 is `1>3`, but there are 2 words"),
        (["trace", "swap", "--arcs", "0>1 1-2"], "arc 2 is `1-2`; arcs are written 0>1 1>2 3>2"),
        (
            ["trace", "swap", "--arcs", "0>2 1>2"],
            "word 2 has the heads 0 and 1, but the gold graphs of swap have single",
        ),
        (["reach", "swap", "--output", "1>1"], "arc 1 is `1>1`, but 1 would be its own head"),
        (["trace", "swap", "--heads", "2,x"], "the head of word 2 is `x`; heads are written 2,0,2 with a number"),
        (["trace", "swap", "--heads", "9999999,0"], "the head of word 1 is `9999999`; at most 100000 words are read"),
        (["trace", "swap", "--heads", "3,0"], "the head of word 1 is 3; with 2 words it must be from 0 to 2"),
        (["trace", "swap", "--heads", "1"], "word 1 is its own head"),
        (["trace", "swap", "--heads", "2,1"], "the gold graph has the cycle 1 -> 2 -> 1"),
        (["trace", "swap", "--heads", "0", "--oracle", "best"], "swap has no oracle best; it has eager, lazy"),
        (["trace", "swap", "--heads", "0", "--labels", "a,b"], "--labels has 2 entries, --heads 1"),
        (["trace", "swap", "--conllu", "none.conllu"], "none.conllu: No such file or directory"),
        (["trace", "swap", "--conllu", "none.conllu", "--forms", "a"], "--labels and --forms go with --heads"),
        (["new", "bad name"], "is not a name for a system"),
        (["new", "ok", "-o", ""], "a file without a name cannot be written"),
        (["verify", "swap", "--words", "9", "--html", "."], ". cannot be written: this is a directory"),
        (["verify", "swap", "--words", "9", "--html", ""], "a file without a name cannot be written"),
        (["prove", "swap", "--json=."], ". cannot be written: this is a directory"),
        (["report", "-o", ""], "a file without a name cannot be written"),
        (["check"], "Missing argument"),
        (["nothing"], "there is no command nothing; see --help"),
        (["report", "arc-eager", "--words", "99"], "`99` is not a whole number from 0 to 20"),
    ],
)
def test_wrong_input_gets_a_message_and_code_2(arcproof: Run, arguments: list[str], message: str) -> None:
    result = arcproof(*arguments)

    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the specification is empty"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"\x00" * 10_000_000, "larger than"),
        (None, "this is a directory"),
    ],
)
def test_a_file_that_is_not_a_specification_gets_one_line(
    arcproof: Run, tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "bad.tsys"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    result = arcproof("check", "bad.tsys")

    assert result.code == 2
    assert result.err.count("\n") == 1
    assert message in result.err


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


@pytest.mark.process
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(arcproof: Run, shell: str) -> None:
    assert "_ARCPROOF_COMPLETE" in arcproof("completion", shell).out


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
def test_a_closed_pipe_is_not_an_error() -> None:
    import subprocess
    import sys

    done = subprocess.run(
        f"{sys.executable} -m arcproof show swap --format json | head -1", shell=True, capture_output=True, text=True
    )

    assert done.stdout == "{\n"
    assert done.stderr == ""


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


@pytest.mark.parametrize(
    "arguments", [["train"], ["nothing"], ["trace", "swap"], ["show", "nono"], ["verify", "swap", "--words", "x"]]
)
def test_every_error_is_spelled_alike(arcproof: Run, arguments: list[str]) -> None:
    lines = arcproof(*arguments).err.splitlines()

    assert [line.startswith("error: ") for line in lines if "rror: " in line] == [True]


def test_without_a_command_there_is_help(arcproof: Run) -> None:
    result = arcproof()

    assert "Commands:" in result.out + result.err
    assert "error: " not in result.err


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


@pytest.mark.long
def test_report_ends_with_1_when_a_claim_is_refuted(arcproof: Run, tmp_path: Path) -> None:
    text = arcproof("show", "arc-standard", "--format", "source").out.replace(
        "complete projective forests", "complete trees"
    )
    (tmp_path / "broken.tsys").write_text(text, encoding="utf-8")
    result = arcproof("report", "broken.tsys", "--words", "3", "--samples", "0")

    assert result.code == 1
    assert "arc-standard: refuted" in result.out


def test_every_command_has_a_summary_that_fits_a_line(arcproof: Run) -> None:
    from arcproof.commands import SUMMARIES

    lines = arcproof("--help").out.splitlines()
    for command, summary in SUMMARIES.items():
        assert any(line.split() == [command, *summary.split()] for line in lines)


@pytest.mark.parametrize("option", ["--html", "--json"])
def test_a_report_under_a_file_is_refused_before_the_work(arcproof: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = arcproof("verify", "swap", "--words", "9", f"{option}=file/x")

    assert (result.code, result.out) == (2, "")
    assert "file/x cannot be written: file is a file, not a directory" in result.err


def test_coverage_and_trace_know_the_built_in_treebank(arcproof: Run) -> None:
    assert arcproof("trace", "arc-eager", "--conllu", "artificial-test").code == 0
    covered = arcproof("coverage", "arc-hybrid", "--treebank", "artificial-test")

    assert covered.code == 0
    assert covered.out.startswith("artificial-test: ")


def test_coverage_of_an_empty_file_is_an_error(arcproof: Run, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("", encoding="utf-8")
    result = arcproof("coverage", "arc-hybrid", "--treebank", "a.conllu")

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: a.conllu: the file contains no sentences")


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


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "completion"])
def test_help_speaks_of_memory_where_there_is_such_an_option(arcproof: Callable[..., Result], command: str) -> None:
    said = arcproof(command, "--help").out

    assert ("--memory" in said) == ("  --memory SIZE" in said)


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
