"""Calls on a Dask cluster.

Functions, arguments and results travel as Python objects between this process and workers that the user started;
none of it is read from or written to a file of the user's.  A worker may die: Dask gives its calls to others and
sends what they need again.  Only what cannot be recovered is a `ClusterProblem`.
"""

import json
import logging
import math
import os
import re
import tempfile
import time
import uuid
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from arcproof.process.available import processors
from arcproof.process.cluster import ClusterLost, ClusterProblem
from arcproof.process.cluster_worker import (
    Arguments,
    OtherCode,
    RemoteRun,
    called,
    difference,
    done,
    give_up,
    identity,
    received,
)
from arcproof.process.extras import need
from arcproof.process.interruption import held_back, out_of_reach
from arcproof.process.memory import IN_THE_ENVIRONMENT

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

Q = TypeVar("Q")
R = TypeVar("R")

SECONDS_TO_CONNECT: Final = 5
SECONDS_FOR_WORKERS: Final = 20
SECONDS_TO_GIVE_UP: Final = 2
AHEAD: Final = 4  # calls that wait for each worker
LOGS: Final = ("distributed", "tornado", "asyncio")
MOST_LOCAL: Final = 256
MOST_DEATHS: Final = 20  # of workers that a call may see, where the scheduler is ours
ADDRESS: Final = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:\[[^\s/\[\]]+\]|[^\s/:]+):(?P<port>[0-9]{1,5})/?")
LARGEST_PORT: Final = 65535
MOST_OF_A_FILE: Final = 1_000_000
WITH_TLS: Final = ("tls://", "wss://")
FORMS: Final = "an address such as tcp://127.0.0.1:8786, a scheduler file, or local:N"


def identity_here() -> tuple[tuple[str, str], ...]:
    """The identity that those of the workers are compared with."""
    return identity()


@contextmanager
def connected(asked: str) -> Iterator["Cluster"]:
    """Connect to the requested cluster for the duration of the block; `ClusterProblem` if there is none."""
    local = _number_of_processes(asked)
    _import_dask()
    with ExitStack() as stack:
        stack.enter_context(_silent_logs())
        address = asked if local is None else stack.enter_context(_started(local))
        cluster = Cluster(*_place(address), is_local=local is not None)
        stack.callback(cluster.close)
        cluster.check()
        yield cluster


def _number_of_processes(asked: str) -> int | None:
    """The N of `local:N`, by default one for each core; None for anything else."""
    kind, colon, number = asked.partition(":")
    if kind != "local":
        return None
    if not colon:
        return min(processors(), MOST_LOCAL)
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= MOST_LOCAL:
        raise ClusterProblem(f"`{asked}` is not a number of processes; write local:N with N from 1 to {MOST_LOCAL}")
    return int(number)


def _import_dask() -> None:
    need("cluster", "distributed")
    import dask

    dask.config.set({"distributed.scheduler.allowed-failures": MOST_DEATHS})


@contextmanager
def _silent_logs() -> Iterator[None]:
    """Silence Dask in the block: we report what matters ourselves, and an abandoned call is not an error."""
    found = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LOGS]
    before = {name: logging.getLogger(name).level for name in (*LOGS, *found)}
    for name in before:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _place(asked: str) -> tuple[str | None, str | None]:
    """Return an address or a scheduler file; the other one is None."""
    if Path(asked).is_file():
        _check_address(_address_in(asked), f", which is in {asked},")
        return None, asked
    if "://" in asked or asked.rpartition(":")[2].isdigit():
        _check_address(asked)
        return asked, None
    raise ClusterProblem(f"`{asked}` is neither an address nor an existing file; give {FORMS}")


