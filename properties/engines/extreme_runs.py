"""Runs that random ones hardly ever are: everything shifted first, the deepest stack, the most arcs.

A *policy* decides at every step, so there is one run of it for each number of words.  There are four kinds.  One
prefers transitions by name, in every order if there are few of them, and of several instances takes the shortest reach
or the longest; `SHIFT` before all others is one of them, and so is the one with the most `SWAP`s.  One prefers one
transition until one step for each word but the last is taken, and then another.  One takes them in turn.  One looks a
step ahead for the longest or the shortest of a sequence, or the most or the fewest arcs.  Besides, the oracles' runs to
the graphs of `generators.shapes`.

A policy that comes to a configuration for the second time would go round for ever; its run is cut off there.  Where a
run would be longer than is worth waiting for, there are fewer words.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
from math import factorial
from typing import Final, TypeAlias

from arcproof.generators.shapes import Shape, shapes
from arcproof.generators.strategies import DrawnRun, End
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import graph_of
from arcproof.transitions.syntax import Segment, SequenceComponent, SequenceOf, walk
from arcproof.transitions.system import System

FEW_ORDERS: Final = 6
FEW_WORDS: Final = 5

AnyRun: TypeAlias = DrawnRun[Configuration, Transition]
Policy: TypeAlias = Callable[[Configuration, Sequence[Transition], int], Transition]
RunOf: TypeAlias = Callable[[int], AnyRun | None]


def extreme_runs(system: System, max_steps: int) -> tuple[RunOf, ...]:
    """For each policy, and for each oracle and shape, the run for a number of words; None if there is none."""
    first, *others = (_run_of(system, policy, max_steps) for policy in _policies(system))
    of_its_length = cache(first)
    by_oracle = (
        _derived(system, oracle.name, shape) for oracle in system.figure.oracles for shape in shapes("forests")
    )
    return (first, *(_as_long_as(of_its_length, run) for run in (*others, *by_oracle)))


def _as_long_as(first: RunOf, run: RunOf) -> RunOf:
    """With as many words as the first run has, so that what is too long is found out once."""

    def taken(words: int) -> AnyRun | None:
        other = first(words)
        return run(words if other is None else other.words)

    return taken


# --- policies --------------------------------------------------------------------------------------------------------


def _policies(system: System) -> Iterator[Policy]:
    patterns = (node for node in walk(system.figure.rules) if isinstance(node, SequenceOf))
    has_instances = any(sum(isinstance(item, Segment) for item in pattern.items) > 1 for pattern in patterns)
    for order in _orders(list(system.transitions)):
        yield _preferring(order, 0)
        if has_instances:
            yield _preferring(order, -1)
    for first, second in permutations(system.transitions, 2):
        yield _one_then_another(_preferring(_first(first, system), 0), _preferring(_first(second, system), 0))
    yield _in_turn(list(system.transitions))
    for sign in (1, -1):
        yield _looking_ahead(system, lambda c, sign=sign: sign * len(c.arcs))  # type: ignore[misc]
        for place, component in enumerate(system.figure.state):
            if isinstance(component, SequenceComponent):
                yield _looking_ahead(system, lambda c, sign=sign, place=place: sign * _length(c, place))  # type: ignore[misc]


def _orders(names: list[str]) -> Iterator[tuple[str, ...]]:
    """All orders if they are few; else each name before the others, in both directions, and after them."""
    if factorial(len(names)) <= FEW_ORDERS:
        yield from permutations(names)
        return
    for name in names:
        others = [other for other in names if other != name]
        yield (name, *others)
        yield (name, *others[::-1])
        yield (*others, name)


def _preferring(order: Sequence[str], instance: int) -> Policy:
    places = {name: place for place, name in enumerate(order)}

    def choose(_: Configuration, permissible: Sequence[Transition], __: int) -> Transition:
        best = min(places[transition.name] for transition in permissible)
        return [transition for transition in permissible if places[transition.name] == best][instance]

    return choose


def _first(name: str, system: System) -> tuple[str, ...]:
    return (name, *(other for other in system.transitions if other != name))


def _one_then_another(one: Policy, another: Policy) -> Policy:
    def choose(c: Configuration, permissible: Sequence[Transition], step: int) -> Transition:
        return (one if step < c.words - 1 else another)(c, permissible, step)

    return choose


def _in_turn(names: Sequence[str]) -> Policy:
    def choose(_: Configuration, permissible: Sequence[Transition], step: int) -> Transition:
        return min(permissible, key=lambda transition: (names.index(transition.name) - step) % len(names))

    return choose


def _looking_ahead(system: System, measure: Callable[[Configuration], int]) -> Policy:
    def choose(c: Configuration, permissible: Sequence[Transition], _: int) -> Transition:
        return max(permissible, key=lambda transition: measure(system.apply(c, transition)))

    return choose


def _length(c: Configuration, place: int) -> int:
    value = c.values[place]
    return len(value) if isinstance(value, tuple) else 0


def _run_of(system: System, policy: Policy, max_steps: int) -> RunOf:
    def run(words: int) -> AnyRun:
        drawn = taken(words)
        while len(drawn.transitions) == max_steps and words > FEW_WORDS:
            words = words * 2 // 3
            drawn = taken(words)
        return drawn

    def taken(words: int) -> AnyRun:
        c = system.start(words)
        visited: dict[Configuration, None] = {}
        transitions: list[Transition] = []
        end: End = "terminal"
        while not system.is_terminal(c):
            permissible = system.permissible(c)
            if not permissible or c in visited or len(transitions) == max_steps:
                end = "cut off" if permissible else "dead end"
                break
            visited[c] = None
            transitions.append(policy(c, permissible, len(transitions)))
            c = system.apply(c, transitions[-1])
        return DrawnRun(words, (*visited, c), tuple(transitions), end)

    return run


# --- oracles ---------------------------------------------------------------------------------------------------------


def _derived(system: System, oracle: str, shape: Shape) -> RunOf:
    def run(words: int) -> AnyRun | None:
        try:
            derivation = system.derive(graph_of(shape(words)), oracle)
        except NotDerivable:
            return None
        visited = (derivation.initial, *(step.configuration for step in derivation.steps))
        return DrawnRun(words, visited, derivation.transitions, "terminal")

    return run
