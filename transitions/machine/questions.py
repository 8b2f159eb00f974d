"""What may be asked about a configuration in arrays, by the entries of its figure's program.

These functions are compiled with the loops that call them, together with the machine; they are the same for all
figures.
"""

from typing import Any, Final, TypeAlias

from arcproof.process.jit import inlined
from arcproof.transitions.machine.arrays.kernel import (
    ALLOWS,
    ANSWER,
    CHOICE_BITS,
    CHOICE_MASK,
    DONE,
    FIRST_CHOICE,
    GIVEN_LABEL,
    MOST_CHOICES,
    NO_LIMIT,
    PERMITTED,
    TERMINAL,
)
from arcproof.transitions.machine.branching import execute
from arcproof.transitions.machine.codes import NAME_BITS, NAME_MASK

Array: TypeAlias = Any

# Argument types of the loops: the program of a figure with registers, a configuration with gold data and room, and
# the source of features.
VECTOR: Final = "int64[::1]"
MATRIX: Final = "int64[:, ::1]"
COLUMNS: Final = "int32[:, ::1]"
FIGURE: Final = f"{MATRIX}, {MATRIX}, {MATRIX}"
STATE: Final = f"{MATRIX}, {VECTOR}, {MATRIX}, {MATRIX}, {VECTOR}"
SEEN: Final = f"{MATRIX}, {MATRIX}, {VECTOR}, {COLUMNS}"


@inlined
def is_terminal(
    rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array
) -> Any:  # fmt: skip
    """Whether a run ends here."""
    return execute(rows, entries[TERMINAL, 0], r, cells, size, tree, gold, scratch) >= 0


@inlined
def performed(
    kind: int, code: int, label: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array,
    gold: Array, scratch: Array,
) -> Any:  # fmt: skip
    """Test a transition, or take it; return `DONE` or the code of what is wrong with it."""
    r[GIVEN_LABEL, 0] = label
    rest = code >> NAME_BITS
    for place in range(MOST_CHOICES):
        r[FIRST_CHOICE + place, 0] = (rest & CHOICE_MASK) - 1
        rest >>= CHOICE_BITS
    place = execute(rows, entries[kind, code & NAME_MASK], r, cells, size, tree, gold, scratch)
    return DONE if place >= 0 else place


@inlined
def permitted(
    default: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array
) -> tuple[int, int, int]:  # fmt: skip
    """The number of permissible transitions, the code of the first one, and the code of the first one with the
    default's name, or -1.
    """
    count = 0
    first = -1
    usual = -1
    for choice in range(MOST_CHOICES):
        r[FIRST_CHOICE + choice, 0] = NO_LIMIT
    place = execute(rows, entries[PERMITTED, 0], r, cells, size, tree, gold, scratch)
    while place >= 0:
        if count == 0:
            first = r[ANSWER, 0]
        if usual < 0 and r[ANSWER, 0] & NAME_MASK == default:
            usual = r[ANSWER, 0]
        count += 1
        place = execute(rows, place, r, cells, size, tree, gold, scratch)
    return count, first, usual


@inlined
def set_limits(known: Array, limits: Array) -> None:
    """The greatest lengths that occur in codes."""
    limits[:] = -1
    for code in known:
        rest = code >> NAME_BITS
        for place in range(MOST_CHOICES):
            limits[place] = max(limits[place], (rest & CHOICE_MASK) - 1)
            rest >>= CHOICE_BITS


@inlined
def permitted_among(
    known: Array, limits: Array, allowed: Array, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array,
    scratch: Array,
) -> Any:  # fmt: skip
    """Find which of the known codes, in ascending order, are permissible, and how many; longer lengths are not tried.

    A figure with chosen lengths may permit a transition for each node before the current one.
    """
    for choice in range(MOST_CHOICES):
        r[FIRST_CHOICE + choice, 0] = limits[choice]
    allowed[:] = False
    count = 0
    place = execute(rows, entries[PERMITTED, 0], r, cells, size, tree, gold, scratch)
    while place >= 0:
        low, high = 0, known.shape[0]
        while low < high:
            middle = (low + high) >> 1
            if known[middle] < r[ANSWER, 0]:
                low = middle + 1
            else:
                high = middle
        if low < known.shape[0] and known[low] == r[ANSWER, 0] and not allowed[low]:
            allowed[low] = True
            count += 1
        place = execute(rows, place, r, cells, size, tree, gold, scratch)
    return count


@inlined
def default_code(
    default: int, rows: Array, entries: Array, r: Array, cells: Array, size: Array, tree: Array, gold: Array, scratch: Array
) -> Any:  # fmt: skip
    """The first permissible transition of this name, or -1; all have to be tried if its lengths are chosen."""
    if default < 0:
        return default
    if performed(ALLOWS, default, 0, rows, entries, r, cells, size, tree, gold, scratch) == DONE:
        return default
    return permitted(default, rows, entries, r, cells, size, tree, gold, scratch)[2]
