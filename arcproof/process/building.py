"""Making object files with numba."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import impl_ret_borrowed
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, make_array, populate_array

from arcproof.process.compiler import announced
from arcproof.process.jit import Inlined, Native, matrix_within
from arcproof.process.object_code import ObjectFile

COMPILING: Final = "compiling the machine, once on this computer"
NEVER_CALLED: Final = ("NRT_MemInfo_call_dtor",)
"""What is there for arrays that own their memory: none is ever handed over."""
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class CannotBeBuilt(Exception):
    """A function that needs numba to run."""


def build(native: Native) -> ObjectFile:
    """The object file of a function."""
    arguments, result = _types(native.signature)
    with announced(COMPILING), _without_scipy(), global_compiler_lock:
        made = njit(**_OPTIONS)(_shadow_function(native.function))._compiler.compile(arguments, result)
    library = made.library
    needs = tuple(
        f.name for f in library._final_module.functions if f.is_declaration and not f.name.startswith("llvm.")
    )
    from_numba = [name for name in needs if name.startswith(("NRT_", "numba_")) and name not in NEVER_CALLED]
    if from_numba:
        raise CannotBeBuilt(f"{native.function.__qualname__} needs {', '.join(from_numba)}")
    return ObjectFile(made.fndesc.llvm_func_name, needs, library._get_compiled_object())


def _types(signature: str) -> tuple[Any, Any]:
    """The types of the parameters and of the result."""
    arguments, result = normalize_signature(signature)
    return arguments, result


def _shadow_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, calling what numba knows in place of what it does not."""
    names = function.__globals__
    seen = {name: _shadow(names[name]) for name in function.__code__.co_names if name in names}
    kept = {name: names[name] for name in ("__name__", "__file__", "__builtins__")}
    return FunctionType(function.__code__, kept | seen, function.__name__, function.__defaults__, function.__closure__)


@intrinsic
def _matrix_within(_context: Any, flat: Any, begin: Any, rows: Any, columns: Any) -> Any:  # noqa: ARG001
    """`jit.matrix_within`: numba's own `reshape` is not in the object file."""

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
    options = {"nogil": True, "inline": "always"} if called.in_place else _OPTIONS
    return njit(**options)(_shadow_function(called.function))


@cache
def _shadow_module(module: ModuleType) -> ModuleType:
    shadow = ModuleType(module.__name__)
    vars(shadow).update(
        {name: _shadow(value) if isinstance(value, Inlined | Native) else value for name, value in vars(module).items()}
    )
    return shadow


def _shadow(value: Any) -> Any:
    """What numba sees of a global name."""
    if isinstance(value, Inlined):
        return _dispatcher(value)
    if isinstance(value, Native):
        return _external(value)
    if isinstance(value, ModuleType) and any(isinstance(part, Inlined | Native) for part in vars(value).values()):
        return _shadow_module(value)
    return value


@contextmanager
def _without_scipy() -> Iterator[None]:
    """When numba compiles for the first time it looks for linear algebra in SciPy, which takes longer to import than all of numba; nothing here needs it."""
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]