def _address_in(file: str) -> str:
    """Read the address from a scheduler file."""
    try:
        with open(file, "rb") as opened:
            written = json.loads(opened.read(MOST_OF_A_FILE))
        address = written["address"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        address = None
    if not isinstance(address, str):
        raise ClusterProblem(f"`{file}` is not a scheduler file: it has no address; give {FORMS}")
    return address


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _check_address(address: str, where: str = "") -> None:
    """Refuse what is not an address: for some, Dask would take ten seconds and show a traceback as well."""
    found = ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) <= LARGEST_PORT:
        raise ClusterProblem(f"`{address}`{where} is not the address of a scheduler; give {FORMS}")


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
        dask.config.set({"temporary-directory": folder}),  # the scheduler's files too
        quiet_dask(),
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
def quiet_dask() -> Iterator[None]:
    """Silence Dask's warnings about what is intended here: large functions, killed processes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"distributed|dask|tornado")
        warnings.filterwarnings("ignore", message="Sending large graph")
        yield


class Cluster:
    """A connection to a scheduler.  A forked process makes its own when it first needs one."""

    def __init__(self, address: str | None, file: str | None, is_local: bool = False) -> None:
        """Remember the address; a connection is only made when it is needed."""
        self.is_local = is_local
        self._where: dict[str, Any] = {"address": address} if file is None else {"scheduler_file": file}
        self._name = address or str(file)
        self._address = _address_in(file) if file is not None else str(address)
        self._client: Client | None = None
        self._owner = 0
        self._counted = (-math.inf, 1)

    @property
    def client(self) -> "Client":
        """The connection of this process; `ClusterProblem` if nobody answers."""
        if self._client is None or self._owner != os.getpid():
            self._client, self._owner = self._connected(), os.getpid()
        return self._client

    def _connected(self) -> "Client":
        from distributed import Client

        self._check_certificates()
        try:
            with quiet_dask(), out_of_reach():
                return Client(**self._where, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError, KeyError, TypeError) as error:
            said = _first_line(error)
            raise ClusterProblem(
                f"no scheduler answers at {self._name} ({said}); give {FORMS}, and start one with `dask scheduler`"
            ) from None

    def _check_certificates(self) -> None:
        """`ClusterProblem` if the address needs TLS and Dask's configuration has no certificates, or unreadable ones.

        Dask's client would leave a traceback on standard error.
        """
        from distributed.security import Security

        if not self._address.startswith(WITH_TLS):
            return
        try:
            said = None if Security().get_connection_args("client").get("ssl_context") else "none are set"
        except (OSError, ValueError) as error:
            said = _first_line(error)
        if said is not None:
            raise ClusterProblem(
                f"{self._address} needs certificates ({said}); set distributed.comm.tls.ca-file, client.cert and "
                "client.key in Dask's configuration, or DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and "
                "…__CLIENT__KEY in the environment"
            )

    def check(self) -> None:
        """Raise `ClusterProblem` if there is no worker, or one has different code."""
        client = self.client
        try:
            client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        except TimeoutError:
            raise ClusterProblem(
                f"the scheduler at {self._name} has no workers; start some with `dask worker {self.address} "
                "--nthreads 1`"
            ) from None
        answers = client.run(identity, on_error="return")
        for worker, there in answers.items():
            if isinstance(there, BaseException):
                raise ClusterProblem(
                    f"the worker {worker} cannot use arcproof ({there}); install the same version there"
                )
            different = difference(identity_here(), there)
            if different is not None:
                raise ClusterProblem(
                    f"the worker {worker} has {different}; install the same versions there, and restart it"
                )

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        scheduler = self.client.scheduler
        return self._name if scheduler is None else str(scheduler.address)

    @property
    def workers(self) -> int:
        """The number of worker processes, at least 1; queried once per second."""
        now = time.monotonic()
        if now - self._counted[0] > 1 or self._owner != os.getpid():
            with self.watched():
                self._counted = now, max(1, len(self.client.nthreads()))
        return self._counted[1]

    def results(self, function: Callable[..., R], calls: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        """Yield the results of calls in order while workers continue with later ones; calls that are no longer needed
        are abandoned.
        """
        with RemoteCalls(self, function) as made:
            waiting: deque[Future[Any]] = deque()
            remaining = iter(calls)
            while True:
                while len(waiting) < AHEAD * self.workers + 1:
                    arguments = next(remaining, None)
                    if arguments is None:
                        break
                    waiting.append(made.begin(*arguments))
                if not waiting:
                    return
                yield made.result(waiting.popleft())

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Raise `ClusterLost`, with what to do, if the scheduler disappears in the block."""
        from distributed import CancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker, NoValidWorkerError

        try:
            yield
        except KilledWorker as error:
            raise ClusterLost(
                f"a call killed every worker that made it ({error.allowed_failures + 1} so far), perhaps "
                "for lack of memory; give the workers more"
            ) from None
        except (CancelledError, CommClosedError, NoValidWorkerError, OSError) as error:
            raise ClusterLost(
                f"the scheduler at {self._name} is gone ({type(error).__name__}); restart it, then run the "
                "same command again"
            ) from None

    def close(self) -> None:
        """Disconnect, and leave the cluster as it was found."""
        if self._client is not None and self._owner == os.getpid():
            with suppress(Exception), quiet_dask(), out_of_reach():
                self._client.close(timeout=SECONDS_TO_GIVE_UP)
        self._client = None


