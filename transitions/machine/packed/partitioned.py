"""Every configuration for a sentence of n words, on the workers of a cluster: levels that are too large for one
machine.

Frontier by frontier, in blocks and shares (`partitions`); the numbers are those of one worker.  The workers keep the
last frontier and, if the system is not graded, the table of known configurations.  Every few seconds these are copied,
so that a worker may die, and each copy is held until the next one is made: whatever is newer is recomputed from it.
Dask moves the pieces, and spills them to disk where a worker has too little memory.  This process keeps only numbers
and outputs.  A run is found by exploring once more, up to its end.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from arcproof.transitions.machine import machine
from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.packed import climbs as c
from arcproof.transitions.machine.packed import partitions as p
from arcproof.transitions.machine.packed.explorer import Exploration, ExplorationSettings, OutOfMemory
from arcproof.transitions.machine.packed.layout import Words64
from arcproof.transitions.machine.packed.ranking import Measure

from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.process.dask_cluster import Cluster, Tasks

SMALL_BLOCK: Final = 1 << 15
MOST_HERE: Final = (
    1 << 18
)  # configurations that this process handles alone, if they fit into a small part of its memory
PART_OF_MEMORY: Final = 8
SECONDS_UNSECURED: Final = 3.0
LARGE_BLOCK: Final = 1 << 20
MOST_SHARES: Final = 64
COPIES: Final = 2
BYTES_MORE: Final = 8  # of a parent, or a hash
PLACES: Final = 4  # copies of a candidate that exist at the same time: found, in transit, merged, in a table
BYTES_TO_SIFT: Final = 46  # also: source, share, place in the table, hash, order, answer
Look: TypeAlias = Callable[[Programs, int, p.Block], int | None]
"""Finds the first place in a block that is looked for, if there is one."""
Piece: TypeAlias = tuple[Any, int]
"""A block, in this process or elsewhere, and its length."""


@dataclass
class Partitioned:
    """What is known of a level: its counts, the first configuration with each sign and with each amount of space, and
    the outputs with the first configuration of each.

    `looked_for` is the number of the first configuration that was looked for; the exploration ended there.
    """

    level: Exploration
    signs: list[int | None] = field(default_factory=lambda: [None] * p.SIGNS)
    spaces: dict[int, int] = field(default_factory=dict)
    arcs: Words64 = field(default_factory=lambda: p.NOTHING)
    numbers: Words64 = field(default_factory=lambda: p.NOTHING)
    looked_for: int | None = None

    def add(self, summary: p.Summary, first: int) -> None:
        """Add the summary of a block whose first configuration has this number."""
        self.level.count(summary.statistics)
        for sign, place in enumerate(summary.signs):
            if place is not None and self.signs[sign] is None:
                self.signs[sign] = first + place
        for amount, place in summary.spaces.items():
            self.spaces.setdefault(amount, first + place)

    def add_outputs(self, new: Sequence[tuple[Words64, Words64]]) -> None:
        """Add outputs with the numbers of their configurations, which are greater than those known so far."""
        arcs = np.concatenate([self.arcs, *(arcs for arcs, _ in new)])
        numbers = np.concatenate([self.numbers, *(numbers for _, numbers in new)])
        self.arcs, first = np.unique(arcs, return_index=True)
        self.numbers = numbers[first]


def explore_in_parts(
    cluster: "Cluster", programs: Programs, words: int, memory: int | None, look: Look | None = None
) -> Partitioned:
    """Visit every configuration, or stop at the first one that is looked for.

    `OutOfMemory` if the workers would need more than this much memory each; `SecondHead` and `DoesNotFit` as for
    `explorer.explore`.
    """
    from arcproof.process.dask_cluster import Tasks

    with Tasks(cluster) as tasks:
        return _Partitioning(tasks, programs, words, memory, look).whole()


def way_to(
    cluster: "Cluster", programs: Programs, words: int, frontiers: Sequence[int], number: int
) -> list[tuple[int, int]]:
    """The packed configurations on a shortest run from the start to the one with this number; of several such runs, the
    first in the order of numbers.
    """
    from arcproof.process.dask_cluster import Tasks

    with Tasks(cluster) as tasks:
        exploring = _Partitioning(tasks, programs, words, None, None)
        kept: list[list[Piece]] = [exploring.blocks]
        depth = max(k for k, first in enumerate(frontiers) if first <= number)
        for _ in range(depth):
            exploring.frontier()
            kept.append(exploring.blocks)
        place, found = number - frontiers[depth], []
        for blocks in reversed(kept):
            first, second, parent = _row(tasks, blocks, place)
            found.append((first, second))
            place = parent
        return found[::-1]


def _row(tasks: "Tasks", blocks: Iterable[Piece], place: int) -> tuple[int, int, int]:
    for block, length in blocks:
        if place < length:
            if isinstance(block, p.Block):
                return p.row(block, place)
            found: tuple[int, int, int] = tasks.get([tasks.put(p.row, block, place)])[0]
            return found
        place -= length
    raise IndexError(place)


class _Here:
    """Does immediately, in this process, what `Tasks` does elsewhere: for frontiers too small to be worth sending."""

    def put(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function and return its result."""
        return function(*arguments)

    def get(self, made: Iterable[Any]) -> list[Any]:
        """The results."""
        return list(made)

    def secure(self, made: Iterable[Any]) -> bool:  # noqa: ARG002
        """True: what is in this process is safe."""
        return True


