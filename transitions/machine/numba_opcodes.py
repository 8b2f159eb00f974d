"""What the machine can do: each opcode is one function over lanes.

A *lane* is one configuration that the machine looks at; a *register* is a row with one number for each lane, and an
opcode writes one register, `to`, from others, for the first `count` lanes.  So the work of dispatching the next opcode
is shared by all lanes, and the compiler turns the loops below into vector instructions.  Every number is 64 bits wide.
`Lanes` are read as signed numbers, `Bits` as unsigned ones; both are views of the same memory, and which of them an
opcode takes says how it reads it.

- A truth is 0 or 1.
- Registers are named by their row; what is called `shift`, `mask`, `number`, `width`, `n`, … is a number of the program
  itself.
- Lanes in which a condition fails continue with whatever is in their registers: no opcode may trap, and shifts are
  capped at 63.
- *heads*: arcs with `width` bits for each word, one more than its head or 0, the first word in the highest bits.
- *matrix*: arcs with one bit for each pair; that of the arc from h to d is d (n + 1) + h.
- *numbers by node*: `width` bits for each node, 0 in the lowest ones (what a gold graph says of each node).

An opcode's place in `OPCODES` is its number; `machine.run` calls it.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.process.jit import inlined

Lanes: TypeAlias = npt.NDArray[np.int64]
Bits: TypeAlias = npt.NDArray[np.uint64]
Unsigned: TypeAlias = np.uint64
Opcode: TypeAlias = Callable[..., None]

U0: Final = np.uint64(0)
U1: Final = np.uint64(1)
U63: Final = np.uint64(63)


# --- numbers ---------------------------------------------------------------------------------------------------------


@inlined
def constant(r: Lanes, to: int, count: int, number: int) -> None:
    """A number."""
    for k in range(count):
        r[to, k] = number


@inlined
def plus(r: Lanes, to: int, count: int, a: int, b: int) -> None:
    """A sum."""
    for k in range(count):
        r[to, k] = r[a, k] + r[b, k]


@inlined
def minus(r: Lanes, to: int, count: int, a: int, b: int) -> None:
    """A difference."""
    for k in range(count):
        r[to, k] = r[a, k] - r[b, k]


@inlined
def plus_number(r: Lanes, to: int, count: int, a: int, number: int) -> None:
    """A sum with a number."""
    for k in range(count):
        r[to, k] = r[a, k] + number


@inlined
def times_number(r: Lanes, to: int, count: int, a: int, number: int) -> None:
    """A product with a number."""
    for k in range(count):
        r[to, k] = r[a, k] * number


# --- truths ----------------------------------------------------------------------------------------------------------


@inlined
def equal(r: Lanes, to: int, count: int, a: int, b: int) -> None:
    """Whether two numbers are the same."""
    for k in range(count):
        r[to, k] = 1 if r[a, k] == r[b, k] else 0


@inlined
def less(r: Lanes, to: int, count: int, a: int, b: int) -> None:
    """Whether one number is less than another."""
    for k in range(count):
        r[to, k] = 1 if r[a, k] < r[b, k] else 0


@inlined
def equal_number(r: Lanes, to: int, count: int, a: int, number: int) -> None:
    """Whether a register holds a number."""
    for k in range(count):
        r[to, k] = 1 if r[a, k] == number else 0


@inlined
def less_number(r: Lanes, to: int, count: int, a: int, number: int) -> None:
    """Whether a register holds less than a number."""
    for k in range(count):
        r[to, k] = 1 if r[a, k] < number else 0


@inlined
def more_number(r: Lanes, to: int, count: int, a: int, number: int) -> None:
    """Whether a register holds more than a number."""
    for k in range(count):
        r[to, k] = 1 if r[a, k] > number else 0


@inlined
def both(r: Lanes, to: int, count: int, a: int, b: int) -> None:
    """Whether two truths hold."""
    for k in range(count):
        r[to, k] = r[a, k] & r[b, k]


@inlined
def either(r: Lanes, to: int, count: int, a: int, b: int) -> None:
    """Whether one of two truths holds."""
    for k in range(count):
        r[to, k] = r[a, k] | r[b, k]


@inlined
def negated(r: Lanes, to: int, count: int, a: int) -> None:
    """Whether a truth does not hold."""
    for k in range(count):
        r[to, k] = r[a, k] ^ 1


@inlined
def chosen(r: Lanes, to: int, count: int, truth: int, a: int, b: int) -> None:
    """The first number where a truth holds, the second elsewhere."""
    for k in range(count):
        r[to, k] = r[a, k] if r[truth, k] != 0 else r[b, k]


# --- bits ------------------------------------------------------------------------------------------------------------


@inlined
def field(u: Bits, to: int, count: int, a: int, shift: Unsigned, mask: Unsigned) -> None:
    """Some bits of a word."""
    for k in range(count):
        u[to, k] = (u[a, k] >> shift) & mask


@inlined
def field_at(u: Bits, to: int, count: int, a: int, place: int, width: Unsigned, mask: Unsigned) -> None:
    """Some bits of a word, from `place` times the width on."""
    for k in range(count):
        u[to, k] = (u[a, k] >> ((u[place, k] * width) & U63)) & mask


@inlined
def lowest(u: Bits, to: int, count: int, a: int, length: int, width: Unsigned) -> None:
    """The lowest bits of a word: `length` times the width."""
    for k in range(count):
        u[to, k] = u[a, k] & ((U1 << ((u[length, k] * width) & U63)) - U1)


@inlined
def put_below(u: Bits, to: int, count: int, a: int, shift: Unsigned, b: int) -> None:
    """The first word moved up, and the second below it."""
    for k in range(count):
        u[to, k] = (u[a, k] << shift) | u[b, k]


@inlined
def put_below_at(u: Bits, to: int, count: int, a: int, place: int, width: Unsigned, b: int) -> None:
    """The first word moved up by `place` times the width, and the second below it."""
    for k in range(count):
        u[to, k] = (u[a, k] << ((u[place, k] * width) & U63)) | u[b, k]


@inlined
def with_bit(u: Bits, to: int, count: int, a: int, node: int) -> None:
    """A set with one more node."""
    for k in range(count):
        u[to, k] = u[a, k] | (U1 << (u[node, k] & U63))


@inlined
def without_bit(u: Bits, to: int, count: int, a: int, node: int) -> None:
    """A set without a node."""
    for k in range(count):
        u[to, k] = u[a, k] & ~(U1 << (u[node, k] & U63))


@inlined
def turned(u: Bits, to: int, count: int, a: int, length: int, width: Unsigned, mask: Unsigned) -> None:
    """A run of cells in reverse order."""
    for k in range(count):
        cells = u[a, k]
        found = U0
        for _ in range(u[length, k] & U63):
            found = (found << width) | (cells & mask)
            cells >>= width
        u[to, k] = found


# --- arcs as heads ---------------------------------------------------------------------------------------------------


@inlined
def entry_in(arcs: Unsigned, node: Unsigned, n: Unsigned, width: Unsigned, mask: Unsigned) -> Unsigned:
    """One more than the head of a node, or 0; node 0 has no entry, and nothing lies above the entry of the
    first word.
    """
    return (arcs >> (((n - node) * width) & U63)) & mask


@inlined
def entry(u: Bits, to: int, count: int, arcs: int, node: int, n: Unsigned, width: Unsigned, mask: Unsigned) -> None:
    """One more than the head of a node, or 0."""
    for k in range(count):
        u[to, k] = (u[arcs, k] >> (((n - u[node, k]) * width) & U63)) & mask


@inlined
def hung(u: Bits, to: int, count: int, arcs: int, head: int, node: int, n: Unsigned, width: Unsigned) -> None:
    """The arcs and one more, into a word without a head."""
    for k in range(count):
        u[to, k] = u[arcs, k] | ((u[head, k] + U1) << (((n - u[node, k]) * width) & U63))


@inlined
def freed(u: Bits, to: int, count: int, arcs: int, node: int, n: Unsigned, width: Unsigned, mask: Unsigned) -> None:
    """The arcs except those into a node."""
    for k in range(count):
        u[to, k] = u[arcs, k] & ~(mask << (((n - u[node, k]) * width) & U63))


@inlined
def has_dependent(
    u: Bits, to: int, count: int, arcs: int, node: int, n: Unsigned, width: Unsigned, mask: Unsigned
) -> None:
    """Whether some arc leaves a node."""
    for k in range(count):
        found = U0
        rest = u[arcs, k]
        for _ in range(n):
            if rest & mask == u[node, k] + U1:
                found = U1
            rest >>= width
        u[to, k] = found


@inlined
def reaches(
    u: Bits, to: int, count: int, arcs: int, source: int, target: int, n: Unsigned, width: Unsigned, mask: Unsigned
) -> None:
    """Whether a path of arcs leads from source to target."""
    for k in range(count):
        node = u[target, k]
        found = U0
        for _ in range(n + U1):
            if node == u[source, k]:
                found = U1
                break
            above = entry_in(u[arcs, k], node, n, width, mask)
            if above == U0:
                break
            node = above - U1
        u[to, k] = found


@inlined
def connected(
    u: Bits, to: int, count: int, arcs: int, left: int, right: int, n: Unsigned, width: Unsigned, mask: Unsigned
) -> None:
    """Whether a path of arcs in any direction joins two nodes."""
    for k in range(count):
        component = U1 << (u[left, k] & U63)
        grown = True
        while grown:
            before = component
            rest = u[arcs, k]
            for up in range(n):
                above = rest & mask
                rest >>= width
                if above != U0:
                    pair = (U1 << (n - np.uint64(up))) | (U1 << (above - U1))
                    if component & pair != U0:
                        component |= pair
            grown = component != before
        u[to, k] = (component >> (u[right, k] & U63)) & U1


@inlined
def degree(
    u: Bits, to: int, count: int, arcs: int, left: int, right: int, n: Unsigned, width: Unsigned, mask: Unsigned
) -> None:
    """How many words strictly between two nodes have no head, or a head outside the closed interval."""
    for k in range(count):
        low = min(u[left, k], u[right, k])
        high = min(max(u[left, k], u[right, k]), n)
        found = U0
        for word in range(low + U1, high):
            above = entry_in(u[arcs, k], np.uint64(word), n, width, mask)
            if above < low + U1 or above > high + U1:
                found += U1
        u[to, k] = found


@inlined
def lost(u: Bits, to: int, count: int, arcs: int, after: int, n: Unsigned, width: Unsigned, mask: Unsigned) -> None:
    """Whether an arc has disappeared."""
    for k in range(count):
        found = U0
        before, now = u[arcs, k], u[after, k]
        for _ in range(n):
            if before & mask != U0 and before & mask != now & mask:
                found = U1
            before >>= width
            now >>= width
        u[to, k] = found


@inlined
def complete(
    u: Bits, to: int, count: int, arcs: int, node: int, gold: int, n: Unsigned, width: Unsigned, mask: Unsigned
) -> None:
    """Whether every gold dependent of a node is attached to it; gold heads are packed as arcs are."""
    for k in range(count):
        found = U1
        wanted, built = u[gold, k], u[arcs, k]
        for _ in range(n):
            if wanted & mask == u[node, k] + U1 and built & mask != u[node, k] + U1:
                found = U0
            wanted >>= width
            built >>= width
        u[to, k] = found


# --- arcs as a matrix ------------------------------------------------------------------------------------------------


@inlined
def heads_in(u: Bits, to: int, count: int, arcs: int, node: int, n: Unsigned) -> None:
    """The heads of a node, one bit each."""
    for k in range(count):
        u[to, k] = (u[arcs, k] >> ((u[node, k] * (n + U1)) & U63)) & ((U1 << (n + U1)) - U1)


@inlined
def joined(u: Bits, to: int, count: int, arcs: int, head: int, node: int, n: Unsigned) -> None:
    """The arcs and one more."""
    for k in range(count):
        u[to, k] = u[arcs, k] | (U1 << ((u[node, k] * (n + U1) + u[head, k]) & U63))


@inlined
def headless(u: Bits, to: int, count: int, arcs: int, node: int, n: Unsigned) -> None:
    """The arcs except those into a node."""
    for k in range(count):
        u[to, k] = u[arcs, k] & ~(((U1 << (n + U1)) - U1) << ((u[node, k] * (n + U1)) & U63))


@inlined
def matrix_has_dependent(u: Bits, to: int, count: int, arcs: int, node: int, n: Unsigned) -> None:
    """Whether some arc leaves a node."""
    for k in range(count):
        found = U0
        for word in range(n + U1):
            found |= (u[arcs, k] >> ((np.uint64(word) * (n + U1) + u[node, k]) & U63)) & U1
        u[to, k] = found


@inlined
def matrix_reaches(u: Bits, to: int, count: int, arcs: int, source: int, target: int, n: Unsigned) -> None:
    """Whether a path of arcs leads from source to target."""
    row = (U1 << (n + U1)) - U1
    for k in range(count):
        above = U1 << (u[target, k] & U63)
        grown = True
        while grown:
            before = above
            for node in range(n + U1):
                if (above >> np.uint64(node)) & U1 != U0:
                    above |= (u[arcs, k] >> (np.uint64(node) * (n + U1))) & row
            grown = above != before
        u[to, k] = (above >> (u[source, k] & U63)) & U1


@inlined
def matrix_connected(u: Bits, to: int, count: int, arcs: int, left: int, right: int, n: Unsigned) -> None:
    """Whether a path of arcs in any direction joins two nodes."""
    row = (U1 << (n + U1)) - U1
    for k in range(count):
        component = U1 << (u[left, k] & U63)
        grown = True
        while grown:
            before = component
            for node in range(n + U1):
                itself = U1 << np.uint64(node)
                heads = (u[arcs, k] >> (np.uint64(node) * (n + U1))) & row
                if component & itself != U0:
                    component |= heads
                elif component & heads != U0:
                    component |= itself
            grown = component != before
        u[to, k] = (component >> (u[right, k] & U63)) & U1


@inlined
def matrix_degree(u: Bits, to: int, count: int, arcs: int, left: int, right: int, n: Unsigned) -> None:
    """How many words strictly between two nodes have no head in the closed interval."""
    for k in range(count):
        low = min(u[left, k], u[right, k])
        high = min(max(u[left, k], u[right, k]), n)
        inside = ((U1 << ((high - low + U1) & U63)) - U1) << (low & U63)
        found = U0
        for word in range(low + U1, high):
            if (u[arcs, k] >> ((np.uint64(word) * (n + U1)) & U63)) & inside == U0:
                found += U1
        u[to, k] = found


@inlined
def matrix_lost(u: Bits, to: int, count: int, arcs: int, after: int) -> None:
    """Whether an arc has disappeared."""
    for k in range(count):
        u[to, k] = U1 if u[arcs, k] & ~u[after, k] != U0 else U0


@inlined
def matrix_complete(
    u: Bits, to: int, count: int, arcs: int, node: int, gold: int, n: Unsigned, width: Unsigned, mask: Unsigned
) -> None:
    """Whether every gold dependent of a node is attached to it; gold heads are packed as heads."""
    for k in range(count):
        found = U1
        wanted = u[gold, k]
        for up in range(n):
            if wanted & mask == u[node, k] + U1:
                word = n - np.uint64(up)
                found &= u[arcs, k] >> ((word * (n + U1) + u[node, k]) & U63)
            wanted >>= width
        u[to, k] = found & U1


@inlined
def matrix_has_all(u: Bits, to: int, count: int, arcs: int, node: int, gold: int, n: Unsigned) -> None:
    """Whether every gold dependent of a node is attached to it; gold arcs are packed as a matrix."""
    for k in range(count):
        missing = u[gold, k] & ~u[arcs, k]
        found = U0
        for word in range(n + U1):
            found |= (missing >> ((np.uint64(word) * (n + U1) + u[node, k]) & U63)) & U1
        u[to, k] = U1 - found


OPCODES: Final[tuple[Opcode, ...]] = (
    constant,
    plus,
    minus,
    plus_number,
    times_number,
    equal,
    less,
    equal_number,
    less_number,
    more_number,
    both,
    either,
    negated,
    chosen,
    field,
    field_at,
    lowest,
    put_below,
    put_below_at,
    with_bit,
    without_bit,
    turned,
    entry,
    hung,
    freed,
    has_dependent,
    reaches,
    connected,
    degree,
    lost,
    complete,
    heads_in,
    joined,
    headless,
    matrix_has_dependent,
    matrix_reaches,
    matrix_connected,
    matrix_degree,
    matrix_lost,
    matrix_complete,
    matrix_has_all,
)
"""The opcodes by number."""
