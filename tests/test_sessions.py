"""Commands print what `tests/sessions` says."""

from pathlib import Path

import pytest

from tests.sessions import SESSIONS, played


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_session_is_printed_as_it_is_written(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert played(text, tmp_path) == text


def test_another_line_or_code_is_noticed(tmp_path: Path) -> None:
    for wrong in ("$ arcproof show swp\n", "$ arcproof list --jsn\n[1]\n"):
        assert played(wrong, tmp_path) != wrong
