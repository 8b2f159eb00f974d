"""What a solver reads: SMT-LIB text parsed back into terms, by the rules of SMT-LIB alone.

The bridge evaluates what is read back, not the terms that were printed, so that a mistake in the printer is noticed.
Only the part of SMT-LIB that obligations use is read; anything else is an error.  Nothing is simplified.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate, to_python
from arcproof.properties.proving.language.terms import BoundVariable, Symbol, Term
from arcproof.transitions.errors import Contradiction

Expression: TypeAlias = "str | list[Expression]"
_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_OPERATORS: Final[Mapping[str, t.Operator]] = {
    "+": "+", "*": "*", "<=": "<=", "not": "not", "and": "and", "or": "or", "=>": "=>", "ite": "ite"
}  # fmt: skip
_ARITIES: Final = {"not": 1, "<=": 2, "=": 2, "=>": 2, "ite": 3}


class NotReadable(Contradiction):
    """A text outside the part of SMT-LIB that obligations use."""


def read_back(term: Term) -> Term:
    """The term as a solver reads it, with its declarations."""
    declarations = [t.declaration(symbol) for symbol in t.symbols([term])]
    return from_smt(t.to_smt(term), declarations)


def as_read(term: Term) -> Evaluate:
    """The value of a term in a finite model, as a solver reads it."""
    return to_python(read_back(term))


def from_smt(text: str, declarations: Sequence[str]) -> Term:
    """A term of SMT-LIB 2.6."""
    symbols = {symbol.name: symbol for symbol in map(_declared, declarations)}
    return _Reader(symbols, {}).term(_only(text))


def _only(text: str) -> Expression:
    found = list(_expressions(_TOKEN.findall(text)))
    if len(found) != 1:
        raise NotReadable(f"one expression was expected: {text}")
    return found[0]


def _expressions(tokens: Sequence[str]) -> Iterator[Expression]:
    outer: list[list[Expression]] = []
    for token in tokens:
        if token == "(":
            outer.append([])
            continue
        if token == ")" and not outer:
            raise NotReadable("a closing parenthesis has no opening one")
        done: Expression = outer.pop() if token == ")" else token
        if outer:
            outer[-1].append(done)
        else:
            yield done
    if outer:
        raise NotReadable("an opening parenthesis is not closed")


def _declared(text: str) -> Symbol:
    match _only(text):
        case ["declare-fun", str(name), list(arguments), ("Int" | "Bool") as sort] if set(arguments) <= {"Int"}:
            return Symbol(name, len(arguments), sort)
    raise NotReadable(f"not a declaration: {text}")


class _Reader:
    """Reads expressions; bound variables hide declared functions, and inner variables hide outer ones."""

    def __init__(self, symbols: Mapping[str, Symbol], variables: Mapping[str, BoundVariable]) -> None:
        self._symbols = symbols
        self._variables = variables

    def term(self, expression: Expression) -> Term:
        match expression:
            case str(name):
                return self._atom(name)
            case ["-", str(digits)] if digits.isdecimal():
                return t.Integer(-int(digits))
            case [("forall" | "exists") as quantifier, list(declared), body]:
                return self._quantified(quantifier, declared, body)
            case [str(head), *arguments] if arguments:
                return self._applied(head, tuple(map(self.term, arguments)))
        raise NotReadable(f"not a term: {expression}")

    def _atom(self, name: str) -> Term:
        if name in self._variables:
            return self._variables[name]
        if name in ("true", "false"):
            return t.TruthValue(name == "true")
        if name.isdecimal():
            return t.Integer(int(name))
        return self._call(name, ())

    def _quantified(self, quantifier: t.Quantifier, declared: list[Expression], body: Expression) -> Term:
        names: list[str] = []
        for variable in declared:
            match variable:
                case [str(name), "Int"]:
                    names.append(name)
                case _:
                    raise NotReadable(f"not an integer variable: {variable}")
        variables = tuple(t.fresh() for _ in names)
        inner = {**self._variables, **dict(zip(names, variables, strict=True))}
        return t.QuantifiedTerm(quantifier, variables, _truth(_Reader(self._symbols, inner).term(body)))

    def _applied(self, head: str, arguments: tuple[Term, ...]) -> Term:
        if len(arguments) != _ARITIES.get(head, len(arguments)):
            raise NotReadable(f"{head} with {len(arguments)} arguments")
        if head == "=":
            kinds = set(map(t.is_truth, arguments))
            if len(kinds) > 1:
                raise NotReadable("an integer is equated with a truth value")
            return t.Operation("iff" if kinds == {True} else "=", arguments)
        if head in _OPERATORS:
            return _operation(_OPERATORS[head], arguments)
        return self._call(head, tuple(map(_integer, arguments)))

    def _call(self, name: str, arguments: tuple[Term, ...]) -> Term:
        symbol = self._symbols.get(name)
        if symbol is None or symbol.arity != len(arguments):
            raise NotReadable(f"{name} with {len(arguments)} arguments is not declared")
        return t.Apply(symbol, arguments)


def _operation(operator: t.Operator, arguments: tuple[Term, ...]) -> Term:
    match operator:
        case "+" | "*" | "<=":
            return t.Operation(operator, tuple(map(_integer, arguments)))
        case "ite":
            condition, then, otherwise = arguments
            return t.Operation("ite", (_truth(condition), _integer(then), _integer(otherwise)))
        case _:
            return t.Operation(operator, tuple(map(_truth, arguments)))


def _truth(term: Term) -> Term:
    if not t.is_truth(term):
        raise NotReadable("an integer stands where a truth value must")
    return term


def _integer(term: Term) -> Term:
    if t.is_truth(term):
        raise NotReadable("a truth value stands where an integer must")
    return term
