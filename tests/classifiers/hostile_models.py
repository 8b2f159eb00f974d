"""Model files that nobody trained: each is a good one with something changed that a reader could trip over.

What is drawn depends on the seed alone.  `python -m tests.classifiers.hostile_models NUMBER SEED LEARNER…` has this
many models loaded, and those that are taken parse three sentences; it prints what came of them, as JSON.
"""

import io
import json
import re
import resource
import struct
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np

from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.learners import KINDS as LEARNERS
from arcproof.classifiers.learners import Kind
from arcproof.classifiers.parser import Parser
from arcproof.generators.treebank import Sentence, read
from arcproof.transitions.errors import ArcproofError

Content: TypeAlias = dict[str, bytes]
MISFITS: tuple[Any, ...] = (
    None, True, 0, -1, 2**63, 10**30, 1.5, float("inf"), "", "x", "\ud800", "1" * 5000, [], [[]], {}, {"x": []}, ["x", 1, None],
)  # fmt: skip
KINDS = ("<i8", "<i4", "<f8", "<f4", ">i8", "|b1", "<c16", "|S5", "<U4", "<M8[s]", "|O", "|V8", "<f2", "|u1")
SIZES = (0, 1, 2, 3, 7, 10**4, 2**31, 2**40, 2**62, 2**63, 10**20, -1)
ADDRESSES = (
    "hd(" * 5000 + "stack[0]" + ")" * 5000 + " form",
    "stack[0]" + " + 1" * 5000 + " form",
    "context(" * 900 + "stack[0]",
    "stack[0] " + "form " * 100_000,
    "\n".join(f"  stack[{k}] form" for k in range(5000)),
    "stack[" + "9" * 5000 + "] form",
    "join " + "form(stack[0]) " * 1000,
    "\n".join("  join form(stack[0]) fpos(buffer[0])" for _ in range(150_000)),
    "nothing[0] form",
)
FIGURES = (
    "",
    "\n" * 100_000,
    "system x\n" * 1000,
    "(" * 100_000,
    "system x\n  final " + "not " * 5000 + "β = []\n",
    "a" * 2_000_000,
    "arc-eager",
    "system \ud800\n",
    "\0",
)


