"""Rules about quantifiers and Skolem terms, and congruence, which goes under quantifiers.

That equal bodies make equal quantified formulas is sound because a step is true for all values of its free variables
(`checker`).
"""

from collections.abc import Mapping
from typing import Final

from arcproof.properties.proving.checker.clauses import exactly, term, terms
from arcproof.properties.proving.checker.schemata import Argument, Rule
from arcproof.properties.proving.checker.terms import (
    FALSE,
    NEUTRAL,
    Refused,
    Term,
    arguments_of,
    equation,
    is_operator,
    joined,
    negation,
    operator,
    quantifier,
    sides,
    skolem,
    substitute,
    with_arguments,
)

_Terms = tuple[Term, ...]
_Arguments = tuple[Argument, ...]


def _quantified(whole: Term, *heads: str) -> tuple[_Terms, Term]:
    """The variables and the body of a quantified formula."""
    if whole.kind != "quantifier" or whole.head not in heads:
        raise Refused(f"a formula with {' or '.join(heads)} was expected")
    return whole.bound, whole.arguments[0]


def _if_equal(right: Term, expected: Term, whole: Term) -> Term:
    """An equation, provided that its right side is the expected one."""
    if right is not expected:
        raise Refused(f"the right side should be {expected.brief()}")
    return whole


# --- congruence ------------------------------------------------------------------------------------------------------


def _cong(premises: _Terms, arguments: _Arguments) -> Term:
    """s₁ = t₁, … give f(…, s₁, …) = f(…, t₁, …) for the last arguments of f, even under a quantifier."""
    whole = term(arguments, 0, 1)
    kept = len(whole.arguments) - len(premises)
    if not premises or kept < 0 or whole.kind == "skolem":
        raise Refused("a premise was expected for each of the last arguments")
    changed = [sides(premise) for premise in premises]
    if tuple(left for left, _ in changed) != whole.arguments[kept:]:
        raise Refused("the left sides of the premises are not the arguments")
    return equation(whole, with_arguments(whole, whole.arguments[:kept] + tuple(right for _, right in changed)))


def _nary_cong(premises: _Terms, arguments: _Arguments) -> Term:
    """As `_cong`, for operators of any number of arguments, with a premise for each."""
    whole = term(arguments, 0, 1)
    if whole.kind != "operator" or whole.head not in NEUTRAL or len(premises) != len(whole.arguments):
        raise Refused("a premise was expected for each argument of and, or, + or *")
    return _cong(premises, arguments)


# --- instances and Skolem terms --------------------------------------------------------------------------------------


def _instantiate(premises: _Terms, arguments: _Arguments) -> Term:
    """∀x A gives A with terms for x."""
    bound, body = _quantified(exactly(premises, 1)[0], "forall")
    values = terms(arguments, 0, 1)
    if len(values) != len(bound):
        raise Refused(f"{len(bound)} terms were expected")
    return substitute(body, dict(zip(bound, values, strict=True)))


def _skolemize(premises: _Terms, arguments: _Arguments) -> Term:
    """¬∀x A gives ¬A with Skolem terms for x."""
    (formula,) = arguments_of(exactly(premises, 1)[0], "not", 1)
    bound, body = _quantified(formula, "forall")
    if arguments:
        raise Refused("no arguments were expected")
    return substitute(negation(body), {x: skolem(formula, place) for place, x in enumerate(bound)})


def _skolem_intro(premises: _Terms, arguments: _Arguments) -> Term:
    """A purified term equals the term."""
    exactly(premises, 0)
    whole = term(arguments, 0, 1)
    if whole.kind != "purified":
        raise Refused("a purified term was expected")
    return equation(whole, whole.arguments[0])


# --- alphabetic variants ---------------------------------------------------------------------------------------------


def _alpha_equiv(premises: _Terms, arguments: _Arguments) -> Term:
    """A formula is equal to itself with bound variables renamed.

    The renaming is applied everywhere without distinction; then it is checked that only the names of bound variables
    differ.
    """
    exactly(premises, 0)
    whole, old, new = term(arguments, 0, 3), terms(arguments, 1, 3), terms(arguments, 2, 3)
    if len(old) != len(new) or len(set(old)) != len(old):
        raise Refused("a new variable was expected for each old one")
    variant = _renamed(whole, dict(zip(old, new, strict=True)), {})
    if not _are_variants(whole, variant, {}, {}):
        raise Refused("variables other than bound ones are renamed")
    return equation(whole, variant)


def _renamed(whole: Term, change: Mapping[Term, Term], done: dict[Term, Term]) -> Term:
    if whole.kind == "variable":
        return change.get(whole, whole)
    if not whole.arguments or whole.kind == "skolem":
        return whole
    if whole not in done:
        arguments = tuple(_renamed(argument, change, done) for argument in whole.arguments)
        if whole.kind == "quantifier":
            done[whole] = quantifier(str(whole.head), tuple(change.get(x, x) for x in whole.bound), arguments[0])
        else:
            done[whole] = with_arguments(whole, arguments)
    return done[whole]


