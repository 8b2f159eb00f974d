"""Nothing that a user can be handed is executed: no file, no cache, no model, no specification.

The modules are read, not imported.  `find` names every place where Python could run what is not a module of ours, or
make objects of any class from bytes; each must be in `ALLOWED`, with the reason why no file reaches it.  A place that
is gone must leave the list.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from arcproof.process.lazy_dataclass import dataclass
from tests.conftest import ROOT

FOLDERS = ("arcproof", "transitions", "generators", "properties", "classifiers")
MODULES = {
    "pickle", "_pickle", "cPickle", "pickletools", "marshal", "shelve", "dill", "cloudpickle", "joblib", "copyreg", "yaml", "code", "codeop", "runpy",
    "imp", "zipimport", "multiprocessing", "dask", "distributed", "subprocess", "pty", "ctypes", "_ctypes", "cffi",
}  # fmt: skip
"""What can run bytes, start a program, or make any object from bytes."""
CALLS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "execfile",
    "breakpoint",
    "FunctionType",
    "CodeType",
    "import_module",
    "run_path",
    "run_module",
}
OF_OS = {"system", "popen", "posix_spawn", "posix_spawnp", "fork", "forkpty", "startfile"}
ATTRIBUTES = {"spec_from_file_location", "exec_module", "load_module", "read_array", "fromfile", "memmap", "_load_from_dict", "get_executable_module", "load_dynamic"}  # fmt: skip
"""Of any object: names under which other libraries do the same."""

DRIVERS = "the program that `conform` was asked to run: a module or a file of Python, named on the command line"
FORKED = "pipes to processes that were forked from this one, with nobody else at the other end"
WORKERS = "joblib's own workers, started by this process; nothing is loaded from a file"
CLUSTER = "the scheduler that `--cluster` names: whoever reaches it can run what they like, as docs/cluster.md says"
VERSION = "of which the version is compared"
EXTRA = "which is named where it is missing"
OWN = "names of modules of ours, written in the text that imports them, or files of our own folders"
ALLOWED: dict[tuple[str, str], str] = {
    ("arcproof/__init__.py", "import_module"): OWN,
    ("arcproof/commands/__init__.py", "import_module"): OWN,
    ("arcproof/documents/__init__.py", "import_module"): OWN,
    ("arcproof/testing/__init__.py", "import_module"): OWN,
    ("arcproof/process/shown.py", "import_module"): OWN,
    ("arcproof/interface/views/view.py", "import_module"): OWN,
    ("properties/property.py", "import_module"): OWN,
    ("properties/conformance/references.py", "import_module"): DRIVERS,
    ("properties/conformance/references.py", "spec_from_file_location"): DRIVERS,
    ("properties/conformance/references.py", "exec_module"): DRIVERS,
    ("arcproof/testing/drivers/stanza.py", "import_module"): "the library that the driver is for",
    ("arcproof/process/cache.py", "import multiprocessing"): "asks whether another process of ours started this one",
    (
        "arcproof/process/interruption.py",
        "import multiprocessing",
    ): "starts the process that looks after joblib's memory",
    ("arcproof/process/forks.py", "import multiprocessing"): FORKED,
    ("arcproof/process/supervision.py", "import multiprocessing"): FORKED,
    ("properties/conformance/apart.py", "import multiprocessing"): FORKED,
    ("arcproof/process/extras.py", "the name of dask"): EXTRA,
    ("arcproof/process/extras.py", "the name of distributed"): EXTRA,
    ("arcproof/process/dask_cluster.py", "import dask"): CLUSTER,
    ("arcproof/process/dask_cluster.py", "import distributed"): CLUSTER,
    ("arcproof/process/dask_cluster.py", "the name of cloudpickle"): VERSION,
    ("arcproof/process/dask_cluster.py", "the name of joblib"): VERSION,
    ("arcproof/process/dask_cluster.py", "the name of dask"): CLUSTER,
    ("arcproof/process/dask_cluster.py", "the name of distributed"): VERSION,
    ("arcproof/process/dask_cluster.py", "import joblib"): CLUSTER,
    ("arcproof/process/side_by_side.py", "import joblib"): WORKERS,
    ("transitions/machine/packed/explorer.py", "import joblib"): WORKERS,
    ("arcproof/native/__init__.py", "import_module"): OWN,
    ("arcproof/native/build.py", "import runpy"): OWN,
    ("arcproof/native/build.py", "run_path"): OWN,
    ("arcproof/native/build.py", "import cffi"): "run when arcproof is installed, on C files of our own",
    ("arcproof/process/forks.py", "import ctypes"): "prctl of the C library",
    ("arcproof/process/memory.py", "import ctypes"): "mallopt of the C library",
    ("arcproof/process/quiet.py", "import ctypes"): "fflush of the C library",
    ("arcproof/process/parsers.py", "_load_from_dict"): "JSON from a trusted file: rules, terminals and numbers",
    ("arcproof/process/lazy_dataclass.py", "exec"): "names of fields of our classes, which are identifiers",
    (
        "properties/proving/language/evaluation.py",
        "exec",
    ): "numbers and names of its own; a figure's names are quoted keys",
}


SEARCHED = (ast.Import, ast.ImportFrom, ast.Name, ast.Attribute, ast.keyword, ast.Constant)
WORDS = re.compile(
    rf"\b({'|'.join(sorted((MODULES | CALLS | ATTRIBUTES) - {'code', 'compile'}))})\b"
    r"|\bos\.(system|popen|posix|fork|startfile|exec|spawn)|\b(np|numpy)\.load|\ballow_pickle\b|\bcache=True"
    r"|\b(import|from) code\b|(?<!re\.)\bcompile\b"
)
"""No place is without one of these."""


def paths() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def find(tree: ast.AST) -> Iterator[str]:
    """What a module could execute with, a name for each place."""
    for node in filter(lambda node: isinstance(node, SEARCHED), ast.walk(tree)):
        match node:
            case ast.Import(names):
                yield from (
                    f"import {name.name.partition('.')[0]}" for name in names if name.name.partition(".")[0] in MODULES
                )
            case ast.ImportFrom(str() as module, names) if module.partition(".")[0] in MODULES:
                yield f"import {module.partition('.')[0]}"
            case ast.ImportFrom(_, names):
                yield from (name.name for name in names if name.name in CALLS | ATTRIBUTES)
            case ast.Name(name) if name in CALLS:
                yield name
            case ast.Attribute(ast.Name("np" | "numpy"), "load"):
                yield "np.load"
            case ast.Attribute(ast.Name("os"), name) if name in OF_OS or name.startswith(("exec", "spawn")):
                yield f"os.{name}"
            case ast.Attribute(ast.Name("re"), "compile"):
                pass
            case ast.Attribute(_, name) if name in CALLS | ATTRIBUTES:
                yield name
            case ast.keyword("allow_pickle", value) if not (isinstance(value, ast.Constant) and value.value is False):
                yield "allow_pickle"
            case ast.keyword("cache", ast.Constant(True)):
                yield "cache=True"
            case ast.Constant(str() as text) if text in MODULES | (CALLS - {"compile"}) and text not in ("code", "imp"):
                yield f"the name of {text}"
            case _:
                pass


@cache
def found() -> frozenset[tuple[str, str]]:
    """The places in all modules; those in which none of the words occurs are not even parsed."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths()}
    searched = {path: ast.parse(text) for path, text in texts.items() if WORDS.search(text)}
    return frozenset((path, what) for path, tree in searched.items() for what in find(tree))


