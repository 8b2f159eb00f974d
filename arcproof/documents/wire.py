"""Wire types: frozen dataclasses from which both the JSON of a document and its JSON Schema are made.

- A field has its JSON name; the underscore in `class_`, which Python requires, is dropped.
- A field with the default None is left out if there is nothing to say.  Every other field is always present, and null
  only if its type allows it.
- `Annotated` adds what a Python type cannot say: its `Limits`, or that it is a `Part` with a name in `$defs`. Every
  dataclass has a place in `$defs` under its own name, without the `Json` that tells it from the class it is made of.
- A dataclass that others extend stands for any one of those, which narrow its fields.
- Docstrings become descriptions: that of a class, and the string below a field.
- Objects are open: later versions may add fields, so `additionalProperties` is never false.
"""

import ast
import inspect
import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from arcproof.process.lazy_dataclass import dataclass

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ROOM: Final = 120
SUFFIX: Final = "Json"

Schema: TypeAlias = dict[str, object]

_SIMPLE: Final[Mapping[object, str]] = {
    NoneType: "null", bool: "boolean", int: "integer", float: "number", str: "string", object: "object",
}  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """Restrictions on the values of a type that go beyond the type."""

    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    least_items: int | None = None
    one_of: tuple[str, ...] | None = None

    @property
    def keywords(self) -> "Schema":
        """The keywords of JSON Schema that express the restrictions."""
        values = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "pattern": self.pattern,
            "minItems": self.least_items,
            "enum": None if self.one_of is None else [*self.one_of],
        }
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Part:
    """The name of a type in `$defs`, and what it means."""

    name: str
    meaning: str


# --- JSON ------------------------------------------------------------------------------------------------------------


def json_value(value: object) -> object:
    """Convert a document to dictionaries, lists and other JSON values."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple() | list():
            return [json_value(entry) for entry in value]
        case Mapping():
            return {name: json_value(entry) for name, entry in value.items()}
        case _ if is_dataclass(value):
            entries = ((field, getattr(value, field.name)) for field in fields(value))
            return {
                _name(field): json_value(entry) for field, entry in entries if entry is not None or _is_there(field)
            }
        case _:
            raise TypeError(f"a {type(value).__name__} has no place in a document")


def json_text(document: object, indent: int = 2) -> str:
    """Return JSON for machines and readers: indented, with Greek letters as they are."""
    return json.dumps(json_value(document), ensure_ascii=False, indent=indent)


def _name(field: "Field[object]") -> str:
    return field.name.removesuffix("_")


def _is_there(field: "Field[object]") -> bool:
    """Whether a field is present in every document."""
    return field.default is MISSING


# --- schemas ---------------------------------------------------------------------------------------------------------


def schema(document: object) -> Schema:
    """Return the JSON Schema of a type of documents; its title is the first paragraph of the docstring, or the meaning
    of the `Part`.
    """
    schemas = _Schemas({}, {})
    root = schemas.take(schemas.of(document))
    title, _, rest = str(root.pop("description")).partition("\n")
    heading = {"$schema": DIALECT, "title": title.removesuffix("."), **({"description": rest} if rest else {})}
    return {**heading, **root, **({"$defs": dict(sorted(schemas.parts.items()))} if schemas.parts else {})}


@dataclass(frozen=True)
class _Schemas:
    """Schemas of types; those with a name go into `parts`, and `kinds` has the types that the names belong to."""

    parts: dict[str, Schema]
    kinds: dict[str, object]

    def of(self, kind: object) -> Schema:
        """The schema of a type."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(kind, *arguments)
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin in (Union, UnionType):
            return _union([self.of(argument) for argument in arguments])
        if origin is tuple and arguments[-1] is not Ellipsis:
            items = [self.of(argument) for argument in arguments]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if origin in (tuple, list):
            return {"type": "array", "items": self.of(arguments[0])}
        if origin is Mapping:
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if isinstance(kind, type) and is_dataclass(kind):
            return self._named(kind.__name__.removesuffix(SUFFIX), kind, self._object(kind))
        return {"type": _SIMPLE[kind]}

    def take(self, reference: Schema) -> Schema:
        """Resolve a reference, and remove its target from the parts."""
        return self.parts.pop(str(reference["$ref"]).rpartition("/")[2])

    def _annotated(self, kind: object, inner: object, *notes: object) -> Schema:
        found = self.of(inner)
        for note in notes:
            match note:
                case Part(name, meaning):
                    found = self._named(name, kind, {"description": _plain(meaning), **found})
                case Limits():
                    found = {**found, **note.keywords}
        return found

    def _named(self, name: str, kind: object, found: Schema) -> Schema:
        if self.kinds.setdefault(name, kind) != kind:
            raise TypeError(f"two types of one document have the name {name}")
        self.parts[name] = found
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, kind: type) -> Schema:
        """The schema of a class's own fields; if other classes extend it, one of them describes the rest."""
        hints, said, meaning = (
            get_type_hints(kind, include_extras=True),
            _descriptions(kind),
            _plain(kind.__doc__ or ""),
        )
        declared = [field for field in fields(kind) if field.name in inspect.get_annotations(kind)]
        properties = {}
        for field in declared:
            hint = hints[field.name] if _is_there(field) else _without_none(hints[field.name])
            properties[_name(field)] = {**self.of(hint), **said.get(field.name, {})}
        required = [_name(field) for field in declared if _is_there(field)]
        narrower: list[type] = kind.__subclasses__()
        one_of = {"anyOf": [self.of(extended) for extended in narrower]} if narrower else {}
        return {"description": meaning, "type": "object", "required": required, "properties": properties, **one_of}


def _union(branches: Sequence[Schema]) -> Schema:
    """Return `anyOf`, or the short form for a simple type or null."""
    match branches:
        case [{"enum": list() as known} as first, {"type": "null"}]:
            return {**first, "enum": [*known, None], **({"type": [first["type"], "null"]} if "type" in first else {})}
        case [{"type": str() as known} as first, {"type": "null"}]:
            return {**first, "type": [known, "null"]}
        case _:
            return {"anyOf": list(branches)}


def _without_none(hint: object) -> object:
    return Union[tuple(argument for argument in get_args(hint) if argument is not NoneType)]  # noqa: UP007 - made here


def _descriptions(kind: type) -> dict[str, Schema]:
    """The strings below the fields of a class."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, Schema] = {}
    for statement, below in pairwise(definition.body):
        match statement, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str() as text)):
                found[name] = {"description": _plain(text)}
    return found


def _plain(docstring: str) -> str:
    """Put each paragraph on one line."""
    return "\n".join(" ".join(paragraph.split()) for paragraph in docstring.strip().split("\n\n"))


def schema_text(value: object, indent: int = 0) -> str:
    """Return JSON in which everything that fits on a line stands on one."""
    whole = json.dumps(value, ensure_ascii=False)
    if indent + len(whole) <= ROOM or not isinstance(value, dict | list):
        return whole
    inside = " " * (indent + 1)
    if isinstance(value, list):
        entries = [schema_text(entry, indent + 1) for entry in value]
    else:
        names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in value]
        entries = [name + schema_text(entry, indent + 1) for name, entry in zip(names, value.values(), strict=True)]
    start, end = ("[", "]") if isinstance(value, list) else ("{", "}")
    return start + "\n" + ",\n".join(inside + entry for entry in entries) + "\n" + " " * indent + end
