"""The user's cache: made for the user alone, and neither read nor written where somebody else could have put
something.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from arcproof.process import cache
from arcproof.process.cache import cache_folder, trusted_bytes
from tests.conftest import Result
from tests.planting import WAYS, give_away, plant

pytestmark = pytest.mark.skipif(not cache.HAS_OWNERS, reason="files have no owners here")


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that is not there yet."""
    monkeypatch.setattr(cache, "_told", set())
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path / "above" / "base"))
    return tmp_path / "above" / "base"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence with which the cache is refused, however often it is asked for."""
    assert cache_folder("kind") is None
    assert cache_folder("kind") is None
    [sentence] = capsys.readouterr().err.splitlines()
    return sentence


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022, 0o077])
def test_folders_are_made_for_the_user_alone(base: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        assert cache_folder("kind") == base / "kind"
    finally:
        os.umask(before)

    assert [mode(folder) for folder in (base / "kind", base, base.parent)] == [0o700] * 3


@pytest.mark.parametrize("open_to", [0o770, 0o707, 0o777, 0o1777, 0o720])
@pytest.mark.parametrize("which", [".", "kind"])
def test_a_folder_that_others_can_write_to_is_refused(
    base: Path, which: str, open_to: int, capsys: pytest.CaptureFixture[str]
) -> None:
    cache_folder("kind")
    (base / which).chmod(open_to)

    assert refused(capsys) == (
        f"warning: nothing is cached: others can write to {base / which}, and what is in it may be theirs; remove it, "
        "or set ARCPROOF_CACHE to a folder of your own"
    )
    assert not (base / "another").exists()
    assert cache_folder("another") is None or which == "kind"


@pytest.mark.parametrize("which", ["..", ".", "kind"])
def test_a_folder_of_somebody_else_is_refused(
    base: Path, which: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache_folder("kind")
    give_away((base / which).resolve(), monkeypatch)

    assert "belongs to another user; set ARCPROOF_CACHE to a folder of your own" in refused(capsys)


@pytest.mark.parametrize("which", [".", "kind"])
@pytest.mark.parametrize("relative", [False, True])
def test_a_link_to_such_a_folder_is_refused(
    base: Path, which: str, relative: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    planted = base.parent.parent / "planted"
    planted.mkdir()
    planted.chmod(0o777)
    link = base / which
    link.parent.mkdir(parents=True, mode=0o700)
    link.symlink_to(os.path.relpath(planted, link.parent) if relative else planted)

    assert f"others can write to {planted}," in refused(capsys)
    assert list(planted.iterdir()) == []


def test_a_link_to_a_folder_of_ones_own_is_followed(base: Path) -> None:
    own = base.parent.parent / "own"
    own.mkdir(mode=0o700)
    base.parent.mkdir()
    base.symlink_to(own)

    assert cache_folder("kind") == base / "kind"
    assert mode(own / "kind") == 0o700


def test_a_link_that_somebody_else_made_is_refused(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = base.parent.parent / "own"
    own.mkdir(mode=0o700)
    base.parent.mkdir()
    base.symlink_to(own)
    give_away(base, monkeypatch)

    assert "belongs to another user" in refused(capsys)


@pytest.mark.parametrize(("above", "trusted"), [(0o755, True), (0o1777, True), (0o777, False), (0o1775, True)])
def test_others_must_not_be_able_to_put_another_folder_in_its_place(
    base: Path, above: int, trusted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    cache_folder("kind")
    base.parent.chmod(above)

    if trusted:
        assert cache_folder("kind") == base / "kind"
    else:
        assert f"others can replace what is in {base.parent}; `chmod go-w {base.parent}`, or set" in refused(capsys)


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("ARCPROOF_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)

    assert cache_folder("kind") is None


def test_a_command_warns_once_and_continues(base: Path, arcproof_apart: Callable[..., Result]) -> None:
    base.mkdir(parents=True)
    base.chmod(0o777)
    done = arcproof_apart("check", "arc-eager")

    assert (done.code, done.err.count("\n"), done.err.count("nothing is cached")) == (0, 1, 1)
    assert list(base.iterdir()) == []


@pytest.mark.parametrize("how", WAYS)
def test_a_file_that_may_be_of_somebody_else_is_not_read(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    path.chmod(0o600)
    assert trusted_bytes(path) == b"content"
    plant(path, monkeypatch, how)

    with pytest.raises(OSError, match=r"belongs to|others can|not a file|Too many"):
        trusted_bytes(path)
