"""A measure of configurations that grows in every transition, learned from short sentences.

The lengths of the sequences, flags, counters, the sizes of sets, the number of arcs and the order of the nodes are
numbers that can be read off a packed configuration.  Some sum of them, each with a factor, often grows in every
transition; or one sum never falls, and among the transitions where it stays the same another grows, and so on.  Such
sums are looked for among the differences that the transitions of a short sentence make.

Whether they work for longer sentences is not proved but checked: a count that meets a transition that does not climb is
abandoned.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, Final, TypeAlias

import numpy as np

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.machine.figure_programs import Programs, SecondHead
from arcproof.transitions.machine.packed.layout import DoesNotFit, Layout, Words64

Factors: TypeAlias = tuple[int, ...]
Term: TypeAlias = tuple[int, int, int, int]

LEARNT_FROM: Final = 4  # words
MOST_LEARNT_FROM: Final = 20_000  # configurations
MOST_RANKS: Final = 4096
FACTORS: Final = (-2, -1, 1, 2)
TOGETHER: Final = 3  # numbers in a sum, besides the order of nodes


@dataclass(frozen=True)
class Trait:
    """A number from 0 to `most` that can be read off a packed configuration: the sum of its terms, or the order of the
    nodes if it has no terms.
    """

    terms: tuple[Term, ...]
    most: int


@dataclass(frozen=True)
class Measure:
    """A sum of terms and of the order of the nodes, as in `interface.h`, and the number of ranks."""

    terms: Words64
    sequences: Words64
    order_factor: int
    node_bits: int
    base: int
    ranks: int

    @native.cached_structure
    def structure(self) -> Any:
        """This measure, as native code takes it."""
        return native.structure(
            "measure", terms=native.ffi.from_buffer("struct term[]", self.terms), term_count=len(self.terms),
            sequences=native.ffi.from_buffer("struct sequence[]", self.sequences), sequence_count=len(self.sequences),
            order_factor=self.order_factor, node_bits=self.node_bits, base=self.base, ranks=self.ranks,
        )  # fmt: skip

    def of(self, first: Words64, second: Words64) -> Words64:
        """The ranks of packed configurations."""
        ranks = np.empty(len(first), dtype=np.int64)
        first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
        native.library.ranks_of(
            self.structure, native.words(first), native.words(second), len(first), native.pointer(ranks)
        )
        return ranks


def traits(layout: Layout) -> list[Trait]:
    """All traits; the order of nodes is the last."""
    found = []
    for place in range(len(layout.sequences)):
        shift = layout.cells_bits + place * layout.length_bits
        found.append(Trait(((0, shift, _ones(layout.length_bits), 0),), layout.capacity))
    for index, bit in layout.value_places.items():
        bits = layout.value_bits(layout.state[index])
        component = layout.state[index]
        if isinstance(component, s.ValueComponent) and component.kind == "set":
            found.append(Trait(tuple((1, bit + node, 1, 1) for node in range(bits)), bits))
        else:
            found.append(Trait(((1, bit, _ones(bits), 0),), _ones(bits)))
    width = layout.head_bits if layout.arc_form == "heads" else 1
    arcs = tuple((1, bit, _ones(width), 1) for bit in range(0, layout.arcs_bits, width))
    found.append(Trait(arcs, len(arcs)))
    most = sum(place * min(place, layout.words) for place in range(layout.words + 1))
    if layout.room > 1:
        most = sum(place * layout.words for place in range(layout.capacity))
    return [*found, Trait((), most)]


def measured(layout: Layout, factors: Sequence[int]) -> Measure:
    """The sum of all traits with these factors, as ranks that begin at 0."""
    told = traits(layout)
    terms = [(*term, factor) for trait, factor in zip(told, factors, strict=True) for term in trait.terms if factor]
    bounds = [(min(0, factor * f.most), max(0, factor * f.most)) for f, factor in zip(told, factors, strict=True)]
    low, high = (sum(column) for column in zip(*bounds, strict=True))
    heads = [layout.state[index] for index in layout.sequences]
    sequences = [
        (layout.cells_bits + place * layout.length_bits, _ones(layout.length_bits), int(_is_right(component)))
        for place, component in enumerate(heads)
    ]
    return Measure(
        np.array(terms, dtype=np.int64).reshape(-1, 5),
        np.array(sequences, dtype=np.int64).reshape(-1, 3),
        factors[-1],
        layout.node_bits,
        -low,
        high - low + 1,
    )


@dataclass(frozen=True)
class Climb:
    """Sums of traits, the most important first; `step` is the number of ranks that every transition climbs, 0 if they
    do not all climb the same number.
    """

    sums: tuple[Factors, ...]
    step: int = 0

    def measure(self, layout: Layout) -> Measure:
        """A single sum that orders configurations as all these sums do lexicographically."""
        whole = np.zeros(len(self.sums[0]), dtype=np.int64)
        for factors in self.sums:
            whole = whole * measured(layout, factors).ranks + np.array(factors, dtype=np.int64)
        return measured(layout, [int(factor) for factor in whole])


def ranking_of(programs: Programs) -> Climb | None:
    """A ranking that every transition of a short sentence raises; None if none is found or no differences are known."""
    differences = _differences(programs)
    return None if differences is None else ranking_from(differences)


def ranking_from(differences: Words64) -> Climb | None:
    """Sums that grow with each of these differences between traits; None if none are found."""
    if not len(differences):
        return None
    factors = np.array(list(_factors(differences.shape[1])), dtype=np.int64)
    sums: list[Factors] = []
    steps: set[int] = set()
    while len(differences):
        growth = factors @ differences.T
        never_fall = np.flatnonzero((growth >= 0).all(axis=1))
        gains = (growth[never_fall] > 0).sum(axis=1)
        if not len(gains) or not gains.max():
            return None
        best = never_fall[gains == gains.max()]
        chosen = best[np.argmin(growth[best].max(axis=1))]
        sums.append(tuple(int(factor) for factor in factors[chosen]))
        steps |= set(growth[chosen].tolist())
        differences = differences[growth[chosen] == 0]
    return Climb(tuple(sums), steps.pop() if len(steps) == 1 else 0)


def _factors(count: int) -> Iterator[Factors]:
    """Factors to try, those that are quick to compute first: few numbers, without the order of nodes."""
    for order in (0, *FACTORS):
        for together in range(TOGETHER + 1):
            for places in combinations(range(count - 1), together):
                for some in product(FACTORS, repeat=together):
                    chosen = dict(zip(places, some, strict=True))
                    yield (*(chosen.get(place, 0) for place in range(count - 1)), order)


def _differences(programs: Programs) -> Words64 | None:
    """The amounts by which the transitions of a short sentence change each trait; None if they cannot be determined."""
    try:
        layout = programs.layout(LEARNT_FROM)
        start = layout.pack(programs.system.start(LEARNT_FROM))
    except DoesNotFit:
        return None
    steps = _steps(programs, start)
    if steps is None:
        return None
    sources, targets = steps
    units = np.eye(len(traits(layout)), dtype=np.int64)
    measures = [measured(layout, [int(factor) for factor in unit]) for unit in units]
    return _distinct(np.stack([m.of(*targets) - m.of(*sources) for m in measures], axis=1))


def _steps(programs: Programs, start: tuple[int, int]) -> tuple[Words64, Words64] | None:
    """The configurations that every transition leads from and to, first and second words; None if there are too many,
    or if the machine gives up.
    """
    seen = {start}
    frontier = [start]
    sources, targets = [np.zeros((2, 0), dtype=np.int64)], [np.zeros((2, 0), dtype=np.int64)]
    while frontier:
        if len(seen) > MOST_LEARNT_FROM:
            return None
        words = np.array(frontier, dtype=np.int64).T.copy()
        try:
            made = programs.expand(LEARNT_FROM, *words)
        except (DoesNotFit, SecondHead):
            return None
        going_on = ~made.terminals[made.source]
        sources.append(words[:, made.source[going_on]])
        targets.append(np.stack([made.first[going_on], made.second[going_on]]))
        following = set(zip(made.first[going_on].tolist(), made.second[going_on].tolist(), strict=True))
        frontier = list(following - seen)
        seen |= following
    return np.concatenate(sources, axis=1), np.concatenate(targets, axis=1)


def _distinct(rows: Words64) -> Words64:
    """The distinct rows, in order; `np.unique` would do the same, but imports masked arrays first."""
    return np.array(sorted(set(map(tuple, rows.tolist()))), dtype=np.int64).reshape(-1, rows.shape[1])


def _is_right(component: s.Component) -> bool:
    return isinstance(component, s.SequenceComponent) and component.head == "right"


def _ones(bits: int) -> int:
    return (1 << bits) - 1
