"""Arguments of the functions: systems, gold graphs and options are read here, and errors become exceptions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from inspect import Parameter, signature
from keyword import iskeyword
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar, get_args

import click

from arcproof.transitions.errors import ArcproofError, BadArgument, MissingPackage, UnreadableFile
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.system import System, load

P = ParamSpec("P")
R = TypeVar("R")

SystemLike: TypeAlias = str | Path | System
"""A built-in system by its name, the path of a specification, its text, or a system that is loaded."""
HeadsLike: TypeAlias = str | Sequence[int | None] | Graph
"""A gold graph as a list of heads, in text or as numbers; None is a word without a head."""
ListLike: TypeAlias = str | Sequence[str]
"""Several words as one text or one by one."""
Treebanks: TypeAlias = str | Path | Sequence[str | Path]
"""A file, a built-in treebank, or several."""
Time: TypeAlias = float | str
"""A number of seconds, or as the command takes it: `5m`."""

NOT_GIVEN: Final[object] = getattr(click.core, "UNSET", None)
"""The value in newer releases of click for an option that is not given and has no default."""
PRINTING: Final = {
    "json": "`to_json()`",
    "html": "a notebook shows it",
    "svg": "a notebook shows it",
    "format": "`str`, `to_json()`, `_repr_latex_()`, `_repr_svg_()`; of a `Trace` also `to_tikz()` and `to_beamer()`",
    "all": "`to_frame()` has all of them",
    "full": "`to_frame()` has it in full",
    "details": "`to_json()`",
    "invariant": "`theorem.invariant`",
    "quiet": "functions print nothing",
    "smt": "writes a folder",
    "proof_objects": "writes a folder",
    "keep": "writes a folder",
    "write": "`suggestions[0].system.text`",
    "write_test": "writes a file",
    "drivers": "a list for the terminal",
    "open": "serves a page until Ctrl-C",
    "port": "serves a page until Ctrl-C",
    "quiz": "serves a page until Ctrl-C",
    "trace.output": "`svg_steps()` and `tikz_steps()` have what is in the files",
    "steps": "`to_tikz(steps=True)`; `to_frame()` has a row for each step",
    "fragment": "`_repr_latex_()`, `to_tikz(fragment=True)`, `to_beamer(fragment=True)`",
}
"""Options that functions lack, because they only say how or where something is printed, and what to use instead.

`trace.output` is the option of `trace` only; other functions do have an `output`.
"""
COMMANDS_ONLY: Final = {
    "report": "it writes a page; `verify`, `mutate` and `coverage` return what is on the page",
    "lsp": "it is for editors",
    "completion": "it is for the shell",
}
"""Commands without a function, and why."""


def keyword_of(option: click.Option) -> str:
    """The name of an option in Python: `--sample-words` is `sample_words`, `--class` is `class_`."""
    name = max(option.opts, key=len).removeprefix("--").replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def only_prints(command: str, keyword: str) -> bool:
    """Whether an option only changes what a command prints, so that the function does not have it."""
    return keyword in PRINTING or f"{command}.{keyword}" in PRINTING


def command_of(name: str) -> click.Command:
    """Return the command with this name."""
    from arcproof.commands import cli

    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def options(name: str, values: Mapping[str, object]) -> Any:
    """Convert values with the options of a command; the keys are the Python names of the options.

    None means that an option is not given, so its default applies.
    """
    command = command_of(name)
    context = click.Context(command, info_name=name)
    found: dict[str, object] = {}
    for option in command.params:
        if isinstance(option, click.Option) and (keyword := keyword_of(option)) in values:
            value = values[keyword]
            given = {} if value is None or option.name is None else {option.name: value}
            made, _ = option.handle_parse_result(context, given, [])
            found[keyword] = None if made is NOT_GIVEN else made
    return SimpleNamespace(**found)


def function_of_a_command(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function raise the mistakes of its caller as `ArcproofError`, worded as on the command line."""

    parameters = signature(function)
    texts = {name: kinds for name, one in parameters.parameters.items() if (kinds := _kinds_of_text(one))}
    texts = {name: kinds for name, kinds in texts.items() if name not in ("arcs", "conllu")}  # `gold_of` checks these

    @wraps(function)
    def called(*arguments: P.args, **named: P.kwargs) -> R:
        from arcproof.process.cluster import ClusterProblem

        given = parameters.bind(*arguments, **named).arguments
        for name, kinds in texts.items():
            if name in given and not isinstance(given[name], kinds):
                raise BadArgument(f"{name} is given as text, not as {given[name]!r:.60}")
        try:
            return function(*arguments, **named)
        except click.ClickException as error:
            raise BadArgument(error.format_message()) from None
        except ClusterProblem as error:
            raise BadArgument(str(error)) from None
        except ArcproofError:
            raise
        except ModuleNotFoundError as error:
            raise missing_package(error) from None
        except OSError as error:
            where = "" if error.filename is None else f"{error.filename}: "
            raise UnreadableFile(f"{where}{error.strerror or error}") from None

    return called


def _kinds_of_text(parameter: Parameter) -> tuple[type, ...]:
    """What may be given for a parameter that is a text, or also a path or a graph; nothing for any other parameter."""
    kinds = get_args(parameter.annotation) or (parameter.annotation,)
    one_by_one = parameter.kind is not Parameter.VAR_POSITIONAL
    return kinds if one_by_one and str in kinds and {str, Path, Graph, NoneType}.issuperset(kinds) else ()


def missing_package(error: ModuleNotFoundError) -> ImportError:
    """Return the error to raise for a missing module; if an extra brings it, the message says what to install."""
    from arcproof.process.extras import missing

    told = missing(error)
    return error if told is None else MissingPackage(told, name=error.name)


