"""Terminal is closed: going on after a terminal configuration changes nothing.

The papers' PARSE loop stops at the first terminal configuration; Definition 5 of Nivre 2008 only asks that the last one is terminal, so a
sequence may pass through others.  The two readings agree if no run through a terminal configuration has a new output and
the claims about length hold for such runs too.
"""

from collections.abc import Iterable

from arcproof.properties.bounds import Bound, NotLinear
from arcproof.properties.exhausted import ENGINE, Levels, exhausted
from arcproof.properties.exploration import StateSpace
from arcproof.properties.length import extreme_runs, violation
from arcproof.properties.verdict import Counterexample, Outcome, refuted
from arcproof.transitions.notation import statement_text
from arcproof.transitions.syntax import CountBound, LengthBound


def check_terminal_closed(levels: Levels, lengths: Iterable[LengthBound | CountBound]) -> Outcome:
    """Explore again without stopping, and compare."""
    claims = list(lengths)
    cases = 0
    for first, second in zip(levels.spaces(), levels.spaces(past_terminal=True), strict=False):
        cases += len(first.terminals) if first.words > 0 else 0
        for output, number in second.outputs.items():
            if output not in first.outputs:
                graph, run = second.configurations[number].graph, second.run_to(number)
                reason = f"going on after a terminal configuration gives the output {graph}, which no run has that stops there"
                return refuted(ENGINE, second.words, cases, Counterexample(second.words, graph, run, reason))
        found = _longer(second, claims)
        if found is not None:
            return refuted(ENGINE, second.words, cases, found)
    return exhausted(levels.reached, cases, "terminal configurations")


def _longer(space: StateSpace, claims: list[LengthBound | CountBound]) -> Counterexample | None:
    if space.cycle(only_useful=True) is not None:
        reason = "a run that goes on after terminal configurations need not end"
        return Counterexample(space.words, None, None, reason)
    for claim in claims:
        try:
            bound = Bound.of(claim.bound, space.system)
        except NotLinear:
            continue
        for run in extreme_runs(space, claim, bound):
            if violation(space.system, claim, space.words, run) is not None:
                what = f"{statement_text(claim)} holds for runs that stop at the first terminal configuration"
                reason = f"{what}, but this one goes on and has {len(run)} transitions with {space.words} words"
                return Counterexample(space.words, space.configurations[0].graph, run, reason)
    return None