def content_of(data: bytes) -> Content:
    """What is in a model."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(content: Content, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A model with this in it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return file.getvalue()


def _json(change: Callable[[dict[str, Any], Random], None]) -> Callable[[Content, Random], bytes]:
    @wraps(change)
    def attack(content: Content, chance: Random) -> bytes:
        said = json.loads(content["model.json"])
        change(said, chance)
        content["model.json"] = json.dumps(said).encode()
        return packed(content)

    return attack


@_json
def misfit(said: dict[str, Any], chance: Random) -> None:
    """A value of another type, somewhere."""
    place: Any = said
    key: Any = chance.choice(list(said))
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.7:
        place = place[key]
        key = chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
    place[key] = chance.choice(MISFITS)


@_json
def missing(said: dict[str, Any], chance: Random) -> None:
    """A value left out."""
    inner = said if chance.random() < 0.6 else said[chance.choice(["system", "vocabulary", "settings"])]
    del inner[chance.choice(list(inner))]


@_json
def another_feature_model(said: dict[str, Any], chance: Random) -> None:
    """A feature model that is too deep, too long, or about something else."""
    line = chance.choice(ADDRESSES)
    said["features"] = f"features x\n  stack[0] form\n  buffer[0] fpos\n  {line}\n"


@_json
def another_figure(said: dict[str, Any], chance: Random) -> None:
    """A figure that is none."""
    said["system"]["text"] = chance.choice(FIGURES)


@_json
def another_number_of_classes(said: dict[str, Any], chance: Random) -> None:
    """More classes, or fewer, than the classifier has."""
    said["classes"] = (said["classes"] * 10_000)[: chance.choice([0, 1, len(said["classes"]) + 1, 100_000])]


@_json
def another_choice(said: dict[str, Any], chance: Random) -> None:
    """Lengths that no transition chooses."""
    lengths = (-1, 0, 1, 2, 2**17, 2**40, 2**62, 10**30)
    chance.choice(said["classes"])[2] = [chance.choice(lengths) for _ in range(chance.choice([1, 1, 2, 5]))]


@_json
def another_bound(said: dict[str, Any], chance: Random) -> None:
    """A claim that runs are never longer than nonsense."""
    bound = chance.choice(["0", "n - 1000", "n^9", "9999999999999n^9"])
    said["system"]["text"] = re.sub(r"length +<= 2n", f"length <= {bound}", said["system"]["text"])


@_json
def many_classifiers(said: dict[str, Any], chance: Random) -> None:
    """Classifiers that are not in the file."""
    said["classifiers"] = said["classifiers"] * chance.choice([0, 2, 3, 5000])
    if chance.random() < 0.5 and said["classifiers"]:
        said["classifiers"][0] = {"kind": chance.choice(["split", "voting", "kernel", "constant", "nothing"])}


def deep_json(content: Content, chance: Random) -> bytes:
    """JSON without an end."""
    depth = chance.choice([1000, 100_000, 1_000_000])
    opening = chance.choice(['{"a":', "["])
    whole = chance.random() < 0.5
    deep = opening * depth
    if whole:
        content["model.json"] = deep.encode()
    else:
        said = content["model.json"].decode().rstrip()
        content["model.json"] = f'{said[:-1]}, "more": {deep}'.encode()
    return packed(content)


def bomb(content: Content, chance: Random) -> bytes:
    """Little that unpacks to much."""
    name = chance.choice([*content, "0/more.npy", "7/keys.npy"])
    content[name] = bytes(chance.choice([15, 24, 40]) * 2**20)
    return packed(content)


def liar(content: Content, chance: Random) -> bytes:
    """A size in the directory that is not the size of what is there."""
    data = bytearray(packed(content))
    places = [k for k in range(len(data) - 4) if data[k : k + 4] == b"PK\x01\x02"]
    place = chance.choice(places)
    struct.pack_into("<I", data, place + chance.choice([20, 24]), chance.choice([0, 1, 10**6, 2**31, 2**32 - 2]))
    return bytes(data)


def _npy(kind: str, shape: str, order: str, data: bytes, version: bytes = b"\x01\x00") -> bytes:
    header = f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}".encode() + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header + data


def odd_header(content: Content, chance: Random) -> bytes:
    """An array that says it is something else."""
    name = chance.choice([name for name in content if name.endswith(".npy")])
    data = content[name]
    rest = data[10 + int.from_bytes(data[8:10], "little") :]
    dimensions = chance.choice([0, 1, 1, 2, 3, 40])
    shape = "(" + "".join(f"{chance.choice(SIZES)}, " for _ in range(dimensions)) + ")"
    kind = chance.choice(
        [*map(repr, KINDS), "'<i8'" * 3, "[" * 200, "__import__('os').abort()", "[('a', '<i8')]", "()"]
    )
    version = chance.choice([b"\x01\x00", b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x09"])
    content[name] = _npy(
        kind, shape, chance.choice(["False", "False", "True", "None"]), rest[: chance.choice([0, 8, 10**9])], version
    )
    return packed(content)


def another_array(content: Content, chance: Random) -> bytes:
    """A real array with other numbers, another length, another type or another dimension."""
    name = chance.choice([name for name in content if name.endswith(".npy")])
    array = np.lib.format.read_array(io.BytesIO(content[name]))
    big = chance.choice([-1, 10**6, 2**31, 2**40, 2**62])
    changes: list[Callable[[], Any]] = [
        lambda: array[:-1],
        lambda: array[:0],
        lambda: array[::-1],
        lambda: array + (big if array.dtype.kind == "i" and array.itemsize == 8 else 100_000),
        lambda: array - 100_000,
        lambda: array * 0,
        lambda: array * 0 - 1,
        lambda: np.repeat(array, 2, axis=0),
        lambda: np.concatenate([array] * 50),
        lambda: array.astype(chance.choice(["f8", "i4", "i8", "u1", "c16"])),
        lambda: array.reshape(1, *array.shape),
        lambda: array.reshape(-1),
        lambda: np.full(array.shape, np.nan),
        lambda: np.asfortranarray(array),
        lambda: np.zeros((300_000, 3), dtype=np.int64),
        lambda: np.array([2**40, 2**40]),
        lambda: np.array(5),
    ]
    file = io.BytesIO()
    with np.errstate(all="ignore"):
        np.lib.format.write_array(file, np.asarray(chance.choice(changes)()), allow_pickle=False)
    content[name] = file.getvalue()
    return packed(content)


def flipped(content: Content, chance: Random) -> bytes:
    """Bytes of the file that are others."""
    data = bytearray(packed(content, chance.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])))
    for _ in range(chance.choice([1, 1, 1, 5, 100])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def cut(content: Content, chance: Random) -> bytes:
    """A file that ends too early, or goes on."""
    data = packed(content)
    return data[: chance.randrange(len(data))] if chance.random() < 0.7 else data + bytes(chance.randrange(1, 1000))


def otherwise_packed(content: Content, chance: Random) -> bytes:
    """Ways to pack that models do not have, and names twice."""
    if chance.random() < 0.5:
        return packed(content, chance.choice([zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]))
    data = bytearray(packed(content))
    place = data.index(b"PK\x01\x02")
    offset, value = chance.choice([(8, 1), (10, 99), (10, 12), (28, 65535), (42, 2**31)])  # encrypted, methods, lengths
    struct.pack_into("<H" if offset < 42 else "<I", data, place + offset, value)
    return bytes(data)


def renamed(content: Content, chance: Random) -> bytes:
    """Arrays under the names of others."""
    names = [name for name in content if name.endswith(".npy")]
    first, second = chance.choice(names), chance.choice([*names, "0/../../x.npy", "/etc/x.npy"])
    content[first], content[second] = content.get(second, b""), content[first]
    if chance.random() < 0.5:
        del content[first]
    return packed(content)


ATTACKS: tuple[Callable[[Content, Random], bytes], ...] = (
    misfit, misfit, misfit, missing, another_feature_model, another_figure, another_number_of_classes, another_choice, another_bound, many_classifiers, deep_json, bomb,
    liar, odd_header, odd_header, another_array, another_array, another_array, flipped, flipped, cut, otherwise_packed, renamed,
)  # fmt: skip


def main(number: int, seed: int, learners: Sequence[Kind] = LEARNERS) -> dict[str, Any]:
    """How many were refused and taken, what ended in another way, the longest time in seconds and the most memory
    beyond a good model's, in MB.
    """
    train = list(islice(read(on_board("artificial-train") or ""), 60))
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    longest = 0.0
    with TemporaryDirectory() as folder:
        good = {}
        trained: dict[str, Parser] = {learner: Parser("arc-eager", learner=learner) for learner in learners}
        if "fast" in learners:
            trained["beam"] = Parser("arc-eager", beam=3)
        for name, parser in trained.items():
            parser.fit(train).save(Path(folder) / name)
            good[name] = content_of((Path(folder) / name).read_bytes())
            outcome(Path(folder) / name, train)
        before = most_memory()
        for k in range(number):
            chance = Random(seed * 1_000_000 + k)
            name, attack = chance.choice(list(good)), chance.choice(ATTACKS)
            (Path(folder) / "x").write_bytes(attack(dict(good[name]), chance))
            began = time.process_time()
            found = outcome(Path(folder) / "x", train)
            longest = max(longest, time.process_time() - began)
            outcomes[found if found in ("refused", "taken") else "wrong"] += 1
            if found not in ("refused", "taken"):
                wrong.append(f"{k}: {attack.__name__} of {name}: {found}")
    return {**outcomes, "failures": wrong, "seconds": round(longest, 2), "memory": round(most_memory() - before)}


def outcome(path: Path, sentences: list[Sentence]) -> str:
    """What becomes of a model."""
    try:
        Parser.load(path).predict(sentences[:3])
    except ArcproofError as error:
        return "refused" if "\n" not in str(error) else f"several lines: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return "taken"


def most_memory() -> float:
    """In MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(
        json.dumps(
            main(int(sys.argv[1]), int(sys.argv[2]), [learner for learner in LEARNERS if learner in sys.argv[3:]])
        )
    )
