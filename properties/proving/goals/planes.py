"""Soundness for 2-planar graphs: a ghost divides the arcs into two planes, and arcs of one plane never cross.

A graph is 2-planar if its arcs can be divided in this way.  Any division will do, so the ghost may be any function of
the run.  Here it depends on two sequences: an arc is in the second plane if one of its ends is taken from the second
sequence and none from the first; a transition that exchanges the two sequences exchanges the planes.  `second_plane(x)`
says that the arc into x is in the second plane.  A word has one head, so the dependent identifies its arc.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from arcproof.properties.proving.goals.soundness import class_conditions, move_of, soundness
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate, to_python
from arcproof.properties.proving.language.terms import Function, Term, to_smt
from arcproof.properties.proving.library.instances import about_planes
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.state import SECOND_PLANE, SymbolicState
from arcproof.properties.proving.meaning.steps import SymbolicStep, length_name
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.problem import Problem
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition

RUNS: Final = 40
LONGEST: Final = (4, 5)
MOST_STEPS: Final = 200
_ANY: Final = "any"


@dataclass(frozen=True)
class Planes:
    """The two sequences that divide the arcs into planes."""

    first: str
    second: str

    def __str__(self) -> str:
        """The text in the report."""
        return f"the planes of {self.first} and {self.second}"


def every_division(meanings: Meanings) -> Iterator[Planes]:
    """Yield every division by two sequences."""
    for first, second in permutations((sequence.name for sequence in meanings.before.sequences), 2):
        yield Planes(first, second)


def divisions(meanings: Meanings, graphs: s.GraphClass) -> Iterator[Planes]:
    """Yield the divisions that random runs do not refute."""
    state = divided(meanings.before)
    holds = to_python(t.conjunction(*(term for _, term in class_conditions(meanings, graphs, state))))
    ends = to_python(t.conjunction(*meanings.terminal(state)))
    for planes in every_division(meanings):
        models = (model for words in LONGEST for _, model in runs(meanings, planes, words))
        if all(not ends(model, _nodes(model)) or holds(model, _nodes(model)) for model in models):
            yield planes


def _nodes(model: dict[str, object]) -> range:
    words = model["n"]
    assert isinstance(words, int)
    return domain(words)


def divided(state: SymbolicState) -> SymbolicState:
    """An arbitrary state with an arbitrary division."""
    return replace(state, second_plane=t.predicate(SECOND_PLANE))


def in_planes(meanings: Meanings, graphs: s.GraphClass, planes: Planes) -> Problem:
    """The problem whose goals are soundness for a class, with the arcs divided by two sequences."""
    problem = soundness(replace(meanings, before=divided(meanings.before)), graphs)
    moves = []
    for step in meanings.steps:
        move = move_of(meanings, step)
        moves.append(replace(move, after=replace(move.after, second_plane=_after(meanings.before, step, planes))))
    return replace(problem, moves=tuple(moves))


def _after(before: SymbolicState, step: SymbolicStep, planes: Planes) -> Function:
    """The plane of the arc into a word after a step."""
    was = t.predicate(SECOND_PLANE)
    turned = _exchanges(before, step.after, planes)
    arcs = [change for change in step.plan.arcs if isinstance(change, p.AddArc)]
    far = [_is_far(arc, before, planes) != turned for arc in arcs]

    def after(x: Term) -> Term:
        plane = t.negation(was(x)) if turned else was(x)
        for added, second in zip(step.added, far, strict=True):
            plane = t.case_of(t.equal(x, added.dependent), t.TruthValue(second), plane)
        return plane

    return after


def _is_far(arc: p.AddArc, before: SymbolicState, planes: Planes) -> bool:
    """Whether an arc has an end in the second sequence and none in the first."""
    ends = [node for node in (arc.head, arc.dependent) if isinstance(node, p.Cell)]
    names = {before.components[end.place.component].name for end in ends}
    return planes.second in names and planes.first not in names


def _exchanges(before: SymbolicState, after: SymbolicState, planes: Planes) -> bool:
    """Whether each of the two sequences becomes the other."""
    any_cell = t.constant(_ANY)

    def content(state: SymbolicState, name: str) -> tuple[str, str]:
        return to_smt(state.heights[name]), to_smt(state.cells[name](any_cell))

    first, second = planes.first, planes.second
    was = content(before, second), content(before, first)
    return (content(after, first), content(after, second)) == was


# --- runs that remember ----------------------------------------------------------------------------------------------


def runs(meanings: Meanings, planes: Planes, words: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the configurations of random runs, with the planes of their arcs."""
    chance, system = random.Random(0), meanings.system
    steps = [_Follower(meanings.before, step, planes) for step in meanings.steps]
    for _ in range(RUNS):
        c, second = system.start(words), frozenset[int]()
        for _ in range(MOST_STEPS):
            model = _with_planes(model_of(system, c), second)
            yield str(c), model
            permissible = [] if system.is_terminal(c) else system.permissible(c)
            if not permissible:
                break
            transition = chance.choice(permissible)
            second = next(found for step in steps if (found := step.taken(c, transition, model)) is not None)
            c = system.apply(c, transition)


def _with_planes(model: dict[str, object], second: frozenset[int]) -> dict[str, object]:
    return {**model, SECOND_PLANE: lambda x: x in second}


class _Follower:
    """A step, ready to be evaluated."""

    def __init__(self, before: SymbolicState, step: SymbolicStep, planes: Planes) -> None:
        """Compile its guard, and what is in the second plane after it."""
        self.step = step
        self.guard: Evaluate = to_python(t.conjunction(*step.guard))
        self.after: Evaluate = to_python(_after(before, step, planes)(t.constant(_ANY)))

    def taken(self, c: Configuration, transition: Transition, model: dict[str, object]) -> frozenset[int] | None:
        """What is in the second plane after the transition, if it is this step."""
        if self.step.rule.name != transition.name:
            return None
        lengths = zip(map(length_name, self.step.lengths), transition.choice, strict=True)
        chosen, integers = {**model, **{name: length - 1 for name, length in lengths}}, domain(c.words)
        if not self.guard(chosen, integers):
            return None
        return frozenset(x for x in range(c.words + 1) if self.after({**chosen, _ANY: x}, integers))


# --- guesses ---------------------------------------------------------------------------------------------------------


def every_guess(meanings: Meanings) -> list[Candidate]:
    """Every guess about planes."""
    return list(about_planes(divided(meanings.before), meanings.start))


def guesses(meanings: Meanings, planes: Planes) -> list[Candidate]:
    """The guesses about planes that hold in random runs."""
    state = divided(meanings.before)
    left = [(c, to_python(c.formula(state))) for c in every_guess(meanings)]
    for words in LONGEST:
        for _, model in runs(meanings, planes, words):
            left = [(c, holds) for c, holds in left if holds(model, domain(words))]
    return [c for c, _ in left]
