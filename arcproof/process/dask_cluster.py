"""Independent calls on a Dask cluster, through joblib.

Functions, arguments and results travel as Python objects between this process and workers that the user started; none
of it is read from or written to a file of the user's.  Dask gives the calls of a worker that dies to others.
"""

import json
import logging
import os
import platform
import re
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arcproof.process.available import processors
from arcproof.process.cluster import ClusterLost, ClusterProblem
from arcproof.process.code_digest import code_digest, versions_of
from arcproof.process.extras import need
from arcproof.process.interruption import held_back, out_of_reach
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.memory import IN_THE_ENVIRONMENT

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

R = TypeVar("R")

CODE: Final = tuple(
    f"arcproof.{name}" for name in ("native", "process", "transitions", "generators", "properties", "classifiers")
)
LIBRARIES: Final = (
    "numpy", "networkx", "z3-solver", "cvc5", "scikit-learn", "scipy", "hypothesis", "cloudpickle",
    "joblib", "distributed",
)  # fmt: skip
"""The libraries on which results or their serialisation may depend."""
SECONDS_TO_CONNECT: Final = 5
SECONDS_FOR_WORKERS: Final = 20
SECONDS_BETWEEN_LOOKS: Final = 1.0
MAX_LOCAL: Final = 256
MAX_DEATHS: Final = 20  # of workers that a call may see, where the scheduler is ours
MAX_FILE: Final = 1_000_000
MAX_PORT: Final = 65535
LOGS: Final = ("distributed", "tornado", "asyncio")
ADDRESS: Final = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:\[[^\s/\[\]]+\]|[^\s/:]+):(?P<port>[0-9]{1,5})/?")
WITH_TLS: Final = ("tls://", "wss://")
FORMS: Final = "an address such as tcp://127.0.0.1:8786, a scheduler file, or local:N"


class OtherCode(Exception):
    """A worker has a different version of arcproof or of a library."""


@contextmanager
def connected(place: str) -> Iterator["Cluster"]:
    """Connect to a cluster for the duration of the block; `ClusterProblem` if there is none."""
    processes = _number_of_processes(place)
    need("cluster", "distributed")
    with ExitStack() as stack:
        stack.enter_context(_silence())
        address = _address_of(place) if processes is None else stack.enter_context(_started(processes))
        cluster = Cluster(address)
        stack.callback(cluster.close)
        cluster.check()
        if processes is not None:
            cluster.client.run(end_quietly)
        yield cluster


# --- what runs on a worker -------------------------------------------------------------------------------------------


_one_at_a_time = threading.RLock()
"""Our code is not thread-safe: each process makes one call at a time, whatever the number of its threads."""


def identity() -> dict[str, str]:
    """What must be the same wherever calls are made: Python, arcproof's own files, the libraries."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {**versions_of(LIBRARIES), "python": python, "arcproof": code_digest(CODE)[:12]}


def difference(here: dict[str, str], there: dict[str, str]) -> str | None:
    """Describe how two identities differ; None if they do not."""
    pairs = [(name, here.get(name, "missing"), there.get(name, "missing")) for name in {**here, **there}]
    return ", ".join(f"{name} {theirs} instead of {ours}" for name, ours, theirs in pairs if ours != theirs) or None


def end_quietly() -> None:
    """joblib opens a client on each worker, which complains when the process ends."""
    sys.unraisablehook = lambda _: None


@dataclass(frozen=True, slots=True)
class Call:
    """A call, as one small object: joblib would store large arguments on a single worker, and lose them with it."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    code: dict[str, str]


def made(call: Call) -> Any:
    """Make a call on a worker, which may have joined later; `OtherCode` if it has different code."""
    different = difference(call.code, identity())
    if different is not None:
        raise OtherCode(different)
    with _one_at_a_time:
        return call.function(*call.arguments)


# --- the connection --------------------------------------------------------------------------------------------------


