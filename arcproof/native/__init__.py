"""The native code: C, compiled at installation, in the build that suits the processor best.

`library` has the functions of `interface.h`, and `ffi` makes what they take.  Without a compiler at installation there
is none, `IS_HERE` is False, and the interpreter does all the work.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

HOW_TO_MEND: Final = "native code was not compiled; run pip install ziglang, then install arcproof again"


class NoNativeCode(Exception):
    """There was no C compiler when arcproof was installed."""


def _best_module() -> Any:
    """The build for the highest level that this processor has; None if there is none at all."""
    try:
        module = import_module("arcproof.native.any_processor")
    except ImportError:
        return None
    for level in range(module.lib.processor_level(), 1, -1):
        try:
            return import_module(f"arcproof.native.level_{level}")
        except ImportError:
            continue
    return module


_module: Final = _best_module()
IS_HERE: Final = _module is not None
ffi: Final[Any] = _module.ffi if IS_HERE else None
library: Final[Any] = _module.lib if IS_HERE else None


def need_native_code() -> None:
    """Raise `NoNativeCode` if there is none."""
    if not IS_HERE:
        raise NoNativeCode(HOW_TO_MEND)


_C_NAMES: Final = {
    "i8": "int64_t[]", "u8": "uint64_t[]", "i4": "int32_t[]", "i2": "int16_t[]", "u1": "uint8_t[]", "b1": "uint8_t[]",
    "f4": "float[]", "f8": "double[]",
}  # fmt: skip
_fields: Final[WeakKeyDictionary[Any, dict[str, Any]]] = WeakKeyDictionary()


def pointer(array: npt.NDArray[Any]) -> Any:
    """A pointer to the numbers of an array, which must be contiguous; the array lives as long as the pointer."""
    return ffi.from_buffer(_C_NAMES[array.dtype.str[1:]], array)


def words(array: npt.NDArray[np.int64]) -> Any:
    """A pointer to packed words, which are signed in NumPy and unsigned in C."""
    return ffi.from_buffer("uint64_t[]", array)


def structure(name: str, **fields: Any) -> Any:
    """A C structure; what its fields point to lives as long as it does."""
    made = ffi.new(f"struct {name} *", fields)
    _fields[made] = fields
    return made


class _Kept:
    """What is not copied with the object that keeps it."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def __reduce__(self) -> tuple[type["_Kept"], tuple[()]]:
        return _Kept, ()


class cached_structure:  # noqa: N801 - used like `cached_property`
    """A property for what native code takes: made once for each object, and again for its copies."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        """Keep the function that makes it."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Choose where it is kept."""
        self._place = f"_kept_{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Make it, or return what was made."""
        kept = instance.__dict__.setdefault(self._place, _Kept())
        if kept.value is None:
            kept.value = self._make(instance)
        return kept.value


def owned(memory: Any, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """An array of what native code handed over; the memory is freed with it."""
    kept = ffi.gc(memory, library.release)
    return np.frombuffer(ffi.buffer(kept, count * np.dtype(dtype).itemsize), dtype=dtype)
