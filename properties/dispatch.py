"""From a statement to the check that the exhaustive engine makes of it, and to that of a single run."""

from typing import assert_never

from arcproof.properties.claims.complete import check_complete
from arcproof.properties.claims.dead_ends import NoDeadEnd, check_dead_ends
from arcproof.properties.claims.incremental import Incrementality, buffer_of, check_incremental
from arcproof.properties.claims.length import check_length, violation
from arcproof.properties.claims.same_behaviour import check_same_outputs, check_same_transitions
from arcproof.properties.claims.sound import Soundness, check_sound
from arcproof.properties.claims.space import check_space, space_limit
from arcproof.properties.claims.terminates import check_terminates
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import RunCheck, end_check, property_check
from arcproof.properties.verdict import Outcome
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.system import System


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


def run_check(system: System, statement: s.Statement) -> RunCheck | None:
    """What a statement says of a run; None if it does not speak of runs one by one."""
    match statement:
        case s.Sound(graphs):
            return property_check(system, Soundness(system, system.class_with_parameters(graphs)))
        case s.SpaceBound("<="):
            try:
                return property_check(system, space_limit(system, statement))
            except NotLinear:
                return None
        case s.Incremental(strength):
            buffer = buffer_of(system)
            return None if buffer is None else property_check(system, Incrementality(strength, buffer))
        case s.NoDeadEnds():
            return property_check(system, NoDeadEnd())
        case s.LengthBound() | s.CountBound():
            try:
                Bound.of(statement.bound, system)
            except NotLinear:
                return None
            return end_check(lambda words, run: violation(system, statement, words, run))
    return None
