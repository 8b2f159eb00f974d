"""Policies decide every step of a run, so that a policy has exactly one run for each number of words.

This module defines what a policy means to the interpreter (`taken`), and `machine.whole_runs` what its numbers mean to
native code; `engines.long_runs` writes these numbers and uses either.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, assert_never

from arcproof.generators.drawn_run import DrawnRun, End
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.system import System

AnyRun: TypeAlias = DrawnRun[Configuration, Transition]
Order: TypeAlias = tuple[str, ...]

ALWAYS: Final = 256


@dataclass(frozen=True, slots=True)
class Prefer:
    """The transition whose name comes first in an order, and of its instances the one with the shortest reach or the
    longest.

    From step `switch` on, the second order applies.  If there are `draws`, 32 random bits for each step, the order is
    followed in `steadiness` of 256 cases; otherwise a random transition is taken.
    """

    order: Order
    second: Order | None = None
    switch: int = 0
    instance: Literal[0, -1] = 0
    steadiness: int = ALWAYS
    draws: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class InTurn:
    """Takes the transitions in turn."""

    order: Order


@dataclass(frozen=True, slots=True)
class LookAhead:
    """The transition after which a sequence, given by its index in the state, is longest, or after which there are the
    most arcs; with sign -1, shortest or fewest.
    """

    measured: int | None
    sign: Literal[1, -1]


Policy: TypeAlias = Prefer | InTurn | LookAhead


def choose(
    policy: Policy, system: System, c: Configuration, permissible: Sequence[Transition], step: int
) -> Transition:
    """The transition that the policy takes."""
    match policy:
        case Prefer():
            return _preferred(policy, permissible, step)
        case InTurn(order):
            return min(permissible, key=lambda transition: (order.index(transition.name) - step) % len(order))
        case LookAhead():
            return max(permissible, key=lambda transition: _measure(policy, system.apply(c, transition)))
        case _:
            assert_never(policy)


def _preferred(policy: Prefer, permissible: Sequence[Transition], step: int) -> Transition:
    draw = policy.draws[step] if step < len(policy.draws) else 0
    if draw % ALWAYS >= policy.steadiness:
        return permissible[(draw // ALWAYS) * len(permissible) >> 24]
    order = policy.order if policy.second is None or step < policy.switch else policy.second
    best = min(order.index(transition.name) for transition in permissible)
    return [transition for transition in permissible if transition.name == order[best]][policy.instance]


def _measure(policy: LookAhead, c: Configuration) -> int:
    if policy.measured is None:
        return policy.sign * len(c.arcs)
    value = c.values[policy.measured]
    return policy.sign * (len(value) if isinstance(value, tuple) else 0)


def is_random(policy: Policy) -> bool:
    """Whether it may return to a configuration and continue differently; other policies would loop forever."""
    return isinstance(policy, Prefer) and bool(policy.draws)


def taken(system: System, policy: Policy, words: int, most: int) -> AnyRun:
    """The run of a policy, cut off after too many steps or when it returns to a configuration."""
    c = system.start(words)
    configurations = [c]
    visited: set[Configuration] = set()
    transitions: list[Transition] = []
    end: End = "terminal"
    while not system.is_terminal(c):
        permissible = system.permissible(c)
        if not permissible or c in visited or len(transitions) == most:
            end = "cut off" if permissible else "dead end"
            break
        if not is_random(policy):
            visited.add(c)
        transitions.append(choose(policy, system, c, permissible, len(transitions)))
        c = system.apply(c, transitions[-1])
        configurations.append(c)
    return DrawnRun(words, tuple(configurations), tuple(transitions), end)


def retaken(system: System, words: int, transitions: Sequence[Transition], end: End) -> AnyRun:
    """The run with its configurations; raises `NotPermissible` if these transitions are not a run."""
    configurations = [system.start(words)]
    for transition in transitions:
        configurations.append(system.apply(configurations[-1], transition))
    return DrawnRun(words, tuple(configurations), tuple(transitions), end)
