"""The JSON documents that the commands print, one module each: the types, and how they are made from what the engines
find.

`DOCUMENT` of each module is the type of the whole document.  Its schema is `arcproof/schemas/NAME.schema.json`,
generated from the type by `make docs` (`python -m arcproof.documents`).  Fields may be added, never renamed.
"""

from typing import Final

NAMES: Final = (
    "check", "check_proof", "compare", "conform", "conform_log", "coverage", "evaluate", "evaluate_graphs", "experiment", "explore",
    "list", "mutate", "oracle", "parse", "prove", "reach", "repair", "show", "situation", "trace", "train", "verify", "why",
)  # fmt: skip


def schema_of(name: str) -> str:
    """Return the text of a schema, made from the types of its document."""
    from importlib import import_module

    from arcproof.documents.wire import schema, schema_text

    return schema_text(schema(import_module(f"arcproof.documents.{name}").DOCUMENT)) + "\n"
