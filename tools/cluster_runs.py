"""Run commands on two machines that share no files, with a worker killed again and again: are the results the same?

    python -m tools.cluster_runs [--kill-every SECONDS] [--workers N] [--only COMMAND]

A machine is a network namespace with an address of its own and a mount namespace in which the client's working folder,
cache, store and temporary files are hidden; its home and cache are empty.  Each command runs embedded first, then on
the cluster of both machines; its JSON is compared but for times.  Every few seconds a worker, drawn at random, is
killed by SIGKILL; its nanny starts another.  Printed is a table; the exit code is 1 if a result differs.  Needs root
and Linux (`ip`, `unshare`), and the extra `cluster`.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tools.kill_runs import ROOT, without_times

CLIENT: Final = "arcproof-client"
MACHINES: Final = ("arcproof-a", "arcproof-b")
ADDRESS: Final = "10.77.0.{}"
PORT: Final = 8786
CELLS: Final = (
    "arc-eager", "arc-standard", "arc-hybrid", "arc-swift", "list-projective", "list-nonprojective", "swap",
    "arc-eager:head", "arc-eager:path", "arc-eager:head+path", "arc-standard:head", "arc-hybrid:head",
    "arc-standard:path", "arc-hybrid:path", "attardi", "choi-palmer", "nl-covington", "arc-standard-stack", "covington",
    "list-projective:head",
)  # fmt: skip
OUT: Final = "out.json"
VERIFY: Final = ("verify", "swap", "--claims-only", "--samples", "0", "--proofs", "none", "--json", OUT)


@dataclass(frozen=True)
class Command:
    """A command, and what it is given embedded and on the cluster besides."""

    arguments: tuple[str, ...]
    embedded: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()


COMMANDS: Final = {
    "mutate": Command(("mutate", "arc-eager", "arc-standard", "--words", "5", "--json", OUT)),
    "prove": Command(("prove", "arc-standard", "arc-hybrid", "--no-cache", "--json", OUT)),
    "experiment": Command(("experiment", *CELLS, "--treebank", "artificial", "-o", "cells", "--json")),
    "verify 7": Command((*VERIFY, "--words", "7"), ("--memory", "4G"), ("--memory", "100M")),
    "verify 8": Command((*VERIFY, "--words", "8"), ("--memory", "12G"), ("--memory", "3G")),
}


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    code: int
    document: Any
    seconds: float
    cpu: float


@dataclass
class Killer:
    """Kills a worker again and again, until it is told to stop."""

    every: float
    mark: str
    draw: random.Random
    killed: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def __call__(self) -> None:
        """One worker after the other, drawn from those that are running."""
        while not self.over.wait(self.every):
            if running := _workers(self.mark):
                os.kill(self.draw.choice(running), signal.SIGKILL)
                self.killed += 1


def _workers(mark: str) -> list[int]:
    """The worker processes, without their nannies."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            environment, command = (path / "environ").read_bytes(), (path / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in environment and b"multiprocessing.spawn" in command:
            found.append(int(path.name))
    return found


