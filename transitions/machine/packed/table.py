"""A table of packed configurations: exact, compact, and filled by several workers concurrently.

A slot has one byte of the hash (0 if it is free) and the number of a configuration; the configuration itself is in an
array in order of discovery, so that a slot takes 5 bytes.  Two configurations are the same only if their words are the
same: the hash decides where to look and never whether they are equal.  The slots fall into `PARTS` parts by the highest
bits of the hash; each part is filled by one worker, which looks at all candidates in order, so the outcome does not
depend on the number of workers.
"""

from dataclasses import field
from typing import Final

import numpy as np
import numpy.typing as npt

from arcproof.process.jit import compiled
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.packed.hashing import FULL, PARTS, hashed
from arcproof.transitions.machine.packed.layout import Words64

_FEW: Final = 1 << 20


@compiled("void(int64[::1], int64[::1], int64, boolean, int64[::1], int64[::1])")
def _hashes(c0: Words64, c1: Words64, count: int, wide: bool, hashes: Words64, wanted: Words64) -> None:
    for k in range(count):
        h = hashed(c0[k], c1[k] if wide else 0)
        hashes[k] = h
        wanted[(h >> 58) & 63] += 1


@compiled(
    "void(int64[::1], int64[::1], int64, int64[::1], int64[::1], int64[::1], int64, boolean, uint8[::1], uint32[::1], int64,"
    " int64, int64, int64[::1], int64[::1], int64[::1])"
)
def _insert(
    k0: Words64, k1: Words64, known: int, c0: Words64, c1: Words64, hashes: Words64, count: int, wide: bool,
    tags: npt.NDArray[np.uint8], slots: npt.NDArray[np.uint32], capacity: int, first_part: int, last_part: int,
    numbers: Words64, places: Words64, used: Words64,
) -> None:  # fmt: skip
    """Look up every candidate of these parts; enter a new one provisionally, under the number of known configurations
    plus its own.
    """
    for k in range(count):
        h = hashes[k]
        part = (h >> 58) & 63
        if part < first_part or part > last_part:
            continue
        tag = ((h >> 50) & 127) | 128
        base = part * capacity
        place = ((h & 0xFFFFFFFF) * capacity) >> 32
        while True:
            found = tags[base + place]
            if found == 0:
                tags[base + place] = tag
                slots[base + place] = known + k
                numbers[k] = known + k
                places[k] = base + place
                used[part] += 1
                break
            if found == tag:
                number = np.int64(slots[base + place])
                if number < known:
                    same = k0[number] == c0[k] and (not wide or k1[number] == c1[k])
                else:
                    same = c0[number - known] == c0[k] and (not wide or c1[number - known] == c1[k])
                if same:
                    numbers[k] = number
                    places[k] = -1
                    break
            place += 1
            if place == capacity:
                place = 0


@compiled(
    "int64(int64[::1], int64[::1], int64, int64[::1], int64[::1], int64, boolean, uint32[::1], int64[::1], int64[::1])"
)
def _number(
    k0: Words64, k1: Words64, known: int, c0: Words64, c1: Words64, count: int, wide: bool, slots: npt.NDArray[np.uint32],
    numbers: Words64, places: Words64,
) -> int:  # fmt: skip
    """Number the new configurations in order and append them; return how many are known then."""
    after = known
    for k in range(count):
        if places[k] >= 0:
            k0[after] = c0[k]
            if wide:
                k1[after] = c1[k]
            slots[places[k]] = after
            numbers[k] = after
            after += 1
        elif numbers[k] >= known:
            numbers[k] = numbers[numbers[k] - known]
    return after


@compiled("void(int64[::1], int64[::1], int64, int64, boolean, uint8[::1], uint32[::1], int64, int64[::1])")
def _refill(
    k0: Words64, k1: Words64, begin: int, known: int, wide: bool, tags: npt.NDArray[np.uint8], slots: npt.NDArray[np.uint32],
    capacity: int, used: Words64,
) -> None:  # fmt: skip
    for number in range(begin, known):
        h = hashed(k0[number], k1[number] if wide else 0)
        part = (h >> 58) & 63
        base = part * capacity
        place = ((h & 0xFFFFFFFF) * capacity) >> 32
        while tags[base + place] != 0:
            place += 1
            if place == capacity:
                place = 0
        tags[base + place] = ((h >> 50) & 127) | 128
        slots[base + place] = number
        used[part] += 1


