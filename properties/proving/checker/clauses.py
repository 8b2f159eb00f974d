"""Rules about clauses, conjunctions and disjunctions of any number of parts.

A *clause* is a disjunction read as the list of its literals; a formula that is not a disjunction is a clause of one
literal.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from arcproof.properties.proving.checker.schemata import Argument, Rule
from arcproof.properties.proving.checker.terms import (
    FALSE,
    NEUTRAL,
    TRUE,
    Refused,
    Term,
    arguments_of,
    equation,
    is_operator,
    joined,
    negation,
    operator,
    sides,
    whole_number,
)

_Terms = tuple[Term, ...]
_Arguments = tuple[Argument, ...]


def term(arguments: _Arguments, place: int, count: int) -> Term:
    """The argument at `place`, which must be a term; there must be `count` arguments."""
    if len(arguments) != count or not isinstance(found := arguments[place], Term):
        raise Refused(f"{count} arguments were expected, with a term in position {place + 1}")
    return found


def terms(arguments: _Arguments, place: int, count: int) -> _Terms:
    """The argument at `place`, which must be a list; there must be `count` arguments."""
    if len(arguments) != count or isinstance(found := arguments[place], Term):
        raise Refused(f"{count} arguments were expected, with a list in position {place + 1}")
    return found


def exactly(premises: _Terms, count: int) -> _Terms:
    """The premises, which must be this many."""
    if len(premises) != count:
        raise Refused(f"{count} premises were expected")
    return premises


def _none(arguments: _Arguments) -> None:
    if arguments:
        raise Refused("no arguments were expected")


def _nth(parts: _Terms, place: int) -> Term:
    if not 0 <= place < len(parts):
        raise Refused(f"there is no part {place}")
    return parts[place]


# --- conjunctions and disjunctions -----------------------------------------------------------------------------------


def _and_elim(premises: _Terms, arguments: _Arguments) -> Term:
    """A₀ ∧ … ∧ Aₖ gives Aᵢ."""
    (conjunction,) = exactly(premises, 1)
    return _nth(arguments_of(conjunction, "and"), whole_number(term(arguments, 0, 1)))


def _and_intro(premises: _Terms, arguments: _Arguments) -> Term:
    """A₀, …, Aₖ give A₀ ∧ … ∧ Aₖ."""
    _none(arguments)
    return operator("and", *premises)


def _not_or_elim(premises: _Terms, arguments: _Arguments) -> Term:
    """¬(A₀ ∨ … ∨ Aₖ) gives ¬Aᵢ."""
    (denied,) = arguments_of(exactly(premises, 1)[0], "not", 1)
    return negation(_nth(arguments_of(denied, "or"), whole_number(term(arguments, 0, 1))))


def _not_and(premises: _Terms, arguments: _Arguments) -> Term:
    """¬(A₀ ∧ … ∧ Aₖ) gives ¬A₀ ∨ … ∨ ¬Aₖ."""
    _none(arguments)
    (denied,) = arguments_of(exactly(premises, 1)[0], "not", 1)
    return operator("or", *map(negation, arguments_of(denied, "and")))


def _cnf_and_pos(premises: _Terms, arguments: _Arguments) -> Term:
    """¬(A₀ ∧ … ∧ Aₖ) ∨ Aᵢ."""
    exactly(premises, 0)
    conjunction, place = term(arguments, 0, 2), whole_number(term(arguments, 1, 2))
    return operator("or", negation(conjunction), _nth(arguments_of(conjunction, "and"), place))


def _cnf_and_neg(premises: _Terms, arguments: _Arguments) -> Term:
    """(A₀ ∧ … ∧ Aₖ) ∨ ¬A₀ ∨ … ∨ ¬Aₖ."""
    exactly(premises, 0)
    conjunction = term(arguments, 0, 1)
    return operator("or", conjunction, *map(negation, arguments_of(conjunction, "and")))


def _cnf_or_pos(premises: _Terms, arguments: _Arguments) -> Term:
    """¬(A₀ ∨ … ∨ Aₖ) ∨ A₀ ∨ … ∨ Aₖ."""
    exactly(premises, 0)
    disjunction = term(arguments, 0, 1)
    return operator("or", negation(disjunction), *arguments_of(disjunction, "or"))


def _cnf_or_neg(premises: _Terms, arguments: _Arguments) -> Term:
    """(A₀ ∨ … ∨ Aₖ) ∨ ¬Aᵢ."""
    exactly(premises, 0)
    disjunction, place = term(arguments, 0, 2), whole_number(term(arguments, 1, 2))
    return operator("or", disjunction, negation(_nth(arguments_of(disjunction, "or"), place)))


def _process_scope(premises: _Terms, arguments: _Arguments) -> Term:
    """A₀ → (A₁ → … C) gives A₀ ∧ A₁ ∧ … → C, and ¬(A₀ ∧ A₁ ∧ …) where C is false."""
    (rest,) = exactly(premises, 1)
    conclusion = term(arguments, 0, 1)
    assumed: list[Term] = []
    while rest is not conclusion:
        antecedent, rest = arguments_of(rest, "=>", 2)
        assumed.append(antecedent)
    together = joined("and", tuple(assumed))
    return negation(together) if conclusion is FALSE else operator("=>", together, conclusion)


# --- resolution ------------------------------------------------------------------------------------------------------


def literals(clause: Term) -> _Terms:
    """The literals of a clause; false has none."""
    if clause is FALSE:
        return ()
    return clause.arguments if is_operator(clause, "or") else (clause,)


def _without(clause: _Terms | Term, literal: Term) -> _Terms:
    """The literals of a clause, without the first occurrence of this one; a clause may be the literal itself."""
    if clause is literal:
        return ()
    found = literals(clause) if isinstance(clause, Term) else clause
    place = found.index(literal) if literal in found else len(found)
    return found[:place] + found[place + 1 :]


def _pivot(polarity: Argument, literal: Argument) -> tuple[Term, Term]:
    """What is removed from the clause on the left, and from the one on the right."""
    if not isinstance(literal, Term) or polarity not in (TRUE, FALSE):
        raise Refused("a polarity and a literal were expected")
    return (literal, negation(literal)) if polarity is TRUE else (negation(literal), literal)


def _resolution(premises: _Terms, arguments: _Arguments) -> Term:
    """L ∨ A and ¬L ∨ B give A ∨ B; for the polarity false, ¬L ∨ A and L ∨ B."""
    left, right = exactly(premises, 2)
    here, there = _pivot(term(arguments, 0, 2), term(arguments, 1, 2))
    return joined("or", _without(left, here) + _without(right, there))


def _chain(premises: _Terms, polarities: _Terms, pivots: _Terms) -> _Terms:
    """Resolve from left to right; pivots are removed from the clause so far, their negations from the next, wherever
    they are.
    """
    if not len(premises) - 1 == len(polarities) == len(pivots) >= 1:
        raise Refused("one polarity and one pivot were expected for each premise but the first")
    clause: Term | _Terms = premises[0]
    for right, polarity, literal in zip(premises[1:], polarities, pivots, strict=True):
        here, there = _pivot(polarity, literal)
        clause = _without_all(clause, here) + _without_all(right, there)
    return clause if not isinstance(clause, Term) else literals(clause)


def _without_all(clause: _Terms | Term, literal: Term) -> _Terms:
    if clause is literal:
        return ()
    found = literals(clause) if isinstance(clause, Term) else clause
    return tuple(other for other in found if other is not literal)


def _chain_resolution(premises: _Terms, arguments: _Arguments) -> Term:
    """Resolution from left to right."""
    return joined("or", _chain(premises, terms(arguments, 0, 2), terms(arguments, 1, 2)))


def _chain_m_resolution(premises: _Terms, arguments: _Arguments) -> Term:
    """Resolution from left to right; the conclusion is given and has every literal that is left."""
    conclusion = term(arguments, 0, 3)
    left = _chain(premises, terms(arguments, 1, 3), terms(arguments, 2, 3))
    return _weakened(left, conclusion)


def _weakened(clause: _Terms, conclusion: Term) -> Term:
    """A formula that has every literal of a clause as a disjunct, or that is the only literal."""
    disjuncts = {conclusion, *literals(conclusion)}
    if conclusion.sort != "Bool" or not disjuncts.issuperset(clause):
        raise Refused("the conclusion lacks a literal")
    return conclusion


def _reordering(premises: _Terms, arguments: _Arguments) -> Term:
    """The same literals in another order."""
    return _weakened(literals(exactly(premises, 1)[0]), term(arguments, 0, 1))


def _factoring(premises: _Terms, arguments: _Arguments) -> Term:
    """The same literals, each once."""
    _none(arguments)
    return joined("or", tuple(dict.fromkeys(arguments_of(exactly(premises, 1)[0], "or"))))


# --- associativity, commutativity, idempotence -----------------------------------------------------------------------


def flattened(whole: Term, head: str) -> Iterable[Term]:
    """The parts of nested conjunctions or disjunctions, without the neutral element."""
    if is_operator(whole, head):
        for part in whole.arguments:
            yield from flattened(part, head)
    elif whole is not NEUTRAL[head]:
        yield whole


def _aci_norm(premises: _Terms, arguments: _Arguments) -> Term:
    """Two conjunctions, or two disjunctions, with the same set of parts are equal."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    for head in ("and", "or"):
        is_one = is_operator(left, head) or is_operator(right, head)
        if is_one and set(flattened(left, head)) == set(flattened(right, head)):
            return whole
    raise Refused("the two sides have different parts")


