"""Files and folders that somebody else wrote, or could have written."""

import os
from pathlib import Path

import pytest

ELSEWHERE = 4711
"""A user and a group that are not ours."""
WAYS = ("of another user", "open to others", "open to the group", "a link", "a pipe")
"""What a file can be that must not be believed."""


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root gives the folder to somebody else; anybody else becomes somebody else."""
    if os.geteuid() == 0:
        os.chown(path, ELSEWHERE, ELSEWHERE, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: ELSEWHERE)


def plant(path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """A file that somebody else wrote, or could have written."""
    match how:
        case "of another user":
            give_away(path, monkeypatch)
        case "open to others":
            path.chmod(0o666)
        case "open to the group":
            path.chmod(0o660)
        case "a link":
            path.rename(path.with_suffix(".moved"))
            path.symlink_to(path.with_suffix(".moved"))
        case "a pipe":
            path.unlink()
            os.mkfifo(path, 0o600)
