"""Models that somebody else made: whatever is in them, they are refused in one line or they parse, soon and with little
memory.
"""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arcproof.classifiers import model_file
from arcproof.classifiers.features.model import MOST_NESTED, BadFeatureModel, read_model
from arcproof.classifiers.model_file import BadModel
from tests.conftest import ROOT, Result

MOST_SECONDS = 10
MOST_MEGABYTES = 400


def attacked(number: int, seed: int, *learners: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.classifiers.hostile_models", str(number), str(seed), *learners],
        cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def check(found: dict[str, object]) -> None:
    assert found["failures"] == []
    assert found["seconds"] < MOST_SECONDS  # type: ignore[operator]
    assert found["memory"] < MOST_MEGABYTES  # type: ignore[operator]


@pytest.mark.compiler
@pytest.mark.process
def test_hostile_models_are_refused_or_parse() -> None:
    """Of 562 such models 35 ended in a traceback, and 4 took too long."""
    found = attacked(60, 1, "fast")

    check(found)
    assert found["refused"] > 40  # type: ignore[operator]


def packed(path: Path, content: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed(tmp_path / "m", {"model.json": b"{}", "0/keys.npy": bytes(100 * 2**20)})
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("something was unpacked"))

    with pytest.raises(BadModel, match=r"m: it unpacks to 100\.0 MB; a model of 99\.\d kB unpacks to at most 19\.1 MB"):
        model_file.read(tmp_path / "m")


def test_an_array_gets_memory_only_after_its_header_is_checked(tmp_path: Path) -> None:
    header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (1099511627776,), }\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(8)
    said = json.dumps({"format": model_file.FORMAT, "classifiers": [{"kind": "linear"}]}).encode()
    packed(tmp_path / "m", {"model.json": said, "0/keys.npy": array})

    with pytest.raises(BadModel, match=r"m: damaged: 0/keys\.npy does not have as many bytes as its header says"):
        model_file.read(tmp_path / "m")


def test_what_a_hostile_header_says_is_not_evaluated() -> None:
    assert (
        model_file._HEADER.fullmatch(b"{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,), }\n") is None
    )


def test_a_refused_model_is_one_line_and_exit_code_2(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    packed(tmp_path / "m", {"model.json": b"[" * 1_000_000})
    done = arcproof("parse", "m", "artificial-test")

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("error: m: not an arcproof model, or a damaged one")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hd(" * 30 + "stack[0]" + ")" * 30 + " form", f"through at most {MOST_NESTED} others"),
        ("stack[0]" + " + 1" * 30 + " form", f"through at most {MOST_NESTED} others"),
        ("stack[0] " + "form " * 3000, "a line has at most 10000 characters"),
        ("\n".join(f"stack[{k}] form" for k in range(300)), "at most 200 features and 100000 joins are read"),
    ],
)
def test_feature_models_are_bounded(line: str, message: str) -> None:
    with pytest.raises(BadFeatureModel, match=message):
        read_model(f"features x\n  {line}\n")


def test_a_nested_address_that_is_allowed_is_read() -> None:
    text = "hd(" * (MOST_NESTED - 1) + "stack[0]" + ")" * (MOST_NESTED - 1)
    assert len(read_model(f"features x\n  {text} form\n  {text} fpos\n").features) == 2