@pytest.mark.long
def test_every_place_that_could_execute_something_is_known() -> None:
    assert len(paths()) > 300
    assert found() - set(ALLOWED) == set(), "a new place: can a file reach it? Say why not in ALLOWED"
    assert set(ALLOWED) - found() == set(), "gone: take it off the list"
    assert all(ALLOWED.values())


@pytest.mark.parametrize(
    "text",
    [
        "import pickle", "from pickle import loads", "import os.path, marshal", "from joblib import load", "eval('1')",
        "import builtins; builtins.exec('1')", "f = compile", "import numpy as np; np.load('x')",
        "np.lib.format.read_array(f, " "allow_pickle=True)", "read(f, allow_pickle=flag)", "njit(cache=True)", "os.system('x')",
        "os.execvp('x', [])", "getattr(x, 'eval')", "__import__('x')", "from importlib import import_module",
        "from shelve import open", "import subprocess", "types.CodeType()", "np.fromfile('x')", "sys.modules['pickle'].loads(b'')",
    ],
)  # fmt: skip
def test_the_search_finds(text: str) -> None:
    assert WORDS.search(text)
    assert list(find(ast.parse(text))) != []


@pytest.mark.parametrize(
    "text", ["import json, re\nre.compile('x')", "read(f, allow_pickle=False)", "self.system", "f(cache=False)"]
)
def test_the_search_does_not_find(text: str) -> None:
    assert list(find(ast.parse(text))) == []


# --- what goes into `exec` -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a b", "x=1):\n import os\ndef f(y", "1", "class", ""])
def test_a_field_that_is_not_an_identifier_is_refused(name: str) -> None:
    """What `lazy_dataclass` writes into a text is a name, or nothing is written."""
    with pytest.raises(TypeError, match="is not a name for a field"):
        dataclass(type("Made", (), {"__annotations__": {"right": int, name: int}}))(1, 2)
