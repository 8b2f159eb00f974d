"""Rules that are data: schemata of premises, arguments and a conclusion, read from `rules.txt`.

A *pattern* is `true`, `false` or a number, which match themselves; a variable, which matches any term, the same one
wherever it occurs; or an operator with patterns.  A variable whose name ends in `*` stands for any number of terms.  As
an argument of a step, it is given as a single term with the operator under which it occurs: `(or a b)` for a and b, the
neutral element for none.  An operator with `!` is omitted if it has a single argument: `(or! A zs*)` is A if zs* is
empty.  Sorts are not part of a pattern: a conclusion with the wrong sorts cannot be made (`terms`); and since numbers
in patterns are integers, s in `(+ s 1)` is one too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final, TypeAlias

from arcproof.properties.proving.checker.expressions import Expression, listed, read, word
from arcproof.properties.proving.checker.terms import (
    FALSE,
    NEUTRAL,
    OPERATORS,
    TRUE,
    Refused,
    Term,
    integer,
    is_operator,
    joined,
    operator,
)

Argument: TypeAlias = Term | tuple[Term, ...]
"""What a step passes to its rule: a term, or a list of terms."""
Rule: TypeAlias = Callable[[tuple[Term, ...], tuple[Argument, ...]], Term]
"""Maps the premises and arguments of a step to its conclusion, or raises `Refused`."""

_CONSTANTS: Final = {"true": TRUE, "false": FALSE}
_Binding: TypeAlias = dict[str, tuple[Term, ...]]


@dataclass(frozen=True)
class Schema:
    """A rule: premises and arguments of these forms imply the conclusion."""

    arguments: tuple[Expression, ...]
    premises: tuple[Expression, ...]
    conclusion: Expression

    def __call__(self, premises: tuple[Term, ...], arguments: tuple[Argument, ...]) -> Term:
        """What follows."""
        if len(premises) != len(self.premises) or len(arguments) != len(self.arguments):
            raise Refused(f"{len(self.premises)} premises and {len(self.arguments)} arguments were expected")
        binding: _Binding = {}
        for pattern, argument in zip(self.arguments, arguments, strict=True):
            _match(pattern, argument, binding, self.lists)
        for pattern, premise in zip(self.premises, premises, strict=True):
            _match(pattern, premise, binding, self.lists)
        return instance(self.conclusion, binding)

    @cached_property
    def lists(self) -> Mapping[str, str]:
        """For each variable with `*`, the operator among whose arguments it occurs."""
        return dict(_list_variables(self.conclusion))


def _list_variables(pattern: Expression) -> Iterator[tuple[str, str]]:
    if isinstance(pattern, list):
        head = word(pattern[0]).removesuffix("!")
        for part in pattern[1:]:
            if isinstance(part, str) and part.endswith("*"):
                yield part, head
            yield from _list_variables(part)


def _match(pattern: Expression, argument: Argument, binding: _Binding, operators: Mapping[str, str]) -> None:
    """Bind the variables of a pattern, or refuse."""
    if not isinstance(argument, Term):
        raise Refused("a term was expected, not a list")
    if isinstance(pattern, list):
        head = word(pattern[0])
        if not is_operator(argument, head) or len(argument.arguments) != len(pattern) - 1:
            raise Refused(f"({head} …) with {len(pattern) - 1} arguments was expected")
        for part, term in zip(pattern[1:], argument.arguments, strict=True):
            _match(part, term, binding, operators)
    elif pattern in operators:
        binding[pattern] = _listed(argument, operators[pattern])
    elif _constant(pattern) is not None:
        if _constant(pattern) is not argument:
            raise Refused(f"{pattern} was expected")
    elif binding.setdefault(pattern, (argument,)) != (argument,):
        raise Refused(f"{pattern} stands for two terms")


def _listed(argument: Term, head: str) -> tuple[Term, ...]:
    if argument is NEUTRAL[head]:
        return ()
    if not is_operator(argument, head):
        raise Refused(f"a list of terms under {head} was expected")
    return argument.arguments


def instance(pattern: Expression, binding: Mapping[str, tuple[Term, ...]]) -> Term:
    """The pattern with terms put in for its variables."""
    if isinstance(pattern, str):
        constant = _constant(pattern)
        return constant if constant is not None else binding[pattern][0]
    head = word(pattern[0])
    parts: list[Term] = []
    for part in pattern[1:]:
        parts += binding[part] if isinstance(part, str) and part.endswith("*") else [instance(part, binding)]
    return joined(head[:-1], tuple(parts)) if head.endswith("!") else operator(head, *parts)


def _constant(pattern: str) -> Term | None:
    if pattern.removeprefix("-").isdigit():
        return integer(int(pattern))
    return _CONSTANTS.get(pattern)


@cache
def schemata() -> Mapping[str, Schema]:
    """All schemata by name."""
    found: dict[str, Schema] = {}
    for entry in read((Path(__file__).parent / "rules.txt").read_text(encoding="utf-8")):
        match listed(entry):
            case [str(name), list(arguments), list(premises), conclusion] if name not in found:
                found[name] = Schema(tuple(arguments), tuple(premises), conclusion)
            case _:
                raise ValueError(f"rules.txt: not a rule, or a duplicate: {entry}")
        _check(name, found[name])
    return found


def _check(name: str, schema: Schema) -> None:
    """Refuse a table with a mistake: every operator must be known, every variable bound, and every list under a single
    operator.
    """
    given = set(_words((*schema.arguments, *schema.premises)))
    for text in _words([schema.conclusion]):
        if _constant(text) is None and text.removesuffix("!") not in OPERATORS and text not in given:
            raise ValueError(f"rules.txt: {name}: {text} is not bound")
    if len(set(_list_variables(schema.conclusion))) != len(schema.lists):
        raise ValueError(f"rules.txt: {name}: a list is under two operators")


def _words(expressions: "tuple[Expression, ...] | list[Expression]") -> Iterator[str]:
    for expression in expressions:
        if isinstance(expression, str):
            yield expression
        else:
            yield from _words(expression)
