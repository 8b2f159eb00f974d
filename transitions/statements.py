"""From the text of a specification to its statements, each parsed by its own start rule of `grammar.lark`.

The language is line-based so that one unreadable line does not hide the mistakes in the others.  Nothing in a
specification is ever executed: the text is matched against the grammar and becomes a tree, no more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from arcproof.transitions.errors import Diagnostic, Place

HEADINGS: Final = (
    "system", "cite", "note", "parameter", "shared", "state", "start", "final", "default", "oracle", "claims",
)  # fmt: skip
LONGEST_STATEMENT: Final = 2_000
DEEPEST_NESTING: Final = 30

_CONTINUES: Final = re.compile(r"\s*(=>|⇒|,|(add|remove|if|and|or)\b|∧|∨)")
_FIRST_WORD: Final = re.compile(r"[A-Za-z]+(?![A-Za-z0-9-])")
_NESTING: Final = re.compile(r"[(\[]|\b(?:not|no|exists|all)\b|[¬∃∀]")

FORMS: Final[dict[str, str]] = {
    "system": "system NAME",
    "cite": 'cite "Author Year, Figure N"',
    "note": 'note "a remark"',
    "parameter": "parameter d = 2, or = ∞",
    "shared": "shared",
    "state": "state stack σ, buffer β, list λ1 head right, flag e, counter k, set U",
    "start": "start [0], [1..n]",
    "final": "final β = []",
    "default": "default TRANSITION",
    "oracle": "oracle NAME, or oracle none",
    "claims": "claims, then one claim a line",
    "rule": "NAME(l)  σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0, no head(i)",
    "oracle_line": "NAME(l)  σ|i, j|β  if gold j -l-> i",
    "claim": "sound projective forests, complete trees, length <= 2n, #SWAP <= n(n-1)/2, space <= 2n + 1, incremental, "
    "terminates, no dead ends, like SYSTEM on CLASS, equivalent to SYSTEM; not …; published …, refuted",
}

_SPOKEN: Final[dict[str, str]] = {
    "NAME": "a name", "NUMBER": "a number", "TRANSITION": "the name of a transition", "SYSTEM_NAME": "a name",
    "SYSTEM_REFERENCE": "the name of a system", "CLASS_WORD": "a class of graphs", "STRING": 'text in "quotation marks"',
    "ARROW": "=>", "ARC": "->", "LABELLED_ARC": "-l->", "REACHES": "->*", "CONNECTED": "<->*", "PRECEDES": "<G",
    "RELATION": "a comparison", "SIGN": "+ or -", "BAR": "|", "DOT": "·", "COMMA": ",", "HOLE": "_", "TRUTH": "true or false",
    "NOT": "not", "IN": "in", "AND": "and", "OR": "or", "QUANTIFIER": "exists or all", "INFINITY": "∞", "LPAR": "(",
    "RPAR": ")", "LSQB": "[", "RSQB": "]", "LBRACE": "{", "RBRACE": "}", "COLON": ":", "EQUAL": "=", "IF": "if", "ADD": "add",
    "REMOVE": "remove", "GOLD": "gold", "HEAD": "head", "SIDE": "left or right", "SEQUENCE_KIND": "stack, buffer or list",
    "VALUE_KIND": "flag, counter or set", "COUNT": "#TRANSITION", "SQUARED": "²", "CIRCUMFLEX": "^", "STAR": "*",
    "SLASH": "/", "$END": "the end of the line", "STRENGTH": "weakly or strictly", "WITH": "with",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the parser gave it: its start rule and its tree."""

    rule: str
    tree: Tree[Token]
    where: Place


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line, padded with newlines and blanks so that columns and lines are those of the file."""

    text: str
    where: Place


@cache
def _parser() -> Lark:
    grammar = files("arcproof.transitions").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=list(FORMS), propagate_positions=True, maybe_placeholders=True)


def statements(text: str) -> tuple[list[Statement], list[tuple[str, Diagnostic]]]:
    """Every statement that can be read, and for every one that cannot its start rule and a diagnostic."""
    found: list[Statement] = []
    problems: list[tuple[str, Diagnostic]] = []
    section = "rule"
    for line in _logical_lines(text):
        heading = _FIRST_WORD.match(line.text.lstrip())
        rule = heading[0] if heading and heading[0] in HEADINGS else section
        if rule == "oracle":
            section = "oracle_line"
        elif rule == "claims":
            section = "claim"
        elif rule in HEADINGS:
            section = "rule"
        result = _parse(line, rule)
        if isinstance(result, Diagnostic):
            problems.append((rule, result))
        else:
            found.append(Statement(rule, result, line.where))
    return found, problems


def _logical_lines(text: str) -> Iterator[_Line]:
    pending: list[str] = []
    first = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        code = _without_comment(raw)
        if not code.strip():
            continue
        if pending and _CONTINUES.match(code):
            pending.extend([""] * (number - first - len(pending)))
            pending.append(code)
            continue
        if pending:
            yield _line(first, pending)
        first, pending = number, [code]
    if pending:
        yield _line(first, pending)


def _line(first: int, physical: list[str]) -> _Line:
    start = len(physical[0]) - len(physical[0].lstrip()) + 1
    return _Line("\n" * (first - 1) + "\n".join(physical), Place(first, start, len(physical[0].rstrip()) + 1))


def _without_comment(line: str) -> str:
    quoted = False
    for column, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        elif not quoted and line.startswith("--", column):
            return line[:column]
    return line


def _parse(line: _Line, rule: str) -> Tree[Token] | Diagnostic:
    code = line.text.lstrip("\n")
    if len(code) > LONGEST_STATEMENT:
        return Diagnostic(
            line.where,
            f"the statement has {len(code)} characters",
            f"a statement has at most {LONGEST_STATEMENT}; is this a specification?",
        )
    if len(_NESTING.findall(code)) > DEEPEST_NESTING:
        return Diagnostic(line.where, "the statement is nested too deeply", "simplify the condition")
    try:
        return _parser().parse(line.text, start=rule)
    except UnexpectedInput as error:
        return _syntax_error(error, line, rule)


def _syntax_error(error: UnexpectedInput, line: _Line, rule: str) -> Diagnostic:
    form = f"expected {_expected(error)}; the form is: {FORMS[rule]}"
    token = getattr(error, "token", None)
    if isinstance(error, UnexpectedEOF) or (token is not None and token.type == "$END"):
        last = line.text.rstrip().split("\n")[-1]
        number = line.text.rstrip().count("\n") + 1
        return Diagnostic(Place(number, len(last) + 1, len(last) + 2), "the statement ends too early", form)
    place = Place(error.line, error.column, error.column + (len(token) if token else 1))
    shown = str(token) if token else line.text.split("\n")[error.line - 1][error.column - 1]
    if shown == "#":
        return Diagnostic(place, "`#` does not start a comment", "comments start with --; a count is written #SWAP")
    return Diagnostic(place, f"unexpected `{shown}`", form)


def _expected(error: UnexpectedInput) -> str:
    allowed: set[str] = set()
    if isinstance(error, UnexpectedToken):
        allowed = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        allowed = set(error.allowed or ())
    spoken = sorted({_SPOKEN.get(name, name.lower()) for name in allowed})
    if len(spoken) > 6:
        spoken = [*spoken[:6], "…"]
    return " or ".join(spoken) if len(spoken) <= 2 else ", ".join(spoken)
