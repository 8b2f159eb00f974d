"""One frontier of an exploration in parts, for workers that share nothing.

A frontier is stored in *blocks*: runs of configurations in the order of their numbers.  A worker expands a block
(`expand`); what it finds goes by its hash to one of the *shares* (`candidates_of`), whose owner says which of these are
new (`sift`): the first candidates, in the order of blocks, that are neither among the earlier ones nor known.  The new
successors of a block, in order, are the block that follows it (`follow`).  So configurations get the same numbers as
from a single worker, however many workers there are, and all that is sent are the candidates and one byte for the
answer to each.

All functions are pure, so whatever is lost with a worker can be recomputed.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from arcproof.transitions.machine import machine
from arcproof.transitions.machine.figure_programs import Programs, Workspace
from arcproof.transitions.machine.packed.explorer import SLICE, Buffers, number_of_default
from arcproof.transitions.machine.packed.layout import Words64
from arcproof.transitions.machine.packed.signs import TERMINAL
from arcproof.transitions.machine.packed.table import ConfigurationTable

from arcproof.process.lazy_dataclass import dataclass

SIGNS: Final = 11
SHARE_FROM: Final = 44  # bits of the hash that no table looks at
Flags: TypeAlias = npt.NDArray[np.int16]
Truths: TypeAlias = npt.NDArray[np.bool_]
NOTHING: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Block:
    """Packed configurations in order; `parents` has the place of each one's predecessor in the previous frontier."""

    k0: Words64
    k1: Words64
    parents: Words64

    def __len__(self) -> int:
        """The number of configurations."""
        return len(self.k0)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self.k0.nbytes + self.k1.nbytes + self.parents.nbytes


@dataclass(frozen=True)
class Summary:
    """What a worker reports about the configurations of a block.

    `signs` has the first place with each sign, `spaces` the first place with each amount of space; `arcs` are the
    outputs, and `places` has the first place of each.
    """

    statistics: Words64
    signs: tuple[int | None, ...]
    spaces: dict[int, int]
    arcs: Words64
    places: Words64
    candidates: int


@dataclass(frozen=True)
class Expanded:
    """The distinct successors of a block, in order, with where each came from and its share; and the summary of the
    block.
    """

    c0: Words64
    c1: Words64
    sources: npt.NDArray[np.int32]
    shares: npt.NDArray[np.uint8]
    summary: Summary


@dataclass(frozen=True)
class Known:
    """Configurations of a share in the order of their hashes."""

    hashes: Words64
    k0: Words64
    k1: Words64

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self.hashes.nbytes + self.k0.nbytes + self.k1.nbytes


@dataclass(frozen=True)
class Sifted:
    """Which candidates of each block are new; and the new ones in the order of their hashes, if they are needed
    later.
    """

    new: tuple[Truths, ...]
    known: Known | None


def first_block(programs: Programs, words: int) -> Block:
    """The start."""
    layout = programs.layout(words)
    w0, w1 = layout.pack(programs.system.start(words))
    second = [w1] if layout.is_wide else []
    return Block(*(np.array(column, dtype=np.int64) for column in ([w0], second, [-1])))