class _Secured:
    """The pieces that existed in two places when they were last copied.

    They are held until the next copy is made.  If they were given up earlier, whatever depends on them and is lost
    would have to be recomputed from the very start.
    """

    def __init__(self) -> None:
        """Nothing yet."""
        self.when = time.monotonic()
        self.pieces: Sequence[Piece] = ()

    def secure(self, tasks: "Tasks | _Here", pieces: Sequence[Piece]) -> None:
        """Copy these pieces unless the last copy is recent; if workers die meanwhile, the last copy is kept."""
        if time.monotonic() - self.when < SECONDS_UNSECURED:
            return
        if tasks.secure([piece for piece, _ in pieces]):
            self.when, self.pieces = time.monotonic(), pieces

    def besides(self, pieces: Iterable[Piece]) -> int:
        """The number of configurations held besides these pieces."""
        among = {id(piece) for piece, _ in pieces}
        return sum(length for piece, length in self.pieces if id(piece) not in among)


class _Partitioning:
    """An exploration in progress."""

    def __init__(self, tasks: "Tasks", programs: Programs, words: int, memory: int | None, look: Look | None) -> None:
        self.tasks: Tasks | _Here = _Here()
        self.elsewhere, self.words, self.look = tasks, words, look
        layout = programs.layout(words)
        settings = ExplorationSettings(keep=False, look=True)
        self.found = Partitioned(Exploration(programs, layout, settings, programs.is_graded))
        self.workers = tasks.cluster.workers
        self.limit = None if memory is None else memory * self.workers
        self.here = _most_here(memory, layout.bytes + BYTES_MORE)
        self.secured = _Secured()
        self.shares = _power_of_two(self.workers)
        self.programs: Any = programs
        self.blocks: list[Piece] = [(p.first_block(programs, words), 1)]
        self.known: list[list[Piece]] = [[] for _ in range(self.shares)]
        self.branching = 2.0
        if not programs.is_graded:
            self._know_the_start()

    def _know_the_start(self) -> None:
        """Enter the initial configuration as known, since it may occur again."""
        block = p.first_block(self.found.level.programs, self.words)
        sifted = p.sift([(block.k0, block.k1)], [], False)
        assert sifted.known is not None
        share = int(sifted.known.hashes[0]) >> p.SHARE_FROM & (self.shares - 1)
        self.known[share].append((sifted.known, 1))

    def whole(self) -> Partitioned:
        """Explore from the start to the last frontier, or to what is looked for."""
        while self.blocks and self.found.looked_for is None:
            self._afford()
            self.frontier()
        return self.found

    def _move(self) -> None:
        """Send a frontier that is no longer small to the workers; bring a small one back if the workers hold nothing
        else.
        """
        length = sum(length for _, length in self.blocks)
        if (
            isinstance(self.tasks, _Here)
            and length + sum(size for known in self.known for _, size in known) > self.here
        ):
            put, programs = self.elsewhere.put, self.found.level.programs
            self.tasks = self.elsewhere
            self.programs = put(_same, _bare(programs))
            self.blocks = self._cut([(put(_same, block), length) for block, length in self.blocks])
            self.known = [[(put(_same, piece), size) for piece, size in known] for known in self.known]
        elif not isinstance(self.tasks, _Here) and self.found.level.graded and length <= self.here // 2:
            blocks = self.tasks.get([block for block, _ in self.blocks])
            self.tasks, self.programs = _Here(), self.found.level.programs
            self.blocks = [(block, len(block)) for block in blocks]

    def frontier(self) -> None:
        """Replace the blocks by the new configurations among their successors."""
        go_on()
        self._move()
        put, level = self.tasks.put, self.found.level
        begins = np.cumsum([0, *(length for _, length in self.blocks)]).tolist()
        expanded = [put(p.expand, self.programs, self.words, self.shares, block) for block, _ in self.blocks]
        pieces = [[put(p.candidates_of, one, share) for share in range(self.shares)] for one in expanded]
        sifted = [
            put(
                p.sift,
                [of_block[share] for of_block in pieces],
                [known for known, _ in self.known[share]],
                level.graded,
            )
            for share in range(self.shares)
        ]
        following = [
            put(p.follow, one, [put(p.new_of, sieve, number) for sieve in sifted], begins[number])
            for number, one in enumerate(expanded)
        ]
        added = [] if level.graded else [put(p.known_of, sieve) for sieve in sifted]
        looks = (
            [] if self.look is None else [put(self.look, self.programs, self.words, block) for block, _ in self.blocks]
        )
        summaries = [put(p.summary_of, one) for one in expanded]
        lengths = [put(p.length_of, block) for block in following]
        sizes = [put(p.size_of, one) for one in added]
        answers = self.tasks.get([*summaries, *lengths, *sizes, *looks])
        count = len(expanded)
        self._take(answers[:count], answers[2 * count + len(sizes) :], begins)
        self.blocks = self._cut(
            [piece for piece in zip(following, answers[count : 2 * count], strict=True) if piece[1]]
        )
        for known, one, size in zip(self.known, added, answers[2 * count : 2 * count + len(sizes)], strict=False):
            if size:
                self._learn(known, one, size)
        self.secured.secure(self.tasks, self._lying())

    def _take(self, summaries: Sequence[p.Summary], looked: Sequence[int | None], begins: Sequence[int]) -> None:
        """Add up the summaries of the blocks that were expanded."""
        found, level = self.found, self.found.level
        first = level.configurations
        level.frontiers.append(first)
        for summary, begin in zip(summaries, begins, strict=False):
            found.add(summary, first + begin)
        ended = [(one.arcs, one.places + (first + begin)) for one, begin in zip(summaries, begins, strict=False)]
        if any(len(arcs) for arcs, _ in ended):
            found.add_outputs(ended)
        level.configurations += begins[-1]
        transitions = sum(int(one.statistics[machine.TRANSITIONS]) for one in summaries)
        self.branching = max(1.0, transitions / begins[-1])
        places = [first + begin + place for place, begin in zip(looked, begins, strict=False) if place is not None]
        found.looked_for = min(places, default=None)

    def _cut(self, pieces: list[Piece]) -> list[Piece]:
        """Cut pieces into blocks of about the same length, enough to keep the workers busy."""
        whole = sum(length for _, length in pieces)
        length = max(SMALL_BLOCK, min(LARGE_BLOCK, -(-whole // (2 * self.workers))))
        wanted = -(-whole // length)
        if len(pieces) <= 2 * wanted and max((size for _, size in pieces), default=0) <= 2 * length:
            return pieces
        put = self.tasks.put
        ends = np.cumsum([size for _, size in pieces]).tolist()
        blocks = []
        for lo in range(0, whole, length):
            hi = min(whole, lo + length)
            parts = [
                put(p.cut, piece, max(0, lo - end + size), min(size, hi - end + size))
                for (piece, size), end in zip(pieces, ends, strict=True)
                if end > lo and end - size < hi
            ]
            blocks.append((parts[0] if len(parts) == 1 else put(p.joined, parts), hi - lo))
        return blocks

    def _learn(self, known: list[Piece], new: Any, size: int) -> None:
        """Remember what is new; pieces of similar size are merged, so that there are few places to look in."""
        while known and known[-1][1] <= 2 * size:
            before, length = known.pop()
            new, size = self.tasks.put(p.merged, before, new), size + length
        known.append((new, size))

    def _lying(self) -> list[Piece]:
        """The pieces that the next frontier needs."""
        return [*self.blocks, *(piece for known in self.known for piece in known)]

    def _afford(self) -> None:
        """Raise `OutOfMemory` if what is stored and what comes next would exceed the workers' memory."""
        level = self.found.level
        frontier = sum(length for _, length in self.blocks)
        bytes_each = level.layout.bytes
        each = bytes_each + BYTES_MORE
        known = 0 if level.graded else level.configurations + frontier
        candidates = int(frontier * self.branching)
        lying = COPIES * frontier * each + (COPIES + 1) * known * each  # one more copy while they are merged
        lying += COPIES * self.secured.besides(self._lying()) * each
        needed = lying + candidates * (PLACES * bytes_each + BYTES_TO_SIFT)
        level.bytes = max(level.bytes, needed)
        if self.limit is not None and needed > self.limit:
            raise OutOfMemory(level.configurations + frontier, needed)


def _same(value: Any) -> Any:
    return value


def _bare(programs: Programs) -> Programs:
    """These programs without their cached values."""
    return Programs(programs.system, programs.clashes, programs.room)


# --- all runs --------------------------------------------------------------------------------------------------------


@dataclass
class Runs:
    """What is known of all runs of a level: its counts, and the outputs with what is carried to them or the heaviest
    run alone.
    """

    level: Exploration
    arcs: Words64 = field(default_factory=lambda: p.NOTHING)
    values: c.Values | None = None
    is_exact: bool = True


def climb_in_parts(
    cluster: "Cluster", programs: Programs, words: int, carried: c.Carried, memory: int | None = None
) -> Runs | None:
    """Follow all runs rank by rank; None if a transition does not climb, or if no measure is known.  Raises the same
    errors as `explore_in_parts`.
    """
    from arcproof.transitions.machine.packed.ranking import MOST_RANKS

    from arcproof.process.dask_cluster import Tasks

    ranking = None if programs.clashes else programs.ranking
    measure = None if ranking is None else ranking.measure(programs.layout(words))
    if measure is None or measure.ranks > MOST_RANKS:
        return None
    with Tasks(cluster) as tasks:
        return _Climbing(tasks, programs, words, measure, carried, memory).whole()


class _Climbing:
    """A climb in progress."""

    def __init__(
        self, tasks: "Tasks", programs: Programs, words: int, measure: Measure, carried: c.Carried, memory: int | None
    ) -> None:
        self.tasks: Tasks | _Here = _Here()
        self.elsewhere, self.programs, self.words = tasks, programs, words
        self.given: tuple[Any, ...] = (programs, words, measure, carried)
        self.carried = carried
        workers = tasks.cluster.workers
        self.limit = None if memory is None else memory * workers
        self.here = _most_here(memory, programs.layout(words).bytes + 8 * len(carried.at_start()))
        self.secured = _Secured()
        self.shares = _power_of_two(workers)
        settings = ExplorationSettings(keep=False)
        level = Exploration(programs, programs.layout(words), settings, programs.is_graded)
        self.found = Runs(level)
        self.rank, start = c.first_waiting(programs, words, measure, carried)
        self.waiting: list[Any] = [start, *({} for _ in range(self.shares - 1))]
        self.incoming: list[list[Any]] = [[{}] * self.shares for _ in range(self.shares)]
        self.size = 1

    def whole(self) -> Runs | None:
        """Climb from the start to the highest rank; None if a transition does not climb."""
        rank: int | None = self.rank
        while rank is not None:
            go_on()
            self._move()
            told = self._climb(rank)
            for one in told:
                self.found.level.count(one.statistics)
            if not all(one.climbs for one in told):
                return None
            self._take(told)
            rank = min((rank for one in told for rank in one.ranks), default=None)
        return self.found

    def _move(self) -> None:
        if isinstance(self.tasks, _Here) and self.size > self.here:
            put = self.elsewhere.put
            self.tasks = self.elsewhere
            programs, words, measure, carried = self.given
            self.given = put(_same, _bare(programs)), words, put(_same, measure), carried
            self.waiting = [put(_same, one) for one in self.waiting]
            self.incoming = [[put(_same, one) for one in part] for part in self.incoming]

    def _climb(self, rank: int) -> list[c.ToldOfRank]:
        put = self.tasks.put
        climbed = [
            put(c.climb, *self.given, rank, waiting, incoming)
            for waiting, incoming in zip(self.waiting, self.incoming, strict=True)
        ]
        self.waiting = [put(c.waiting_of, one) for one in climbed]
        self.incoming = [[put(c.outgoing_of, one, share) for one in climbed] for share in range(self.shares)]
        told = self.tasks.get([put(c.told_by, one) for one in climbed])
        waiting = [(piece, one.waiting) for piece, one in zip(self.waiting, told, strict=True)]
        self.secured.secure(self.tasks, [*waiting, *((one, 0) for part in self.incoming for one in part)])
        return told

    def _take(self, told: Sequence[c.ToldOfRank]) -> None:
        found, level = self.found, self.found.level
        level.configurations += sum(one.configurations for one in told)
        self.size = sum(one.waiting for one in told)
        found.is_exact = found.is_exact and all(one.is_exact for one in told)
        ended = [one for one in told if one.values.shape[1]]
        if ended:
            before = [] if found.values is None else [found.values]
            values = [*before, *(one.values for one in ended)]
            rows = max(map(len, values))
            together = np.concatenate([c.with_rows(one, rows) for one in values], axis=1)
            arcs = np.concatenate([found.arcs, *(one.arcs for one in ended)])
            found.arcs, numbers = np.unique(arcs, return_inverse=True)
            numbers = (
                numbers.astype(np.int64) if self.carried.what == "counts" else np.zeros(together.shape[1], np.int64)
            )
            found.values, exact = self.carried.together(together, numbers, int(numbers.max()) + 1)
            found.is_exact = found.is_exact and exact
        lying = (COPIES + 1) * self.size + COPIES * self.secured.besides((one, 0) for one in self.waiting)
        needed = lying * (level.layout.bytes + 8 * len(self.carried.at_start()))
        level.bytes = max(level.bytes, needed)
        if self.limit is not None and needed > self.limit:
            raise OutOfMemory(level.configurations, needed)


def _most_here(memory: int | None, each: int) -> int:
    """The number of configurations that this process handles alone."""
    return SMALL_BLOCK if memory is None else max(SMALL_BLOCK, min(MOST_HERE, memory // (PART_OF_MEMORY * each)))


def _power_of_two(workers: int) -> int:
    """The number of shares: a power of two, at least the number of workers unless there are very many."""
    return 1 << min(MOST_SHARES.bit_length() - 1, (workers - 1).bit_length())
