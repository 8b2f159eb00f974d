"""S-expressions: nested lists of words.  A word is a symbol, a numeral, a keyword, or a string with its quotation
marks.

White space is that of SMT-LIB alone, and control characters are refused, even in comments: a solver must not read the
text differently (Z3 ends it at a NUL, and does not end a comment at a carriage return).
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from arcproof.properties.proving.checker.terms import Refused

Expression: TypeAlias = "str | list[Expression]"

_TOKEN: Final = re.compile(r'[()]|;[^\n]*|"[^"]*"|[^ \t\n()";|]+|[ \t\n]+|.', re.DOTALL)
_WORD: Final = re.compile(r'"[^"]*"|[^ \t\n()";|]+')
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def read(text: str) -> list[Expression]:
    """All expressions of a text."""
    open_lists: list[list[Expression]] = [[]]
    for token in _tokens(text):
        if token == "(":
            open_lists.append([])
        elif token == ")":
            closed = open_lists.pop()
            if not open_lists:
                raise Refused("a closing parenthesis has no opening one")
            open_lists[-1].append(closed)
        else:
            open_lists[-1].append(token)
    if len(open_lists) > 1:
        raise Refused("an opening parenthesis is not closed")
    return open_lists[0]


def _tokens(text: str) -> Iterator[str]:
    """Yield parentheses and words; white space and comments are skipped, anything else is refused."""
    if control := _CONTROL.search(text):
        raise Refused(f"{control[0]!r} is not a character of SMT-LIB")
    for token in _TOKEN.findall(text):
        if token in "()" or _WORD.fullmatch(token):
            yield token
        elif not token.isspace() and not token.startswith(";"):
            raise Refused(f"{token!r} is not expected here")


def word(expression: Expression) -> str:
    """An expression that must be a word."""
    if not isinstance(expression, str):
        raise Refused("a word was expected")
    return expression


def listed(expression: Expression) -> list[Expression]:
    """An expression that must be a list."""
    if isinstance(expression, str):
        raise Refused(f"a list was expected, not {expression}")
    return expression
