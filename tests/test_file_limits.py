"""Every reader refuses what is larger than anything of its kind, before it is in memory: a device, a sparse file, a
line without end.
"""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arcproof.generators.treebank import read as read_treebank
from arcproof.process.cache import NotTrusted, trusted_bytes
from arcproof.process.interruption import TimeIsOver, time_limit, what_ended
from arcproof.properties.proving.proof_files import check_file, theorems_in
from arcproof.reports.audit import read_audit
from arcproof.reports.experiment_results import read_training
from arcproof.transitions.errors import ArcproofError, UnreadableFile
from arcproof.transitions.library import source_of
from arcproof.transitions.reading import files
from arcproof.transitions.reading.read import read_text
from tests.conftest import ROOT
from tests.in_process import Result

Run = Callable[..., Result]


def sparse(path: Path, size: int) -> Path:
    """A file of so many zero bytes that takes no room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)
    return path


LARGE = 2**40
READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "figure": ("a.tsys", read_text),
    "audit": ("a.md", lambda path: read_audit(str(path))),
    "table": ("table.csv", lambda path: read_training(str(path.parent))),
    "index": ("index.json", lambda path: list(theorems_in([path.parent], []))),
    "treebank": ("a.conllu", lambda path: list(read_treebank(path))),
}


@pytest.mark.parametrize("kind", READERS)
def test_a_sparse_terabyte_is_refused(kind: str, tmp_path: Path) -> None:
    name, read = READERS[kind]
    path = sparse(tmp_path / name, LARGE)
    with pytest.raises(ArcproofError, match=r"(larger|longer) than") as refused:
        read(path)
    assert str(path) in str(refused.value)


@contextmanager
def nobody_waits() -> Iterator[None]:
    """Let reading from a pipe fail that would wait for a writer."""
    try:
        with time_limit(20):
            yield
    except TimeIsOver as over:
        pytest.fail(what_ended(over))


@pytest.mark.parametrize("kind", READERS)
def test_a_named_pipe_is_refused(kind: str, tmp_path: Path) -> None:
    name, read = READERS[kind]
    os.mkfifo(tmp_path / name)
    with nobody_waits(), pytest.raises(ArcproofError, match="this is a named pipe; give a file, or /dev/stdin"):
        read(tmp_path / name)


PIPES = (
    "check PIPE",
    "check-proof PIPE.smt2",
    "conform arc-standard --log PIPE",
    "coverage arc-standard --treebank PIPE",
    "evaluate PIPE PIPE",
    "trace arc-standard --conllu PIPE",
    "train arc-standard PIPE -o m",
    "experiment arc-standard --treebank PIPE -o x",
    "train arc-standard artificial-test -o m --features PIPE",
    "parse PIPE artificial-test",
    "report arc-standard --treebank PIPE -o x.html",
)


@pytest.mark.parametrize("line", PIPES)
def test_no_command_waits_for_a_named_pipe(line: str, arcproof: Run, tmp_path: Path) -> None:
    """A certificate that was one blocked for ever."""
    for name in ("pipe", "pipe.smt2"):
        os.mkfifo(tmp_path / name)
    with nobody_waits():
        done = arcproof(*line.replace("PIPE", str(tmp_path / "pipe")).split())
    assert done.code in (1, 2), done.err
    assert "Traceback" not in done.err
    assert "pipe" in done.out + done.err


@pytest.mark.process
@pytest.mark.parametrize("place", ["/dev/stdin < FILE", '/dev/stdin <<< "$(cat FILE)"', "<(cat FILE)"])
def test_what_the_shell_pipes_is_read(place: str, tmp_path: Path) -> None:
    file = tmp_path / "a.tsys"
    file.write_text(source_of("arc-standard"), encoding="utf-8")
    command = (
        f"cat {file} | {sys.executable} -m arcproof check /dev/stdin && {sys.executable} -m arcproof check {place}"
    )
    done = subprocess.run(
        ["bash", "-c", command.replace("FILE", str(file))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_feature_model_and_a_file_of_certificates_are_refused_by_size(tmp_path: Path) -> None:
    from arcproof.classifiers.features.model import load_model
    from arcproof.properties.proving.certificates.files import on_file

    for read in (lambda path: load_model(str(path)), lambda path: on_file(path.stem, path.parent)):
        with pytest.raises(UnreadableFile, match="larger than"):
            read(sparse(tmp_path / "a.json", LARGE))


def test_a_proof_too_large_to_be_read_is_refused(tmp_path: Path) -> None:
    obligation = tmp_path / "a.smt2"
    obligation.write_text("(assert false)\n")
    sparse(tmp_path / "a.cpc", LARGE)
    assert "larger than 64.0 MB" in str(check_file(obligation).refused)
    sparse(obligation, LARGE)
    assert "larger than 64.0 MB" in str(check_file(obligation).refused)


def test_a_sentence_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcproof.generators.treebank.MAX_SENTENCE", 1000)
    lines = (b"# no end\n" for _ in iter(int, 1))
    with pytest.raises(UnreadableFile, match="without the end of a sentence"):
        list(read_treebank("pipe", lines=lines))


def test_a_log_is_refused_by_size_and_by_line(arcproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of 300 MB took 8 GB."""
    log = sparse(tmp_path / "runs.log", LARGE)
    for place, stdin in ((str(log), ""), ("-", "S" * (files.MAX_LINE + 1))):
        found = arcproof("conform", "arc-standard", "--log", place, stdin=stdin)
        assert (found.code, "no line of a log is that long" in found.err) == (2, True), found.err
    monkeypatch.setitem(files.MAX_BYTES, "log", 100)
    found = arcproof("conform", "arc-standard", "--log", "-", stdin="SHIFT\n" * 100)
    assert (found.code, "larger than 100 bytes; no log is that long" in found.err) == (2, True), found.err


def test_standard_input_is_read_by_lines_that_end() -> None:
    lines = files.lines_of(io.BytesIO(b"1\n22\n" + b"3" * (files.MAX_LINE + 1)), "standard input", "treebank")
    assert (next(lines), next(lines)) == (b"1\n", b"22\n")
    with pytest.raises(
        UnreadableFile, match=r"standard input:3: longer than 4\.0 MB; no line of a treebank is that long"
    ):
        next(lines)


def test_cached_files_are_not_read_whatever_their_size(tmp_path: Path) -> None:
    path = sparse(tmp_path / "kept", LARGE)
    path.chmod(0o600)
    with pytest.raises(NotTrusted, match="too large"):
        trusted_bytes(path)
