"""Options that several commands have, each declared once: its name, its meaning, the form of its value."""

import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from arcproof.process.available import processors
from arcproof.process.memory import half_of_the_memory

F = TypeVar("F", bound=Callable[..., Any])

MAX_JOBS: Final = 256
LONGEST: Final = 10**8
"""The longest duration in seconds: more than three years."""


# --- how values are written ------------------------------------------------------------------------------------------


class MemorySize(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A size: `8G`, `500M`, or a number of bytes."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        from arcproof.process.sizes import LARGEST_SIZE, bytes_in

        size = bytes_in(str(value))
        if not size:
            self.fail(f"`{value}` is not a size; write 500M or 8G", param, ctx)
        if size > LARGEST_SIZE:
            self.fail(f"`{value}` is too much; it must be at most {LARGEST_SIZE} bytes", param, ctx)
        return size


class WholeNumber(click.IntRange):
    """A whole number within bounds, which the message names."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        number = str(value).strip()
        found = int(number) if number.isascii() and number.removeprefix("-").isdigit() and len(number) < 20 else None
        if found is None or (self.min is not None and found < self.min) or (self.max is not None and found > self.max):
            self.fail(f"`{value}` is not a whole number{self._bounds}", param, ctx)
        return found

    @property
    def _bounds(self) -> str:
        if self.min is not None and self.max is not None:
            return f" from {self.min} to {self.max}"
        return "" if self.min is None else f", {self.min} or more"


class Duration(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A duration: `90s`, `5m`, `1h`, or a number of seconds."""

    name = "duration"

    def __init__(self, least: float = 0, most: float = LONGEST, may_be_least: bool = False) -> None:
        """Set the bounds in seconds; the lower one itself is allowed only if `may_be_least`."""
        self.least, self.most, self.may_be_least = least, most, may_be_least

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of seconds."""
        from arcproof.process.sizes import seconds_in

        seconds = seconds_in(str(value))
        if seconds is None:
            self.fail(f"`{value}` is not a duration; write 90 or 90s, 5m or 1h", param, ctx)
        if seconds < self.least or (seconds == self.least and not self.may_be_least):
            self.fail(f"`{value}` is too short; it must be {self._bound} {self.least:.15g} s", param, ctx)
        if seconds > self.most:
            self.fail(f"`{value}` is too long; it must be at most {self.most:.15g} s", param, ctx)
        return seconds

    @property
    def _bound(self) -> str:
        return "at least" if self.may_be_least else "more than"


class OneOf(click.Choice):  # type: ignore[type-arg,unused-ignore]
    """One of some words; another is answered with the one that was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            from arcproof.process.suggestions import perhaps

            raise click.BadParameter(f"{error.message}{perhaps(str(value), self.choices)}", ctx, param) from None


# --- what is printed and written -------------------------------------------------------------------------------------

json_option = click.option(
    "--json",
    "json_file",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Print JSON and nothing else; with FILE, which ends in .json (any other name: --json=FILE), write it there "
    "in addition to the usual output.",
)
html_file_option = click.option("--html", "html_file", metavar="FILE", help="Write an HTML page; - is standard output.")

# --- limits ----------------------------------------------------------------------------------------------------------


def memory_limit(what: str) -> Callable[[F], F]:
    """The option --memory; `what` says what happens where that is not enough."""
    return click.option(
        "--memory",
        type=MemorySize(),
        default=half_of_the_memory,
        metavar="SIZE",
        help=f"{what}, e.g. 512M or 8G; default half of the RAM.",
    )


memory_option = memory_limit("Stop a level that would need more")

timeout_option = click.option(
    "--timeout",
    type=Duration(),
    metavar="TIME",
    help="Stop after this long with what is known by then, and exit code 3 if that is inconclusive; e.g. 90s, 5m "
    "or 1h.",
)


def time_option(help: str, default: float | None = None) -> Callable[[F], F]:  # noqa: A002
    """The option --time: how long to search."""
    return click.option(
        "--time",
        "seconds",
        type=Duration(may_be_least=default is None),
        default=default,
        show_default=True,
        metavar="TIME",
        help=help,
    )


def default_jobs() -> int:
    """As many processes as there are processors for this one, within the limit of --jobs."""
    return min(processors(), MAX_JOBS)


jobs_option = click.option(
    "--jobs",
    type=WholeNumber(1, MAX_JOBS),
    default=default_jobs,
    metavar="N",
    help="Work in N processes; default all cores. The results are the same.",
)


def cluster_option(command: F) -> F:
    """Add the option --cluster: the command then works on a cluster."""
    from functools import wraps
    from inspect import signature

    @wraps(command)
    def on_it(*arguments: Any, cluster: str | None, **options: Any) -> Any:
        if cluster is None:
            return command(*arguments, **options)
        from arcproof.process.cluster import ClusterLost, ClusterProblem, on_cluster

        try:
            with on_cluster(cluster):
                return command(*arguments, **options)
        except ClusterLost as error:
            click.echo(f"error: {error}", err=True)
            sys.exit(3)
        except ClusterProblem as error:
            raise click.UsageError(str(error)) from None

    memory = " --memory is for each worker." if "memory" in signature(command).parameters else ""
    return click.option(
        "--cluster",
        metavar="PLACE",
        help="Work on a Dask cluster: the address of a scheduler, its file, or local:N for N processes here."
        f"{memory} The results are the same. See docs/cluster.md.",
    )(on_it)  # type: ignore[return-value,unused-ignore]


# --- how much is tried, and by what ----------------------------------------------------------------------------------


def seed_option(help: str, default: int = 0) -> Callable[[F], F]:  # noqa: A002
    """The option --seed; `help` says what is drawn at random."""
    return click.option("--seed", type=WholeNumber(0), default=default, show_default=True, metavar="N", help=help)


samples_seed_option = seed_option("The same seed draws the same samples.")
training_seed_option = seed_option("With the fast learner: the same seed gives the same order of instances.", default=1)


def words_option(
    default: int | None,
    least: int = 0,
    help: str = "Try everything up to N words.",  # noqa: A002
    shown: str | None = None,
) -> Callable[[F], F]:
    """The option --words: how far the exhaustive engine goes."""
    return click.option(
        "--words",
        type=WholeNumber(least, 20),
        default=default,
        show_default=shown or True,
        metavar="N",
        help=help,
    )


SAMPLES: Final = (
    "Random runs and graphs to try beyond that, besides extreme ones (chains, stars, the deepest stack, …); 0 for "
    "none at all. A larger number starts with the same samples."
)


def samples_option(default: int, help: str = SAMPLES) -> Callable[[F], F]:  # noqa: A002
    """The option --samples: how much is sampled beyond the exhaustive engine."""
    return click.option("--samples", type=WholeNumber(0), default=default, show_default=True, metavar="M", help=help)


engine_option = click.option(
    "--engine",
    type=OneOf(["compiled", "interpreter"]),
    default="compiled",
    show_default=True,
    envvar="ARCPROOF_ENGINE",
    help="What explores the configurations: native code that runs the figure, or the reference interpreter.",
)

proofs_option = click.option(
    "--proofs",
    type=OneOf(["none", "kept", "certified", "new", "afresh"]),
    default=None,
    envvar="ARCPROOF_PROOFS",
    help="Proofs for every sentence length: none; kept, those made earlier (the default); certified, also those with a "
    "built-in "
    "certificate, which both solvers check; new, also prove what has none, which may take minutes (the default with "
    "--require proved); afresh, without the cache.",
)

fresh_option = click.option(
    "--fresh",
    is_flag=True,
    help="Do everything again, whatever earlier runs have stored.",
)

# --- what is read ----------------------------------------------------------------------------------------------------

sentence_option = click.option(
    "--sentence",
    type=WholeNumber(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="With --conllu: the K-th sentence.",
)
oracle_option = click.option("--oracle", metavar="NAME", help="One of the system's oracles; default the first.")
skip_bad_option = click.option("--skip-bad", is_flag=True, help="Skip sentences that cannot be read, and count them.")
