"""Calls side by side, by joblib: the results in order, while workers go on with later ones."""

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

from arcproof.process.interruption import out_of_reach
from arcproof.process.memory import IN_THE_ENVIRONMENT

R = TypeVar("R")


def in_processes(function: Callable[..., R], calls: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[R]:
    """The results of a function for several arguments, in as many processes; Ctrl-C does not reach them."""
    from joblib import Parallel, delayed

    for name, value in IN_THE_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    with out_of_reach():
        results = Parallel(n_jobs=jobs, return_as="generator")(delayed(function)(*arguments) for arguments in calls)
    yield from as_long_as_wanted(results)


def as_long_as_wanted(results: Generator[R, None, None]) -> Iterator[R]:
    """The results of joblib, which warns about unconsumed ones; that is expected here."""
    try:
        for result in results:  # noqa: UP028 - `yield from` would close the results outside the block that follows
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()