class Cluster:
    """A connection to a scheduler.  A forked process makes its own when it first needs one."""

    def __init__(self, address: str) -> None:
        """Remember the address; a connection is only made when it is needed."""
        self.address = address
        self._client: Client | None = None
        self._owner = 0

    @property
    def client(self) -> "Client":
        """The connection of this process; `ClusterProblem` if nobody answers."""
        if self._client is None or self._owner != os.getpid():
            self._client, self._owner = _connected(self.address), os.getpid()
        return self._client

    def check(self) -> None:
        """Raise `ClusterProblem` if there is no worker, or one has different code."""
        try:
            self.client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        except TimeoutError:
            raise ClusterProblem(
                f"the scheduler at {self.address} has no workers; start some with `dask worker {self.address} "
                "--nthreads 1`"
            ) from None
        for worker, there in self.client.run(identity, on_error="return").items():
            if isinstance(there, BaseException):
                raise ClusterProblem(
                    f"the worker {worker} cannot use arcproof ({there}); install the same version there"
                )
            different = difference(identity(), there)
            if different is not None:
                raise ClusterProblem(
                    f"the worker {worker} has {different}; install the same versions there, and restart it"
                )

    def results(self, function: Callable[..., R], calls: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        """Yield the results of calls in order while workers continue with later ones.

        joblib waits for ever for a call that Dask gave up, and for a scheduler that is gone.  So it waits in a thread,
        and we look after it.
        """
        handed_over: SimpleQueue[tuple[R | None, BaseException | None] | None] = SimpleQueue()
        is_over = threading.Event()
        here = identity()
        tasks = (Call(function, arguments, here) for arguments in calls)
        client = self.client
        work = threading.Thread(target=_hand_over, args=(client, tasks, handed_over, is_over), daemon=True)
        work.start()
        try:
            while (item := self._next_of(handed_over, client)) is not None:
                result, error = item
                if isinstance(error, OtherCode):
                    raise ClusterLost(f"a worker that joined has {error}; install the same versions there")
                if error is not None:
                    raise error
                yield result  # type: ignore[misc]
        finally:
            is_over.set()

    def _next_of(self, handed_over: "SimpleQueue[R]", client: "Client") -> R:
        while True:
            with suppress(Empty):
                return handed_over.get(timeout=SECONDS_BETWEEN_LOOKS)
            if client.status != "running":
                raise ClusterLost(
                    f"the scheduler at {self.address} is gone; restart it, then run the same command again"
                )
            for state in list(client.futures.values()):
                if state.status == "error":
                    raise _given_up(state.exception)

    def close(self) -> None:
        """Disconnect, and leave the cluster as it was found."""
        if self._client is not None and self._owner == os.getpid():
            with suppress(Exception), out_of_reach():
                self._client.close(timeout=SECONDS_TO_CONNECT)
        self._client = None


def _given_up(error: BaseException) -> BaseException:
    """What to raise for a call that Dask gave up; errors of calls themselves come with their results."""
    from distributed.scheduler import KilledWorker

    if not isinstance(error, KilledWorker):
        return error
    return ClusterLost(
        f"a call killed every worker that made it ({error.allowed_failures + 1} so far), perhaps for lack of memory; "
        "give the workers more"
    )


def _hand_over(
    client: "Client",
    tasks: Iterable[Call],
    handed_over: "SimpleQueue[tuple[Any, BaseException | None] | None]",
    is_over: threading.Event,
) -> None:
    """Hand over results, then None; an error is the last thing that is handed over."""
    from joblib import Parallel, delayed, parallel_config

    try:
        with parallel_config("dask", client=client):
            results = Parallel(return_as="generator")(delayed(made)(task) for task in tasks)
        for result in results:
            handed_over.put((result, None))
            if is_over.is_set():
                results.close()
                return
        handed_over.put(None)
    except BaseException as error:
        handed_over.put((None, error))


def _connected(address: str) -> "Client":
    from distributed import Client

    _check_certificates(address)
    try:
        with out_of_reach():
            return Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ClusterProblem(
            f"no scheduler answers at {address} ({_first_line(error)}); give {FORMS}, and start one with "
            "`dask scheduler`"
        ) from None


def _check_certificates(address: str) -> None:
    """`ClusterProblem` if the address needs TLS and Dask's configuration has no certificates, or unreadable ones.

    Dask's client would leave a traceback on standard error.
    """
    from distributed.security import Security

    if not address.startswith(WITH_TLS):
        return
    try:
        problem = None if Security().get_connection_args("client").get("ssl_context") else "none are set"
    except (OSError, ValueError) as error:
        problem = _first_line(error)
    if problem is not None:
        raise ClusterProblem(
            f"{address} needs certificates ({problem}); set distributed.comm.tls.ca-file, client.cert and "
            "client.key in Dask's configuration, or DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and "
            "…__CLIENT__KEY in the environment"
        )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


# --- where it is -----------------------------------------------------------------------------------------------------


def _number_of_processes(place: str) -> int | None:
    """The N of `local:N`, by default one for each core; None for anything else."""
    kind, colon, number = place.partition(":")
    if kind != "local":
        return None
    if not colon:
        return min(processors(), MAX_LOCAL)
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= MAX_LOCAL:
        raise ClusterProblem(f"`{place}` is not a number of processes; write local:N with N from 1 to {MAX_LOCAL}")
    return int(number)


def _address_of(place: str) -> str:
    """The address of a scheduler, given as such or as its file.

    Anything but an address is refused: for some, Dask would take ten seconds and show a traceback as well.
    """
    is_file = Path(place).is_file()
    if not is_file and "://" not in place and not place.rpartition(":")[2].isdigit():
        raise ClusterProblem(f"`{place}` is neither an address nor an existing file; give {FORMS}")
    address = _address_in(place) if is_file else place
    match = ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match["port"]) <= MAX_PORT:
        where = f", which is in {place}," if is_file else ""
        raise ClusterProblem(f"`{address}`{where} is not the address of a scheduler; give {FORMS}")
    return address


def _address_in(file: str) -> str:
    """Read the address from a scheduler file."""
    try:
        with open(file, "rb") as opened:
            address = json.loads(opened.read(MAX_FILE))["address"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        address = None
    if not isinstance(address, str):
        raise ClusterProblem(f"`{file}` is not a scheduler file: it has no address; give {FORMS}")
    return address


@contextmanager
def _started(processes: int) -> Iterator[str]:
    """Start a cluster on this machine that nobody else can reach; Ctrl-C does not reach its processes, and it leaves
    nothing behind.
    """
    import dask
    from distributed import LocalCluster

    for name, value in IN_THE_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    with (
        tempfile.TemporaryDirectory(prefix="arcproof-cluster-", ignore_cleanup_errors=True) as folder,
        dask.config.set({"temporary-directory": folder, "distributed.scheduler.allowed-failures": MAX_DEATHS}),
        ExitStack() as stack,
    ):
        with out_of_reach(), held_back():
            cluster = LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                local_directory=folder,
            )
            stack.callback(_close, cluster)
        yield cluster.scheduler_address


def _close(cluster: "LocalCluster") -> None:
    with out_of_reach(), held_back():
        cluster.close(timeout=SECONDS_TO_CONNECT)


@contextmanager
def _silence() -> Iterator[None]:
    """Silence Dask in the block: we report what matters ourselves; abandoned calls, large functions and killed
    processes are intended.
    """
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LOGS]
    before = {name: logging.getLogger(name).level for name in (*LOGS, *names)}
    for name in before:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"distributed|dask|tornado|joblib")
            warnings.filterwarnings("ignore", message="Sending large graph")
            yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
