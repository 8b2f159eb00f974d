"""Model files: a zip archive with `model.json` and arrays in NumPy's own format; nothing in it is executed.

The archive contains no dates, so that saving the same model gives the same file.  `BadModel` says what is wrong with a
file that is damaged or is not a model.

A model may come from anyone.  Nothing is unpacked before the archive says how large it is, and its unpacked size is
bounded by the size of the file: real models shrink to a third, and a file that shrinks more than `MOST_SHRUNK` times,
not counting `ALWAYS` bytes, is refused.  Every array must be one that `write` knows, with numbers of its kind, the
right number of dimensions, and exactly as many bytes as its header says; all this is checked before any memory is
allocated.
"""

import io
import json
import math
import os
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from arcproof.classifiers.learners import FROM_ARRAYS
from arcproof.classifiers.learners.learner import Arrays, Classifier
from arcproof.process.replacing import destination
from arcproof.transitions.errors import ArcproofError, UnreadableFile
from arcproof.transitions.printing.wording import size_text

FORMAT: Final = "arcproof model 2"
PLACE: Final = "0"
"""The folder of the arrays in the archive; earlier versions had several."""
MOST_BYTES: Final = 8 * 2**30
MOST_SHRUNK: Final = 32
ALWAYS: Final = 16 * 2**20
MOST_DESCRIBED: Final = 32 * 2**20
"""The greatest size of `model.json` in bytes: parsed JSON takes up to forty times as much memory."""
GIVEN_UP: Final = ("split", "voting")
"""Kinds of classifiers of earlier versions."""
WHOLE: Final = ("<i8", "<i4")
REAL: Final = ("<f8", "<f4")
ARRAYS: Final = {
    "shape": (WHOLE, 1), "joins": (WHOLE, 2), "keys": (WHOLE, 1), "starts": (WHOLE, 1), "classes": (WHOLE, 1), "weights": (REAL, 1),
    "present": (WHOLE, 1), "intercepts": (REAL, 1), "kernel": (REAL, 1), "support": (WHOLE, 2),
    "supporting": (WHOLE, 1), "coefficients": (REAL, 2),
}  # fmt: skip
"""The arrays of classifiers: the types of numbers they may hold, in NumPy's notation, and their dimensions."""
_HEADER: Final = re.compile(
    rb"\{'descr': '(?P<kind>[<|][a-z]\d)', 'fortran_order': (?P<columns>False|True), 'shape': \((?P<shape>[\d, ]*)\), \} *\n"
)
_MAGIC: Final = b"\x93NUMPY\x01\x00"
DAMAGE: Final = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, LookupError, TypeError,
    AttributeError, OverflowError, RecursionError, MemoryError, NotImplementedError, RuntimeError,
)  # fmt: skip
"""What reading an invalid file raises: RuntimeError if it is encrypted, NotImplementedError if it is compressed
differently.
"""
_DATE: Final = (1980, 1, 1, 0, 0, 0)


class BadModel(ArcproofError, ValueError):
    """A file that is not a model, or a damaged one."""


def write(path: str | Path, description: dict[str, Any], classifier: Classifier) -> None:
    """Save a classifier with its description."""
    content = {"format": FORMAT, **description, "classifiers": [{"kind": classifier.kind}]}
    try:
        with (
            destination(Path(path)) as whole,
            zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive,
        ):
            _put(archive, "model.json", json.dumps(content, ensure_ascii=False, indent=1).encode())
            for name, array in classifier.arrays().items():
                file = io.BytesIO()
                np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
                _put(archive, f"{PLACE}/{name}.npy", file.getvalue())
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def read(path: str | Path) -> tuple[dict[str, Any], Classifier]:
    """The description and the classifier of a file."""
    try:
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
            raise UnreadableFile(f"{path}: not a file; a model is a file that `arcproof train` writes")
        with zipfile.ZipFile(path) as archive:
            return _content(archive)
    except IsADirectoryError:
        raise UnreadableFile(f"{path}: this is a directory; a model is a file that `arcproof train` writes") from None
    except (FileNotFoundError, PermissionError) as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None
    except UnreadableFile:
        raise
    except BadModel as error:
        raise BadModel(f"{path}: {error}") from None
    except DAMAGE as error:
        raise BadModel(
            f"{path}: not an arcproof model, or a damaged one ({error or type(error).__name__}); models are "
            "written by `arcproof train`"
        ) from None


def _content(archive: zipfile.ZipFile) -> tuple[dict[str, Any], Classifier]:
    entries = _entries(archive)
    if "model.json" not in entries:
        raise BadModel("not an arcproof model: it contains no model.json")
    if entries["model.json"].file_size > MOST_DESCRIBED:
        raise BadModel(f"its model.json is larger than {size_text(MOST_DESCRIBED)}")
    description = json.loads(archive.read("model.json"))
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise BadModel(f"not of the format `{FORMAT}`; train it again with this version")
    kinds = [str(part["kind"]) for part in description["classifiers"][:2]]
    if kinds and kinds[0] in GIVEN_UP:
        raise BadModel(f"its classifier is of the kind {kinds[0]}, which was given up; train it again")
    if len(kinds) != 1 or kinds[0] not in FROM_ARRAYS:
        raise BadModel("damaged: it has no classifier, or several, or an unknown one")
    return description, FROM_ARRAYS[kinds[0]](_arrays(archive, entries))


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The entries of the archive by name, if it is not too large."""
    assert archive.fp is not None
    size = archive.fp.seek(0, os.SEEK_END)
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    most = min(MOST_BYTES, ALWAYS + MOST_SHRUNK * size)
    if unpacked > most:
        raise BadModel(
            f"it unpacks to {size_text(unpacked)}; a model of {size_text(size)} unpacks to at most {size_text(most)}"
        )
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        raise BadModel("it is not compressed the way models are")
    found = {entry.filename: entry for entry in entries}
    if len(found) != len(entries):
        raise BadModel("damaged: it contains something twice")
    return found


def _arrays(archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]) -> Arrays:
    named = ((name, entries.get(f"{PLACE}/{name}.npy")) for name in ARRAYS)
    return {name: _array(archive, entry, name) for name, entry in named if entry is not None}


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> np.ndarray[Any, Any]:
    """An array in NumPy's format, version 1.0; its header is validated before the numbers are read."""
    kinds, dimensions = ARRAYS[name]
    with archive.open(entry) as file:
        magic, length = file.read(len(_MAGIC)), file.read(2)
        size = int.from_bytes(length, "little")
        header = _HEADER.fullmatch(file.read(size))
        if magic != _MAGIC or header is None:
            raise BadModel(f"damaged: {entry.filename} is not an array")
        shape = tuple(int(part) for part in header["shape"].decode().split(",") if part.strip())
        kind = header["kind"].decode()
        if kind not in kinds or header["columns"] != b"False" or len(shape) != dimensions:
            what = "dimension" if dimensions == 1 else "dimensions"
            raise BadModel(f"damaged: {entry.filename} is not an array of {dimensions} {what} of {' or '.join(kinds)}")
        expected = math.prod(shape) * int(kind[-1])
        if len(_MAGIC) + 2 + size + expected != entry.file_size:
            raise BadModel(f"damaged: {entry.filename} does not have as many bytes as its header says")
        return np.frombuffer(file.read(expected), dtype=kind).reshape(shape)
