"""Configurations of a few words, whether or not a run reaches them.

Every node has at most one head, unless the figure has `several heads` and the words are few, and is in at most one
cell, or if sequences are `shared`, in at most one cell of each.
"""

import random
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import prod
from typing import Final

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Value
from arcproof.transitions.graph import Arc
from arcproof.transitions.system import System

MOST_COUNTED: Final = 3
MAX_WORDS: Final = 3
"""The most words of which every configuration may be compared."""
MAX_WORDS_DRAWN: Final = 8
DRAWN: Final = 100
MOST_SHARED: Final = 5_000
MOST_WORDS_WITH_SEVERAL_HEADS: Final = 3


def placements(system: System, words: int) -> Iterator[Configuration]:
    """Yield every way to put nodes into the sequences, none twice, with every value of flags, small counters and sets,
    and without arcs.
    """
    components = system.figure.state
    names = tuple(component.name for component in components)
    sequences = [k for k, component in enumerate(components) if isinstance(component, s.SequenceComponent)]
    others = [(k, list(_values(c, words))) for k, c in enumerate(components) if isinstance(c, s.ValueComponent)]
    if system.figure.shared:
        yield from _shared_placements(names, sequences, others, words)
        return
    for used in range(words + 2):
        for order in permutations(range(words + 1), used):
            for cuts in combinations_with_replacement(range(used + 1), max(0, len(sequences) - 1)):
                ends = (0, *cuts, used)
                for chosen in product(*(values for _, values in others)):
                    values: dict[int, Value] = {k: value for (k, _), value in zip(others, chosen, strict=True)}
                    values |= {k: order[ends[i] : ends[i + 1]] for i, k in enumerate(sequences)}
                    yield Configuration(words, names, tuple(values[k] for k in range(len(components))))


def _shared_placements(
    names: tuple[str, ...], sequences: list[int], others: list[tuple[int, list[Value]]], words: int
) -> Iterator[Configuration]:
    """Yield every way to put nodes into each sequence by itself, none twice in one; if there are too many ways, a
    random selection.
    """
    orders: list[Value] = [order for used in range(words + 2) for order in permutations(range(words + 1), used)]
    choices = [(k, orders) for k in sequences] + others
    chance = random.Random(0)
    ways: Iterable[tuple[Value, ...]]
    if prod(len(values) for _, values in choices) <= MOST_SHARED:
        ways = product(*(values for _, values in choices))
    else:
        ways = (tuple(chance.choice(values) for _, values in choices) for _ in range(MOST_SHARED))
    for way in ways:
        values = {k: value for (k, _), value in zip(choices, way, strict=True)}
        yield Configuration(words, names, tuple(values[k] for k in range(len(names))))


def _values(component: s.ValueComponent, words: int) -> Iterator[Value]:
    match component.kind:
        case "flag":
            yield from (False, True)
        case "counter":
            yield from range(MOST_COUNTED + 1)
        case "set":
            for members in product((False, True), repeat=words + 1):
                yield frozenset(node for node, inside in enumerate(members) if inside)


@lru_cache(maxsize=4)
def graphs(words: int) -> list[frozenset[Arc]]:
    """Every set of arcs in which no node has two heads, including those with cycles, fewest arcs first; with three or
    more words, none has an arc into 0.
    """
    nodes = range(words > 2, words + 1)
    found = [
        frozenset(Arc(head, None, node) for node, head in zip(nodes, heads, strict=True) if head is not None)
        for heads in product((None, *range(words + 1)), repeat=len(nodes))
    ]
    return sorted(found, key=len)


@lru_cache(maxsize=4)
def graphs_with_several_heads(words: int) -> list[frozenset[Arc]]:
    """Every set of arcs, fewest arcs first; with three words none has an arc into 0, and with more words none gives a
    node two heads.
    """
    if words > MOST_WORDS_WITH_SEVERAL_HEADS:
        return graphs(words)
    nodes = range(words + 1)
    arcs = [Arc(head, None, node) for node in nodes[words > 2 :] for head in nodes]
    found = (frozenset(arc for k, arc in enumerate(arcs) if bits >> k & 1) for bits in range(1 << len(arcs)))
    return sorted(found, key=len)


def graphs_of(system: System, words: int) -> list[frozenset[Arc]]:
    """The sets of arcs for the small configurations of a system."""
    return (graphs_with_several_heads if system.figure.several_heads else graphs)(words)


def anywhere(system: System, words: int, most: int) -> Iterator[Configuration]:
    """At most this many of all configurations with this many words, spread evenly."""
    empty, arcs = list(placements(system, words)), graphs_of(system, words)
    step = max(1, len(empty) * len(arcs) // most)
    # a step that shares a factor with the number of graphs would visit the same ones again and again
    while step > 1 and any(step % k == 0 and len(arcs) % k == 0 for k in range(2, step + 1)):
        step += 1
    for number in range(0, len(empty) * len(arcs), step):
        place, graph = divmod(number, len(arcs))
        yield Configuration(words, empty[place].names, empty[place].values, arcs[graph])


def telling_words(system: System) -> int:
    """The number of words with which every pattern can match and every positive number can be exceeded: one less than
    the largest pattern has cells, four more than the number (a degree counts words between others); but not many.
    """
    cells = (sum(len(test.items) for test in rule.match.sequences) for rule in system.plan.rules)
    figure = system.figure
    conditions = [*(rule.preconditions for rule in figure.rules), figure.final, figure.invariants]
    numbers = [node.value for node in s.walk(tuple(conditions)) if isinstance(node, s.Number)]
    numbers += [value for value in system.parameters.values() if isinstance(value, int)]
    return min(
        MAX_WORDS_DRAWN,
        max((MAX_WORDS, *(count - 1 for count in cells), *(number + 4 for number in numbers if number))),
    )


def drawn(system: System) -> Iterator[Configuration]:
    """Random configurations of as many words as it takes (`telling_words`), if the short ones do not tell all; most
    nodes are in sequences, and many arcs leave one node.
    """
    words = telling_words(system)
    if words <= MAX_WORDS:
        return
    chance, components = random.Random(0), system.figure.state
    sequences = sum(isinstance(component, s.SequenceComponent) for component in components)
    for _ in range(DRAWN):
        parts = _parts(chance, words, sequences, system.figure.shared)
        values = (
            next(parts) if isinstance(c, s.SequenceComponent) else chance.choice(list(_values(c, words)))
            for c in components
        )
        names, hub = tuple(component.name for component in components), chance.randint(0, words)
        density = chance.choice((0, 0.4, 0.9))
        heads = [
            chance.choice((hub, hub, chance.randint(0, words))) if chance.random() < density else None
            for _ in range(words)
        ]
        arcs = frozenset(Arc(head, None, word) for word, head in enumerate(heads, start=1) if head is not None)
        yield Configuration(words, names, tuple(values), arcs)


def _parts(chance: random.Random, words: int, sequences: int, shared: bool) -> Iterator[Value]:
    """Yield the contents of the sequences: most nodes in a random order, divided; if they are shared, an order each."""
    if shared:
        for _ in range(sequences):
            yield tuple(chance.sample(range(words + 1), chance.randint(0, words + 1)))
        return
    order = chance.sample(range(words + 1), words + 1 - chance.choice((0, 0, 1, 2)))
    cuts = [0, *sorted(chance.randint(0, len(order)) for _ in range(sequences - 1)), len(order)]
    yield from (tuple(order[first:last]) for first, last in pairwise(cuts))
