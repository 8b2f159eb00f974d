"""Files that are complete or not there: nothing is left behind by an error, nor by a process that is killed."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arcproof.process import replacing as module
from arcproof.process.replacing import destination, replaced, replacing
from tests.conftest import ROOT


@pytest.fixture(params=["nameless", "named"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place, where files may be without a name and where they may not."""
    if request.param == "named":
        monkeypatch.setattr(module, "_nameless", lambda *_: None)
    return tmp_path / "file"


def names(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


def test_what_is_written_takes_its_place_at_the_end(path: Path) -> None:
    for old, new in ((None, b"first"), (b"first", b"second")):
        with replacing(path) as file:
            file.write(new)
            file.flush()
            assert (path.read_bytes() if path.exists() else None) == old
        assert path.read_bytes() == new
        assert names(path) == ["file"]


def test_an_error_leaves_what_was_there(path: Path) -> None:
    replaced(path, b"old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert (names(path), path.read_bytes()) == (["file"], b"old")
    assert names(path) == ["file"]


def test_a_full_disk_leaves_what_was_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(path, b"old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        replaced(path, b"new")

    assert (names(path), path.read_bytes()) == (["file"], b"old")


def test_what_was_left_is_removed_and_what_is_in_use_is_not(path: Path) -> None:
    left, used = (path.with_name(f".file.{name}.part") for name in ("00000000", "11111111"))
    other = path.with_name(".file2.00000000.part")
    for each in (left, used, other):
        each.touch()
    with used.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        replaced(path, b"new")

    assert names(path) == [used.name, other.name, "file"]


def test_the_mode_is_as_asked(path: Path) -> None:
    replaced(path, b"")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = os.umask(0o022)
    try:
        replaced(path, b"", 0o666)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_device_is_written_to_as_it_is() -> None:
    with destination(Path("/dev/null")) as file:
        file.write(b"content")
    assert not Path("/dev/null").is_file()


def test_a_pipe_in_the_place_of_a_file_is_replaced(path: Path) -> None:
    """Opening it would wait for a reader that never comes."""
    os.mkfifo(path)
    replaced(path, b"new")

    assert (names(path), path.read_bytes()) == (["file"], b"new")


KILLED = """
import os, signal, sys
from pathlib import Path
from arcproof.process.replacing import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(bytes(2**20))
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
def test_a_process_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    if module._nameless(tmp_path, 0o600) is None:
        pytest.skip("no files without a name here")
    path = tmp_path / "file"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], env={**os.environ, "PYTHONPATH": str(ROOT)})

    assert done.returncode == -9
    assert (names(path), path.read_bytes()) == (["file"], b"old")
