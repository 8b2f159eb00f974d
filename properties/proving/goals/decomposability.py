"""Arc-decomposability as goals, given a formula for the arcs that are within reach.

Let R(c; x, y) be any formula about a configuration, G a gold graph of the class.  The goals:

1. *What is out of reach stays out of reach*: after every transition from c to c', a gold arc with R(c'; x, y) has R(c;
   x, y).
2. *At the end R is what is built*: in a terminal configuration a gold arc x -> y has R if and only if it is in A.
3. *Something loses nothing*: in every configuration that is not terminal there is a permissible transition to some c'
   such that every gold arc with R(c; x, y) has R(c'; x, y).  This is shown in two steps, for any formulas L_t(c; x, y)
   about the configuration before a transition t: gold arcs with R that t loses have L_t; and some t is permissible such
   that no gold arc with R has L_t.

By 1 and 2, a gold arc without R is in no output that can still be reached.  By 3 and 2, if every run ends, some run
continues to an output that has all gold arcs with R.  So gold arcs that can each still be built all have R, and that
output has them all.  And R means what its name says: a gold arc has R if and only if it can still be built.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from arcproof.properties.proving.goals.soundness import ending, move_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.meaning.steps import SymbolicStep, step_of
from arcproof.properties.proving.meaning.symbolic import Meanings, with_some_lengths
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.properties.proving.trusted.problem import Goal

Reach: TypeAlias = Callable[[SymbolicState, Term, Term], Term]
"""A formula that says that an arc is within reach in a state."""
Losing: TypeAlias = Callable[[SymbolicStep, Term, Term], Term]
"""A formula that says that a step, seen from the state before it, may put an arc out of reach."""
SOMETHING_IS_FREE: Final = "some transition loses no gold arc within reach"


def decomposability(meanings: Meanings, reach: Reach, losing: Losing) -> Iterator[Goal]:
    """Yield the goals; none of them is part of the claim, which does not mention R."""
    for step in meanings.steps:
        move = move_of(meanings, step)
        premises = (*move.premises, *move.facts)
        stays = kept(reach, step.after, meanings.before)
        yield Goal(f"{step.name} brings no gold arc within reach", premises, stays, is_part=False)
        yield Goal(
            f"{step.name} loses no other gold arc", premises, _no_other(meanings, step, reach, losing), is_part=False
        )
    yield from _at_the_end(meanings, reach)
    some = t.disjunction(*(_free(meanings, step, reach, losing) for step in meanings.steps))
    yield Goal(SOMETHING_IS_FREE, (running(meanings),), some, is_part=False)


def is_lost(reach: Reach, before: SymbolicState, after: SymbolicState, x: Term, y: Term) -> Term:
    """The condition that an arc is within reach before a step and not after it."""
    return t.conjunction(reach(before, x, y), t.negation(reach(after, x, y)))


def _no_other(meanings: Meanings, step: SymbolicStep, reach: Reach, losing: Losing) -> Term:
    return _of_gold_arcs(lambda x, y: t.implies(is_lost(reach, meanings.before, step.after, x, y), losing(step, x, y)))


def running(meanings: Meanings) -> Premise:
    """The premise that the configuration is not terminal."""
    return "the configuration is not terminal", t.negation(t.conjunction(*meanings.terminal(meanings.before)))


def kept(reach: Reach, here: SymbolicState, there: SymbolicState) -> Term:
    """The condition that every gold arc within reach here is still within reach there."""
    return _of_gold_arcs(lambda x, y: t.implies(reach(here, x, y), reach(there, x, y)))


def _of_gold_arcs(said: Callable[[Term, Term], Term]) -> Term:
    return t.for_all(lambda x, y: t.implies(GOLD.arc(x, y), said(x, y)))


def _at_the_end(meanings: Meanings, reach: Reach) -> Iterator[Goal]:
    end, state = ending(meanings), meanings.before
    built = _of_gold_arcs(lambda x, y: t.implies(state.arc(x, y), reach(state, x, y)))
    yield Goal("at the end a gold arc that is built is within reach", end, built, is_part=False)
    within = _of_gold_arcs(lambda x, y: t.implies(reach(state, x, y), state.arc(x, y)))
    yield Goal("at the end a gold arc within reach is built", end, within, is_part=False)


def _free(meanings: Meanings, step: SymbolicStep, reach: Reach, losing: Losing) -> Term:
    """The condition that a transition is permissible and loses no gold arc, with some lengths."""

    def with_lengths(lengths: tuple[Term, ...]) -> Term:
        done = step_of(step.plan, step.name, meanings.before, lengths)
        nothing = _of_gold_arcs(lambda x, y: t.implies(reach(meanings.before, x, y), t.negation(losing(done, x, y))))
        return t.conjunction(*done.guard, nothing)

    return with_some_lengths(step.plan.match, meanings.before, with_lengths)
