"""What several commands share: naming systems, printing JSON."""

import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from arcproof.process.memory import half_of_the_memory

if TYPE_CHECKING:
    from rich.console import Console

    from arcproof.transitions.system import System


F = TypeVar("F", bound=Callable[..., Any])


def complete_system(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The names on board that begin like this, or else files; for the shell."""
    from arcproof.transitions.library import system_names

    names = [CompletionItem(name) for name in system_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def load_system(reference: str) -> "System":
    """The system a user named."""
    from arcproof.transitions.system import load

    if "\n" in reference:
        raise click.UsageError("a system is given by its name or by the path of its specification")
    return checked_system(load(reference))


def checked_system(system: "System") -> "System":
    """The same system, if what its claims and lemmas name can be read."""
    check_references(system)
    if system.figure.lemmas:
        from arcproof.properties.proving.library.given import check_lemmas

        check_lemmas(system)
    return system


def check_references(system: "System") -> None:
    """Refuse a claim about another system that cannot be read, or not with these parameters."""
    from arcproof.editors.diagnosis import reference_problems
    from arcproof.transitions.errors import BadSpecification
    from arcproof.transitions.reading.read import render

    problems = reference_problems(system)
    if problems:
        raise BadSpecification(render(problems, system.text, system.reference), tuple(problems))


def terminal() -> "Console":
    """Where findings are printed; that nobody reads them any more is not a verdict, and is left to `main`."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Terminal()


def check_place(path: str | None) -> None:
    """Whether a file can be written there is asked before any work is done; `-` is standard output.  Folders that are missing will be made."""
    if path is None or path == "-":
        return
    place = Path(path)
    if not path:
        raise click.UsageError(
            "a file without a name cannot be written; give the name of a file, or - for standard output"
        )
    if place.is_dir():
        raise click.UsageError(f"{path} cannot be written: this is a directory; give the name of a file")
    nearest = next(folder for folder in place.absolute().parents if folder.exists())
    if not nearest.is_dir():
        raise click.UsageError(f"{path} cannot be written: {nearest.name} is a file, not a directory")
    if not os.access(place if place.exists() else nearest, os.W_OK):
        raise click.UsageError(f"{path} cannot be written: permission denied")


def check_outputs(outputs: Sequence[str | None], inputs: Iterable[str | Path]) -> None:
    """Refuse, before any work is done, to write two outputs to one file, one of them over an input, or where nothing can be written.

    Links of both kinds lead to the same file; a device takes everything.  An input that
    is not a file, such as a built-in system or treebank, cannot be overwritten.
    """
    given = [path for path in outputs if path is not None]
    read = [path for path in inputs if Path(path).is_file()]
    for place, path in enumerate(given):
        check_place(path)
        if Path(path).exists() and not Path(path).is_file():
            continue
        if any(_is_same_file(path, other) for other in given[:place]):
            raise click.UsageError(f"two outputs cannot both go to {path}; give each its own file")
        if path != "-" and any(_is_same_file(path, other) for other in read):
            raise click.UsageError(f"{path} is read by this command; give the name of another file")


def _is_same_file(one: str, other: str | Path) -> bool:
    if "-" in (one, other):
        return one == other
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return Path(one).resolve() == Path(other).resolve()


def system_files(references: Iterable[str]) -> list[str]:
    """The specifications among systems that a user named, without the values of their parameters.

    The name of a built-in system is not a file of the user's.
    """
    from arcproof.transitions.library import system_names

    names = [
        reference if Path(reference).is_file() else reference.partition("[")[0].strip() for reference in references
    ]
    return [name for name in names if name not in system_names()]


def feature_files(references: Iterable[str]) -> list[str]:
    """The files among feature models that a user named."""
    from arcproof.classifiers.features.model import built_in_names

    return [name for name in references if name not in built_in_names()]


def make_folder(path: str) -> None:
    """The folder of a file that is about to be written."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None


def echo_json(document: object) -> None:
    """Print a document (`arcproof.documents`)."""
    from arcproof.documents.wire import json_text

    click.echo(json_text(document))


class SeveralTreebanks(click.Command):
    """Lets one --treebank be followed by several files, as in `--treebank a.conllu b.conllu`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give each file after --treebank an option of its own."""
        spread: list[str] = []
        files = False
        for argument in args:
            if argument.startswith("-") and argument != "-":
                files = argument == "--treebank"
                if not files:
                    spread.append(argument)
            else:
                spread += ["--treebank", argument] if files else [argument]
        if files and spread[-2:-1] != ["--treebank"]:
            spread.append("--treebank")
        return super().parse_args(ctx, spread)


class MemoryType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`8G`, `500M`, or a number of bytes."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes."""
        from arcproof.process.sizes import bytes_in

        size = bytes_in(str(value))
        if not size:
            self.fail(f"`{value}` is not a size; write 500M or 8G", param, ctx)
        return size


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
json_file_option = click.option("--json", "json_file", metavar="FILE", help="Write JSON; - is standard output.")
markdown_file_option = click.option(
    "--markdown", "markdown_file", metavar="FILE", help="Write Markdown; - is standard output."
)
sentence_option = click.option(
    "--sentence",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="With --conllu: the K-th sentence.",
)
oracle_option = click.option("--oracle", metavar="NAME", help="One of the system's oracles; default the first.")


def memory_limit(what: str) -> Callable[[F], F]:
    """How much memory may be taken, and what is done where that is not enough."""
    return click.option(
        "--memory",
        type=MemoryType(),
        default=half_of_the_memory,
        metavar="SIZE",
        help=f"{what}, e.g. 8G; default half of the RAM.",
    )


memory_option = memory_limit("Stop a level that would need more")


def words_option(default: int | None, least: int = 0) -> Callable[[F], F]:
    """How far the exhaustive engine goes; without a default it goes as far as the time allows."""
    return click.option(
        "--words",
        type=click.IntRange(least, 20),
        default=default,
        show_default="as far as --time allows" if default is None else True,
        metavar="N",
        help="Try everything up to N words.",
    )


def samples_option(default: int) -> Callable[[F], F]:
    """How much is sampled beyond that."""
    return click.option(
        "--samples",
        type=click.IntRange(0),
        default=default,
        show_default=True,
        metavar="M",
        help="Random runs and graphs beyond that, besides extreme ones (chains, stars, the deepest stack, …); "
        "0 for none at all. More samples begin with the same ones.",
    )


engine_option = click.option(
    "--engine",
    type=click.Choice(["compiled", "interpreter"]),
    default="compiled",
    show_default=True,
    envvar="ARCPROOF_ENGINE",
    help="What explores the configurations: native code that runs the figure, or the reference interpreter.",
)

proofs_option = click.option(
    "--proofs",
    type=click.Choice(["none", "kept", "certified", "new", "afresh"]),
    default=None,
    envvar="ARCPROOF_PROOFS",
    help="For every sentence length: none; kept, proofs made earlier (the default); certified, also those with a certificate on board, which both solvers check; new, also prove what has none, which may take "
    "minutes (the default with --require proved); afresh, without the cache.",
)

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=lambda: os.cpu_count() or 1,
    metavar="N",
    help="Work side by side; default all cores. The results are the same.",
)


def cluster_option(command: F) -> F:
    """Have the work done on a cluster, for the length of the command."""
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
        help=f"Work on a Dask cluster: the address of a scheduler, its file, or local:N for N processes here.{memory} The results are the same. See docs/cluster.md.",
    )(on_it)  # type: ignore[return-value,unused-ignore]


def _a_number(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds", ctx, param)
    return value


time_option = click.option(
    "--time",
    "seconds",
    callback=_a_number,
    type=click.FloatRange(min=0, max=10**8),
    metavar="SECONDS",
    help="Without --words: for each system, go beyond 4 words as long as the next level is expected to end within "
    "this time.  [default: 10]",
)

timeout_option = click.option(
    "--timeout",
    callback=_a_number,
    type=click.FloatRange(min=0, max=10**8, min_open=True),
    metavar="SECONDS",
    help="End after so long with what is known by then.",
)
