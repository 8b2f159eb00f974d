"""Functions in machine code: compiled for one signature, once per computer, and cached.

`@compiled` makes a function native, `@inlined` one that is only called by native functions and compiled with each of
them.  Neither compiles anything: a native function is loaded when it is first called, from the cache on disk
(`object_code`) or otherwise from the compiler (`building`).  Only then is numba imported: importing it takes longer
than most calls of native functions.

Native functions allocate nothing, because numba's allocator is part of numba: the arrays they work in are passed to
them.

The cache key covers the text of all files in the folder of a function and below it: functions that call each other
across files are in one folder, the caller not below the callee, or the caller names the other folder.
"""

import ctypes
import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.process.object_code import ObjectCode

_SCALARS: Final[dict[str, Any]] = {
    "boolean": ctypes.c_int8,
    "int64": ctypes.c_int64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
_loading: Final = threading.RLock()


class NativeFault(Exception):
    """A native function failed where its Python source would raise an error: a division by 0, for example."""


@dataclass(frozen=True)
class NativeParameter:
    """A number, a truth value, or a C-contiguous array."""

    kind: str
    dimensions: int

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return self.dimensions > 0

    @cached_property
    def code(self) -> str:
        """NumPy's name for this kind of number, without the byte order."""
        name = self.kind.rstrip("0123456789")
        return "b1" if name == "boolean" else f"{name[0]}{int(self.kind[len(name) :]) // 8}"


def signature_of(text: str) -> tuple[str, tuple[NativeParameter, ...]]:
    """Split a signature such as `int64(int64[:, ::1], boolean)` into the kind of the result and the parameters."""
    result, _, rest = text.partition("(")
    names = rest.removesuffix(")").replace("[:, ::1]", "/2").replace("[::1]", "/1").split(",")
    parts = (name.strip().partition("/") for name in names)
    parameters = tuple(NativeParameter(kind, int(dimensions or 0)) for kind, _, dimensions in parts)
    if result not in ("void", *_SCALARS) or not all(p.is_array or p.kind in _SCALARS for p in parameters):
        raise TypeError(f"a native function takes numbers, truth values and arrays, not {text}")
    return result, parameters


@dataclass(frozen=True)
class Inlined:
    """A function that native ones call; from Python it runs unchanged."""

    function: Callable[..., Any]
    in_place: bool = False

    @property
    def __name__(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def __call__(self, *arguments: Any) -> Any:
        """Run the Python source."""
        return self.function(*arguments)


@dataclass(frozen=True)
class Native:
    """A function in machine code."""

    function: Callable[..., Any]
    signature: str
    folders: tuple[Path, ...]

    @property
    def symbol(self) -> str:
        """The symbol that other native functions use to call this function."""
        return f"arcproof:{self.function.__module__}.{self.function.__qualname__}"

    @property
    def key(self) -> str:
        """Hash everything the machine code depends on except the compiler and the computer."""
        parts = [self.function.__qualname__, self.signature, *map(digest, self.folders)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @cached_property
    def code(self) -> "ObjectCode":
        """The machine code, loaded."""
        from arcproof.process.object_code import loaded

        with _loading:
            return loaded(self)

    def load(self) -> None:
        """Load it now rather than on first call; `ImportError` if that needs a compiler that cannot be imported."""
        _ = self.code

    @cached_property
    def _call(self) -> Callable[..., int]:
        types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        for parameter in self._parameters:
            if parameter.is_array:
                types += [ctypes.c_void_p] * 2 + [ctypes.c_ssize_t] * 2 + [ctypes.c_void_p]
                types += [ctypes.c_ssize_t] * (2 * parameter.dimensions)
            else:
                types.append(_SCALARS[parameter.kind])
        call: Callable[..., int] = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(self.code.address)
        return call

    @cached_property
    def _parameters(self) -> tuple[NativeParameter, ...]:
        return signature_of(self.signature)[1]

    @cached_property
    def _result(self) -> Any:
        return _SCALARS.get(signature_of(self.signature)[0], ctypes.c_void_p)

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code without the interpreter's lock."""
        flat: list[Any] = []
        for parameter, argument in zip(self._parameters, arguments, strict=True):
            if parameter.dimensions:
                _flatten(parameter, argument, flat)
            else:
                flat.append(argument if parameter.kind[0] == "f" else int(argument))
        fault = ctypes.c_void_p()
        result = self._result()
        if self._call(ctypes.addressof(result), ctypes.addressof(fault), *flat) != 0:
            raise NativeFault(self.function.__qualname__)
        return bool(result.value) if self._result is ctypes.c_int8 else result.value


def _flatten(parameter: NativeParameter, array: Any, flat: list[Any]) -> None:
    """The parts of an array in the form in which numba's functions take them."""
    if array.dtype.str[1:] != parameter.code or array.ndim != parameter.dimensions:
        raise TypeError(
            f"{parameter.dimensions} dimensions of {parameter.kind} are expected, not {array.ndim} of {array.dtype}"
        )
    if not array.flags.c_contiguous:
        raise TypeError("a contiguous array is expected")
    flat += (None, None, array.size, array.itemsize, array.ctypes.data, *array.shape, *array.strides)


NATIVES: Final[dict[str, Native]] = {}
"""All native functions, by their symbols."""


@lru_cache
def digest(folder: Path) -> str:
    """Hash all Python files in a folder and below it."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def compiled(signature: str, using: Sequence[ModuleType] = ()) -> Callable[[Callable[..., Any]], Any]:
    """Make a function native; it then runs without the interpreter's lock.

    It may call other native functions, which are not compiled again with it.  `using` are modules in other folders
    whose numbers and inlined functions are used.
    """

    signature_of(signature)

    def decorate(function: Callable[..., Any]) -> Any:
        folders = [Path(module.__file__).parent for module in using if module.__file__ is not None]
        native = Native(function, signature, (Path(function.__code__.co_filename).parent, *folders))
        NATIVES[native.symbol] = native
        return native

    return decorate


def inlined(function: Callable[..., Any]) -> Any:
    """Mark a function that only native functions call: it is compiled and cached with its callers."""
    return Inlined(function)


@inlined
def matrix_within(flat: Any, begin: int, rows: int, columns: int) -> Any:
    """View part of a vector, from this place on, as a matrix."""
    return flat[begin : begin + rows * columns].reshape(rows, columns)


def in_place(function: Callable[..., Any]) -> Any:
    """Mark a small function whose calls must be inlined: numba substitutes its text.

    A function that calls one must not be passed a literal on which it branches, but `np.int64(1)`: numba 0.68 removes
    the branch and then computes nonsense.
    """
    return Inlined(function, in_place=True)