def _absorb(premises: _Terms, arguments: _Arguments) -> Term:
    """A conjunction with the part false is false, a disjunction with the part true is true."""
    exactly(premises, 0)
    left, right = sides(whole := term(arguments, 0, 1))
    for head, absorbing in (("and", FALSE), ("or", TRUE)):
        if is_operator(left, head) and right is absorbing and absorbing in flattened(left, head):
            return whole
    raise Refused("nothing absorbs the other parts")


# --- equality --------------------------------------------------------------------------------------------------------


def _symm(premises: _Terms, arguments: _Arguments) -> Term:
    """s = t gives t = s, and s ≠ t gives t ≠ s."""
    _none(arguments)
    (premise,) = exactly(premises, 1)
    if is_operator(premise, "not"):
        left, right = sides(premise.arguments[0])
        return negation(equation(right, left))
    left, right = sides(premise)
    return equation(right, left)


def _trans(premises: _Terms, arguments: _Arguments) -> Term:
    """t₀ = t₁, t₁ = t₂, … give t₀ = tₖ."""
    _none(arguments)
    if not premises:
        raise Refused("a premise was expected")
    first, last = sides(premises[0])
    for premise in premises[1:]:
        left, right = sides(premise)
        if left is not last:
            raise Refused(f"{last.brief()} is not {left.brief()}")
        last = right
    return equation(first, last)


RULES: Final[Mapping[str, Rule]] = {
    "absorb": _absorb,
    "aci_norm": _aci_norm,
    "and_elim": _and_elim,
    "and_intro": _and_intro,
    "chain_m_resolution": _chain_m_resolution,
    "chain_resolution": _chain_resolution,
    "cnf_and_neg": _cnf_and_neg,
    "cnf_and_pos": _cnf_and_pos,
    "cnf_or_neg": _cnf_or_neg,
    "cnf_or_pos": _cnf_or_pos,
    "factoring": _factoring,
    "not_and": _not_and,
    "not_or_elim": _not_or_elim,
    "process_scope": _process_scope,
    "reordering": _reordering,
    "resolution": _resolution,
    "symm": _symm,
    "trans": _trans,
}
