"""Space and incrementality as goals.

The space of a configuration is the number of cells of all sequences plus the number of arcs, plus one for each flag and
counter; the goals bound it in every configuration of a run. Incrementality is Nivre 2008, Definition 6, as
`properties.claims.incremental` words it.
"""

from collections.abc import Iterator

from arcproof.properties.claims.incremental import buffer_of
from arcproof.properties.proving.goals.ranking import Demand
from arcproof.properties.proving.goals.soundness import move_of, new_arc, numbered
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.state import SymbolicState, Unsupported
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.problem import WORDS_PREMISE, Goal, Problem
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound


def problem_of(meanings: Meanings, goals: tuple[Goal, ...]) -> Problem:
    """The problem of a system with these goals."""
    moves = tuple(move_of(meanings, step) for step in meanings.steps)
    return Problem((WORDS_PREMISE,), meanings.before, meanings.start, moves, goals)


def space(meanings: Meanings, claim: s.SpaceBound) -> Problem:
    """`space <= b` in every configuration."""
    bound = Bound.of(claim.bound, meanings.system)
    state = meanings.before
    if claim.relation != "<=" or bound.counts or state.sets:
        raise Unsupported("space bounds other than upper bounds on sequences, arcs, flags and counters")
    limit = Demand(lambda _: bound.at(0), "<=", bound.polynomial).bound
    values = len(state.flags) + len(state.counters)
    used = t.add(*state.heights.values(), state.arcs, values)
    goal = t.at_most(t.times(limit.scale, used), limit.term(state))
    return problem_of(meanings, (Goal(f"the space is at most {limit}", (), goal), *_new_arcs(meanings)))


def _new_arcs(meanings: Meanings) -> Iterator[Goal]:
    """Yield the goals that no arc is added twice with two labels: the ghost that counts arcs would count it once."""
    for step in meanings.steps:
        for which, added in numbered(step.added):
            yield new_arc(meanings, step, which, added, is_part=False)


def incremental(meanings: Meanings, claim: s.Incremental) -> Problem:
    """A problem with every condition of the definition."""
    return problem_of(meanings, tuple(_incremental(meanings, claim)))


def _contained(state: SymbolicState, after: SymbolicState) -> Term:
    return t.for_all(lambda x, y: t.implies(state.arc(x, y), after.arc(x, y)))


def _rest(state: SymbolicState, after: SymbolicState, name: str) -> Term:
    """The condition that every cell of the buffer after a step held the same before it, counted from the tail."""
    same = (state.cells[name], after.cells[name])
    return t.for_all(lambda p: t.implies(t.within(0, p, after.heights[name]), t.equal(*(cell(p) for cell in same))))


def _incremental(meanings: Meanings, claim: s.Incremental) -> Iterator[Goal]:
    name = buffer_of(meanings.system)
    if name is None:
        raise Unsupported("incrementality for a state without exactly one buffer")
    state = meanings.before
    if claim.strength == "strictly" and state.side(name) != "left":
        raise Unsupported("strict incrementality for a buffer whose head is not on the left")
    for step in meanings.steps:
        premises = move_of(meanings, step).premises
        after = step.after
        yield Goal(f"{step.name} removes no arc", premises, _contained(state, after))
        if claim.strength != "weakly":
            shorter = t.at_most(after.heights[name], state.heights[name])
            yield Goal(f"{step.name} does not make the buffer longer", premises, shorter)
        if claim.strength == "strictly":
            yield Goal(f"{step.name} leaves the rest of the buffer as it is", premises, _rest(state, after, name))
    if claim.strength != "weakly":
        empty = ("the buffer is empty", t.equal(state.heights[name], 0))
        yield Goal("an empty buffer is terminal", (empty,), t.conjunction(*meanings.terminal(state)))
