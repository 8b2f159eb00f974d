"""Extreme runs, which random sampling hardly ever finds: everything shifted first, the deepest stack, the most arcs.

There are four kinds of policies for them.  The first prefers transitions by name, in every order if there are few
names, and among several instances takes the one with the shortest or the longest reach; this includes `SHIFT` before
all others, and the run with the most `SWAP`s.  The second prefers one transition for one step fewer than there are
words, and then another.  The third takes the transitions in turn.  The fourth looks one step ahead for the longest or
shortest sequence, or for the most or fewest arcs.  The oracles' runs to the graphs of `generators.shapes` are added.

A policy that returns to a configuration would loop forever; its run is cut off there.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from typing import Final

from arcproof.properties.engines.policies import InTurn, LookAhead, Order, Policy, Prefer
from arcproof.transitions.syntax import Segment, SequenceComponent, SequenceOf, walk
from arcproof.transitions.system import System

FEW_ORDERS: Final = 6


def extreme_policies(system: System, words: int) -> Iterator[Policy]:
    """The policies for extreme runs with this many words."""
    names = tuple(system.transitions)
    patterns = (node for node in walk(system.figure.rules) if isinstance(node, SequenceOf))
    has_instances = any(sum(isinstance(item, Segment) for item in pattern.items) > 1 for pattern in patterns)
    for order in _orders(names):
        yield Prefer(order)
        if has_instances:
            yield Prefer(order, instance=-1)
    for first, second in permutations(names, 2):
        yield Prefer(_first(first, names), _first(second, names), max(0, words - 1))
    yield InTurn(names)
    sequences = (k for k, component in enumerate(system.figure.state) if isinstance(component, SequenceComponent))
    measured = (None, *sequences)
    yield from (LookAhead(what, 1) for what in measured)
    yield from (LookAhead(what, -1) for what in measured)


def _orders(names: Order) -> Iterator[Order]:
    """All orders if there are few; otherwise each name before the others in both directions, and after them."""
    if factorial(len(names)) <= FEW_ORDERS:
        yield from permutations(names)
        return
    for name in names:
        others = _without(name, names)
        yield (name, *others)
        yield (name, *others[::-1])
        yield (*others, name)


def _first(name: str, names: Order) -> Order:
    return (name, *_without(name, names))


def _without(name: str, names: Sequence[str]) -> Order:
    return tuple(other for other in names if other != name)
