"""The exhaustive engine: all configurations, all graphs, fewest words first.

The first counterexample has the fewest words, and among those the shortest run, or for a bound on the length, the
space or a count, the run that exceeds it most.  Every counterexample is replayed by the interpreter before it is
believed; if one does not replay, two meanings of the figure disagree.
"""

from dataclasses import replace

from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import ReplayFailed, Run, RunProperty
from arcproof.properties.evidence import Counterexample, Evidence, Exhausted, Open, Refuted
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition
from arcproof.transitions.errors import NotPermissible
from arcproof.transitions.system import System


def exhaust(levels: Levels, prop: RunProperty) -> Evidence:
    """Ask a property of every configuration and every step; without a screen, the interpreter asks."""
    found = _exhaust(levels, prop)
    if isinstance(found, Open) or prop.screen(levels.words) is not None:
        return found
    return replace(found, engine=with_interpreter(found.engine))


def with_interpreter(engine: str) -> str:
    """The engine that explored, and the interpreter, which examined the result.

    >>> with_interpreter("compiled"), with_interpreter("interpreter")
    ('compiled, interpreter', 'interpreter')
    """
    return engine if engine.endswith("interpreter") else f"{engine}, interpreter"


def _exhaust(levels: Levels, prop: RunProperty) -> Refuted | Exhausted | Open:
    cases = 0
    for space in levels.spaces():
        found = space.violation(prop)
        if found is not None:
            cases += found.number + 1
            graph = replay(space.system, space.words, found.run, prop).graph
            return levels.refuted(cases, Counterexample(space.words, graph, found.run, found.reason))
        cases += space.size
    return levels.exhausted(levels.reached, cases, "configurations")


def retrace(system: System, words: int, run: Run) -> Configuration:
    """Take a run again from the start; raises `ReplayFailed` if the interpreter does not permit it."""
    c = system.start(words)
    for transition in run:
        try:
            c = system.apply(c, transition)
        except NotPermissible as error:
            raise ReplayFailed(f"{system.name}, {words} words: {error}") from None
    return c


def replay(system: System, words: int, run: Run, prop: RunProperty) -> Configuration:
    """Replay the run, with a new label for every arc, and check that it does violate the property at its end."""
    c = system.start(words)
    reason = None
    for count, transition in enumerate(run):
        try:
            step = system.step(c, labelled(system, c, transition, count))
        except NotPermissible as error:
            raise ReplayFailed(f"{system.name}, {words} words: {error}") from None
        reason = prop.at_step(c, step)
        c = step.configuration
    permissible = system.permissible(c)
    reason = reason or prop.at_configuration(c, system.is_terminal(c), permissible)
    if reason is None:
        raise ReplayFailed(
            f"{system.name}, {words} words: {' '.join(map(str, run))} does not show the violation it should"
        )
    return c


def derivation_of(system: System, words: int, run: Run) -> Derivation:
    """The run step by step, every arc with a label of its own; raises `ReplayFailed` if the interpreter does not permit
    it.
    """
    c = initial = system.start(words)
    steps: list[Step] = []
    for count, transition in enumerate(run):
        try:
            steps.append(system.step(c, labelled(system, c, transition, count)))
        except NotPermissible as error:
            raise ReplayFailed(f"{system.name}, {words} words: {error}") from None
        c = steps[-1].configuration
    return Derivation(initial, tuple(steps))


def labelled(system: System, c: Configuration, transition: Transition, count: int) -> Transition:
    """The transition with a label of its own if it takes one, so that an arc added twice shows as two arcs."""
    return transition._replace(label=f"l{count + 1}") if system.takes_label(c, transition) else transition


__all__ = [
    "ReplayFailed",
    "RunProperty",
    "derivation_of",
    "exhaust",
    "labelled",
    "replay",
    "retrace",
]
