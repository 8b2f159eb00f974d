"""The reference of the JSON documents, from their schemas."""

import json
from collections.abc import Iterator
from typing import Any

from arcproof.documents import NAMES, schema_of
from tools.site.markdown import cell, page, table

INTRODUCTION = """\
# JSON documents

What `--json` prints follows a schema in [JSON Schema](https://json-schema.org), and the schemas are the contract:
fields may be added, never renamed or removed.
They are installed with the package, in `arcproof/schemas`; this page is made from them.
"""


def schema_files() -> dict[str, str]:
    """The schemas as files of the site."""
    return {f"schemas/{name}.schema.json": schema_of(name) for name in NAMES}


def documents_page() -> str:
    """All documents: their fields, and the types that the fields have."""
    lines = [INTRODUCTION]
    for name in NAMES:
        lines += _document(name, json.loads(schema_of(name)))
    return page(*lines)


def _document(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield from (
        f"## {name.replace('_', '-')} {{ #{name} }}",
        "",
        f"{cell(schema['title'])}: [schema](schemas/{name}.schema.json)",
        "",
    )
    yield from _fields(name, schema)
    for kind, content in schema.get("$defs", {}).items():
        yield from (f"### {kind} {{ #{_anchor(name, kind)} }}", "", cell(content.get("description", "")), "")
        if "properties" in content:
            yield from _fields(name, content)
        else:
            yield from (_type(name, content), "")


def _anchor(name: str, kind: str) -> str:
    return f"{name}-{kind.lower()}"


def _fields(name: str, content: dict[str, Any]) -> Iterator[str]:
    if "properties" not in content:
        yield from (_type(name, content), "")
        return
    required = content.get("required", ())
    rows = (
        (
            f"`{field}`",
            _type(name, kind),
            ("" if field in required else "May be missing. ") + cell(kind.get("description", "")),
        )
        for field, kind in content["properties"].items()
    )
    yield from (*table(["field", "type", ""], rows), "")


def _type(name: str, kind: dict[str, Any]) -> str:
    """What a value may be, in a few words."""
    match kind:
        case {"$ref": str(reference)}:
            other = reference.rpartition("/")[2]
            return f"[{other}](#{_anchor(name, other)})"
        case {"anyOf": list(kinds)}:
            return " or ".join(_type(name, one) for one in kinds)
        case {"const": value}:
            return f"`{json.dumps(value)}`"
        case {"enum": list(values)}:
            return ", ".join(f"`{json.dumps(value)}`" for value in values)
        case {"prefixItems": list(kinds)}:
            return "[" + ", ".join(_type(name, one) for one in kinds) + "]"
        case {"type": "array", "items": dict(items)}:
            return f"array of {_type(name, items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object with values {_type(name, values)}"
        case {"type": list(kinds)}:
            return " or ".join(map(str, kinds))
        case {"type": str(plain)}:
            return plain
        case _:
            return "anything"
