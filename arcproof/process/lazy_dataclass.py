"""Dataclasses that are quick to create: their methods are generated when first called.

The standard decorator generates and compiles up to six methods, one by one, when a class is created.  For the hundred
kinds of nodes of a syntax tree that takes longer than most questions about a figure, and most of the methods are never
called.  Here the standard decorator creates only the fields. A class does what `dataclasses.dataclass` would have it
do; `field`, `fields` and `replace` are the standard ones.
"""

import dataclasses
from collections.abc import Callable
from keyword import iskeyword
from reprlib import recursive_repr
from typing import Any, Final, TypeVar, dataclass_transform, overload

T = TypeVar("T")
Method = Callable[..., Any]


@overload
def dataclass(kind: type[T], /) -> type[T]: ...


@overload
def dataclass(
    *, frozen: bool = False, slots: bool = False, eq: bool = True, kw_only: bool = False, repr: bool = True
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    kind: type[T] | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    kw_only: bool = False,
    repr: bool = True,  # noqa: A002 - as the standard decorator has it
) -> type[T] | Callable[[type[T]], type[T]]:
    """Decorate a class like `dataclasses.dataclass` with these options."""

    def decorate(kind: type[T]) -> type[T]:
        own = dict(vars(kind))
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(kind)
        for name, method in _methods(made, frozen, slots, eq, repr).items():
            if own.get(name) is None:
                setattr(made, name, method)
        return made

    return decorate if kind is None else decorate(kind)


def _methods(kind: type, frozen: bool, slots: bool, eq: bool, has_repr: bool) -> dict[str, Method | None]:
    """The methods that the standard decorator would generate."""
    methods: dict[str, Method | None] = {
        "__init__": _later(kind, "__init__", lambda: _init(kind, frozen, slots)),
    }
    if has_repr:
        methods["__repr__"] = _later(kind, "__repr__", lambda: _repr(kind))
    if eq:
        methods["__eq__"] = _later(kind, "__eq__", lambda: _eq(kind))
        methods["__hash__"] = _later(kind, "__hash__", lambda: _hash(kind)) if frozen else None
    if frozen:
        methods |= _refusing(kind)
    if frozen and slots:
        methods |= _STATE
    return methods


def _later(kind: type, name: str, write: Callable[[], Method]) -> Method:
    """Return a method that replaces itself with the generated one."""

    def method(self: object, *arguments: Any, **named: Any) -> Any:
        written = write()
        written.__module__, written.__name__ = kind.__module__, name
        written.__qualname__ = f"{kind.__qualname__}.{name}"
        setattr(kind, name, written)
        return written(self, *arguments, **named)

    return method


def _fields(kind: type) -> tuple["dataclasses.Field[Any]", ...]:
    """Return the fields, checking their names: they are written into the source of methods."""
    found = dataclasses.fields(kind)
    for field in found:
        if not field.name.isidentifier() or iskeyword(field.name):
            raise TypeError(f"{field.name!r} is not a name for a field")
    return found


def _written(text: str, **names: Any) -> Method:
    """Compile a method from source that is made of field names and this module, with nothing from a file."""
    exec(text, names)
    written: Method = names["method"]
    return written


def _init(kind: type, frozen: bool, slots: bool) -> Method:
    names: dict[str, Any] = {"set_": object.__setattr__, "MISSING": dataclasses.MISSING}
    lines: list[str] = []
    by_place: list[str] = ["self"]
    by_name: list[str] = []
    for field in _fields(kind):
        parameter = value = name = field.name
        if field.default is not dataclasses.MISSING:
            names[f"default_{name}"] = field.default
            parameter = f"{name}=default_{name}"
            value = name if field.init else f"default_{name}" if slots else ""
        elif field.default_factory is not dataclasses.MISSING:
            names[f"make_{name}"] = field.default_factory
            parameter = f"{name}=MISSING"
            value = f"make_{name}() if {name} is MISSING else {name}" if field.init else f"make_{name}()"
        elif not field.init:
            value = ""
        if field.init:
            (by_name if field.kw_only else by_place).append(parameter)
        if value:
            lines.append(f" set_(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()")
    parameters = [*by_place, *(["*", *by_name] if by_name else [])]
    return _written(f"def method({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), **names)


def _repr(kind: type) -> Method:
    shown = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in _fields(kind) if field.repr)
    return recursive_repr()(_written(f'def method(self):\n return self.__class__.__qualname__ + f"({shown})"'))


def _eq(kind: type) -> Method:
    names = [field.name for field in _fields(kind) if field.compare]
    same = f"{_tuple('self', names)} == {_tuple('other', names)}"
    return _written(
        f"def method(self, other):\n return {same} if other.__class__ is self.__class__ else NotImplemented"
    )


def _hash(kind: type) -> Method:
    names = [f.name for f in _fields(kind) if (f.compare if f.hash is None else f.hash)]
    return _written(f"def method(self):\n return hash({_tuple('self', names)})")


def _tuple(of: str, names: list[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


def _refusing(kind: type[Any]) -> dict[str, Method]:
    """Return methods that refuse to set or delete fields; attributes that a derived class adds are its own concern."""
    names = {field.name for field in dataclasses.fields(kind)}

    def set_(self: object, name: str, value: object) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return {"__setattr__": set_, "__delattr__": delete}


def _values(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_values(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_STATE: Final[dict[str, Method]] = {"__getstate__": _values, "__setstate__": _set_values}