def expand(programs: Programs, words: int, shares: int, block: Block) -> Expanded:
    """The successors of a block."""
    layout = programs.layout(words)
    program = programs.expansion(words)
    step = max(64, SLICE // max(1, program.emits))
    buffers = Buffers.of(Workspace.of(program), step * program.emits + 1, step)
    space = buffers.space
    table = ConfigurationTable.of(layout.is_wide, len(block))
    flags = np.empty(len(block), dtype=np.int16)
    sources: list[npt.NDArray[np.int32]] = []
    for lo in range(0, len(block), step):
        hi = min(len(block), lo + step)
        count = machine.generate(
            *space.arguments, space.scratch, space.result("terminal"), space.result("empty"), block.k0, block.k1, layout.is_wide, lo, hi,
            number_of_default(programs), layout.arcs_from, False, True, layout.arcs_mask, buffers.c0, buffers.c1, buffers.label,
            buffers.source, buffers.flags, buffers.statistics,
        )  # fmt: skip
        flags[lo:hi] = buffers.flags[: hi - lo]
        if buffers.statistics[machine.CODE]:
            break
        new = table.are_new(buffers.c0[:count], buffers.c1[:count])
        sources.append(buffers.source[:count][new].astype(np.int32))
    table.trim()
    hashes, _ = table.hashes(table.k0, table.k1, table.known)
    return Expanded(
        table.k0,
        table.k1,
        np.concatenate(sources) if sources else np.zeros(0, dtype=np.int32),
        (hashes >> SHARE_FROM & (shares - 1)).astype(np.uint8),
        _summary(programs, words, block, flags, buffers.statistics, table.known),
    )


def _summary(
    programs: Programs, words: int, block: Block, flags: Flags, statistics: Words64, candidates: int
) -> Summary:
    layout = programs.layout(words)
    marks = int(statistics[machine.MARKS])
    signs = tuple(int(np.argmax(flags & (1 << k) != 0)) if marks >> k & 1 else None for k in range(SIGNS))
    amounts, first = np.unique(layout.space_of(block.k0, block.k1), return_index=True)
    ends = np.flatnonzero(flags & TERMINAL)
    second = block.k1[ends] if layout.is_wide else block.k1
    arcs, places = np.unique(layout.arcs_of(block.k0[ends], second), return_index=True)
    spaces = dict(zip(amounts.tolist(), first.tolist(), strict=True))
    return Summary(statistics, signs, spaces, arcs, ends[places], candidates)


def summary_of(expanded: Expanded) -> Summary:
    """The summary of the block."""
    return expanded.summary


def candidates_of(expanded: Expanded, share: int) -> tuple[Words64, Words64]:
    """The candidates of one share, in order."""
    chosen = expanded.shares == share
    return expanded.c0[chosen], expanded.c1[chosen] if len(expanded.c1) else NOTHING


def sift(pieces: list[tuple[Words64, Words64]], known: list[Known], is_graded: bool) -> Sifted:
    """Which candidates of a share are new; `pieces` are given by block."""
    wide = any(len(second) for _, second in pieces)
    c0 = np.concatenate([first for first, _ in pieces])
    c1 = np.concatenate([second for _, second in pieces]) if wide else NOTHING
    table = ConfigurationTable.of(wide, len(c0))
    new = table.are_new(c0, c1)
    added = None
    if not is_graded:
        places = np.flatnonzero(new)
        hashes, _ = table.hashes(c0[places], c1[places] if wide else c1, len(places))
        order = np.argsort(hashes, kind="stable")
        places, hashes = places[order], hashes[order]
        unseen = np.ones(len(places), dtype=np.bool_)
        for earlier in known:
            unseen &= ~_are_among(earlier, hashes, c0[places], c1[places] if wide else c1)
        new[places[~unseen]] = False
        places, hashes = places[unseen], hashes[unseen]
        added = Known(hashes, c0[places], c1[places] if wide else NOTHING)
    ends = np.cumsum([len(first) for first, _ in pieces])
    return Sifted(tuple(np.split(new, ends[:-1])), added)


def _are_among(known: Known, hashes: Words64, c0: Words64, c1: Words64) -> Truths:
    """Which of these configurations are known; hashes only say where to look."""
    found = np.zeros(len(hashes), dtype=np.bool_)
    places = np.searchsorted(known.hashes, hashes)
    asked = np.arange(len(hashes))
    while True:
        inside = places < len(known.hashes)
        asked, places = asked[inside], places[inside]
        alike = known.hashes[places] == hashes[asked]
        asked, places = asked[alike], places[alike]
        if not len(asked):
            return found
        same = known.k0[places] == c0[asked]
        if len(known.k1):
            same &= known.k1[places] == c1[asked]
        found[asked[same]] = True
        asked, places = asked[~same], places[~same] + 1


def new_of(sifted: Sifted, block: int) -> Truths:
    """Which candidates of a block are new."""
    return sifted.new[block]


def known_of(sifted: Sifted) -> Known:
    """The new configurations, to be looked up later."""
    assert sifted.known is not None
    return sifted.known


def size_of(known: Known) -> int:
    """The number of configurations."""
    return len(known.hashes)


def merged(one: Known, other: Known) -> Known:
    """Both merged."""
    places = np.searchsorted(one.hashes, other.hashes, side="right") + np.arange(len(other.hashes))
    of_one = np.ones(len(one.hashes) + len(other.hashes), dtype=np.bool_)
    of_one[places] = False

    def column(first: Words64, second: Words64) -> Words64:
        whole = np.empty(len(of_one), dtype=np.int64)
        whole[of_one], whole[places] = first, second
        return whole

    return Known(
        column(one.hashes, other.hashes),
        column(one.k0, other.k0),
        column(one.k1, other.k1) if len(one.k1) else NOTHING,
    )


def follow(expanded: Expanded, new: list[Truths], begin: int) -> Block:
    """The new successors of the block that begins at place `begin` of its frontier; `new` has a mask for each share."""
    chosen = np.zeros(len(expanded.c0), dtype=np.bool_)
    for share, truths in enumerate(new):
        chosen[expanded.shares == share] = truths
    c1 = expanded.c1[chosen] if len(expanded.c1) else NOTHING
    return Block(expanded.c0[chosen], c1, expanded.sources[chosen].astype(np.int64) + begin)


def length_of(block: Block) -> int:
    """The number of configurations."""
    return len(block)


def cut(block: Block, lo: int, hi: int) -> Block:
    """A slice of a block."""
    return Block(block.k0[lo:hi], block.k1[lo:hi] if len(block.k1) else NOTHING, block.parents[lo:hi])


def joined(blocks: list[Block]) -> Block:
    """Blocks joined end to end."""
    return Block(*(np.concatenate([getattr(block, column) for block in blocks]) for column in ("k0", "k1", "parents")))


def row(block: Block, place: int) -> tuple[int, int, int]:
    """A configuration, and the place of its predecessor."""
    return int(block.k0[place]), int(block.k1[place]) if len(block.k1) else 0, int(block.parents[place])