@contextmanager
def network() -> Iterator[None]:
    """A client and two machines on a bridge that nobody else is on."""
    with ExitStack() as stack:
        for place, name in enumerate((CLIENT, *MACHINES), 1):
            _ip("netns", "add", name)
            stack.callback(_ip, "netns", "del", name)
            _ip("-n", name, "link", "set", "lo", "up")
            if name == CLIENT:
                _ip("-n", CLIENT, "link", "add", "bridge", "type", "bridge")
                _ip("-n", CLIENT, "addr", "add", f"{ADDRESS.format(place)}/24", "dev", "bridge")
                _ip("-n", CLIENT, "link", "set", "bridge", "up")
                continue
            _ip("-n", CLIENT, "link", "add", f"port{place}", "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("-n", CLIENT, "link", "set", f"port{place}", "master", "bridge", "up")
            _ip("-n", name, "addr", "add", f"{ADDRESS.format(place)}/24", "dev", "eth0")
            _ip("-n", name, "link", "set", "eth0", "up")
        yield


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


@contextmanager
def cluster(root: Path, mark: str, workers: int) -> Iterator[str]:
    """The address of a scheduler beside the client, with workers on both machines."""
    address = f"tcp://{ADDRESS.format(1)}:{PORT}"
    dask = [sys.executable, "-m", "dask"]
    allowed = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100"}
    with ExitStack() as stack:
        scheduler = (*dask, "scheduler", "--host", ADDRESS.format(1), "--port", str(PORT), "--no-dashboard")
        stack.enter_context(_served(root, CLIENT, scheduler, {**_environment(root / "client"), **allowed}))
        for place, name in enumerate(MACHINES, 2):
            home = root / name
            worker = (*dask, "worker", address, "--host", ADDRESS.format(place), "--nthreads", "1",
                      "--nworkers", str(workers), "--memory-limit", "4GB", "--no-dashboard")  # fmt: skip
            script = f'mount -t tmpfs none {root / "client"} && cd {home} && exec "$@"'
            hidden = ("unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", *worker)
            stack.enter_context(_served(root, name, hidden, {**_environment(home), "ARCPROOF_MACHINE": mark}))
        yield address


@contextmanager
def _served(root: Path, namespace: str, command: Sequence[str], environment: dict[str, str]) -> Iterator[None]:
    with (root / f"{namespace}.log").open("ab") as log:
        process = subprocess.Popen(
            ["ip", "netns", "exec", namespace, *command],
            env=environment,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _environment(home: Path) -> dict[str, str]:
    """Of a machine whose files are all in one folder."""
    for name in ("cache", "tmp", "work"):
        (home / name).mkdir(parents=True, exist_ok=True, mode=0o700)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "ARCPROOF_CACHE": str(home / "cache"),
        "ARCPROOF_STORE": "off",
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "0",
    }


def ran(root: Path, arguments: Sequence[str]) -> Ran:
    """Run a command on the client."""
    home, out = root / "client", root / "client" / "work" / OUT
    out.unlink(missing_ok=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        ["ip", "netns", "exec", CLIENT, sys.executable, "-m", "arcproof", *arguments],
        cwd=home / "work", env=_environment(home), capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        document = without_times(json.loads(out.read_bytes() if out.is_file() else done.stdout))
    except ValueError:
        document = None
        print(done.stderr.decode()[-2000:], file=sys.stderr)
    return Ran(done.returncode, document, seconds, cpu)


def compared(name: str, every: float, workers: int, draw: random.Random) -> bool:
    """Run a command both ways and print its line; whether the results are the same."""
    command = COMMANDS[name]
    with tempfile.TemporaryDirectory(prefix="arcproof-machines-") as folder, network():
        root, mark = Path(folder), f"{name}-{time.monotonic_ns()}"
        embedded = ran(root, (*command.arguments, *command.embedded, "--jobs", "2"))
        subprocess.run(["rm", "-rf", str(root / "client" / "work" / "cells")], check=True)
        with cluster(root, mark, workers) as address:
            time.sleep(10)
            killer = Killer(every, mark, draw)
            thread = threading.Thread(target=killer, daemon=True)
            if every > 0:
                thread.start()
            spread = ran(root, (*command.arguments, *command.spread, "--cluster", address))
            killer.over.set()
    same = spread.document is not None and (embedded.code, embedded.document) == (spread.code, spread.document)
    row = (name, f"{embedded.seconds:.0f}", f"{embedded.cpu:.0f}", f"{spread.seconds:.0f}", killer.killed,
           "same" if same else f"DIFFERENT ({embedded.code}, {spread.code})")  # fmt: skip
    print(f"| {' | '.join(map(str, row))} |", flush=True)
    if not same:
        for kind, document in (("embedded", embedded.document), ("cluster", spread.document)):
            Path(f"build/cluster-{name.replace(' ', '-')}-{kind}.json").write_text(json.dumps(document, indent=1))
    return same


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kill-every", type=float, default=20, help="seconds; 0 kills nothing")
    parser.add_argument("--workers", type=int, default=2, help="workers of each machine")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=list(COMMANDS))
    given = parser.parse_args()
    Path("build").mkdir(exist_ok=True)
    print("| command | embedded, s | CPU, s | two machines, s | workers killed | result |\n|---|---|---|---|---|---|")
    draw = random.Random(given.seed)
    results = [compared(name, given.kill_every, given.workers, draw) for name in given.only or COMMANDS]
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