@dataclass
class ConfigurationTable:
    """Distinct packed configurations by number.

    `k0` and `k1` have the words; `begin` is the first number that is looked up: earlier ones cannot recur.
    """

    wide: bool
    k0: Words64
    k1: Words64
    known: int = 0
    begin: int = 0
    capacity: int = 0
    tags: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))
    slots: npt.NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    used: Words64 = field(default_factory=lambda: np.zeros(PARTS, dtype=np.int64))

    @classmethod
    def of(cls, wide: bool, expected: int) -> "ConfigurationTable":
        """An empty table with room for this many configurations."""
        room = max(1024, expected)
        table = cls(wide, np.empty(room, dtype=np.int64), np.empty(room if wide else 0, dtype=np.int64))
        table._resize(slots_for(expected))
        return table

    def hashes(self, c0: Words64, c1: Words64, count: int) -> tuple[Words64, Words64]:
        """The hashes of candidates, and how many fall into each part."""
        hashes = np.empty(count, dtype=np.int64)
        wanted = np.zeros(PARTS, dtype=np.int64)
        _hashes(c0, c1, count, self.wide, hashes, wanted)
        return hashes, wanted

    def make_room(self, wanted: Words64) -> None:
        """Make room for this many more candidates in each part."""
        most = int((self.used + wanted).max())
        if most > FULL * self.capacity:
            growth = 2 if PARTS * self.capacity < _FEW else 1.25
            self._resize(max(int(most / FULL) + 2, int(self.capacity * growth)))
        whole = self.known + int(wanted.sum())
        if whole > len(self.k0):
            room = max(whole, len(self.k0) + len(self.k0) // 4)
            self.k0.resize(room, refcheck=False)
            if self.wide:
                self.k1.resize(room, refcheck=False)

    def _resize(self, capacity: int) -> None:
        self.capacity = capacity
        self.tags = np.zeros(PARTS * capacity, dtype=np.uint8)
        self.slots = np.empty(PARTS * capacity, dtype=np.uint32)
        self.used[:] = 0
        _refill(self.k0, self.k1, self.begin, self.known, self.wide, self.tags, self.slots, capacity, self.used)

    def forget(self) -> None:
        """Look up only configurations that are added from now on."""
        self.begin = self.known
        self.tags[:] = 0
        self.used[:] = 0

    def insert(
        self, c0: Words64, c1: Words64, hashes: Words64, first_part: int, last_part: int, numbers: Words64, places: Words64
    ) -> None:  # fmt: skip
        """Look up the candidates of some parts; call `number` when all parts are done."""
        _insert(
            self.k0, self.k1, self.known, c0, c1, hashes, len(hashes), self.wide, self.tags, self.slots, self.capacity,
            first_part, last_part, numbers, places, self.used,
        )  # fmt: skip

    def number(self, c0: Words64, c1: Words64, numbers: Words64, places: Words64) -> None:
        """Append the new ones; `numbers` then has the number of every candidate."""
        self.known = _number(
            self.k0, self.k1, self.known, c0, c1, len(numbers), self.wide, self.slots, numbers, places
        )  # fmt: skip

    def add(self, c0: Words64, c1: Words64) -> Words64:
        """Enter the candidates that are new; return the numbers of all candidates."""
        return self._enter(c0, c1)[0]

    def _enter(self, c0: Words64, c1: Words64) -> tuple[Words64, Words64]:
        hashes, wanted = self.hashes(c0, c1, len(c0))
        self.make_room(wanted)
        numbers, places = np.empty(len(c0), dtype=np.int64), np.empty(len(c0), dtype=np.int64)
        self.insert(c0, c1, hashes, 0, PARTS - 1, numbers, places)
        self.number(c0, c1, numbers, places)
        return numbers, places

    def trim(self) -> None:
        """Release unused memory; nothing can be added afterwards."""
        self.k0.resize(self.known, refcheck=False)
        if self.wide:
            self.k1.resize(self.known, refcheck=False)
        self.tags = np.zeros(0, dtype=np.uint8)
        self.slots = np.zeros(0, dtype=np.uint32)


def slots_for(configurations: int) -> int:
    """The number of slots per part, with enough to spare that this many configurations fit even if they are distributed
    unevenly.
    """
    share = configurations / PARTS
    return int((share + 4 * share**0.5) / FULL) + 16
