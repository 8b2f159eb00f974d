"""The TextMate grammar of specifications, from `highlighting`; `python -m arcproof.editors.textmate` prints it.

`editors/vscode/syntaxes/arcproof.tmLanguage.json` is kept equal to that by a test.
"""

import json
import re
from typing import Any, Final

from arcproof.editors.highlighting import ROOT, Context, Look, Pattern, contexts

SCOPE: Final = "source.arcproof"
SCOPES: Final[dict[Look, str]] = {
    "comment": "comment.line.double-dash",
    "heading": "keyword.control",
    "keyword": "keyword.other",
    "claim": "keyword.other.claim",
    "kind": "storage.type",
    "operator": "keyword.operator.word",
    "constant": "constant.language",
    "function": "support.function",
    "class": "support.class",
    "number": "constant.numeric",
    "string": "string.quoted.double",
    "transition": "entity.name.function.transition",
    "label": "variable.parameter.label",
    "system": "entity.name.type",
    "sequence": "variable.other.sequence",
    "node": "variable.other.node",
    "sign": "keyword.operator",
    "invalid": "invalid.illegal",
}


def grammar() -> dict[str, Any]:
    """The grammar; contexts are entries of the repository."""
    known = contexts()
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "arcproof",
        "scopeName": SCOPE,
        "fileTypes": ["tsys"],
        "patterns": _patterns(known[ROOT], known),
    }


def _patterns(context: Context, known: dict[str, Context]) -> list[dict[str, Any]]:
    return [_pattern(one, known) for one in context.patterns if one.looks != ("blank",)]


def _pattern(one: Pattern, known: dict[str, Context]) -> dict[str, Any]:
    groups = re.compile(one.regex).groups
    captures = {
        str(number): {"name": f"{SCOPES[look]}.arcproof"}
        for number, look in enumerate(one.looks, start=min(groups, 1))
        if look != "blank"
    }
    if one.enters is None:
        return (
            {"match": one.regex, "name": captures["0"]["name"]}
            if not groups
            else {"match": one.regex, "captures": captures}
        )
    entered = known[one.enters]
    inside = _patterns(entered, known)
    return {"begin": one.regex, "beginCaptures": captures, "end": entered.until, "patterns": inside}


def text() -> str:
    """The file."""
    return json.dumps(grammar(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    import sys

    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(text(), end="")