@contextmanager
def running(given: Any) -> Iterator[None]:
    """Use the run store, the time limit and the cluster that the options ask for; nothing is printed."""
    from arcproof.commands.storing import stored_runs
    from arcproof.process.cluster import on_cluster
    from arcproof.process.interruption import time_limit

    with ExitStack() as stack:
        if hasattr(given, "cluster"):
            stack.enter_context(on_cluster(given.cluster))
        if hasattr(given, "fresh"):
            stack.enter_context(stored_runs(given.fresh, quiet=True))
        if hasattr(given, "timeout"):
            stack.enter_context(time_limit(given.timeout))
        yield


def system_of(given: SystemLike) -> System:
    """Load a system, and check that the systems named in its claims can be read."""
    from arcproof.commands.arguments import checked_system

    check_kind(given)
    return checked_system(given if isinstance(given, System) else load(given))


def check_kind(given: SystemLike) -> None:
    """Raise `BadArgument` if something cannot be a system."""
    if not isinstance(given, str | Path | System):
        raise BadArgument(
            "a system is given by its name, the path or the text of its specification, or as a System, not "
            f"as {given!r:.60}"
        )


def can_be_loaded(system: System) -> bool:
    """Whether a command finds it by its name or the path of its specification."""
    try:
        return load(system.reference).tree_sha256 == system.tree_sha256
    except (ArcproofError, OSError):
        return False


def systems_of(given: Sequence[SystemLike]) -> list[System]:
    """Load the systems; raises `BadArgument` if there are none."""
    if not given:
        raise BadArgument("Missing argument 'SYSTEM...'.")
    return [system_of(one) for one in given]


def sources_of(systems: Sequence[System]) -> list[str]:
    """Return the files that systems were read from, which must not be overwritten."""
    from arcproof.commands.arguments import system_files

    return system_files(system.source for system in systems if system.source is not None)


def names_of(given: Treebanks) -> tuple[str, ...]:
    """Return the names of the files, of which one may be given alone."""
    several = (given,) if isinstance(given, str | Path) or not hasattr(given, "__iter__") else tuple(given)
    for one in several:
        if not isinstance(one, str | Path):
            raise BadArgument(f"a file is given by its name or path, several in a list, not as {one!r:.60}")
    return tuple(map(str, several))


def _are(given: Any, is_one: Callable[[object], bool]) -> bool:
    """Whether something is a sequence, or an array, of such values."""
    is_sequence = hasattr(given, "__len__") and hasattr(given, "__getitem__") and not isinstance(given, Mapping)
    return is_sequence and all(map(is_one, given))


def _is_text(given: object) -> bool:
    return isinstance(given, str)


def _is_head(given: object) -> bool:
    return given is None or (hasattr(given, "__index__") and not isinstance(given, bool))


def check_gold(heads: object, labels: object, arcs: object, forms: object, conllu: object) -> None:
    """Raise `BadArgument` if something cannot describe a gold graph."""
    if not (heads is None or isinstance(heads, str | Graph) or _are(heads, _is_head)):
        raise BadArgument(
            "heads are written 2,0,2, or given as numbers, with None for a word without a head, or as a Graph, not as "
            f"{heads!r:.60}"
        )
    for name, given in (("labels", labels), ("forms", forms)):
        if not (given is None or isinstance(given, str) or _are(given, _is_text)):
            raise BadArgument(f"{name} are given as one text or as a list of texts, not as {given!r:.60}")
    if not isinstance(arcs, str | None):
        raise BadArgument(f"arcs are written '0>1 1>2 3>2', not given as {arcs!r:.60}")
    if not isinstance(conllu, str | Path | None):
        raise BadArgument(f"a file is given by its name or path, not as {conllu!r:.60}")


def listed(given: ListLike | None, separator: str) -> str | None:
    """Write a list as the value of an option."""
    return given if given is None or isinstance(given, str) else separator.join(given)


def gold_of(
    heads: HeadsLike | None,
    labels: ListLike | None,
    arcs: str | None,
    forms: ListLike | None,
    conllu: str | Path | None,
    sentence: int,
    words: int | None = None,
    several_heads: bool = False,
) -> tuple[Graph, tuple[str, ...] | None]:
    """Return the gold graph and, if known, the words; text is read as on the command line."""
    from arcproof.commands.gold_arguments import GoldGiven, entries, gold_graph

    check_gold(heads, labels, arcs, forms, conllu)
    file = None if conllu is None else str(conllu)
    if heads is None or isinstance(heads, str):
        return gold_graph(
            GoldGiven(heads, listed(labels, ","), arcs, listed(forms, " "), file, sentence), words, several_heads
        )
    gold_graph(GoldGiven("0", None, arcs, None, file), words)  # nothing else may say what the gold graph is
    graph = heads if isinstance(heads, Graph) else _labelled(heads, labels)
    if isinstance(heads, Graph) and labels is not None:
        raise BadArgument("a graph has its own labels; leave out labels")
    known = None if forms is None else tuple(forms.split() if isinstance(forms, str) else forms)
    if known is not None and len(known) != graph.words:
        raise BadArgument(f"--forms has {entries(known)}, --heads {graph.words}")
    return graph, known


def _labelled(heads: Sequence[int | None], labels: ListLike | None) -> Graph:
    from arcproof.commands.gold_arguments import entries

    names = labels.split(",") if isinstance(labels, str) else labels
    if names is not None and len(names) != len(heads):
        raise BadArgument(f"--labels has {entries(names)}, --heads {len(heads)}")
    return graph_of(heads, None if names is None else [None if name.strip() == "_" else name for name in names])
