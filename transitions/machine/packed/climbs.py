"""What is known of all runs to each configuration, rank by rank, for workers that share nothing.

In a ranked system (`ranking`) every transition climbs.  So what waits on a rank is complete when all lower ranks are
done: each configuration is expanded once, with the combined data of all runs to it (`Carried`).  A worker owns a share
of the configurations, by hash; what waits there is its `Waiting`, and what it finds goes to the owners (`climb`).  All
functions are pure, so whatever is lost with a worker can be recomputed.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from arcproof.transitions.machine import machine
from arcproof.transitions.machine.codes import NAME_MASK
from arcproof.transitions.machine.figure_programs import Programs, Workspace
from arcproof.transitions.machine.packed.explorer import SLICE, Buffers, number_of_default
from arcproof.transitions.machine.packed.layout import Words64
from arcproof.transitions.machine.packed.partitions import NOTHING, SHARE_FROM
from arcproof.transitions.machine.packed.ranking import Measure
from arcproof.transitions.machine.packed.signs import TERMINAL
from arcproof.transitions.machine.packed.table import ConfigurationTable

from arcproof.process.lazy_dataclass import dataclass

Values: TypeAlias = npt.NDArray[np.int64]
What: TypeAlias = Literal["counts", "weight", "run"]
WAYS, LONGEST, SHORTEST = 0, 1, 2
WEIGHT, STEPS, PATH = 0, 1, 2
MOST_WAYS: Final = 2.0**62
MOST_PIECES: Final = 24


@dataclass(frozen=True)
class Carried:
    """What is carried along with a configuration.

    `counts`: the number of runs, the lengths of the longest and the shortest.  `weight`: those of the heaviest runs,
    transitions being weighed by name in each of several ways.  `run`: the weight of the heaviest run in one of these
    ways, and which transition is taken at each step, as numbers of `bits` bits; of several heaviest runs the shortest,
    then the first.
    """

    what: What
    weights: tuple[tuple[int, ...], ...] = ()
    bits: int = 0

    def at_start(self) -> Values:
        """A column for the run without transitions."""
        match self.what:
            case "counts":
                return np.array([[1], [0], [0]])
            case "weight":
                return np.zeros((len(self.weights), 1), dtype=np.int64)
            case "run":
                return np.zeros((PATH + 1, 1), dtype=np.int64)

    def after(self, before: Values, names: Words64, choices: Words64) -> Values:
        """Columns after one more transition."""
        if self.what == "counts":
            longer: Values = before + np.array([[0], [1], [1]])
            return longer
        more = np.array(self.weights, dtype=np.int64)[:, names]
        if self.what == "weight":
            return before + more
        each = 62 // self.bits
        steps = before[STEPS]
        wanted = PATH + 1 + int(steps.max(initial=0)) // each
        path = np.zeros((wanted, len(names)), dtype=np.int64)
        path[: len(before)] = before[:wanted]
        rows = PATH + steps // each
        columns = np.arange(len(names))
        path[rows, columns] |= choices << (62 - self.bits * (steps % each + 1))
        path[WEIGHT], path[STEPS] = before[WEIGHT] + more[0], steps + 1
        return path

    def together(self, values: Values, numbers: Words64, count: int) -> tuple[Values, bool]:
        """The columns combined into one for each number, and whether the result is exact."""
        if self.what == "run":
            order = np.lexsort((*values[:STEPS:-1], values[STEPS], -values[WEIGHT], numbers))
            first = order[np.unique(numbers[order], return_index=True)[1]]
            return values[:, first], True
        if self.what == "weight":
            heaviest = np.full((len(values), count), np.iinfo(np.int64).min)
            for best, row in zip(heaviest, values, strict=True):
                np.maximum.at(best, numbers, row)
            return heaviest, True
        found = np.zeros((3, count), dtype=np.int64)
        found[SHORTEST] = np.iinfo(np.int64).max
        np.add.at(found[WAYS], numbers, values[WAYS])
        np.maximum.at(found[LONGEST], numbers, values[LONGEST])
        np.minimum.at(found[SHORTEST], numbers, values[SHORTEST])
        about = np.bincount(numbers, weights=values[WAYS].astype(np.float64), minlength=count)
        return found, bool((about < MOST_WAYS).all())


@dataclass(frozen=True)
class Items:
    """Configurations, each with what is carried."""

    c0: Words64
    c1: Words64
    values: Values

    @property
    def nbytes(self) -> int:
        """Their size in bytes."""
        return self.c0.nbytes + self.c1.nbytes + self.values.nbytes


Waiting: TypeAlias = dict[int, tuple[Items, ...]]
"""The waiting items of each rank, in few pieces, because many small pieces are slow to send."""


@dataclass(frozen=True)
class ToldOfRank:
    """The report on one rank of a share: the numbers as a worker counts them, the outputs with what is carried to them,
    the ranks for which there is something, and how much waits.

    For `run` and `weight` only the best end is reported; `climbs` is False if some transition does not climb.
    """

    statistics: Words64
    configurations: int
    arcs: Words64
    values: Values
    ranks: frozenset[int]
    waiting: int
    is_exact: bool
    climbs: bool


@dataclass(frozen=True)
class Climbed:
    """What waits in a share after a rank, what goes to each share, and the report."""

    waiting: Waiting
    outgoing: tuple[Waiting, ...]
    told: ToldOfRank


def climb(
    programs: Programs,
    words: int,
    measure: Measure,
    carried: Carried,
    rank: int,
    waiting: Waiting,
    incoming: list[Waiting],
) -> Climbed:
    """Process what waits on a rank, and send its successors to their owners; `incoming` is given by share."""
    layout, wide = programs.layout(words), programs.layout(words).is_wide
    mine, exact = _with(waiting, incoming, rank, wide, carried)
    here, exact_here = _distinct(mine.pop(rank, ()), wide, carried)
    statistics, flags, successors = _successors(programs, words, here, carried)
    after, still = _distinct(successors, wide, carried)
    ranks = measure.of(after.c0, after.c1 if wide else np.zeros(len(after.c0), dtype=np.int64))
    climbs = bool((ranks > rank).all())
    outgoing = tuple(_by_rank(after, ranks, chosen) for chosen in _shares(after, wide, len(incoming)))
    ends = np.flatnonzero(flags & TERMINAL)
    arcs = layout.arcs_of(here.c0[ends], here.c1[ends] if wide else here.c1)
    told = _ended(arcs, here.values[:, ends], carried)
    left = sum(len(one.c0) for items in mine.values() for one in items)
    coming = frozenset(mine) | frozenset(one for part in outgoing for one in part)
    whole = ToldOfRank(
        statistics,
        len(here.c0),
        *told[:2],
        coming,
        left + len(after.c0),
        exact and exact_here and still and told[2],
        climbs,
    )
    return Climbed(mine, outgoing, whole)


def _with(waiting: Waiting, incoming: list[Waiting], rank: int, wide: bool, carried: Carried) -> tuple[Waiting, bool]:
    """What waits together with what came in, and whether the result is exact; items on the present rank are left as
    they are, since they are processed next.
    """
    found, exact = dict(waiting), True
    for part in incoming:
        for place, items in part.items():
            found[place] = (*found.get(place, ()), *items)
    for place, items in found.items():
        if len(items) > MOST_PIECES and place != rank:
            one, still = _distinct(items, wide, carried)
            found[place], exact = (one,), exact and still
    return found, exact


def _distinct(parts: tuple[Items, ...], wide: bool, carried: Carried) -> tuple[Items, bool]:
    """The distinct configurations with what is carried to each, and whether the result is exact."""
    if not parts:
        return Items(NOTHING, NOTHING, np.zeros((len(carried.at_start()), 0), dtype=np.int64)), True
    c0 = np.concatenate([part.c0 for part in parts])
    c1 = np.concatenate([part.c1 for part in parts]) if wide else NOTHING
    rows = max(len(part.values) for part in parts)
    values = np.concatenate([with_rows(part.values, rows) for part in parts], axis=1)
    table = ConfigurationTable.of(wide, len(c0))
    numbers = table.add(c0, c1)
    table.trim()
    together, exact = carried.together(values, numbers, table.known)
    return Items(table.k0, table.k1, together), exact


def with_rows(values: Values, rows: int) -> Values:
    """The values padded with rows of zeros, as for paths that are shorter."""
    if len(values) == rows:
        return values
    return np.concatenate([values, np.zeros((rows - len(values), values.shape[1]), dtype=np.int64)])


def _successors(
    programs: Programs, words: int, here: Items, carried: Carried
) -> tuple[Words64, npt.NDArray[np.int16], tuple[Items, ...]]:
    layout, program = programs.layout(words), programs.expansion(words)
    step = max(64, SLICE // max(1, program.emits))
    buffers = Buffers.of(Workspace.of(program), step * program.emits + 1, step)
    space, wide = buffers.space, layout.is_wide
    flags = np.empty(len(here.c0), dtype=np.int16)
    found: list[Items] = []
    for lo in range(0, len(here.c0), step):
        hi = min(len(here.c0), lo + step)
        count = machine.generate(
            *space.arguments, space.scratch, space.result("terminal"), space.result("empty"), here.c0, here.c1, wide, lo, hi,
            number_of_default(programs), layout.arcs_from, False, True, layout.arcs_mask, buffers.c0, buffers.c1, buffers.label,
            buffers.source, buffers.flags, buffers.statistics,
        )  # fmt: skip
        flags[lo:hi] = buffers.flags[: hi - lo]
        if buffers.statistics[machine.CODE]:
            break
        source = buffers.source[:count]
        choices = np.arange(count) - np.searchsorted(source, source)
        values = carried.after(here.values[:, source], buffers.label[:count] & NAME_MASK, choices)
        found.append(Items(buffers.c0[:count].copy(), buffers.c1[:count].copy() if wide else NOTHING, values))
    return buffers.statistics, flags, tuple(found)


def _shares(items: Items, wide: bool, shares: int) -> Iterator[npt.NDArray[np.intp]]:
    hashes, _ = ConfigurationTable.of(wide, 0).hashes(items.c0, items.c1, len(items.c0))
    owners = hashes >> SHARE_FROM & (shares - 1)
    return (np.flatnonzero(owners == share) for share in range(shares))


def _by_rank(items: Items, ranks: Words64, chosen: npt.NDArray[np.intp]) -> Waiting:
    order = chosen[np.argsort(ranks[chosen], kind="stable")]
    found, begins = np.unique(ranks[order], return_index=True)
    pieces = np.split(order, begins[1:])
    return {
        rank: (Items(items.c0[some], items.c1[some] if len(items.c1) else NOTHING, items.values[:, some]),)
        for rank, some in zip(found.tolist(), pieces, strict=False)
    }


def _ended(arcs: Words64, values: Values, carried: Carried) -> tuple[Words64, Values, bool]:
    """The outputs and what is carried to them; for the heaviest runs, only the best."""
    if carried.what == "counts":
        codes, numbers = np.unique(arcs, return_inverse=True)
        return codes, *carried.together(values, numbers.astype(np.int64), len(codes))
    if not len(arcs):
        return NOTHING, values, True
    best, _ = carried.together(values, np.zeros(len(arcs), dtype=np.int64), 1)
    return NOTHING, best, True


def first_waiting(programs: Programs, words: int, measure: Measure, carried: Carried) -> tuple[int, Waiting]:
    """The rank of the start, and the start as what waits there."""
    layout = programs.layout(words)
    w0, w1 = (np.array([word], dtype=np.int64) for word in layout.pack(programs.system.start(words)))
    rank = int(measure.of(w0, w1)[0])
    return rank, {rank: (Items(w0, w1 if layout.is_wide else NOTHING, carried.at_start()),)}


def told_by(climbed: Climbed) -> ToldOfRank:
    """The report on the rank."""
    return climbed.told


def waiting_of(climbed: Climbed) -> Waiting:
    """What waits in the share."""
    return climbed.waiting


def outgoing_of(climbed: Climbed, share: int) -> Waiting:
    """What goes to a share."""
    return climbed.outgoing[share]


def choices_of(carried: Carried, values: Values) -> list[int]:
    """The transitions of a run, each as its index among the permissible ones."""
    each, mask = 62 // carried.bits, (1 << carried.bits) - 1
    path = values[:, 0].tolist()
    return [path[PATH + k // each] >> 62 - carried.bits * (k % each + 1) & mask for k in range(path[STEPS])]
