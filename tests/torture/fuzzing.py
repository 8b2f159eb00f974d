"""Workers fed and watched: every target for its share of the time, as many side by side as there are cores."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture import bases
from tests.torture.table import Row
from tests.torture.targets import SLOW, TARGETS
from tests.torture.worker import HANG_SECONDS, MEMORY, PATIENCE, Place, processor_seconds, resident

READY = 240.0
"""So long may a worker take to get ready: native code is compiled."""
MOST_MINIMISED = 5
"""So many findings of a target are made smaller; more of them are one bug by many names."""


@dataclass
class Fed:
    """What became of one share of a target's inputs."""

    inputs: int = 0
    read: int = 0
    failures: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """By signature: how often, the first number, what was raised."""
    slowest: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    """What the target counts itself."""

    def failed(self, signature: str, number: int, text: str) -> None:
        many, first, said = self.failures.get(signature, (0, number, text))
        self.failures[signature] = many + 1, first, said or text


def environment(scratch: Path) -> dict[str, str]:
    """For workers: found modules, fixed hashes, a folder of their own."""
    kept = {
        "PYTHONPATH": str(bases.ROOT),
        "PYTHONHASHSEED": "0",
        "TORTURE_SCRATCH": str(scratch),
        "ARCPROOF_PROOFS": "none",
    }
    return {**os.environ, **kept, "OMP_NUM_THREADS": "1"}


def run(output: Path, seconds: float, seed: int, names: Sequence[str] = (), workers: int = 2) -> list[Row]:
    """A row for each target; what was found is made smaller afterwards."""
    os.environ["TORTURE_BASES"] = str(bases.made(output / "bases"))
    chosen = [name for name in TARGETS if not names or name in names]
    shares = sum(SLOW.get(name, 1.0) for name in chosen)
    jobs = [
        (name, part, seconds * workers * SLOW.get(name, 1.0) / shares / workers)
        for name in chosen
        for part in range(workers)
    ]
    with ThreadPoolExecutor(workers) as pool:
        fed = list(pool.map(lambda job: feed(job[0], seed, job[1], workers, job[2]), jobs))
    rows = []
    for name in chosen:
        mine = [(one, job[2]) for one, job in zip(fed, jobs, strict=True) if job[0] == name]
        rows.append(_row(name, seed, [one for one, _ in mine], sum(time for _, time in mine)))
    return rows


def _row(name: str, seed: int, fed: Sequence[Fed], seconds: float) -> Row:
    row = Row("fuzzing", name, sum(one.inputs for one in fed), seconds)
    read = sum(one.read for one in fed)
    rate = row.tried / max(seconds, 0.001)
    row.note = f"{read:,} read; {rate:,.0f} a second; slowest {max((one.slowest for one in fed), default=0):.1f} s"
    counts = sum((one.counts for one in fed), Counter[str]())
    row.note += "".join(f"; {many:,} {what}" for what, many in sorted(counts.items()))
    found: dict[str, tuple[int, int, str]] = {}
    for one in fed:
        for signature, (many, first, text) in one.failures.items():
            before = found.get(signature, (0, first, text))
            found[signature] = before[0] + many, min(before[1], first), before[2] or text
    row.failures = sum(many for many, _, _ in found.values())
    for place, (signature, (many, number, text)) in enumerate(found.items()):
        data = smallest(name, seed, number, signature) if place < MOST_MINIMISED else b""
        before = row.failures
        row.fail(signature, f"{many} times, first input {number} of seed {seed}\n\n{text}", data)
        row.failures = before
    return row


def feed(name: str, seed: int, first: int, step: int, seconds: float) -> Fed:
    """Let workers feed inputs for so long; one that hangs, grows or dies is replaced by one that goes on behind the
    input at fault.
    """
    fed, end = Fed(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="arcproof-torture-", dir=_memory_folder()) as scratch:
        number = first
        while (left := end - time.monotonic()) > 0.2 or number == first:
            stopped = _one_worker(name, seed, number, step, max(left, 0.2), Path(scratch), fed)
            if stopped is None:
                break
            number = stopped + step
    return fed


