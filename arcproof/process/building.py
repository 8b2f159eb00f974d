"""Building object files with numba."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.imputils import impl_ret_borrowed
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    InlineInlinables,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, make_array, populate_array

from arcproof.process.compiler import announced
from arcproof.process.jit import Inlined, Native, matrix_within
from arcproof.process.object_code import ObjectFile

COMPILING: Final = "compiling the machine, once per computer"
NEVER_CALLED: Final = ("NRT_MemInfo_call_dtor",)
"""Stands in for the destructor of arrays that own their memory; no such array is ever passed."""
_PASSES: Final = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    InlineInlinables,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)
"""The numba passes that matter here: no function has closures, contexts, literal tuples or expressions of whole
arrays.
"""


class _Compiler(CompilerBase):
    """Numba's compiler, reduced to these passes."""

    def define_pipelines(self) -> list[Any]:
        """The only pipeline."""
        passes = PassManager("native")
        for each in _PASSES:
            passes.add_pass(each, each._name)
        passes.finalize()
        return [passes]


class _Library(JITCodeLibrary):
    """The code of a function and everything it calls, optimised and translated once, as a whole, on demand.

    Numba itself would do so for each function, and again for each of its callers.
    """

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Deferred to `object_code`."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Only make sure the library is finalized: nothing is run here."""
        self._ensure_finalized()
        return 0

    def object_code(self) -> bytes:
        """Machine code."""
        self._ensure_finalized()
        super()._optimize_final_module()
        code: bytes = self._codegen._tm.emit_object(self._final_module)
        return code


_OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _Compiler,
}


class CannotBeBuilt(Exception):
    """The function would need numba at run time."""


def build(native: Native) -> ObjectFile:
    """Compile a function to an object file."""
    arguments, result = _types(native.signature)
    dispatcher = njit(**_OPTIONS)(_shadow_function(native.function))  # what it calls is built before
    with announced(COMPILING), _without_scipy(), global_compiler_lock, _done_once():
        made = dispatcher._compiler.compile(arguments, result)
        library = made.library
        code = library.object_code()
    needs = tuple(
        f.name for f in library._final_module.functions if f.is_declaration and not f.name.startswith("llvm.")
    )
    from_numba = [name for name in needs if name.startswith(("NRT_", "numba_")) and name not in NEVER_CALLED]
    if from_numba:
        raise CannotBeBuilt(f"{native.function.__qualname__} needs {', '.join(from_numba)}")
    return ObjectFile(made.fndesc.llvm_func_name, needs, code)


def _types(signature: str) -> tuple[Any, Any]:
    """The types of the parameters and of the result."""
    arguments, result = normalize_signature(signature)
    return arguments, result


def _shadow_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a copy of the function that calls native code where the original calls our decorated functions."""
    names = function.__globals__
    seen = {name: _shadow(names[name]) for name in function.__code__.co_names if name in names}
    kept = {name: names[name] for name in ("__name__", "__file__", "__builtins__")}
    return FunctionType(function.__code__, kept | seen, function.__name__, function.__defaults__, function.__closure__)


@intrinsic
def _matrix_within(_context: Any, flat: Any, begin: Any, rows: Any, columns: Any) -> Any:  # noqa: ARG001
    """`jit.matrix_within`, built here because numba's own `reshape` cannot be put into an object file."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = make_array(signature.args[0])(context, builder, arguments[0])
        matrix = make_array(signature.return_type)(context, builder)
        _, at, high, wide = arguments
        size = context.get_constant(types.intp, get_itemsize(context, signature.args[0]))
        populate_array(
            matrix,
            data=builder.gep(source.data, [at]),
            shape=cgutils.pack_array(builder, [high, wide]),
            strides=cgutils.pack_array(builder, [builder.mul(wide, size), size]),
            itemsize=size,
            meminfo=source.meminfo,
            parent=source.parent,
        )
        return impl_ret_borrowed(context, builder, signature.return_type, matrix._getvalue())

    return types.Array(flat.dtype, 2, "C")(flat, types.intp, types.intp, types.intp), generate


@cache
def _external(called: Native) -> Any:
    """A native function by its symbol: it is linked when it is loaded, not compiled again."""
    llvm.add_symbol(called.symbol, called.code.address)
    arguments, result = _types(called.signature)

    @intrinsic
    def call(_context: Any, *_given: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            kind = context.call_conv.get_function_type(result, arguments)
            function = cgutils.get_or_insert_function(builder.module, kind, called.symbol)
            parts = [cgutils.unpack_tuple(builder, given[0])[k] for k in range(len(arguments))]
            status, value = context.call_conv.call_function(builder, function, result, arguments, parts)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return value

        return result(types.StarArgTuple(arguments)), generate

    return call


@cache
def _dispatcher(called: Inlined) -> Any:
    if called is matrix_within:
        return _matrix_within
    options = {"nogil": True, "inline": "always", "pipeline_class": _Compiler} if called.in_place else _OPTIONS
    return njit(**options)(_shadow_function(called.function))


@cache
def _shadow_module(module: ModuleType) -> ModuleType:
    shadow = ModuleType(module.__name__)
    vars(shadow).update(
        {name: _shadow(value) if isinstance(value, Inlined | Native) else value for name, value in vars(module).items()}
    )
    return shadow


def _shadow(value: Any) -> Any:
    """Return what numba should see in place of a global."""
    if isinstance(value, Inlined):
        return _dispatcher(value)
    if isinstance(value, Native):
        return _external(value)
    if isinstance(value, ModuleType) and any(isinstance(part, Inlined | Native) for part in vars(value).values()):
        return _shadow_module(value)
    return value


@contextmanager
def _done_once() -> Iterator[None]:
    """Keep numba from repeating work while the block runs.

    Libraries are instances of `_Library`; function environments, needed only for Python objects, are not filled;
    and the result type of an operation on numbers and arrays is inferred once, not at each place where it
    occurs.
    """
    codegen, typing = cpu_target.target_context.codegen(), cpu_target.typing_context
    codegen._library_class, codegen.set_env = _Library, lambda _name, _environment: None
    typing.resolve_function_type = partial(_resolved, typing.resolve_function_type)
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env, typing.resolve_function_type


_KNOWN: Final[dict[Any, Any]] = {}
_PLAIN: Final = (types.Number, types.Boolean, types.Literal, types.Array, types.BaseTuple, types.SliceType)


def _resolved(resolve: Callable[..., Any], function: Any, arguments: Any, named: Any) -> Any:
    if (
        named
        or not isinstance(function, types.Function | BuiltinFunctionType)
        or not all(isinstance(a, _PLAIN) for a in arguments)
    ):
        return resolve(function, arguments, named)
    key = (function, tuple(arguments))
    if key not in _KNOWN:
        _KNOWN[key] = resolve(function, arguments, named)
    return _KNOWN[key]


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Keep numba from importing SciPy when it first compiles: it looks for linear algebra there, SciPy takes longer to
    import than all of numba, and nothing here needs it.
    """
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]
