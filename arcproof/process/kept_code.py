"""Functions as Python text, compiled by numba and kept on disk.

The text goes into a file whose name is its hash, in a folder of the user's cache; numba keeps the machine code beside it.  A file that does not
have the text it should have is written again, so what is executed is always what was just derived from the syntax tree.  Where the
folder cannot be written the code is compiled for this process alone.
"""

import ast
import hashlib
import importlib.util
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final

from arcproof.process.cache import cache_folder, written
from arcproof.process.progress import Say

SECONDS_OF_SILENCE: Final = 1.0


class NoCompiler(Exception):
    """There is no numba here."""


def need_compiler() -> None:
    """`NoCompiler` without numba."""
    if importlib.util.find_spec("numba") is None:
        raise NoCompiler("numba is not installed")


def source_text(constants: Mapping[str, int], functions: Iterable[tuple[str, bool]]) -> str:
    """A module of constants and of functions to compile, each with whether its machine code is kept; what is not is inlined or kept with its callers."""
    lines = ["from numba import njit", "", *(f"{name} = {value}" for name, value in constants.items())]
    return "\n".join([*lines, *(_decorated(function, kept) for function, kept in functions)])


def _decorated(function: str, kept: bool) -> str:
    options = "nogil=True, cache=True" if kept else "nogil=True"
    return f"\n\n@njit({options})\n{_without_annotations(function)}"


def _without_annotations(function: str) -> str:
    """The function with its parameters alone: numba infers the types."""
    tree = ast.parse(function)
    [definition] = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.returns = None
    definition.decorator_list = []
    for argument in definition.args.args:
        argument.annotation = None
    if len(definition.body) > 1 and ast.get_docstring(definition) is not None:
        del definition.body[0]
    return ast.unparse(tree) + "\n"


@contextmanager
def announced(message: str, say: Say) -> Iterator[None]:
    """Say something if what follows takes long."""
    timer = threading.Timer(SECONDS_OF_SILENCE, say, [message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def to_terminal(message: str) -> None:
    """For whoever waits at a terminal; elsewhere it would end up among the output."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr, flush=True)


@lru_cache(maxsize=64)
def module_of(text: str) -> ModuleType:
    """The module that has this text."""
    name = f"arcproof_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
    folder = cache_folder("compiled")
    if folder is not None:
        try:
            return _import(name, written(folder / f"{name}.py", text))
        except OSError:
            pass
    return module_of_this_process(text)


def module_of_this_process(text: str) -> ModuleType:
    """The module from a file that is not kept, and without machine code on disk."""
    with tempfile.TemporaryDirectory(prefix="arcproof-") as temporary:
        path = Path(temporary) / "arcproof_once.py"
        return _import("arcproof_once", written(path, text.replace(", cache=True", "")))


def _import(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # numba looks the module up when it loads machine code
    spec.loader.exec_module(module)
    return module
