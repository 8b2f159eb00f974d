"""From a statement to the check that the exhaustive engine makes of it."""

from typing import assert_never

from arcproof.properties.complete import check_complete
from arcproof.properties.dead_ends import check_dead_ends
from arcproof.properties.exhausted import Levels
from arcproof.properties.incremental import check_incremental
from arcproof.properties.length import check_length
from arcproof.properties.same_behaviour import check_same_outputs, check_same_transitions
from arcproof.properties.sound import check_sound
from arcproof.properties.space import check_space
from arcproof.properties.terminates import check_terminates
from arcproof.properties.verdict import Outcome
from arcproof.transitions import syntax as s


def check_statement(levels: Levels, statement: s.Statement) -> Outcome:
    """Try everything up to the levels' number of words."""
    match statement:
        case s.Sound(graphs):
            return check_sound(levels, graphs)
        case s.CompleteFor(graphs):
            return check_complete(levels, graphs)
        case s.Terminates():
            return check_terminates(levels)
        case s.LengthBound() | s.CountBound():
            return check_length(levels, statement)
        case s.SpaceBound():
            return check_space(levels, statement)
        case s.Incremental():
            return check_incremental(levels, statement)
        case s.NoDeadEnds():
            return check_dead_ends(levels)
        case s.SameTransitions(system, graphs):
            return check_same_transitions(levels, system, graphs)
        case s.SameOutputs(system):
            return check_same_outputs(levels, system)
        case _:
            assert_never(statement)