class _Raised(Exception):
    """Wraps the error of a call that would otherwise be taken for a lost connection."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def _own_errors(made: "list[Future[Any]]") -> Iterator[None]:
    """Raise `_Raised` where the call itself failed, not the connection."""
    from distributed.comm.core import CommClosedError

    try:
        yield
    except CommClosedError:
        raise
    except OSError as error:
        if any(one.status == "error" for one in made):
            raise _Raised(error) from None
        raise


class Tasks:
    """Calls that belong together; those still unfinished at the end of the block are abandoned."""

    def __init__(self, cluster: Cluster) -> None:
        """Prepare a run; nothing is called yet."""
        self.cluster = cluster
        self._run = RemoteRun(uuid.uuid4().hex, identity_here())
        self._begun: weakref.WeakSet[Future[Any]] = weakref.WeakSet()

    def __enter__(self) -> Self:
        """Enter the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Abandon unfinished calls."""
        self.end()

    def put(self, function: Any, *arguments: Any, wrapper: Callable[..., Any] = done) -> "Future[Any]":
        """Start a call; its arguments may include results of other calls, which stay on the workers until then."""
        with quiet_dask(), self.cluster.watched():
            key = f"arcproof-{uuid.uuid4().hex}"
            made = self.cluster.client.submit(wrapper, self._run, function, *arguments, key=key, pure=False)
        self._begun.add(made)
        return made

    def get(self, made: "Iterable[Future[Any]]") -> list[Any]:
        """Wait for calls and return their results; exceptions are re-raised here."""
        wanted = list(made)
        try:
            with self.cluster.watched(), _own_errors(wanted):
                found: list[Any] = self.cluster.client.gather(wanted)
        except OtherCode as error:
            raise ClusterLost(f"a worker that joined has {error}; install the same versions there") from None
        except _Raised as call:
            raise call.error from None
        return found

    def end(self) -> None:
        """Abandon unfinished calls, including those that workers are making."""
        client, begun = self.cluster.client, [made for made in self._begun if not made.done()]
        with suppress(Exception), quiet_dask(), out_of_reach():
            if begun and not self.cluster.is_local:  # processes started for us end with us
                client.cancel(begun)
                client.run(give_up, self._run.name, on_error="ignore", wait=False)


class RemoteCalls(Tasks, Generic[R]):
    """Calls of one function, which is sent to each worker once, and again to replacements."""

    def __init__(self, cluster: Cluster, function: Callable[..., R]) -> None:
        """Send the function; nothing is called yet."""
        super().__init__(cluster)
        with quiet_dask(), cluster.watched():
            key = f"arcproof-function-{self._run.name}"
            self._function = cluster.client.submit(received, function, key=key, pure=False)

    def begin(self, *arguments: Any) -> "Future[Any]":
        """Start a call."""
        return self.put(self._function, Arguments(arguments), wrapper=called)

    def result(self, made: "Future[Any]") -> R:
        """Wait for a call and return its result; its exception is re-raised here."""
        found: R = self.get([made])[0]
        return found


class RemoteCopies(Generic[Q, R]):
    """Workers that answer questions, as `forks.Copies` do: `ask`, then `next`."""

    def __init__(self, cluster: Cluster, answer: Callable[[Q], R]) -> None:
        """Prepare to ask; nothing is asked yet."""
        self._calls = RemoteCalls(cluster, answer)
        self._most = AHEAD * cluster.workers
        self._asked: dict[Future[Any], Q] = {}

    @property
    def busy(self) -> list[Q]:
        """The questions that are being answered."""
        return list(self._asked.values())

    def ask(self, question: Q) -> bool:
        """Ask a question; False if enough are already waiting."""
        if len(self._asked) >= self._most:
            return False
        self._asked[self._calls.begin(question)] = question
        return True

    def ready(self) -> bool:
        """Whether an answer is available without waiting."""
        return any(made.done() for made in self._asked)

    def next(self) -> tuple[Q, R]:
        """Wait for an answer; exceptions are re-raised here."""
        from distributed import wait

        with quiet_dask(), self._calls.cluster.watched(), self._calls.cluster.client.as_current():
            done = next(iter(wait(list(self._asked), return_when="FIRST_COMPLETED").done))
        question = self._asked.pop(done)
        return question, self._calls.result(done)

    def end(self) -> None:
        """Abandon the questions that are being answered."""
        self._asked.clear()
        self._calls.end()
