"""The Pygments lexer of specifications, from `highlighting`; Pygments finds it under the name `arcproof`."""

import re
from typing import Any, ClassVar, Final

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Whitespace, _TokenType

from arcproof.editors.highlighting import Context, Look, Pattern, contexts

TOKENS: Final[dict[Look, _TokenType]] = {
    "blank": Whitespace,
    "comment": Comment.Single,
    "heading": Keyword.Declaration,
    "keyword": Keyword,
    "claim": Keyword,
    "kind": Keyword.Type,
    "operator": Operator.Word,
    "constant": Keyword.Constant,
    "function": Name.Builtin,
    "class": Name.Class,
    "number": Number.Integer,
    "string": String.Double,
    "transition": Name.Function,
    "label": Name.Label,
    "system": Name.Namespace,
    "sequence": Name.Variable.Class,
    "node": Name.Variable,
    "sign": Operator,
    "invalid": Error,
}


def _state(context: Context) -> list[Any]:
    end = [(context.until, Whitespace, "#pop")] if context.until else []
    return [*end, *map(_rule, context.patterns)]


def _rule(one: Pattern) -> tuple[Any, ...]:
    looks = [TOKENS[look] for look in one.looks]
    action = bygroups(*looks) if re.compile(one.regex).groups else looks[0]
    return (one.regex, action) if one.enters is None else (one.regex, action, one.enters)


class ArcproofLexer(RegexLexer):  # type: ignore[misc]
    """Transition systems in the language of arcproof."""

    name = "arcproof"
    aliases: ClassVar[list[str]] = ["arcproof", "tsys"]
    filenames: ClassVar[list[str]] = ["*.tsys"]
    flags = re.MULTILINE
    tokens: ClassVar[dict[str, list[Any]]] = {name: _state(context) for name, context in contexts().items()}
