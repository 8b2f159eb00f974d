"""The submissions of a course: which files, which class of each, and under which names they are reported.

Whoever grades gives them on the command line, so what cannot be found there is refused before anything is graded: a
file, folder or module that does not exist, a class that none of the files has.  What is wrong with a file that is there
is the problem of the submission.  Nothing in a file is executed here.
"""

import ast
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arcproof.process.suggestions import did_you_mean
from arcproof.properties.conformance.grades import Submission
from arcproof.properties.conformance.references import INCLUDED, included_names
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.escape import for_terminal

if TYPE_CHECKING:
    from arcproof.transitions.system import System

COURSE_CLASS: Final = "PartialParse"
DRIVES: Final = ("parse_step", "permissible")
"""A class with one of these methods is what is graded."""
MOST_BYTES: Final = 1_000_000
"""Of a submitted file."""
MOST_BYTES_NAMED: Final = 120
"""Of the name of a report."""
MOST_NAMED: Final = 8
"""Classes in a message."""


def file_of(given: str) -> str | None:
    """The file of a submission, `a.py` or `a.py:Class`; None for a module."""
    place = given.rpartition(":")[0] if ".py:" in given else given
    return place if place.endswith(".py") else None


def files_in(given: Sequence[str]) -> list[str]:
    """The same with the Python files of each folder in its place, each once; `UsageError` for what cannot be found."""
    found = [file for one in given for file in (_in_folder(one) if Path(one).is_dir() else [_found(one)])]
    return list({_place(one): one for one in reversed(found)}.values())[::-1]


def _place(given: str) -> str:
    """By which two submissions are the same."""
    file = file_of(given)
    return given if file is None else os.path.abspath(file) + given[len(file) :]


def _in_folder(folder: str) -> list[str]:
    """Its files by name, but none that begins with an underscore or a dot."""
    files = sorted(path for path in Path(folder).glob("*.py") if path.is_file() and path.name[0] not in "._")
    if not files:
        raise click.UsageError(f"{folder}: there are no Python files in this folder; give files, as in {folder}/*/*.py")
    return list(map(str, files))


def _found(given: str) -> str:
    path = file_of(given)
    if path is not None:
        _check_readable(path)
        return given
    module, colon, _ = given.partition(":")
    if Path(given).is_file():
        raise click.UsageError(f"{given}: the name of a submission ends in .py; rename the file")
    if not colon and module not in included_names():
        raise click.UsageError(
            f"{given}: there is no such file or folder; "
            "a submission is a .py file, a folder of them, path/to/file.py:Class or package.module:Class"
        )
    if module not in included_names() and not _is_module(module):
        raise click.UsageError(f"{given}: there is no module `{module}` in this directory or on Python's path")
    return given


def _check_readable(path: str) -> None:
    if not Path(path).is_file():
        raise click.UsageError(f"{path}: there is no such file")
    try:
        Path(path).open("rb").close()
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from None


def _is_module(name: str) -> bool:
    """Whether Python would find it, from the working directory first; no package is imported to find out."""
    first, *rest = name.split(".")
    try:
        spec = PathFinder.find_spec(first, [str(Path.cwd()), *sys.path]) or find_spec(first)
    except (ImportError, ValueError):
        return False
    for part in rest:
        places = None if spec is None else spec.submodule_search_locations
        spec = None if places is None else PathFinder.find_spec(part, list(places))
    return spec is not None


# --- the class of each -----------------------------------------------------------------------------------------------


def submissions_of(given: Sequence[str], class_name: str | None) -> list[Submission]:
    """The submissions, each with its driver and a name of its own; `UsageError` for a class that is not there."""
    trees = [_tree(one) for one in given]
    _check_class(given, trees, class_name)
    return [
        _submission(one, name, tree, class_name) for one, name, tree in zip(given, _names(given), trees, strict=True)
    ]


