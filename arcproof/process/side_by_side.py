"""Parallel calls: the results in order, while workers continue with later ones.

This module decides where they run: on the cluster given to the command (`cluster`), or in processes of this machine, by
joblib.
"""

import os
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, Final, TypeVar

from arcproof.process.cluster import chosen
from arcproof.process.forks import CopyEnded, called_from, can_fork, in_copies, sent_to_copies
from arcproof.process.interruption import out_of_reach
from arcproof.process.memory import IN_THE_ENVIRONMENT

Q = TypeVar("Q")
R = TypeVar("R")

CHUNK: Final = 64  # short calls that are sent together
AHEAD: Final = 4  # chunks for each process whose answers wait for an earlier one
ALONE: Final = 1.0  # seconds of short calls before other processes help


def in_copies_or_elsewhere(answer: Callable[[Q], R], questions: Sequence[Q], jobs: int) -> Iterator[R]:
    """Yield the answers in the order of the questions, from copies of this process or from the cluster."""
    cluster = chosen()
    if cluster is not None and len(questions) > 1:
        return cluster.results(answer, ((question,) for question in questions))
    return in_copies(answer, questions, jobs)


def in_processes(function: Callable[..., R], calls: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[R]:
    """Yield the results of a function for several arguments, from at most `jobs` processes or from the cluster.

    Ctrl-C does not reach processes of this machine, and they end with this one.
    """
    cluster = chosen()
    if cluster is not None:
        yield from cluster.results(function, calls)
        return
    from joblib import Parallel, delayed

    pieces = list(calls)
    for name, value in IN_THE_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        with out_of_reach():
            results = Parallel(n_jobs=max(1, min(jobs, len(pieces))), return_as="generator")(
                delayed(called_from)(os.getpid(), function, *arguments) for arguments in pieces
            )
        yield from as_long_as_wanted(results)
    except UnboundLocalError as error:  # joblib closes pipes that it could not open
        if isinstance(error.__context__, OSError):
            raise error.__context__ from None
        raise


def in_chunks(function: Callable[..., R], calls: Iterable[tuple[Any, ...]], jobs: int = 1) -> Iterator[R]:
    """Yield the results of short calls in order: on a cluster many are sent together; otherwise they are made here on
    demand, and after some seconds in as many copies of this process as there are jobs.
    """
    cluster = chosen()
    if cluster is None:
        return _here_then_in_copies(function, calls, jobs)
    return chain.from_iterable(cluster.results(partial(_all_of, function), ((some,) for some in _chunks(calls))))


def _here_then_in_copies(function: Callable[..., R], calls: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[R]:
    """What a copy was doing when it ended too early is done here."""
    remaining = iter(calls)
    began = time.perf_counter()
    for arguments in remaining:
        yield function(*arguments)
        if jobs == 1 or not can_fork() or time.perf_counter() - began < ALONE:
            continue
        begun: deque[list[tuple[Any, ...]]] = deque()
        answers = sent_to_copies(partial(_all_of, function), _noted(begun, _chunks(remaining)), jobs, AHEAD * jobs)
        try:
            for results in answers:
                begun.popleft()
                yield from results
        except CopyEnded:
            yield from chain.from_iterable(_all_of(function, some) for some in begun)


def _noted(begun: "deque[Q]", questions: Iterable[Q]) -> Iterator[Q]:
    for question in questions:
        begun.append(question)
        yield question


def _chunks(calls: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    remaining = iter(calls)
    while some := list(islice(remaining, CHUNK)):
        yield some


def _all_of(function: Callable[..., R], calls: list[tuple[Any, ...]]) -> list[R]:
    return [function(*arguments) for arguments in calls]


def are_several(jobs: int) -> bool:
    """Whether calls can be made in parallel."""
    return jobs > 1 or chosen() is not None


def worth_it(jobs: int, seconds: float, enough: float) -> bool:
    """Whether it is time to use other processes: on this machine they are started after some seconds, a cluster is
    already there.
    """
    return chosen() is not None or (jobs > 1 and seconds > enough)


def as_long_as_wanted(results: Generator[R, None, None]) -> Iterator[R]:
    """Yield the results of joblib, which warns about unconsumed ones; that is expected here."""
    try:
        for result in results:  # noqa: UP028 - `yield from` would close the results outside the block that follows
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()
