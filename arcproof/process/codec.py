"""Values as JSON and back, for data that is stored: only values that fit the requested type are ever created.

A dataclass or named tuple is an object that says which it is, and has each of its fields once.  `decoded` is led by the
type hints, so what it makes is of that type or it is refused (`NotOfThisType`): no class is looked up by a name that
the data gives, and nothing in the data is run.
"""

import dataclasses
import json
import types
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
TAG: Final = "@"
_PLAIN: Final = (bool, int, float, str)


class NotOfThisType(ValueError):
    """A value that cannot be stored, or that is not of the expected type."""


class Never:
    """Stands for a type whose values are never stored."""


def canonical(value: object) -> str:
    """Return JSON text that is the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def encoded(value: Any) -> Json:
    """Turn a value into JSON: plain values, sequences, sets, dictionaries with text keys, dataclasses, named tuples."""
    match value:
        case None | bool() | int() | str():
            return value.value if isinstance(value, Enum) else value
        case float():
            if value != value or value in (float("inf"), float("-inf")):
                raise NotOfThisType(f"{value} is not stored")
            return value
        case Enum():
            return encoded(value.value)
        case dict():
            if not all(isinstance(key, str) for key in value):
                raise NotOfThisType("a key that is not a string")
            return {key: encoded(one) for key, one in value.items()}
        case frozenset():
            return sorted(map(encoded, value), key=canonical)
    names = _fields(type(value))
    if names is not None:
        return {TAG: type(value).__name__, **{name: encoded(getattr(value, name)) for name in names}}
    if isinstance(value, list | tuple):
        return [encoded(one) for one in value]
    raise NotOfThisType(f"{type(value).__name__} is not stored")


def decoded(hint: Any, value: Any, names: Mapping[str, Any] = types.MappingProxyType({})) -> Any:
    """Return the value as this type; `NotOfThisType` if it does not fit.  `names` are those that hints use but their
    modules lack.
    """
    return _Reader(names).read(hint, value)


def _fields(kind: type) -> tuple[str, ...] | None:
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None


@lru_cache(maxsize=256)
def _hints(kind: type, names: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return get_type_hints(kind, localns=dict(names))


@dataclasses.dataclass(frozen=True)
class _Reader:
    names: Mapping[str, Any]

    def read(self, hint: Any, value: Any) -> Any:
        origin = get_origin(hint)
        if origin is Literal:
            return self._one_of(get_args(hint), value)
        if origin in (Union, types.UnionType):
            return self._any_of(get_args(hint), value)
        if origin in (tuple, list, frozenset):
            return self._several(origin, get_args(hint), value)
        if origin is dict:
            return self._dictionary(get_args(hint), value)
        if hint is None or hint is type(None):
            return self._one_of((None,), value)
        if hint in _PLAIN:
            if type(value) is not hint:
                raise NotOfThisType(f"{type(value).__name__} where {hint.__name__} is expected")
            return value
        if isinstance(hint, type) and issubclass(hint, Enum):
            return hint(self._one_of(tuple(member.value for member in hint), value))
        if isinstance(hint, type) and _fields(hint) is not None:
            return self._object(hint, value)
        raise NotOfThisType(f"{hint} is not stored")

    def _one_of(self, known: tuple[Any, ...], value: Any) -> Any:
        for one in known:
            if type(one) is type(value) and one == value:
                return one
        raise NotOfThisType("a value that is not one of the known ones")

    def _any_of(self, hints: tuple[Any, ...], value: Any) -> Any:
        for hint in hints:
            try:
                return self.read(hint, value)
            except NotOfThisType:
                continue
        raise NotOfThisType("a value of another type")

    def _several(self, origin: Any, hints: tuple[Any, ...], value: Any) -> Any:
        if type(value) is not list:
            raise NotOfThisType(f"{type(value).__name__} where a list is expected")
        if origin is tuple and hints[-1:] != (...,):
            if len(value) != len(hints):
                raise NotOfThisType(f"{len(value)} values where {len(hints)} are expected")
            return tuple(self.read(hint, one) for hint, one in zip(hints, value, strict=True))
        return origin(self.read(hints[0], one) for one in value)

    def _dictionary(self, hints: tuple[Any, ...], value: Any) -> dict[str, Any]:
        if type(value) is not dict or hints[0] is not str:
            raise NotOfThisType(f"{type(value).__name__} where a dictionary is expected")
        return {key: self.read(hints[1], one) for key, one in value.items()}

    def _object(self, kind: type, value: Any) -> Any:
        names = _fields(kind)
        assert names is not None
        if type(value) is not dict or value.get(TAG) != kind.__name__ or set(value) != {TAG, *names}:
            raise NotOfThisType(f"this is not {kind.__name__}")
        hints = _hints(kind, tuple(self.names.items()))
        return kind(**{name: self.read(hints[name], value[name]) for name in names})
