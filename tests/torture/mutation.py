"""Inputs made from good ones: characters, tokens, lines and values are changed, a few at a time."""

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
NUMBER = re.compile(r"\d+")
ODD = (
    *"\0\x01\t\x0b\x0c\x1b\x7f\x85\xa0\xad|=>,:;.()[]{}<>*^-+_#\"'`\\/&%$@!?~∞",
    *"\u0301\u200b\u200f\u202e\u2028\u2066\ufeff\ufffd\ufffe",
    *"ǅßıſΩωσς１²Ⅷ字🦜",
    "\r", "\r\n", "\n\n", "\ud800", "\udfff",
)  # fmt: skip
"""Characters that readers of text are known to trip over."""
NUMBERS = (
    "0",
    "00",
    "1",
    "2",
    "9",
    "-1",
    "10",
    "20",
    "255",
    "1000",
    "65536",
    "2147483648",
    "9" * 19,
    "9" * 400,
    "1e9",
    "٣",
    "²",
)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, 1e308, float("nan"), float("inf"), "", "x", "\ud800", [], {}, [[]], [None], {"": 0}
)  # fmt: skip
"""What is put in the place of a value of JSON."""


def changed_text(draw: Random, base: str, others: Sequence[str], words: Sequence[str] = ()) -> str:
    """The text after one change, or several; mostly few, so that much of it is still read."""
    for _ in range(1 + min(int(draw.expovariate(0.9)), 8)):
        base = draw.choice(CHANGES)(draw, base, others, words)
    return base


def _characters(draw: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:  # noqa: ARG001
    place = draw.randrange(len(text) + 1)
    width = draw.choice((0, 1, 1, 1, 2, 5))
    put = draw.choice(("", draw.choice(ODD), text[place : place + 1] * 2, draw.choice(ODD) * draw.choice((1, 2, 40))))
    return text[:place] + put + text[place + width :]


def _tokens(draw: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:
    tokens = TOKEN.findall(text)
    if not tokens:
        return draw.choice(words) if words else "x"
    place, other = draw.randrange(len(tokens)), draw.randrange(len(tokens))
    match draw.randrange(6):
        case 0:
            del tokens[place]
        case 1:
            tokens[place], tokens[other] = tokens[other], tokens[place]
        case 2:
            tokens.insert(place, tokens[other])
        case 3:
            tokens[place] = draw.choice(words or tokens)
        case 4:
            foreign = TOKEN.findall(draw.choice(others)) if others else tokens
            tokens[place] = draw.choice(foreign or tokens)
        case _:
            tokens[place : place + draw.randrange(8)] = []
    return "".join(tokens)


def _lines(draw: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:  # noqa: ARG001
    lines = text.splitlines(keepends=True) or [""]
    place, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(7):
        case 0:
            del lines[place]
        case 1:
            lines[place], lines[other] = lines[other], lines[place]
        case 2:
            lines.insert(place, lines[other])
        case 3 | 4:
            foreign = draw.choice(others).splitlines(keepends=True) if others else lines
            lines.insert(place, draw.choice(foreign or lines))
        case 5:
            lines[place] = draw.choice(("", " ", "  ", "    ", "\t")) + lines[place].lstrip()
        case _:
            lines[place:] = lines[place : place + draw.randrange(4)]
    return "".join(lines)


def _numbers(draw: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:
    found = list(NUMBER.finditer(text))
    if not found:
        return _tokens(draw, text, others, words)
    one = draw.choice(found)
    return text[: one.start()] + draw.choice(NUMBERS) + text[one.end() :]


def _repeated(draw: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:  # noqa: ARG001
    """A piece many times: deep nesting, long sums, long lines."""
    tokens = TOKEN.findall(text) or ["x"]
    place = draw.randrange(len(tokens))
    piece = draw.choice(
        (draw.choice(("(", "[", "not ", "(not ", "a -> ", "- ", "^2", "|", "{")), "".join(tokens[place : place + 3]))
    )
    many = draw.choice((2, 3, 10, 100, 1_000, 3_000)) if len(piece) < 40 else draw.choice((2, 10, 60))
    tokens.insert(place, piece * many)
    return "".join(tokens)


def _cut(draw: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:  # noqa: ARG001
    place = draw.randrange(len(text) + 1)
    return text[:place] if draw.random() < 0.7 else text[place:]


Change = Callable[[Random, str, Sequence[str], Sequence[str]], str]
CHANGES: tuple[Change, ...] = (
    *(_tokens,) * 6, *(_lines,) * 4, *(_characters,) * 4, *(_numbers,) * 2, _repeated, _cut
)  # fmt: skip


def changed_bytes(draw: Random, data: bytes) -> bytes:
    """Some bytes flipped, put in, left out, or what was not UTF-8 before."""
    for _ in range(1 + min(int(draw.expovariate(0.9)), 8)):
        place = draw.randrange(len(data) + 1)
        put = draw.choice(
            (b"", bytes([draw.randrange(256)]), b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0")
        )
        data = data[:place] + put + data[place + draw.choice((0, 1, 1, 2, 9)) :]
    return data


def changed_json(draw: Random, value: Any, deep: bool = True) -> Any:
    """The value with one of its parts replaced, left out, doubled or exchanged for another; the given one is not
    touched.
    """
    value = _copied(value)
    for _ in range(1 + min(int(draw.expovariate(1.2)), 4)):
        places = _places(value)
        if not places:
            return deepcopy(draw.choice(VALUES))
        holder, key = draw.choice(places)
        match draw.randrange(6):
            case 0:
                del holder[key]
            case 1:
                other, place = draw.choice(places)
                holder[key] = _copied(_at(other, place))
            case 2 if isinstance(holder, list):
                holder.insert(key, holder[key])
            case 3 if deep and draw.random() < 0.2:
                holder[key] = _nested(draw.choice((50, 500)), draw.choice(("list", "dict")))
            case 4 if isinstance(holder[key], str):
                holder[key] = changed_text(draw, holder[key], ())
            case _:
                holder[key] = deepcopy(draw.choice(VALUES))
    return value


def _copied(value: Any) -> Any:
    """A value of its own; None where it is nested too deeply to be copied."""
    try:
        return json.loads(json.dumps(value))
    except RecursionError:
        return None


def _at(holder: Any, key: Any) -> Any:
    """What stands there, unless another change has taken it away."""
    try:
        return holder[key]
    except LookupError:
        return None


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value at which another can be put."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        keys = (
            list(holder) if isinstance(holder, dict) else list(range(len(holder))) if isinstance(holder, list) else []
        )
        found += [(holder, key) for key in keys]
        waiting += [holder[key] for key in keys]
    return found


def _nested(depth: int, kind: str) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value] if kind == "list" else {"a": value}
    return value


DEEP = 1_000  # as deep as a value may be that cannot be written


def json_bytes(draw: Random, value: Any) -> bytes:
    """As a file: now and then nested deeper than any reader goes, or changed as a text."""
    try:
        text = json.dumps(value)
    except RecursionError:
        text = "[" * DEEP + "]" * DEEP
    if draw.random() < 0.15:
        text = changed_text(draw, text, ())
    if draw.random() < 0.02:
        many = draw.choice((DEEP, 20_000, 200_000))
        text = "[" * many + "]" * many if draw.random() < 0.5 else text.replace("[", "[" * many, 1)
    return text.encode("utf-8", "surrogatepass")
