"""Termination: every run ends, that is, no configuration can be reached from itself.

A run may end in a terminal configuration or in a dead end; dead ends have a property of their own.
"""

from arcproof.properties.engines.levels import Levels, ReplayFailed, retrace
from arcproof.properties.verdict import Counterexample, Outcome


def check_terminates(levels: Levels) -> Outcome:
    """Look for a cycle on every level."""
    cases = 0
    for space in levels.spaces():
        cases += space.size if space.words > 0 else 0
        looped = space.cycle(only_useful=False)
        if looped is not None:
            lead, loop = looped
            c = retrace(levels.system, space.words, lead)
            if c != retrace(levels.system, space.words, (*lead, *loop)):
                raise ReplayFailed(f"{levels.system.name}, {space.words} words: the loop does not close")
            reason = f"{' '.join(t.instance for t in loop)} leads from {c} back to it"
            return levels.refuted(space.words, cases, Counterexample(space.words, c.graph, (*lead, *loop), reason))
    return levels.exhausted(levels.reached, cases, "configurations")
