"""No dead ends as a goal: in every configuration that is not terminal some transition is permissible.

A transition that chooses lengths is permissible if it is so for some choice of lengths.
"""

from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.steps import SymbolicStep, step_of
from arcproof.properties.proving.meaning.symbolic import Meanings, with_some_lengths
from arcproof.properties.proving.trusted.problem import Goal, Problem


def permissible(meanings: Meanings, step: SymbolicStep) -> Term:
    """The condition that a transition is permissible, with some lengths."""

    def with_lengths(lengths: tuple[Term, ...]) -> Term:
        return t.conjunction(*step_of(step.plan, step.name, meanings.before, lengths).guard)

    return with_some_lengths(step.plan.match, meanings.before, with_lengths)


def no_dead_ends(meanings: Meanings) -> Problem:
    """The problem whose goal is that some transition is permissible."""
    running = t.negation(t.conjunction(*meanings.terminal(meanings.before)))
    some = t.disjunction(*(permissible(meanings, step) for step in meanings.steps))
    goal = Goal("some transition is permissible", (("the configuration is not terminal", running),), some)
    return problem_of(meanings, (goal,))
