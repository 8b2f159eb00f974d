"""Rules about numbers: evaluation, polynomials, sums and multiples of comparisons.

Integers are rational numbers, so whatever holds for all rational numbers holds for both sorts.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor, prod
from operator import eq, ge, gt, le, lt
from typing import Final, TypeAlias

from arcproof.properties.proving.checker.clauses import exactly, term
from arcproof.properties.proving.checker.schemata import Argument, Rule
from arcproof.properties.proving.checker.terms import (
    FALSE,
    TRUE,
    Refused,
    Term,
    arguments_of,
    equation,
    integer,
    is_operator,
    number,
    operator,
    rational,
    sides,
    truth,
    whole_number,
    zero,
)

_Number: TypeAlias = int | Fraction
_Terms = tuple[Term, ...]
_Arguments = tuple[Argument, ...]

COMPARISONS: Final[Mapping[str, Callable[[_Number, _Number], bool]]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}
_MIRRORED: Final = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}
_DENIED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


# --- evaluation ------------------------------------------------------------------------------------------------------


def _evaluate(premises: _Terms, arguments: _Arguments) -> Term:
    """A term without variables and functions equals its value."""
    exactly(premises, 0)
    whole = term(arguments, 0, 1)
    value = _value(whole)
    if whole.sort == "Bool":
        return equation(whole, truth(bool(value)))
    return equation(whole, integer(int(value)) if whole.sort == "Int" else rational(Fraction(value)))


def _value(whole: Term) -> _Number:
    """The value of a term; the sorts have already been checked, so formulas and numbers do not mix."""
    if whole.kind == "number":
        return number(whole)
    if whole in (TRUE, FALSE):
        return whole is TRUE
    if whole.kind != "operator":
        raise Refused(f"{whole.brief()} has no value")
    values = [_value(argument) for argument in whole.arguments]
    match whole.head, values:
        case "not", [one]:
            return not one
        case "and", _:
            return all(values)
        case "or", _:
            return any(values)
        case "=>", [one, other]:
            return not one or bool(other)
        case "ite", [condition, one, other]:
            return one if condition else other
        case "+", _:
            return sum(values)
        case "*", _:
            return prod(values)
        case "to_real", [one]:
            return one
        case "to_int", [one]:
            return floor(one)
        case "-", [one]:
            return -one
        case "-", [one, other]:
            return one - other
        case str(head), [one, other] if head in COMPARISONS:
            return COMPARISONS[head](one, other)
    raise Refused(f"{whole.brief()} has no value")


# --- polynomials -----------------------------------------------------------------------------------------------------

_Polynomial: TypeAlias = dict[tuple[Term, ...], _Number]
"""The coefficient of each monomial; a monomial is a sorted list of terms that are neither sums nor products."""


def _polynomial(whole: Term) -> _Polynomial:
    if whole.kind == "number":
        return {(): number(whole)}
    if is_operator(whole, "to_real"):
        return _polynomial(whole.arguments[0])
    if whole.kind == "operator" and whole.head in ("+", "-", "*"):
        parts = [_polynomial(argument) for argument in whole.arguments]
        if whole.head == "*":
            return _product(parts)
        total: _Polynomial = {}
        for place, part in enumerate(parts):
            sign = -1 if whole.head == "-" and (place > 0 or len(parts) == 1) else 1
            for monomial, coefficient in part.items():
                total[monomial] = total.get(monomial, 0) + sign * coefficient
        return total
    return {(whole,): 1}


def _product(factors: list[_Polynomial]) -> _Polynomial:
    total: _Polynomial = {(): 1}
    for factor in factors:
        larger: _Polynomial = {}
        for one, times in total.items():
            for other, coefficient in factor.items():
                monomial = tuple(sorted((*one, *other), key=id))
                larger[monomial] = larger.get(monomial, 0) + times * coefficient
        total = larger
    return total


def _same_polynomial(left: Term, right: Term) -> bool:
    """Whether the difference of two terms is zero for all values of their parts."""
    if left.sort == "Bool":
        return False
    one, other = _polynomial(left), _polynomial(right)
    return all(one.get(monomial, 0) == other.get(monomial, 0) for monomial in {*one, *other})


def _arith_poly_norm(premises: _Terms, arguments: _Arguments) -> Term:
    """Two terms that denote the same polynomial are equal."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    if not _same_polynomial(left, right):
        raise Refused("the two sides are different polynomials")
    return whole


def _arith_poly_norm_rel(premises: _Terms, arguments: _Arguments) -> Term:
    """c(s₁ - s₂) = d(t₁ - t₂) gives (s₁ ~ s₂) = (t₁ ~ t₂), for numbers c, d other than 0, of one sign unless ~ is =."""
    scaled_left, scaled_right = sides(exactly(premises, 1)[0])
    one, other = sides(whole := term(arguments, 0, 1))
    c, d = _factor(scaled_left, one), _factor(scaled_right, other)
    if one.head != other.head or c * d == 0 or (c * d < 0 and one.head != "="):
        raise Refused("the two comparisons do not agree")
    return whole


def _factor(scaled: Term, comparison: Term) -> _Number:
    """The number c for which the terms are c(s - t) and a comparison of s and t."""
    s, t = _compared(comparison)
    factor, difference = arguments_of(scaled, "*", 2)
    if is_operator(difference, "to_real"):
        (difference,) = difference.arguments
    if arguments_of(difference, "-", 2) != (s, t):
        raise Refused("the difference is not that of the comparison")
    return number(factor)


