"""From a system to native code: the code of a figure and that of `kernel` go into one text, which `kept` compiles once and keeps on disk."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, Final

from arcproof.transitions import syntax as s
from arcproof.transitions.machine.packed import kernel, layout, signs
from arcproof.transitions.machine.packed.emit import Emitter, NotCompilable
from arcproof.transitions.machine.packed.layout import ArcForm, DoesNotFit, Layout
from arcproof.transitions.system import System

from arcproof.process.kept_code import (
    NoCompiler,
    announced,
    constants_of,
    module_of,
    module_of_this_process,
    need_compiler,
    source_text,
    to_terminal,
)
from arcproof.process.progress import Say

_WORDS: Final = "int64[::1]"
_ROWS: Final = "int64[:, ::1]"
_SIGNATURES: Final = {
    "generate": f"int64({_WORDS}, {_WORDS}, int64, int64, {_WORDS}, int64, boolean, boolean, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, int16[::1], {_WORDS})",
    "advance": f"boolean({_ROWS}, {_WORDS}, int64, int64, {_WORDS}, {_ROWS}, {_ROWS}, {_WORDS}, {_ROWS}, {_WORDS}, {_WORDS}, {_WORDS})",
    "sweep": f"void(int64, {_ROWS}, int64, int64, {_WORDS}, boolean, int64, {_WORDS}, {_WORDS}, {_WORDS}, {_WORDS}, {_ROWS}, int64[::1])",
}  # fmt: skip


@dataclass(frozen=True)
class Native:
    """The native code of a system, for one form of arcs; each of its functions is compiled, or loaded, when it is first asked for."""

    system: System
    arc_form: ArcForm
    literals: tuple[tuple[s.LiteralSequence, s.Side], ...]
    text: str
    module: ModuleType
    say: Say

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
        with announced(f"compiling {self.system.name}", self.say):
            try:
                function = getattr(self.module, name)
                function.compile(_SIGNATURES[name])
            except Exception:  # what was kept is damaged: compile for this process alone
                function = getattr(module_of_this_process(self.text), name)
                function.compile(_SIGNATURES[name])
        return function

    def layout(self, words: int) -> Layout:
        """How configurations of this many words are packed; `DoesNotFit` if they are not."""
        return Layout(self.system.figure.state, words, self.arc_form, self.literals)


def source_of(system: System, arc_form: ArcForm) -> tuple[str, Emitter]:
    """The text of the module of a system; `NotCompilable` says what has no code."""
    emitter = Emitter(system, arc_form)
    own = emitter.functions().split("\n\n")
    functions = [(inspect.getsource(function), False) for function in _helpers()]
    functions += [(function, False) for function in own]
    functions += [(inspect.getsource(getattr(kernel, name)), True) for name in _SIGNATURES]
    return source_text(constants_of(layout, signs, kernel), functions), emitter


def _helpers() -> list[Callable[..., Any]]:
    from arcproof.transitions.machine.packed.table import hashed

    functions = [f for name, f in vars(kernel).items() if isinstance(f, FunctionType) and name not in _SIGNATURES]
    return [hashed if f is kernel.hashed else f for f in functions]


def native(system: System, arc_form: ArcForm = "heads", say: Say | None = None) -> Native:
    """The native code of a system; `say` is told if compiling takes long.

    `NotCompilable` if the figure has something that there is no code for, `NoCompiler` without numba.
    """
    need_compiler()
    text, emitter = source_of(system, arc_form)
    return Native(system, arc_form, tuple(emitter.literals), text, module_of(text), say or to_terminal)


__all__ = ["DoesNotFit", "Native", "NoCompiler", "NotCompilable", "native", "source_of"]
