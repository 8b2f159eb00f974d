"""One process that feeds inputs to a target, watched by another.

Input number i of a target is drawn from the seed, the target's name and i alone, so that a number is enough to make it
again.  Before each input its number is written into a file that the watcher has mapped too (`Place`): what kills this
process, or keeps it for too long, is known by that. What the target raises is told on standard output, a line of JSON
each.

    python -m tests.torture.worker TARGET SEED FIRST STEP SECONDS PLACE     inputs FIRST, FIRST + STEP, …
    python -m tests.torture.worker TARGET --input FILE                      one input, from a file
    python -m tests.torture.worker TARGET --minimise FILE SIGNATURE OUTPUT  the smallest input with this signature
"""

import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time
import traceback
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random

from tests.torture.minimise import minimised

HANG_SECONDS = 10.0
"""An input that takes longer is a finding: so long in the processor, or `PATIENCE` times that by the clock."""
PATIENCE = 6
MEMORY = 2 * 2**30
"""So much may an input take beyond what the process had before it, in bytes of resident memory; the address space is
bounded above that.
"""
ADDRESS_SPACE = 16 * 2**30


class WrongAnswer(Exception):
    """Two things that must agree do not."""


@dataclass(frozen=True)
class Outcome:
    """What became of an input: read, refused with a message, or a finding with its signature."""

    kind: str
    signature: str = ""
    text: str = ""


class Nothing:
    """A target that takes everything."""

    def feed(self, data: bytes) -> None: ...


class Place:
    """The number of the input that is being looked at, and how many are done, in memory that two processes share."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(struct.pack("qqq", -1, 0, 0))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 24)

    def begin(self, number: int) -> None:
        self._map[0:8] = struct.pack("q", number)

    def done(self, accepted: bool) -> None:
        count, read = struct.unpack("qq", self._map[8:24])
        self._map[8:24] = struct.pack("qq", count + 1, read + accepted)

    @property
    def state(self) -> tuple[int, int, int]:
        """The present input, how many are done, how many of these were read."""
        number, count, read = struct.unpack("qqq", self._map[0:24])
        return number, count, read


def drawn(target: "object", name: str, seed: int, number: int) -> bytes:
    """Input number i."""
    return target.draw(Random(f"{seed}/{name}/{number}"))  # type: ignore[attr-defined, no-any-return]


def outcome(target: "object", data: bytes) -> Outcome:
    """Feed it; only what says what is wrong with an input may be raised."""
    import click

    from arcproof.transitions.errors import ArcproofError

    try:
        target.feed(data)  # type: ignore[attr-defined]
    except (ArcproofError, click.ClickException) as error:
        try:
            str(error).encode("utf-8", "surrogatepass")
        except Exception as wrong:
            return Outcome("failed", signature(wrong), traceback.format_exc())
        return Outcome("refused")
    except Exception as error:
        return Outcome("failed", signature(error), "".join(traceback.format_exception(error)[-12:])[-6000:])
    return Outcome("read")


def signature(error: BaseException) -> str:
    """The kind of error and where in arcproof it came from, by which findings are told apart."""
    if isinstance(error, WrongAnswer):
        return f"WrongAnswer: {str(error).partition(':')[0]}"
    frames = traceback.extract_tb(error.__traceback__)
    root = str(Path(__file__).resolve().parents[2])
    ours = [
        f for f in frames if f.filename.startswith(root) and "/tests/" not in f.filename and "/.venv/" not in f.filename
    ]
    where = "elsewhere"
    if ours and isinstance(error, RecursionError):
        where = Path(ours[0].filename).name
    elif ours:
        where = f"{Path(ours[-1].filename).name}:{ours[-1].name}"
    return f"{type(error).__name__} in {where}"


def work(name: str, seed: int, first: int, step: int, seconds: float, place: Place) -> None:
    """Feed inputs until the time is over."""
    target = prepared(name)
    outcome(Nothing(), b"")  # imports what the first input would have to wait for
    _bound()
    out, told = os.dup(1), set()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    end, number, slowest = time.monotonic() + seconds, first, (0.0, -1)
    while time.monotonic() < end:
        data = drawn(target, name, seed, number)
        place.begin(number)
        began = time.monotonic()
        found = outcome(target, data)
        slowest = max(slowest, (time.monotonic() - began, number))
        place.done(found.kind == "read")
        if counts := getattr(target, "counts", None):
            os.write(out, (json.dumps({"counts": counts}) + "\n").encode())
            counts.clear()
        if found.kind == "failed":
            text = "" if found.signature in told else found.text
            told.add(found.signature)
            line = json.dumps({"number": number, "signature": found.signature, "text": text}) + "\n"
            os.write(out, line.encode())
        number += step
    place.begin(-1)
    os.write(out, (json.dumps({"slowest": slowest}) + "\n").encode())


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def prepared(name: str) -> "object":
    """The target of that name, ready to be fed; `module:Class` is one that is not in the list."""
    from tests.torture.targets import TARGETS

    module, colon, cls = name.partition(":")
    if colon:
        return getattr(import_module(module), cls)()
    return TARGETS[name]()


# --- one input -------------------------------------------------------------------------------------------------------


def apart(target: "object", data: bytes, seconds: float = HANG_SECONDS, memory: int = MEMORY) -> Outcome:
    """Feed an input in a process of its own, which may end in any way."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        found = outcome(target, data)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps([found.kind, found.signature, found.text]).encode())
        os._exit(0)
    os.close(writing)
    before = resident(os.getpid())
    told, kind = b"", ""
    end = time.monotonic() + seconds * PATIENCE
    while True:
        ready, _, _ = select.select([reading], [], [], 0.05)
        if ready:
            piece = os.read(reading, 65536)
            told += piece
            if not piece:
                break
        over = processor_seconds(child) > seconds or time.monotonic() > end
        kind = "hang" if over else "memory" if resident(child) > before + memory else ""
        if kind:
            os.kill(child, signal.SIGKILL)
            break
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if kind:
        return Outcome("failed", kind, kind)
    if not told:
        return Outcome(
            "failed", f"crash with signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "crash", "no answer"
        )
    return Outcome(*json.loads(told))


def resident(process: int) -> int:
    """Bytes of memory that a process has; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def processor_seconds(process: int) -> float:
    """How long a process has computed; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def smallest(target: "object", data: bytes, wanted: str, seconds: float = 20.0) -> bytes:
    """The smallest input with this signature that is found in the time."""
    patience = HANG_SECONDS / 2 if wanted == "hang" else HANG_SECONDS
    return minimised(data, lambda tried: apart(target, tried, patience).signature == wanted, seconds)


def main() -> None:
    """As the head of this file says."""
    name, *rest = sys.argv[1:]
    if rest[0] == "--input":
        print(outcome(prepared(name), Path(rest[1]).read_bytes()))
    elif rest[0] == "--minimise":
        target = prepared(name)
        Path(rest[3]).write_bytes(smallest(target, Path(rest[1]).read_bytes(), rest[2]))
    else:
        seed, first, step, seconds, place = rest
        work(name, int(seed), int(first), int(step), float(seconds), Place(Path(place)))


if __name__ == "__main__":
    main()