def _compared(comparison: Term) -> tuple[Term, Term]:
    """The two terms that are compared."""
    if comparison.kind != "operator" or comparison.head not in COMPARISONS or comparison.arguments[0].sort == "Bool":
        raise Refused("a comparison of numbers was expected")
    left, right = comparison.arguments
    return left, right


# --- sums and multiples ----------------------------------------------------------------------------------------------


def _arith_sum_ub(premises: _Terms, arguments: _Arguments) -> Term:
    """sᵢ ~ tᵢ, where ~ is <, ≤ or =, give Σsᵢ ≤ Σtᵢ, and Σsᵢ < Σtᵢ if some ~ is <."""
    if arguments or not premises:
        raise Refused("premises were expected, and no arguments")
    compared = [_compared(premise) for premise in premises]
    heads = {premise.head for premise in premises}
    if not heads <= {"<", "<=", "="}:
        raise Refused("only upper bounds can be added")
    left = operator("+", *(s for s, _ in compared))
    right = operator("+", *(t for _, t in compared))
    return operator("<" if "<" in heads else "<=", left, right)


def _multiplied(sign: str, relation: Mapping[str, str], arguments: _Arguments) -> Term:
    factor, comparison = term(arguments, 0, 2), term(arguments, 1, 2)
    s, t = _compared(comparison)
    signed = operator(sign, factor, zero(factor.sort))
    product = operator(relation[str(comparison.head)], operator("*", factor, s), operator("*", factor, t))
    return operator("=>", operator("and", signed, comparison), product)


def _arith_mult_pos(premises: _Terms, arguments: _Arguments) -> Term:
    """m > 0 ∧ s ~ t → ms ~ mt."""
    exactly(premises, 0)
    return _multiplied(">", {head: head for head in COMPARISONS}, arguments)


def _arith_mult_neg(premises: _Terms, arguments: _Arguments) -> Term:
    """m < 0 ∧ s ~ t → mt ~ ms, written the other way round."""
    exactly(premises, 0)
    return _multiplied("<", _MIRRORED, arguments)


def _arith_trichotomy(premises: _Terms, arguments: _Arguments) -> Term:
    """If two of s < t, s = t, s > t are denied, the third holds."""
    first, second = (_denial(premise) for premise in exactly(premises, 2))
    left = {"<", "=", ">"} - {first[0], second[0]}
    if arguments or first[1] != second[1] or len(left) != 1 or first[0] == second[0]:
        raise Refused("the premises do not deny two of <, = and > for two terms")
    return operator(left.pop(), *first[1])


def _denial(premise: Term) -> tuple[str, tuple[Term, Term]]:
    """The comparison that is denied, and the terms that it compares."""
    if is_operator(premise, "not"):
        return str(premise.arguments[0].head), _compared(premise.arguments[0])
    compared = _compared(premise)
    if premise.head not in _DENIED:
        raise Refused("an equation denies no single comparison")
    return _DENIED[str(premise.head)], compared


def _int_tight_ub(premises: _Terms, arguments: _Arguments) -> Term:
    """s < c gives s ≤ c - 1."""
    return _tightened(premises, arguments, "<", "<=", -1)


def _int_tight_lb(premises: _Terms, arguments: _Arguments) -> Term:
    """s > c gives s ≥ c + 1."""
    return _tightened(premises, arguments, ">", ">=", 1)


def _tightened(premises: _Terms, arguments: _Arguments, strict: str, weak: str, step: int) -> Term:
    s, bound = arguments_of(exactly(premises, 1)[0], strict, 2)
    if arguments:
        raise Refused("no arguments were expected")
    return operator(weak, s, integer(whole_number(bound) + step))


def _arith_mult_sign(premises: _Terms, arguments: _Arguments) -> Term:
    """Signs of factors → the sign of their product; a factor that is only known not to be 0 must occur an even number
    of times.
    """
    exactly(premises, 0)
    known, product = term(arguments, 0, 2), term(arguments, 1, 2)
    signs = dict(map(_sign, known.arguments if is_operator(known, "and") else (known,)))
    positive = True
    for factor, times in Counter(product.arguments if is_operator(product, "*") else (product,)).items():
        sign = signs.get(factor, "?")
        if sign == "?" or (sign == "=" and times % 2):
            raise Refused(f"the sign of {factor.brief()} is not known")
        positive ^= sign == "<" and times % 2 == 1
    return operator("=>", known, operator(">" if positive else "<", product, zero(product.sort)))


def _sign(literal: Term) -> tuple[Term, str]:
    """What is known of a term: > or < that it is positive or negative, = that it is not 0."""
    compared = arguments_of(literal, "not", 1)[0] if is_operator(literal, "not") else literal
    t, nought = _compared(compared)
    if compared.head not in (("=",) if compared is not literal else ("<", ">")) or nought is not zero(t.sort):
        raise Refused("the sign of a factor was expected")
    return t, str(compared.head)


RULES: Final[Mapping[str, Rule]] = {
    "arith_mult_neg": _arith_mult_neg,
    "arith_mult_pos": _arith_mult_pos,
    "arith_mult_sign": _arith_mult_sign,
    "arith_poly_norm": _arith_poly_norm,
    "arith_poly_norm_rel": _arith_poly_norm_rel,
    "arith_sum_ub": _arith_sum_ub,
    "arith_trichotomy": _arith_trichotomy,
    "evaluate": _evaluate,
    "int_tight_lb": _int_tight_lb,
    "int_tight_ub": _int_tight_ub,
}