def _memory_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _one_worker(name: str, seed: int, number: int, step: int, seconds: float, scratch: Path, fed: Fed) -> int | None:
    """None if it went to the end of its time, or else the number of the input that stopped it."""
    path = scratch / f"place-{number}"
    place = Place(path)
    command = [sys.executable, "-m", "tests.torture.worker", name, *map(str, (seed, number, step, seconds, path))]
    worker = subprocess.Popen(
        command, cwd=bases.ROOT, env=environment(scratch), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    lines: list[bytes] = []
    errors: list[bytes] = []
    readers = [
        threading.Thread(target=lambda: lines.extend(worker.stdout or ()), daemon=True),
        threading.Thread(target=lambda: errors.extend(worker.stderr or ()), daemon=True),
    ]
    for reader in readers:
        reader.start()
    killed = _watched(worker, place)
    worker.wait()
    for reader in readers:
        reader.join(5)
    for stream in (worker.stdout, worker.stderr):
        if stream is not None:
            stream.close()
    present, inputs, read = place.state
    fed.inputs, fed.read = fed.inputs + inputs, fed.read + read
    for line in lines:
        said = json.loads(line)
        if "counts" in said:
            fed.counts.update(said["counts"])
        elif "slowest" in said:
            fed.slowest = max(fed.slowest, said["slowest"][0])
        else:
            fed.failed(said["signature"], said["number"], said["text"])
    if not killed and worker.returncode == 0:
        return None
    if present < 0 and inputs == 0:
        raise RuntimeError(f"{name}: the worker did not get ready: {b''.join(errors).decode(errors='replace')[-3000:]}")
    fed.inputs += 1
    signature = killed or f"crash with signal {-worker.returncode}"
    fed.failed(signature, present, b"".join(errors).decode(errors="replace")[-3000:] or signature)
    return present


def _watched(worker: "subprocess.Popen[bytes]", place: Place) -> str:
    """Wait for the end; why it was ended by force, if it was."""
    since, computed = time.monotonic(), 0.0
    before, least = place.state[0], 0
    while worker.poll() is None:
        time.sleep(0.1)
        present, now, used = place.state[0], time.monotonic(), processor_seconds(worker.pid)
        reason = ""
        if present != before:
            before, since, computed, least = present, now, used, resident(worker.pid)
        elif before < 0:
            reason = "hang" if now - since > READY else ""
        elif used - computed > HANG_SECONDS or now - since > HANG_SECONDS * PATIENCE:
            reason = "hang"
        elif resident(worker.pid) > max(least, 2**28) + MEMORY:
            reason = "memory"
        if reason:
            worker.kill()
            return reason
    return ""


def smallest(name: str, seed: int, number: int, signature: str) -> bytes:
    """The input, as small as it gets with the same signature; as it was where that takes too long."""
    with tempfile.TemporaryDirectory(prefix="arcproof-torture-", dir=_memory_folder()) as scratch:
        whole, result = Path(scratch) / "whole", Path(scratch) / "smallest"
        script = (
            "import sys; from pathlib import Path; from tests.torture.worker import drawn, prepared;"
            "name, seed, number, path = sys.argv[1:];"
            "Path(path).write_bytes(drawn(prepared(name), name, int(seed), int(number)))"
        )
        run_ = {"cwd": bases.ROOT, "env": environment(Path(scratch)), "capture_output": True}
        subprocess.run([sys.executable, "-c", script, name, str(seed), str(number), str(whole)], **run_, check=True)  # type: ignore[call-overload]
        command = [sys.executable, "-m", "tests.torture.worker", name, "--minimise", str(whole), signature, str(result)]
        try:
            subprocess.run(command, **run_, timeout=240, check=False)  # type: ignore[call-overload]
        except subprocess.TimeoutExpired:
            shutil.copy(whole, result)
        return result.read_bytes() if result.exists() else whole.read_bytes()
