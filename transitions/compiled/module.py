"""From a system to native code, compiled once and kept on disk.

The code of a figure and that of `kernel` go into one Python file whose name is the hash of its text, in a folder of the user's cache; numba keeps the
machine code beside it.  A file that does not have the text it should have is written again, so what is executed is always what
was just derived from the syntax tree.  Where the folder cannot be written the code is compiled for this process alone.
"""

import hashlib
import importlib.util
import inspect
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from arcproof.transitions import syntax as s
from arcproof.transitions.cache import cache_folder, written
from arcproof.transitions.compiled import kernel, layout, signs
from arcproof.transitions.compiled.emit import Emitter, NotCompilable
from arcproof.transitions.compiled.layout import ArcForm, DoesNotFit, Layout
from arcproof.transitions.system import System

_WORDS: Final = "int64[::1]"
_ROWS: Final = "int64[:, ::1]"
_GENERATED: Final = ("terminal", "expand", "predict", "empties", "goal")
_SIGNATURES: Final = {
    "generate": f"int64({_WORDS}, {_WORDS}, int64, int64, {_WORDS}, int64, boolean, boolean, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, int16[::1], {_WORDS})",
    "advance": f"boolean({_ROWS}, {_WORDS}, int64, int64, {_WORDS}, {_ROWS}, {_ROWS}, {_WORDS}, {_ROWS}, {_WORDS}, {_WORDS}, {_WORDS})",
    "sweep": f"void(int64, {_ROWS}, int64, int64, {_WORDS}, boolean, int64, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, {_ROWS}, int64[::1])",
}  # fmt: skip
SECONDS_OF_SILENCE: Final = 1.0


@dataclass(frozen=True)
class Native:
    """The native code of a system, for one form of arcs; each of its functions is compiled, or loaded, when it is first asked for."""

    system: System
    arc_form: ArcForm
    literals: tuple[tuple[s.LiteralSequence, s.Side], ...]
    text: str
    module: ModuleType
    say: Callable[[str], None]

    @cached_property
    def generate(self) -> Callable[..., int]:
        """`kernel.generate` of this figure."""
        function: Callable[..., int] = self._compiled("generate")
        return function

    @cached_property
    def advance(self) -> Callable[..., bool]:
        """`kernel.advance` of this figure."""
        function: Callable[..., bool] = self._compiled("advance")
        return function

    @cached_property
    def sweep(self) -> Callable[..., None]:
        """`kernel.sweep` of this figure."""
        function: Callable[..., None] = self._compiled("sweep")
        return function

    def _compiled(self, name: str) -> Any:
        with _announced(f"compiling {self.system.name}", self.say):
            try:
                function = getattr(self.module, name)
                function.compile(_SIGNATURES[name])
            except Exception:  # what was kept is damaged: compile for this process alone
                function = getattr(_module_of_this_process(self.text), name)
                function.compile(_SIGNATURES[name])
        return function

    def layout(self, words: int) -> Layout:
        """How configurations of so many words are packed; `DoesNotFit` if they are not."""
        return Layout(self.system.figure.state, words, self.arc_form, self.literals)


class NoCompiler(Exception):
    """There is no numba here."""


def source_of(system: System, arc_form: ArcForm) -> tuple[str, Emitter]:
    """The text of the module of a system; `NotCompilable` says what has no code."""
    emitter = Emitter(system, arc_form)
    own = emitter.functions().split("\n\n")
    constants = {
        name: value
        for module in (layout, signs, kernel)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int)
    }
    parts = ["from numba import njit", "", *(f"{name} = {value}" for name, value in sorted(constants.items()))]
    parts += [_decorated(inspect.getsource(function)) for function in _helpers()]
    parts += [_decorated(function) for function in own]
    parts += [_decorated(inspect.getsource(getattr(kernel, name)), "nogil=True, cache=True") for name in _SIGNATURES]
    return "\n".join(parts), emitter


def _helpers() -> list[Callable[..., Any]]:
    from arcproof.transitions.compiled.table import hashed

    own = {*_GENERATED, *_SIGNATURES}
    functions = [f for name, f in vars(kernel).items() if isinstance(f, FunctionType) and name not in own]
    return [hashed if f is kernel.hashed else f for f in functions]


def _decorated(function: str, options: str = "nogil=True") -> str:
    return f"\n\n@njit({options})\n{_without_annotations(function)}"


def _without_annotations(function: str) -> str:
    """The function with its parameters alone: numba infers the types."""
    import ast

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


def native(system: System, arc_form: ArcForm = "heads", say: Callable[[str], None] | None = None) -> Native:
    """The native code of a system; `say` is told if compiling takes long.

    `NotCompilable` if the figure has something that there is no code for, `NoCompiler` without numba.
    """
    if importlib.util.find_spec("numba") is None:
        raise NoCompiler("numba is not installed")
    text, emitter = source_of(system, arc_form)
    return Native(system, arc_form, tuple(emitter.literals), text, _module(text), say or _to_terminal)


@contextmanager
def _announced(message: str, say: Callable[[str], None]) -> Iterator[None]:
    timer = threading.Timer(SECONDS_OF_SILENCE, say, [message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _to_terminal(message: str) -> None:
    """For whoever waits at a terminal; elsewhere it would end up among the output."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr, flush=True)


@lru_cache(maxsize=64)
def _module(text: str) -> ModuleType:
    name = f"arcproof_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
    folder = cache_folder("compiled")
    if folder is not None:
        try:
            return _import(name, written(folder / f"{name}.py", text))
        except OSError:
            pass
    return _module_of_this_process(text)


def _module_of_this_process(text: str) -> ModuleType:
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


__all__ = ["DoesNotFit", "Native", "NoCompiler", "NotCompilable", "native", "source_of"]