def _are_variants(one: Term, other: Term, there: Mapping[Term, Term], back: Mapping[Term, Term]) -> bool:
    """Whether two terms differ only in the names of bound variables; the maps pair the variables bound outside, in both
    directions.
    """
    if one.kind == "variable" or other.kind == "variable":
        return there.get(one, one) is other and back.get(other, other) is one
    if one is other and one.free.isdisjoint(there) and one.free.isdisjoint(back):
        return True
    if (one.kind, one.head, one.sort, len(one.arguments)) != (other.kind, other.head, other.sort, len(other.arguments)):
        return False
    if [x.sort for x in one.bound] != [x.sort for x in other.bound] or one.kind == "skolem":
        return False
    if one.bound:
        there = {**there, **dict(zip(one.bound, other.bound, strict=True))}
        back = {**back, **dict(zip(other.bound, one.bound, strict=True))}
    return all(_are_variants(a, b, there, back) for a, b in zip(one.arguments, other.arguments, strict=True))


# --- rewriting of quantified formulas --------------------------------------------------------------------------------


def _quant_var_reordering(premises: _Terms, arguments: _Arguments) -> Term:
    """∀x y A = ∀y x A."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    (one, body), (other, same) = _quantified(left, "forall"), _quantified(right, "forall")
    if set(one) != set(other) or body is not same:
        raise Refused("the two sides have different variables or different bodies")
    return whole


def _exists_elim(premises: _Terms, arguments: _Arguments) -> Term:
    """∃x A = ¬∀x ¬A."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "exists")
    return _if_equal(right, negation(quantifier("forall", bound, negation(body))), whole)


def _quant_unused_vars(premises: _Terms, arguments: _Arguments) -> Term:
    """Qx A is A without those variables that do not occur in A."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "forall", "exists")
    used = tuple(x for x in bound if x in body.free)
    return _if_equal(right, quantifier(str(left.head), used, body) if used else body, whole)


def _quant_merge_prenex(premises: _Terms, arguments: _Arguments) -> Term:
    """Qx Qy A = Qx y A; the variables must be distinct."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "forall", "exists")
    while body.kind == "quantifier" and body.head == left.head:
        bound, body = (*bound, *body.bound), body.arguments[0]
    return _if_equal(right, quantifier(str(left.head), bound, body), whole)


def _quant_miniscope_and(premises: _Terms, arguments: _Arguments) -> Term:
    """∀x (A ∧ B …) = ∀x A ∧ ∀x B …"""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "forall")
    parts = (quantifier("forall", bound, part) for part in arguments_of(body, "and"))
    return _if_equal(right, operator("and", *parts), whole)


def _quant_miniscope_or(premises: _Terms, arguments: _Arguments) -> Term:
    """∀x (A ∨ B …) = ∀y A ∨ ∀z B …, if no variable of x occurs in two parts, and none is free on the right."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "forall")
    parts, scoped = arguments_of(body, "or"), arguments_of(right, "or")
    if len(parts) != len(scoped):
        raise Refused("the two sides have different numbers of parts")
    seen: set[Term] = set()
    for part, new in zip(parts, scoped, strict=True):
        occurring = part.free.intersection(bound)
        within = () if new is part else _quantified(new, "forall")[0]
        if new is not part and new.arguments[0] is not part:
            raise Refused(f"{new.brief()} does not stand for {part.brief()}")
        if not occurring <= set(within) <= set(bound) or occurring & seen:
            raise Refused("a variable occurs in two parts, or is no longer bound")
        seen |= occurring
    return whole


def _quant_miniscope_ite(premises: _Terms, arguments: _Arguments) -> Term:
    """∀x (if C then A else B) = if C then ∀x A else ∀x B, if x does not occur in C."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "forall")
    condition, then, otherwise = arguments_of(body, "ite", 3)
    if not condition.free.isdisjoint(bound):
        raise Refused("the variable occurs in the condition")
    parts = (quantifier("forall", bound, part) for part in (then, otherwise))
    return _if_equal(right, operator("ite", condition, *parts), whole)


def _quant_var_elim_eq(premises: _Terms, arguments: _Arguments) -> Term:
    """∀x (x ≠ t ∨ A …) is A … with t for x, if x does not occur in t; without A it is false."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    bound, body = _quantified(left, "forall")
    first, *rest = body.arguments if is_operator(body, "or") else (body,)
    x, value = sides(arguments_of(first, "not", 1)[0])
    if bound != (x,) or x in value.free:
        raise Refused("the first part does not define the variable")
    return _if_equal(right, substitute(joined("or", tuple(rest)), {x: value}) if rest else FALSE, whole)


RULES: Final[Mapping[str, Rule]] = {
    "alpha_equiv": _alpha_equiv,
    "cong": _cong,
    "exists-elim": _exists_elim,
    "instantiate": _instantiate,
    "nary_cong": _nary_cong,
    "quant-merge-prenex": _quant_merge_prenex,
    "quant-miniscope-and": _quant_miniscope_and,
    "quant-miniscope-ite": _quant_miniscope_ite,
    "quant-miniscope-or": _quant_miniscope_or,
    "quant-unused-vars": _quant_unused_vars,
    "quant-var-elim-eq": _quant_var_elim_eq,
    "quant_var_reordering": _quant_var_reordering,
    "skolem_intro": _skolem_intro,
    "skolemize": _skolemize,
}