def _tree(given: str) -> ast.Module | str | None:
    """The syntax tree of a file, or the reason why there is none; None for a module."""
    path = file_of(given)
    if path is None:
        return None
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            return f"the file has more than {MOST_BYTES:,} bytes"
        return ast.parse(Path(path).read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        return _unreadable(error)


def _check_class(given: Sequence[str], trees: Sequence[ast.Module | str | None], class_name: str | None) -> None:
    """`UsageError` if a file given with its class does not have it, or if none has the class for all."""
    for one, tree in zip(given, trees, strict=True):
        kind = one.rpartition(":")[2]
        if not one.endswith(".py") and isinstance(tree, ast.Module) and not _has(tree, kind):
            raise click.UsageError(f"{one}: {_lacks(kind, tree)}")
    read = [
        tree for one, tree in zip(given, trees, strict=True) if one.endswith(".py") and isinstance(tree, ast.Module)
    ]
    if class_name is not None and read and not any(_has(tree, class_name) for tree in read):
        none = _lacks(class_name, *read) if len(read) == 1 else f"no file has this class; {_instead(class_name, *read)}"
        raise click.UsageError(f"--class {class_name}: {none}")


def _lacks(name: str, *trees: ast.Module) -> str:
    return f"the file has no class {name}; {_instead(name, *trees)}"


def _instead(name: str, *trees: ast.Module) -> str:
    known = sorted({kind.name for tree in trees for kind in _classes(tree)})
    return did_you_mean(name, known, f"there is {', '.join(known[:MOST_NAMED])}" if known else "there are no classes")


def _submission(given: str, name: str, tree: ast.Module | str | None, class_name: str | None) -> Submission:
    shown = for_terminal(given)
    if isinstance(tree, str):
        return Submission(shown, name, problem=tree)
    if not given.endswith(".py") or tree is None:
        return Submission(shown, name, given)
    if class_name is not None and not _has(tree, class_name):
        return Submission(shown, name, problem=_lacks(class_name, tree))
    try:
        reference = f"{given}:{class_name or _class_in(tree)}"
    except ValueError as error:
        return Submission(shown, name, problem=str(error), advice="--class says which class is graded")
    words = next((wrapper.words for wrapper in _wrappers() if _is_wrapped(wrapper, reference)), ())
    return Submission(shown, name, reference, words=words)


def _class_in(tree: ast.Module) -> str:
    """The class that is graded."""
    driving = [node.name for node in _classes(tree) if any(_method(part) in DRIVES for part in node.body)]
    if len(driving) == 1:
        return driving[0]
    if COURSE_CLASS in (node.name for node in _classes(tree)):
        return COURSE_CLASS
    if driving:
        raise ValueError(f"several classes could be graded: {', '.join(driving)}")
    raise ValueError("it has no class with the method parse_step and none with the method permissible")


# --- the figure of each ----------------------------------------------------------------------------------------------


def check_figure(system: "System", submissions: Sequence[Submission]) -> None:
    """`UsageError` if a submission has a class of a course that is about another figure.

    A driver that declares a figure is the student's work, so what it declares is only reported: `other_figures`.
    """
    for one in submissions:
        for wrapper in _wrappers() if one.reference else ():
            if _is_wrapped(wrapper, one.reference) and not _is_figure(system, wrapper.figure):
                kind = one.reference.rpartition(":")[2]
                raise click.UsageError(
                    f"{one.given}: {kind} has {wrapper.step}, whose transitions are those of {wrapper.figure}; "
                    f"grade it with that figure, not with {system.name}"
                )


def other_figures(system: "System", submissions: Sequence[Submission]) -> list[str]:
    """A sentence about each driver that declares another figure than it is compared with."""
    declared = [(one, _declared_figure(one.reference)) for one in submissions if one.reference]
    return [
        f"{one.given} declares the figure {for_terminal(figure)}; it is compared with {system.name}"
        for one, figure in declared
        if figure is not None and not _is_figure(system, figure)
    ]


def _wrappers() -> list[Any]:
    modules = [import_module(f"{INCLUDED}.{name}") for name in included_names()]
    return [module.WRAPPER for module in modules if hasattr(module, "WRAPPER")]


def _is_figure(system: "System", reference: str) -> bool:
    """Whether a figure has this name, or is the one of this name or path."""
    from arcproof.transitions.system import load

    if reference == system.name:
        return True
    try:
        return load(reference).tree_sha256 == system.tree_sha256
    except (ArcproofError, OSError):
        return False


def _is_wrapped(wrapper: Any, reference: str) -> bool:
    methods = {_method(part) for part in _body(reference)}
    return wrapper.step in methods and "permissible" not in methods


def _declared_figure(reference: str) -> str | None:
    """The text that a class has as its attribute `figure`."""
    for node in _body(reference):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="figure")], value=ast.Constant(value=str() as figure))
                | ast.AnnAssign(target=ast.Name(id="figure"), value=ast.Constant(value=str() as figure))
            ):
                return figure
    return None


def _body(reference: str) -> list[ast.stmt]:
    """What is in the class of a file."""
    tree, name = _tree(reference), reference.rpartition(":")[2]
    classes = _classes(tree) if isinstance(tree, ast.Module) else []
    return next((kind.body for kind in classes if kind.name == name), [])


def _classes(tree: ast.Module) -> list[ast.ClassDef]:
    return [node for node in tree.body if isinstance(node, ast.ClassDef)]


def _has(tree: ast.Module, name: str) -> bool:
    """Whether the module may define or import something of this name."""
    return not {name, "*"}.isdisjoint(_bound(tree))


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds; `*` for all that another module has."""
    left: list[ast.AST] = [tree]
    while left:
        match left.pop():
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.alias(name=name, asname=known):
                yield known or name.partition(".")[0]
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case node:
                left += ast.iter_child_nodes(node)


def _method(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.FunctionDef) else ""


def _unreadable(error: Exception) -> str:
    match error:
        case SyntaxError(msg=said, lineno=line):
            return f"it is not Python: {said}" + ("" if line is None else f", line {line}")
        case OSError():
            return f"it cannot be read: {error.strerror}"
        case RecursionError() | MemoryError():
            return "it is nested too deeply to be read"
        case _:
            return str(error)


# --- the names of the reports ----------------------------------------------------------------------------------------


def _names(given: Sequence[str]) -> list[str]:
    """The names of the reports: the paths without what they have in common; `alice/solution.py` is `alice-solution`."""
    files = [file_of(one) for one in given]
    parts: list[tuple[str, ...]] = [
        (one,) if path is None else Path(path).with_suffix("").parts for one, path in zip(given, files, strict=True)
    ]
    common = len(list(takewhile(lambda level: len(set(level)) == 1, zip(*(part[:-1] for part in parts), strict=False))))
    taken = {"grades"}
    names = []
    for part in parts:
        name = next(one for one in _numbered(_plain("-".join(part[common:]))) if one.casefold() not in taken)
        taken.add(name.casefold())
        names.append(name)
    return names


def _plain(text: str) -> str:
    """The letters and digits of any script, with their marks; a hyphen in place of anything else."""
    composed = unicodedata.normalize("NFC", text)
    safe = "".join(char if char in "._-" or unicodedata.category(char)[0] in "LMN" else " " for char in composed)
    short = "-".join(safe.split()).encode()[:MOST_BYTES_NAMED].decode(errors="ignore")
    return short.strip("-.") or "submission"


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1
