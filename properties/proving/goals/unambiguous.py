"""Unambiguity as goals: different choices lead to different graphs.

If two transitions are permissible, both add an arc to the same word, from different heads.  An arc stays, and no word
gets a second head, so the outputs differ from there on.  A transition with a different choice of lengths counts as a
different transition.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

from arcproof.properties.proving.goals.soundness import add_goals, move_of, named
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.steps import SymbolicStep, forgets, length_name, step_of
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.problem import Goal, Problem


def unambiguous(meanings: Meanings) -> Problem:
    """The problem whose goals are that different transitions lead to different outputs."""
    if meanings.system.figure.several_heads:
        raise Unsupported("unambiguity of a figure with several heads, in which the other head may be added later")
    if any(map(forgets, meanings.steps)):
        raise Unsupported("unambiguity of a figure that removes arcs, in which a difference may be undone")
    single = (replace(goal, is_part=False) for goal in add_goals(meanings))
    return problem_of(meanings, (*_differences(meanings), *single))


def _differences(meanings: Meanings) -> Iterator[Goal]:
    for one, other in combinations_with_replacement(meanings.steps, 2):
        if one is other and not one.lengths:
            continue
        beside = _with_other_lengths(meanings, other)
        premises = (*move_of(meanings, one).premises, *named("the other is permissible", beside.guard))
        name = f"{one.name} and {other.name} do not lead to one output"
        if one is other:
            same = t.conjunction(*(t.equal(one.lengths[choice], beside.lengths[choice]) for choice in one.lengths))
            premises = (*premises, ("the lengths differ", t.negation(same)))
            name = f"{one.name} does not lead to one output with different lengths"
        yield Goal(name, premises, _differ(one, beside), is_part=False)


def _with_other_lengths(meanings: Meanings, step: SymbolicStep) -> SymbolicStep:
    """The same step with new constants for its lengths, which no other step uses: no ordinary name has an exclamation
    mark.
    """
    lengths = tuple(t.constant(f"{length_name(name)}!") for name in step.lengths)
    return step_of(step.plan, step.name, meanings.before, lengths)


def _differ(one: SymbolicStep, other: SymbolicStep) -> Term:
    """The condition that some arc of one step and some arc of the other have the same dependent and different heads."""
    both = ((a, b) for a in one.added for b in other.added)
    return t.disjunction(*(t.conjunction(t.equal(a.dependent, b.dependent), t.differ(a.head, b.head)) for a, b in both))
