"""Obligations: scripts in SMT-LIB 2.6 that declare functions and assert sentences.

Only what arcproof writes is read: `set-logic`, `declare-fun`, `assert` and one `check-sat` at the end.  There is no
`let`, no definition, no `push`, and no operator except those of `terms`; `div` and `mod`, on whose value for zero
solvers disagree, are refused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arcproof.properties.proving.checker.expressions import Expression, listed, read
from arcproof.properties.proving.checker.terms import (
    FALSE,
    OPERATORS,
    QUANTIFIERS,
    RESERVED,
    TRUE,
    Refused,
    Signature,
    Sort,
    Term,
    apply,
    integer,
    operator,
    quantifier,
    variable,
)

_NUMERAL: Final = re.compile("[0-9]{1,999}")
_SYMBOL: Final = re.compile("[A-Za-z_][A-Za-z0-9_!'.-]*")


@dataclass(frozen=True)
class Script:
    """The declarations and assertions of an obligation; it is discharged if no model satisfies all assertions."""

    signature: Signature
    assertions: frozenset[Term]


def read_obligation(text: str) -> Script:
    """The obligation of a script."""
    signature: dict[str, tuple[tuple[Sort, ...], Sort]] = {}
    assertions: list[Term] = []
    commands = [listed(command) for command in read(text)]
    for place, command in enumerate(commands):
        match command:
            case ["set-logic", "ALL"] if place == 0:
                pass
            case ["declare-fun", str(name), list(sorts), sort]:
                if name in RESERVED or name in signature or not _SYMBOL.fullmatch(name):
                    raise Refused(f"{name} cannot be declared here")
                signature[name] = tuple(sort_of(s) for s in sorts), sort_of(sort)
            case ["assert", formula]:
                assertions.append(sentence(formula, signature))
            case ["check-sat"] if place == len(commands) - 1:
                return Script(signature, frozenset(assertions))
            case _:
                raise Refused(f"command {place + 1} does not belong in an obligation")
    raise Refused("an obligation ends with (check-sat)")


def sort_of(expression: Expression) -> Sort:
    """Int or Bool."""
    match expression:
        case "Int":
            return "Int"
        case "Bool":
            return "Bool"
    raise Refused(f"unknown sort {expression}")


def sentence(expression: Expression, signature: Signature) -> Term:
    """A closed formula."""
    formula = _term(expression, signature, {})
    if formula.sort != "Bool":
        raise Refused("the assertion is not a formula")
    return formula


def _term(expression: Expression, signature: Signature, variables: Mapping[str, Term]) -> Term:
    match expression:
        case str():
            return _atom(expression, signature, variables)
        case [str(head), list(binder), body] if head in QUANTIFIERS:
            bound = tuple(_bound(entry) for entry in binder)
            inner = {**variables, **{str(x.head): x for x in bound}}
            return quantifier(head, bound, _term(body, signature, inner))
        case [str(head), _, *_]:
            arguments = tuple(_term(part, signature, variables) for part in expression[1:])
            return operator(head, *arguments) if head in OPERATORS else _applied(head, arguments, signature, variables)
    raise Refused("not a term")


def _applied(name: str, arguments: tuple[Term, ...], signature: Signature, variables: Mapping[str, Term]) -> Term:
    if name in variables:
        raise Refused(f"{name} is a variable and takes no arguments")
    return apply(name, arguments, signature)


def _atom(text: str, signature: Signature, variables: Mapping[str, Term]) -> Term:
    if text in variables:
        return variables[text]
    if text in ("true", "false"):
        return TRUE if text == "true" else FALSE
    if _NUMERAL.fullmatch(text):
        return integer(int(text))
    return apply(text, (), signature)


def _bound(entry: Expression) -> Term:
    match entry:
        case [str(name), sort] if name not in RESERVED and _SYMBOL.fullmatch(name):
            return variable(name, sort_of(sort))
    raise Refused("not a bound variable")
