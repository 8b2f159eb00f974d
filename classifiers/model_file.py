"""Model files: a zip archive with `model.json` and arrays in NumPy's own format, nothing that is executed.

The archive has no dates in it, so that the same model is the same file.  `BadModel` says what is wrong with a file that is damaged or is not a model.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from arcproof.classifiers.learners import FROM_ARRAYS
from arcproof.classifiers.learners.learner import Arrays, Classifier
from arcproof.classifiers.learners.split import SplitClassifier
from arcproof.transitions.errors import ArcproofError, UnreadableFile

from arcproof.process.replacing import destination

FORMAT: Final = "arcproof model 2"
MOST_BYTES: Final = 16 * 2**30
_DATE: Final = (1980, 1, 1, 0, 0, 0)


class BadModel(ArcproofError, ValueError):
    """A file that is not a model, or a damaged one."""


def write(path: str | Path, description: dict[str, Any], classifier: Classifier) -> None:
    """Save a classifier with what is said about it."""
    saved = parts(classifier)
    content = {"format": FORMAT, **description, "classifiers": [{"kind": part.kind} for part in saved]}
    try:
        with (
            destination(Path(path)) as whole,
            zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive,
        ):
            _put(archive, "model.json", json.dumps(content, ensure_ascii=False, indent=1).encode())
            for number, part in enumerate(saved):
                for name, array in part.arrays().items():
                    file = io.BytesIO()
                    np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
                    _put(archive, f"{number}/{name}.npy", file.getvalue())
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def parts(classifier: Classifier) -> list[Classifier]:
    """The classifier, and those that it is made of."""
    return [classifier, *classifier.parts] if isinstance(classifier, SplitClassifier) else [classifier]


def read(path: str | Path) -> tuple[dict[str, Any], Classifier]:
    """The description and the classifier of a file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _content(archive)
    except IsADirectoryError:
        raise UnreadableFile(f"{path}: this is a directory; a model is a file that `arcproof train` writes") from None
    except (FileNotFoundError, PermissionError) as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None
    except BadModel as error:
        raise BadModel(f"{path}: {error}") from None
    except (
        zipfile.BadZipFile,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        EOFError,
        zipfile.LargeZipFile,
    ) as error:
        raise BadModel(
            f"{path}: no arcproof model, or a damaged one ({error}); models are written by `arcproof train`"
        ) from None
    except Exception as error:  # zlib.error has no public base class
        if type(error).__name__ == "error":
            raise BadModel(f"{path}: a damaged model ({error})") from None
        raise


def _content(archive: zipfile.ZipFile) -> tuple[dict[str, Any], Classifier]:
    if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
        raise BadModel("a model of more than 16 GB is not read")
    if "model.json" not in archive.namelist():
        raise BadModel("no arcproof model: there is no model.json in it")
    description = json.loads(archive.read("model.json"))
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise BadModel(f"not of the format `{FORMAT}`; train it again with this version")
    kinds = [str(part["kind"]) for part in description["classifiers"]]
    arrays = [_arrays(archive, number) for number in range(len(kinds))]
    if kinds[0] != "split":
        return description, FROM_ARRAYS[kinds[0]](arrays[0])
    each = tuple(FROM_ARRAYS[kind](part) for kind, part in zip(kinds[1:], arrays[1:], strict=True))
    number, feature = map(int, arrays[0]["shape"])
    values, groups = arrays[0]["values"].astype(np.int64), arrays[0]["groups"].astype(np.int64)
    if len(values) != len(groups) or not each or (len(groups) and not 0 <= groups.min() <= groups.max() < len(each)):
        raise BadModel("damaged: its parts do not go together")
    return description, SplitClassifier(number, feature, values, groups, each)


def _arrays(archive: zipfile.ZipFile, number: int) -> Arrays:
    prefix = f"{number}/"
    found: Arrays = {}
    for name in archive.namelist():
        if name.startswith(prefix) and name.endswith(".npy"):
            with archive.open(name) as file:
                found[name.removeprefix(prefix).removesuffix(".npy")] = np.lib.format.read_array(
                    file, allow_pickle=False
                )
    return found
